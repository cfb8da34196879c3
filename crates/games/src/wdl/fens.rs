//! Move counters of start positions, from the list of openings that a match was played from: some programs write every
//! start position with the counters `0 1`, and the model by move then sees every game some moves too early.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use crate::pgn::Input;
use drawish_artefact::provenance::Digest;
use serde::{Deserialize, Serialize};

/// Why a list cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum FenListError {
    #[error("{path} cannot be read as a list of FENs: {cause}; check the name")]
    Read { path: String, cause: std::io::Error },
    #[error("{path}: expected a list of positions as FENs with six fields, one to a line; found none")]
    Empty { path: String },
}

/// The file that a list was read from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FenSource {
    /// Its name without directories.
    pub name: String,
    /// XXH3-128 of the file.
    pub xxh3_128: Digest,
}

/// The half-move clock and move number of positions, by the first four fields of their FEN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FenCounters {
    source: FenSource,
    by_position: HashMap<Vec<u8>, (u32, u32)>,
}

impl FenCounters {
    /// Reads a list of FENs, plain or packed. Of a position that stands there several times the smallest move number
    /// counts. Lines of other kinds, such as those of four fields, are passed over.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or holds no such line.
    pub fn read(path: &Path) -> Result<FenCounters, FenListError> {
        let name = || path.display().to_string();
        let failed = |cause| FenListError::Read { path: name(), cause };
        let input = Input::File(path.to_owned());
        let mut lines = BufReader::new(input.open().map_err(failed)?);
        let mut list = FenCounters::default();
        for line in lines.by_ref().split(b'\n') {
            list.insert(&line.map_err(failed)?);
        }
        list.source = FenSource { name: input.name(), xxh3_128: Digest(lines.get_ref().digest()) };
        if list.by_position.is_empty() { Err(FenListError::Empty { path: name() }) } else { Ok(list) }
    }

    fn insert(&mut self, line: &[u8]) {
        let fields: Vec<&[u8]> =
            line.split(|byte| byte.is_ascii_whitespace()).filter(|field| !field.is_empty()).collect();
        let number = |field: &[u8]| str::from_utf8(field).ok()?.trim_end_matches(';').parse::<u32>().ok();
        let [board, turn, castling, en_passant, halfmoves, fullmoves, ..] = fields[..] else { return };
        if let (Some(halfmoves), Some(fullmoves)) = (number(halfmoves), number(fullmoves)) {
            let position = [board, turn, castling, en_passant].join(&b' ');
            let counters = self.by_position.entry(position).or_insert((halfmoves, fullmoves));
            if fullmoves < counters.1 {
                *counters = (halfmoves, fullmoves);
            }
        }
    }

    /// Where the list comes from.
    #[must_use]
    pub fn source(&self) -> &FenSource {
        &self.source
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_position.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_position.is_empty()
    }

    /// What a FEN with the counters `0 1` should be: `Some(None)` if the list does not have it, `None` if it has other
    /// counters and needs no repair.
    pub(super) fn repair(&self, fen: &[u8]) -> Option<Option<(u32, u32)>> {
        let position = fen.strip_suffix(b" 0 1")?;
        Some(self.by_position.get(position.trim_ascii_end()).copied())
    }
}
