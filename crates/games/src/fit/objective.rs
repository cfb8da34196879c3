//! Sums over rows: the penalised loss of a model with its gradient and information.

use std::num::NonZero;

use super::data::{Block, Data, Entries};
use super::kernel::{Kernel, Prediction, Slopes};
use drawish_stats::numeric::{Derivatives, Symmetric, in_order};

/// The rows of a data set that take part, in its order; all without one.
pub type Rows<'a> = Option<&'a [bool]>;

/// Where the prior of a fitted kappa lies: Davidson's model. The heads that are shipped lie within 0.3 of it.
const KAPPA: f64 = 1.0;

/// A loss to be minimised over weights: the sum over the rows plus half the sum of precision times the square of how far the
/// weight is from the middle of its prior.
pub struct Objective<'a> {
    /// The rows.
    pub data: &'a Data,
    /// Which of them.
    pub rows: Rows<'a>,
    /// What a row says.
    pub kernel: Kernel,
    /// The precision of the normal prior of each weight, around 0, but around 1 of a fitted kappa.
    pub precision: Vec<f64>,
    /// Threads that work on it.
    pub threads: NonZero<usize>,
}

/// A sum over rows.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// In nats, with the prior.
    pub loss: f64,
    pub gradient: Vec<f64>,
    pub information: Option<Symmetric>,
}

/// Some rows together.
#[derive(Clone, Debug, Default)]
pub(super) struct OfGroup {
    /// Their number.
    pub group: usize,
    pub rows: usize,
    pub gradient: Vec<f64>,
}

/// Parts into which rows are cut, always the same, so that sums do not depend on the number of threads.
const PARTS: usize = 64;

