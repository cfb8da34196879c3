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
//! for each input, in their order, XXH3-128 of what it contains, if it is compressed, and version 4 behind that the sample of games: a level, and of
//! up to 1,024 games the hash of their moves, with as many lowest bits 0 as the level says, and how often each came.
//!
//! # Stability
//!
//! Files of versions 1 to 4 stay readable by every later release; a change to the body is a new version. The
//! [digest](CountsFile::digest) is made of the body of version 1, whatever the version of the file.

use std::collections::HashSet;
use std::io::{self, Read, Write};

use drawish_core::Scheme;
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::body::{self, Body};
use super::counted::{Contents, CountsError, CountsFile, VERSION};
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
    /// Whether positions may depend on each other: several of a game were counted, one game in twenty or more comes again, or positions
    /// without games, of which nobody knows which belong together. Intervals, which take them for independent, are then too narrow.
    #[must_use]
    pub fn is_dependent(&self) -> bool {
        let tally = self.tally();
        tally.positions > tally.counted() || self.rule.sampling == Sampling::Positions || self.has_copies()
    }

    /// Whether so many of its games come again that intervals are too narrow for it: one in twenty.
    #[must_use]
    pub fn has_copies(&self) -> bool {
        let counted = self.tally().counted();
        counted > 0 && u128::from(self.repeated_games()) * 20 >= u128::from(counted)
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
        let (rule, other_rule) = (self.rule.canonical(), other.rule.canonical());
        if let Some(difference) = Difference::between(&rule, &other_rule) {
            return Err(MergeError::Rule(difference));
        }
        let contents = Contents::of(self);
        for shard in other.shards.iter().filter(|shard| contents.may_hold(shard)) {
            if let Some(same) = self.shard_like(shard) {
                let (name, as_name) = (shard.name.clone(), same.name.clone());
                return Err(MergeError::SameShard { name, as_name, digest: shard.digest });
            }
        }
        let weight = |file: &CountsFile| Body::of(file).weight();
        if weight(self) + weight(&other) > u128::from(u64::MAX) {
            return Err(MergeError::TooMany);
        }
        // Equal rules in two spellings: the order of merging must not choose one.
        if self.rule != other.rule {
            self.rule = rule;
        }
        self.counts.merge(&other.counts);
        self.add_games(other.games);
        self.shards.extend(other.shards);
        self.sort_shards();
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
        let file = body::decode(body, version)?;
        file.check_inputs()?;
        Ok(file)
    }

    /// Makes sure that each counted game of an input gives as many positions as the rule takes, and that no input is there twice, which
    /// [`merge`](Self::merge) refuses.
    fn check_inputs(&self) -> Result<(), CountsError> {
        let takes_one = matches!(self.rule.sampling, Sampling::At { .. } | Sampling::OneRandomPly { .. });
        let (mut digests, mut contents) = (HashSet::new(), HashSet::new());
        for shard in &self.shards {
            let (games, positions) = (shard.tally.counted(), shard.tally.positions);
            if games > positions || (takes_one && games < positions) {
                let text = format!("{:?} gave {positions} positions of {games} counted games", shard.name);
                return Err(CountsError::Inconsistent(text));
            }
            let content = shard.unpacked_digest.unwrap_or(shard.digest);
            // Files without any bytes are all alike.
            if shard.file_bytes > 0 && !(digests.insert(shard.digest) & contents.insert(content)) {
                return Err(CountsError::Inconsistent(format!("{:?} is in it twice", shard.name)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use drawish_core::StructureIndex;

    use super::*;
    use crate::counts::{Counts, SAMPLE};
    use crate::counts::{Shard, Wdl};
    use crate::pgn::Repeats;
    use crate::pgn::{Anomalies, VariantChoice};
    use crate::sample::{Rule, Tally};

    fn file(name: &str, draws: u64, wins: u64) -> CountsFile {
        let rule = Rule { sampling: Sampling::Every { from: 1 }, ..Rule::default() };
        let mut file = CountsFile::new(rule, Scheme::Bg);
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

    /// The headers of files that are none, cut, or of another version.
    #[test]
    fn what_is_no_counts_file_is_told_by_its_beginning() {
        let whole = file("a", 1, 2).to_bytes();
        let read = |bytes: &[u8]| CountsFile::from_bytes(bytes).expect_err("no file");
        assert!(matches!(read(b""), CountsError::NotCounts));
        assert!(matches!(read(b"[Event \"x\"]"), CountsError::NotCounts));
        assert!(matches!(read(b"DRAW"), CountsError::Length { expected: 24, found: 4 }));
        assert!(matches!(read(&whole[..23]), CountsError::Length { expected: 24, found: 23 }));
        let of_version = |version: u8| {
            let mut bytes = whole.clone();
            bytes[8] = version;
            read(&bytes)
        };
        assert!(matches!(
            (of_version(0), of_version(5)),
            (CountsError::Version { found: 0 }, CountsError::Version { found: 5 })
        ));
        let length = whole.len() as u64;
        assert!(
            matches!(read(&whole[..whole.len() - 1]), CountsError::Length { expected, found } if (expected, found) == (length, length - 1))
        );
        // A length of 2^32 bytes more, and one beyond all files.
        for (place, more) in [(20, 1 << 32), (23, 0xff << 56)] {
            let mut bytes = whole.clone();
            bytes[place] = if place == 20 { 1 } else { 0xff };
            let expected = length.saturating_add(more);
            assert!(matches!(read(&bytes), CountsError::Length { expected: said, .. } if said == expected), "{place}");
        }
    }

    /// Counted games, positions and inputs of a file that was made by hand must be those that its rule can give.
    #[test]
    fn inputs_that_no_run_has_given_are_refused() {
        let refused =
            |file: &CountsFile| CountsFile::from_bytes(&file.to_bytes()).expect_err("a contradiction").to_string();
        let with = |games: u64, sampling| {
            let mut file = file("a", 1, 2);
            file.rule.sampling = sampling;
            file.shards[0].tally = Tally::default();
            file.shards[0].tally.count_many(games);
            file.shards[0].tally.positions = 3;
            file
        };
        let (one, every) = (Sampling::At { at: 50 }, Sampling::Every { from: 1 });
        for (games, sampling) in [(0, one), (2, one), (4, one), (4, every), (2, Sampling::OneRandomPly { from: 1 })] {
            let said = refused(&with(games, sampling));
            assert!(said.contains(&format!("\"a\" gave 3 positions of {games} counted games")), "{said}");
        }
        for (games, sampling) in [(3, one), (1, every), (3, Sampling::Positions)] {
            let file = with(games, sampling);
            assert_eq!(CountsFile::from_bytes(&file.to_bytes()).expect("counts"), file);
        }
        let mut twice = file("a", 1, 2);
        twice.shards.push(Shard { name: "b".to_owned(), tally: Tally::default(), ..twice.shards[0].clone() });
        assert!(refused(&twice).contains("\"b\" is in it twice"), "{}", refused(&twice));
        twice.shards[1].digest = 7;
        assert_eq!(CountsFile::from_bytes(&twice.to_bytes()).expect("counts"), twice);
        twice.shards[0].unpacked_digest = Some(7);
        assert!(refused(&twice).contains("is in it twice"));
        twice.shards[1].file_bytes = 0;
        assert!(CountsFile::from_bytes(&twice.to_bytes()).is_ok(), "nothing is in it");
    }

    /// Games of files that share none of their bytes are known again by what they are.
    #[test]
    fn games_that_come_again_depend_on_each_other() {
        let of = |digest, games: std::ops::Range<u64>| {
            let mut file = file("a", digest, 0);
            let mut sample = Repeats::default();
            games.clone().for_each(|game| sample.add(game));
            let mut tally = Tally::default();
            tally.count_many(games.end - games.start);
            tally.positions = games.end - games.start;
            file.shards[0].tally = tally;
            let mut counts = Counts::new(Scheme::Bg);
            *counts.get_mut(StructureIndex(0)) = Wdl { draws: tally.positions, ..Wdl::default() };
            CountsFile { games: Some(sample.sample(SAMPLE)), counts, ..file }
        };
        for (games, others, again, is_dependent) in [
            (0..100, 100..200, 0, false),
            (0..100, 91..191, 9, false),
            (0..100, 90..190, 10, true),
            (0..100, 0..100, 100, true),
            (0..20_000, 0..20_000, 20_000, true),
        ] {
            let (mut one, mut two) = (of(1, games.clone()), of(2, others.clone()));
            two.merge(one.clone()).expect("other inputs");
            one.merge(of(2, others)).expect("other inputs");
            assert_eq!((one.to_bytes(), one.is_dependent()), (two.to_bytes(), is_dependent), "{games:?}");
            let (found, most) = (one.repeated_games(), one.games.as_ref().expect("a sample").parts().1.len());
            assert!(found.abs_diff(again) * 5 <= again && most <= SAMPLE, "{found} of {again}");
            assert_eq!(CountsFile::from_bytes(&one.to_bytes()).expect("counts"), one);
            // What files of version 3 hold is not known, and makes nothing unknown that is known.
            let mut old = CountsFile { games: None, ..of(3, 0..9) };
            assert_eq!(old.repeated_games(), 0);
            old.merge(one.clone()).expect("other inputs");
            one.merge(CountsFile { games: None, ..of(3, 0..9) }).expect("other inputs");
            assert_eq!((one.to_bytes(), one.repeated_games()), (old.to_bytes(), found));
            assert_eq!(CountsFile::from_bytes(&one.to_bytes()).expect("counts"), one);
        }
        let forged = |games| CountsFile { games: Repeats::from_parts(0, games), ..of(1, 0..9) }.to_bytes();
        for games in [vec![(7, 10)], (0..10).map(|hash| (hash, 1)).collect()] {
            let said = CountsFile::from_bytes(&forged(games)).expect_err("more than it counted").to_string();
            assert!(said.contains("its sample of games is none of those that it counted"), "{said}");
        }
        assert!(CountsFile::from_bytes(&forged(vec![(7, 9)])).is_ok());
    }

    #[test]
    fn positions_of_one_game_depend_on_each_other() {
        let with = |games, sampling| {
            let mut file = CountsFile::new(Rule { sampling, ..Rule::default() }, Scheme::Bg);
            let mut tally = Tally::default();
            tally.count_many(games);
            tally.positions = 3;
            file.add_shard(Shard { tally, ..super::tests::file("a", 3, 0).shards.remove(0) });
            file.is_dependent()
        };
        let every = Sampling::Every { from: 1 };
        assert_eq!([with(2, every), with(3, every), with(3, Sampling::Positions)], [true, false, true]);
    }

    /// Builds that wrote `--fen-starts` beside variants which never ask for it, and later ones that leave it out.
    #[test]
    fn rules_that_count_the_same_are_the_same() {
        let of = |digest, variant, fen_starts| CountsFile {
            rule: Rule { variant, fen_starts, ..Rule::default() },
            ..file("a", digest, 0)
        };
        for variant in [VariantChoice::Any, VariantChoice::Chess960] {
            let (mut one, mut other) = (of(1, variant, true), of(2, variant, false));
            let (old, new) = (one.clone(), other.clone());
            one.merge(new).expect("the same rule");
            other.merge(old).expect("the same rule");
            assert_eq!((one.to_bytes(), one.rule.fen_starts), (other.to_bytes(), false));
        }
        let error =
            of(1, VariantChoice::Standard, true).merge(of(2, VariantChoice::Standard, false)).expect_err("others");
        assert_eq!(error.to_string(), "counted by another rule: fen_starts: expected true, found false");
    }

    #[test]
    fn inputs_are_the_same_by_what_they_contain() {
        let plain = file("plain", 7, 0).shards.remove(0);
        let with = |digest, unpacked_digest, file_bytes| Shard { digest, unpacked_digest, file_bytes, ..plain.clone() };
        let mut held = CountsFile::new(Rule::default(), Scheme::Bg);
        held.add_shard(plain.clone());
        held.add_shard(with(3, Some(4), 9));
        let found = |shard: Shard| held.shard_like(&shard).map(|shard| shard.digest);
        // The same bytes; packed what is plain; packed in two ways; plain what is packed.
        assert_eq!([found(with(7, None, 9)), found(with(5, Some(7), 8))], [Some(7), Some(7)]);
        assert_eq!([found(with(5, Some(4), 8)), found(with(4, None, 8)), found(with(3, Some(6), 9))], [Some(3); 3]);
        assert_eq!([found(with(5, None, 9)), found(with(5, Some(6), 9)), found(with(7, None, 0))], [None; 3]);
        // In the order of digests, then of names.
        held.add_shard(Shard { name: "a".to_owned(), ..plain.clone() });
        let order: Vec<_> = held.shards.iter().map(|shard| (shard.digest, shard.name.as_str())).collect();
        assert_eq!(order, [(3, "plain"), (7, "a"), (7, "plain")]);
        let record = with(3, Some(4), 9).record();
        assert_eq!(
            (record.name.as_str(), record.xxh3_128.0, record.unpacked_xxh3_128.map(|digest| digest.0)),
            ("plain", 3, Some(4))
        );
        assert_eq!(
            (record.bytes, record.games, record.counted, record.positions, record.broken),
            (Some(9), 1, 1, Some(7), None)
        );
    }

    #[test]
    fn sums_of_the_inputs_by_hand() {
        let mut sum = file("a", 3, 4);
        let mut other = file("b", 5, 0);
        other.shards[0].anomalies = Anomalies { stray_text: 2, rescued_games: 1, ..Anomalies::default() };
        other.shards[0].tally.skip_many(crate::sample::SkipReason::TooShort, 6);
        sum.merge(other).expect("other inputs");
        assert_eq!((sum.tally().games(), sum.tally().counted(), sum.tally().positions), (8, 2, 12));
        assert_eq!(sum.anomalies(), Anomalies { stray_text: 2, rescued_games: 1, ..Anomalies::default() });
        assert_eq!(sum.counts.total(), Wdl { wins: 4, draws: 8, losses: 0 });
        let filled: Vec<_> = sum.counts.non_empty().map(|(cell, wdl)| (cell.0, wdl.total())).collect();
        assert_eq!((filled, sum.counts.iter().count()), (vec![(1, 8), (2, 4)], 4096));
    }

    /// The largest sums that fit: results and positions count, and games.
    #[test]
    fn sums_of_just_64_bits_are_taken() {
        let some = u64::MAX / 4;
        let rest = u64::MAX / 2 - 1 - some - 5;
        let (mut one, mut just) = (file("a", some, 5), file("b", rest, 0));
        // Twice the results and two games are 2^64 - 2.
        assert_eq!(2 * (u128::from(some) + 5 + u128::from(rest)) + 2, u128::from(u64::MAX) - 1);
        just.shards[0].tally.skip(crate::sample::SkipReason::TooShort);
        let mut more = just.clone();
        more.shards[0].tally.skip(crate::sample::SkipReason::TooShort);
        assert_eq!(one.merge(more), Err(MergeError::TooMany));
        assert_eq!(one.merge(just), Ok(()));
        let read = CountsFile::from_bytes(&one.to_bytes()).expect("a file of just so much");
        assert_eq!(read.counts.total().total(), u64::MAX / 2 - 1);
        one.shards[0].tally.skip(crate::sample::SkipReason::TooShort);
        assert!(CountsFile::from_bytes(&one.to_bytes()).is_err());
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
