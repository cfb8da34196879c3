//! How large the features of rows are: what priors, and the first steps of a fit, go by.

use super::objective::Rows;
use super::{Data, Kernel, Priors};
use drawish_heads::heads::{Input, Spec, Term};

/// Standard deviation of the prior of kappa. It is wide beside what any games have shown, 0.7 to 1.3, and leaves them alone. But
/// where win/loss scores are small, ln(2 cosh(w/2)) is as good as constant: then few rows, or a narrow prior of the other weights,
/// do not tell kappa from the constant, and without a prior of its own it ends anywhere.
const KAPPA: f64 = 2.0;

/// Sums and sums of squares of what each weight is multiplied with.
pub(super) struct Moments {
    pub(super) rows: usize,
    sums: Vec<f64>,
    squares: Vec<f64>,
    largest: Vec<f64>,
}

impl Moments {
    pub(super) fn of(data: &Data, rows: Rows<'_>, spec: &Spec) -> Moments {
        let size = spec.win_weights() + spec.draw_weights();
        let zeros = || vec![0.0; size];
        let mut moments = Moments { rows: 0, sums: zeros(), squares: zeros(), largest: zeros() };
        for (block, row) in data.chosen(rows) {
            moments.rows += 1;
            let entries = block.entries(row);
            for (places, counts) in [entries.win, entries.draw] {
                for (&place, &count) in places.iter().zip(counts) {
                    let (place, count) = (usize::from(place), f64::from(count));
                    moments.sums[place] += count;
                    moments.squares[place] += count * count;
                    moments.largest[place] = moments.largest[place].max(count.abs());
                }
            }
        }
        moments
    }

    /// The precision of the prior of each weight; never 0, so that the information has an inverse whatever the rows.
    pub(super) fn precisions(&self, spec: &Spec, kernel: Kernel, priors: Priors) -> Vec<f64> {
        let mut precisions = Vec::with_capacity(self.sums.len());
        let of_term = |precisions: &mut Vec<f64>, term: &Term| {
            for _ in 0..term.weights() {
                let place = precisions.len();
                precisions.push(match term {
                    // How far an evaluation goes is known beforehand: far.
                    Term::Linear(Input::Eval | Input::EvalSize) => self.variance(place).max(1e-6),
                    Term::Linear(_) => {
                        let largest = self.largest[place] / priors.largest;
                        (self.variance(place) / (priors.linear * priors.linear) + largest * largest).max(1e-6)
                    }
                    Term::Bands(_) => 1.0 / (priors.bands * priors.bands),
                    Term::Pair(..) => 1.0 / (priors.pairs * priors.pairs),
                });
            }
        };
        spec.win.iter().for_each(|term| of_term(&mut precisions, term));
        if spec.constant {
            precisions.push(1e-6);
        }
        spec.draw.iter().for_each(|term| of_term(&mut precisions, term));
        // A feature that never changes is told from the constant by nothing.
        for place in self.constant(spec) {
            precisions[place] = 1e12;
        }
        if kernel.fits_kappa() {
            precisions.push(1.0 / (KAPPA * KAPPA));
        }
        precisions
    }

    /// The variance of what a weight is multiplied with.
    fn variance(&self, place: usize) -> f64 {
        let rows = self.rows.max(1) as f64;
        (self.squares[place] - self.sums[place] * self.sums[place] / rows) / rows
    }

    /// The weights of features that are the same in all rows.
    pub(super) fn constant(&self, spec: &Spec) -> Vec<usize> {
        let mut found = Vec::new();
        let rows = self.rows as f64;
        for (terms, mut first) in [(&spec.win, 0), (&spec.draw, spec.win_weights() + usize::from(spec.constant))] {
            for term in terms {
                if matches!(term, Term::Linear(_)) && self.squares[first] * rows <= self.sums[first] * self.sums[first]
                {
                    found.push(first);
                }
                first += term.weights();
            }
        }
        found
    }

    /// About how far each weight is going to move: one over the root mean square.
    pub(super) fn scales(&self) -> Vec<f64> {
        let rows = self.rows.max(1) as f64;
        let mut scales: Vec<f64> = self.squares.iter().map(|square| 1.0 / (square / rows).sqrt().max(1e-3)).collect();
        scales.push(1.0);
        scales
    }
}
