//! A table as a C header: three arrays and the function that finds a structure's place in them.

use std::fmt::Write;

use super::Table;
use super::text::{about, array};

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
    let arrays = [
        (
            "Draw probability in 1/65535.",
            "uint16_t",
            "drawish_probability",
            array(table, |cell| i64::from(cell.values.probability.0)),
        ),
        (
            "drawScore: logit(p) - logit(base), in 1/256 logit.",
            "int16_t",
            "drawish_draw_score",
            array(table, |cell| i64::from(cell.values.draw_score.0)),
        ),
        (
            "Factor for the evaluation in 1/128: score * factor / 128.",
            "uint8_t",
            "drawish_scale",
            array(table, |cell| i64::from(cell.values.scale.0)),
        ),
    ];
    for (comment, kind, name, values) in arrays {
        let _ = write!(out, "\n/* {comment} */\nstatic const {kind} {name}[DRAWISH_CELLS] = {{\n{values}}};\n");
    }
    out.push_str("\n#endif\n");
    out
}
