//! The last stage: the parameters of both curves at once, over all rows.

use super::newton::{Function, Minimum, minimize};
use super::objective::Objective;
use super::shape::{Curves, Penalty};
use super::table::FoldedTable;

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
            return minimize(self, start);
        };
        // The penalty on a wrong direction has corners, at which a search from far away gets caught: first without it.
        let mut free = self.curves.clone();
        free.penalty = Some(Penalty { directions: [0.0; 2], ..penalty });
        let near = minimize(&Problem { curves: &free, ..*self }, start);
        minimize(self, &near.at)
    }

    /// The objective without penalties; infinite for curves with a pole, even where there are no data.
    pub(super) fn sum(&self, at: &[f64]) -> f64 {
        let (for_a, for_b) = at.split_at(self.curves.len);
        if self.curves.has_pole(for_a) || self.curves.has_pole(for_b) {
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
}

impl Function for Problem<'_> {
    fn value(&self, at: &[f64]) -> f64 {
        let mut value = self.sum(at) / self.table.total;
        if let Some(penalty) = self.curves.penalty {
            for (curve, coefficients) in at.chunks(self.curves.len).enumerate() {
                value += penalty.add(curve, coefficients, self.pawn, |_, _| {}, |_, _, _| {});
            }
        }
        value
    }

    fn derivatives(&self, at: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
        let len = self.curves.len;
        let n = 2 * len;
        let (for_a, for_b) = at.split_at(len);
        let (mut value, mut gradient, mut hessian) = (0.0, vec![0.0; n], vec![0.0; n * n]);
        for (row, cells) in self.table.rows.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            let points = [self.curves.point(row, for_a), self.curves.point(row, for_b)];
            let terms = self.objective.terms(cells, points[0].value, points[1].value);
            value += terms.value;
            for one in 0..2 {
                for i in 0..len {
                    gradient[one * len + i] += terms.gradient[one] * points[one].gradient[i];
                    for other in 0..2 {
                        let second = terms.hessian[one + other] * points[one].gradient[i];
                        for j in 0..len {
                            hessian[(one * len + i) * n + other * len + j] += second * points[other].gradient[j];
                        }
                    }
                    if let Some(bend) = &points[one].hessian {
                        for j in 0..len {
                            hessian[(one * len + i) * n + one * len + j] += terms.gradient[one] * bend[i * len + j];
                        }
                    }
                }
            }
        }
        let total = self.table.total;
        value /= total;
        gradient.iter_mut().chain(&mut hessian).for_each(|derivative| *derivative /= total);
        if let Some(penalty) = self.curves.penalty {
            for (curve, coefficients) in at.chunks(len).enumerate() {
                let first = curve * len;
                value += penalty.add(
                    curve,
                    coefficients,
                    self.pawn,
                    |i, derivative| gradient[first + i] += derivative,
                    |i, j, derivative| hessian[(first + i) * n + first + j] += derivative,
                );
            }
        }
        (value, gradient, hessian)
    }
}
