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

    /// Whether the lower three bits of a code on the first or last rank are 0: a pawn where none can be.
    pub fn has_edge_zero(self) -> bool {
        let first = (self.occupied as u8).count_ones();
        let before_last = (self.occupied & (u64::MAX >> 8)).count_ones();
        let zeros = !(self.codes | self.codes >> 1 | self.codes >> 2) & LOW;
        let on_first = zeros & ((1 << (4 * first)) - 1) != 0;
        let last = (self.occupied >> 56).count_ones();
        let on_last = last > 0 && (zeros >> (4 * before_last)) & ((1 << (4 * last)) - 1) != 0;
        on_first || on_last
    }

    /// The men between the first and the last rank; codes of others may stand behind theirs.
    pub fn between_edges(self) -> Men {
        let first = (self.occupied as u8).count_ones();
        Men { occupied: self.occupied & 0x00ff_ffff_ffff_ff00, codes: self.codes >> (4 * first) }
    }

    /// Whether one code is 5, the king of the first side, and one is 13, that of the other.
    pub fn has_one_king_each(self) -> bool {
        let kings = self.codes & !(self.codes >> 1) & (self.codes >> 2) & LOW;
        let others = kings & (self.codes >> 3);
        // Cheaper than counting bits.
        let is_one = |bits: u128| bits != 0 && bits & (bits - 1) == 0;
        is_one(kings ^ others) && is_one(others)
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
