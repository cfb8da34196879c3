//! The first stage: a and b for each material count or move by itself.

use serde::{Deserialize, Serialize};

use super::global::PRECISION;
use super::objective::Objective;
use super::table::{Folded, Table};
use drawish_core::Wdl;
use drawish_stats::model::wdl::SMALLEST_B;
use drawish_stats::numeric::{Derivatives, Symmetric, newton, sigmoid};

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
        let cells: Vec<(f64, Wdl<f64>)> = table.row(row).collect();
        let wins: f64 = cells.iter().map(|cell| cell.1.wins).sum();
        let positions: f64 = cells.iter().map(|cell| cell.1.total()).sum();
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
fn density(cells: &[(f64, Wdl<f64>)], start: [f64; 2]) -> (f64, f64) {
    let shares: Vec<(f64, f64)> = cells.iter().map(|(x, counts)| (*x, counts.wins / counts.total())).collect();
    let squares = |at: &[f64]| {
        let (a, b) = (at[0], at[1].max(SMALLEST_B));
        let (mut value, mut gradient, mut hessian) = (0.0, vec![0.0; 2], [0.0; 3]);
        for &(x, share) in &shares {
            let z = (x - a) / b;
            let win = sigmoid(z);
            let error = win - share;
            let slope = win * (1.0 - win) / b;
            let by = [-slope, -slope * z];
            // Second derivatives of W by a and b, from W' = slope.
            let bend = slope * (1.0 - 2.0 * win) / b;
            let second = [bend, bend * z + slope / b, bend * z * z + 2.0 * slope * z / b];
            value += error * error;
            gradient[0] += 2.0 * error * by[0];
            gradient[1] += 2.0 * error * by[1];
            hessian[0] += 2.0 * (by[0] * by[0] + error * second[0]);
            hessian[1] += 2.0 * (by[0] * by[1] + error * second[1]);
            hessian[2] += 2.0 * (by[1] * by[1] + error * second[2]);
        }
        derivatives(at, value, gradient, hessian)
    };
    let end = newton(start.to_vec(), PRECISION, squares);
    (end.at[0], end.at[1])
}

/// A function of a and b, which is not defined where b is at or below 0: the curve is flat in b there, and no search comes
/// back from it.
fn derivatives(at: &[f64], value: f64, gradient: Vec<f64>, [aa, ab, bb]: [f64; 3]) -> Derivatives {
    let mut hessian = Symmetric::zero(2);
    hessian.row_mut(0)[0] = aa;
    hessian.row_mut(1).copy_from_slice(&[ab, bb]);
    Derivatives { value: if at[1] <= SMALLEST_B { f64::INFINITY } else { value }, gradient, hessian }
}

/// The best a and b of a row for an objective.
fn optimum(cells: &[(f64, Wdl<f64>)], objective: Objective, pawn: f64, near: [f64; 2]) -> (f64, f64) {
    let folded: Vec<Folded> = cells
        .iter()
        .map(|&(x, outcomes)| Folded { x: x.abs(), outcomes: if x < 0.0 { outcomes.flip() } else { outcomes } })
        .collect();
    let sum = |at: &[f64]| {
        let terms = objective.terms(&folded, at[0], at[1]);
        derivatives(at, terms.value, terms.gradient.to_vec(), terms.hessian)
    };
    // The density's answer may lie where the objective is flat.
    let ends = [near, [pawn, pawn / 2.0]].map(|start| newton(start.to_vec(), PRECISION, sum));
    let best = if ends[0].value <= ends[1].value { &ends[0] } else { &ends[1] };
    (best.at[0], best.at[1])
}
