//! What is minimised, with its derivatives by a and b of one row.

use super::table::Folded;
use drawish_core::Wdl;
use drawish_stats::model::wdl::SMALLEST_B;
use drawish_stats::numeric::sigmoid;

/// Probabilities below this count as this, as in scoreWDL.py.
const SMALLEST_PROBABILITY: f64 = 1e-14;

/// Which objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// Minus the mean logarithm of the probability of the result.
    Probability,
    /// The square root of the mean squared error of the expected score. It is the same for a and -a, so that a is told the less
    /// the nearer it is to 0.
    Score,
}

/// Sum over a row, its gradient by (a, b) and its Hessian (aa, ab, bb).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Terms {
    pub(super) value: f64,
    pub(super) gradient: [f64; 2],
    pub(super) hessian: [f64; 3],
}

impl Objective {
    /// The objective as it is told, from the sum over all positions.
    pub(super) fn told(self, sum: f64, total: f64) -> f64 {
        match self {
            Objective::Probability => sum / total,
            Objective::Score => (sum / total).sqrt(),
        }
    }

    /// The sum over a row.
    pub(super) fn value(self, cells: &[Folded], a: f64, b: f64) -> f64 {
        let inverse = 1.0 / b.max(SMALLEST_B);
        cells
            .iter()
            .map(|cell| {
                let win = sigmoid((cell.x - a) * inverse);
                let loss = sigmoid((-cell.x - a) * inverse);
                let Wdl { wins, draws, losses } = cell.outcomes;
                match self {
                    Objective::Probability => {
                        let ln = |count: f64, p: f64| {
                            if count > 0.0 { count * p.max(SMALLEST_PROBABILITY).ln() } else { 0.0 }
                        };
                        -(ln(wins, win) + ln(draws, 1.0 - win - loss) + ln(losses, loss))
                    }
                    Objective::Score => {
                        let score = 0.5 * (1.0 + win - loss);
                        let square = |count: f64, result: f64| count * (score - result) * (score - result);
                        square(wins, 1.0) + square(draws, 0.5) + square(losses, 0.0)
                    }
                }
            })
            .sum()
    }

    /// The sum over a row with its derivatives.
    ///
    /// With z = (x - a)/b and W = 1/(1 + exp(-z)): W' = W (1 - W) z', and z has the derivatives -1/b and -z/b by a and b;
    /// the same for L with z = (-x - a)/b.
    pub(super) fn terms(self, cells: &[Folded], a: f64, b: f64) -> Terms {
        let floored = b <= SMALLEST_B;
        let inverse = 1.0 / b.max(SMALLEST_B);
        let mut sum = Terms::default();
        for cell in cells {
            let side = |x: f64| {
                let z = (x - a) * inverse;
                let p = sigmoid(z);
                let first = p * (1.0 - p);
                let second = first * (1.0 - 2.0 * p);
                let (by_a, by_b) = (-inverse, -z * inverse);
                // Second derivatives of z: 0, 1/b², 2z/b².
                let (ab, bb) = (inverse * inverse, 2.0 * z * inverse * inverse);
                let gradient = [first * by_a, first * by_b];
                let hessian =
                    [second * by_a * by_a, second * by_a * by_b + first * ab, second * by_b * by_b + first * bb];
                (p, gradient, hessian)
            };
            let (win, win_gradient, win_hessian) = side(cell.x);
            let (loss, loss_gradient, loss_hessian) = side(-cell.x);
            match self {
                Objective::Probability => {
                    let draw_gradient = [0, 1].map(|i| -(win_gradient[i] + loss_gradient[i]));
                    let draw_hessian = [0, 1, 2].map(|i| -(win_hessian[i] + loss_hessian[i]));
                    let Wdl { wins, draws, losses } = cell.outcomes;
                    for (count, p, gradient, hessian) in [
                        (wins, win, win_gradient, win_hessian),
                        (draws, 1.0 - win - loss, draw_gradient, draw_hessian),
                        (losses, loss, loss_gradient, loss_hessian),
                    ] {
                        if count > 0.0 {
                            sum.add_logarithm(count, p, gradient, hessian);
                        }
                    }
                }
                Objective::Score => {
                    let half = |win: f64, loss: f64| 0.5 * (win - loss);
                    let gradient = [0, 1].map(|i| half(win_gradient[i], loss_gradient[i]));
                    let hessian = [0, 1, 2].map(|i| half(win_hessian[i], loss_hessian[i]));
                    sum.add_squares(cell.outcomes, 0.5 + half(win, loss), gradient, hessian);
                }
            }
        }
        if floored {
            sum.gradient[1] = 0.0;
            sum.hessian[1] = 0.0;
            sum.hessian[2] = 0.0;
        }
        sum
    }
}

