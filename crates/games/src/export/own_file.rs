//! Files of this project, read back whatever they hold.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use std::io::{self, Read};

use drawish_artefact::provenance::in_comment;
use drawish_artefact::{Kind, read_bounded_to};
use drawish_core::table::TableError;
use drawish_core::{DrawTable, Heads};
use drawish_heads::heads::{HeadError, HeadsFile, WdlHead, open_binary};
use thiserror::Error;

use super::{DEPENDENT, Inconsistency, check_consistency};
use crate::counts::{CountsError, CountsFile};
use crate::sample::is_of_positions;
use crate::wdl::{WdlFile, WdlFileError};

/// What a file of this project holds.
#[derive(Debug)]
pub enum OwnFile {
    /// Counts of structures, which are whole.
    Counts(Box<CountsFile>),
    /// It begins as a table does.
    Table(Vec<u8>),
    /// It begins as heads for engines do, or is what the text of heads gives, with the warnings of that text.
    Heads(Vec<u8>, Vec<String>),
    /// Positions with evaluations, which are whole.
    WdlCounts(Box<WdlFile>),
}

/// A file of this project with the checksum that it was written with.
#[derive(Debug)]
pub enum Opened<'a> {
    /// Counts of structures.
    Counts(&'a CountsFile),
    /// Draw probabilities of structures.
    Table(DrawTable<'a>),
    /// Heads for engines.
    Heads(Box<Heads<'a>>),
    /// Positions with evaluations.
    WdlCounts(&'a WdlFile),
}

const EXPECTED: &str =
    "expected a table, counts, heads or WDL counts, which begin with DRAWTBL, DRAWCNT, DRAWHDS and DRAWWDL";

/// Why a file is none of these.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum OwnFileError {
    #[error("cannot be read")]
    Read(#[from] io::Error),
    #[error("{EXPECTED}; found {0}")]
    Elsewhere(&'static str),
    #[error("{EXPECTED}; the file is empty: make it again")]
    Empty,
    #[error(
        "{EXPECTED}; make them by `drawish table`, `drawish collect`, `drawish tune` or `drawish wdl head`, and `drawish wdl collect`"
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
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Contradiction(#[from] Inconsistency),
}

/// What a file of results says before its figures are trusted: its warnings, or in files of earlier builds, which have none, that it is of
/// positions without their games by one of its rules.
#[must_use]
pub fn warnings_of(warnings: Vec<String>, rules: &[String]) -> Vec<String> {
    if warnings.is_empty() && rules.iter().any(|rule| is_of_positions(rule)) {
        return vec![format!("positions without their games: {DEPENDENT}")];
    }
    // They come from elsewhere, as names do.
    warnings.iter().map(|warning| in_comment(warning)).collect()
}

impl OwnFile {
    /// Reads a file of any of these kinds, so many bytes long if that is known; what is none of them is named by what
    /// it is, texts by their first 64 MiB.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else, or is damaged. Tables and heads are not looked into.
    pub fn read(mut source: impl Read, len: Option<u64>) -> Result<OwnFile, OwnFileError> {
        let mut bytes = Vec::new();
        source.by_ref().take(8).read_to_end(&mut bytes)?;
        // Only the whole of a text says what it is, and texts of heads begin with their format.
        if bytes.starts_with(b"format ") {
            read_bounded_to(&mut source, len, &mut bytes)?;
        }
        let kind = Kind::of(&bytes);
        let own = [Kind::Counts, Kind::Table, Kind::EngineHeads, Kind::WdlCounts, Kind::Heads, Kind::WdlHead];
        let Some(kind) = kind.filter(|kind| own.contains(kind)) else {
            if bytes.is_empty() {
                return Err(OwnFileError::Empty);
            }
            let kind = Kind::of_source(bytes.as_slice().chain(source))?;
            return Err(kind.map_or(OwnFileError::Other, |kind| OwnFileError::Elsewhere(kind.uses())));
        };
        read_bounded_to(source, len, &mut bytes)?;
        let text = || std::str::from_utf8(&bytes).map_err(|_| OwnFileError::Text);
        Ok(match kind {
            Kind::Counts => OwnFile::Counts(Box::new(CountsFile::from_bytes(&bytes)?)),
            Kind::WdlCounts => OwnFile::WdlCounts(Box::new(WdlFile::from_bytes(&bytes)?)),
            Kind::Heads => {
                let heads = HeadsFile::from_toml(text()?)?;
                OwnFile::Heads(heads.to_binary()?, warnings_of(heads.warnings, &heads.rules))
            }
            Kind::WdlHead => {
                let head = WdlHead::from_toml(text()?)?;
                OwnFile::Heads(head.to_binary()?, warnings_of(head.warnings, &head.rules))
            }
            Kind::Table => OwnFile::Table(bytes),
            _ => OwnFile::Heads(bytes, Vec::new()),
        })
    }

    /// Opens tables and heads, too, and compares their checksums, and the values of tables with each other.
    ///
    /// # Errors
    ///
    /// If a table or heads are damaged, or a table contradicts itself.
    pub fn open(&self) -> Result<Opened<'_>, OwnFileError> {
        Ok(match self {
            OwnFile::Counts(file) => Opened::Counts(file),
            OwnFile::Table(bytes) => {
                let table = DrawTable::from_bytes(bytes)?;
                table.verify()?;
                check_consistency(&table)?;
                Opened::Table(table)
            }
            OwnFile::Heads(bytes, _) => Opened::Heads(Box::new(open_binary(bytes).map_err(HeadError::from)?)),
            OwnFile::WdlCounts(file) => Opened::WdlCounts(file),
        })
    }

    /// What was said at a fit, to know before trusting it, a line each; files for engines have no place for it.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        if let OwnFile::Heads(_, warnings) = self { warnings } else { &[] }
    }

    /// The name of its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            OwnFile::Counts(_) => "counts",
            OwnFile::Table(_) => "a table",
            OwnFile::Heads(..) => "heads",
            OwnFile::WdlCounts(_) => "WDL counts",
        }
    }
}
