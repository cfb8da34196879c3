//! What the structure of a cell adds to a model: a shift rho of its score, or of the logarithm of its slope, with a normal
//! prior around 0.

use drawish_core::Outcome;

use drawish_stats::numeric::{neg_ln_sigmoid, sigmoid};

use super::kernel::{Kernel, Prediction, gained};

/// What the shift of a cell is added to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// The draw score: D = sigmoid(u + rho).
    DrawScore,
    /// The logarithm of the slope: P = sigmoid(w e^rho).
    Slope,
}

impl Shift {
    /// The score of a row that shifts are added to: the draw score, or the win/loss score with its gain.
    #[must_use]
    pub fn score_of(self, kernel: Kernel, w: f64, v: f64, fitted_kappa: f64) -> f64 {
        match self {
            Shift::DrawScore => kernel.draw_score(w, v, fitted_kappa),
            Shift::Slope => gained(w, v),
        }
    }

    /// What a score says with the shift of its cell.
    #[must_use]
    pub fn predict(self, score: f64, rho: f64) -> Prediction {
        match self {
            Shift::DrawScore => Prediction::Draw(sigmoid(score + rho)),
            Shift::Slope => Prediction::Score(sigmoid(score * rho.exp())),
        }
    }
}

/// The shifts of all cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Residual {
    /// The variance of the prior, by the largest marginal likelihood (Laplace's approximation) of [`VARIANCES`].
    pub variance: f64,
    /// A shift for each cell; 0 where there are no rows.
    pub shifts: Vec<f64>,
}

/// The variances that are tried. Between-cell standard deviations of 0.14 to 0.2 are usual for draws.
pub const VARIANCES: [f64; 11] = [0.0, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.15, 0.3];

/// Estimates the shifts of cells from rows with the score of the model, the result and the cell of each.
#[must_use]
pub fn residual(shift: Shift, scores: &[f64], outcomes: &[Outcome], cells: &[u32], count: u32) -> Residual {
    let mut rows: Vec<Vec<(f64, Outcome)>> = vec![Vec::new(); count as usize];
    for ((&score, &outcome), &cell) in scores.iter().zip(outcomes).zip(cells) {
        rows[cell as usize].push((score, outcome));
    }
    let spread = spread(shift, scores, outcomes);
    let mut best = Residual { variance: 0.0, shifts: vec![0.0; rows.len()] };
    let mut best_evidence = 0.0;
    for variance in VARIANCES.into_iter().filter(|&variance| variance > 0.0) {
        let cells: Vec<(f64, f64)> = rows.iter().map(|rows| of_cell(shift, rows, variance, spread)).collect();
        let evidence: f64 = cells.iter().map(|(_, evidence)| evidence).sum();
        if evidence > best_evidence {
            best_evidence = evidence;
            best = Residual { variance, shifts: cells.into_iter().map(|(rho, _)| rho).collect() };
        }
    }
    best
}

/// How much results scatter around the model, in shares of what the model expects: 1 for draws, which happen or not. Scores
/// scatter less than a win or loss with the same mean, because many games end in between (quasi-likelihood, Wedderburn
/// 1974).
fn spread(shift: Shift, scores: &[f64], outcomes: &[Outcome]) -> f64 {
    if shift == Shift::DrawScore || scores.is_empty() {
        return 1.0;
    }
    let of_row = |(&score, &outcome): (&f64, &Outcome)| {
        let [_, slope, information] = slopes(shift, score, 0.0, outcome);
        (slope * slope, information)
    };
    let (squares, information) =
        scores.iter().zip(outcomes).map(of_row).fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    if information > 0.0 { (squares / information).max(1e-3) } else { 1.0 }
}

/// The shift of a cell and the logarithm of how much better it explains its rows than no shift.
fn of_cell(shift: Shift, rows: &[(f64, Outcome)], variance: f64, spread: f64) -> (f64, f64) {
    if rows.is_empty() {
        return (0.0, 0.0);
    }
    let sums = |rho: f64| {
        let mut sums = [rho * rho / (2.0 * variance), rho / variance, 1.0 / variance];
        for &(score, outcome) in rows {
            let [loss, slope, information] = slopes(shift, score, rho, outcome);
            sums = [sums[0] + loss / spread, sums[1] + slope / spread, sums[2] + information / spread];
        }
        sums
    };
    let at_zero = sums(0.0);
    let (mut rho, mut now) = (0.0, at_zero);
    for _ in 0..30 {
        let step = -now[1] / now[2];
        // A step of one unit of log-odds at most keeps the search where the approximation is good.
        let next = rho + step.clamp(-1.0, 1.0);
        let there = sums(next);
        if there[0] > now[0] - 1e-12 {
            break;
        }
        (rho, now) = (next, there);
    }
    (rho, at_zero[0] - now[0] - (variance * now[2]).ln() / 2.0)
}

/// Loss, slope and information of a row by rho.
fn slopes(shift: Shift, score: f64, rho: f64, outcome: Outcome) -> [f64; 3] {
    match shift {
        Shift::DrawScore => {
            let u = score + rho;
            let (d, drawn) = (sigmoid(u), outcome == Outcome::Draw);
            [neg_ln_sigmoid(if drawn { u } else { -u }), d - f64::from(u8::from(drawn)), d * (1.0 - d)]
        }
        Shift::Slope => {
            let x = score * rho.exp();
            let p = sigmoid(x);
            let y = match outcome {
                Outcome::WhiteWin => 1.0,
                Outcome::Draw => 0.5,
                Outcome::BlackWin => 0.0,
            };
            [y * neg_ln_sigmoid(x) + (1.0 - y) * neg_ln_sigmoid(-x), (p - y) * x, x * x * p * (1.0 - p)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of ten cells whose draw score is shifted by -0.9 to 0.9, fifty to a hundred times each.
    #[test]
    fn shifts_are_found_and_shrunk() {
        let mut state = 12_345_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut scores, mut outcomes, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..40_000 {
            let cell = row % 10;
            let score = uniform() - 0.5;
            let drawn = uniform() < sigmoid(score + (f64::from(cell) - 4.5) / 5.0);
            scores.push(score);
            outcomes.push(if drawn { Outcome::Draw } else { Outcome::WhiteWin });
            cells.push(cell);
        }
        let found = residual(Shift::DrawScore, &scores, &outcomes, &cells, 11);
        assert!(found.variance >= 0.15, "{}", found.variance);
        for (cell, rho) in found.shifts[..10].iter().enumerate() {
            assert!((rho - (cell as f64 - 4.5) / 5.0).abs() < 0.12, "{cell}: {rho}");
        }
        assert_eq!(found.shifts[10], 0.0);
        // Without differences between the cells, none are found.
        let cells: Vec<u32> = (0..40_000).map(|_| (10.0 * uniform()) as u32).collect();
        let nothing = residual(Shift::DrawScore, &scores, &outcomes, &cells, 10);
        assert!(nothing.shifts.iter().all(|rho| rho.abs() < 0.1), "{nothing:?}");
    }
}
