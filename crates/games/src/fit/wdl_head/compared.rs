//! What a comparison of WDL heads has found, as files keep it.

use drawish_artefact::provenance::InputRecord;
use drawish_stats::Calibration;
use serde::{Deserialize, Serialize};

use super::super::{FEWEST_EVENTS, Gain};
use crate::sample::is_of_positions;

/// A model's figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WdlVerdict {
    /// Its name.
    pub name: String,
    /// Its weights.
    pub weights: usize,
    /// Whether it was fitted to games that it is judged on, without folds: its figures flatter it.
    #[serde(default)]
    pub in_sample: bool,
    /// Mean loss of a position in bits.
    pub bits: f64,
    /// The same with all games counting the same.
    pub bits_by_game: f64,
    /// Over Stockfish's model, by position.
    pub gain: Gain,
    /// The same with all games counting the same.
    pub gain_by_game: Gain,
    /// Over the model before it, by position.
    pub over_last: Gain,
    /// Calibration of win, draw and loss of the side to move, as an engine shows them, in ten bins of equal mass.
    pub calibration: [Calibration; 3],
}

/// The comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComparedWdl {
    /// What made it: name, version and build.
    pub made_by: String,
    /// The files of games.
    pub inputs: Vec<InputRecord>,
    /// By which rules their positions were taken, one for each run.
    pub rules: Vec<String>,
    /// What to know before trusting the figures, a line each; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Positions judged.
    pub positions: usize,
    /// Games of them; of positions without their games each counts as one, see [`is_of_positions`](Self::is_of_positions).
    pub games: usize,
    /// Events of them.
    pub events: usize,
    /// Folds of openings and of events, or of games.
    pub folds: usize,
    /// Whether the folds are those of games.
    pub by_game: bool,
    /// The largest evaluation judged, in centipawns.
    pub largest_eval: i32,
    /// Stockfish's model first.
    pub verdicts: Vec<WdlVerdict>,
}

impl ComparedWdl {
    /// Whether positions without their games were judged: those of one game count as independent and stand on both sides of folds.
    #[must_use]
    pub fn is_of_positions(&self) -> bool {
        self.rules.iter().any(|rule| is_of_positions(rule))
    }

    /// Which models were judged on games of their own fit, in a line; `None` if none was.
    #[must_use]
    pub fn in_sample(&self) -> Option<String> {
        let names: Vec<&str> = self.verdicts.iter().filter(|one| one.in_sample).map(|one| &*one.name).collect();
        let rows = if names.len() > 1 { "the rows with a scale and a width" } else { names.first()? };
        Some(format!(
            "{rows}: in-sample, not by folds; the two numbers were fitted to some of the games that they are judged on"
        ))
    }

    /// What the errors are robust to dependence within: `events and games that begin alike`, or `games` of too few events that were held out
    /// by game.
    #[must_use]
    pub fn dependent_within(&self) -> &'static str {
        if is_within_games(self.by_game, self.events) { "games" } else { "events and games that begin alike" }
    }
}

/// Games of few events tell nothing of other events, but of other games they do.
pub(super) fn is_within_games(by_game: bool, events: usize) -> bool {
    by_game && events < FEWEST_EVENTS
}
