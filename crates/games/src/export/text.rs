//! Tables as text: Rust source, JSON, CSV, and the provenance as TOML.

use std::fmt::Write;

use drawish_artefact::provenance::in_comment;
use drawish_core::StructureIndex;
use serde_json::json;

use super::{DEPENDENT, Table, TableCell};
use drawish_artefact::provenance::InputRecord;

/// What a source file says about its origin, a line each that may stand in a comment of Rust or C.
pub(super) fn about(table: &Table) -> Vec<String> {
    let provenance = &table.provenance;
    let mut lines = vec![
        format!("Draw table of scheme {}: {}.", table.scheme, table.scheme.summary()),
        format!(
            "{} positions of {} games, draw rate {:.4}, estimator {}.",
            table.positions,
            provenance.games.1,
            table.base.to_f64(),
            table.estimator.name()
        ),
        format!("Made by {} from counts {:032x}.", provenance.made_by, provenance.counts_digest),
        format!("Rule: {}", provenance.rule),
    ];
    lines.extend(provenance.remark.map(|remark| format!("Beware: {remark}.")));
    lines.extend(provenance.is_dependent.then(|| format!("Beware: {DEPENDENT}.")));
    lines.extend(
        provenance
            .inputs
            .iter()
            .map(|input| format!("Input: {} (XXH3-128 {}), {} games.", input.name, input.xxh3_128, input.counted)),
    );
    // Names and rules come from elsewhere: a file name with a line end would put its second line into the program.
    lines.iter().map(|line| in_comment(line)).collect()
}

/// One array of a table as source code.
pub(super) struct Array {
    pub meaning: &'static str,
    /// In lower case with underscores.
    pub name: &'static str,
    pub c_type: &'static str,
    pub rust_type: &'static str,
    /// The values of all cells, sixteen on each line.
    pub values: String,
}

/// The three arrays that an engine needs.
pub(super) fn arrays(table: &Table) -> [Array; 3] {
    [
        Array {
            meaning: "Draw probability in 1/65535.",
            name: "probability",
            c_type: "uint16_t",
            rust_type: "u16",
            values: values(table, |cell| i64::from(cell.values.probability.0)),
        },
        Array {
            meaning: "drawScore: logit(p) - logit(base), in 1/256 logit.",
            name: "draw_score",
            c_type: "int16_t",
            rust_type: "i16",
            values: values(table, |cell| i64::from(cell.values.draw_score.0)),
        },
        Array {
            meaning: "Factor for the evaluation in 1/128: score * factor / 128.",
            name: "scale",
            c_type: "uint8_t",
            rust_type: "u8",
            values: values(table, |cell| i64::from(cell.values.scale.0)),
        },
    ]
}

fn values(table: &Table, value: impl Fn(&TableCell) -> i64) -> String {
    let mut out = String::new();
    for row in table.cells.chunks(16) {
        let values: Vec<_> = row.iter().map(|cell| value(cell).to_string()).collect();
        let _ = writeln!(out, "    {},", values.join(", "));
    }
    out
}

pub(super) fn rust(table: &Table) -> String {
    let mut out = String::new();
    for line in about(table) {
        let _ = writeln!(out, "// {line}");
    }
    let _ = write!(
        out,
        "// Index: `drawish_core::Scheme::from_name(\"{}\")`, or the function of the same scheme in a C header.\n\n\
         /// Draw rate of all positions together, in 1/65535.\npub const BASE: u16 = {};\n",
        table.scheme, table.base.0
    );
    for Array { meaning, name, rust_type, values, .. } in arrays(table) {
        let (name, cells) = (name.to_uppercase(), table.cells.len());
        let _ = write!(
            out,
            "\n/// {meaning}\n#[rustfmt::skip]\npub static {name}: [{rust_type}; {cells}] = [\n{values}];\n"
        );
    }
    out
}

/// The letters of a set of files, as in `bcdf`; `-` for none.
pub fn file_letters(files: u8) -> String {
    let letters: String = (0..8).filter(|file| files >> file & 1 == 1).map(|file| char::from(b'a' + file)).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

pub(super) fn csv(table: &Table) -> String {
    let mut out =
        "cell,white_files,black_files,positions,pooled_positions,probability,low,high,draw_score,scale\n".to_owned();
    for (cell, values) in (0..).map(StructureIndex).zip(&table.cells) {
        let structure = table.scheme.describe(cell);
        let _ = writeln!(
            out,
            "{},{},{},{},{},{:.6},{:.6},{:.6},{},{}",
            cell.0,
            file_letters(structure.white),
            file_letters(structure.black),
            values.positions,
            values.pooled,
            values.values.probability.to_f64(),
            values.low.to_f64(),
            values.high.to_f64(),
            values.values.draw_score.0,
            values.values.scale.0,
        );
    }
    out
}

fn provenance(table: &Table) -> serde_json::Value {
    let provenance = &table.provenance;
    let inputs: Vec<_> = provenance
        .inputs
        .iter()
        .map(|input| {
            let InputRecord { name, xxh3_128, games, counted, .. } = input;
            json!({ "name": name, "xxh3_128": xxh3_128, "games": games, "counted": counted })
        })
        .collect();
    let mut value = json!({
        "scheme": table.scheme.name(),
        "estimator": table.estimator.name(),
        "base": table.base.to_f64(),
        "positions": table.positions,
        "games": provenance.games.0,
        "counted": provenance.games.1,
        "prior": provenance.prior.map(|(mean, strength)| json!({ "mean": mean, "strength": strength })),
        "rule": provenance.rule.to_string(),
        "made_by": provenance.made_by,
        "counted_by": provenance.counted_by,
        "counts_xxh3_128": format!("{:032x}", provenance.counts_digest),
        "inputs": inputs,
    });
    if let Some(remark) = provenance.remark {
        value["beware"] = remark.into();
    }
    if provenance.is_dependent {
        value["dependent"] = true.into();
    }
    value
}

pub(super) fn json(table: &Table) -> String {
    let cells: Vec<_> = (0..)
        .map(StructureIndex)
        .zip(&table.cells)
        .map(|(cell, values)| {
            let structure = table.scheme.describe(cell);
            json!({
                "cell": cell.0,
                "white_files": file_letters(structure.white),
                "black_files": file_letters(structure.black),
                "positions": values.positions,
                "pooled_positions": values.pooled,
                "probability": rounded(values.values.probability.to_f64()),
                "low": rounded(values.low.to_f64()),
                "high": rounded(values.high.to_f64()),
                "draw_score": values.values.draw_score.0,
                "scale": values.values.scale.0,
            })
        })
        .collect();
    let mut value = provenance(table);
    value["cells"] = cells.into();
    value.to_string() + "\n"
}

/// To six decimals: more than the unit of 1/65,535 can tell.
fn rounded(p: f64) -> f64 {
    (p * 1e6).round() / 1e6
}

pub(super) fn toml(table: &Table) -> String {
    let mut value = provenance(table);
    // TOML has no null: what is unknown is absent.
    if let Some(map) = value.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    toml::to_string_pretty(&value).expect("a map of numbers, strings, lists and maps is TOML")
}
