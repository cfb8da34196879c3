//! Contests: matches with a verdict, gauntlets and self-play, from their openings to their log and their games.
//!
//! A [`Contest`] is a match between two [`Engine`]s. It reads the openings, opens log and PGN, goes on where an earlier run was
//! interrupted, plays, and says what came of it: [`Played`]. Every finished pair is reported to whoever watches, see [`Event`].

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod arm;
mod default_log;
mod engine;
mod error;
mod games_file;
mod gathering;
mod gauntlet;
mod heading;
mod played;
mod players;
mod ready;
mod selfplay;
mod sequel;
mod terms;
mod words;

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

use drawish_stats::Sprt;

pub(crate) use self::arm::TunableArm;
pub use self::arm::{ArmError, ArmSettings, LoadedArm, read_form, read_heads};
pub use self::default_log::DefaultLog;
pub(crate) use self::default_log::{default_log, difference_in_words, seed_of};
pub(crate) use self::engine::check_names;
pub use self::engine::{Engine, Plays, Program};
pub use self::error::ContestError;
pub use self::games_file::Writing;
pub(crate) use self::games_file::{FirstGame, GamesFile, check_files};
pub use self::gathering::{GatherError, GatherLogsError, Gathering};
pub(crate) use self::gauntlet::file_name;
pub use self::gauntlet::{Against, Gauntlet, GauntletEvent, GauntletPlayed, Renamed, Stopped};
pub use self::heading::Heading;
pub use self::played::Played;
pub(crate) use self::players::{Making, Players, Tunable, refuse_equal};
pub use self::ready::Ready;
pub use self::selfplay::{SelfPlay, SelfPlayed};
pub use self::sequel::TestOfLog;
pub(crate) use self::terms::{Ground, new_seed};
pub use self::terms::{OpeningWords, Openings, Terms};
pub use self::words::{EngineError, NamedArm};
pub(crate) use self::words::{Said, each_once};
use crate::arena::{
    Book, Limits, Match, MatchLog, Origin, PairRecord, PgnTags, PlayerLost, Rules, Setup, Syzygy, Tally,
};

/// A match between two engines: every opening with both colours, judged by pairs.
#[derive(Clone, Debug)]
#[must_use = "a contest is played by `run`"]
#[non_exhaustive]
pub struct Contest {
    /// The engines; Elo is reported for the first.
    pub engines: [Engine; 2],
    /// How games are played.
    pub terms: Terms,
    /// The test that ends the match. A match that is resumed without one is ended by that of its log; see [`TestOfLog`].
    pub sprt: Option<Sprt>,
    /// Whether the match is played without a test even if its log names one.
    pub untested: bool,
    /// The pairs of the match that are played, by their numbers from 1; all of them if `None`. Logs of ranges are put together by
    /// [`Gathering`].
    pub range: Option<RangeInclusive<u64>>,
    /// Where every finished pair is written down, so that the match can be resumed.
    pub log: Option<PathBuf>,
    /// Whether the log may hold finished pairs of this match, which are not played again.
    pub resume: bool,
    /// Where the games are written as PGN.
    pub pgn: Option<PathBuf>,
    /// Where the final position of each game is written, as FEN, a line each.
    pub final_positions: Option<PathBuf>,
    /// What the games say of the match.
    pub heading: Heading,
    /// Whether arms may play each other that search alike, as a control or for the games.
    pub allow_equal: bool,
}

