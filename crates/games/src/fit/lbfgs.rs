//! The limited-memory BFGS method (Nocedal 1980): for thousands of weights, where the information would not fit, and for
//! fits that are so near to another one that its information serves them, too.

use std::collections::VecDeque;

use super::newton::Minimum;
use super::objective::Objective;

/// Steps that are remembered.
const MEMORY: usize = 12;
const MOST_STEPS: usize = 500;
/// A step that gains less than this share of the loss, twice in a row, is the last.
const PRECISION: f64 = 1e-10;
/// A step that promises less than this share of the loss is not made.
const PROMISE: f64 = 1e-11;

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    curvature: f64,
}

/// Minimises from `start`; `inverse` multiplies a vector with about the inverse of the second derivatives.
#[must_use]
pub fn lbfgs(objective: &Objective<'_>, start: Vec<f64>, inverse: &dyn Fn(&[f64]) -> Vec<f64>) -> Minimum {
    let mut weights = start;
    let mut sums = objective.sums(&weights, false);
    let mut memory: VecDeque<Pair> = VecDeque::new();
    let mut small_gains = 0;
    for step in 0..MOST_STEPS {
        let mut direction = direction(&sums.gradient, &memory, inverse);
        let mut slope = dot(&direction, &sums.gradient);
        if slope >= 0.0 {
            memory.clear();
            direction = inverse(&sums.gradient).into_iter().map(|d| -d).collect();
            slope = dot(&direction, &sums.gradient);
        }
        if -slope <= PROMISE * (1.0 + sums.loss.abs()) {
            return Minimum { weights, loss: sums.loss, steps: step, converged: true };
        }
        let mut length = 1.0;
        let found = loop {
            let trial: Vec<f64> = weights.iter().zip(&direction).map(|(weight, d)| weight + length * d).collect();
            let at_trial = objective.sums(&trial, false);
            if at_trial.loss <= sums.loss + 1e-4 * length * slope {
                break Some((trial, at_trial));
            }
            length /= 2.0;
            if length < 1e-12 {
                break None;
            }
        };
        let Some((trial, at_trial)) = found else {
            return Minimum { weights, loss: sums.loss, steps: step, converged: small_gains > 0 };
        };
        let gain = sums.loss - at_trial.loss;
        let pair_step: Vec<f64> = trial.iter().zip(&weights).map(|(new, old)| new - old).collect();
        let change: Vec<f64> = at_trial.gradient.iter().zip(&sums.gradient).map(|(new, old)| new - old).collect();
        let curvature = dot(&pair_step, &change);
        if curvature > 1e-300 {
            memory.push_back(Pair { step: pair_step, change, curvature });
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (weights, sums) = (trial, at_trial);
        small_gains = if gain <= PRECISION * (1.0 + sums.loss.abs()) { small_gains + 1 } else { 0 };
        if small_gains == 2 {
            return Minimum { weights, loss: sums.loss, steps: step + 1, converged: true };
        }
    }
    Minimum { weights, loss: sums.loss, steps: MOST_STEPS, converged: false }
}

/// The two loops of the method.
fn direction(gradient: &[f64], memory: &VecDeque<Pair>, inverse: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let share = dot(&pair.step, &direction) / pair.curvature;
        direction.iter_mut().zip(&pair.change).for_each(|(d, change)| *d -= share * change);
        shares.push(share);
    }
    let size = memory.back().map_or(1.0, |pair| pair.curvature / dot(&pair.change, &inverse(&pair.change)));
    direction = inverse(&direction).into_iter().map(|d| d * size).collect();
    for (pair, share) in memory.iter().zip(shares.iter().rev()) {
        let other = dot(&pair.change, &direction) / pair.curvature;
        direction.iter_mut().zip(&pair.step).for_each(|(d, step)| *d += (share - other) * step);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
