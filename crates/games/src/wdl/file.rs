//! The `.wdl` file: counts in their blocks, and where they come from.
//!
//! # Format, version 2
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `DRAWWDL` and a zero |
//! | 4 | version, little-endian |
//! | 4 | CRC-32 of all that follows, little-endian |
//! | 4 | length of the header, little-endian |
//! | | header: JSON with `made_by`, `rules`, `inputs` and `blocks`, the number of blocks |
//! | | for each block: number of cells; then for each cell its word less the one before, and its count |
//!
//! The numbers of the blocks are LEB128: seven bits to a byte, lowest first, the high bit set where more follow. A word
//! holds, from the lowest bit: evaluation + 1001 (11 bits), material (8), move (8), result for the mover (2: win, draw,
//! loss), class of the time control (3).
//!
//! # Stability
//!
//! A change of any of this is a new version. Version 1 is still read: its header has `rule`, a text, and `shards`, whose `games` are
//! the games counted.

pub(super) mod blocks;

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::blocks::{least_games, none_alike};
use super::cell::LAST_MOVE;
use super::merge::{WdlMergeError, add_views, same_rule};
use super::rule::RuleRecord;
use super::{BLOCKS, Block, Cell, WdlCounts};
use drawish_artefact::provenance::{Digest, InputRecord, first_beyond_counting};

/// A counts file in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WdlFile {
    /// Where the counts come from.
    pub provenance: Provenance,
    /// The counts.
    pub counts: WdlCounts,
}

/// Where counts come from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The programs that had a part in it.
    pub made_by: Vec<String>,
    /// What was counted, of each different rule among the files that were added.
    pub rules: Vec<RecordedRule>,
    /// The inputs.
    pub inputs: Vec<InputRecord>,
}

impl Provenance {
    /// All rules as a line of text; empty if none is known.
    #[must_use]
    pub fn rule_line(&self) -> String {
        self.rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
    }
}

/// A rule as a file of counts has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedRule {
    /// As data.
    Known(Box<RuleRecord>),
    /// As the line that a file of version 1 holds.
    Line(String),
}

impl fmt::Display for RecordedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedRule::Known(rule) => rule.fmt(f),
            RecordedRule::Line(line) => line.fmt(f),
        }
    }
}

/// Why bytes are not a `.wdl` file.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum WdlFileError {
    #[error("expected WDL counts, which begin with DRAWWDL")]
    Magic,
    #[error("version {found} of the format, this program reads versions 1 to {known}; use the program that made it")]
    Version { found: u32, known: u32 },
    #[error("the file is damaged: expected checksum {expected:08x}, found {found:08x}; copy or collect it again")]
    Checksum { expected: u32, found: u32 },
    #[error("the file is damaged: {0}; copy or collect it again")]
    Body(String),
    #[error("the file contradicts itself: {0}; collect it again")]
    Contradiction(String),
    #[error("{0}; collect both with the same options")]
    Rule(WdlMergeError),
    #[error("the input {0} is in both files and would be counted twice; leave one of them out")]
    Overlap(String),
    #[error(
        "it holds the counts of a file before it, in another form or of inputs that are written otherwise, which would be counted twice; leave one of them out"
    )]
    SameCounts,
    #[error("it holds more than 2^64 - 1 positions, which nothing can have counted")]
    TooMany,
    #[error(
        "with the input {0} it claims more than 2^64 - 1 games or positions, which nothing can have counted: it is forged"
    )]
    TooManyGames(String),
}

impl WdlFile {
    /// The first bytes of a file.
    pub const MAGIC: &'static [u8; 8] = b"DRAWWDL\0";
    const VERSION: u32 = 2;