impl Terms {
    /// Adds -count · ln p.
    fn add_logarithm(&mut self, count: f64, p: f64, gradient: [f64; 2], hessian: [f64; 3]) {
        self.value -= count * p.max(SMALLEST_PROBABILITY).ln();
        if p <= SMALLEST_PROBABILITY {
            return;
        }
        let scaled = gradient.map(|derivative| derivative / p);
        let products = [scaled[0] * scaled[0], scaled[0] * scaled[1], scaled[1] * scaled[1]];
        for (sum, derivative) in self.gradient.iter_mut().zip(scaled) {
            *sum -= count * derivative;
        }
        for i in 0..3 {
            self.hessian[i] -= count * (hessian[i] / p - products[i]);
        }
    }

    /// Adds the squared errors of a score.
    fn add_squares(&mut self, outcomes: Wdl<f64>, score: f64, gradient: [f64; 2], hessian: [f64; 3]) {
        let mut errors = 0.0;
        for (count, result) in [(outcomes.wins, 1.0), (outcomes.draws, 0.5), (outcomes.losses, 0.0)] {
            let error = score - result;
            self.value += count * error * error;
            errors += count * error;
        }
        let total = outcomes.total();
        let products = [gradient[0] * gradient[0], gradient[0] * gradient[1], gradient[1] * gradient[1]];
        for (sum, derivative) in self.gradient.iter_mut().zip(gradient) {
            *sum += 2.0 * errors * derivative;
        }
        for i in 0..3 {
            self.hessian[i] += 2.0 * (total * products[i] + errors * hessian[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let cells: Vec<Folded> = (0..40)
            .map(|i| {
                let x = f64::from(i) * 7.0;
                Folded { x, outcomes: [1.0 + x / 50.0, 9.0 - x / 60.0, 3.0 / (1.0 + x)].into() }
            })
            .collect();
        for objective in [Objective::Probability, Objective::Score] {
            for (a, b) in [(100.0, 30.0), (60.0, 80.0), (150.0, 12.0)] {
                let terms = objective.terms(&cells, a, b);
                assert!((terms.value - objective.value(&cells, a, b)).abs() < 1e-9);
                let h = 1e-3;
                let up = objective.terms(&cells, a + h, b);
                let down = objective.terms(&cells, a - h, b);
                let right = objective.terms(&cells, a, b + h);
                let left = objective.terms(&cells, a, b - h);
                let close = |derivative: f64, more: f64, less: f64| {
                    let difference = (more - less) / (2.0 * h);
                    assert!(
                        (derivative - difference).abs() < 1e-5 * (1.0 + difference.abs()),
                        "{derivative} {difference}"
                    );
                };
                close(terms.gradient[0], up.value, down.value);
                close(terms.gradient[1], right.value, left.value);
                close(terms.hessian[0], up.gradient[0], down.gradient[0]);
                close(terms.hessian[1], up.gradient[1], down.gradient[1]);
                close(terms.hessian[2], right.gradient[1], left.gradient[1]);
            }
        }
    }

    /// Why the pawn value is uncertain where a is small.
    #[test]
    fn scores_do_not_tell_a_from_its_negative() {
        let cells: Vec<Folded> =
            (0..40).map(|i| Folded { x: f64::from(i) * 7.0, outcomes: [f64::from(i), 9.0, 3.0].into() }).collect();
        let value = |objective: Objective, a: f64| objective.value(&cells, a, 40.0);
        assert!((value(Objective::Score, 50.0) - value(Objective::Score, -50.0)).abs() < 1e-9);
        assert!((Objective::Score.terms(&cells, 0.0, 40.0).gradient[0]).abs() < 1e-9);
        assert!((value(Objective::Probability, 50.0) - value(Objective::Probability, -50.0)).abs() > 1.0);
    }
}
