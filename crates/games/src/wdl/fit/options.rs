//! What to fit, to which positions, and how.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Normalization, Objective, Shape};
use drawish_stats::model::wdl::Mom;

/// How the parameters are found. Names are those of scoreWDL.py.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Method {
    /// Curves through each row's a and b, which are fitted to shares of wins without weights.
    FitDensity,
    /// The minimum of an objective over all positions.
    Optimize(Objective),
    /// No fit: the figures of the estimate are not numbers.
    Nothing,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] = [
        Method::FitDensity,
        Method::Optimize(Objective::Probability),
        Method::Optimize(Objective::Score),
        Method::Nothing,
    ];

    /// The name in scoreWDL.py.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::FitDensity => "fitDensity",
            Method::Optimize(Objective::Probability) => "optimizeProbability",
            Method::Optimize(Objective::Score) => "optimizeScore",
            Method::Nothing => "None",
        }
    }
}

impl From<Method> for &'static str {
    fn from(method: Method) -> &'static str {
        method.name()
    }
}

impl TryFrom<String> for Method {
    type Error = UnknownMethod;

    fn try_from(name: String) -> Result<Method, UnknownMethod> {
        Method::ALL.into_iter().find(|method| method.name() == name).ok_or(UnknownMethod(name))
    }
}

/// A name that no method has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown method {0:?}: expected fitDensity, optimizeProbability, optimizeScore or None")]
pub struct UnknownMethod(String);

/// What to fit, and to which positions. Limits include their ends.
///
/// The default [`Normalization`] is Stockfish's: games of other engines, or ones whose evaluations are plain centipawns, need
/// their own, such as `Normalization::Static(100.0)`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are the options of scoreWDL.py")]
pub struct Options {
    pub normalization: Normalization,
    pub move_min: u32,
    pub move_max: u32,
    pub material_min: u32,
    pub material_max: u32,
    /// Largest evaluation in centipawns at the anchor.
    pub eval_max: f64,
    pub mom: Mom,
    pub mom_target: f64,
    pub method: Method,
    /// Fewest wins of a row that is fitted by itself.
    pub win_min: f64,
    pub shape: Shape,
    /// Let a and b depend on the time control, too: + c · log2(time / 4 min), time per player of a game of 40 moves.
    pub by_speed: bool,
    /// Go the way of scoreWDL.py, which ends short of the optimum: for comparing figures. Only for cubics.
    pub parity: bool,
    /// Estimate errors, held-out loss and calibration, where the counts have blocks.
    pub errors: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            normalization: Normalization::DEFAULT,
            move_min: 1,
            move_max: 120,
            material_min: 17,
            material_max: 78,
            eval_max: 400.0,
            mom: Mom::Material,
            mom_target: 58.0,
            method: Method::Optimize(Objective::Probability),
            win_min: 10.0,
            shape: Shape::Cubic,
            by_speed: false,
            parity: false,
            errors: true,
        }
    }
}

impl Options {
    /// The limits of what the curves depend on.
    #[must_use]
    pub fn mom_limits(&self) -> (u32, u32) {
        match self.mom {
            Mom::Move => (self.move_min, self.move_max),
            Mom::Material => (self.material_min, self.material_max),
        }
    }

    /// The objective that is told, also where it is not minimised.
    #[must_use]
    pub fn objective(&self) -> Objective {
        match self.method {
            Method::FitDensity | Method::Nothing => Objective::Probability,
            Method::Optimize(objective) => objective,
        }
    }
}
