//! Tournaments of several engines: who plays whom, one log for all pairings, and Elo by maximum likelihood.
//!
//! Every pairing plays pairs of games, one opening with both colours, and all pairings play the same openings in the same order. They
//! take turns: a round is one pair of each pairing, so a tournament that stops anywhere leaves all pairings equally long but
//! for one pair.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod log;
mod schedule;
mod seats;
mod standing;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub use self::log::{LoggedTournament, TournamentOrigin, TournamentSetup};
use self::log::{MOST_PAIRINGS, TournamentLog};
pub use self::schedule::Schedule;
use self::seats::Seats;
pub use self::standing::{EngineResults, Meeting, Standing};
use crate::arena::{Book, Cores, Limits, MatchLog, PairRecord, PgnTags, Playing, Side, in_order, in_turn, play_pair};
use crate::contest::{
    ContestError, DefaultLog, Engine, Event, FirstGame, GamesFile, Ground, Heading, Making, Openings, Players, Terms,
    check_files, check_names, default_log, difference_in_words, new_seed, refuse_equal, seed_of,
};

/// A tournament of two engines or more.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use drawish_match::arena::Limits;
/// use drawish_match::contest::{ArmSettings, Engine, Openings};
/// use drawish_match::tournament::Tournament;
/// use drawish_stats::EloZero;
///
/// let arm = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")])?;
/// let engine = |nodes: u64| Engine::from(arm.clone()).named(format!("n{nodes}")).limits(Limits::nodes(nodes));
/// let mut tournament = Tournament::new([30, 60, 120].map(engine).to_vec(), Openings::Random(4));
/// (tournament.terms.pairs, tournament.terms.seed) = (Some(2), Some(7));
/// let played = tournament.run(|_| ControlFlow::Continue(()))?;
/// assert_eq!(played.standing.pairs(), 6);
/// let ratings = played.standing.ratings(EloZero::Mean)?;
/// assert_eq!(ratings.elos().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a tournament is played by `run`"]
#[non_exhaustive]
pub struct Tournament {
    /// Who takes part; each has a name of its own.
    pub engines: Vec<Engine>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// How games are played; the pairs are those of each pairing.
    pub terms: Terms,
    /// Where every finished pair is written down, so that the tournament can be resumed.
    pub log: Option<PathBuf>,
    /// Whether the log may hold finished pairs of this tournament, which are not played again.
    pub resume: bool,
    /// Where the games are written as PGN.
    pub pgn: Option<PathBuf>,
    /// Where the final position of each game is written, as FEN, a line each.
    pub final_positions: Option<PathBuf>,
    /// What the games say of the tournament.
    pub heading: Heading,
    /// Whether arms may meet that search alike.
    pub allow_equal: bool,
}

