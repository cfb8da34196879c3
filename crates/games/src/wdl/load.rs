//! Counts from files of either format, told by how they begin.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use super::json::{JsonError, read_json};
use super::{Provenance, WdlFile, WdlFileError};
use crate::pgn::{Input, file_digest};
use drawish_artefact::provenance::{Digest, InputRecord};
use drawish_artefact::{Kind, in_words};

/// Why counts cannot be read.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum WdlReadError {
    #[error("check the name")]
    Open(#[source] io::Error),
    #[error("{0}; give a .wdl file or the JSON of scoreWDLstat")]
    Read(#[from] io::Error),
    #[error("Parquet is written, not read; give the .wdl or .json of the same counts")]
    Parquet,
    #[error("expected WDL counts, a .wdl or the JSON of scoreWDLstat; found {0}")]
    Elsewhere(&'static str),
    #[error(transparent)]
    File(#[from] WdlFileError),
    #[error(transparent)]
    Json(#[from] JsonError),
}

impl WdlFile {
    /// Reads a file, `.wdl` or the JSON of scoreWDLstat.
    ///
    /// JSON says nothing about where it comes from: the file is its own input, and its digest keeps it from being added twice.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is neither.
    pub fn load(path: &Path) -> Result<WdlFile, WdlReadError> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let file = File::open(path).map_err(|error| WdlReadError::Open(in_words(error)))?;
        let read = read(file, &name, || file_digest(path).map(|(digest, _)| digest));
        let is_foreign = |error: &WdlReadError| matches!(error, WdlReadError::Json(JsonError::Syntax { .. }));
        // Games are often packed.
        let unpacked = || Kind::of_source(Input::File(path.to_owned()).open().ok()?).ok().flatten();
        match read {
            Err(error) if is_foreign(&error) => Err(match Kind::of_source(File::open(path)?)?.or_else(unpacked) {
                Some(Kind::Pgn) => WdlReadError::Elsewhere("games: `drawish wdl collect` counts them"),
                Some(kind) if kind != Kind::WdlJson => WdlReadError::Elsewhere(kind.uses()),
                _ => error,
            }),
            read => read,
        }
    }

    /// The same of what has no file. JSON has no digest then: nothing keeps it from being added twice.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn read(source: impl Read, name: &str) -> Result<WdlFile, WdlReadError> {
        read(source, name, || Ok(0))
    }
}

fn read(source: impl Read, name: &str, digest: impl Fn() -> io::Result<u128>) -> Result<WdlFile, WdlReadError> {
    let mut source = BufReader::with_capacity(256 << 10, source);
    let head = source.fill_buf().map_err(in_words)?;
    match Kind::of(&head[..head.len().min(8)]) {
        Some(Kind::Rows) => return Err(WdlReadError::Parquet),
        Some(kind @ (Kind::Counts | Kind::Table | Kind::EngineHeads)) => {
            return Err(WdlReadError::Elsewhere(kind.uses()));
        }
        Some(Kind::WdlCounts) => {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes)?;
            return Ok(WdlFile::from_bytes(&bytes)?);
        }
        _ => {}
    }
    let counts = read_json(source)?;
    let input = InputRecord {
        name: name.to_owned(),
        xxh3_128: Digest(digest()?),
        positions: Some(counts.positions()),
        ..InputRecord::default()
    };
    let provenance = Provenance { inputs: vec![input], ..Provenance::default() };
    Ok(WdlFile { provenance, counts })
}
