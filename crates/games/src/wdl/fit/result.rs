//! What a fit has found.

use super::{CalibrationBin, Left, Local, Options, Shape, Warning};
use drawish_core::Wdl;
use drawish_stats::model::wdl::Cubic;
use drawish_stats::reach_of_95_percent_of_worth;

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What was asked for.
    pub options: Options,
    /// Wins, draws and losses of the positions used.
    pub retained: Wdl<f64>,
    /// Positions not used.
    pub left: Left,
    /// The values of mom, from the least to the most.
    pub moms: Vec<f64>,
    /// a and b of each row by itself.
    pub local: Vec<Local>,
    /// Rows with too few wins to be fitted by themselves.
    pub thin: Vec<f64>,
    /// Everything that was estimated from all positions; `None` of [`Method::Nothing`](super::Method::Nothing).
    pub estimate: Option<Estimate>,
    /// Objective at the first start, before the search.
    pub initial_objective: f64,
    /// The objective that the search ended with from each of its starts.
    pub ends: Vec<f64>,
    /// Whether the best search ended where a Newton step gains nothing.
    pub converged: bool,
    /// Standard errors of the estimate, where there are blocks.
    pub errors: Option<Estimate>,
    /// Number of blocks that the errors stand on.
    pub blocks: usize,
    /// So many blocks of equal size are [worth](drawish_stats::worth) as much as these.
    pub worth: f64,
    /// Mean log loss on blocks that were left out, each predicted from the others.
    pub held_out_loss: Option<f64>,
    /// Predicted and observed rates.
    pub calibration: Vec<CalibrationBin>,
    /// Whether the calibration was held out.
    pub calibration_held_out: bool,
    /// The weight of the penalty of splines.
    pub smoothing: Option<f64>,
    /// What a user should know.
    pub warnings: Vec<Warning>,
    /// Wins, draws and losses by mom and evaluation, for pictures.
    pub density: Density,
}

/// The figures of a fit; in [`Fit::errors`] their standard errors.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// a at the anchor.
    pub pawn_value: f64,
    /// b at the anchor.
    pub spread: f64,
    /// The objective.
    pub objective: f64,
    /// Parameters of a: for cubics from the highest power, then that of the time control.
    pub a: Vec<f64>,
    /// Parameters of b.
    pub b: Vec<f64>,
    /// a at each mom, at 4 minutes where the time control matters.
    pub a_at: Vec<f64>,
    /// b at each mom.
    pub b_at: Vec<f64>,
}

/// What was observed, by mom and evaluation.
#[derive(Clone, Debug)]
pub struct Density {
    /// Largest evaluation, internal units.
    pub eval_max: i32,
    /// For each mom its cells: evaluation, wins, draws and losses.
    pub rows: Vec<Vec<(f64, Wdl<f64>)>>,
}

impl Estimate {
    /// All figures, one after another.
    pub(super) fn values(&self) -> Vec<f64> {
        let Estimate { pawn_value, spread, objective, a, b, a_at, b_at } = self;
        [&[*pawn_value, *spread, *objective][..], a, b, a_at, b_at].concat()
    }

    /// Other figures in the same places, as many as [`values`](Self::values) gives.
    pub(super) fn with_values(&self, values: &[f64]) -> Estimate {
        let (&[pawn_value, spread, objective], mut rest) = values.split_first_chunk().unwrap_or((&[0.0; 3], &[]));
        let mut list = |len: usize| {
            let list;
            (list, rest) = rest.split_at(len);
            list.to_vec()
        };
        Estimate {
            pawn_value,
            spread,
            objective,
            a: list(self.a.len()),
            b: list(self.b.len()),
            a_at: list(self.a_at.len()),
            b_at: list(self.b_at.len()),
        }
    }

    /// p_a and p_b, of a cubic fit without the time control.
    #[must_use]
    pub fn cubics(&self) -> Option<[Cubic; 2]> {
        let cubic = |list: &[f64]| <[f64; 4]>::try_from(list).ok().map(Cubic);
        Some([cubic(&self.a)?, cubic(&self.b)?])
    }
}

impl Fit {
    /// How many of the [`errors`](Self::errors) a 95 % interval reaches to each side: by what the blocks are worth, since where few of
    /// them have most of the games the errors are as uncertain as those of these few.
    #[must_use]
    pub fn reach_of_95_percent(&self) -> f64 {
        reach_of_95_percent_of_worth(self.worth)
    }

    /// Whether the parameters are those of cubics in mom / target.
    #[must_use]
    pub fn is_cubic(&self) -> bool {
        self.options.shape == Shape::Cubic
    }
}
