//! Move counters of start positions, from the list of openings that a match was played from: some programs write every
//! start position with the counters `0 1`, and the model by move then sees every game some moves too early.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use shakmaty::{Chess, Position};
use thiserror::Error;

use crate::pgn::{Input, Variant, position_of, setup_of, start_epd};
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

/// The move numbers of positions, by the first four fields of their FEN, however it is spelled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FenCounters {
    source: FenSource,
    by_position: HashMap<String, u32>,
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
        for (number, line) in lines.by_ref().split(b'\n').enumerate() {
            let line = line.map_err(failed)?;
            let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 0).unwrap_or(&line);
            // Old programs end lines with a carriage return alone.
            line.split(|&byte| byte == b'\r').for_each(|line| list.insert(line));
        }
        list.source = FenSource { name: input.name(), xxh3_128: Digest(lines.get_ref().digest()) };
        if list.by_position.is_empty() { Err(FenListError::Empty { path: name() }) } else { Ok(list) }
    }

    fn insert(&mut self, line: &[u8]) {
        let fields: Vec<&[u8]> =
            line.split(|byte| byte.is_ascii_whitespace()).filter(|field| !field.is_empty()).collect();
        let number = |field: &[u8]| str::from_utf8(field).ok()?.trim_end_matches(';').parse::<u32>().ok();
        let [_, _, _, _, halfmoves, fullmoves, ..] = fields[..] else { return };
        let (Some(_), Some(number)) = (number(halfmoves), number(fullmoves)) else { return };
        let setup = setup_of(&fields[..4].join(&b' '));
        // No line says whether it is of Chess960, and only there its castling rights may be legal.
        for variant in [Variant::Standard, Variant::Chess960] {
            if let Some(start) = setup.clone().and_then(|setup| position_of(setup, variant)) {
                let least = self.by_position.entry(start_epd(&start)).or_insert(number);
                *least = number.min(*least);
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

    /// Which number the move from a start with the counters `0 1`, or without any, should have: `Some(None)` if the list does not have
    /// it, `None` if it has other counters and needs no repair.
    pub(super) fn repair(&self, start: &Chess) -> Option<Option<u32>> {
        let has_none = start.halfmoves() == 0 && start.fullmoves().get() == 1;
        has_none.then(|| self.by_position.get(&start_epd(start)).map(|number| (*number).max(1)))
    }
}
