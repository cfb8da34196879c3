//! Files of this project, read back whatever they hold.

use std::io::{self, Read};

use drawish_artefact::Kind;
use drawish_heads::heads::{HeadError, HeadsFile, WdlHead};
use thiserror::Error;

use crate::counts::{CountsError, CountsFile};
use crate::wdl::{WdlFile, WdlFileError};

/// What a file of this project holds.
#[derive(Debug)]
pub enum OwnFile {
    /// Counts of structures, which are whole.
    Counts(Box<CountsFile>),
    /// It begins as a table does.
    Table(Vec<u8>),
    /// It begins as heads for engines do, or is what the text of heads gives.
    Heads(Vec<u8>),
    /// Positions with evaluations, which are whole.
    WdlCounts(Box<WdlFile>),
}

/// Why a file is none of these.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum OwnFileError {
    #[error("cannot be read")]
    Read(#[from] io::Error),
    #[error(
        "expected a table, counts, heads or WDL counts, which begin with DRAWTBL, DRAWCNT, DRAWHDS and DRAWWDL; make them by \
         `drawish table`, `drawish collect`, `drawish tune` or `drawish wdl head`, and `drawish wdl collect`"
    )]
    Other,
    #[error(transparent)]
    Counts(#[from] CountsError),
    #[error(transparent)]
    WdlCounts(#[from] WdlFileError),
    #[error("not UTF-8, hence no text of heads")]
    Text,
    #[error(transparent)]
    Heads(#[from] HeadError),
}

impl OwnFile {
    /// Reads a file of any of these kinds; what is none of them is refused before the rest of it is read.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else, or is damaged. Tables and heads are not looked into.
    pub fn read(mut source: impl Read) -> Result<OwnFile, OwnFileError> {
        let mut bytes = Vec::new();
        source.by_ref().take(8).read_to_end(&mut bytes)?;
        // Only the whole of a text says what it is, and texts of heads begin with their format.
        if bytes.starts_with(b"format ") {
            source.read_to_end(&mut bytes)?;
        }
        let kind = Kind::of(&bytes).ok_or(OwnFileError::Other)?;
        let mut whole = || source.read_to_end(&mut bytes).map(|_| std::mem::take(&mut bytes));
        let text = |bytes| String::from_utf8(bytes).map_err(|_| OwnFileError::Text);
        Ok(match kind {
            Kind::Counts => OwnFile::Counts(Box::new(CountsFile::from_bytes(&whole()?)?)),
            Kind::Table => OwnFile::Table(whole()?),
            Kind::EngineHeads => OwnFile::Heads(whole()?),
            Kind::WdlCounts => OwnFile::WdlCounts(Box::new(WdlFile::from_bytes(&whole()?)?)),
            Kind::Heads => OwnFile::Heads(HeadsFile::from_toml(&text(whole()?)?)?.to_binary()?),
            Kind::WdlHead => OwnFile::Heads(WdlHead::from_toml(&text(whole()?)?)?.to_binary()?),
            _ => return Err(OwnFileError::Other),
        })
    }

    /// The name of its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            OwnFile::Counts(_) => "counts",
            OwnFile::Table(_) => "a table",
            OwnFile::Heads(_) => "heads",
            OwnFile::WdlCounts(_) => "WDL counts",
        }
    }
}
