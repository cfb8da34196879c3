//! What is known before a fit: how large weights usually are, or that they are near those of another head.

use drawish_heads::heads::{HeadError, Term, WdlHead, WeightedSum};

use super::design::Design;
use super::line;
use super::positions::Positions;
use super::terms::WdlTerms;
use crate::fit::Priors;

/// How strongly weights are held back: a quarter as widely spread as those of the draw head, which is better on games held out, the more
/// so the fewer games there are.
pub(super) const PRIORS: Priors = Priors { linear: 0.125, largest: 2.0, bands: 0.075, pairs: 0.04 };
/// The slope's terms are held back more than those of the threshold, by this factor of the standard deviation.
const SLOPE_PRIOR: f64 = 0.5;
/// Constants are as good as free.
const FREE: f64 = 1e-6;

/// Normal priors of all unknowns: those of the terms are independent.
pub(super) struct Prior {
    /// Where each unknown is expected.
    pub mean: Vec<f64>,
    /// The precision of each unknown but those of the line.
    pub precision: Vec<f64>,
}

impl Prior {
    /// Weights near 0.
    pub fn new(positions: &Positions, design: &Design, terms: &WdlTerms, priors: Priors) -> Prior {
        let mut mean = vec![0.0; design.first_line];
        mean.extend(line::usual());
        Prior { mean, precision: precision(positions, design, terms, priors) }
    }

    /// Weights near those of a head, held back `factor` times as much; what it does not have stays near 0.
    pub fn towards(
        mut self,
        head: &WdlHead,
        design: &Design,
        terms: &WdlTerms,
        factor: f64,
    ) -> Result<Prior, HeadError> {
        let model = head.model()?;
        let place = |first: usize, terms: &[Term], sum: &WeightedSum, mean: &mut [f64]| {
            let mut next = first;
            for term in terms {
                let own = next..next + term.weights();
                next = own.end;
                let name = term.to_string();
                if let Some(other) = sum.terms.iter().find(|other| other.term == name) {
                    mean[own].copy_from_slice(&other.weights);
                }
            }
        };
        for (sum, terms, other) in [(0, &terms.threshold, &head.threshold), (1, &terms.slope, &head.slope)] {
            let first = design.sums[sum].first;
            self.mean[first] = other.constant;
            place(first + 1, terms, other, &mut self.mean);
        }
        place(design.first_line - terms.shift.len(), &terms.shift, &head.shift, &mut self.mean);
        self.mean[design.first_line..].copy_from_slice(&line::of(|eval| model.line(f64::from(eval))));
        let of_terms = self.precision.iter_mut().filter(|precision| **precision > FREE);
        of_terms.for_each(|precision| *precision *= factor);
        Ok(self)
    }
}

/// The precision of each unknown, as those of the draw head.
fn precision(positions: &Positions, design: &Design, terms: &WdlTerms, priors: Priors) -> Vec<f64> {
    let mut moments = vec![(0.0, 0.0, 0.0_f64); design.first_line];
    for block in &positions.blocks {
        for row in 0..block.len() {
            let mut add = |unknown: usize, value: f64| {
                let (sum, squares, largest) = &mut moments[unknown];
                *sum += value;
                *squares += value * value;
                *largest = largest.max(value.abs());
            };
            design.sums.iter().for_each(|sum| sum.entries(block.even(row), &mut add));
            design.odd_entries(block, row, &mut add);
        }
    }
    let rows = positions.len().max(1) as f64;
    let linear = |unknown: usize, factor: f64| {
        let (sum, squares, largest) = moments[unknown];
        let variance = (squares - sum * sum / rows) / rows;
        let linear = priors.linear * factor;
        (variance / (linear * linear) + (largest / priors.largest).powi(2)).max(2.0 * FREE)
    };
    let mut all = Vec::with_capacity(design.first_line);
    for (terms, factor) in [(&terms.threshold, 1.0), (&terms.slope, SLOPE_PRIOR)] {
        all.push(FREE);
        for term in terms {
            for _ in 0..term.weights() {
                all.push(match term {
                    Term::Linear(_) => linear(all.len(), factor),
                    Term::Bands(_) => (priors.bands * factor).powi(-2),
                    Term::Pair(..) => (priors.pairs * factor).powi(-2),
                });
            }
        }
    }
    for _ in &terms.shift {
        all.push(linear(all.len(), 1.0));
    }
    debug_assert_eq!(all.len(), design.first_line);
    all.resize(design.unknowns(), 0.0);
    all
}
