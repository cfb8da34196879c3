//! Pages and pictures as files, whose names choose the form; `-` is standard output.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use super::output;
use drawish::report::{Document, Outputs, PictureError, PictureFormat, ReportError, markdown};

/// Makes sure that the name says a format that this build writes; standard output takes SVG.
pub(super) fn check_name(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

fn format(path: &Path) -> Result<PictureFormat> {
    if output::is_standard(path) {
        return Ok(PictureFormat::Svg);
    }
    PictureFormat::of(path).map_err(|error| match error {
        PictureError::Ending => anyhow!("{}: {error}, or - for SVG on standard output", path.display()),
        _ => anyhow!("{}: {error}", path.display()),
    })
}

/// Writes a picture in the format that its name says.
pub(super) fn write(path: &Path, svg: &str) -> Result<()> {
    let bytes = format(path)?.encode(svg).with_context(|| path.display().to_string())?;
    output::write(path, &bytes)
}

/// Where a report goes: files by their endings, and Markdown to standard output.
pub(super) struct Pages {
    files: Outputs,
    printed: bool,
}

impl Pages {
    pub(super) fn of(paths: &[PathBuf]) -> Result<Pages> {
        let (printed, files): (Vec<_>, Vec<_>) = paths.iter().partition(|path| output::is_standard(path));
        let files = files.into_iter().try_fold(Outputs::default(), Outputs::text).map_err(with_flag)?;
        Ok(Pages { files, printed: !printed.is_empty() })
    }

    /// Every picture as a file too.
    pub(super) fn with_pictures(mut self, directory: Option<&PathBuf>, format: PictureFormat) -> Pages {
        if let Some(directory) = directory {
            self.files = self.files.pictures(directory, format);
        }
        self
    }

    /// Makes sure, before the work, that everything can be written.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> Result<()> {
        self.files.check(inputs).map_err(with_flag)
    }

    pub(super) fn write(&self, document: &Document) -> Result<()> {
        if self.printed {
            output::print(markdown(document, self.files.links(Path::new("-")).as_deref()))?;
        }
        self.files.write(document).map_err(with_flag)
    }
}

/// A library names no flags: here they are known.
fn with_flag(error: ReportError) -> anyhow::Error {
    let flag = match &error {
        ReportError::Form { .. } => "; for pictures give --svg and a directory",
        ReportError::IsInput { .. } | ReportError::Write { .. } => " for -o",
        ReportError::Directory { .. } => " for --svg or --png",
        _ => return error.into(),
    };
    let source = std::error::Error::source(&error).map_or_else(String::new, |source| format!(": {source}"));
    anyhow::anyhow!("{error}{flag}{source}")
}
