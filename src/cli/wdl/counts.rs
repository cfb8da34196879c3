//! Files of WDL counts in every format, told by their endings when they are written and by their beginnings when they are
//! read.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cli::output;
use drawish::outfile;
use drawish::wdl::{WdlFile, WdlFileError, WdlReadError, write_json};

/// How a file keeps counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Format {
    /// That of scoreWDLstat.
    Json,
    /// Our own, with the blocks.
    Wdl,
    /// A table for data frames.
    Parquet,
}

impl Format {
    /// The format that the name of a file asks for.
    pub(in crate::cli) fn of(path: &Path) -> Result<Format> {
        if output::is_standard(path) {
            return Ok(Format::Json);
        }
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json") => Ok(Format::Json),
            Some("wdl") => Ok(Format::Wdl),
            Some("parquet") if cfg!(feature = "frames") => Ok(Format::Parquet),
            Some("parquet") => bail!(
                "{}: this program was built without Parquet; build it with the feature frames, or name .wdl or .json",
                path.display()
            ),
            _ => bail!("{}: a format is chosen by its ending: expected .json, .wdl or .parquet", path.display()),
        }
    }
}

/// Writes counts in the format of the file's name.
pub(in crate::cli) fn write(path: &Path, file: &WdlFile) -> Result<()> {
    let failed = || format!("{} cannot be written", path.display());
    match Format::of(path)? {
        Format::Json if output::is_standard(path) => output::print_with(|mut out| write_json(&file.counts, &mut out)),
        Format::Json => outfile::write_with(path, |mut out| write_json(&file.counts, &mut out)).with_context(failed),
        Format::Wdl => outfile::write_whole(path, &file.to_bytes()).with_context(failed),
        Format::Parquet => write_parquet(path, file),
    }
}

#[cfg(feature = "frames")]
fn write_parquet(path: &Path, file: &WdlFile) -> Result<()> {
    let bytes = drawish::frames::to_parquet(&drawish::frames::wdl_frame(&file.counts)?)?;
    outfile::write_whole(path, &bytes).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(not(feature = "frames"))]
fn write_parquet(_path: &Path, _file: &WdlFile) -> Result<()> {
    bail!("this program was built without Parquet")
}

/// Reads and adds files of counts.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<WdlFile> {
    let mut sum = WdlFile::default();
    for path in paths {
        sum.add(read(path)?).with_context(|| path.display().to_string())?;
    }
    Ok(sum)
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
