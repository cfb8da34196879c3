//! The `.counts` file: counts with everything that is needed to trust, merge and repeat them.
//!
//! # Layout
//!
//! A header of 24 bytes (magic `DRAWCNT\0`, u32 version, u32 CRC-32 of the body, u64 length of the body, all
//! little-endian), then the body as written by bincode 2 with fixed-size little-endian integers. bincode is no
//! longer maintained (RUSTSEC-2025-0141); its format is documented and frozen, this file is the only one that
//! uses it, and what engines read is another format.
//!
//! # Stability
//!
//! A file of version 1 stays readable by every later release; a change to the body is a new version.

mod weight;

use std::io::{self, Read, Write};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use drawish_core::{Scheme, StructureIndex};
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::{Counts, Wdl};
use crate::pgn::Anomalies;
use crate::sample::{Notices, SkipReason, Tally};

const VERSION: u32 = 1;
const HEADER_LEN: usize = 24;

/// No body is longer: a forged length must not make the decoder ask for all memory of the machine.
const BODY_LIMIT: usize = 1 << 30;
const ENCODING: Configuration<LittleEndian, Fixint, Limit<BODY_LIMIT>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<BODY_LIMIT>();

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

/// Counts, the rule that made them, and the inputs they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountsFile {
    /// The versions of this program that had a part in it, sorted.
    pub made_by: Vec<String>,
    /// The rule, as options of the command line.
    pub rule: String,
    /// The inputs, sorted by digest and name.
    pub shards: Vec<Shard>,
    /// The results.
    pub counts: Counts,
    /// Of an unfinished run with `--dedupe`: the fingerprints of the games counted so far, sorted.
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
    #[error("expected counts format version {VERSION}, found {found}: collect again with this version of drawish")]
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
    #[error("index scheme {0:?} is not known to this version of drawish")]
    UnknownScheme(String),
    #[error("the file contradicts itself: {0}")]
    Inconsistent(String),
}

/// Why two files of counts cannot be added.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MergeError {
    #[error("index scheme {theirs} cannot be merged with {ours}: collect both with the same --scheme")]
    Scheme { ours: Scheme, theirs: Scheme },
    #[error("counted by another rule\n  expected: {ours}\n  found:    {theirs}\nCollect both with the same options.")]
    Rule { ours: String, theirs: String },
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

    /// Counts of no inputs.
    #[must_use]
    pub fn new(made_by: String, rule: String, scheme: Scheme) -> CountsFile {
        CountsFile { made_by: vec![made_by], rule, shards: Vec::new(), counts: Counts::new(scheme), seen: Vec::new() }
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
        if self.rule != other.rule {
            return Err(MergeError::Rule { ours: self.rule.clone(), theirs: other.rule });
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

    /// XXH3-128 of what was counted: rule, inputs and results, without the version of the program.
    #[must_use]
    pub fn digest(&self) -> u128 {
        let body = Body { made_by: Vec::new(), seen: Vec::new(), ..Body::of(self) };
        XxHash3_128::oneshot(&encode(&body))
    }

    /// The file as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = encode(&Body::of(self));
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
        if word(8) != VERSION {
            return Err(CountsError::Version { found: word(8) });
        }
        let expected = (u64::from(word(16)) | u64::from(word(20)) << 32).saturating_add(HEADER_LEN as u64);
        if expected != found {
            return Err(CountsError::Length { expected, found });
        }
        let (expected, found) = (word(12), crc32fast::hash(body));
        if expected != found {
            return Err(CountsError::Checksum { expected, found });
        }
        match bincode::decode_from_slice::<Body, _>(body, ENCODING) {
            Ok((decoded, used)) if used == body.len() => decoded.check(),
            Ok((_, used)) => Err(CountsError::Body(format!("{} bytes are left over", body.len() - used))),
            Err(error) => Err(CountsError::Body(error.to_string())),
        }
    }
}

fn encode(body: &Body) -> Vec<u8> {
    bincode::encode_to_vec(body, ENCODING).expect("memory takes any body, and no body reaches the limit")
}

/// What stands behind the header.
#[derive(Encode, Decode)]
struct Body {
    made_by: Vec<String>,
    scheme: String,
    rule: String,
    shards: Vec<ShardRecord>,
    cells: Vec<CellRecord>,
    seen: Vec<u64>,
}

#[derive(Encode, Decode)]
struct ShardRecord {
    name: String,
    digest: u128,
    file_bytes: u64,
    broken: Option<String>,
    counted: u64,
    positions: u64,
    /// By name, so that reasons can be added.
    skipped: Vec<(String, u64)>,
    result_token_differs: u64,
    ply_count_differs: u64,
    blank_line_in_game: u64,
    unreadable_tags: u64,
    stray_text: u64,
    broken_tags: u64,
    rescued_games: u64,
}

