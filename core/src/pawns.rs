//! Pawns of both sides as bitboards, and the two symmetries of the board that matter for draws.

/// The pawns of both sides, as bitboards with a1 = bit 0, b1 = bit 1, …, h8 = bit 63.
///
/// Any two bitboards are accepted: positions on other ranks than 2 to 7 do not occur in chess, but they
/// break nothing here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pawns {
    /// Squares of the white pawns.
    pub white: u64,
    /// Squares of the black pawns.
    pub black: u64,
}

impl Pawns {
    /// No pawns at all.
    pub const NONE: Pawns = Pawns { white: 0, black: 0 };

    /// The sixteen pawns of the start position.
    pub const START: Pawns = Pawns { white: 0xff00, black: 0x00ff_0000_0000_0000 };

    /// The same structure with colours exchanged and the board turned, so that White's pawns move up again.
    #[must_use]
    pub const fn flip_colors(self) -> Pawns {
        Pawns { white: self.black.swap_bytes(), black: self.white.swap_bytes() }
    }

    /// The same structure with file a exchanged for h, b for g, and so on.
    ///
    /// Castling makes chess differ from its mirror image: pool mirrored structures as a prior, not as an identity.
    #[must_use]
    pub const fn mirror_files(self) -> Pawns {
        Pawns { white: self.white.swap_bytes().reverse_bits(), black: self.black.swap_bytes().reverse_bits() }
    }

    /// Files on which each side has at least one pawn, White's first: bit 0 = file a … bit 7 = file h.
    #[must_use]
    #[inline]
    pub const fn files(self) -> (u8, u8) {
        (occupied_files(self.white), occupied_files(self.black))
    }

    /// Files on which a white pawn and a black pawn block each other, the black one on the square directly
    /// in front of the white one: bit 0 = file a … bit 7 = file h.
    #[must_use]
    #[inline]
    pub const fn rammed_files(self) -> u8 {
        occupied_files((self.white << 8) & self.black)
    }
}

/// Files on which a bitboard has at least one square: bit 0 = file a.
#[inline]
const fn occupied_files(squares: u64) -> u8 {
    let halves = squares | (squares >> 32);
    let quarters = halves | (halves >> 16);
    ((quarters | (quarters >> 8)) & 0xff) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Too simple to be wrong: walk the squares.
    fn files_by_walking(squares: u64) -> u8 {
        (0..64).filter(|square| squares >> square & 1 == 1).fold(0, |files, square| files | 1 << (square % 8))
    }

    /// Numbers without a pattern, the same in each run (Knuth's MMIX generator).
    fn bitboards() -> impl Iterator<Item = u64> {
        core::iter::successors(Some(0x9e37_79b9_7f4a_7c15_u64), |state| {
            Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        })
        .map(|state| state & state.rotate_left(17) & state.rotate_left(29))
        .take(2000)
    }

    #[test]
    fn files_agree_with_walking_the_squares() {
        for (white, black) in bitboards().zip(bitboards().skip(7)) {
            let pawns = Pawns { white, black };
            assert_eq!(pawns.files(), (files_by_walking(white), files_by_walking(black)));
        }
    }

    #[test]
    fn symmetries_undo_themselves_and_commute() {
        for (white, black) in bitboards().zip(bitboards().skip(3)) {
            let pawns = Pawns { white, black };
            assert_eq!(pawns.flip_colors().flip_colors(), pawns);
            assert_eq!(pawns.mirror_files().mirror_files(), pawns);
            assert_eq!(pawns.flip_colors().mirror_files(), pawns.mirror_files().flip_colors());
            assert_eq!(pawns.mirror_files().files().0, pawns.files().0.reverse_bits());
            assert_eq!(pawns.flip_colors().rammed_files(), pawns.rammed_files());
        }
        assert_eq!(Pawns::START.flip_colors(), Pawns::START);
    }

    #[test]
    fn only_pawns_on_touching_squares_are_rammed() {
        let e4_e5 = Pawns { white: 1 << 28, black: 1 << 36 };
        let e4_e6 = Pawns { white: 1 << 28, black: 1 << 44 };
        let past_each_other = Pawns { white: 1 << 36, black: 1 << 28 };
        assert_eq!(e4_e5.rammed_files(), 1 << 4);
        assert_eq!(e4_e6.rammed_files(), 0);
        assert_eq!(past_each_other.rammed_files(), 0);
    }
}
