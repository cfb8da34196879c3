//! Files of WDL counts in every format, told by their endings when they are written and by their beginnings when they are
//! read.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cli::output;
use crate::cli::target::Target;
#[cfg(feature = "frames")]
use drawish::frames;
use drawish::wdl::{CountsFormat, WdlFile, WdlFileError, WdlReadError, WdlSum};

/// The format that the name of a file asks for.
pub(in crate::cli) fn format(path: &Path) -> Result<Target<CountsFormat>> {
    Target::of(path, ".wdl or .json", |path| {
        let format = if output::is_standard(path) { Some(CountsFormat::Json) } else { CountsFormat::of(path) };
        format.with_context(|| {
            format!("{}: a format is chosen by its ending: expected .json, .wdl or .parquet", path.display())
        })
    })
}

/// Writes counts in the format of the file's name.
pub(in crate::cli) fn write(path: &Path, file: &WdlFile) -> Result<()> {
    match format(path)? {
        Target::Own(format) => output::write_with(path, |mut out| file.write(format, &mut out)),
        #[cfg(feature = "frames")]
        Target::Parquet => output::write(path, &frames::to_parquet(&frames::wdl_frame(&file.counts)?)?),
    }
}

/// Reads and adds files of counts.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<WdlFile> {
    let mut sum = WdlSum::default();
    for path in paths {
        sum.add(read(path)?).with_context(|| path.display().to_string())?;
    }
    Ok(sum.into_file())
}

/// Reads a file of counts, `.wdl` or JSON.
pub(in crate::cli) fn read(path: &Path) -> Result<WdlFile> {
    let read = if output::is_standard(path) { WdlFile::read(io::stdin(), "-") } else { WdlFile::load(path) };
    read.map_err(with_remedy).with_context(|| path.display().to_string())
}

/// What to do about bytes that are something else.
fn with_remedy(error: WdlReadError) -> anyhow::Error {
    match error {
        WdlReadError::File(WdlFileError::Magic) => anyhow::anyhow!("{error}; make them by `drawish wdl collect`"),
        error => error.into(),
    }
}
