//! One log of a match whose ranges were played elsewhere.

use std::collections::BTreeSet;
use std::io;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use drawish_artefact::read_bounded_to;
use drawish_games::pgn::Input;
use drawish_stats::numbers::counted;
use drawish_stats::{NoFigure, SequentialEstimate, Sprt};
use serde_json::Value;
use thiserror::Error;
use twox_hash::XxHash3_64;

use super::played::{estimate, figures};
use super::{ContestError, TestOfLog};
use crate::arena::{Difference, Finished, Logged, LoggedError, MatchLog, Origin, PairRecord, Scoring, Setup};

/// Puts the logs of ranges of a match together to the log of the match, byte for byte what one run writes.
///
/// Ranges are added in the order of their pairs. With a test the match ends at the first pair after which it is decided, as it does in
/// one run: pairs behind it are left out, so the verdict does not depend on where or in which ranges the games were played.
#[derive(Debug)]
pub struct Gathering {
    log: MatchLog,
    setup: Setup,
    pairs: u64,
    wanted: u64,
    sprt: Option<Sprt>,
    /// What must be said of the log's own test.
    test: Option<TestOfLog>,
    /// The pair behind the last one of a range whose last line has no end.
    cut: Option<u64>,
    /// The last pair of all ranges.
    last: u64,
    /// What tells the games of each pair apart, from the first one.
    games: Vec<u64>,
    /// The pairs of which a range that was added later has other games.
    otherwise: BTreeSet<u64>,
    scoring: Scoring,
}

/// Why the log of a range cannot be added. What was added before is in the log.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum GatherError {
    #[error(transparent)]
    Contest(Box<ContestError>),
    #[error(
        "pairs from {first} are those of another match: {difference}; play them again with the same engines and settings"
    )]
    OtherMatch { first: u64, difference: Difference },
    #[error("expected pair {wanted}, found pairs from {first}: add the range that begins with pair {wanted} first")]
    Gap { wanted: u64, first: u64 },
    #[error("pairs from {first}: line {line} is damaged: {what}; play them again")]
    Damaged { first: u64, line: usize, what: String },
}

impl<E: Into<ContestError>> From<E> for GatherError {
    fn from(error: E) -> GatherError {
        GatherError::Contest(Box::new(error.into()))
    }
}

/// Why the logs of ranges cannot be put together.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum GatherLogsError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}", path.display())]
    Log { path: PathBuf, source: LoggedError },
    #[error("{}", path.display())]
    Range { path: PathBuf, source: GatherError },
    #[error(transparent)]
    Whole(#[from] GatherError),
    #[error("no log of a range to begin with")]
    Nothing,
}

impl Gathering {
    /// Puts the logs of ranges of one match together, in whatever order they are given; goes on with a log that holds the first pairs
    /// already.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open) and [`add`](Self::add), and if a range cannot be read, or there is none.
    pub fn of_logs(log: &Path, ranges: &[PathBuf]) -> Result<Gathering, GatherLogsError> {
        let read = ranges.iter().map(|path| Ok((path, range(path)?)));
        let mut ranges = read.collect::<Result<Vec<_>, GatherLogsError>>()?;
        ranges.sort_by_key(|(_, range)| range.setup.first_pair);
        let (_, first) = ranges.first().ok_or(GatherLogsError::Nothing)?;
        let mut gathering = Gathering::open(log, &first.setup, first.origin.clone(), u64::MAX)?;
        for (path, range) in &ranges {
            gathering.add(range).map_err(|source| GatherLogsError::Range { path: PathBuf::clone(path), source })?;
        }
        Ok(gathering)
    }

    /// Opens the log of a match that has so many pairs at most; goes on with one that holds its first pairs already.
    ///
    /// # Errors
    ///
    /// If the file is the log of another match or damaged, or cannot be written.
    pub fn open(log: &Path, setup: &Setup, origin: Origin, pairs: u64) -> Result<Gathering, GatherError> {
        Gathering::open_with(log, setup, origin, pairs, None, u64::MAX)
    }

