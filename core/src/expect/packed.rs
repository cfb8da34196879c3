//! Two scores in one word.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::score::DrawScore;

/// A wiloScore (any unit, usually centipawns) and a drawScore (1/256 logit) that are summed by one addition
/// (section 2.3, "tuple in a word").
///
/// The word is wilo 2^16 + draw: added and not put together by bits, so that a negative drawScore borrows from
/// the upper half, which [`wilo`](Self::wilo) gives back. All operations count modulo 2^32, so they are exact whenever
/// both halves *of the result* are within -32,768 to 32,767, whatever came between; a half beyond is off by
/// 65,536, and if it is the drawScore the wiloScore is off by one for each time.
///
/// A difference of two sides also takes the difference of their drawScores. Where both sides' terms make a draw more
/// or less likely, as a pawn does, [`flip_colors`](Self::flip_colors) Black's and add.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Packed(i32);

impl Packed {
    /// Both 0.
    pub const ZERO: Packed = Packed(0);

    /// The two as one.
    #[must_use]
    #[inline]
    pub const fn new(wilo: i16, draw: i16) -> Packed {
        Packed(((wilo as i32) << 16).wrapping_add(draw as i32))
    }

    /// The wiloScore.
    #[must_use]
    #[inline]
    pub const fn wilo(self) -> i16 {
        (self.0.wrapping_add(0x8000) >> 16) as i16
    }

    /// The drawScore.
    #[must_use]
    #[inline]
    pub const fn draw(self) -> DrawScore {
        DrawScore(self.0 as i16)
    }

    /// The same terms for the other side: the wiloScore with its sign changed, the drawScore as it is.
    #[must_use]
    #[inline]
    pub const fn flip_colors(self) -> Packed {
        Packed((2 * (self.0 as i16 as i32)).wrapping_sub(self.0))
    }
}

impl Add for Packed {
    type Output = Packed;

    #[inline]
    fn add(self, other: Packed) -> Packed {
        Packed(self.0.wrapping_add(other.0))
    }
}

impl Sub for Packed {
    type Output = Packed;

    #[inline]
    fn sub(self, other: Packed) -> Packed {
        Packed(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Packed {
    type Output = Packed;

    #[inline]
    fn neg(self) -> Packed {
        Packed(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Packed {
    type Output = Packed;

    #[inline]
    fn mul(self, times: i32) -> Packed {
        Packed(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Packed {
    #[inline]
    fn add_assign(&mut self, other: Packed) {
        *self = *self + other;
    }
}

impl SubAssign for Packed {
    #[inline]
    fn sub_assign(&mut self, other: Packed) {
        *self = *self - other;
    }
}

impl Sum for Packed {
    fn sum<I: Iterator<Item = Packed>>(scores: I) -> Packed {
        scores.fold(Packed::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(packed: Packed) -> (i16, i16) {
        (packed.wilo(), packed.draw().0)
    }

    #[test]
    fn every_half_comes_back() {
        for half in i16::MIN..=i16::MAX {
            for other in [i16::MIN, -256, -1, 0, 1, 255, i16::MAX] {
                assert_eq!(halves(Packed::new(half, other)), (half, other));
                assert_eq!(halves(Packed::new(other, half)), (other, half));
            }
        }
    }

    #[test]
    fn sums_of_scores_by_hand() {
        let scores = [(30, -40), (-100, 7), (5, 600)].map(|(wilo, draw)| Packed::new(wilo, draw));
        assert_eq!(halves(scores.into_iter().sum()), (-65, 567));
        assert_eq!(halves(core::iter::empty::<Packed>().sum()), (0, 0));
    }

    #[test]
    fn only_the_result_has_to_be_in_range() {
        let large = Packed::new(30_000, -30_000);
        assert_eq!(halves(large + large - large), (30_000, -30_000));
        assert_eq!(halves(Packed::new(-7, 9) * 1000 * 4 - Packed::new(-7, 9) * 3999), (-7, 9));
        let mut sum = Packed::new(30, -40);
        sum += Packed::new(-100, 7);
        assert_eq!(halves(sum), (-70, -33));
        sum -= Packed::new(-100, 7);
        assert_eq!(halves(sum), (30, -40));
        // And what happens beyond, as documented.
        assert_eq!(halves(Packed::new(5, 32_767) + Packed::new(0, 1)), (6, -32_768));
    }
}
