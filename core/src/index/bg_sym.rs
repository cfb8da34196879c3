//! `bg-sym`: `bg` with structures that are each other's colour swap or mirror image in one cell.

use super::{IndexScheme, Structure, StructureIndex, bg::reverse_six};
use crate::{Pawns, index::Bg};

/// The number of classes: by Burnside's lemma (4096 + 64 + 64 + 64) / 4.
const CLASSES: usize = 1072;

/// 1,072 cells: the classes of [`Bg`] under colour swap and file mirror, numbered by their smallest member.
pub struct BgSym;

impl IndexScheme for BgSym {
    const NAME: &'static str = "bg-sym";
    const ID: u16 = 4;
    const CELLS: u32 = CLASSES as u32;
    const SUMMARY: &'static str = "bg up to colour swap and file mirror (1,072 cells)";
    const C_INDEX: Option<&'static str> = None;

    #[inline]
    fn index(pawns: Pawns) -> StructureIndex {
        StructureIndex(u32::from(ORBITS.class_of[Bg::index(pawns).0 as usize]))
    }

    fn flip_colors(cell: StructureIndex) -> StructureIndex {
        cell
    }

    fn mirror_files(cell: StructureIndex) -> StructureIndex {
        cell
    }

    fn describe(cell: StructureIndex) -> Structure {
        Bg::describe(StructureIndex(u32::from(ORBITS.smallest[cell.0 as usize])))
    }
}

struct Orbits {
    class_of: [u16; Bg::CELLS as usize],
    smallest: [u16; CLASSES],
}

static ORBITS: Orbits = orbits();

const fn orbits() -> Orbits {
    let mut orbits = Orbits { class_of: [0; Bg::CELLS as usize], smallest: [0; CLASSES] };
    let mut classes = 0;
    let mut cell = 0;
    while cell < Bg::CELLS {
        let mirrored = reverse_six(cell & 63) | reverse_six(cell >> 6) << 6;
        let mut smallest = min(cell, mirrored);
        smallest = min(smallest, cell >> 6 | (cell & 63) << 6);
        smallest = min(smallest, mirrored >> 6 | (mirrored & 63) << 6);
        // The smallest member comes first in this loop, so its class is known when the others need it.
        if smallest == cell {
            orbits.smallest[classes] = cell as u16;
            orbits.class_of[cell as usize] = classes as u16;
            classes += 1;
        } else {
            orbits.class_of[cell as usize] = orbits.class_of[smallest as usize];
        }
        cell += 1;
    }
    assert!(classes == CLASSES);
    orbits
}

const fn min(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheme;

    #[test]
    fn two_cells_share_a_class_exactly_when_they_share_the_canonical_cell() {
        for cell in (0..Bg::CELLS).map(StructureIndex) {
            let class = ORBITS.class_of[cell.0 as usize];
            let canonical = Scheme::Bg.canonical(cell);
            assert_eq!(u32::from(ORBITS.smallest[usize::from(class)]), canonical.0);
        }
    }
}
