//! The `.counts` file: counts with everything that is needed to trust, merge and repeat them.
//!
//! # Layout
//!
//! A header of 24 bytes (magic `DRAWCNT\0`, u32 version, u32 CRC-32 of the body, u64 length of the body, all
//! little-endian), then the body as written by bincode 2 with fixed-size little-endian integers. bincode is no
//! longer maintained (RUSTSEC-2025-0141); its format is documented and frozen, this room is the only one that
//! uses it, and what engines read is another format.
//!
//! The body holds the rule as JSON in version 2, and as its line (see [`Rule`]) in version 1. All else is the same in both.
//!
//! # Stability
//!
//! Files of versions 1 and 2 stay readable by every later release; a change to the body is a new version. The
//! [digest](CountsFile::digest) is made of the body of version 1, whatever the version of the file.

use std::io::{self, Read, Write};

use drawish_core::Scheme;
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::Counts;
use super::body::Body;
use crate::pgn::Anomalies;
use crate::sample::{LineError, Rule, Tally};
use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::{Digest, InputRecord, made_by};

const VERSION: u32 = 2;
const HEADER_LEN: usize = 24;

/// One input and what became of its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Name without directories.
    pub name: String,
    /// XXH3-128 of the file, packed as it was.
    pub digest: u128,
    /// Length of the file, packed as it was.
    pub file_bytes: u64,
    /// Why reading ended before the end of the file, if it did.
    pub broken: Option<String>,
    /// Every game of the file, counted or left out.
    pub tally: Tally,
    /// What was odd in its text.
    pub anomalies: Anomalies,
}

impl Shard {
    /// What a file made of these counts records of the input.
    #[must_use]
    pub fn record(&self) -> InputRecord {
        InputRecord {
            name: self.name.clone(),
            xxh3_128: Digest(self.digest),
            bytes: Some(self.file_bytes),
            games: self.tally.games(),
            counted: self.tally.counted(),
            positions: Some(self.tally.positions),
            broken: self.broken.clone(),
        }
    }
}

/// Counts, the rule that made them, and the inputs they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountsFile {
    /// The versions of this program that had a part in it, sorted.
    pub made_by: Vec<String>,
    /// The rule: counts are only added to those of the same one.
    pub rule: Rule,
    /// The inputs, sorted by digest and name.
    pub shards: Vec<Shard>,
    /// The results.
    pub counts: Counts,
    /// Of an unfinished run that leaves out repeated games: the fingerprints of the games counted so far, sorted.
    pub seen: Vec<u64>,
}

/// Why bytes are not counts that this version can read.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum CountsError {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("not a counts file: it does not begin with DRAWCNT")]
    NotCounts,
    #[error("expected counts format version 1 or {VERSION}, found {found}: collect again with this version of drawish")]
    Version { found: u32 },
    #[error(
        "expected {expected} bytes, found {found}: the file is cut or has something appended; collect or copy it again"
    )]
    Length { expected: u64, found: u64 },
    #[error(
        "expected checksum {expected:08x}, found {found:08x}: the file was changed after it was written; collect or copy it again"
    )]
    Checksum { expected: u32, found: u32 },
    #[error("the body cannot be decoded: {0}")]
    Body(String),
    #[error("the rule cannot be read: {0}")]
    Rule(#[from] LineError),
    #[error("index scheme {0:?} is not known to this version of drawish")]
    UnknownScheme(String),
    #[error("the file contradicts itself: {0}")]
    Inconsistent(String),
}

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
        "together they hold more than 2^64 - 1 results or games, which nothing can have counted: one of the files is forged"
    )]
    TooMany,
}

impl CountsFile {
    /// The first eight bytes of every file.
    pub const MAGIC: [u8; 8] = *b"DRAWCNT\0";

    /// Counts of no inputs, made by this build.
    #[must_use]
    pub fn new(rule: Rule, scheme: Scheme) -> CountsFile {
        CountsFile { made_by: vec![made_by()], rule, shards: Vec::new(), counts: Counts::new(scheme), seen: Vec::new() }
    }

    /// The tallies of all inputs together.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.shards.iter().fold(Tally::default(), |mut sum, shard| {
            sum += shard.tally;
            sum
        })
    }

    /// The anomalies of all inputs together.
    #[must_use]
    pub fn anomalies(&self) -> Anomalies {
        self.shards.iter().fold(Anomalies::default(), |mut sum, shard| {
            sum += shard.anomalies;
            sum
        })
    }

    /// The input with these very bytes, if it is among the shards. Files without any bytes are all alike and
    /// hold no games, so they never count as the same.
    #[must_use]
    pub fn shard_with_digest(&self, digest: u128, file_bytes: u64) -> Option<&Shard> {
        self.shards.iter().find(|shard| file_bytes > 0 && shard.digest == digest && shard.file_bytes == file_bytes)
    }

    /// Adds an input, keeping the order.
    pub fn add_shard(&mut self, shard: Shard) {
        let key = |shard: &Shard| (shard.digest, shard.name.clone());
        let place = self.shards.partition_point(|other| key(other) < key(&shard));
        self.shards.insert(place, shard);
    }

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
            if let Some(same) = self.shard_with_digest(shard.digest, shard.file_bytes) {
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
        let body = Body::of(self).encode();
        let mut bytes = Vec::with_capacity(HEADER_LEN + body.len());
        bytes.extend(Self::MAGIC);
        bytes.extend(VERSION.to_le_bytes());
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
        Body::decode(body)?.check(version)
    }
}

#[cfg(test)]
mod tests {
    use drawish_core::StructureIndex;

    use super::*;
    use crate::pgn::Anomalies;

    fn file(name: &str, draws: u64, wins: u64) -> CountsFile {
        let mut file = CountsFile::new(Rule::default(), Scheme::Bg);
        let mut tally = Tally::default();
        tally.count_many(1);
        tally.positions = draws.wrapping_add(wins);
        let shard = Shard {
            name: name.to_owned(),
            digest: u128::from(draws),
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
