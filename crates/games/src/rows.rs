//! Sampled positions as rows: what they are keyed by, how their games ended, and what their features are.
//!
//! The columns of a row file are those of [`Rows`], one row for each position; `frames` writes and reads them as
//! Parquet.
//!
//! # Stability
//!
//! Files name their version, [`VERSION`]. A feature that changes its meaning changes its name; new ones may come.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod event;
mod gather;
mod memory;
mod source;
mod take;

use std::sync::Arc;

use drawish_artefact::provenance::InputRecord;
use drawish_core::{Outcome, Scheme};

pub use event::EventKey;
pub(crate) use event::Events;
pub use gather::{Gather, Gathered};
pub use memory::MemoryRows;
pub use source::{RowSet, RowSetError, RowSource, Wanted};
pub use take::{Judge, MATE, TakeRows};

use drawish_heads::features;
use drawish_heads::heads::Input;

/// The version of row files: since 2 with the lines of games.
pub const VERSION: u32 = 2;

/// The largest evaluation that is told from larger ones, in centipawns.
const LARGEST_EVAL: i32 = 2000;

/// The half-move whose structure is the opening skeleton of a game.
pub const SKELETON_PLY: usize = 40;

/// Rows as columns of equal length, from White's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// A hash of the game's start and moves: the key of the game.
    pub games: Vec<u64>,
    /// A hash of the start and the first moves, see [`Identity::beginning`](crate::sample::Identity::beginning): games in which it is the same
    /// depend on each other. In files of version 1 the key of the game; empty where not known.
    pub lines: Vec<u64>,
    /// A hash of the pawns of both sides after [`SKELETON_PLY`] half-moves, or at the end of a shorter game.
    pub skeletons: Vec<u64>,
    /// Event and year, or both players where no event is named; empty where neither is.
    pub events: Vec<Arc<str>>,
    /// By the Result tag.
    pub outcomes: Vec<Outcome>,
    /// Half-moves before the position.
    pub plies: Vec<u16>,
    /// Rating of White.
    pub white_elos: Vec<Option<u16>>,
    /// Rating of Black.
    pub black_elos: Vec<Option<u16>>,
    /// What the engine to move said of this position, or a [`Judge`], in centipawns for White; mates beyond ±[`MATE`].
    pub evals: Vec<Option<i32>>,
    /// The cell of the structure in each scheme, in the order of [`Scheme::ALL`]; empty where not asked for.
    pub cells: Vec<Vec<u32>>,
    /// The values of each feature, in the order of [`features::all`]; empty where not asked for.
    pub features: Vec<Vec<i16>>,
    /// Where each position stands, if that is [asked for](Gather::places).
    pub places: Option<Vec<Place>>,
}

/// Where a position stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name of its input, without directories.
    pub input: Arc<str>,
    /// Its game, counted from 1 over all games of the input, skipped ones too. Of training data without games, its record.
    pub number: u64,
    /// The position as a FEN with six fields.
    pub fen: String,
}

