//! Files of heads: the forms in which they are written, and reading their texts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::output;
use drawish::fit::export::{HeadsFormat, HeadsOf};
use drawish::heads::{HeadsFile, WdlHead};

/// Where heads go, each place with the form that its ending asks for.
pub(super) struct Places<'a>(Vec<(&'a Path, HeadsFormat)>);

impl<'a> Places<'a> {
    /// Refuses an ending of no form, before the work.
    pub(super) fn of(outputs: &'a [PathBuf]) -> Result<Places<'a>> {
        let form = |path: &'a PathBuf| {
            let unknown = || {
                format!("{}: no format of that ending; heads are written as .toml, .heads, .rs or .h", path.display())
            };
            let format = if output::is_standard(path) { Some(HeadsFormat::Toml) } else { HeadsFormat::of(path) };
            Ok((path.as_path(), format.with_context(unknown)?))
        };
        outputs.iter().map(form).collect::<Result<_>>().map(Places)
    }

    /// Whether no place is for engines.
    pub(super) fn are_texts(&self) -> bool {
        self.0.iter().all(|&(_, format)| format == HeadsFormat::Toml)
    }

    /// Writes heads to all places. A text has but one kind of heads: of both it is that of the WDL head, which has been fitted.
    pub(super) fn write(&self, heads: HeadsOf<'_>) -> Result<()> {
        for &(path, format) in &self.0 {
            let of_text = heads.wdl.map_or(heads, HeadsOf::from);
            let written = if format == HeadsFormat::Toml { of_text } else { heads };
            let name = path.file_stem().map_or_else(|| "heads".into(), |stem| stem.to_string_lossy());
            output::write(path, &format.bytes(written, &name).with_context(|| path.display().to_string())?)?;
        }
        Ok(())
    }
}

/// The one file that is a text of heads, which is only written in other forms: `None` if files are something else.
pub(super) fn only_text(files: &[PathBuf]) -> Option<&Path> {
    match files {
        [file] if HeadsFormat::of(file) == Some(HeadsFormat::Toml) => Some(file),
        _ => None,
    }
}

/// Draw head and gain head from their text.
pub(super) fn read(path: &Path) -> Result<HeadsFile> {
    HeadsFile::from_toml(&output::read_text(path)?).with_context(|| path.display().to_string())
}

/// A WDL head from its text.
pub(super) fn read_wdl(path: &Path) -> Result<WdlHead> {
    WdlHead::from_toml(&output::read_text(path)?).with_context(|| path.display().to_string())
}
