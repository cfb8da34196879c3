//! Files of WDL counts in every format, told by their endings when they are written and by their beginnings when they are
//! read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cli::output;
use drawish::Kind;
use drawish::outfile;
use drawish::pgn::file_digest;
use drawish::provenance::{Digest, InputRecord};
use drawish::wdl::{Provenance, WdlFile, WdlFileError, read_json, write_json};

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
    let name = || path.display().to_string();
    let source: Box<dyn Read> = if output::is_standard(path) {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("{}: check the name", name()))?)
    };
    let mut source = BufReader::with_capacity(256 << 10, source);
    let head = source.fill_buf().with_context(name)?;
    match Kind::of(&head[..head.len().min(8)]) {
        Some(Kind::Rows) => {
            bail!("{}: Parquet is written, not read; give the .wdl or .json of the same counts", name())
        }
        Some(Kind::WdlCounts | Kind::Counts | Kind::Table | Kind::EngineHeads) => {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).with_context(name)?;
            return WdlFile::from_bytes(&bytes).map_err(with_remedy).with_context(name);
        }
        _ => {}
    }
    let counts = read_json(source).with_context(name)?;
    // JSON says nothing about where it comes from; its own digest keeps a file from being given twice.
    let digest = if output::is_standard(path) { 0 } else { file_digest(path).with_context(name)?.0 };
    let input = InputRecord {
        name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        xxh3_128: Digest(digest),
        positions: Some(counts.positions()),
        ..InputRecord::default()
    };
    let provenance = Provenance { inputs: vec![input], ..Provenance::default() };
    Ok(WdlFile { provenance, counts })
}

/// What to do about bytes that are something else.
fn with_remedy(error: WdlFileError) -> anyhow::Error {
    let remedy = if matches!(error, WdlFileError::Magic) { "; make them by `drawish wdl collect`" } else { "" };
    anyhow::anyhow!("{error}{remedy}")
}