    /// The bytes of the file. Inputs stand in the order of their digests, so that one run and merged parts give the same bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut provenance = self.provenance.clone();
        provenance.inputs.sort_by(|one, other| (one.xxh3_128.0, &one.name).cmp(&(other.xxh3_128.0, &other.name)));
        let header = Header { provenance, blocks: self.counts.blocks.len() };
        let header = serde_json::to_vec(&header).expect("strings and numbers are JSON");
        let mut body = Vec::with_capacity(header.len() + 64);
        let length = u32::try_from(header.len()).expect("four billion bytes are room for every list of inputs");
        body.extend(length.to_le_bytes());
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
        if !(1..=Self::VERSION).contains(&version) {
            return Err(WdlFileError::Version { found: version, known: Self::VERSION });
        }
        let expected = rest.word().ok_or_else(short)?;
        let found = crc32fast::hash(rest.0);
        if expected != found {
            return Err(WdlFileError::Checksum { expected, found });
        }
        let length = usize::try_from(rest.word().ok_or_else(short)?).map_err(|_| short())?;
        let (header, numbers) = rest.0.split_at_checked(length).ok_or_else(short)?;
        let damaged = |error: serde_json::Error| WdlFileError::Body(error.to_string());
        let header: Header = match version {
            1 => serde_json::from_slice::<HeaderOf1>(header).map_err(damaged)?.into(),
            _ => serde_json::from_slice(header).map_err(damaged)?,
        };
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
        if counts.checked_positions().is_none() {
            return Err(WdlFileError::TooMany);
        }
        if let Some(input) = first_beyond_counting(&header.provenance.inputs) {
            return Err(WdlFileError::TooManyGames(input.name.clone()));
        }
        if !rest.0.is_empty() {
            return Err(WdlFileError::Body(format!("{} bytes are left over", rest.0.len())));
        }
        let file = WdlFile { provenance: header.provenance, counts };
        file.check().map_err(WdlFileError::Contradiction)?;
        Ok(file)
    }

    /// Makes sure that inputs and blocks say the same: a block that nobody played makes errors of fits too small.
    fn check(&self) -> Result<(), String> {
        let blocks = &self.counts.blocks;
        if blocks.len() > BLOCKS {
            return Err(format!("{} blocks of games, expected {BLOCKS} at most", blocks.len()));
        }
        let is_empty = |block: &Block| block.iter().any(|(_, count)| count == 0);
        if let Some(place) = blocks.iter().position(is_empty) {
            return Err(format!("a cell of block {} has no positions", place + 1));
        }
        none_alike(blocks)?;
        let inputs = &self.provenance.inputs;
        for InputRecord { name, games, counted, positions, .. } in inputs {
            if counted > games {
                return Err(format!("{name:?} has {counted} counted games of {games}"));
            }
            // The JSON of other programs names no games.
            if let Some(positions) = positions.filter(|_| *games > 0)
                && positions > counted.saturating_mul(LONGEST_GAME)
            {
                return Err(format!("{name:?} gave {positions} positions of {counted} counted games"));
            }
        }
        // Where each input names its games.
        let counted = inputs.iter().map(|input| (input.games > 0).then_some(input.counted)).sum::<Option<u64>>();
        let needed = blocks.iter().map(least_games).sum::<u64>();
        if let Some(counted) = counted.filter(|&counted| !inputs.is_empty() && counted < needed) {
            return Err(format!(
                "its inputs gave {counted} counted games, its blocks hold positions of {needed} at least"
            ));
        }
        let given = inputs.iter().map(|input| input.positions).sum::<Option<u64>>();
        let found = self.counts.positions();
        if let Some(given) = given.filter(|&given| !inputs.is_empty() && given != found) {
            return Err(format!("its inputs gave {given} positions, its blocks contain {found}"));
        }
        Ok(())
    }

    /// Adds the counts of another file. Counts whose rule is not known, as in the original's JSON, go with any.
    ///
    /// # Errors
    ///
    /// If they were counted by different rules, if both hold the same input, or more positions than 64 bits can count.
    pub fn add(&mut self, other: WdlFile) -> Result<(), WdlFileError> {
        if self.counts.positions().checked_add(other.counts.positions()).is_none() {
            return Err(WdlFileError::TooMany);
        }
        let mine = &mut self.provenance;
        if !mine.rules.is_empty() && !other.provenance.rules.is_empty() {
            same_rule(&mine.rules, &other.provenance.rules).map_err(WdlFileError::Rule)?;
        }
        for input in &other.provenance.inputs {
            if mine.inputs.iter().any(|known| known.shares_games_with(input)) {
                return Err(WdlFileError::Overlap(input.name.clone()));
            }
        }
        if let Some(input) = first_beyond_counting(mine.inputs.iter().chain(&other.provenance.inputs)) {
            return Err(WdlFileError::TooManyGames(input.name.clone()));
        }
        add_views(&mut mine.rules, &other.provenance.rules);
        mine.inputs.extend(other.provenance.inputs);
        for program in other.provenance.made_by {
            if !mine.made_by.contains(&program) {
                mine.made_by.push(program);
            }
        }
        // They are the same; files of version 1 have only their text.
        let has_data = |rules: &[RecordedRule]| rules.iter().any(|rule| matches!(rule, RecordedRule::Known(_)));
        if !has_data(&mine.rules) && !other.provenance.rules.is_empty() {
            mine.rules = other.provenance.rules;
        }
        self.counts.add(other.counts);
        Ok(())
    }
}

