//! Two scores in one word: the middlegame's and the endgame's are added and multiplied together.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame score in the upper half of a word and an endgame score in the lower half, in centipawns.
///
/// The lower half is added, not or-ed: a negative endgame score borrows from the upper half, and
/// [`middlegame`](Self::middlegame) gives it back. Sums and products with small integers are exact while both scores stay within
/// ±32,767. Source: the "tuple in a word" of M. van Kervinck's evaluation draw model, section 2.3, and of Stockfish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

impl Tapered {
    /// No score at all.
    pub const ZERO: Tapered = Tapered(0);

    /// Both scores in centipawns.
    pub const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((middlegame as i32) << 16) + endgame as i32)
    }

    /// The score that counts with all pieces on the board.
    pub const fn middlegame(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// The score that counts with no pieces left.
    pub const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The mean of both, weighted by the `phase` from 0 (pawns and kings alone) to [`FULL_PHASE`], rounded towards 0.
    pub const fn taper(self, phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// The phase of the game with all pieces on the board: 1 for each knight and bishop, 2 for a rook, 4 for a queen.
pub const FULL_PHASE: i32 = 24;

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0 * times)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The pair computes as two numbers do.
        #[test]
        fn packed_arithmetic_is_exact(a in -3000i16..3000, b in -3000i16..3000, c in -3000i16..3000, d in -3000i16..3000, n in -4i32..=4) {
            let (x, y) = (Tapered::new(a, b), Tapered::new(c, d));
            for (packed, middlegame, endgame) in [
                (x + y, i32::from(a) + i32::from(c), i32::from(b) + i32::from(d)),
                (x - y, i32::from(a) - i32::from(c), i32::from(b) - i32::from(d)),
                (-x, -i32::from(a), -i32::from(b)),
                (x * n, i32::from(a) * n, i32::from(b) * n),
            ] {
                prop_assert_eq!((packed.middlegame(), packed.endgame()), (middlegame, endgame));
            }
        }
    }

    #[test]
    fn the_phase_weighs() {
        let score = Tapered::new(120, -60);
        assert_eq!([score.taper(FULL_PHASE), score.taper(0), score.taper(FULL_PHASE / 2)], [120, -60, 30]);
    }
}
