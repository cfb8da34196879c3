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
    let tried = |at: &[f64]| {
        let there = function(at);
        (there.value, Some(there))
    };
    descend(start, precision, tried, &function)
}

/// The same where second derivatives cost much more than the value: only where a step ends are they asked for, not where one is tried.
///
/// `value` must give the very value that `derivatives` gives.
#[must_use]
pub fn newton_by_value(
    start: Vec<f64>,
    precision: f64,
    value: impl Fn(&[f64]) -> f64,
    derivatives: impl Fn(&[f64]) -> Derivatives,
) -> Minimum {
    descend(start, precision, |at| (value(at), None), derivatives)
}

/// `tried` gives the value, and what else it knows of a place.
fn descend(
    start: Vec<f64>,
    precision: f64,
    tried: impl Fn(&[f64]) -> (f64, Option<Derivatives>),
    derivatives: impl Fn(&[f64]) -> Derivatives,
) -> Minimum {
    let mut at = start;
    let mut here = derivatives(&at);
    let mut damping = 0.0;
    let end = |at: Vec<f64>, value: f64, steps: usize, converged: bool| Minimum {
        at,
        value: if value.is_nan() { f64::INFINITY } else { value },
        steps,
        converged,
    };
    for steps in 0..MOST_STEPS {
        let scale = 1.0 + here.value.abs();
        let promise_of = |direction: &[f64]| -dot(direction, &here.gradient);
        let full = direction(&here, 0.0);
        // Asked of the full step also where the last one had to be damped: the damping would never end where full steps go too far.
        if full.as_ref().is_some_and(|full| promise_of(full) <= precision * scale) {
            return end(at, here.value, steps, true);
        }
        let mut full = full.filter(|_| damping == 0.0);
        let mut least_promise = f64::INFINITY;
        let mut next = None;
        for _ in 0..MOST_RAISES {
            let direction = if damping == 0.0 { full.take() } else { direction(&here, damping) };
            if let Some(direction) = direction {
                let promise = promise_of(&direction);
                least_promise = least_promise.min(promise);
                let trial: Vec<f64> = at.iter().zip(&direction).map(|(at, step)| at + step).collect();
                let (value, there) = tried(&trial);
                // What a step gains below rounding cannot be seen in the value.
                let rounding = 4.0 * f64::EPSILON * here.value.abs();
                if value <= here.value - LEAST_GAIN * promise + rounding {
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
        let there = there.unwrap_or_else(|| derivatives(&trial));
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

    /// Poisson's loss with half its information: full steps go twice too far for ever, damped ones do not. The end was noticed only
    /// once the damping was gone, after hundreds of them.
    #[test]
    fn the_end_is_noticed_where_full_steps_go_too_far() {
        let value = |at: &[f64]| at[0].exp() - at[0];
        let derivatives = |at: &[f64]| {
            let mut hessian = Symmetric::zero(1);
            hessian.add_to_diagonal(0, 0.4 * at[0].exp());
            Derivatives { value: value(at), gradient: vec![at[0].exp() - 1.0], hessian }
        };
        let end = newton(vec![2.0], 1e-10, derivatives);
        assert!(end.converged && end.at[0].abs() < 1e-4 && end.steps < 40, "{end:?}");
        let asked = std::cell::Cell::new(0);
        let sparing = newton_by_value(vec![2.0], 1e-10, value, |at| {
            asked.set(asked.get() + 1);
            derivatives(at)
        });
        assert_eq!((&sparing, asked.get()), (&end, end.steps + 1));
    }
}