/// A cell with results.
#[derive(Encode, Decode)]
struct CellRecord {
    cell: u32,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl Body {
    fn of(file: &CountsFile) -> Body {
        Body {
            made_by: file.made_by.clone(),
            scheme: file.counts.scheme().name().to_owned(),
            rule: file.rule.clone(),
            shards: file.shards.iter().map(ShardRecord::of).collect(),
            cells: file
                .counts
                .non_empty()
                .map(|(cell, wdl)| CellRecord {
                    cell: cell.0,
                    white_wins: wdl.white_wins,
                    draws: wdl.draws,
                    black_wins: wdl.black_wins,
                })
                .collect(),
            seen: file.seen.clone(),
        }
    }

    fn check(self) -> Result<CountsFile, CountsError> {
        if self.weight() > u128::from(u64::MAX) {
            return Err(CountsError::Inconsistent(weight::TOO_MUCH.to_owned()));
        }
        let Some(scheme) = Scheme::from_name(&self.scheme) else {
            return Err(CountsError::UnknownScheme(self.scheme));
        };
        let mut counts = Counts::new(scheme);
        for CellRecord { cell, white_wins, draws, black_wins } in self.cells {
            if cell >= scheme.cells() {
                return Err(CountsError::Inconsistent(format!("{scheme} has no cell {cell}")));
            }
            *counts.get_mut(StructureIndex(cell)) += Wdl { white_wins, draws, black_wins };
        }
        let shards = self.shards.into_iter().map(ShardRecord::check).collect::<Result<_, _>>()?;
        let file = CountsFile { made_by: self.made_by, rule: self.rule, shards, counts, seen: self.seen };
        let (positions, results) = (file.tally().positions, file.counts.total().total());
        if positions != results {
            let told = format!("its inputs gave {positions} positions, its cells hold {results} results");
            return Err(CountsError::Inconsistent(told));
        }
        Ok(file)
    }
}

impl ShardRecord {
    fn of(shard: &Shard) -> ShardRecord {
        let Shard { name, digest, file_bytes, broken, tally, anomalies } = shard.clone();
        let skipped = SkipReason::ALL.map(|reason| (reason.name().to_owned(), tally.skipped(reason)));
        ShardRecord {
            name,
            digest,
            file_bytes,
            broken,
            counted: tally.counted(),
            positions: tally.positions,
            skipped: skipped.into_iter().filter(|(_, games)| *games > 0).collect(),
            result_token_differs: tally.notices.result_token_differs,
            ply_count_differs: tally.notices.ply_count_differs,
            blank_line_in_game: anomalies.blank_line_in_game,
            unreadable_tags: anomalies.unreadable_tags,
            stray_text: anomalies.stray_text,
            broken_tags: anomalies.broken_tags,
            rescued_games: anomalies.rescued_games,
        }
    }

    fn check(self) -> Result<Shard, CountsError> {
        let mut tally = Tally::default();
        tally.count_many(self.counted);
        tally.positions = self.positions;
        tally.notices =
            Notices { result_token_differs: self.result_token_differs, ply_count_differs: self.ply_count_differs };
        for (name, games) in self.skipped {
            let reason = SkipReason::from_name(&name)
                .ok_or_else(|| CountsError::Inconsistent(format!("no reason to skip a game is called {name:?}")))?;
            tally.skip_many(reason, games);
        }
        Ok(Shard {
            name: self.name,
            digest: self.digest,
            file_bytes: self.file_bytes,
            broken: self.broken,
            tally,
            anomalies: Anomalies {
                blank_line_in_game: self.blank_line_in_game,
                unreadable_tags: self.unreadable_tags,
                stray_text: self.stray_text,
                broken_tags: self.broken_tags,
                rescued_games: self.rescued_games,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, draws: u64, white_wins: u64) -> CountsFile {
        let mut file = CountsFile::new("test".to_owned(), "rule".to_owned(), Scheme::Bg);
        let mut tally = Tally::default();
        tally.count_many(1);
        tally.positions = draws.wrapping_add(white_wins);
        let shard = Shard {
            name: name.to_owned(),
            digest: u128::from(draws),
            file_bytes: 9,
            broken: None,
            tally,
            anomalies: Anomalies::default(),
        };
        file.add_shard(shard);
        *file.counts.get_mut(StructureIndex(1)) = Wdl { white_wins: 0, draws, black_wins: 0 };
        *file.counts.get_mut(StructureIndex(2)) = Wdl { white_wins, draws: 0, black_wins: 0 };
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
