//! Models from fits, and from an engine's constants.

use super::file::{FORMAT, no_limit};
use super::{CurvePoint, Errors, Intervals, Model, ModelError, Retained, ShapeLoss};
use crate::wdl::Provenance;
use crate::wdl::fit::{Estimate, Family, Fit, Left};
use drawish_core::Wdl;
use drawish_stats::model::wdl::{Cubic, Mom};

/// A number that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl Model {
    /// The model of a fit, and where its counts come from.
    ///
    /// # Errors
    ///
    /// If nothing was fitted, by [`Method::Nothing`](super::super::fit::Method::Nothing).
    pub fn new(fit: &Fit, source: &Provenance) -> Result<Model, ModelError> {
        let options = &fit.options;
        let of = fit.estimate.as_ref().ok_or(ModelError::NotFitted)?;
        let errors = fit.errors.as_ref();
        let (mom_min, mom_max) = options.mom_limits();
        let Wdl { wins, draws, losses } = fit.retained;
        let point = |(place, &mom): (usize, &f64)| CurvePoint {
            mom,
            a: of.a_at[place],
            b: of.b_at[place],
            a_error: errors.and_then(|errors| finite(errors.a_at[place])),
            b_error: errors.and_then(|errors| finite(errors.b_at[place])),
        };
        Ok(Model {
            objective: finite(of.objective),
            a: of.a.clone(),
            b: of.b.clone(),
            errors: errors.map(|errors| Errors {
                pawn_value: errors.pawn_value,
                spread: errors.spread,
                objective: finite(errors.objective),
                a: errors.a.iter().copied().map(finite).collect(),
                b: errors.b.iter().copied().map(finite).collect(),
            }),
            intervals_95: errors.map(|errors| Intervals::new(of, errors, fit.reach_of_95_percent())),
            blocks: fit.blocks,
            held_out_log_loss: fit.held_out_loss,
            initial_objective: finite(fit.initial_objective),
            searches: fit.ends.iter().copied().map(finite).collect(),
            converged: fit.converged,
            model_fitting: Some(options.method),
            shape: options.shape.family(),
            smoothing: fit.smoothing,
            mom_min,
            mom_max,
            by_time_control: options.by_speed,
            normalization_pawn_value: Some(options.normalization.pawn_value()),
            retained: Retained { wins, draws, losses },
            left_out: fit.left,
            curve: fit.moms.iter().enumerate().map(point).collect(),
            local: fit.local.clone(),
            calibration: fit.calibration.clone(),
            calibration_held_out: fit.calibration_held_out,
            warnings: fit.warnings.iter().map(ToString::to_string).collect(),
            inputs: source.inputs.iter().map(|input| input.name.clone()).collect(),
            rule: source.rule_line(),
            made_by: drawish_artefact::provenance::made_by(),
            ..Model::bare(options.mom, options.mom_target, of.pawn_value, of.spread)
        })
    }

    /// The model of an engine's constants: the coefficients of a and b in m / target, from the highest power.
    #[must_use]
    pub fn from_coefficients(mom: Mom, target: f64, a: [f64; 4], b: [f64; 4]) -> Model {
        Model { a: a.to_vec(), b: b.to_vec(), ..Model::bare(mom, target, Cubic(a).sum(), Cubic(b).sum()) }
    }

    /// What is known from the anchor alone.
    pub(super) fn bare(mom: Mom, target: f64, pawn_value: f64, spread: f64) -> Model {
        Model {
            format: FORMAT.to_owned(),
            version: Model::VERSION,
            pawn_value,
            spread,
            normalized_spread: finite(spread / pawn_value),
            draw_rate_at_0: finite(1.0 - 2.0 / (1.0 + (pawn_value / spread).exp())),
            objective: None,
            a: Vec::new(),
            b: Vec::new(),
            errors: None,
            intervals_95: None,
            blocks: 0,
            held_out_log_loss: None,
            initial_objective: None,
            searches: Vec::new(),
            converged: false,
            model_fitting: None,
            shape: Family::Cubic,
            smoothing: None,
            mom_type: mom,
            mom_min: 0,
            mom_max: no_limit(),
            mom_target: target,
            by_time_control: false,
            normalization_pawn_value: None,
            retained: Retained::default(),
            left_out: Left::default(),
            curve: Vec::new(),
            local: Vec::new(),
            calibration: Vec::new(),
            calibration_held_out: false,
            warnings: Vec::new(),
            inputs: Vec::new(),
            rule: String::new(),
            made_by: String::new(),
            shapes: Vec::new(),
        }
    }

    /// With what other fits of the same counts say, to compare shapes.
    #[must_use]
    pub fn compared(self, fits: &[Fit]) -> Model {
        let loss = |fit: &Fit| {
            let of = fit.estimate.as_ref()?;
            Some(ShapeLoss {
                shape: fit.options.shape.family(),
                objective: finite(of.objective),
                held_out_log_loss: fit.held_out_loss,
                pawn_value: of.pawn_value,
            })
        };
        Model { shapes: fits.iter().filter_map(loss).collect(), ..self }
    }
}

impl Intervals {
    fn new(of: &Estimate, errors: &Estimate, reach: f64) -> Intervals {
        let interval = |value: f64, error: f64| [value - reach * error, value + reach * error];
        let all = |values: &[f64], errors: &[f64]| {
            values.iter().zip(errors).map(|(value, error)| interval(*value, *error).map(finite)).collect()
        };
        Intervals {
            pawn_value: interval(of.pawn_value, errors.pawn_value),
            spread: spread_interval(of.spread, errors.spread, reach),
            a: all(&of.a, &errors.a),
            b: all(&of.b, &errors.b),
        }
    }
}

/// The interval of a spread, at the anchor or elsewhere, that reaches so many standard errors. The spread of few games is too small rather
/// than too large, and its error with it: on the scale of logarithms intervals hold.
#[must_use]
pub fn spread_interval(spread: f64, error: f64, reach: f64) -> [f64; 2] {
    if spread > 0.0 {
        let factor = (reach * error / spread).exp();
        [spread / factor, spread * factor]
    } else {
        [spread - reach * error, spread + reach * error]
    }
}
