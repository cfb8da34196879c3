//! From games to the parameters of each player, and of all of them together.

use std::collections::BTreeMap;
use std::num::NonZero;

use thiserror::Error;

use super::bootstrap::{Intervals, bootstrap};
use super::counting::{Count, Record, count};
use super::games::{Game, Reading, read_evaluated};
use crate::pgn::{Input, Pattern, Progress, View, Writer};

/// Whose games are counted, and how their evaluations are read.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Players whose name matches; `None` for all.
    pub player: Option<Pattern>,
    /// Games of events that match; `None` for all.
    pub event: Option<Pattern>,
    /// Whose evaluations the comments hold; `None` to tell by their style.
    pub writer: Option<Writer>,
    /// From whose view they are; `None` for that of their style.
    pub view: Option<View>,
}

/// The games of players, each from the view of its player.
#[derive(Debug)]
pub struct Players {
    /// What was read.
    pub reading: Reading,
    /// Games that count.
    pub games: u32,
    wanted: Wanted,
    records: BTreeMap<String, Vec<Record>>,
    /// Some names of players that are not wanted, for messages.
    others: Vec<String>,
}

/// How often games are drawn again for intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// How often; 0 for no intervals.
    pub replicates: u32,
    /// The same seed gives the same intervals.
    pub seed: u64,
}

/// What was counted for a player, or for all of them together.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The player; for all of them the pattern that their names match, or `all players`.
    pub name: String,
    /// The figures.
    pub count: Count,
    /// Their intervals of 90 %, if asked for and if the games are [enough](Count::too_few).
    pub intervals: Option<Intervals>,
}

/// What was counted.
#[derive(Clone, Debug)]
pub struct Estimated {
    /// All players together.
    pub all: Estimate,
    /// Each player, by name.
    pub each: Vec<Estimate>,
}

/// Why there is nothing to count.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum EstimateError {
    #[error("no player's name matches {pattern}; among the names are {}", names.join(", "))]
    NoPlayer { pattern: String, names: Vec<String> },
    #[error(
        "none of {games} games can be counted: they need a result{}{}",
        event.as_ref().map_or(String::new(), |event| format!(" and an event that matches {event}")),
        left_out.iter().map(|line| format!("; {line}")).collect::<String>()
    )]
    NoGame { games: u64, event: Option<String>, left_out: Vec<String> },
    #[error(
        "no evaluation of these players in the comments of {games} games; expected comments like {{+0.35/18 1.2s}}, {{[%eval 0.35]}} or {{wv=0.35}} after their moves"
    )]
    NoEvaluation { games: u32 },
}

impl Players {
    /// Reads games. `progress` is called with the bytes of files and the games read so far.
    #[must_use]
    pub fn read(inputs: Vec<Input>, threads: NonZero<usize>, wanted: Wanted, progress: &Progress<'_>) -> Players {
        /// Names that a message can bear.
        const NAMED: usize = 5;
        let (mut games, mut records, mut others) = (0, BTreeMap::<String, Vec<Record>>::new(), Vec::new());
        let is_wanted = |name: &str| wanted.player.as_ref().is_none_or(|player| player.fits(name));
        let is_asked_for = |game: &Game| {
            if wanted.event.as_ref().is_some_and(|event| !event.fits(&game.event)) {
                return false;
            }
            for name in [&game.white, &game.black] {
                if !is_wanted(name) && others.len() < NAMED && !others.contains(name) {
                    others.push(name.clone());
                }
            }
            is_wanted(&game.white) || is_wanted(&game.black)
        };
        let take = |game: Game, is_copy: bool| {
            let record = Record::of_game(&game, games, wanted.writer).filter(|_| !is_copy);
            let Some(of_game) = record else { return };
            games += 1;
            for (name, record) in [game.white, game.black].into_iter().zip(of_game) {
                if is_wanted(&name) {
                    records.entry(name).or_default().push(record);
                }
            }
        };
        let reading = read_evaluated(inputs, wanted.view, threads, is_asked_for, take, progress);
        Players { reading, games, wanted, records, others }
    }

    /// Counts the parameters of each player and of all together.
    ///
    /// # Errors
    ///
    /// If no game, no player or no evaluation is what is wanted.
    pub fn estimate(&self, draws: Draws) -> Result<Estimated, EstimateError> {
        let pattern = self.wanted.player.as_ref().map(|pattern| pattern.as_str().to_owned());
        if self.records.is_empty() {
            return Err(match pattern {
                Some(pattern) if !self.others.is_empty() => {
                    EstimateError::NoPlayer { pattern, names: self.others.clone() }
                }
                _ => EstimateError::NoGame {
                    games: self.reading.games,
                    event: self.wanted.event.as_ref().map(|pattern| pattern.as_str().to_owned()),
                    left_out: self.reading.left_out_in_words(),
                },
            });
        }
        let everybody: Vec<Record> = self.records.values().flatten().copied().collect();
        if everybody.iter().all(|record| record.peak.is_none()) {
            return Err(EstimateError::NoEvaluation { games: self.games });
        }
        let Draws { replicates, seed } = draws;
        let of = |name: &str, records: &[Record]| {
            let count = count(records);
            let asked = replicates > 0 && count.too_few().is_none();
            let intervals = asked.then(|| bootstrap(records, replicates, seed));
            Estimate { name: name.to_owned(), count, intervals }
        };
        Ok(Estimated {
            all: of(pattern.as_deref().unwrap_or("all players"), &everybody),
            each: self.records.iter().map(|(name, records)| of(name, records)).collect(),
        })
    }
}
