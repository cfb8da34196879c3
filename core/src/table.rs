//! The `.table` file: read in place from bytes, without a copy and without allocation.
//!
//! # Layout
//!
//! All numbers are little-endian; n is the number of cells.
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | `[u8; 8]` | magic `DRAWTBL\0` |
//! | 8 | u16 | format version, [`VERSION`] |
//! | 10 | u16 | length of this header, 64 |
//! | 12 | u16 | identifier of the [index scheme](crate::index) |
//! | 14 | u16 | estimator: 0 raw, 1 Laplace, 2 empirical Bayes, 3 empirical Bayes with symmetry |
//! | 16 | u32 | n |
//! | 20 | u32 | flags: bit 0 = the evidence arrays are present, bit 1 = several positions of a game, or positions without games, were counted |
//! | 24 | u64 | positions counted in all cells |
//! | 32 | u16 | base draw probability (1/65,535): the draw rate of all positions together |
//! | 34 | u16 | 0 |
//! | 36 | u32 | CRC-32 (IEEE 802.3) of all bytes of the file, these four taken as 0 |
//! | 40 | `[u8; 16]` | XXH3-128 of the counts file that the table was made from |
//! | 56 | u64 | 0 |
//! | 64 | `[u16; n]` | draw probability (1/65,535) |
//! | 64 + 2n | `[i16; n]` | drawScore: logit(p) - logit(base) in 1/256 logit |
//! | 64 + 4n | `[u8; n]` | scale factor in 1/128 |
//! | 64 + 5n | `[u16; n]` | evidence: lower end of the 90 % interval of the probability |
//! | 64 + 7n | `[u16; n]` | evidence: upper end |
//! | 64 + 9n | `[u32; n]` | evidence: positions counted in the cell itself |
//!
//! # Stability
//!
//! A file of version 1 stays readable by every later release; any change to this table is a new version. So what is not in it, another
//! estimator, flag or content of the bytes that are 0, is refused: nobody can know what else it changes.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod error;

use crate::bytes;
use crate::{DrawScore, Pawns, Probability, ScaleFactor, Scheme, StructureIndex};

pub use error::TableError;

/// The first eight bytes of every table.
pub const MAGIC: [u8; 8] = *b"DRAWTBL\0";
/// The version of the format that this crate reads.
pub const VERSION: u16 = 1;
/// Bytes before the first array.
pub const HEADER_LEN: usize = 64;
/// Flag bit: the three evidence arrays follow the three that an engine needs.
pub const FLAG_EVIDENCE: u32 = 1;
/// Flag bit: several positions of a game, or positions without games, were counted, so that intervals, which take positions for independent, are too narrow.
pub const FLAG_DEPENDENT: u32 = 2;
/// The largest number of an estimator.
const LAST_ESTIMATOR: u16 = 3;
/// Where the checksum stands.
pub const CRC_OFFSET: usize = 36;
/// Bytes per cell without and with evidence.
const CELL_LEN: usize = 5;
const CELL_LEN_WITH_EVIDENCE: usize = 13;

/// What a table says about one structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Estimated probability of a draw.
    pub probability: Probability,
    /// The same relative to the base, on the logit scale.
    pub draw_score: DrawScore,
    /// The same as a factor for the evaluation.
    pub scale: ScaleFactor,
}

/// How much a table's estimate for one structure rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// Lower end of the 90 % interval of the probability.
    pub low: Probability,
    /// Upper end of the 90 % interval of the probability.
    pub high: Probability,
    /// Positions counted in this very cell.
    pub positions: u32,
}

/// A draw table over the bytes of a `.table` file.
///
/// Opening checks the header and the length and takes constant time; [`verify`](Self::verify) reads every byte.
#[derive(Clone, Copy, Debug)]
pub struct DrawTable<'a> {
    bytes: &'a [u8],
    scheme: Scheme,
    cells: usize,
}

