//! Stockfish's WDL model at its own optimum, for comparison: W = sigmoid((x - a) / b) with a and b cubic in the material.

use drawish_stats::numeric::{Derivatives, Symmetric, newton};

use super::likelihood::likelihood;
use super::positions::{Block, OFFSET, Positions, even_places};
use drawish_heads::features;

/// Coefficients of a, then of b, each from the constant up, in pawns.
const UNKNOWNS: usize = 8;
/// b is at least this many pawns.
const LEAST: f64 = 0.02;
/// Precision of a prior that only decides what games leave open.
const LOOSE: f64 = 1e-6;

/// Powers of the material, which is cut off at 17 and 78 and divided by 58.
fn powers(block: &Block, row: usize) -> [f64; 4] {
    let value = |name: &str| {
        let column = even_places().iter().position(|&place| Some(place) == features::place(name));
        column.map_or(0, |column| i16::from(block.even(row)[column]) - OFFSET)
    };
    let u = f64::from((value("npm") + value("pawns")).clamp(17, 78)) / 58.0;
    [1.0, u, u * u, u * u * u]
}

/// The model's view of all positions, prepared once.
pub(super) struct Cubic {
    rows: Vec<([f64; 4], f64)>,
}

impl Cubic {
    pub fn new(positions: &Positions) -> Cubic {
        Cubic { rows: positions.each(|block, row| (powers(block, row), f64::from(block.evals[row]) / 100.0)).collect() }
    }

    /// The logits of win and loss of a position.
    pub fn logits(&self, unknowns: &[f64], row: usize) -> (f64, f64) {
        let (a, b) = self.curve(unknowns, row);
        let x = self.rows[row].1;
        ((x - a) / b, (-x - a) / b)
    }

    fn curve(&self, unknowns: &[f64], row: usize) -> (f64, f64) {
        let powers = &self.rows[row].0;
        let of = |coefficients: &[f64]| coefficients.iter().zip(powers).map(|(c, power)| c * power).sum::<f64>();
        // Draws are possible where a is above 0.
        (of(&unknowns[..4]).max(1e-3), of(&unknowns[4..]).max(LEAST))
    }

    /// The coefficients with the least loss over some positions.
    pub fn fit(&self, positions: &Positions, some: &[bool]) -> Vec<f64> {
        let weighed: Vec<_> =
            positions.each(|block, row| (f64::from(block.weights[row]), block.outcomes[row])).collect();
        let mut start = vec![0.0; UNKNOWNS];
        (start[0], start[4]) = (1.0, 0.5);
        let minimum = newton(start, 1e-10, |unknowns| {
            let mut sums =
                Derivatives { value: 0.0, gradient: vec![0.0; UNKNOWNS], hessian: Symmetric::zero(UNKNOWNS) };
            for (row, &(weight, outcome)) in weighed.iter().enumerate().filter(|&(row, _)| some[row]) {
                let (_, b) = self.curve(unknowns, row);
                let (win, loss) = self.logits(unknowns, row);
                let found = likelihood(win, loss, outcome);
                sums.value += weight * found.loss;
                let powers = &self.rows[row].0;
                // By a coefficient of a, and by one of b.
                let move_of = |unknown: usize| {
                    let power = powers[unknown % 4] / b;
                    if unknown < 4 { [-power, -power] } else { [-win * power, -loss * power] }
                };
                let [ww, wl, ll] = found.second;
                for one in 0..UNKNOWNS {
                    let [by_win, by_loss] = move_of(one);
                    sums.gradient[one] += weight * (found.first[0] * by_win + found.first[1] * by_loss);
                    let (of_win, of_loss) = (ww * by_win + wl * by_loss, wl * by_win + ll * by_loss);
                    for other in 0..=one {
                        let [by_win, by_loss] = move_of(other);
                        sums.hessian.row_mut(one)[other] += weight * (of_win * by_win + of_loss * by_loss);
                    }
                }
            }
            for (place, unknown) in unknowns.iter().enumerate() {
                sums.value += LOOSE * unknown * unknown / 2.0;
                sums.gradient[place] += LOOSE * unknown;
                sums.hessian.add_to_diagonal(place, LOOSE);
            }
            sums
        });
        minimum.at
    }
}
