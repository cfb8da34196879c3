//! The gain head.

use super::exp;
use super::sum::Sum;
use crate::features::COUNT;
use crate::index::{Scheme, StructureIndex};
use crate::{Centipawns, Pawns};

/// A gain of 1.
const ONE: i64 = 1024;
/// No head takes more than seven eighths of a score away, or adds more than three eighths.
pub(super) const LIMITS: (i64, i64) = (ONE / 8, ONE * 11 / 8);

/// By what an evaluation is multiplied, as a fraction of its mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gain {
    /// In 1/1,024, from 128 to 1,408.
    pub gain: u16,
    /// The mean of such gains over positions of games, in 1/1,024, from 128 to 1,408: what leaves an evaluation as it is.
    pub mean: u16,
}

impl Gain {
    /// The evaluation times gain / mean, to the nearest centipawn and halves away from 0.
    #[must_use]
    #[inline]
    pub const fn apply(self, eval: Centipawns) -> Centipawns {
        let (gain, mean) = (self.gain as i64, if self.mean == 0 { 1 } else { self.mean as i64 });
        let twice = 2 * eval.0.unsigned_abs() as i64 * gain + mean;
        // A mean is checked to be above 0, and a gain is less than 11 means: within 36 bits.
        let size = (twice as u64 / (2 * mean as u64)) as i64;
        let size = if size > i32::MAX as i64 { i32::MAX } else { size as i32 };
        Centipawns(if eval.0 < 0 { -size } else { size })
    }
}

/// The gain head: P = sigmoid(e^v w), v the sum and what the structure of the pawns adds.
#[derive(Clone, Copy, Debug)]
pub struct GainHead<'a> {
    pub(super) sum: Sum<'a>,
    pub(super) cells: Option<(Scheme, &'a [u8])>,
}

impl<'a> GainHead<'a> {
    /// v in 1/256 logit, rounded down.
    #[must_use]
    pub fn exponent(&self, values: &[i16; COUNT], pawns: Pawns) -> i64 {
        let cell = self.cells.map_or(0, |(scheme, cells)| {
            let index = scheme.index(pawns);
            let at = |index: StructureIndex| cells.get(index.0 as usize).map_or(0, |&cell| i64::from(cell as i8));
            at(index) + at(scheme.flip_colors(index))
        });
        // The mean of two in 1/64 logit.
        self.sum.at(values) + 2 * cell
    }

    /// The gain: e^v in 1/1,024, divided by the mean of e^v over positions of games and kept from 1/8 to 11/8.
    #[must_use]
    pub fn gain(&self, values: &[i16; COUNT], pawns: Pawns) -> Gain {
        let [mean_power, mean] = self.sum.parameters;
        let power = exp::gain(self.exponent(values, pawns));
        let gain = (power * ONE / i64::from(mean_power.max(1))).clamp(LIMITS.0, LIMITS.1);
        Gain { gain: gain as u16, mean: mean as u16 }
    }

    /// e^v in 1/1,024, rounded: what the first mean is the mean of.
    #[must_use]
    pub fn power(&self, values: &[i16; COUNT], pawns: Pawns) -> i64 {
        exp::gain(self.exponent(values, pawns))
    }

    /// The sum, without what structures add.
    #[must_use]
    pub const fn score(&self) -> &Sum<'a> {
        &self.sum
    }
}
