//! Newton's method, damped: for up to some hundreds of unknowns, to full precision.

use super::dot;
use super::linear::Symmetric;

/// A function near a place: its value, slopes and curvature there.
#[derive(Clone, PartialEq, Debug)]
pub struct Derivatives {
    /// The value; infinite or NaN where the function is not defined, which no search enters.
    pub value: f64,
    /// The derivative by each unknown.
    pub gradient: Vec<f64>,
    /// The second derivatives, or the expected information in their place. It need not be positive definite.
    pub hessian: Symmetric,
}

/// Where a minimisation ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Minimum {
    /// The unknowns.
    pub at: Vec<f64>,
    /// The value there; infinite if the function is not defined where the search began.
    pub value: f64,
    /// How many steps it took.
    pub steps: usize,
    /// Whether it ended because nothing was left to gain.
    pub converged: bool,
}

const MOST_STEPS: usize = 200;
/// The share of the promised gain that a step must bring.
const LEAST_GAIN: f64 = 1e-4;
/// A promise below this share of the value can be hidden by rounding.
const HIDDEN: f64 = 2e-13;
/// The first damping, by which the diagonal grows. 40 times ten times more is beyond any curvature: then no direction goes
/// down.
const FIRST_DAMPING: f64 = 1e-6;
const MOST_RAISES: usize = 40;

/// Minimises a function from `start` by Newton steps -(H + damping diag |H|)^-1 g, damped as much as it takes to go down
/// (Levenberg 1944, Marquardt 1963).
///
/// It has converged when a full step promises, by the slopes, to gain less than the share `precision` of 1 + |value|; that
/// step is not made. Where the function is convex near its minimum, each step about doubles the digits that are right.
///
/// ```
/// use drawish_stats::numeric::{Derivatives, Symmetric, newton};
///
/// let bowl = |at: &[f64]| {
///     let mut hessian = Symmetric::zero(1);
///     hessian.add_to_diagonal(0, 2.0);
///     Derivatives { value: (at[0] - 3.0).powi(2), gradient: vec![2.0 * (at[0] - 3.0)], hessian }
/// };
/// assert!((newton(vec![0.0], 1e-12, bowl).at[0] - 3.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn newton(start: Vec<f64>, precision: f64, function: impl Fn(&[f64]) -> Derivatives) -> Minimum {
    let mut at = start;
    let mut here = function(&at);
    let mut damping = 0.0;
    let end = |at: Vec<f64>, value: f64, steps: usize, converged: bool| Minimum {
        at,
        value: if value.is_nan() { f64::INFINITY } else { value },
        steps,
        converged,
    };
    for steps in 0..MOST_STEPS {
        let scale = 1.0 + here.value.abs();
        let mut least_promise = f64::INFINITY;
        let mut next = None;
        for _ in 0..MOST_RAISES {
            if let Some(direction) = direction(&here, damping) {
                let promise = -dot(&direction, &here.gradient);
                least_promise = least_promise.min(promise);
                if damping == 0.0 && promise <= precision * scale {
                    return end(at, here.value, steps, true);
                }
                let trial: Vec<f64> = at.iter().zip(&direction).map(|(at, step)| at + step).collect();
                let there = function(&trial);
                // What a step gains below rounding cannot be seen in the value.
                let rounding = 4.0 * f64::EPSILON * here.value.abs();
                if there.value <= here.value - LEAST_GAIN * promise + rounding {
                    next = Some((trial, there, promise));
                    break;
                }
            }
            damping = if damping == 0.0 { FIRST_DAMPING } else { damping * 10.0 };
        }
        let Some((trial, there, promise)) = next else {
            return end(at, here.value, steps, least_promise <= HIDDEN * scale);
        };
        damping = if damping < 1e-9 { 0.0 } else { damping / 10.0 };
        let lower = there.value < here.value;
        (at, here) = (trial, there);
        // Steps that are all rounding lead nowhere.
        if !lower && promise <= f64::EPSILON * scale {
            return end(at, here.value, steps + 1, true);
        }
    }
    end(at, here.value, MOST_STEPS, false)
}

/// -(H + damping diag |H|)^-1 g; `None` where that matrix is not positive definite, or the step not finite.
fn direction(here: &Derivatives, damping: f64) -> Option<Vec<f64>> {
    let mut raised = here.hessian.clone();
    if damping > 0.0 {
        let size = raised.size();
        let mean = (0..size).map(|place| raised.get(place, place).abs()).sum::<f64>() / size as f64;
        for place in 0..size {
            let diagonal = raised.get(place, place).abs();
            raised.add_to_diagonal(place, damping * diagonal.max(1e-9 * mean));
        }
    }
    let negative: Vec<f64> = here.gradient.iter().map(|slope| -slope).collect();
    let step = raised.cholesky()?.solve(&negative);
    step.iter().all(|step| step.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose Hessian is not positive definite everywhere.
    fn valley(at: &[f64]) -> Derivatives {
        let (x, y) = (at[0], at[1]);
        let mut hessian = Symmetric::zero(2);
        hessian.row_mut(0)[0] = 2.0 - 400.0 * (y - 3.0 * x * x);
        hessian.row_mut(1).copy_from_slice(&[-400.0 * x, 200.0]);
        Derivatives {
            value: 1.0 + (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2),
            gradient: vec![-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x)],
            hessian,
        }
    }

    #[test]
    fn the_valley_is_followed_to_its_end() {
        for start in [[-1.2, 1.0], [0.0, 5.0], [3.0, -3.0]] {
            let end = newton(start.to_vec(), 1e-20, valley);
            assert!(end.converged, "{end:?}");
            assert!((end.at[0] - 1.0).abs() < 1e-7 && (end.at[1] - 1.0).abs() < 1e-7, "{end:?}");
        }
    }

    /// x - ln x, which has no value at or below 0, from where full steps would lead there.
    #[test]
    fn no_step_leaves_where_the_function_is_defined() {
        let function = |at: &[f64]| {
            let mut hessian = Symmetric::zero(1);
            hessian.add_to_diagonal(0, 1.0 / (at[0] * at[0]));
            Derivatives { value: at[0] - at[0].ln(), gradient: vec![1.0 - 1.0 / at[0]], hessian }
        };
        let end = newton(vec![5.0], 1e-15, function);
        assert!(end.converged && (end.at[0] - 1.0).abs() < 1e-7, "{end:?}");
        let nowhere = newton(vec![-1.0], 1e-15, function);
        assert!(!nowhere.converged && nowhere.value == f64::INFINITY, "{nowhere:?}");
    }

    /// Of a parabola the first step is the whole way, also where there is little to gain.
    #[test]
    fn a_parabola_takes_one_step_from_anywhere() {
        for start in [3.001, 3.5, 1e4, -70.0] {
            let end = newton(vec![start], 1e-12, |at| {
                let mut hessian = Symmetric::zero(1);
                hessian.add_to_diagonal(0, 2.0);
                Derivatives { value: 5.0 + (at[0] - 3.0).powi(2), gradient: vec![2.0 * (at[0] - 3.0)], hessian }
            });
            assert!(end.converged && end.steps == 1 && (end.at[0] - 3.0).abs() < 1e-9, "{start}: {end:?}");
            assert!((end.value - 5.0).abs() < 1e-12, "{start}: {end:?}");
        }
    }
}