impl Rows {
    /// No rows, with a place for every column.
    #[must_use]
    pub fn new() -> Rows {
        Rows {
            cells: vec![Vec::new(); Scheme::ALL.len()],
            features: vec![Vec::new(); features::all().len()],
            ..Rows::default()
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Whether a row has no value of what a term reads: no evaluation, or no rating of either player.
    #[must_use]
    pub fn lacks(&self, input: Input, row: usize) -> bool {
        match input {
            Input::Feature(_) => false,
            Input::Eval | Input::EvalSize => self.evals[row].is_none(),
            Input::MeanElo | Input::EloDifference => self.white_elos[row].is_none() || self.black_elos[row].is_none(),
        }
    }

    /// Leaves out the rows that [lack](Self::lacks) one of these, and says how many these were.
    pub fn leave_out_lacking(&mut self, inputs: &[Input]) -> usize {
        let has_all = |row: usize| !inputs.iter().any(|&input| self.lacks(input, row));
        let keep: Vec<bool> = (0..self.len()).map(has_all).collect();
        self.retain(&keep);
        keep.iter().filter(|&&keep| !keep).count()
    }

    /// What a term reads in a row; 0 where a covariate is [missing](Self::lacks).
    #[must_use]
    #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "within the ranges beside them"))]
    pub fn value(&self, input: Input, row: usize) -> i16 {
        let elos = self.white_elos.get(row).copied().flatten().zip(self.black_elos.get(row).copied().flatten());
        let eval = || self.evals[row].map_or(0, |eval| eval.clamp(-LARGEST_EVAL, LARGEST_EVAL) as i16);
        const { assert!(LARGEST_EVAL < MATE, "mates are larger than any evaluation") };
        match input {
            Input::Feature(place) => self.features[place][row],
            Input::Eval => eval(),
            Input::EvalSize => eval().abs(),
            Input::MeanElo => {
                elos.map_or(0, |(white, black)| ((i32::from(white) + i32::from(black) - 4800) / 20) as i16)
            }
            Input::EloDifference => {
                elos.map_or(0, |(white, black)| (i32::from(white) - i32::from(black)).clamp(-800, 800) as i16)
            }
        }
    }

    /// What tells the event of a row from the other events.
    #[must_use]
    pub fn event(&self, row: usize) -> EventKey {
        EventKey::of(&self.events[row], self.skeletons[row])
    }

    /// What tells the games that begin alike from others: the [line](Self::lines) of a row, or its game where lines are not known.
    #[must_use]
    pub fn line(&self, row: usize) -> u64 {
        self.lines.get(row).copied().unwrap_or(self.games[row])
    }

    /// Which rows, sampled by the rule with this line, are positions without their games: before a first move, without a name, and of no
    /// game that has another row. The rule may be one for games and such positions at once.
    #[must_use]
    pub fn are_boards(&self, rule: &str) -> Vec<bool> {
        if !rule.split_whitespace().take(2).eq(["--sample", "positions"]) {
            return vec![false; self.len()];
        }
        let mut marks = Vec::with_capacity(self.len());
        for game in self.games.chunk_by(|one, other| one == other) {
            let rows = marks.len()..marks.len() + game.len();
            let is_board = rows.clone().all(|row| self.plies[row] == 0 && self.events[row].is_empty());
            marks.extend(rows.map(|_| is_board));
        }
        marks
    }

    /// Keeps the rows that are marked; rows without a mark stay.
    pub fn retain(&mut self, keep: &[bool]) {
        fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
            let mut marks = keep.iter();
            column.retain(|_| *marks.next().unwrap_or(&true));
        }
        let Rows {
            games,
            lines,
            skeletons,
            events,
            outcomes,
            plies,
            white_elos,
            black_elos,
            evals,
            cells,
            features,
            places,
        } = self;
        retain(games, keep);
        retain(lines, keep);
        retain(skeletons, keep);
        retain(events, keep);
        retain(outcomes, keep);
        retain(plies, keep);
        retain(white_elos, keep);
        retain(black_elos, keep);
        retain(evals, keep);
        cells.iter_mut().for_each(|column| retain(column, keep));
        features.iter_mut().for_each(|column| retain(column, keep));
        places.iter_mut().for_each(|column| retain(column, keep));
    }

    /// Appends rows with the same columns. Without rows, these have places if the others have.
    pub fn append(&mut self, other: &mut Rows) {
        if self.is_empty() && other.places.is_some() {
            self.places = Some(Vec::new());
        }
        let Rows {
            games,
            lines,
            skeletons,
            events,
            outcomes,
            plies,
            white_elos,
            black_elos,
            evals,
            cells,
            features,
            places,
        } = self;
        if let (Some(own), Some(others)) = (places, &mut other.places) {
            own.append(others);
        }
        games.append(&mut other.games);
        lines.append(&mut other.lines);
        skeletons.append(&mut other.skeletons);
        events.append(&mut other.events);
        outcomes.append(&mut other.outcomes);
        plies.append(&mut other.plies);
        white_elos.append(&mut other.white_elos);
        black_elos.append(&mut other.black_elos);
        evals.append(&mut other.evals);
        for (own, others) in cells.iter_mut().zip(&mut other.cells) {
            own.append(others);
        }
        for (own, others) in features.iter_mut().zip(&mut other.features) {
            own.append(others);
        }
    }
}

/// What a row file tells of its making.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct RowsProvenance {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// The program.
    pub made_by: String,
    /// The rule as one line of text, see [`Rule`](crate::sample::Rule).
    pub rule: String,
    /// The inputs with digest and games.
    pub inputs: Vec<InputRecord>,
}
