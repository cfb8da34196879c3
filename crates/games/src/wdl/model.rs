//! The WDL model as a file: what was fitted, how sure it is, and the three questions that an engine asks of it.
//!
//! For the internal evaluation x of the side to move, in the engine's own units, at the material count or move number m:
//!
//! ```text
//! W = 1 / (1 + exp((a(m) - x) / b(m)))     L = 1 / (1 + exp((a(m) + x) / b(m)))     D = 1 - W - L     cp = 100 x / a(m)
//! ```
//!
//! a(m) and b(m) are cubics in m / target, or curves given point by point. Source: `win_rate_params`, `wdl` and `to_cp` in
//! Stockfish's `src/uci.cpp`, and scoreWDL.py of Stockfish's WDL_model.
//!
//! # Format, version 1
//!
//! A JSON object. `format` is `wdl-model`, `version` is 1; `pawn_value`, `spread`, `mom_type` and `mom_target` are always
//! there, and so is at least one of `as` with `bs` (coefficients from the highest power) and `curve` (a and b at each m, in
//! rising order). All other fields are what is known about the fit. Files without `format` and `version`, which earlier
//! programs wrote, are read the same.
//!
//! # Stability
//!
//! Fields may be added; readers ignore what they do not know. A field that changes its meaning is a new version.

mod file;
mod format;
mod of_fit;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fit::{CalibrationBin, Family, Left, Local, Method, Normalization};
use drawish_stats::model::WinDrawLoss;
use drawish_stats::model::wdl::{Cubic, Curve, Mom, WdlModel};
pub use file::ModelError;
pub use format::ModelFormat;
pub use of_fit::spread_interval;

/// What 100 centipawns can be in an engine's own units. Beyond it the search for a model has run away.
pub(super) const PAWN_VALUES: std::ops::RangeInclusive<f64> = 1.0..=1e5;

/// Why a model has no evaluation of what is asked.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error(
    "no evaluation has {asked} there: a = {a:.2}, b = {b:.2}; expected a number between 0 and 1 that the model reaches"
)]
pub struct NoEval {
    asked: String,
    a: f64,
    b: f64,
}

/// Reads the four coefficients of a cubic from the highest, as in an engine's `as[]`, with commas between.
///
/// # Errors
///
/// If they are not four numbers.
pub fn parse_coefficients(text: &str) -> Result<[f64; 4], &'static str> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let four = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
    let four = four.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    four.ok_or("expected four numbers with commas between, as in 9.1,97.9,-280.4,266.2")
}

/// An evaluation, by what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AskedEval {
    /// The engine's own units.
    Internal(f64),
    /// Centipawns, of which 100 are an even chance to win there.
    Centipawns(f64),
    /// Centipawns, of which 100 are an even chance to win at the anchor.
    Anchored(f64),
    /// Centipawns as an engine with this normalization shows them.
    ShownBy(f64, Normalization),
    /// The one with this win rate.
    Win(f64),
    /// The one with this expected score.
    Score(f64),
    /// The one of at least 0 with this draw rate.
    Draw(f64),
}

/// As the object of a sentence: a win rate of 0.5.
impl fmt::Display for AskedEval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedEval::Internal(eval) => write!(f, "{eval} internal units"),
            AskedEval::Centipawns(eval) | AskedEval::Anchored(eval) | AskedEval::ShownBy(eval, _) => {
                write!(f, "{eval} centipawns")
            }
            AskedEval::Win(rate) => write!(f, "a win rate of {rate}"),
            AskedEval::Score(score) => write!(f, "a score of {score}"),
            AskedEval::Draw(rate) => write!(f, "a draw rate of {rate}"),
        }
    }
}