impl<'a> DrawTable<'a> {
    /// Opens a table.
    ///
    /// # Errors
    ///
    /// Every [`TableError`] but `Checksum`, which only [`verify`](Self::verify) finds.
    pub const fn from_bytes(bytes: &'a [u8]) -> Result<DrawTable<'a>, TableError> {
        if bytes.len() < HEADER_LEN {
            return Err(TableError::TooShort { len: bytes.len() });
        }
        let mut i = 0;
        while i < MAGIC.len() {
            if bytes[i] != MAGIC[i] {
                return Err(TableError::NotATable);
            }
            i += 1;
        }
        let version = u16_at(bytes, 8);
        if version != VERSION {
            return Err(TableError::Version { found: version });
        }
        let header_len = u16_at(bytes, 10);
        if header_len as usize != HEADER_LEN {
            return Err(TableError::HeaderLength { found: header_len });
        }
        let id = u16_at(bytes, 12);
        let Some(scheme) = Scheme::from_id(id) else {
            return Err(TableError::UnknownScheme { id });
        };
        let cells = u32_at(bytes, 16);
        if cells != scheme.cells() {
            return Err(TableError::Cells { expected: scheme.cells(), found: cells });
        }
        let cells = cells as usize;
        let estimator = u16_at(bytes, 14);
        if estimator > LAST_ESTIMATOR {
            return Err(TableError::UnknownEstimator { id: estimator });
        }
        let flags = u32_at(bytes, 20);
        if flags & !(FLAG_EVIDENCE | FLAG_DEPENDENT) != 0 {
            return Err(TableError::UnknownFlags { found: flags });
        }
        if u16_at(bytes, 34) != 0 || u32_at(bytes, 56) != 0 || u32_at(bytes, 60) != 0 {
            return Err(TableError::Reserved);
        }
        let expected = file_len(cells, flags & FLAG_EVIDENCE != 0);
        if bytes.len() != expected {
            return Err(TableError::Length { expected, found: bytes.len() });
        }
        let table = DrawTable { bytes, scheme, cells };
        if table.base().0 == 0 || table.base().0 == u16::MAX {
            return Err(TableError::Base);
        }
        Ok(table)
    }

    /// Opens a table whose bytes were included at compile time, as in
    /// `static TABLE: DrawTable<'static> = DrawTable::embed(include_bytes!("pawns.table"));`
    ///
    /// # Panics
    ///
    /// If [`from_bytes`](Self::from_bytes) refuses the bytes. In a `static` or `const` that is an error of the
    /// compiler: a stale table fails the build.
    #[must_use]
    pub const fn embed(bytes: &'a [u8]) -> DrawTable<'a> {
        match DrawTable::from_bytes(bytes) {
            Ok(table) => table,
            Err(TableError::Version { .. }) => panic!("draw table of another format version: make it again"),
            Err(TableError::NotATable) => panic!("the included file is not a draw table"),
            Err(TableError::UnknownScheme { .. }) => panic!("draw table of an unknown index scheme"),
            Err(_) => panic!("the included draw table is damaged: run `drawish verify` on it"),
        }
    }

    /// What the table says about a position with these pawns.
    // Always inlined, so that of an embedded table only the values asked for are read: half the time in a search.
    #[must_use]
    #[inline(always)]
    pub fn cell(&self, pawns: Pawns) -> Cell {
        self.read(self.scheme.index(pawns).0 as usize)
    }

    /// What the table says about a cell, or `None` if the scheme has no such cell.
    #[must_use]
    #[inline]
    pub fn get(&self, index: StructureIndex) -> Option<Cell> {
        let i = index.0 as usize;
        (i < self.cells).then(|| self.read(i))
    }

    /// What a cell's estimate rests on; `None` without the evidence arrays or without such a cell.
    #[must_use]
    pub fn evidence(&self, index: StructureIndex) -> Option<Evidence> {
        let i = index.0 as usize;
        if i >= self.cells || !self.has_evidence() {
            return None;
        }
        let arrays = HEADER_LEN + CELL_LEN * self.cells;
        Some(Evidence {
            low: Probability(u16_at(self.bytes, arrays + 2 * i)),
            high: Probability(u16_at(self.bytes, arrays + 2 * (self.cells + i))),
            positions: u32_at(self.bytes, arrays + 4 * (self.cells + i)),
        })
    }

    /// The index scheme of the cells.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The draw rate of all positions together, to which drawScore and scale factor are relative; never 0 or 1.
    #[must_use]
    pub const fn base(&self) -> Probability {
        Probability(u16_at(self.bytes, 32))
    }

    /// The number of the estimator, see the [layout](self#layout).
    #[must_use]
    pub const fn estimator(&self) -> u16 {
        u16_at(self.bytes, 14)
    }

    /// Positions counted in all cells.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        u32_at(self.bytes, 24) as u64 | (u32_at(self.bytes, 28) as u64) << 32
    }

    /// XXH3-128 of the counts file that the table was made from.
    #[must_use]
    pub const fn source_digest(&self) -> u128 {
        let mut digest = 0;
        let mut i = 0;
        while i < 4 {
            digest |= (u32_at(self.bytes, 40 + 4 * i) as u128) << (32 * i);
            i += 1;
        }
        digest
    }

    /// Whether the table holds intervals and the number of positions of each cell.
    #[must_use]
    pub const fn has_evidence(&self) -> bool {
        u32_at(self.bytes, 20) & FLAG_EVIDENCE != 0
    }

    /// Whether several positions of a game were counted, or positions without games, so that intervals, which take positions for
    /// independent, are too narrow. Tables of builds before this flag do not have it.
    #[must_use]
    pub const fn is_dependent(&self) -> bool {
        u32_at(self.bytes, 20) & FLAG_DEPENDENT != 0
    }

    /// Reads the whole table and compares its checksum.
    ///
    /// # Errors
    ///
    /// [`TableError::Checksum`] if any bit differs from what was written.
    pub fn verify(&self) -> Result<(), TableError> {
        let expected = u32_at(self.bytes, CRC_OFFSET);
        let found = checksum(self.bytes);
        if expected == found { Ok(()) } else { Err(TableError::Checksum { expected, found }) }
    }

    /// `i` is below the number of cells, and the length was checked when the table was opened.
    #[inline(always)]
    fn read(&self, i: usize) -> Cell {
        Cell {
            probability: Probability(u16_at(self.bytes, HEADER_LEN + 2 * i)),
            draw_score: DrawScore(i16::from_le_bytes(
                u16_at(self.bytes, HEADER_LEN + 2 * (self.cells + i)).to_le_bytes(),
            )),
            scale: ScaleFactor(self.bytes[HEADER_LEN + 4 * self.cells + i]),
        }
    }
}

/// Bytes of a file with this many cells.
#[must_use]
pub const fn file_len(cells: usize, evidence: bool) -> usize {
    HEADER_LEN + cells * if evidence { CELL_LEN_WITH_EVIDENCE } else { CELL_LEN }
}

/// The checksum that belongs into a table's header: CRC-32 of all bytes, with the four at [`CRC_OFFSET`] as 0.
///
/// # Panics
///
/// If there are fewer bytes than a header.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    assert!(bytes.len() >= HEADER_LEN, "fewer bytes than a header");
    bytes::checksum(bytes, CRC_OFFSET)
}

