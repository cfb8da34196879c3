//! Gains: factors of the win/loss score that depend on the position.

use std::sync::Arc;

use shakmaty::Position;

use super::cells::Cells;
use super::head_cache::HeadCache;
use super::{FULL_PHASE, State};

/// A gain of 1. Gains are in units of 1/1024.
pub(super) const ONE: i32 = 1024;
/// What [`Arm::Constant`](super::Arm::Constant) multiplies by: any number but [`ONE`] would do.
const CONSTANT: i32 = 777;
/// No head takes more than seven eighths of a score away, or adds more than three eighths: 16/128 and 176/128.
const LIMITS: (i32, i32) = (ONE / 8, ONE * 11 / 8);

/// By what the win/loss score is multiplied in a position.
#[derive(Debug)]
pub(super) enum Gain {
    Constant,
    Table { cells: Arc<Cells>, taper: bool },
    Head { head: Box<HeadCache>, shift: u32, exp: Exp },
}

impl Gain {
    /// The gain of a head, relative to its mean over some positions.
    pub fn of_head(head: Box<HeadCache>, shift: u32, over: &[State]) -> Gain {
        let mut gain = Gain::Head { head, shift, exp: Exp::over(i64::from(ONE)) };
        let gains: Vec<i64> = over.iter().map(|state| Exp::raw(gain.exponent(state))).collect();
        let mean = gains.iter().sum::<i64>() / gains.len().max(1) as i64;
        if let Gain::Head { exp, .. } = &mut gain {
            *exp = Exp::over(mean.max(1));
        }
        gain
    }

    /// Whether it depends on the fifty-move clock.
    pub fn reads_clock(&self) -> bool {
        match self {
            Gain::Constant | Gain::Table { .. } => false,
            Gain::Head { head, .. } => head.reads_clock(),
        }
    }

    /// The gain in a position.
    pub fn at(&mut self, state: &State) -> i32 {
        match self {
            Gain::Constant => CONSTANT,
            Gain::Table { cells, taper } => {
                let full = i32::from(cells.scale(state.position().board()).0) * (ONE / 128);
                ONE + tapered(full - ONE, *taper, state)
            }
            Gain::Head { .. } => {
                let v = self.exponent(state);
                if let Gain::Head { exp, .. } = self { exp.of(v) } else { ONE }
            }
        }
    }

    /// v of a head in 1/256 logit; 0 without one.
    fn exponent(&mut self, state: &State) -> i32 {
        let Gain::Head { head, shift, .. } = self else { return 0 };
        // From 2^-shift logit, which is at most 1/256.
        head.score(state) >> (*shift - 8)
    }
}

/// What counts the more the fewer pieces there are, if it is tapered at all.
pub(super) fn tapered(full: i32, taper: bool, state: &State) -> i32 {
    if taper { full * (FULL_PHASE - state.phase()) / FULL_PHASE } else { full }
}

/// e^x divided by a mean, for x in 1/256 from -RANGE to RANGE; in 1/1024 and within [`LIMITS`].
#[derive(Debug)]
pub(super) struct Exp(Vec<i16>);

/// e^4 is far beyond the limits of a gain.
const RANGE: i32 = 4 * 256;

impl Exp {
    fn over(mean: i64) -> Exp {
        let of = |x: i32| (Exp::raw(x) * i64::from(ONE) / mean).clamp(LIMITS.0.into(), LIMITS.1.into()) as i16;
        Exp((-RANGE..=RANGE).map(of).collect())
    }

    /// e^x in 1/1024.
    fn raw(x: i32) -> i64 {
        // Only sums, products and quotients, which are rounded alike on every machine; a library's exp is not.
        let x = f64::from(x.clamp(-RANGE, RANGE)) / 256.0;
        let series = (1..40).rev().fold(1.0, |sum, n| 1.0 + sum * x / f64::from(n));
        (f64::from(ONE) * series).round() as i64
    }

    fn of(&self, x: i32) -> i32 {
        self.0[(x.clamp(-RANGE, RANGE) + RANGE) as usize].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_is_the_exponential() {
        let exp = Exp::over(2 * i64::from(ONE));
        for x in -RANGE..=RANGE {
            let exact = 1024.0 * (f64::from(x) / 256.0).exp();
            assert!((Exp::raw(x) as f64 - exact).abs() <= 0.501, "{x}");
            assert!((f64::from(exp.of(x)) - (exact / 2.0).clamp(128.0, 1408.0)).abs() <= 1.0, "{x}");
        }
        assert_eq!((exp.of(i32::MIN), exp.of(i32::MAX)), LIMITS);
    }
}
