//! Counts with the rule that made them and the inputs they come from, and why bytes are none.

use std::collections::HashSet;
use std::io;

use drawish_core::Scheme;
use thiserror::Error;

use super::Counts;
use crate::pgn::{Anomalies, Repeats};
use crate::sample::{LineError, Rule, Tally};
use drawish_artefact::provenance::{Digest, InputRecord, made_by};

/// The latest version of the format.
pub(super) const VERSION: u32 = 4;

/// Of so many different games a file knows the moves, by their hash.
pub(crate) const SAMPLE: usize = 1024;

/// One input and what became of its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Name without directories.
    pub name: String,
    /// XXH3-128 of the file, packed as it was.
    pub digest: u128,
    /// XXH3-128 of what the file contains, if it was packed; not in files of version 2 and before.
    pub unpacked_digest: Option<u128>,
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
            unpacked_xxh3_128: self.unpacked_digest.map(Digest),
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
    /// A sample of the counted games, which tells how many of them come again, in whichever inputs; `None` where that is not known, as in
    /// files of version 3 and before, whose games are not in the sample of what they are merged with.
    pub games: Option<Repeats>,
    /// Of an unfinished run that leaves out repeated games: the identities of the games counted so far, sorted.
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
    #[error("expected counts format version 1 to {VERSION}, found {found}: collect again with this version of drawish")]
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

impl CountsFile {
    /// Counts of no inputs, made by this build.
    #[must_use]
    pub fn new(rule: Rule, scheme: Scheme) -> CountsFile {
        CountsFile {
            made_by: vec![made_by()],
            rule,
            shards: Vec::new(),
            counts: Counts::new(scheme),
            games: Some(Repeats::default()),
            seen: Vec::new(),
        }
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

    /// Adds counted games to the sample. What files of earlier versions hold is not known, but makes nothing unknown that is.
    pub(crate) fn add_games(&mut self, others: Option<Repeats>) {
        self.games = match (self.games.take(), others) {
            (Some(mut games), Some(others)) => {
                games.merge(others);
                Some(games.sample(SAMPLE))
            }
            (games, others) => games.or(others),
        };
    }

    /// How many counted games have the same moves as another one, about, as far as that is known.
    #[must_use]
    pub fn repeated_games(&self) -> u64 {
        self.games.as_ref().map_or(0, Repeats::games).min(self.tally().counted())
    }

    /// The input with the same content, packed in whatever way, if it is among the shards. Files without any bytes are all
    /// alike and hold no games, so they never count as the same.
    #[must_use]
    pub fn shard_like(&self, other: &Shard) -> Option<&Shard> {
        let is_same = |shard: &Shard| shard.digest == other.digest || shard.content() == other.content();
        self.shards.iter().find(|shard| shard.file_bytes > 0 && other.file_bytes > 0 && is_same(shard))
    }

    /// Adds an input, keeping the order.
    pub fn add_shard(&mut self, shard: Shard) {
        self.shards.push(shard);
        self.sort_shards();
    }

    /// Puts inputs in their order.
    pub(crate) fn sort_shards(&mut self) {
        self.shards.sort_by(|one, other| (one.digest, &one.name).cmp(&(other.digest, &other.name)));
    }
}

impl Shard {
    /// What tells its text from others, packed or not.
    fn content(&self) -> u128 {
        self.unpacked_digest.unwrap_or(self.digest)
    }
}

/// By what copies of inputs are told from others without a look at all inputs: there may be a file for each game.
#[derive(Clone, Default, Debug)]
pub(crate) struct Contents(HashSet<u128>);

impl Contents {
    /// Of the inputs of a file.
    pub fn of(file: &CountsFile) -> Contents {
        let mut contents = Contents::default();
        file.shards.iter().for_each(|shard| contents.add(shard));
        contents
    }

    /// Adds an input. Files without any bytes are never the same.
    pub fn add(&mut self, shard: &Shard) {
        if shard.file_bytes > 0 {
            self.0.extend([shard.digest, shard.content()]);
        }
    }

    /// Whether there may be an [input like](CountsFile::shard_like) this one.
    pub fn may_hold(&self, shard: &Shard) -> bool {
        [shard.digest, shard.content()].iter().any(|digest| self.0.contains(digest))
    }
}