    /// The same with a test that ends the match, which is that of the log if it has one and none is given, and a number of games that a side may lose by crashing or stalling before
    /// the match is given up.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(
        log: &Path,
        setup: &Setup,
        origin: Origin,
        pairs: u64,
        sprt: Option<Sprt>,
        fault_limit: u64,
    ) -> Result<Gathering, GatherError> {
        let setup = Setup { first_pair: NonZeroU64::MIN, ..setup.clone() };
        let origin = Origin { test: sprt.or(origin.test), ..origin };
        let (log, finished) = MatchLog::resume(log, &setup, origin)?;
        let logged = log.origin().test;
        let test = TestOfLog::of(logged, sprt, &finished);
        let sprt = sprt.or(logged);
        let mut scoring = Scoring::new(sprt, fault_limit);
        let mut wanted = 1;
        for record in &finished {
            scoring.count(record)?;
            wanted = record.pair + 1;
        }
        let games = finished.iter().map(digest).collect();
        let otherwise = BTreeSet::new();
        Ok(Gathering { log, setup, pairs, wanted, sprt, test, cut: None, last: 0, games, otherwise, scoring })
    }

    /// The number of the first pair that is missing.
    #[must_use]
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Pairs of the match at most.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Whether the test is decided, or all pairs are there.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.scoring.is_decided() || self.wanted > self.pairs
    }

    /// What must be said of the log's own test, if it is not the one that was given.
    #[must_use]
    pub fn test_of_log(&self) -> Option<TestOfLog> {
        self.test
    }

    /// What must be said of the match: of its test, of a pair that is missing because the run that played it was killed or is not over,
    /// of pairs behind the one that decides the test, and of pairs that were played twice with other games.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let cut = self.cut.filter(|&pair| pair == self.wanted && !self.is_over()).map(|pair| {
            format!(
                "pair {pair} is not written to its end, as in a run that was killed or goes on: it is left out; resume that range, and add \
                 it again"
            )
        });
        let behind = self.last.saturating_sub(self.wanted - 1);
        let behind = (self.scoring.is_decided() && behind > 0).then(|| {
            let decided = self.wanted - 1;
            let (pairs, are) = (counted(behind, "pair"), if behind == 1 { "is" } else { "are" });
            format!("pair {decided} decides the test and ends the match: {pairs} behind it {are} in the logs of the ranges only")
        });
        let otherwise = self.otherwise.first().map(|first| {
            let others = self.otherwise.len() - 1;
            let pairs = if others == 0 { format!("pair {first} is") } else { format!("pair {first} and {others} more are") };
            format!(
                "{pairs} in two logs with other games in each, as where ranges overlap: those that were added first count, by `drawish merge` \
                 those of the range that begins first"
            )
        });
        self.test.iter().map(ToString::to_string).chain(cut).chain(behind).chain(otherwise).collect()
    }

    /// Adds the pairs of a range; those that are there already are left out, and those behind the end of the match.
    ///
    /// # Errors
    ///
    /// If the range is of another match, damaged, or begins behind the first missing pair; if an engine has failed too often; if
    /// nothing more can be written.
    pub fn add(&mut self, range: &Logged) -> Result<(), GatherError> {
        let first = range.setup.first_pair.get();
        let setup = Setup { first_pair: NonZeroU64::MIN, ..range.setup.clone() };
        let difference = self.setup.difference(&setup).or_else(|| self.log.origin().difference(&range.origin));
        if let Some(difference) = difference {
            return Err(GatherError::OtherMatch { first, difference });
        }
        if let Some((line, what)) = range.damage.clone() {
            return Err(GatherError::Damaged { first, line, what });
        }
        self.last = self.last.max(range.pairs.last().map_or(0, |record| record.pair));
        let known = |record: &&PairRecord| self.games.get(usize::try_from(record.pair - 1).unwrap_or(usize::MAX));
        let differ = range.pairs.iter().filter(|record| known(record).is_some_and(|&games| games != digest(record)));
        self.otherwise.extend(differ.map(|record| record.pair));
        if self.is_over() {
            return Ok(());
        }
        if first > self.wanted {
            return Err(GatherError::Gap { wanted: self.wanted, first });
        }
        let there = usize::try_from(self.wanted - first).unwrap_or(usize::MAX);
        for record in range.pairs.iter().skip(there) {
            if self.is_over() {
                break;
            }
            let received = self.scoring.receive(record, &mut |record, _, _| {
                self.log.append(record)?;
                self.wanted = record.pair + 1;
                self.games.push(digest(record));
                Ok(ControlFlow::Continue(()))
            });
            let _ = received
                .map_err(|error| ContestError::of(error, self.setup.sides.each_ref().map(|side| side.name.as_str())))?;
        }
        if range.is_cut {
            self.cut = Some(first.saturating_add(range.pairs.len() as u64));
        }
        Ok(())
    }

    /// What is played.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The score, and what the test says.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.scoring.finished
    }

    /// The test of the match.
    #[must_use]
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Elo corrected for the stop, or why there is none; `None` without a test.
    #[must_use]
    pub fn estimate(&self) -> Option<Result<SequentialEstimate, NoFigure>> {
        estimate(self.sprt, self.test, self.finished())
    }

    /// All figures of the pairs so far as JSON, as [`Played::to_json`](super::Played::to_json) has them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        figures(&self.setup, self.sprt, self.test, self.finished())
    }
}

/// What tells the games of a pair from those of another run, whether all their moves are kept or not.
fn digest(record: &PairRecord) -> u64 {
    XxHash3_64::oneshot(record.clone().abridged().of_early_logs().to_line().as_bytes())
}

fn range(path: &Path) -> Result<Logged, GatherLogsError> {
    let own = || path.to_owned();
    let mut text = Vec::new();
    let read = Input::File(own()).open().and_then(|unpacked| read_bounded_to(unpacked, None, &mut text));
    read.map_err(|source| GatherLogsError::Read { path: own(), source })?;
    Logged::read(&text).map_err(|source| GatherLogsError::Log { path: own(), source })
}
