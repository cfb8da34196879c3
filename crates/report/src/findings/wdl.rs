//! A WDL model as `drawish wdl fit --json` writes it: what is read back of it.

use serde::Deserialize;

use drawish_stats::model::WinDrawLoss;
use drawish_stats::model::wdl::Curve;

/// A fitted WDL model.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct WdlFinding {
    /// The name of the file.
    #[serde(skip)]
    pub name: String,
    /// a at the anchor: the internal evaluation with a win rate of 1/2.
    pub pawn_value: f64,
    /// b at the anchor.
    pub spread: f64,
    /// Standard errors, where there are any.
    #[serde(default)]
    pub errors: Option<WdlErrors>,
    /// What a and b depend on: `material` or `move`.
    pub mom_type: String,
    /// The anchor.
    pub mom_target: f64,
    /// a and b from the least material or move to the most.
    pub curve: Vec<WdlRow>,
    /// Predicted and observed rates.
    #[serde(default)]
    pub calibration: Vec<WdlBin>,
    /// Whether the calibration is of games that were held out.
    #[serde(default)]
    pub calibration_held_out: bool,
    /// Mean log loss of a position on games held out.
    #[serde(default)]
    pub held_out_log_loss: Option<f64>,
    /// Positions by result.
    pub retained: Retained,
    /// What a user should know.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The files of games.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// The program that made it.
    #[serde(default)]
    pub made_by: String,
}

/// Standard errors at the anchor.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct WdlErrors {
    /// Of the pawn value.
    pub pawn_value: f64,
    /// Of the spread.
    pub spread: f64,
}

/// Positions that a fit has used.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct Retained {
    /// Won by the mover.
    pub wins: f64,
    /// Drawn.
    pub draws: f64,
    /// Lost.
    pub losses: f64,
}

/// a and b at one material or move.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct WdlRow {
    /// The material or the move.
    pub mom: f64,
    /// a: the evaluation with a win rate of 1/2.
    pub a: f64,
    /// b: how slowly the rates change with the evaluation.
    pub b: f64,
    /// Standard error of a.
    #[serde(default)]
    pub a_error: Option<f64>,
    /// Standard error of b.
    #[serde(default)]
    pub b_error: Option<f64>,
}

/// Predicted and observed rates of some positions.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct WdlBin {
    /// Sides of positions.
    pub sides: f64,
    /// Mean predicted win rate.
    pub predicted_win: f64,
    /// Observed win rate.
    pub observed_win: f64,
    /// Mean predicted draw rate.
    pub predicted_draw: f64,
    /// Observed draw rate.
    pub observed_draw: f64,
}

impl WdlFinding {
    /// Win, draw and loss rates at an evaluation in pawns of the anchor, for the row with this material or move.
    #[must_use]
    pub fn rates(&self, row: &WdlRow, pawns: f64) -> WinDrawLoss {
        Curve::new(row.a, row.b).rates(pawns * self.pawn_value)
    }

    /// The row nearest to the anchor.
    #[must_use]
    pub fn anchor(&self) -> Option<&WdlRow> {
        self.curve
            .iter()
            .min_by(|one, other| (one.mom - self.mom_target).abs().total_cmp(&(other.mom - self.mom_target).abs()))
    }
}
