//! Games of one engine against itself, for counting: one from each opening.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::error::ContestError;
use super::games_file::{GamesFile, check_files};
use super::heading::Heading;
use super::players::Making;
use super::terms::{Openings, Terms, new_seed};
use super::{Engine, Event, Ground};
use crate::arena::{PairRecord, PgnTags, Series, Tally};

/// Games of one engine against itself, written as PGN: games to count, not a match.
#[derive(Clone, Debug)]
#[must_use = "self-play is played by `run`"]
#[non_exhaustive]
pub struct SelfPlay {
    /// The engine, which has both colours.
    pub engine: Engine,
    /// How games are played; pairs, repeated openings and the log of a match have no meaning here.
    pub terms: Terms,
    /// Games to play; one for each opening if `None`.
    pub games: Option<u64>,
    /// Where the games are written as PGN.
    pub pgn: PathBuf,
    /// What the games say of themselves.
    pub heading: Heading,
}

/// What came of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayed {
    /// Games played.
    pub games: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games that ended by a crash, a stall, an illegal move or lost time.
    pub faults: u64,
    /// Of the order of the openings.
    pub seed: u64,
}

impl SelfPlay {
    /// Games of an engine from these openings, written to a file.
    pub fn new(engine: impl Into<Engine>, openings: impl Into<Openings>, pgn: impl Into<PathBuf>) -> SelfPlay {
        SelfPlay::with_terms(engine.into(), Terms::new(openings), pgn.into())
    }

    /// Games of an engine on such terms, written to a file.
    pub fn with_terms(engine: Engine, terms: Terms, pgn: PathBuf) -> SelfPlay {
        SelfPlay { engine, terms, games: None, pgn, heading: Heading::default() }
    }

    /// Plays the games. Of the pairs that `observe` sees, only the first game was played.
    ///
    /// # Errors
    ///
    /// If the games cannot begin as they are described, if the engine fails too often, or if nothing more can be written.
    pub fn run(
        &self,
        mut observe: impl FnMut(Event<'_>) -> ControlFlow<()> + Send,
    ) -> Result<SelfPlayed, ContestError> {
        let [limits] = self.terms.for_figures([self.terms.limits_of(&self.engine)?])?;
        check_files(&self.terms.openings, [None, Some(&self.pgn), None])?;
        let seed = self.terms.seed.unwrap_or_else(new_seed);
        if let Some(openings) = self.terms.makes(self.games) {
            let _ = observe(Event::Making(openings));
        }
        let book = self.terms.book(seed, self.games)?;
        let _ = observe(Event::Openings(&book));
        let openings = book.openings.len() as u64;
        let games = self.games.unwrap_or(openings);
        if games > openings {
            return Err(ContestError::FewGames { games, book: book.name, openings });
        }
        let syzygy = self.terms.syzygy()?;
        if let Some(syzygy) = &syzygy {
            let _ = observe(Event::Tables(syzygy));
        }
        let ground = Ground { book, seed, syzygy };
        let players = Making::new(&self.terms, ground.book.castling)?.players(&self.engine)?;
        let mut player = players.player()?;
        player.new_game()?;
        let own_name = player.own_name().map(str::to_owned);
        drop(player);
        let event = format!("drawish self-play, {}, seed {seed}", ground.book.name);
        let event = self.heading.event.as_deref().unwrap_or(&event);
        let file = GamesFile::open(&self.pgn, false, self.terms.writing.append, event);
        let file = file.map_err(|error| match error {
            // There is no log from which it could be resumed.
            ContestError::GamesExist { path } => ContestError::GamesThere { path },
            error => error,
        })?;
        let date = self.heading.date(std::slice::from_ref(&self.engine), &[limits]);
        let series = Series {
            openings: &ground.book.openings[..usize::try_from(games).unwrap_or(usize::MAX)],
            limits,
            rules: self.terms.rules,
            tablebases: ground.tablebases(),
            concurrency: self.terms.workers(std::slice::from_ref(&self.engine)),
            figures: self.terms.writing.figures,
        };
        let name = players.name();
        let tags = PgnTags {
            event,
            site: self.heading.site.as_deref(),
            date: date.as_deref(),
            names: [name; 2],
            engines: [own_name.as_deref(); 2],
            limits: [limits; 2],
            brief: self.terms.writing.brief,
        };
        let mut file = file.begin(String::new(), None)?;
        let mut played = SelfPlayed { games: 0, drawn: 0, faults: 0, seed };
        series.run(
            || players.player(),
            |record: &PairRecord| {
                let game = &record.games[0];
                played.games += 1;
                played.drawn += u64::from(game.winner().is_none());
                played.faults += u64::from(game.end.is_fault());
                file.append(&record.game_to_pgn(0, &tags))?;
                let faults = played.faults;
                if faults > self.terms.fault_limit {
                    return Err(ContestError::FaultyGames { name: name.to_owned(), faults });
                }
                Ok(observe(Event::Pair { record, tally: &Tally::default(), llr: None }))
            },
        )?;
        Ok(played)
    }
}