/// Positions of a game that can be counted: one for each side and move.
const LONGEST_GAME: u64 = 2 * LAST_MOVE as u64;

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    provenance: Provenance,
    blocks: usize,
}

/// The header of version 1.
#[derive(Deserialize)]
struct HeaderOf1 {
    made_by: Vec<String>,
    rule: String,
    shards: Vec<ShardOf1>,
    blocks: usize,
}

#[derive(Deserialize)]
struct ShardOf1 {
    name: String,
    xxh3_128: Digest,
    bytes: u64,
    games: u64,
    positions: u64,
    broken: Option<String>,
}

impl From<HeaderOf1> for Header {
    fn from(old: HeaderOf1) -> Header {
        let input = |shard: ShardOf1| InputRecord {
            name: shard.name,
            xxh3_128: shard.xxh3_128,
            unpacked_xxh3_128: None,
            bytes: Some(shard.bytes),
            games: shard.games,
            counted: shard.games,
            positions: Some(shard.positions),
            broken: shard.broken,
        };
        let rules = Some(old.rule).filter(|rule| !rule.is_empty()).map(RecordedRule::Line).into_iter().collect();
        let inputs = old.shards.into_iter().map(input).collect();
        Header { provenance: Provenance { made_by: old.made_by, rules, inputs }, blocks: old.blocks }
    }
}

