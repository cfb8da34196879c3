//! How many of the inputs a report shows.

use std::path::{Path, PathBuf};

use drawish_stats::numbers::{counted, grouped};

use super::ReportData;

/// Names of files that are left out, in one line.
const NAMED: usize = 5;

impl ReportData {
    /// A line for a terminal: which files were written, how many of the inputs they show, and which are left out.
    #[must_use]
    pub fn written<'a>(&self, outputs: impl IntoIterator<Item = &'a PathBuf>) -> String {
        let named = outputs.into_iter().filter(|path| *path != Path::new("-")).map(|path| path.display().to_string());
        let named = named.collect::<Vec<_>>().join(", ");
        let written = if named.is_empty() { String::new() } else { format!("{named} written: ") };
        let shown = self.inputs.iter().filter(|input| !self.left_out.contains(&input.name)).count() as u64;
        let all = shown + self.left_out.len() as u64;
        let mut line = format!("{written}{} of {} shown", grouped(shown), counted(all, "input"));
        if !self.left_out.is_empty() {
            let more = if self.left_out.len() > NAMED { ", ..." } else { "" };
            let left_out: Vec<&str> = self.left_out.iter().take(NAMED).map(String::as_str).collect();
            line += &format!("; left out: {}{more}", left_out.join(", "));
        }
        line + "\n"
    }
}