/// A WDL model with what is known about it: [`load`](Model::load) it, [`save`](Model::save) it, ask it.
///
/// ```
/// use drawish_games::wdl::Model;
/// use drawish_stats::model::wdl::Mom;
///
/// let (a, b) = ([9.1, 97.9, -280.4, 266.2], [66.1, -104.9, 36.7, 49.2]);
/// let model = Model::from_coefficients(Mom::Material, 58.0, a, b);
/// let rates = model.wdl(58.0, model.to_internal(58.0, 100.0));
/// assert_eq!(rates.permille().wins, 500); // 100 centipawns win half of the games
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Model {
    #[serde(default)]
    format: String,
    #[serde(default)]
    version: u32,
    /// a at the anchor, internal units: the evaluation with a win rate of 1/2.
    pub pawn_value: f64,
    /// b at the anchor, internal units.
    pub spread: f64,
    /// b / a at the anchor.
    #[serde(default)]
    pub normalized_spread: Option<f64>,
    /// Draw rate at the evaluation 0 and the anchor.
    #[serde(default)]
    pub draw_rate_at_0: Option<f64>,
    /// The objective of the fit at its end.
    #[serde(default)]
    pub objective: Option<f64>,
    /// Parameters of a: for cubics from the highest power, then that of the time control.
    #[serde(default, rename = "as")]
    pub a: Vec<f64>,
    /// Parameters of b.
    #[serde(default, rename = "bs")]
    pub b: Vec<f64>,
    /// Standard errors, where there are any.
    #[serde(default)]
    pub errors: Option<Errors>,
    /// Intervals of 95 %, where there are errors.
    #[serde(default)]
    pub intervals_95: Option<Intervals>,
    /// Blocks of games that the errors stand on.
    #[serde(default)]
    pub blocks: usize,
    /// Mean log loss of a position on games held out, nats.
    #[serde(default)]
    pub held_out_log_loss: Option<f64>,
    /// The objective at the first start.
    #[serde(default)]
    pub initial_objective: Option<f64>,
    /// The objectives at which the searches ended; `None` for one that failed.
    #[serde(default)]
    pub searches: Vec<Option<f64>>,
    /// Whether the best search ended in a minimum.
    #[serde(default)]
    pub converged: bool,
    /// How the parameters were found.
    #[serde(default)]
    pub model_fitting: Option<Method>,
    /// The family of curves.
    #[serde(default)]
    pub shape: Family,
    /// Weight of the penalty on bends of splines.
    #[serde(default)]
    pub smoothing: Option<f64>,
    /// What a and b depend on.
    pub mom_type: Mom,
    /// Smaller values of it are taken as this one.
    #[serde(default)]
    pub mom_min: u32,
    /// Larger values are taken as this one.
    #[serde(default = "file::no_limit")]
    pub mom_max: u32,
    /// The anchor.
    pub mom_target: f64,
    /// Whether a and b depend on the time control, too; all figures are for four minutes then.
    #[serde(default)]
    pub by_time_control: bool,
    /// Internal units of a pawn by which the evaluations of the games were read.
    #[serde(default)]
    pub normalization_pawn_value: Option<f64>,
    /// Positions of the fit by result.
    #[serde(default)]
    pub retained: Retained,
    /// Positions that the limits of the fit left out.
    #[serde(default)]
    pub left_out: Left,
    /// a and b from the least material or move to the most.
    #[serde(default)]
    pub curve: Vec<CurvePoint>,
    /// a and b of single material counts or moves, each fitted by itself.
    #[serde(default)]
    pub local: Vec<Local>,
    /// Predicted and observed rates.
    #[serde(default)]
    pub calibration: Vec<CalibrationBin>,
    /// Whether the calibration is of games that were held out.
    #[serde(default)]
    pub calibration_held_out: bool,
    /// What a user should know.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The files of games.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// What was counted in them.
    #[serde(default)]
    pub rule: String,
    /// The program that made it.
    #[serde(default)]
    pub made_by: String,
    /// Other shapes fitted to the same positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeLoss>,
}

/// Standard errors of a model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Errors {
    /// Of the pawn value.
    pub pawn_value: f64,
    /// Of the spread.
    pub spread: f64,
    /// Of the objective.
    #[serde(default)]
    pub objective: Option<f64>,
    /// Of the parameters of a; `None` where one is not defined.
    #[serde(default, rename = "as")]
    pub a: Vec<Option<f64>>,
    /// Of those of b.
    #[serde(default, rename = "bs")]
    pub b: Vec<Option<f64>>,
}

/// Intervals of 95 %, each from its lower end to its upper one, from Student's distribution over the blocks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Intervals {
    /// Of the pawn value.
    pub pawn_value: [f64; 2],
    /// Of the spread, by the scale of its logarithm.
    pub spread: [f64; 2],
    /// Of the parameters of a; `None` where an end is not defined.
    #[serde(rename = "as")]
    pub a: Vec<[Option<f64>; 2]>,
    /// Of those of b.
    #[serde(rename = "bs")]
    pub b: Vec<[Option<f64>; 2]>,
}

/// Positions by their result for the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "they say it")]
pub struct Retained {
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

/// a and b at one material count or move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The material count or move.
    pub mom: f64,
    /// a, internal units.
    pub a: f64,
    /// b, internal units.
    pub b: f64,
    /// Standard error of a.
    #[serde(default)]
    pub a_error: Option<f64>,
    /// Standard error of b.
    #[serde(default)]
    pub b_error: Option<f64>,
}

/// How a shape did on the positions of a fit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShapeLoss {
    /// Which family of curves.
    pub shape: Family,
    /// Its objective.
    pub objective: Option<f64>,
    /// Its mean log loss on games held out.
    pub held_out_log_loss: Option<f64>,
    /// Its a at the anchor.
    pub pawn_value: f64,
}

