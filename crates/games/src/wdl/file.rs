//! The `.wdl` file: counts in their blocks, and where they come from.
//!
//! # Format, version 1
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `DRAWWDL` and a zero |
//! | 4 | version, little-endian |
//! | 4 | CRC-32 of all that follows, little-endian |
//! | 4 | length of the header, little-endian |
//! | | header: JSON with `made_by`, `rule`, `shards` and `blocks`, the number of blocks |
//! | | for each block: number of cells; then for each cell its word less the one before, and its count |
//!
//! The numbers of the blocks are LEB128: seven bits to a byte, lowest first, the high bit set where more follow. A word
//! holds, from the lowest bit: evaluation + 1001 (11 bits), material (8), move (8), result for the mover (2: win, draw,
//! loss), class of the time control (3).
//!
//! # Stability
//!
//! A change of any of this is a new version.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Block, Cell, WdlCounts};

/// A counts file in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WdlFile {
    /// Where the counts come from.
    pub provenance: Provenance,
    /// The counts.
    pub counts: WdlCounts,
}

/// Where counts come from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The programs that had a part in it.
    pub made_by: Vec<String>,
    /// What was counted, as options of the command line.
    pub rule: String,
    /// The inputs.
    pub shards: Vec<Shard>,
}

/// An input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Its name without directories.
    pub name: String,
    /// XXH3-128 of the file as 32 hexadecimal digits.
    pub xxh3_128: String,
    /// Length of the file.
    pub bytes: u64,
    /// Games counted.
    pub games: u64,
    /// Positions counted.
    pub positions: u64,
    /// Why reading ended early, if it did.
    pub broken: Option<String>,
}

/// Why bytes are not a `.wdl` file.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum WdlFileError {
    #[error("expected WDL counts, which begin with DRAWWDL; make them by `drawish wdl collect`")]
    Magic,
    #[error("version {found} of the format, this program knows version {known}; use the program that made it")]
    Version { found: u32, known: u32 },
    #[error("the file is damaged: expected checksum {expected:08x}, found {found:08x}; copy or collect it again")]
    Checksum { expected: u32, found: u32 },
    #[error("the file is damaged: {0}; copy or collect it again")]
    Body(String),
    #[error("the input {0} is in both files and would be counted twice; leave one of them out")]
    Overlap(String),
}

impl WdlFile {
    /// The first bytes of a file.
    pub const MAGIC: &'static [u8; 8] = b"DRAWWDL\0";
    const VERSION: u32 = 1;

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header { provenance: self.provenance.clone(), blocks: self.counts.blocks.len() };
        let header = serde_json::to_vec(&header).expect("strings and numbers are JSON");
        let mut body = Vec::with_capacity(header.len() + 64);
        body.extend((header.len() as u32).to_le_bytes());
        body.extend(header);
        for block in &self.counts.blocks {
            put(&mut body, block.len() as u64);
            let mut before = 0;
            for (word, count) in block.iter() {
                put(&mut body, u64::from(word - before));
                put(&mut body, count);
                before = word;
            }
        }
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend(Self::VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a file and checks all of it.
    ///
    /// # Errors
    ///
    /// If it is anything else than what [`to_bytes`](Self::to_bytes) gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<WdlFile, WdlFileError> {
        let body = |text: &str| WdlFileError::Body(text.to_owned());
        let rest = bytes.strip_prefix(Self::MAGIC).ok_or(WdlFileError::Magic)?;
        let mut rest = Reader(rest);
        let short = || body("it is cut short");
        let version = rest.word().ok_or_else(short)?;
        if version != Self::VERSION {
            return Err(WdlFileError::Version { found: version, known: Self::VERSION });
        }
        let expected = rest.word().ok_or_else(short)?;
        let found = crc32fast::hash(rest.0);
        if expected != found {
            return Err(WdlFileError::Checksum { expected, found });
        }
        let length = rest.word().ok_or_else(short)? as usize;
        let (header, numbers) = rest.0.split_at_checked(length).ok_or_else(short)?;
        let header: Header = serde_json::from_slice(header).map_err(|error| WdlFileError::Body(error.to_string()))?;
        let mut rest = Reader(numbers);
        let mut counts = WdlCounts::default();
        for _ in 0..header.blocks {
            let mut block = Block::default();
            let mut word = 0_u32;
            for cell in 0..rest.number().ok_or_else(short)? {
                let (delta, count) = rest.number().zip(rest.number()).ok_or_else(short)?;
                let next = u32::try_from(delta).ok().and_then(|delta| word.checked_add(delta));
                word = next.filter(|word| Cell::unpack(*word).is_some()).ok_or_else(|| body("no such cell"))?;
                if !block.push(word, count) {
                    return Err(WdlFileError::Body(format!("cell {cell} of a block comes twice")));
                }
            }
            counts.blocks.push(block);
        }
        if !rest.0.is_empty() {
            return Err(WdlFileError::Body(format!("{} bytes are left over", rest.0.len())));
        }
        Ok(WdlFile { provenance: header.provenance, counts })
    }

    /// Adds the counts of another file.
    ///
    /// # Errors
    ///
    /// If both hold the same input.
    pub fn add(&mut self, other: WdlFile) -> Result<(), WdlFileError> {
        let mine = &mut self.provenance;
        for shard in other.provenance.shards {
            if mine.shards.iter().any(|known| known.xxh3_128 == shard.xxh3_128) {
                return Err(WdlFileError::Overlap(shard.name));
            }
            mine.shards.push(shard);
        }
        for program in other.provenance.made_by {
            if !mine.made_by.contains(&program) {
                mine.made_by.push(program);
            }
        }
        if mine.rule.is_empty() {
            mine.rule = other.provenance.rule;
        } else if !other.provenance.rule.is_empty() && mine.rule != other.provenance.rule {
            mine.rule = format!("{} and {}", mine.rule, other.provenance.rule);
        }
        self.counts.add(other.counts);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    provenance: Provenance,
    blocks: usize,
}

/// Appends a number as LEB128.
fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(words: Vec<(u32, u64)>) -> WdlFile {
        let mut counts = WdlCounts { blocks: vec![Block::default(); 3] };
        let mut words: Vec<_> = words.into_iter().filter(|(word, _)| Cell::unpack(*word).is_some()).collect();
        words.sort_unstable();
        for (word, count) in words {
            counts.blocks[word as usize % 3].push(word, count);
        }
        let shard = Shard {
            name: "a.pgn".to_owned(),
            xxh3_128: "00".to_owned(),
            bytes: 1,
            games: 2,
            positions: counts.positions(),
            broken: None,
        };
        let provenance = Provenance { made_by: vec!["x".to_owned()], rule: "r".to_owned(), shards: vec![shard] };
        WdlFile { provenance, counts }
    }

    proptest! {
        #[test]
        fn files_come_back(words in proptest::collection::vec((any::<u32>(), 0..1_u64 << 40), 0..200)) {
            let file = file(words);
            prop_assert_eq!(WdlFile::from_bytes(&file.to_bytes()).expect("what was written"), file);
        }
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = file((0..300).map(|at| (1 << 19 | at, u64::from(at) + 1)).collect()).to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(WdlFile::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(WdlFile::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn the_same_input_is_not_added_twice() {
        let mut one = file(vec![(1 << 19, 5)]);
        let error = one.add(one.clone()).expect_err("the same input").to_string();
        assert!(error.contains("a.pgn") && error.contains("counted twice"), "{error}");
    }
}
