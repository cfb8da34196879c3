//! Two engines against the same opponents, compared opening by opening.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use drawish_stats::{PairedDifference, PairedScore, Sprt};
use shakmaty::CastlingMode;

use super::error::ContestError;
use super::players::{Making, Players, refuse_equal};
use super::terms::{Openings, Terms, new_seed};
use super::{Contest, Engine, Event, Ground, TestOfLog, check_names, seed_of};
use crate::arena::{Conduct, Conducts, Joined, Logged, both, distinct};

/// Two engines that play the same opponents from the same openings in the same order.
///
/// What an opening gives to both says nothing about the difference between them, so it is taken away: the error of the comparison
/// is that of the differences.
#[derive(Clone, Debug)]
#[must_use = "a gauntlet is played by `run`"]
#[non_exhaustive]
pub struct Gauntlet {
    /// The engines that are compared.
    pub engines: [Engine; 2],
    /// Whom they play.
    pub opponents: Vec<Engine>,
    /// How games are played.
    pub terms: Terms,
    /// The directory of the logs, one for each match; matches that are logged are resumed.
    pub logs: PathBuf,
    /// Whether both engines may be arms that search alike.
    pub allow_equal: bool,
}

/// What is said while a gauntlet goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum GauntletEvent<'a> {
    /// A match begins.
    Match {
        /// One of the engines that are compared.
        engine: &'a str,
        /// Its opponent.
        opponent: &'a str,
        /// The log of the match.
        log: &'a Path,
    },
    /// Something within a match.
    Within(Event<'a>),
}

/// What came of a gauntlet.
#[derive(Clone, PartialEq, Debug)]
pub struct GauntletPlayed {
    /// The engines that were compared.
    pub names: [String; 2],
    /// Of the order of the openings.
    pub seed: u64,
    /// The results against each opponent.
    pub opponents: Vec<Against>,
    /// Engines and opponents that have lost games by a fault or searched beyond their limits.
    pub conduct: Vec<Conduct>,
    /// Matches that a test of their own had stopped before the gauntlet took their logs.
    pub stopped: Vec<Stopped>,
    /// Engines that call themselves otherwise in a later match.
    pub renamed: Vec<Renamed>,
}

/// An engine that calls itself otherwise in a later match: whatever started it, it is another engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamed {
    /// What it is called in the gauntlet.
    pub engine: String,
    /// What it calls itself: at first, and in the later match.
    pub names: [String; 2],
}

/// A match of a gauntlet that a test had stopped; a gauntlet itself has no tests.
#[derive(Clone, PartialEq, Debug)]
pub struct Stopped {
    /// Its log.
    pub log: PathBuf,
    /// The test that its log names.
    pub test: Sprt,
    /// Pairs from the first to the one that decided it.
    pub pairs: u64,
}

/// What both engines have reached against an opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct Against {
    /// The opponent.
    pub name: String,
    /// The shares of the points of both engines, for each opening; openings from which either has played the same games are one cluster.
    pub pairs: Vec<PairedScore>,
    /// Pairs of each engine that are the same games as an earlier one against this opponent.
    pub repeated: [u64; 2],
}

impl GauntletPlayed {
    /// All opponents together, each with a strength of its own and each opening being one cluster; `None` if nothing was played.
    #[must_use]
    pub fn difference(&self) -> Option<PairedDifference> {
        let mut openings = HashMap::new();
        let mut joined = Joined::default();
        for (number, both) in self.opponents.iter().flat_map(|against| against.pairs.iter().enumerate()) {
            joined.join(both.cluster, *openings.entry(number).or_insert(both.cluster));
        }
        let joined = &joined;
        let all = (0..).zip(&self.opponents).flat_map(|(opponent, against)| {
            let of_all =
                move |both: &PairedScore| PairedScore { opponent, cluster: joined.first(both.cluster), ..*both };
            against.pairs.iter().map(of_all)
        });
        PairedDifference::of(&all.collect::<Vec<_>>())
    }
}