/// What is said while a contest goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// So many random openings are made before the first game, which takes a while.
    Making(u64),
    /// The openings have been read; some of them may have been left out.
    Openings(&'a Book),
    /// Endgame tables have been opened; some of them may be missing.
    Tables(&'a Syzygy),
    /// Both sides are the same program with the same options and limits.
    SameProgram,
    /// All is open, and the games begin.
    Begins {
        /// What is played.
        setup: &'a Setup,
        /// The openings, in their order.
        book: &'a Book,
        /// Pairs at most.
        pairs: u64,
        /// Games at a time.
        workers: NonZeroUsize,
        /// Pairs of the log, which are not played again.
        finished: &'a [PairRecord],
        /// The test that ends the match, which may be that of the log.
        sprt: Option<Sprt>,
    },
    /// The test of the log is not the one that was asked for.
    Test(TestOfLog),
    /// A pair is finished, and written down.
    Pair {
        /// The pair.
        record: &'a PairRecord,
        /// The score after it.
        tally: &'a Tally,
        /// The log-likelihood ratio of the test.
        llr: Option<f64>,
    },
}

/// Watches a contest; a break ends it after the pair that has just been written down.
pub(crate) type Observer<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + Send + 'a;

impl Contest {
    /// A match of these engines from these openings: one pair for each opening, by the rules of chess, as many games at a time as
    /// there are cores, and nothing written down.
    ///
    /// Limits are required, such as [`nodes`](Self::nodes), and with [`Openings::Random`] a number of [`pairs`](Self::pairs). Two
    /// engines of the same name need names that tell them apart.
    pub fn new(first: impl Into<Engine>, second: impl Into<Engine>, openings: impl Into<Openings>) -> Contest {
        Contest::with_terms([first.into(), second.into()], Terms::new(openings))
    }

    /// A match of these engines on such terms, with nothing written down.
    pub fn with_terms(engines: [Engine; 2], terms: Terms) -> Contest {
        let heading = Heading::default();
        Contest {
            engines,
            terms,
            sprt: None,
            untested: false,
            range: None,
            log: None,
            resume: false,
            pgn: None,
            final_positions: None,
            heading,
            allow_equal: false,
        }
    }

    /// Nodes for each move, of engines without limits of their own.
    pub fn nodes(self, nodes: u64) -> Contest {
        self.limits(Limits::nodes(nodes))
    }

    /// Limits of engines without limits of their own.
    pub fn limits(mut self, limits: Limits) -> Contest {
        self.terms.limits = limits;
        self
    }

    /// Rules that end games early.
    pub fn rules(mut self, rules: Rules) -> Contest {
        self.terms.rules = rules;
        self
    }

    /// Pairs to play at most.
    pub fn pairs(mut self, pairs: u64) -> Contest {
        self.terms.pairs = Some(pairs);
        self
    }

    /// Seed for the order of the openings.
    pub fn seed(mut self, seed: u64) -> Contest {
        self.terms.seed = Some(seed);
        self
    }

    /// Games at a time.
    pub fn workers(mut self, workers: NonZeroUsize) -> Contest {
        self.terms.workers = Some(workers);
        self
    }

    /// Ends the match when this test is decided.
    pub fn sprt(self, sprt: Sprt) -> Contest {
        Contest { sprt: Some(sprt), ..self }
    }

    /// Plays only these pairs of the match, by their numbers from 1.
    pub fn range(self, range: RangeInclusive<u64>) -> Contest {
        Contest { range: Some(range), ..self }
    }

    /// Writes every finished pair down; see also [`resume`](Self::resume).
    pub fn log(self, path: impl Into<PathBuf>) -> Contest {
        Contest { log: Some(path.into()), ..self }
    }

    /// Plays only what is missing in the log.
    pub fn resume(self) -> Contest {
        Contest { resume: true, ..self }
    }

    /// Writes the games as PGN.
    pub fn pgn(self, path: impl Into<PathBuf>) -> Contest {
        Contest { pgn: Some(path.into()), ..self }
    }

    /// Plays even if both arms search alike.
    pub fn allow_equal(self) -> Contest {
        Contest { allow_equal: true, ..self }
    }

    /// Plays the match, or what is missing of it.
    ///
    /// Nothing is written before both engines have started. Each finished pair is written down before `observe` sees it.
    ///
    /// # Errors
    ///
    /// If the match cannot begin as it is described, if an engine fails too often, or if nothing more can be written; what was
    /// played before is in the log.
    pub fn run(&self, mut observe: impl FnMut(Event<'_>) -> ControlFlow<()> + Send) -> Result<Played, ContestError> {
        self.ready(&mut observe)?.play(&mut observe)
    }

    /// Reads the openings, loads the arms and opens the tables, so that ranges of the match can be played without doing so again.
    ///
    /// # Errors
    ///
    /// If the match cannot begin as it is described. Programs are not started yet.
    pub fn ready(&self, mut observe: impl FnMut(Event<'_>) -> ControlFlow<()> + Send) -> Result<Ready, ContestError> {
        let limits = self.check()?;
        check_files(&self.terms.openings, [self.log.as_ref(), self.pgn.as_ref(), self.final_positions.as_ref()])?;
        let logged = self.log.as_deref().filter(|_| self.resume).and_then(seed_of);
        let seed = self.terms.seed.or(logged).unwrap_or_else(new_seed);
        if let Some(openings) = self.terms.makes(self.terms.pairs) {
            let _ = observe(Event::Making(openings));
        }
        let book = self.terms.book(seed, self.terms.pairs)?;
        let _ = observe(Event::Openings(&book));
        let pairs = self.terms.pairs_from(&book)?;
        let players = Making::new(&self.terms, book.castling)?.both(&self.engines)?;
        let syzygy = self.terms.syzygy()?;
        if let Some(syzygy) = &syzygy {
            let _ = observe(Event::Tables(syzygy));
        }
        Ok(Ready { contest: self.clone(), ground: Ground { book, seed, syzygy }, players, limits, pairs })
    }

    /// The limits of both sides, if the match can be played.
    ///
    /// # Errors
    ///
    /// If nothing limits an engine, both have one name or one has none that games take, a test is to judge a range, or figures of clocks are asked for without one.
    pub fn check(&self) -> Result<[Limits; 2], ContestError> {
        let [one, two] = &self.engines;
        check_names(&self.engines)?;
        if self.range.is_some() && self.sprt.is_some() {
            return Err(ContestError::TestOfRange);
        }
        self.terms.for_figures([self.terms.limits_of(one)?, self.terms.limits_of(two)?])
    }

    /// The first of the pairs that are played, and the last: all of them, or the range, which must lie among them.
    fn range_of(&self, pairs: u64) -> Result<(NonZeroU64, u64), ContestError> {
        let Some(range) = &self.range else { return Ok((NonZeroU64::MIN, pairs)) };
        let (first, last) = (*range.start(), *range.end());
        let is_within = first <= last && last <= pairs;
        NonZeroU64::new(first).filter(|_| is_within).map(|first| (first, last)).ok_or(ContestError::NoSuchPairs {
            first,
            last,
            pairs,
        })
    }

    /// When the match is begun, and what the engines call themselves, which are started for that.
    fn origin(&self, players: &[Players; 2], limits: &[Limits; 2]) -> Result<Origin, ContestError> {
        let date = self.heading.date(&self.engines, limits);
        let mut origin = Origin { date, engines: [None, None], test: self.sprt.filter(|_| !self.untested) };
        for (players, name) in players.iter().zip(&mut origin.engines) {
            let mut player = players.player()?;
            player.new_game()?;
            *name = player.own_name().map(str::to_owned);
        }
        Ok(origin)
    }

    /// The match on a ground that is ready.
    pub(crate) fn play(
        &self,
        ground: &Ground,
        players: &[Players; 2],
        limits: [Limits; 2],
        observe: &mut Observer<'_>,
    ) -> Result<Played, ContestError> {
        let book = &ground.book;
        let (first_pair, pairs) = self.range_of(self.terms.pairs_from(book)?)?;
        let setup = Setup { first_pair, ..ground.setup(players, limits, &self.terms) };
        let passed = first_pair.get() - 1;
        let [one, two] = &setup.sides;
        if !self.allow_equal {
            refuse_equal(players.each_ref(), limits)?;
        }
        if one.plays_as(two) {
            let _ = observe(Event::SameProgram);
        }
        let cores = self.terms.cores_for(&self.engines)?;
        let player = |side: usize| {
            // Each worker asks for the first side first, and once.
            if let (0, Some(cores)) = (side, &cores) {
                cores.bind().map_err(|error| PlayerLost::Other(Box::new(error)))?;
            }
            players[side].player()
        };
        // An engine that does not start is reported before anything is written.
        let origin = self.origin(players, &limits)?;
        let names = [players[0].name(), players[1].name()];
        let event = format!("drawish match, {}, seed {}", book.name, ground.seed);
        let event = self.heading.event.as_deref().unwrap_or(&event);
        if let (Some(path), false) = (&self.log, self.resume) {
            MatchLog::refuse_other(path)?;
        }
        let append = self.terms.writing.append;
        let games = self.pgn.as_deref().map(|path| GamesFile::open(path, self.resume, append, event)).transpose()?;
        let ends =
            self.final_positions.as_deref().map(|path| GamesFile::open_positions(path, self.resume)).transpose()?;
        let (mut log, finished) = match &self.log {
            Some(path) if self.resume => {
                let (log, finished) = MatchLog::resume(path, &setup, origin.clone())?;
                (Some(log), finished)
            }
            Some(path) => (Some(MatchLog::create(path, &setup, origin.clone())?), Vec::new()),
            None => (None, Vec::new()),
        };
        // A match that is resumed has the date of its log.
        let origin = log.as_ref().map_or(&origin, MatchLog::origin).clone();
        let (sprt, test_of_log) = self.test_after(origin.test, &finished, observe);
        let tags = PgnTags {
            event,
            site: self.heading.site.as_deref(),
            date: origin.date.as_deref(),
            names,
            engines: origin.engines.each_ref().map(Option::as_deref),
            limits,
            brief: self.terms.writing.brief,
        };
        let to_pgn = |record: &PairRecord| record.to_pgn(&tags);
        let first = FirstGame::of(&tags, first_pair.get(), &book.openings);
        let mut games =
            games.map(|games| games.begin(finished.iter().map(to_pgn).collect(), Some(&first))).transpose()?;
        let before = || finished.iter().map(PairRecord::final_positions).collect();
        let mut ends = ends.map(|ends| ends.begin(before(), None)).transpose()?;
        let workers = self.terms.workers(&self.engines);
        let begins = Event::Begins { setup: &setup, book, pairs, workers, finished: &finished, sprt };
        let pairs = if observe(begins).is_break() { passed + finished.len() as u64 } else { pairs };
        let game = Match {
            openings: &book.openings,
            pairs,
            passed,
            limits,
            rules: self.terms.rules,
            tablebases: ground.tablebases(),
            sprt,
            concurrency: workers,
            fault_limit: self.terms.fault_limit,
            moves_of_every: self.terms.moves_of_every,
            figures: self.terms.writing.figures,
        };
        let ended = game.run(&player, &finished, &mut |record, tally, llr| {
            // The PGN can be made again from the log, so the log comes last.
            if let Some(games) = &mut games {
                games.append(&to_pgn(record))?;
            }
            if let Some(ends) = &mut ends {
                ends.append(&record.final_positions())?;
            }
            if let Some(log) = &mut log {
                log.append(record)?;
            }
            Ok(observe(Event::Pair { record, tally, llr }))
        });
        // This thread was one of the workers.
        if let Some(cores) = &cores {
            cores.release();
        }
        let finished = ended.map_err(|error| ContestError::of(error, names))?;
        let (duplicates, rejected) = (book.duplicates, book.rejected.len() as u64);
        Ok(Played { engines: self.engines.clone(), setup, origin, duplicates, rejected, sprt, test_of_log, finished })
    }
}
