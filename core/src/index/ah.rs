//! `ah`: all eight files.

use super::{IndexScheme, Structure, StructureIndex};
use crate::Pawns;

/// 65,536 cells: bit 0 = a white pawn anywhere on file a … bit 7 = on file h, bits 8 to 15 the same for Black.
pub struct Ah;

impl IndexScheme for Ah {
    const NAME: &'static str = "ah";
    const ID: u16 = 3;
    const CELLS: u32 = 65_536;
    const SUMMARY: &'static str = "files a to h that hold a pawn of each side (65,536 cells)";
    const C_INDEX: Option<&'static str> = c_index!(
        "\
static inline unsigned drawish_index(uint64_t white, uint64_t black) {
    return drawish_files(white) | drawish_files(black) << 8;
}
",
    );

    #[inline]
    fn index(pawns: Pawns) -> StructureIndex {
        let (white, black) = pawns.files();
        StructureIndex(u32::from(u16::from_le_bytes([white, black])))
    }

    fn flip_colors(cell: StructureIndex) -> StructureIndex {
        let Structure { white, black, .. } = Self::describe(cell);
        StructureIndex(u32::from(u16::from_le_bytes([black, white])))
    }

    fn mirror_files(cell: StructureIndex) -> StructureIndex {
        let Structure { white, black, .. } = Self::describe(cell);
        StructureIndex(u32::from(u16::from_le_bytes([white.reverse_bits(), black.reverse_bits()])))
    }

    fn describe(cell: StructureIndex) -> Structure {
        let [white, black, ..] = cell.0.to_le_bytes();
        Structure { white, black, mark: "pawns" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_the_low_byte_and_file_a_the_low_bit() {
        let a2_h7 = Pawns { white: 1 << 8, black: 1 << 55 };
        assert_eq!(Ah::index(a2_h7), StructureIndex(0x8001));
    }
}
