//! The first stage: a and b for each material count or move by itself.

use serde::{Deserialize, Serialize};

use super::newton::{Function, minimize};
use super::objective::Objective;
use super::table::{Folded, Table};
use drawish_stats::model::wdl::{SMALLEST_B, logistic};

/// a and b of one row.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Local {
    /// Place of the row in the table.
    #[serde(skip)]
    pub(super) row: usize,
    /// Material or move.
    pub mom: f64,
    /// Evaluation with a win rate of one half, internal units.
    pub a: f64,
    /// Width, internal units.
    pub b: f64,
    /// Positions.
    pub positions: f64,
}

/// Fits each row with at least `win_min` wins; the material counts or moves of the others come second.
pub(super) fn fit_rows(table: &Table, win_min: f64, objective: Option<Objective>, pawn: f64) -> (Vec<Local>, Vec<f64>) {
    let (mut fitted, mut thin) = (Vec::new(), Vec::new());
    for (row, at) in table.rows.iter().enumerate() {
        let cells: Vec<(f64, [f64; 3])> = table.row(row).collect();
        let wins: f64 = cells.iter().map(|cell| cell.1[0]).sum();
        let positions: f64 = cells.iter().flat_map(|cell| cell.1).sum();
        let fit = (wins >= win_min && cells.len() > 1)
            .then(|| {
                let (a, b) = density(&cells, [pawn, pawn / 6.0]);
                match objective {
                    None => (a, b),
                    Some(objective) => optimum(&cells, objective, pawn, [a, b]),
                }
            })
            .filter(|(a, b)| a.is_finite() && b.is_finite());
        match fit {
            Some((a, b)) => fitted.push(Local { row, mom: at.mom, a, b, positions }),
            None => thin.push(at.mom),
        }
    }
    (fitted, thin)
}

/// Least squares of W(x) to the shares of wins at each evaluation, all weighing the same however many positions they
/// stand for: what scoreWDL.py calls fitDensity.
fn density(cells: &[(f64, [f64; 3])], start: [f64; 2]) -> (f64, f64) {
    struct Squares<'a>(&'a [(f64, f64)]);
    impl Squares<'_> {
        fn errors(&self, at: &[f64]) -> impl Iterator<Item = (f64, f64, f64)> {
            let (a, b) = (at[0], at[1].max(SMALLEST_B));
            self.0.iter().map(move |&(x, share)| {
                let z = (x - a) / b;
                let win = logistic(z);
                (win - share, z, win * (1.0 - win) / b)
            })
        }
    }
    impl Function for Squares<'_> {
        fn value(&self, at: &[f64]) -> f64 {
            // At or below 0 the curve is flat in b, and no search comes back from there.
            if at[1] <= SMALLEST_B { f64::INFINITY } else { self.errors(at).map(|(error, ..)| error * error).sum() }
        }
        fn derivatives(&self, at: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
            let b = at[1].max(SMALLEST_B);
            let (mut value, mut gradient, mut hessian) = (0.0, vec![0.0; 2], vec![0.0; 4]);
            for (error, z, slope) in self.errors(at) {
                let by = [-slope, -slope * z];
                // Second derivatives of W by a and b, from W' = slope.
                let win = logistic(z);
                let bend = slope * (1.0 - 2.0 * win) / b;
                let second = [bend, bend * z + slope / b, bend * z * z + 2.0 * slope * z / b];
                value += error * error;
                for i in 0..2 {
                    gradient[i] += 2.0 * error * by[i];
                    for j in 0..2 {
                        hessian[2 * i + j] += 2.0 * (by[i] * by[j] + error * second[i + j]);
                    }
                }
            }
            (value, gradient, hessian)
        }
    }
    let shares: Vec<(f64, f64)> =
        cells.iter().map(|(x, counts)| (*x, counts[0] / counts.iter().sum::<f64>())).collect();
    let end = minimize(&Squares(&shares), &start);
    (end.at[0], end.at[1])
}

/// The best a and b of a row for an objective.
fn optimum(cells: &[(f64, [f64; 3])], objective: Objective, pawn: f64, near: [f64; 2]) -> (f64, f64) {
    struct One<'a>(&'a [Folded], Objective);
    impl Function for One<'_> {
        fn value(&self, at: &[f64]) -> f64 {
            if at[1] <= SMALLEST_B { f64::INFINITY } else { self.1.value(self.0, at[0], at[1]) }
        }
        fn derivatives(&self, at: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
            let terms = self.1.terms(self.0, at[0], at[1]);
            let [aa, ab, bb] = terms.hessian;
            (terms.value, terms.gradient.to_vec(), vec![aa, ab, ab, bb])
        }
    }
    let folded: Vec<Folded> = cells
        .iter()
        .map(|&(x, [wins, draws, losses])| {
            let outcomes = if x < 0.0 { [losses, draws, wins] } else { [wins, draws, losses] };
            Folded { x: x.abs(), outcomes }
        })
        .collect();
    let function = One(&folded, objective);
    // The density's answer may lie where the objective is flat.
    let ends = [near, [pawn, pawn / 2.0]].map(|start| minimize(&function, &start));
    let best = if ends[0].value <= ends[1].value { &ends[0] } else { &ends[1] };
    (best.at[0], best.at[1])
}