impl Against {
    /// The difference against this opponent; `None` if nothing was played.
    #[must_use]
    pub fn difference(&self) -> Option<PairedDifference> {
        PairedDifference::of(&self.pairs)
    }
}

impl Gauntlet {
    /// A gauntlet of two engines, with its logs in a directory.
    pub fn new(
        first: impl Into<Engine>,
        second: impl Into<Engine>,
        opponents: Vec<Engine>,
        openings: impl Into<Openings>,
        logs: impl Into<PathBuf>,
    ) -> Gauntlet {
        Gauntlet::with_terms([first.into(), second.into()], opponents, Terms::new(openings), logs.into())
    }

    /// A gauntlet of two engines on such terms, with its logs in a directory.
    pub fn with_terms(engines: [Engine; 2], opponents: Vec<Engine>, terms: Terms, logs: PathBuf) -> Gauntlet {
        Gauntlet { engines, opponents, terms, logs, allow_equal: false }
    }

    /// Makes sure that all have names and logs of their own, and limits.
    ///
    /// # Errors
    ///
    /// Which name stands twice, which two would have one log, or which engine nothing limits.
    pub fn check(&self) -> Result<(), ContestError> {
        let engines = || self.engines.iter().chain(&self.opponents);
        check_names(engines())?;
        for side in [&self.engines[..], &self.opponents] {
            let mut files = HashMap::new();
            for Engine { name, .. } in side {
                if let Some(other) = files.insert(file_name(name), name) {
                    return Err(ContestError::SameLog(other.clone(), name.clone()));
                }
            }
        }
        engines().try_for_each(|engine| self.terms.limits_of(engine).map(drop))
    }

