//! Newton's method with the expected information, damped: for some hundreds of weights, to full precision.

use super::objective::{Objective, Sums};

/// Where a minimisation ended.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The weights.
    pub weights: Vec<f64>,
    /// The loss in nats, with the prior.
    pub loss: f64,
    /// How many steps it took.
    pub steps: usize,
    /// Whether it ended because nothing was left to gain.
    pub converged: bool,
}

/// A step that promises less than this share of the loss is the last.
const PRECISION: f64 = 1e-11;
const MOST_STEPS: usize = 100;

/// Minimises from `start`.
///
/// A step that does not lower the loss enough is halved; where the information is not positive definite, its diagonal is
/// raised until it is.
#[must_use]
pub fn newton(objective: &Objective<'_>, start: Vec<f64>) -> Minimum {
    let mut weights = start;
    let mut sums = objective.sums(&weights, true);
    for step in 0..MOST_STEPS {
        let direction = direction(&sums);
        let promise: f64 = -dot(&direction, &sums.gradient);
        if promise <= PRECISION * (1.0 + sums.loss.abs()) {
            return Minimum { weights, loss: sums.loss, steps: step, converged: true };
        }
        let mut length = 1.0;
        let better = loop {
            let trial: Vec<f64> = weights.iter().zip(&direction).map(|(weight, d)| weight + length * d).collect();
            let at_trial = objective.sums(&trial, true);
            if at_trial.loss <= sums.loss - 1e-4 * length * promise {
                break Some((trial, at_trial));
            }
            length /= 2.0;
            if length < 1e-6 {
                break None;
            }
        };
        let Some((trial, at_trial)) = better else {
            // Rounding hides what the step would gain.
            let converged = promise <= 1e-7 * (1.0 + sums.loss.abs());
            return Minimum { weights, loss: sums.loss, steps: step, converged };
        };
        (weights, sums) = (trial, at_trial);
    }
    Minimum { weights, loss: sums.loss, steps: MOST_STEPS, converged: false }
}

fn direction(sums: &Sums) -> Vec<f64> {
    let negative: Vec<f64> = sums.gradient.iter().map(|slope| -slope).collect();
    let Some(information) = &sums.information else { return negative };
    let mut extra = 0.0;
    loop {
        let mut raised = information.clone();
        for place in 0..raised.size() {
            let value = raised.get(place, place);
            raised.add_to_diagonal(place, extra * value.max(1e-8));
        }
        if let Some(factor) = raised.cholesky() {
            return factor.solve(&negative);
        }
        extra = if extra == 0.0 { 1e-8 } else { extra * 10.0 };
        if extra > 1e8 {
            return negative;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
