//! A table as a C header: three arrays and the function that finds a structure's place in them.

use std::collections::BTreeMap;
use std::fmt::Write;

use drawish_core::{Scheme, StructureIndex};

use twox_hash::XxHash3_64;

use super::Table;
use super::text::{Array, about, arrays};

/// The header. It is C99, valid C++, and needs nothing but `<stdint.h>`.
pub(super) fn c_header(table: &Table) -> String {
    let cells = table.cells.len();
    let mut out = String::new();
    let _ = write!(
        out,
        "#include <stdint.h>\n\n#define DRAWISH_SCHEME \"{}\"\n#define DRAWISH_CELLS {cells}\n\
         /* Draw rate of all positions together, in 1/65535. */\n#define DRAWISH_BASE {}\n\n",
        table.scheme, table.base.0,
    );
    match table.scheme {
        Scheme::BgSym => out.push_str(&by_class(table.scheme)),
        // A scheme that is added must say here that it has a function, or get one.
        Scheme::Bg | Scheme::BgBlocked | Scheme::Ah => {
            out.push_str(
                "/* The cell of a structure, from bitboards of the white and the black pawns with a1 = bit 0. */\n",
            );
            out.push_str(table.scheme.c_index().unwrap_or_default());
        }
    }
    for Array { meaning, name, c_type, values, .. } in arrays(table) {
        let _ =
            write!(out, "\n/* {meaning} */\nstatic const {c_type} drawish_{name}[DRAWISH_CELLS] = {{\n{values}}};\n");
    }
    let about: String = about(table).into_iter().map(|line| format!("/* {line} */\n")).collect();
    // Names are the same in all such headers: the second table of a source file would be left out without a word.
    let print = XxHash3_64::oneshot(out.as_bytes()) >> 32;
    format!(
        "{about}#ifndef DRAWISH_TABLE_H\n#define DRAWISH_TABLE_H 0x{print:08x}u\n\n{out}\n#elif DRAWISH_TABLE_H != 0x{print:08x}u\n\
         #error \"this file includes another table of drawish already; for several take .table files and drawish.h\"\n#endif\n"
    )
}

/// The index of a scheme that numbers the classes of `bg` by their smallest members: that of `bg`, and the class of each cell.
fn by_class(scheme: Scheme) -> String {
    let mut classes: BTreeMap<StructureIndex, usize> = BTreeMap::new();
    let class_of = (0..Scheme::Bg.cells()).map(|cell| {
        let next = classes.len();
        *classes.entry(Scheme::Bg.canonical(StructureIndex(cell))).or_insert(next)
    });
    let class_of: Vec<_> = class_of.map(|class| class.to_string()).collect();
    assert_eq!(classes.len(), scheme.cells() as usize, "the classes of the scheme");
    let rows: Vec<_> = class_of.chunks(16).map(|row| row.join(", ")).collect();
    let bg = Scheme::Bg.c_index().unwrap_or_default().replace("drawish_index", "drawish_bg_index");
    format!(
        "/* The cell of a structure in scheme bg, from bitboards of the white and the black pawns with a1 = bit 0. */\n{bg}\n\
         /* The class of each cell of bg under exchange of colours and of sides of the board. */\n\
         static const uint16_t drawish_class[{}] = {{\n    {}\n}};\n\n\
         /* The cell of a structure, from the same bitboards. */\n\
         static inline uint32_t drawish_index(uint64_t white, uint64_t black)\n{{\n    \
         return drawish_class[drawish_bg_index(white, black)];\n}}\n",
        Scheme::Bg.cells(),
        rows.join(",\n    ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_but_that_of_classes_has_a_function_of_its_own() {
        for &scheme in Scheme::ALL {
            assert_eq!(scheme.c_index().is_none(), scheme == Scheme::BgSym, "{scheme}");
        }
    }
}
