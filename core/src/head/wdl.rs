//! The WDL head: from an evaluation and features to win, draw and loss.
//!
//! ```text
//! fW = e^s P(x) + o - e^v     W = sigmoid(fW)
//! fL = e^s P(-x) - o - e^v    L = sigmoid(fL)     D = 1 - W - L
//! ```
//!
//! x is the evaluation in centipawns, v the threshold, s the slope, o the shift, P a broken line that never falls. W never falls and L
//! never rises with x, and W + L is below 1, because P(x) + P(-x) is at most 0. The classical model of engines is P(x) = x, o = 0, e^s =
//! 1/b, e^v = a/b.

use super::exp::exp;
use super::sum::Sum;
use crate::Centipawns;
use crate::bytes::i16_at;
use crate::expect::{WdlPermille, permille, sigmoid};
use crate::features::COUNT;

/// From so many centipawns on an evaluation is a mate, or a certain win by tables.
const CERTAIN: u32 = 10_000;

/// The WDL head: three sums and a line.
#[derive(Clone, Copy, Debug)]
pub struct WdlHead<'a> {
    pub(super) threshold: Sum<'a>,
    pub(super) slope: Sum<'a>,
    pub(super) shift: Sum<'a>,
    /// Knots in centipawns, ascending.
    pub(super) knots: &'a [u8],
    /// The line at the knots, in 1/1,024.
    pub(super) line: &'a [u8],
}

impl<'a> WdlHead<'a> {
    /// The sums of threshold, slope and shift.
    #[must_use]
    pub const fn sums(&self) -> [&Sum<'a>; 3] {
        [&self.threshold, &self.slope, &self.shift]
    }

    /// What an evaluation of 10,000 centipawns or more says by itself.
    #[must_use]
    #[inline]
    pub const fn certain(eval: Centipawns) -> Option<WdlPermille> {
        if eval.0.unsigned_abs() < CERTAIN {
            None
        } else if eval.0 > 0 {
            Some(WdlPermille { win: 1000, draw: 0, loss: 0 })
        } else {
            Some(WdlPermille { win: 0, draw: 0, loss: 1000 })
        }
    }

    /// Win, draw and loss of White in permille from the values of all features and White's evaluation.
    #[must_use]
    pub fn wdl(&self, values: &[i16; COUNT], eval: Centipawns) -> WdlPermille {
        if let Some(certain) = WdlHead::certain(eval) {
            return certain;
        }
        let logits = |sum: &Sum<'_>, low: i64, high: i64| sum.in_2_16(values).clamp(low << 16, high << 16);
        let threshold = exp(logits(&self.threshold, -6, 4)) as i64;
        let slope = exp(logits(&self.slope, -4, 4)) as i64;
        let shift = logits(&self.shift, -16, 16);
        let score = |eval: i32, shift: i64| {
            let score = ((slope * self.line_at(eval)) >> 16) + shift - threshold;
            permille(sigmoid(score.clamp(-16 << 16, 16 << 16)))
        };
        let (mut win, mut loss) = (score(eval.0, shift), score(-eval.0, -shift));
        if win + loss > 1000 {
            *(if win > loss { &mut win } else { &mut loss }) -= 1;
        }
        WdlPermille { win, draw: 1000_u16.saturating_sub(win + loss), loss }
    }

    /// The line at an evaluation, in 1/65,536 logit; beyond the knots it stays.
    fn line_at(&self, eval: i32) -> i64 {
        let at = |bytes: &[u8], place: usize| i64::from(i16_at(bytes, 2 * place).unwrap_or(0));
        let eval = i64::from(eval);
        let (mut low, mut high) = (0, (self.knots.len() / 2).saturating_sub(1));
        if eval >= at(self.knots, high) {
            return 64 * at(self.line, high);
        }
        if eval <= at(self.knots, low) {
            return 64 * at(self.line, low);
        }
        while high - low > 1 {
            let middle = (low + high) / 2;
            if at(self.knots, middle) <= eval { low = middle } else { high = middle }
        }
        let (from, to) = (at(self.knots, low), at(self.knots, high));
        let (start, rise) = (at(self.line, low), at(self.line, high) - at(self.line, low));
        // Knots ascend and the line never falls: both are checked when heads are opened.
        let width = (to - from).max(1) as u64;
        let risen = (2 * 64 * rise * (eval - from)).max(0) as u64 + width;
        64 * start + (risen / (2 * width)) as i64
    }
}
