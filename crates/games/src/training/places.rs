//! Squares by their place in a set of squares: what moves in binpacks are written by, so that no branch depends on the place.

use shakmaty::{Bitboard, Square};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// For each byte the places of its bits.
static BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][place] = bit;
                place += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A set of squares with their number up to each rank.
#[derive(Clone, Copy)]
pub(super) struct Places {
    squares: u64,
    /// In each byte how many squares there are up to and with its rank.
    sums: u64,
}

impl Places {
    #[inline]
    pub fn of(squares: Bitboard) -> Places {
        let squares = u64::from(squares);
        let pairs = squares - (squares >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Places { squares, sums: eights.wrapping_mul(ONES) }
    }

    /// How many squares.
    #[inline]
    pub fn count(self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The square with so many before it; `None` if there are not so many.
    #[inline]
    pub fn nth(self, before: u32) -> Option<Square> {
        if before >= self.count() {
            return None;
        }
        // Ranks up to which there are no more than that stand before the square's.
        let passed = (((u64::from(before) * ONES) | TOPS) - self.sums) & TOPS;
        let shift = ((passed >> 7).wrapping_mul(ONES) >> 56) * 8;
        let below = (self.sums << 8) >> shift & 0xff;
        let byte = (self.squares >> shift & 0xff) as usize;
        let bit = BITS[byte][(u64::from(before) - below) as usize & 7];
        Some(Square::new(shift as u32 + u32::from(bit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_of_walking_the_squares(one: u64, other: u64, few: bool) {
            for squares in [if few { one & other } else { one | other }, one, 0, u64::MAX] {
                let places = Places::of(Bitboard(squares));
                let walked: Vec<_> = Bitboard(squares).into_iter().collect();
                prop_assert_eq!(places.count() as usize, walked.len());
                for before in 0..70 {
                    prop_assert_eq!(places.nth(before), walked.get(before as usize).copied());
                }
            }
        }
    }
}
