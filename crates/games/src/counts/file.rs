//! The `.counts` file: counts with everything that is needed to trust, merge and repeat them.
//!
//! # Layout
//!
//! A header of 24 bytes (magic `DRAWCNT\0`, u32 version, u32 CRC-32 of the body, u64 length of the body, all
//! little-endian), then the body as written by bincode 2 with fixed-size little-endian integers. bincode is no
//! longer maintained (RUSTSEC-2025-0141); its format is documented and frozen, this room is the only one that
//! uses it, and what engines read is another format.
//!
//! The body holds the rule as JSON since version 2, and as its line (see [`Rule`](crate::sample::Rule)) in version 1. Behind it, version 3 has
//! for each input, in their order, XXH3-128 of what it contains, if it is compressed. It is written only where one is.
//!
//! # Stability
//!
//! Files of versions 1 to 3 stay readable by every later release; a change to the body is a new version. The
//! [digest](CountsFile::digest) is made of the body of version 1, whatever the version of the file.

use std::io::{self, Read, Write};

use drawish_core::Scheme;
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::body::{self, Body};
use super::counted::{CountsError, CountsFile, VERSION};
use crate::sample::Sampling;
use drawish_artefact::identity::Difference;

const HEADER_LEN: usize = 24;

/// Why two files of counts cannot be added.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MergeError {
    #[error("index scheme {theirs} cannot be merged with {ours}")]
    Scheme { ours: Scheme, theirs: Scheme },
    #[error("counted by another rule: {0}")]
    Rule(Difference),
    #[error("{name} (XXH3-128 {digest:032x}) is already in it{}: its games would be counted twice",
        if *.name == *.as_name { String::new() } else { format!(" as {as_name}") })]
    SameShard { name: String, as_name: String, digest: u128 },
    #[error(
        "together they contain more than 2^64 - 1 results or games, which nothing can have counted: one of the files is forged"
    )]
    TooMany,
}

impl CountsFile {
    /// Whether positions may depend on each other: several of a game were counted, or positions without games, of which nobody knows
    /// which belong together. Intervals, which take them for independent, are then too narrow.
    #[must_use]
    pub fn is_dependent(&self) -> bool {
        let tally = self.tally();
        tally.positions > tally.counted() || self.rule.sampling == Sampling::Positions
    }

    /// The first eight bytes of every file.
    pub const MAGIC: [u8; 8] = *b"DRAWCNT\0";

    /// Adds other counts.
    ///
    /// # Errors
    ///
    /// If scheme or rule differ, an input is in both, or the sums do not fit 64 bits. Then nothing was added.
    pub fn merge(&mut self, other: CountsFile) -> Result<(), MergeError> {
        let (ours, theirs) = (self.counts.scheme(), other.counts.scheme());
        if ours != theirs {
            return Err(MergeError::Scheme { ours, theirs });
        }
        if let Some(difference) = Difference::between(&self.rule, &other.rule) {
            return Err(MergeError::Rule(difference));
        }
        for shard in &other.shards {
            if let Some(same) = self.shard_like(shard) {
                let (name, as_name) = (shard.name.clone(), same.name.clone());
                return Err(MergeError::SameShard { name, as_name, digest: shard.digest });
            }
        }
        let weight = |file: &CountsFile| Body::of(file).weight();
        if weight(self) + weight(&other) > u128::from(u64::MAX) {
            return Err(MergeError::TooMany);
        }
        self.counts.merge(&other.counts);
        other.shards.into_iter().for_each(|shard| self.add_shard(shard));
        self.made_by.extend(other.made_by);
        self.made_by.sort();
        self.made_by.dedup();
        Ok(())
    }

    /// XXH3-128 of what was counted: rule, inputs and results, without the version of the program and of the format.
    #[must_use]
    pub fn digest(&self) -> u128 {
        XxHash3_128::oneshot(&Body::of_digest(self).encode())
    }

    /// The file as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (version, body) = body::encode(self);
        let mut bytes = Vec::with_capacity(HEADER_LEN + body.len());
        bytes.extend(Self::MAGIC);
        bytes.extend(version.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        writer.write_all(&self.to_bytes())
    }

    /// Reads a file and checks it as a whole.
    ///
    /// # Errors
    ///
    /// See [`CountsError`].
    pub fn read(reader: &mut impl Read) -> Result<CountsFile, CountsError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        CountsFile::from_bytes(&bytes)
    }

    /// Reads a file from its bytes and checks it as a whole.
    ///
    /// # Errors
    ///
    /// See [`CountsError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<CountsFile, CountsError> {
        let found = bytes.len() as u64;
        if !bytes.starts_with(&Self::MAGIC) {
            return Err(if !bytes.is_empty() && Self::MAGIC.starts_with(bytes) {
                CountsError::Length { expected: HEADER_LEN as u64, found }
            } else {
                CountsError::NotCounts
            });
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER_LEN) else {
            return Err(CountsError::Length { expected: HEADER_LEN as u64, found });
        };
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let version = word(8);
        if !(1..=VERSION).contains(&version) {
            return Err(CountsError::Version { found: version });
        }
        let expected = (u64::from(word(16)) | u64::from(word(20)) << 32).saturating_add(HEADER_LEN as u64);
        if expected != found {
            return Err(CountsError::Length { expected, found });
        }
        let (expected, found) = (word(12), crc32fast::hash(body));
        if expected != found {
            return Err(CountsError::Checksum { expected, found });
        }
        body::decode(body, version)
    }
}

#[cfg(test)]
mod tests {
    use drawish_core::StructureIndex;

    use super::*;
    use crate::counts::Shard;
    use crate::pgn::Anomalies;
    use crate::sample::{Rule, Tally};

    fn file(name: &str, draws: u64, wins: u64) -> CountsFile {
        let mut file = CountsFile::new(Rule::default(), Scheme::Bg);
        let mut tally = Tally::default();
        tally.count_many(1);
        tally.positions = draws.wrapping_add(wins);
        let shard = Shard {
            name: name.to_owned(),
            digest: u128::from(draws),
            unpacked_digest: None,
            file_bytes: 9,
            broken: None,
            tally,
            anomalies: Anomalies::default(),
        };
        file.add_shard(shard);
        file.counts.get_mut(StructureIndex(1)).draws = draws;
        file.counts.get_mut(StructureIndex(2)).wins = wins;
        file
    }

    #[test]
    fn sums_beyond_64_bits_are_refused() {
        // The sums of this one agree, modulo 2^64.
        let wrapped = file("a", u64::MAX, 6);
        assert!(wrapped.tally().positions == 5);
        let error = CountsFile::from_bytes(&wrapped.to_bytes()).unwrap_err().to_string();
        assert!(error.contains("contradicts itself: it holds more than 2^64 - 1 results"), "{error}");
        let most = u64::MAX / 2 - 20;
        let mut honest = CountsFile::from_bytes(&file("b", most, 0).to_bytes()).expect("a large file");
        let before = honest.clone();
        assert_eq!(honest.merge(file("c", most - 1, 9)), Err(MergeError::TooMany));
        assert_eq!(honest, before);
        honest.merge(file("d", 3, 4)).expect("small sums");
        assert_eq!(honest.counts.get(StructureIndex(1)).draws, most + 3);
    }
}