impl Model {
    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// a and b as cubics of m / target with its limits; `None` of other shapes.
    #[must_use]
    pub fn cubics(&self) -> Option<WdlModel> {
        let cubic = |list: &[f64]| Some(Cubic(*list.first_chunk()?));
        let (min, max) = (f64::from(self.mom_min), f64::from(self.mom_max));
        let model =
            WdlModel { mom: self.mom_type, min, max, target: self.mom_target, a: cubic(&self.a)?, b: cubic(&self.b)? };
        (self.shape == Family::Cubic).then_some(model)
    }

    /// The same with the reason why there is none.
    ///
    /// # Errors
    ///
    /// If no evaluation is what is asked for.
    pub fn ask(&self, asked: AskedEval, mom: f64) -> Result<f64, NoEval> {
        let curve = self.win_rate_params(mom);
        self.eval_of(asked, mom).ok_or_else(|| NoEval { asked: asked.to_string(), a: curve.a, b: curve.b })
    }

    /// The evaluation at a material count or move that is asked for, in internal units; `None` if none has what is asked.
    #[must_use]
    pub fn eval_of(&self, asked: AskedEval, mom: f64) -> Option<f64> {
        let curve = self.win_rate_params(mom);
        match asked {
            AskedEval::Internal(eval) => Some(eval),
            AskedEval::Centipawns(centipawns) => Some(centipawns * curve.a / 100.0),
            AskedEval::Anchored(centipawns) => Some(centipawns * self.pawn_value / 100.0),
            AskedEval::ShownBy(centipawns, normalization) => Some(centipawns * normalization.pawn_at(mom) / 100.0),
            AskedEval::Win(rate) => curve.eval_of_win(rate),
            AskedEval::Score(score) => curve.eval_of_score(score),
            AskedEval::Draw(rate) => curve.eval_of_draw(rate),
        }
    }

    /// a and b at a material count or move: Stockfish's `win_rate_params`.
    #[must_use]
    pub fn win_rate_params(&self, mom: f64) -> Curve {
        if let Some(cubics) = self.cubics() {
            return cubics.curve(mom);
        }
        let points = &self.curve;
        let Some(last) = points.len().checked_sub(1) else { return Curve::new(self.pawn_value, self.spread) };
        let behind = points.iter().position(|point| point.mom >= mom).unwrap_or(last);
        let (before, behind) = (points[behind.saturating_sub(1)], points[behind]);
        let width = behind.mom - before.mom;
        let share = if width > 0.0 { ((mom - before.mom) / width).clamp(0.0, 1.0) } else { 1.0 };
        let between = |one: f64, other: f64| one + share * (other - one);
        Curve::new(between(before.a, behind.a), between(before.b, behind.b))
    }

    /// Win, draw and loss rates of the side to move at a material count or move, for an evaluation in internal units.
    #[must_use]
    pub fn wdl(&self, mom: f64, internal: f64) -> WinDrawLoss {
        self.win_rate_params(mom).rates(internal)
    }

    /// The centipawns that an engine shows: 100 x / a, so that 100 win half of the games.
    #[must_use]
    pub fn to_cp(&self, mom: f64, internal: f64) -> f64 {
        100.0 * internal / self.win_rate_params(mom).a
    }

    /// The internal evaluation behind the centipawns that an engine shows: the inverse of [`to_cp`](Model::to_cp).
    #[must_use]
    pub fn to_internal(&self, mom: f64, centipawns: f64) -> f64 {
        centipawns * self.win_rate_params(mom).a / 100.0
    }

    /// The point of the curve that is nearest to the anchor.
    #[must_use]
    pub fn anchor(&self) -> Option<&CurvePoint> {
        let distance = |point: &CurvePoint| (point.mom - self.mom_target).abs();
        self.curve.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    /// Makes sure that the pawn value is one that an engine can have: 1 to 100,000 internal units.
    ///
    /// # Errors
    ///
    /// [`ModelError::PawnValue`].
    pub fn check_pawn_value(&self) -> Result<(), ModelError> {
        let value = self.pawn_value;
        if PAWN_VALUES.contains(&value) { Ok(()) } else { Err(ModelError::PawnValue(value)) }
    }

    /// The coefficients as constants of an engine in C++ and in Rust, one line each; empty for other shapes than cubics.
    #[must_use]
    pub fn constants(&self) -> String {
        let Some(WdlModel { a, b, .. }) = self.cubics() else { return String::new() };
        let list = |cubic: Cubic| cubic.0.map(|value| format!("{value:.8}")).join(", ");
        let (a, b) = (list(a), list(b));
        format!(
            "    constexpr double as[] = {{{a}}};\n    constexpr double bs[] = {{{b}}};\n    \
                 const AS: [f64; 4] = [{a}];\n    const BS: [f64; 4] = [{b}];\n"
        )
    }
}
