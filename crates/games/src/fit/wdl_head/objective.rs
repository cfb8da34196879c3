//! The penalised loss of a WDL head over positions, with its slopes and its information.

use std::num::NonZero;

use drawish_heads::heads::{LARGEST_SHIFT, SLOPE_RANGE, THRESHOLD_RANGE};
use drawish_stats::numeric::{Derivatives, Symmetric, in_order};

use super::design::{Dense, Design};
use super::likelihood::likelihood;
use super::line;
use super::positions::{Block, Positions, even_places};
use super::prior::Prior;

/// Parts into which positions are cut, always the same, so that sums do not depend on the number of threads.
const PARTS: usize = 64;

/// A loss to be minimised: over the positions that take part, with the priors.
pub(super) struct Objective<'a> {
    pub positions: &'a Positions,
    /// Which positions take part; all without one.
    pub some: Option<&'a [bool]>,
    /// Only one in so many of them, which count as many times more.
    pub every: usize,
    pub design: &'a Design,
    pub prior: &'a Prior,
    pub threads: NonZero<usize>,
}

/// The scores of a position.
#[derive(Clone, Copy)]
pub(super) struct Scored {
    /// e^v, and its slope by v, which is 0 beyond its range; then the same of s.
    threshold: [f64; 2],
    slope: [f64; 2],
    shift_moves: f64,
    /// The line at the evaluation and at its opposite.
    ahead: f64,
    behind: f64,
    /// The logits of win and loss.
    pub win: f64,
    pub loss: f64,
}

/// Unknowns with what follows from them once.
pub(super) struct Prepared<'a> {
    design: &'a Design,
    unknowns: &'a [f64],
    dense: [Dense; 2],
    line: Vec<f64>,
}

impl<'a> Prepared<'a> {
    pub fn new(design: &'a Design, unknowns: &'a [f64]) -> Prepared<'a> {
        let dense = [0, 1].map(|sum| design.sums[sum].dense(unknowns));
        Prepared { design, unknowns, dense, line: line::table(&unknowns[design.first_line..]) }
    }

    #[inline]
    pub fn score(&self, block: &Block, row: usize) -> Scored {
        let values = block.even(row);
        let sum = |sum: usize| self.design.sums[sum].of(&self.dense[sum], self.unknowns, values);
        let exp = |score: f64, (low, high): (f64, f64)| {
            let exp = score.clamp(low, high).exp();
            [exp, if (low..=high).contains(&score) { exp } else { 0.0 }]
        };
        let (threshold, slope) = (exp(sum(0), THRESHOLD_RANGE), exp(sum(1), SLOPE_RANGE));
        let free = self.design.shift(self.unknowns, block, row);
        let shift = free.clamp(-LARGEST_SHIFT, LARGEST_SHIFT);
        let eval = i32::from(block.evals[row]);
        let (ahead, behind) = (self.line[line::place(eval)], self.line[line::place(-eval)]);
        Scored {
            threshold,
            slope,
            shift_moves: f64::from(u8::from(free == shift)),
            ahead,
            behind,
            win: slope[0] * ahead + shift - threshold[0],
            loss: slope[0] * behind - shift - threshold[0],
        }
    }
}

/// Sums of a part.
struct Sums {
    loss: f64,
    gradient: Vec<f64>,
    by_column: [Vec<f64>; 2],
    by_eval: Vec<f64>,
    information: Option<Symmetric>,
}