/// Appends a number as LEB128.
fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
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
    use crate::wdl::{FileFilter, Rule};
    use proptest::prelude::*;

    fn file(words: Vec<(u32, u64)>) -> WdlFile {
        let mut counts = WdlCounts { blocks: vec![Block::default(); 3] };
        let mut words: Vec<_> = words.into_iter().filter(|(word, _)| Cell::unpack(*word).is_some()).collect();
        words.sort_unstable();
        for (word, count) in words {
            counts.blocks[word as usize % 3].push(word, count);
        }
        let needed = counts.blocks.iter().map(least_games).fold(2_u64, u64::saturating_add);
        let games = needed.saturating_add(1);
        let input = InputRecord { name: "a.pgn".to_owned(), games, counted: needed, ..InputRecord::default() };
        let rules = vec![RecordedRule::Known(Box::new(RuleRecord::of(&Rule::default(), &FileFilter::default())))];
        let provenance = Provenance { made_by: vec!["x".to_owned()], rules, inputs: vec![input] };
        WdlFile { provenance, counts }
    }

    proptest! {
        #[test]
        fn files_come_back(words in proptest::collection::vec((any::<u32>(), 1..1_u64 << 40), 0..200)) {
            let file = file(words);
            prop_assert_eq!(WdlFile::from_bytes(&file.to_bytes()).expect("what was written"), file);
        }
    }

    #[test]
    fn sums_beyond_64_bits_are_refused() {
        let forged = file(vec![(1 << 19, u64::MAX), (1 << 19 | 1, 6)]);
        let error = WdlFile::from_bytes(&forged.to_bytes()).expect_err("too many").to_string();
        assert!(error.contains("more than 2^64 - 1 positions"), "{error}");
        let mut most = WdlFile { provenance: Provenance::default(), ..file(vec![(1 << 19, u64::MAX)]) };
        assert_eq!(WdlFile::from_bytes(&most.to_bytes()).expect("it fits"), most);
        assert!(matches!(most.add(file(vec![(1 << 19, 1)])), Err(WdlFileError::TooMany)));
        most.add(WdlFile::default()).expect("nothing is added");
    }

    /// What a file says of its games in two places must agree: errors are had by leaving out blocks of them.
    #[test]
    fn files_that_contradict_themselves_are_refused() {
        let counted = || {
            let mut file = file(vec![(1 << 19, 5), (1 << 19 | 1, 7)]);
            file.provenance.inputs[0].positions = Some(12);
            file
        };
        let refused = |change: fn(&mut WdlFile)| {
            let mut file = counted();
            change(&mut file);
            let found = WdlFile::from_bytes(&file.to_bytes());
            found.expect_err("a contradiction").to_string()
        };
        assert_eq!(WdlFile::from_bytes(&counted().to_bytes()).expect("what was written"), counted());
        for (said, change) in [
            (
                "its inputs gave 11 positions, its blocks contain 12",
                (|file| {
                    file.provenance.inputs[0].positions = Some(11);
                }) as fn(&mut WdlFile),
            ),
            ("\"a.pgn\" has 16 counted games of 15", |file| file.provenance.inputs[0].counted = 16),
            ("\"a.pgn\" gave 12 positions of 0 counted games", |file| file.provenance.inputs[0].counted = 0),
            // Seven of one block won at the same move, and five of another, are twelve games.
            ("its inputs gave 11 counted games, its blocks hold positions of 12 at least", |file| {
                file.provenance.inputs[0].counted = 11;
            }),
            ("a cell of block 1 has no positions", |file| {
                file.counts.blocks[0].push(1 << 19 | 9, 0);
            }),
            ("33 blocks of games", |file| file.counts.blocks.resize(33, Block::default())),
        ] {
            let refused = refused(change);
            assert!(refused.contains(said), "{refused}");
        }
        // The same games cannot lie in two blocks: leaving out either would change next to nothing.
        let copied = |count: u64| {
            let mut file = file((1..=100).map(|cell| (1 << 19 | cell, count)).collect());
            file.counts.blocks = vec![file.counts.total(); 3];
            let input = &mut file.provenance.inputs[0];
            (input.games, input.counted, input.positions) = (3000, 3000, Some(3 * 100 * count));
            WdlFile::from_bytes(&file.to_bytes()).map_err(|error| error.to_string())
        };
        assert!(copied(8).is_ok(), "two games can be alike");
        let refused = copied(9).expect_err("a contradiction");
        assert!(refused.contains("blocks 1 and 2 hold the same 900 positions"), "{refused}");
        // Nor can those of one block some times over, but for blocks of few cells.
        let multiplied = |cells: u32, factors: [u64; 2]| {
            let block = |factor: u64| {
                let mut block = Block::default();
                (0..cells).for_each(|cell| assert!(block.push(1 << 19 | cell, factor * u64::from(10 + cell % 2))));
                block
            };
            let blocks = factors.map(block).to_vec();
            let file = WdlFile { counts: WdlCounts { blocks }, provenance: Provenance::default() };
            WdlFile::from_bytes(&file.to_bytes()).map_err(|error| error.to_string())
        };
        let refused = multiplied(100, [2, 3]).expect_err("a contradiction");
        let said = "blocks 1 and 2 hold the same positions, each so many times that they are 2100 and 3150";
        assert!(refused.contains(said), "{refused}");
        assert!(multiplied(9, [200, 300]).is_ok() && multiplied(50, [1, 2]).is_ok());
        // JSON of other programs names no games, and what was counted before positions were is not known.
        let mut foreign = counted();
        foreign.provenance.inputs[0] = InputRecord { positions: Some(12), ..InputRecord::default() };
        WdlFile::from_bytes(&foreign.to_bytes()).expect("no games are named");
        foreign.provenance.inputs[0].positions = None;
        WdlFile::from_bytes(&foreign.to_bytes()).expect("positions are not known");
        let mut most = counted();
        most.counts = WdlCounts { blocks: vec![Block::default(); BLOCKS] };
        // At each move two positions of either game, drawn.
        (1..=LAST_MOVE).for_each(|number| assert!(most.counts.blocks[3].push(1 << 27 | number << 19, 4)));
        let input = &mut most.provenance.inputs[0];
        (input.counted, input.positions) = (2, Some(800));
        WdlFile::from_bytes(&most.to_bytes()).expect("two games of 200 moves");
    }

    #[test]
    fn games_beyond_64_bits_are_refused() {
        let with = |games: &[u64]| {
            let mut file = file(vec![(1 << 19, 5)]);
            let input = |(number, &games)| InputRecord {
                name: format!("{number}.pgn"),
                xxh3_128: Digest(number as u128),
                games,
                counted: games,
                ..InputRecord::default()
            };
            file.provenance.inputs = games.iter().enumerate().map(input).collect();
            file
        };
        let forged = with(&[u64::MAX, 0, 3]);
        let error = WdlFile::from_bytes(&forged.to_bytes()).expect_err("too many").to_string();
        assert!(error.contains("with the input 2.pgn it claims more than 2^64 - 1 games"), "{error}");
        let mut most = WdlFile::from_bytes(&with(&[u64::MAX]).to_bytes()).expect("it fits");
        let mut other = with(&[0, 1]);
        other.provenance.inputs.remove(0);
        let before = most.clone();
        assert!(matches!(most.add(other.clone()), Err(WdlFileError::TooManyGames(name)) if name == "1.pgn"));
        assert!(matches!(most.merge(other), Err(super::super::WdlMergeError::TooMany)));
        assert_eq!(most, before, "nothing was added");
    }

    #[test]
    fn inputs_without_games_are_all_alike_and_share_nothing() {
        for digest in [Digest(0), Digest(7)] {
            let nothing = InputRecord { name: "empty.pgn".to_owned(), xxh3_128: digest, ..InputRecord::default() };
            let with = |games| {
                let provenance =
                    Provenance { inputs: vec![InputRecord { games, ..nothing.clone() }], ..Provenance::default() };
                WdlFile { provenance, ..file(vec![(1 << 19, 5)]) }
            };
            with(0).add(with(0)).expect("nothing is counted twice");
            with(1).add(with(0)).expect("nothing is counted twice");
            assert!(matches!(with(1).add(with(1)), Err(WdlFileError::Overlap(_))));
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
    fn a_file_of_version_1_is_read() {
        let header = r#"{"made_by":["x"],"rule":"--bin-width 5","shards":[{"name":"a.pgn","xxh3_128":"000000000000000000000000000000ff","bytes":9,"games":2,"positions":0,"broken":null}],"blocks":1}"#;
        let mut body = (header.len() as u32).to_le_bytes().to_vec();
        body.extend(header.as_bytes());
        body.push(0);
        let mut bytes = WdlFile::MAGIC.to_vec();
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        let provenance = WdlFile::from_bytes(&bytes).expect("a file").provenance;
        assert_eq!(provenance.rule_line(), "--bin-width 5");
        assert_eq!((provenance.inputs[0].counted, provenance.inputs[0].xxh3_128), (2, Digest(255)));
    }

    #[test]
    fn the_same_input_is_not_added_twice() {
        let mut one = file(vec![(1 << 19, 5)]);
        let error = one.add(one.clone()).expect_err("the same input").to_string();
        assert!(error.contains("a.pgn") && error.contains("counted twice"), "{error}");
    }
}
