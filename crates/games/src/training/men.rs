//! Men on their squares as these formats have them: a bitboard of the occupied squares, and half a byte for each, from a1 on.

use shakmaty::Square;

/// The lowest bit of each half byte.
const LOW: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;

/// The occupied squares and what stands on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    pub occupied: u64,
    pub codes: u128,
}

impl Men {
    /// From 16 bytes with the code of the first square in the lower half of the first; `None` if there are more men than codes.
    pub fn new(occupied: u64, codes: [u8; 16]) -> Option<Men> {
        (occupied.count_ones() <= 32).then_some(Men { occupied, codes: u128::from_le_bytes(codes) })
    }

    /// Whether codes stand behind the last man.
    pub fn has_rest(self) -> bool {
        match self.occupied.count_ones() {
            men @ 0..32 => self.codes >> (4 * men) != 0,
            _ => false,
        }
    }

    /// Whether the lower three bits of any code are 6 or 7.
    pub fn has_code_from_six(self) -> bool {
        (self.codes >> 1) & (self.codes >> 2) & LOW != 0
    }

    /// How many codes are 5, the king of the first side, and 13, that of the other.
    pub fn kings(self) -> (u32, u32) {
        let kings = self.codes & !(self.codes >> 1) & (self.codes >> 2) & LOW;
        let others = kings & (self.codes >> 3);
        ((kings ^ others).count_ones(), others.count_ones())
    }
}

impl IntoIterator for Men {
    type Item = (Square, u8);
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

/// Squares with their codes.
pub(super) struct Iter(Men);

impl Iterator for Iter {
    type Item = (Square, u8);

    fn next(&mut self) -> Option<(Square, u8)> {
        let Men { occupied, codes } = &mut self.0;
        if *occupied == 0 {
            return None;
        }
        let square = Square::new(occupied.trailing_zeros());
        let code = (*codes & 15) as u8;
        *occupied &= *occupied - 1;
        *codes >>= 4;
        Some((square, code))
    }
}