impl Objective<'_> {
    /// The loss in nats with its slopes.
    pub fn slopes(&self, unknowns: &[f64]) -> (f64, Vec<f64>) {
        let (loss, gradient, _) = self.sums(unknowns, false);
        (loss, gradient)
    }

    /// The same with the information.
    pub fn derivatives(&self, unknowns: &[f64]) -> Derivatives {
        let (value, gradient, hessian) = self.sums(unknowns, true);
        Derivatives { value, gradient, hessian: hessian.unwrap_or_else(|| Symmetric::zero(unknowns.len())) }
    }

    fn sums(&self, unknowns: &[f64], wants_information: bool) -> (f64, Vec<f64>, Option<Symmetric>) {
        let size = self.design.unknowns();
        let prepared = Prepared::new(self.design, unknowns);
        let by_unknown = line::derivatives(&unknowns[self.design.first_line..]);
        let mut loss = 0.0;
        let mut gradient = vec![0.0; size];
        let mut information = wants_information.then(|| Symmetric::zero(size));
        in_order(
            &self.parts(),
            self.threads,
            |_, &(first, blocks)| {
                let columns = || vec![0.0; even_places().len()];
                let mut sums = Sums {
                    loss: 0.0,
                    gradient: vec![0.0; size],
                    by_column: [columns(), columns()],
                    by_eval: vec![0.0; by_unknown.len()],
                    information: wants_information.then(|| Symmetric::zero(size)),
                };
                self.add_blocks(blocks, first, &prepared, &by_unknown, &mut sums);
                for (sum, by_column) in self.design.sums.iter().zip(&sums.by_column) {
                    sum.settle(by_column, &mut sums.gradient);
                }
                for (slope, derivatives) in sums.by_eval.iter().zip(&by_unknown).filter(|(slope, _)| **slope != 0.0) {
                    let own = &mut sums.gradient[self.design.first_line..];
                    own.iter_mut().zip(derivatives).for_each(|(own, derivative)| *own += slope * derivative);
                }
                sums
            },
            |part| {
                loss += part.loss;
                gradient.iter_mut().zip(&part.gradient).for_each(|(own, other)| *own += other);
                if let (Some(own), Some(other)) = (&mut information, &part.information) {
                    own.add(other);
                }
            },
        );
        // By the logarithm of what has to stay above 0, the loss is bent by its slope, too. It is no residual where a bound is near, and
        // without it full steps there go too far for ever.
        if let Some(information) = &mut information {
            let first = self.design.first_line;
            (first..)
                .zip(&gradient[first..])
                .for_each(|(place, slope)| information.add_to_diagonal(place, slope.max(0.0)));
        }
        self.add_priors(unknowns, &mut loss, &mut gradient, information.as_mut());
        (loss, gradient, information)
    }

    fn add_priors(&self, unknowns: &[f64], loss: &mut f64, gradient: &mut [f64], information: Option<&mut Symmetric>) {
        let first = self.design.first_line;
        let Prior { mean, precision } = self.prior;
        let (penalty, slopes, curvature) = line::prior(&unknowns[first..], &mean[first..]);
        *loss += penalty;
        gradient[first..].iter_mut().zip(slopes).for_each(|(own, slope)| *own += slope);
        for (place, ((&unknown, &mean), &precision)) in unknowns.iter().zip(mean).zip(precision).enumerate() {
            *loss += precision * (unknown - mean).powi(2) / 2.0;
            gradient[place] += precision * (unknown - mean);
        }
        if let Some(information) = information {
            precision.iter().enumerate().for_each(|(place, &value)| information.add_to_diagonal(place, value));
            for (one, other, value) in curvature.into_iter().filter(|(one, other, _)| other <= one) {
                information.row_mut(first + one)[first + other] += value;
            }
        }
    }

    /// The parts of the positions, each with the number of its first one.
    fn parts(&self) -> Vec<(usize, &[Block])> {
        let blocks = &self.positions.blocks;
        let per_part = blocks.len().div_ceil(PARTS).max(1);
        let mut next = 0;
        let first = |part: &[Block]| {
            let first = next;
            next += part.iter().map(Block::len).sum::<usize>();
            first
        };
        let firsts: Vec<usize> = blocks.chunks(per_part).map(first).collect();
        firsts.into_iter().zip(blocks.chunks(per_part)).collect()
    }

    fn add_blocks(
        &self,
        blocks: &[Block],
        first: usize,
        prepared: &Prepared<'_>,
        by_unknown: &[[f64; line::UNKNOWNS]],
        sums: &mut Sums,
    ) {
        let mut number = first;
        let mut entries = Vec::new();
        for block in blocks {
            for row in 0..block.len() {
                number += 1;
                if !(number - 1).is_multiple_of(self.every) || self.some.is_some_and(|some| !some[number - 1]) {
                    continue;
                }
                let weight = f64::from(block.weights[row]) * self.every as f64;
                let scored = prepared.score(block, row);
                let found = likelihood(scored.win, scored.loss, block.outcomes[row]);
                sums.loss += weight * found.loss;
                self.add_slopes(block, row, &scored, found.first.map(|slope| weight * slope), sums);
                if let Some(information) = &mut sums.information {
                    entries.clear();
                    self.entries(block, row, &scored, by_unknown, &mut entries);
                    add_information(&entries, found.second.map(|value| weight * value), information);
                }
            }
        }
    }

    fn add_slopes(&self, block: &Block, row: usize, scored: &Scored, [by_win, by_loss]: [f64; 2], sums: &mut Sums) {
        let values = block.even(row);
        let threshold = -scored.threshold[1] * (by_win + by_loss);
        let slope = scored.slope[1] * (scored.ahead * by_win + scored.behind * by_loss);
        for ((sum, slope), by_column) in self.design.sums.iter().zip([threshold, slope]).zip(&mut sums.by_column) {
            sum.add(slope, values, by_column, &mut sums.gradient);
        }
        let shift = scored.shift_moves * (by_win - by_loss);
        self.design.odd_entries(block, row, |unknown, value| sums.gradient[unknown] += shift * value);
        let eval = i32::from(block.evals[row]);
        sums.by_eval[line::place(eval)] += scored.slope[0] * by_win;
        sums.by_eval[line::place(-eval)] += scored.slope[0] * by_loss;
    }

    /// How far each unknown moves the logits of win and loss, ascending.
    fn entries(
        &self,
        block: &Block,
        row: usize,
        scored: &Scored,
        by_unknown: &[[f64; line::UNKNOWNS]],
        entries: &mut Vec<(usize, f64, f64)>,
    ) {
        let mut entry = |unknown, win: f64, loss: f64| {
            if win != 0.0 || loss != 0.0 {
                entries.push((unknown, win, loss));
            }
        };
        let values = block.even(row);
        let threshold = -scored.threshold[1];
        self.design.sums[0].entries(values, |unknown, value| entry(unknown, threshold * value, threshold * value));
        let [ahead, behind] = [scored.ahead, scored.behind].map(|line| scored.slope[1] * line);
        self.design.sums[1].entries(values, |unknown, value| entry(unknown, ahead * value, behind * value));
        self.design.odd_entries(block, row, |unknown, value| {
            entry(unknown, scored.shift_moves * value, -scored.shift_moves * value);
        });
        let eval = i32::from(block.evals[row]);
        let (ahead, behind) = (&by_unknown[line::place(eval)], &by_unknown[line::place(-eval)]);
        for (unknown, (ahead, behind)) in (self.design.first_line..).zip(ahead.iter().zip(behind)) {
            entry(unknown, scored.slope[0] * ahead, scored.slope[0] * behind);
        }
    }
}

fn add_information(entries: &[(usize, f64, f64)], [ww, wl, ll]: [f64; 3], information: &mut Symmetric) {
    for (at, &(place, win, loss)) in entries.iter().enumerate() {
        let (by_win, by_loss) = (ww * win + wl * loss, wl * win + ll * loss);
        let row = information.row_mut(place);
        for &(other, win, loss) in &entries[..=at] {
            row[other] += by_win * win + by_loss * loss;
        }
    }
}