impl Objective<'_> {
    /// How many weights there are.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.precision.len()
    }

    /// The loss at these weights, its gradient, and the information if asked for.
    pub(super) fn sums(&self, weights: &[f64], wants_information: bool) -> Sums {
        let size = self.weights();
        let new = || Sums {
            loss: 0.0,
            gradient: vec![0.0; size],
            information: wants_information.then(|| Symmetric::zero(size)),
        };
        let mut total = new();
        in_order(
            &self.parts(),
            self.threads,
            |_, &(first, blocks)| {
                let mut sums = new();
                self.add_blocks(blocks, first, weights, &mut sums);
                sums
            },
            |part| {
                total.loss += part.loss;
                total.gradient.iter_mut().zip(&part.gradient).for_each(|(own, other)| *own += other);
                if let (Some(own), Some(other)) = (&mut total.information, &part.information) {
                    own.add(other);
                }
            },
        );
        for (place, (&weight, &precision)) in weights.iter().zip(&self.precision).enumerate() {
            let is_kappa = self.kernel.fits_kappa() && place + 1 == size;
            let away = if is_kappa { weight - KAPPA } else { weight };
            total.loss += precision * away * away / 2.0;
            total.gradient[place] += precision * away;
            if let Some(information) = &mut total.information {
                information.add_to_diagonal(place, precision);
            }
        }
        total
    }

    /// The loss with all derivatives, as Newton's method takes them.
    pub(super) fn derivatives(&self, weights: &[f64]) -> Derivatives {
        let Sums { loss, gradient, information } = self.sums(weights, true);
        let hessian = information.unwrap_or_else(|| Symmetric::zero(self.weights()));
        Derivatives { value: loss, gradient, hessian }
    }

    /// The loss with its gradient.
    pub(super) fn slopes(&self, weights: &[f64]) -> (f64, Vec<f64>) {
        let Sums { loss, gradient, .. } = self.sums(weights, false);
        (loss, gradient)
    }

    /// What the model says of every row that takes part.
    #[must_use]
    pub fn predict(&self, weights: &[f64]) -> Vec<Prediction> {
        let kappa = self.kappa(weights);
        self.scores(weights).into_iter().map(|(w, v)| self.kernel.predict(w, v, kappa)).collect()
    }

    /// The two scores of every row that takes part.
    #[must_use]
    pub fn scores(&self, weights: &[f64]) -> Vec<(f64, f64)> {
        let mut all = Vec::new();
        let mut first = 0;
        for block in &self.data.blocks {
            let wanted = (0..block.len()).filter(|row| self.takes_part(first + row));
            all.extend(wanted.map(|row| scores(&block.entries(row), weights)));
            first += block.len();
        }
        all
    }

    pub(super) fn kappa(&self, weights: &[f64]) -> f64 {
        if self.kernel.fits_kappa() { weights.last().copied().unwrap_or(0.0) } else { 0.0 }
    }

    /// How many rows take part.
    pub(super) fn count(&self) -> usize {
        self.rows.map_or(self.data.len(), |rows| rows.iter().filter(|&&row| row).count())
    }

    fn takes_part(&self, row: usize) -> bool {
        self.rows.is_none_or(|rows| rows[row])
    }

    /// The parts of the rows, each with the number of its first row.
    fn parts(&self) -> Vec<(usize, &[Block])> {
        let blocks = &self.data.blocks;
        let per_part = blocks.len().div_ceil(PARTS).max(1);
        let mut rows = 0;
        let first_of = |part: &[Block]| {
            let first = rows;
            rows += part.iter().map(Block::len).sum::<usize>();
            first
        };
        let firsts: Vec<usize> = blocks.chunks(per_part).map(first_of).collect();
        firsts.into_iter().zip(blocks.chunks(per_part)).collect()
    }

    fn add_blocks(&self, blocks: &[Block], first: usize, weights: &[f64], sums: &mut Sums) {
        let kappa = self.kappa(weights);
        let mut number = first;
        for block in blocks {
            for row in 0..block.len() {
                number += 1;
                if !self.takes_part(number - 1) {
                    continue;
                }
                let entries = block.entries(row);
                let (w, v) = scores(&entries, weights);
                let slopes = self.kernel.slopes(w, v, kappa, block.outcomes[row]);
                sums.loss += slopes.loss;
                self.add_gradient(&entries, &slopes, &mut sums.gradient);
                if let Some(information) = &mut sums.information {
                    self.add_information(&entries, &slopes, information);
                }
            }
        }
    }

    fn add_gradient(&self, entries: &Entries<'_>, slopes: &Slopes, gradient: &mut [f64]) {
        for ((places, counts), slope) in [entries.win, entries.draw].into_iter().zip(slopes.first) {
            for (&place, &count) in places.iter().zip(counts) {
                gradient[usize::from(place)] += slope * f64::from(count);
            }
        }
        if self.kernel.fits_kappa()
            && let Some(kappa) = gradient.last_mut()
        {
            *kappa += slopes.first[2];
        }
    }

    /// Adds the outer products, lower triangle only: weights of a row stand in ascending order, the draw score's behind the
    /// win/loss score's, kappa last.
    fn add_information(&self, entries: &Entries<'_>, slopes: &Slopes, information: &mut Symmetric) {
        let [ww, wv, vv, wk, vk, kk] = slopes.second;
        let (win, draw) = (entries.win, entries.draw);
        let add = |row: &mut [f64], factor: f64, (places, counts): (&[u16], &[i16])| {
            for (&place, &count) in places.iter().zip(counts) {
                row[usize::from(place)] += factor * f64::from(count);
            }
        };
        for (at, (&place, &count)) in win.0.iter().zip(win.1).enumerate() {
            add(information.row_mut(usize::from(place)), ww * f64::from(count), (&win.0[..=at], &win.1[..=at]));
        }
        for (at, (&place, &count)) in draw.0.iter().zip(draw.1).enumerate() {
            let row = information.row_mut(usize::from(place));
            if wv != 0.0 {
                add(row, wv * f64::from(count), win);
            }
            add(row, vv * f64::from(count), (&draw.0[..=at], &draw.1[..=at]));
        }
        if self.kernel.fits_kappa() {
            let last = information.size() - 1;
            let row = information.row_mut(last);
            add(row, wk, win);
            add(row, vk, draw);
            row[last] += kk;
        }
    }

    /// The gradients of groups of rows; `group_of` says of each row, by its number, which one it is in, below `groups`, if any. Those without
    /// rows are left out.
    pub(super) fn gradients(
        &self,
        weights: &[f64],
        groups: usize,
        group_of: impl Fn(usize) -> Option<usize>,
    ) -> Vec<OfGroup> {
        let kappa = self.kappa(weights);
        let mut found: Vec<OfGroup> = (0..groups).map(|group| OfGroup { group, ..OfGroup::default() }).collect();
        let rows = self.data.blocks.iter().flat_map(|block| (0..block.len()).map(move |row| (block, row)));
        for (number, (block, row)) in rows.enumerate().filter(|(number, _)| self.takes_part(*number)) {
            let Some(group) = group_of(number) else { continue };
            let entries = block.entries(row);
            let (w, v) = scores(&entries, weights);
            let slopes = self.kernel.slopes(w, v, kappa, block.outcomes[row]);
            let of = &mut found[group];
            of.rows += 1;
            of.gradient.resize(self.weights(), 0.0);
            self.add_gradient(&entries, &slopes, &mut of.gradient);
        }
        found.retain(|of| of.rows > 0);
        found
    }

    /// An information without that of an event.
    pub(super) fn without(&self, event: usize, weights: &[f64], information: &Symmetric) -> Option<Symmetric> {
        let clusters = self.data.clusters().enumerate();
        let rows: Vec<bool> = clusters.map(|(row, of)| of as usize == event && self.takes_part(row)).collect();
        let precision = vec![0.0; self.weights()];
        let own =
            Objective { data: self.data, rows: Some(&rows), kernel: self.kernel, precision, threads: self.threads };
        let mut own = own.sums(weights, true).information?;
        own.divide_by(-1.0);
        own.add(information);
        Some(own)
    }
}

fn scores(entries: &Entries<'_>, weights: &[f64]) -> (f64, f64) {
    let dot = |(places, counts): (&[u16], &[i16])| {
        places.iter().zip(counts).map(|(&place, &count)| weights[usize::from(place)] * f64::from(count)).sum()
    };
    (dot(entries.win), dot(entries.draw))
}
