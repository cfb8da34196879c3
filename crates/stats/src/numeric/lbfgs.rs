//! The limited-memory BFGS method (Nocedal 1980): for thousands of unknowns, whose second derivatives would not fit, and
//! for minima so near to another one that its second derivatives serve them, too.

use std::collections::VecDeque;

use super::dot;
use super::newton::Minimum;

/// Steps that are remembered.
const MEMORY: usize = 12;
const MOST_STEPS: usize = 500;
/// The share of the value for [`lbfgs`] that leaves nothing worth having.
pub const LBFGS_PRECISION: f64 = 1e-10;

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    curvature: f64,
}

/// Minimises a function from `start`, of which value and gradient are given; `inverse` multiplies a vector with about the
/// inverse of the second derivatives.
///
/// A step that gains less than `precision` times the value, twice in a row, is the last; one that promises less than a tenth of
/// that is not made. [`LBFGS_PRECISION`] serves where nothing else is known.
#[must_use]
pub fn lbfgs(
    start: Vec<f64>,
    precision: f64,
    inverse: &dyn Fn(&[f64]) -> Vec<f64>,
    function: impl Fn(&[f64]) -> (f64, Vec<f64>),
) -> Minimum {
    let mut at = start;
    let (mut value, mut gradient) = function(&at);
    let mut memory: VecDeque<Pair> = VecDeque::new();
    let mut small_gains = 0;
    for steps in 0..MOST_STEPS {
        let mut direction = direction(&gradient, &memory, inverse);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            memory.clear();
            direction = inverse(&gradient).into_iter().map(|d| -d).collect();
            slope = dot(&direction, &gradient);
        }
        if -slope <= 0.1 * precision * (1.0 + value.abs()) {
            return Minimum { at, value, steps, converged: true };
        }
        let mut length = 1.0;
        let found = loop {
            let trial: Vec<f64> = at.iter().zip(&direction).map(|(at, d)| at + length * d).collect();
            let (value_there, gradient_there) = function(&trial);
            if value_there <= value + 1e-4 * length * slope {
                break Some((trial, value_there, gradient_there));
            }
            length /= 2.0;
            if length < 1e-12 {
                break None;
            }
        };
        let Some((trial, value_there, gradient_there)) = found else {
            return Minimum { at, value, steps, converged: small_gains > 0 };
        };
        let gain = value - value_there;
        let step: Vec<f64> = trial.iter().zip(&at).map(|(new, old)| new - old).collect();
        let change: Vec<f64> = gradient_there.iter().zip(&gradient).map(|(new, old)| new - old).collect();
        let curvature = dot(&step, &change);
        if curvature > 1e-300 {
            memory.push_back(Pair { step, change, curvature });
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (at, value, gradient) = (trial, value_there, gradient_there);
        small_gains = if gain <= precision * (1.0 + value.abs()) { small_gains + 1 } else { 0 };
        if small_gains == 2 {
            return Minimum { at, value, steps: steps + 1, converged: true };
        }
    }
    Minimum { at, value, steps: MOST_STEPS, converged: false }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_minima() {
        // Twenty unknowns of very different curvature, told as all alike.
        let curvature = |place: usize| (1 + place * place) as f64;
        let bowl = |at: &[f64]| {
            let off: Vec<f64> = at.iter().enumerate().map(|(place, x)| x - place as f64).collect();
            let value = off.iter().enumerate().map(|(place, x)| curvature(place) * x * x).sum();
            (value, off.iter().enumerate().map(|(place, x)| 2.0 * curvature(place) * x).collect())
        };
        let end = lbfgs(vec![-1.0; 20], LBFGS_PRECISION, &|right| right.iter().map(|x| 0.01 * x).collect(), bowl);
        assert!(end.converged, "{end:?}");
        assert!(end.at.iter().enumerate().all(|(place, x)| (x - place as f64).abs() < 1e-4), "{end:?}");
    }

    /// A minimum of 0, of which no share is left to gain.
    #[test]
    fn a_minimum_of_nothing_is_reached() {
        let same = |right: &[f64]| right.to_vec();
        let bowl = |at: &[f64]| (at[0] * at[0] + 9.0 * at[1] * at[1], vec![2.0 * at[0], 18.0 * at[1]]);
        let end = lbfgs(vec![3.0, -2.0], LBFGS_PRECISION, &same, bowl);
        assert!(end.converged && end.steps < 15 && end.at.iter().all(|x| x.abs() < 1e-4), "{end:?}");
    }
}
