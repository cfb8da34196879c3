//! A directory in the place of its files.

use std::path::Path;

use super::ReportData;
use super::input::ReadError;
use super::matches::Wanted;
use drawish_games::pgn::Input;
use drawish_games::smooth::Estimator;
use drawish_stats::numbers::counted;

impl ReportData {
    /// Reads what can be shown of the files in a directory, in the order of their names; the others are named in one note.
    pub(super) fn read_directory(&mut self, directory: &Path, estimator: Estimator, wanted: Wanted) {
        let shown = directory.display().to_string();
        let mut files: Vec<_> = match directory.read_dir() {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect(),
            Err(error) => return self.fault(&shown, format!("the directory cannot be read: {error}")),
        };
        files.sort();
        let mut others = Vec::new();
        for path in &files {
            let name = Input::File(path.clone()).name();
            match self.read_one(path, &name, estimator, wanted) {
                Ok(input) => self.inputs.extend(input),
                Err(ReadError::Step { .. } | ReadError::Elsewhere(_) | ReadError::Unknown | ReadError::Empty) => {
                    others.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
                }
                Err(error) => self.fault(&name, error.to_string()),
            }
        }
        if files.is_empty() {
            self.fault(&shown, "a directory without files; name results, or the directory that holds them");
        } else if others.len() == files.len() {
            self.fault(
                &shown,
                "none of the files in this directory can be shown; name results, such as counts or a match log",
            );
        } else if !others.is_empty() {
            let listed = others.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if others.len() > 5 { ", ..." } else { "" };
            let count = counted(others.len() as u64, "file");
            self.remark(&shown, format!("left out, as no page shows them: {count} ({listed}{more})"));
        }
    }
}
