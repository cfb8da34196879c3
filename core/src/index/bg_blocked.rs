//! `bg-blocked`: `bg`, but only files on which pawns block each other. The article's second try.

use super::{IndexScheme, Structure, StructureIndex, bg};
use crate::{Pawns, index::Bg};

/// The cells of [`Bg`] for the files on which a black pawn stands directly in front of a white one.
///
/// Such a file is marked for both sides, so that 64 of the 4,096 numbers occur: a table of this scheme has the
/// size and the bits of one of `bg` and can take its place in an engine.
pub struct BgBlocked;

impl IndexScheme for BgBlocked {
    const NAME: &'static str = "bg-blocked";
    const ID: u16 = 2;
    const CELLS: u32 = Bg::CELLS;
    const SUMMARY: &'static str = "files b to g on which pawns block each other (64 of 4,096 cells occur)";
    const C_INDEX: Option<&'static str> = c_index!(
        "\
static inline unsigned drawish_index(uint64_t white, uint64_t black) {
    unsigned rammed = drawish_files(white << 8 & black) >> 1 & 63;
    return rammed | rammed << 6;
}
",
    );

    #[inline]
    fn index(pawns: Pawns) -> StructureIndex {
        let rammed = pawns.rammed_files();
        bg::from_files(rammed, rammed)
    }

    fn flip_colors(cell: StructureIndex) -> StructureIndex {
        Bg::flip_colors(cell)
    }

    fn mirror_files(cell: StructureIndex) -> StructureIndex {
        Bg::mirror_files(cell)
    }

    fn describe(cell: StructureIndex) -> Structure {
        Structure { mark: "rammed pawns", ..Bg::describe(cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_chain_marks_its_files_for_both_sides() {
        // French advance: white d4 e5 f2, black d5 e6 f7: the d- and the e-file are rammed.
        let pawns = Pawns { white: 1 << 27 | 1 << 36 | 1 << 13, black: 1 << 35 | 1 << 44 | 1 << 53 };
        assert_eq!(BgBlocked::index(pawns), StructureIndex(0b001_100_001_100));
    }
}
