//! `bg`: which of the files b to g hold a pawn of each side. The index of the article that began all this.

use super::{IndexScheme, Structure, StructureIndex};
use crate::Pawns;

/// 4,096 cells: bit 0 = a white pawn anywhere on file b … bit 5 = on file g, bits 6 to 11 the same for Black.
///
/// Source: T. Petzke, "Drawish pawn structures" (2013). His example `111101 111011` = 3,963 is Black without
/// a pawn on the c-file and White without one on the d-file: the skeleton of the open Sicilian.
pub struct Bg;

impl IndexScheme for Bg {
    const NAME: &'static str = "bg";
    const ID: u16 = 1;
    const CELLS: u32 = 4096;
    const SUMMARY: &'static str = "files b to g that hold a pawn of each side (4,096 cells)";
    const C_INDEX: Option<&'static str> = c_index!(
        "\
static inline unsigned drawish_index(uint64_t white, uint64_t black) {
    return (drawish_files(white) >> 1 & 63) | (drawish_files(black) >> 1 & 63) << 6;
}
",
    );

    #[inline]
    fn index(pawns: Pawns) -> StructureIndex {
        let (white, black) = pawns.files();
        from_files(white, black)
    }

    fn flip_colors(cell: StructureIndex) -> StructureIndex {
        StructureIndex(cell.0 >> 6 | (cell.0 & 63) << 6)
    }

    fn mirror_files(cell: StructureIndex) -> StructureIndex {
        StructureIndex(reverse_six(cell.0 & 63) | reverse_six(cell.0 >> 6) << 6)
    }

    fn describe(cell: StructureIndex) -> Structure {
        Structure { white: ((cell.0 & 63) << 1) as u8, black: (cell.0 >> 6 << 1) as u8, mark: "pawns" }
    }
}

/// The cell of two sets of files (bit 0 = file a), of which a and h are left out.
#[inline]
pub(super) fn from_files(white: u8, black: u8) -> StructureIndex {
    StructureIndex(u32::from(white >> 1 & 63) | u32::from(black >> 1 & 63) << 6)
}

/// The six lowest bits in the opposite order.
pub(super) const fn reverse_six(bits: u32) -> u32 {
    bits.reverse_bits() >> 26
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_article() {
        // After 1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4: White without d, Black without c.
        let pawns = Pawns { white: 0x1000_f700, black: 0x00f3_0800_0000_0000 };
        assert_eq!(Bg::index(pawns), StructureIndex(0b111_101_111_011));
        assert_eq!(Bg::index(pawns), StructureIndex(3963));
    }

    #[test]
    fn doubled_pawns_count_once_and_rook_files_not_at_all() {
        let pawns = Pawns { white: 0x0101_8180_8100, black: 0 };
        assert_eq!(Bg::index(pawns), StructureIndex(0));
        let doubled = Pawns { white: 1 << 9 | 1 << 17, black: 0 };
        assert_eq!(Bg::index(doubled), StructureIndex(1));
    }
}