    /// Plays what is missing of every match.
    ///
    /// # Errors
    ///
    /// As [`Contest::run`], or if the matches were not played from the same openings.
    pub fn run(
        &self,
        mut observe: impl FnMut(GauntletEvent<'_>) -> ControlFlow<()> + Send,
    ) -> Result<GauntletPlayed, ContestError> {
        self.check()?;
        let limits = [self.terms.limits_of(&self.engines[0])?, self.terms.limits_of(&self.engines[1])?];
        if !self.allow_equal {
            // Whatever is played, arms that search alike in standard chess do in Chess960.
            let making = Making::new(&self.terms, CastlingMode::Standard)?;
            refuse_equal(making.both(&self.engines)?.each_ref(), limits)?;
        }
        std::fs::create_dir_all(&self.logs).map_err(|cause| ContestError::Write { path: self.logs.clone(), cause })?;
        // Every match has the seed of the first one that was begun.
        let matches = self.opponents.iter().flat_map(|opponent| self.engines.iter().map(|own| self.log(own, opponent)));
        let logged = matches.into_iter().find_map(|log| seed_of(&log));
        let seed = self.terms.seed.or(logged).unwrap_or_else(new_seed);
        if let Some(openings) = self.terms.makes(self.terms.pairs) {
            let _ = observe(GauntletEvent::Within(Event::Making(openings)));
        }
        let book = self.terms.book(seed, self.terms.pairs)?;
        let _ = observe(GauntletEvent::Within(Event::Openings(&book)));
        self.terms.pairs_from(&book)?;
        let syzygy = self.terms.syzygy()?;
        if let Some(syzygy) = &syzygy {
            let _ = observe(GauntletEvent::Within(Event::Tables(syzygy)));
        }
        let ground = Ground { book, seed, syzygy };
        // Made once: engines that are replaced behind a match would play the next one otherwise.
        let making = Making::new(&self.terms, ground.book.castling)?;
        let own = making.both(&self.engines)?;
        let others = self.opponents.iter().map(|opponent| making.players(opponent)).collect::<Result<Vec<_>, _>>()?;
        let mut opponents = Vec::new();
        let mut conducts = Conducts::default();
        let (mut stopped, mut renamed) = (Vec::new(), Vec::new());
        let mut called = HashMap::new();
        for (opponent, other) in self.opponents.iter().zip(&others) {
            let mut play = |at: usize| {
                let players = [own[at].clone(), other.clone()];
                self.play(&ground, [&self.engines[at], opponent], &players, &mut stopped, &mut observe)
            };
            let (first, second) = (play(0)?, play(1)?);
            let repeated =
                [&first, &second].map(|played| (played.pairs.len() - distinct(&played.pairs).count()) as u64);
            opponents.push(Against { name: opponent.name.clone(), pairs: both(&first, &second)?, repeated });
            for Logged { setup, pairs, origin, .. } in [&first, &second] {
                let names = setup.sides.each_ref().map(|side| side.name.as_str());
                conducts.add_pairs(pairs.iter().map(|pair| (pair, names)));
                for (engine, now) in names.into_iter().zip(&origin.engines) {
                    let Some(now) = now else { continue };
                    let before = called.entry(engine.to_owned()).or_insert_with(|| now.clone());
                    if before != now {
                        renamed.push(Renamed { engine: engine.to_owned(), names: [before.clone(), now.clone()] });
                    }
                }
            }
        }
        let conduct = conducts.noted().collect();
        let names = self.engines.each_ref().map(|engine| engine.name.clone());
        Ok(GauntletPlayed { names, seed, opponents, conduct, stopped, renamed })
    }

    /// The match of an engine against an opponent, as its log has it at the end.
    fn play(
        &self,
        ground: &Ground,
        [engine, opponent]: [&Engine; 2],
        players: &[Players; 2],
        stopped: &mut Vec<Stopped>,
        observe: &mut (dyn FnMut(GauntletEvent<'_>) -> ControlFlow<()> + Send),
    ) -> Result<Logged, ContestError> {
        let log = self.log(engine, opponent);
        let _ = observe(GauntletEvent::Match { engine: &engine.name, opponent: &opponent.name, log: &log });
        // An opponent may well play like one of the engines: it is the difference between the engines that is asked for.
        let engines = [engine.clone(), opponent.clone()];
        let mut contest = Contest::with_terms(engines, self.terms.clone()).log(&log).resume().allow_equal();
        contest.untested = true;
        let limits = contest.check()?;
        let mut pairs = Vec::new();
        let played = contest.play(ground, players, limits, &mut |event| {
            match &event {
                Event::Begins { finished, .. } => pairs.extend_from_slice(finished),
                Event::Pair { record, .. } => pairs.push((*record).clone()),
                _ => {}
            }
            observe(GauntletEvent::Within(event))
        })?;
        if let Some(TestOfLog::LeftOut { logged: test, pairs }) = played.test_of_log {
            stopped.push(Stopped { log, test, pairs });
        }
        Ok(Logged { setup: played.setup, origin: played.origin, pairs, is_cut: false, damage: None })
    }

    /// Where the log of a match is.
    fn log(&self, engine: &Engine, opponent: &Engine) -> PathBuf {
        self.logs.join(format!("{}-{}.jsonl", file_name(&engine.name), file_name(&opponent.name)))
    }
}

/// A name without what file systems do not like.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "._+".contains(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Limits;

    /// Or the second match would go on with the log of the first.
    #[test]
    fn matches_have_logs_of_their_own() {
        let engine = |name: &str| Engine::program("./engine").named(name);
        let said = |engines: [&str; 2], opponents: [&str; 2]| {
            let openings = Openings::Random(6);
            let mut gauntlet =
                Gauntlet::new(engine(engines[0]), engine(engines[1]), opponents.map(engine).into(), openings, "logs");
            gauntlet.terms.limits = Limits::nodes(100);
            gauntlet.check().map_err(|error| error.to_string())
        };
        for (engines, opponents) in [(["new", "old"], ["x 1", "x_1"]), (["sf-16", "sf_16"], ["a", "b"])] {
            let error = said(engines, opponents).expect_err("one log");
            assert!(error.contains("would have one log"), "{error}");
        }
        said(["sf-16", "old"], ["sf_16", "x"]).expect("four logs");
    }
}
