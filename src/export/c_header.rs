//! A table as a C header: three arrays and the function that finds a structure's place in them.

use std::fmt::Write;

use super::Table;
use super::text::{Array, about, arrays};

/// The header. It is C99, valid C++, and needs nothing but `<stdint.h>`.
pub(super) fn c_header(table: &Table) -> String {
    let cells = table.cells.len();
    let mut out = String::new();
    for line in about(table) {
        let _ = writeln!(out, "/* {} */", line.replace("*/", "* /"));
    }
    let _ = write!(
        out,
        "#ifndef DRAWISH_TABLE_H\n#define DRAWISH_TABLE_H\n\n#include <stdint.h>\n\n\
         #define DRAWISH_SCHEME \"{}\"\n#define DRAWISH_CELLS {cells}\n\
         /* Draw rate of all positions together, in 1/65535. */\n#define DRAWISH_BASE {}\n\n",
        table.scheme, table.base.0,
    );
    match table.scheme.c_index() {
        Some(source) => {
            out.push_str(
                "/* The cell of a structure, from bitboards of the white and the black pawns with a1 = bit 0. */\n",
            );
            out.push_str(source);
        }
        None => {
            let _ = writeln!(out, "/* {}: see the documentation for the index. */", table.scheme.summary());
        }
    }
    for Array { meaning, name, c_type, values, .. } in arrays(table) {
        let _ =
            write!(out, "\n/* {meaning} */\nstatic const {c_type} drawish_{name}[DRAWISH_CELLS] = {{\n{values}}};\n");
    }
    out.push_str("\n#endif\n");
    out
}
