//! What to fit, to which positions, and how.

use super::{Objective, Shape};
use drawish_stats::model::wdl::Mom;

/// How an engine's centipawns become internal units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Normalization {
    /// 100 centipawns are always this many.
    Static(f64),
    /// 100 centipawns are p_a(mom / target), mom within limits.
    Dynamic {
        /// What the conversion depends on.
        mom: Mom,
        /// Smaller values count as this one.
        min: f64,
        /// Larger values count as this one.
        max: f64,
        /// The anchor.
        target: f64,
        /// Coefficients of p_a from the highest.
        a: [f64; 4],
    },
}

impl Normalization {
    /// The conversion that scoreWDL.py takes when it is told nothing: Stockfish's of 2025.
    pub const DEFAULT: Normalization = Normalization::Dynamic {
        mom: Mom::Material,
        min: 17.0,
        max: 78.0,
        target: 58.0,
        a: [-72.325_658_36, 185.938_320_38, -144.588_621_93, 416.449_504_46],
    };
}

/// How the parameters are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Curves through each row's a and b, which are fitted to shares of wins without weights.
    FitDensity,
    /// The minimum of an objective over all positions.
    Optimize(Objective),
    /// No fit: the figures of the estimate are not numbers.
    Nothing,
}

/// What to fit, and to which positions. Limits include their ends.
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