#[inline]
const fn u16_at(bytes: &[u8], at: usize) -> u16 {
    // One look at the length instead of two.
    match bytes.split_at(at).1.first_chunk() {
        Some(&pair) => u16::from_le_bytes(pair),
        None => panic!("the length is checked when a table is opened"),
    }
}

#[inline]
const fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 1072;
    const LEN: usize = file_len(CELLS, true);

    /// A bg-sym table in which every cell says its own number.
    fn sample() -> [u8; LEN] {
        let mut bytes = [0; LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&64u16.to_le_bytes());
        bytes[12..14].copy_from_slice(&4u16.to_le_bytes());
        bytes[14..16].copy_from_slice(&3u16.to_le_bytes());
        bytes[16..20].copy_from_slice(&(CELLS as u32).to_le_bytes());
        bytes[20] = 1;
        bytes[24..32].copy_from_slice(&0x0102_0304_0506_0708u64.to_le_bytes());
        bytes[32..34].copy_from_slice(&24_000u16.to_le_bytes());
        bytes[40..56].copy_from_slice(&0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100u128.to_le_bytes());
        for cell in 0..CELLS {
            let mut put = |at: usize, value: &[u8]| bytes[64 + at..64 + at + value.len()].copy_from_slice(value);
            put(2 * cell, &(cell as u16).to_le_bytes());
            put(2 * (CELLS + cell), &(-(cell as i16)).to_le_bytes());
            put(4 * CELLS + cell, &[cell as u8]);
            put(5 * CELLS + 2 * cell, &(cell as u16 + 1).to_le_bytes());
            put(7 * CELLS + 2 * cell, &(cell as u16 + 2).to_le_bytes());
            put(9 * CELLS + 4 * cell, &(cell as u32 * 1000).to_le_bytes());
        }
        let crc = checksum(&bytes);
        bytes[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    #[test]
    fn every_cell_is_read_from_its_place() {
        let bytes = sample();
        let table = DrawTable::from_bytes(&bytes).unwrap();
        for i in 0..CELLS as u32 {
            let cell = table.get(StructureIndex(i)).unwrap();
            assert_eq!(cell.probability.0, i as u16);
            assert_eq!(cell.draw_score.0, -(i as i16));
            assert_eq!(cell.scale.0, i as u8);
            let evidence = table.evidence(StructureIndex(i)).unwrap();
            assert_eq!((evidence.low.0, evidence.high.0), (i as u16 + 1, i as u16 + 2));
            assert_eq!(evidence.positions, i * 1000);
        }
        assert_eq!(table.get(StructureIndex(CELLS as u32)), None);
        assert_eq!(table.evidence(StructureIndex(CELLS as u32)), None);
        assert_eq!(table.positions(), 0x0102_0304_0506_0708);
        assert_eq!(table.base().0, 24_000);
        assert_eq!(table.estimator(), 3);
        assert_eq!(table.source_digest(), 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
        assert_eq!(table.cell(Pawns::START).probability.0, CELLS as u16 - 1);
        assert!(table.has_evidence() && !table.is_dependent());
        let mut bytes = sample();
        bytes[20] |= 2;
        assert!(DrawTable::from_bytes(&bytes).unwrap().is_dependent());
    }

    #[test]
    fn a_slim_table_has_no_evidence() {
        let mut bytes = sample();
        bytes[20] = 0;
        let table = DrawTable::from_bytes(&bytes[..file_len(CELLS, false)]).unwrap();
        assert!(!table.has_evidence());
        assert_eq!(table.evidence(StructureIndex(0)), None);
        assert_eq!(table.get(StructureIndex(7)).map(|cell| cell.probability.0), Some(7));
    }

    #[test]
    fn one_flipped_bit_anywhere_is_found() {
        let good = sample();
        assert_eq!(DrawTable::from_bytes(&good).unwrap().verify(), Ok(()));
        for bit in 0..LEN * 8 {
            // Each bit of the header and a sample of the rest: CRC-32 finds every single flipped bit.
            if bit > 64 * 8 && bit % 37 != 0 {
                continue;
            }
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(DrawTable::from_bytes(&bad).and_then(|table| table.verify()).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn each_damage_has_its_own_error() {
        let good = sample();
        let damaged = |at: usize, value: &[u8]| {
            let mut bytes = sample();
            bytes[at..at + value.len()].copy_from_slice(value);
            DrawTable::from_bytes(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(DrawTable::from_bytes(&good[..63]).unwrap_err(), TableError::TooShort { len: 63 });
        assert_eq!(
            DrawTable::from_bytes(&good[..LEN - 1]).unwrap_err(),
            TableError::Length { expected: LEN, found: LEN - 1 }
        );
        assert_eq!(damaged(0, b"PNG"), TableError::NotATable);
        assert_eq!(damaged(8, &[2, 0]), TableError::Version { found: 2 });
        assert_eq!(damaged(10, &[65, 0]), TableError::HeaderLength { found: 65 });
        assert_eq!(damaged(12, &[0xff, 0xff]), TableError::UnknownScheme { id: 0xffff });
        assert_eq!(damaged(12, &[1, 0]), TableError::Cells { expected: 4096, found: 1072 });
        assert_eq!(damaged(14, &[4, 0]), TableError::UnknownEstimator { id: 4 });
        assert_eq!(damaged(20, &[5]), TableError::UnknownFlags { found: 5 });
        assert_eq!(damaged(23, &[0x80]), TableError::UnknownFlags { found: 0x8000_0001 });
        for at in [34, 35, 56, 59, 60, 63] {
            assert_eq!(damaged(at, &[1]), TableError::Reserved, "byte {at}");
        }
        assert_eq!(damaged(20, &[0]), TableError::Length { expected: file_len(CELLS, false), found: LEN });
        assert_eq!(damaged(32, &[0, 0]), TableError::Base);
        for (error, said) in [
            (TableError::TooShort { len: 63 }, "expected at least the 64 bytes of a table's header, found 63 bytes"),
            (TableError::NotATable, "not a draw table: it does not begin with DRAWTBL"),
            (TableError::Version { found: 2 }, "expected table format version 1, found 2"),
            (TableError::HeaderLength { found: 65 }, "expected a header of 64 bytes, found 65"),
            (TableError::UnknownScheme { id: 9 }, "index scheme number 9 is not known"),
            (TableError::Cells { expected: 2, found: 1 }, "expected 2 cells for the table's index scheme, found 1"),
            (TableError::Length { expected: 2, found: 1 }, "expected 2 bytes, found 1: the file is cut"),
            (TableError::UnknownEstimator { id: 4 }, "estimator number 4 is not known"),
            (TableError::UnknownFlags { found: 5 }, "the flags 0x5 are not known"),
            (TableError::Reserved, "bytes of the header that must be 0 are not"),
            (TableError::Base, "the base draw probability is 0 or 1"),
            (TableError::Checksum { expected: 10, found: 11 }, "expected checksum 0000000a, found 0000000b"),
        ] {
            assert!(std::format!("{error}").starts_with(said), "{error}");
        }
    }

    #[test]
    fn the_checksum_is_the_usual_crc_32() {
        // The check value that catalogues of CRCs give for "123456789".
        assert_eq!(bytes::checksum(b"123456789", usize::MAX), 0xcbf4_3926);
    }
}