/// What is said while a tournament goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum TournamentEvent<'a> {
    /// Openings were read, or tables opened, as in a match.
    Within(Event<'a>),
    /// Two engines are the same program with the same options and limits.
    SameProgram([&'a str; 2]),
    /// All is open, and the games begin.
    Begins {
        /// What is played.
        setup: &'a TournamentSetup,
        /// The openings, in their order.
        book: &'a Book,
        /// Rounds at most: pairs of each pairing.
        rounds: u64,
        /// Games at a time.
        workers: NonZeroUsize,
        /// The results of the log, which are not played again.
        standing: &'a Standing,
    },
    /// A pair is finished, and written down.
    Pair {
        /// The pair; its number counts those of all pairings.
        record: &'a PairRecord,
        /// Who has played it: White of its first game, and White of its second.
        players: [&'a str; 2],
        /// The results after it.
        standing: &'a Standing,
    },
}

/// Watches a tournament; a break ends it after the pair that has just been written down.
type Observer<'a> = dyn FnMut(TournamentEvent<'_>) -> ControlFlow<()> + Send + 'a;

/// A tournament that has ended.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TournamentPlayed {
    /// What was played.
    pub setup: TournamentSetup,
    /// When it was begun, and what the engines call themselves.
    pub origin: TournamentOrigin,
    /// Rounds that were to be played.
    pub rounds: u64,
    /// The results.
    pub standing: Standing,
}

impl Tournament {
    /// Everybody against everybody, with one pair of games for each opening and nothing written down.
    ///
    /// Limits are required, and with [`Openings::Random`] a number of pairs.
    pub fn new(engines: Vec<Engine>, openings: impl Into<Openings>) -> Tournament {
        Tournament::with_terms(engines, Terms::new(openings))
    }

    /// Everybody against everybody on such terms, with nothing written down.
    pub fn with_terms(engines: Vec<Engine>, terms: Terms) -> Tournament {
        let heading = Heading::default();
        let schedule = Schedule::RoundRobin;
        Tournament {
            engines,
            schedule,
            terms,
            log: None,
            resume: false,
            pgn: None,
            final_positions: None,
            heading,
            allow_equal: false,
        }
    }

    /// The limits of each engine, if the tournament can be played.
    ///
    /// # Errors
    ///
    /// If there are fewer than two engines, nothing limits one of them, two have one name, nobody would play, or figures of clocks are
    /// asked for without one.
    pub fn check(&self) -> Result<Vec<Limits>, ContestError> {
        check_names(&self.engines)?;
        if self.schedule.count(self.engines.len()) == 0 {
            return Err(ContestError::NobodyPlays { engines: self.engines.len(), schedule: self.schedule.to_string() });
        }
        let pairings = self.schedule.count(self.engines.len());
        if pairings > MOST_PAIRINGS {
            return Err(ContestError::Pairings { pairings, most: MOST_PAIRINGS });
        }
        let limits = self.engines.iter().map(|engine| self.terms.limits_of(engine));
        self.terms.for_figures(limits.collect::<Result<Vec<_>, _>>()?)
    }

    /// The log of a tournament for which none is named: `tournament.jsonl` where the program runs, with a number if a log of that name
    /// is there. A tournament that is resumed has the newest of these logs whose setup is its own.
    ///
    /// # Errors
    ///
    /// As [`Contest::default_log`](crate::contest::Contest::default_log).
    pub fn default_log(&self) -> Result<DefaultLog, ContestError> {
        default_log("tournament", self.resume, || {
            let games = self.terms.outline(|side| self.engines.iter().map(side).collect())?;
            Ok(move |line: &[u8]| match LoggedTournament::read(line) {
                Ok(LoggedTournament { setup: logged, .. }) => {
                    let games = self.terms.begun_as(&games, &logged.games);
                    difference_in_words(&logged, &TournamentSetup { schedule: self.schedule, games })
                }
                Err(error) => Some(error.to_string()),
            })
        })
    }

    /// Plays the tournament, or what is missing of it.
    ///
    /// Nothing is written before all engines have started. Each finished pair is written down before `observe` sees it.
    ///
    /// # Errors
    ///
    /// If the tournament cannot begin as it is described, if an engine fails too often, or if nothing more can be written; what was
    /// played before is in the log.
    pub fn run(
        &self,
        mut observe: impl FnMut(TournamentEvent<'_>) -> ControlFlow<()> + Send,
    ) -> Result<TournamentPlayed, ContestError> {
        let limits = self.check()?;
        check_files(&self.terms.openings, [self.log.as_ref(), self.pgn.as_ref(), self.final_positions.as_ref()])?;
        let logged = self.log.as_deref().filter(|_| self.resume).and_then(seed_of);
        let seed = self.terms.seed.or(logged).unwrap_or_else(new_seed);
        if let Some(openings) = self.terms.makes(self.terms.pairs) {
            let _ = observe(TournamentEvent::Within(Event::Making(openings)));
        }
        let book = self.terms.book(seed, self.terms.pairs)?;
        let _ = observe(TournamentEvent::Within(Event::Openings(&book)));
        let rounds = self.terms.pairs_from(&book)?;
        let making = Making::new(&self.terms, book.castling)?;
        let players = self.engines.iter().map(|engine| making.players(engine)).collect::<Result<Vec<_>, _>>()?;
        let syzygy = self.terms.syzygy()?;
        if let Some(syzygy) = &syzygy {
            let _ = observe(TournamentEvent::Within(Event::Tables(syzygy)));
        }
        let hall = Hall { ground: Ground { book, seed, syzygy }, players, limits, rounds };
        self.play(&hall, &mut observe)
    }

    /// When the tournament is begun, and what the engines call themselves, which are started for that.
    fn origin(&self, hall: &Hall) -> Result<TournamentOrigin, ContestError> {
        let date = self.heading.date(&self.engines, &hall.limits);
        let own_name = |players: &Players| {
            let mut player = players.player()?;
            player.new_game()?;
            Ok(player.own_name().map(str::to_owned))
        };
        let engines = hall.players.iter().map(own_name).collect::<Result<Vec<_>, ContestError>>()?;
        Ok(TournamentOrigin { date, engines })
    }

    /// Refuses pairings that would measure nothing, and reports those that look so.
    fn look_for_equals(
        &self,
        hall: &Hall,
        pairings: &[[usize; 2]],
        sides: &[Side],
        observe: &mut Observer<'_>,
    ) -> Result<(), ContestError> {
        for pairing in pairings {
            if !self.allow_equal {
                let limits = pairing.map(|engine| hall.limits[engine]);
                refuse_equal(pairing.map(|engine| &hall.players[engine]), limits)?;
            }
            let [one, two] = pairing.map(|engine| &sides[engine]);
            if (&one.player, &one.build, &one.options, &one.limits)
                == (&two.player, &two.build, &two.options, &two.limits)
            {
                let _ = observe(TournamentEvent::SameProgram([&one.name, &two.name]));
            }
        }
        Ok(())
    }

    fn play(&self, hall: &Hall, observe: &mut Observer<'_>) -> Result<TournamentPlayed, ContestError> {
        let Hall { ground, players, limits, rounds } = hall;
        let rounds = *rounds;
        let pairings = self.schedule.pairings(players.len());
        let sides: Vec<Side> = players.iter().zip(limits).map(|(players, &limits)| players.side(limits)).collect();
        self.look_for_equals(hall, &pairings, &sides, observe)?;
        let setup = TournamentSetup { schedule: self.schedule, games: ground.setup_of(sides, &self.terms) };
        let origin = self.origin(hall)?;
        let event = format!("drawish tournament, {}, seed {}", ground.book.name, ground.seed);
        let event = self.heading.event.as_deref().unwrap_or(&event);
        if let (Some(path), false) = (&self.log, self.resume) {
            MatchLog::refuse_other(path)?;
        }
        let append = self.terms.writing.append;
        let games = self.pgn.as_deref().map(|path| GamesFile::open(path, self.resume, append, event)).transpose()?;
        let ends =
            self.final_positions.as_deref().map(|path| GamesFile::open_positions(path, self.resume)).transpose()?;
        let opened = self.log.as_deref().map(|path| TournamentLog::open(path, &setup, origin.clone(), self.resume));
        let (mut log, finished) = opened.transpose()?.map_or((None, Vec::new()), |(log, held)| (Some(log), held));
        // A tournament that is resumed has the date of its log.
        let origin = log.as_ref().map_or(&origin, TournamentLog::origin).clone();
        let pairing_of = |number: u64| *in_turn(&pairings, number);
        let tags_of = |pair: u64| {
            let pairing = pairing_of(pair - 1);
            PgnTags {
                event,
                site: self.heading.site.as_deref(),
                date: origin.date.as_deref(),
                names: pairing.map(|engine| players[engine].name()),
                engines: pairing.map(|engine| origin.engines[engine].as_deref()),
                limits: pairing.map(|engine| limits[engine]),
                brief: self.terms.writing.brief,
            }
        };
        let to_pgn = |record: &PairRecord| record.to_pgn(&tags_of(record.pair));
        let first = FirstGame::of(&tags_of(1), 1, &ground.book.openings);
        let mut games =
            games.map(|games| games.begin(finished.iter().map(to_pgn).collect(), Some(&first))).transpose()?;
        let before = || finished.iter().map(PairRecord::final_positions).collect();
        let mut ends = ends.map(|ends| ends.begin(before(), None)).transpose()?;
        let names = players.iter().map(|players| players.name().to_owned()).collect();
        let mut standing = Standing::new(names, self.schedule, ground.book.openings.len() as u64);
        finished.iter().for_each(|record| standing.add(record));
        let workers = self.terms.workers(&self.engines);
        let begins =
            TournamentEvent::Begins { setup: &setup, book: &ground.book, rounds, workers, standing: &standing };
        let first = finished.len() as u64;
        let last =
            if observe(begins).is_break() { first } else { rounds.saturating_mul(pairings.len() as u64).max(first) };
        let cores = self.terms.cores_for(&self.engines)?;
        let ended = in_order(
            workers,
            first..last,
            || {
                cores.as_ref().map_or(Ok(()), Cores::bind)?;
                Ok::<Seats<'_>, ContestError>(Seats::new(players))
            },
            |seats, number, stop| {
                let pairing = pairing_of(number);
                let round = number / pairings.len() as u64;
                let opening = in_turn(&ground.book.openings, round);
                let playing = Playing {
                    limits: pairing.map(|engine| limits[engine]),
                    rules: &self.terms.rules,
                    tablebases: ground.tablebases(),
                    figures: self.terms.writing.figures,
                };
                let mut taken = seats.take(pairing)?;
                let [one, two] = &mut taken;
                let record = play_pair(number + 1, opening, [one.as_mut(), two.as_mut()], &playing, stop)?;
                seats.give_back(pairing, taken);
                let is_whole = round.is_multiple_of(self.terms.moves_of_every.get());
                Ok(record.map(|record| if is_whole { record } else { record.abridged() }))
            },
            |record: PairRecord| {
                // The PGN can be made again from the log, so the log comes last.
                if let Some(games) = &mut games {
                    games.append(&to_pgn(&record))?;
                }
                if let Some(ends) = &mut ends {
                    ends.append(&record.final_positions())?;
                }
                let names = pairing_of(record.pair - 1).map(|engine| players[engine].name());
                if let Some(log) = &mut log {
                    log.append(&record, names)?;
                }
                standing.add(&record);
                let wish = observe(TournamentEvent::Pair { record: &record, players: names, standing: &standing });
                match standing.too_faulty(self.terms.fault_limit) {
                    Some((name, faults)) => Err(ContestError::Faults { name: name.to_owned(), faults }),
                    None => Ok(wish),
                }
            },
        );
        // This thread was one of the workers.
        if let Some(cores) = &cores {
            cores.release();
        }
        ended?;
        Ok(TournamentPlayed { setup, origin, rounds, standing })
    }
}

/// What all games of a tournament share.
struct Hall {
    ground: Ground,
    players: Vec<Players>,
    limits: Vec<Limits>,
    rounds: u64,
}
