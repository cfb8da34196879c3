//! The last stage: the parameters of both curves at once, over all rows.

use super::objective::Objective;
use super::shape::{Curves, Penalty};
use super::table::FoldedTable;
use drawish_stats::numeric::{Derivatives, Minimum, Symmetric, newton};

/// The searches end where a step promises less than this share of the objective: what the data determine is then found to
/// all its digits.
pub(super) const PRECISION: f64 = 1e-20;

/// The mean objective as a function of the parameters of a, then those of b.
pub(super) struct Problem<'a> {
    pub(super) table: &'a FoldedTable,
    pub(super) curves: &'a Curves,
    pub(super) objective: Objective,
    /// Internal units of a pawn.
    pub(super) pawn: f64,
}

impl Problem<'_> {
    pub(super) fn minimize(&self, start: &[f64]) -> Minimum {
        let Some(penalty) = self.curves.penalty.filter(|penalty| penalty.directions != [0.0; 2]) else {
            return newton(start.to_vec(), PRECISION, |at| self.derivatives(at));
        };
        // The penalty on a wrong direction has corners, at which a search from far away gets caught: first without it.
        let mut free = self.curves.clone();
        free.penalty = Some(Penalty { directions: [0.0; 2], ..penalty });
        let without = Problem { curves: &free, ..*self };
        let near = newton(start.to_vec(), PRECISION, |at| without.derivatives(at));
        newton(near.at, PRECISION, |at| self.derivatives(at))
    }

    /// The objective without penalties; infinite where a curve has a pole.
    pub(super) fn sum(&self, at: &[f64]) -> f64 {
        let (for_a, for_b) = at.split_at(self.curves.len);
        if !(self.curves.are_defined(for_a) && self.curves.are_defined(for_b)) {
            return f64::INFINITY;
        }
        let rows = self.table.rows.iter().enumerate().filter(|(_, cells)| !cells.is_empty());
        let sum = rows
            .map(|(row, cells)| {
                self.objective.value(cells, self.curves.value(row, for_a), self.curves.value(row, for_b))
            })
            .sum::<f64>();
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// The mean objective with penalties.
    fn derivatives(&self, at: &[f64]) -> Derivatives {
        let len = self.curves.len;
        let n = 2 * len;
        let (for_a, for_b) = at.split_at(len);
        let (mut value, mut gradient, mut hessian) = (0.0, vec![0.0; n], Symmetric::zero(n));
        if !(self.curves.are_defined(for_a) && self.curves.are_defined(for_b)) {
            return Derivatives { value: f64::INFINITY, gradient, hessian };
        }
        for (row, cells) in self.table.rows.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            let points = [self.curves.point(row, for_a), self.curves.point(row, for_b)];
            let terms = self.objective.terms(cells, points[0].value, points[1].value);
            value += terms.value;
            for one in 0..2 {
                for i in 0..len {
                    gradient[one * len + i] += terms.gradient[one] * points[one].gradient[i];
                    // The lower triangle: all of a in the rows of b, and each curve up to its diagonal.
                    let row = hessian.row_mut(one * len + i);
                    for other in 0..=one {
                        let second = terms.hessian[one + other] * points[one].gradient[i];
                        let columns = if other == one { i + 1 } else { len };
                        for (sum, slope) in row[other * len..].iter_mut().zip(&points[other].gradient[..columns]) {
                            *sum += second * slope;
                        }
                    }
                    if let Some(bend) = &points[one].hessian {
                        for (sum, bend) in row[one * len..].iter_mut().zip(&bend[i * len..]) {
                            *sum += terms.gradient[one] * bend;
                        }
                    }
                }
            }
        }
        let total = self.table.total;
        value /= total;
        gradient.iter_mut().for_each(|derivative| *derivative /= total);
        hessian.divide_by(total);
        if let Some(penalty) = self.curves.penalty {
            for (curve, coefficients) in at.chunks(len).enumerate() {
                let first = curve * len;
                value += penalty.add(
                    curve,
                    coefficients,
                    self.pawn,
                    |i, derivative| gradient[first + i] += derivative,
                    |i, j, derivative| {
                        if j <= i {
                            hessian.row_mut(first + i)[first + j] += derivative;
                        }
                    },
                );
            }
        }
        Derivatives { value, gradient, hessian }
    }
}
