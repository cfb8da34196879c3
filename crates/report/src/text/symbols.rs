//! Where the symbols of evaluation relevance begin, as tables.

use std::fmt::Write;

use drawish_stats::model::relevance::{
    MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side, evaluation_text,
};
use serde_json::{Value, json};

/// Whole numbers of so many pawns and more are taken for centipawns: engines show evaluations to hundredths.
const LIKE_CENTIPAWNS: f64 = 20.0;

/// What to say of evaluations in pawns that look like centipawns: the first of them, and what it is read as.
#[must_use]
pub fn doubt_of_pawns(evaluations: &[f64]) -> Option<String> {
    let is_like = |eval: &f64| eval.is_finite() && eval.abs() >= LIKE_CENTIPAWNS && eval.fract() == 0.0;
    let eval = evaluations.iter().copied().find(is_like)?;
    Some(format!("{eval} is read as pawns; if these are centipawns, give {:.2}", eval / 100.0))
}

/// The thresholds of move symbols around an evaluation, for moves of these sides.
#[must_use]
pub fn moves_text(curve: &Relevance, eval: f64, sides: &[Side], decimals: u8) -> String {
    let mut out = format!(
        "from which evaluation on a move deserves a symbol if the alternative has {}\n{:<12}",
        evaluation_text(eval, decimals),
        ""
    );
    for side in sides {
        let name = if *side == Side::White { "White" } else { "Black" };
        let _ = write!(out, "{name:>20}");
    }
    let _ = write!(out, "\n{:<12}", "");
    let columns: Vec<_> = sides.iter().flat_map(|&side| MoveScheme::ALL.map(|scheme| (side, scheme))).collect();
    for (_, scheme) in &columns {
        let _ = write!(out, "{:>10}", scheme.name());
    }
    out.push('\n');
    let columns: Vec<_> = columns.into_iter().map(|(side, scheme)| curve.move_thresholds(scheme, eval, side)).collect();
    for symbol in MoveSymbol::ALL {
        let _ = write!(out, "{:<4}{:<8}", symbol.text(), format!("${}", symbol.nag()));
        for thresholds in &columns {
            let _ = write!(out, "{:>10}", from(thresholds.of(symbol), decimals));
        }
        out.push('\n');
    }
    out
}

/// The thresholds of position symbols.
#[must_use]
pub fn positions_text(curve: &Relevance, decimals: u8) -> String {
    let mut out = "from which evaluation on White has an advantage (Black: the same below 0)\n".to_owned();
    let _ = write!(out, "{:<17}", "");
    let names = PositionScheme::NineEqual.advantages();
    for &advantage in names {
        let symbol = PositionSymbol::Better(Side::White, advantage);
        let _ = write!(out, "{:>9}", format!("{} ${}", symbol.text(), symbol.nag()));
    }
    out.push('\n');
    for scheme in PositionScheme::ALL {
        let _ = write!(out, "{:<17}", scheme.name());
        let thresholds = curve.position_thresholds(scheme);
        for place in 0..names.len() {
            let _ = write!(out, "{:>9}", from(thresholds.get(place).map(|(_, from)| *from), decimals));
        }
        out.push('\n');
    }
    out
}

/// A threshold, if there is one.
fn from(threshold: Option<f64>, decimals: u8) -> String {
    threshold.map_or("-----".to_owned(), |from| evaluation_text(from, decimals))
}

/// All of these thresholds for programs: those of moves of some sides around an evaluation, and those of positions.
#[must_use]
pub fn json(curve: &Relevance, eval: f64, sides: &[Side]) -> Value {
    let moves: Value = sides.iter().map(|&side| (side_name(side).to_owned(), moves_json(curve, eval, side))).collect();
    json!({
        "eval": finite(eval),
        "parameters": parameters_json(curve),
        "total_integral": curve.total_integral(),
        "moves": moves,
        "positions": positions_json(curve),
    })
}

/// The name of a side in JSON.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// A number, or null where JSON has none.
pub(super) fn finite(value: f64) -> Value {
    value.is_finite().then_some(value).into()
}

pub(super) fn parameters_json(curve: &Relevance) -> Value {
    json!({ "e75": curve.e75(), "eplus": curve.e_plus(), "result": curve.result() })
}

pub(super) fn move_symbol_json(symbol: MoveSymbol) -> Value {
    json!({ "symbol": symbol.text(), "unicode": symbol.unicode().to_string(), "nag": symbol.nag() })
}

pub(super) fn position_symbol_json(symbol: PositionSymbol) -> Value {
    json!({ "symbol": symbol.text(), "unicode": symbol.unicode(), "nag": symbol.nag() })
}

/// One value for each move scheme, by its name.
pub(super) fn by_move_scheme(value: impl Fn(MoveScheme) -> Value) -> Value {
    MoveScheme::ALL.into_iter().map(|scheme| (scheme.name().to_owned(), value(scheme))).collect()
}

/// One value for each position scheme, by its name.
pub(super) fn by_position_scheme(value: impl Fn(PositionScheme) -> Value) -> Value {
    PositionScheme::ALL.into_iter().map(|scheme| (scheme.name().to_owned(), value(scheme))).collect()
}

/// The thresholds of move symbols around an evaluation.
fn moves_json(curve: &Relevance, eval: f64, side: Side) -> Value {
    by_move_scheme(|scheme| {
        let thresholds = curve.move_thresholds(scheme, eval, side);
        let row = |symbol| {
            let mut value = move_symbol_json(symbol);
            value["from"] = thresholds.of(symbol).into();
            value
        };
        MoveSymbol::ALL.into_iter().map(row).collect()
    })
}

/// The thresholds of position symbols.
pub(super) fn positions_json(curve: &Relevance) -> Value {
    by_position_scheme(|scheme| {
        let thresholds = curve.position_thresholds(scheme).into_iter();
        let both = thresholds.flat_map(|(advantage, from)| {
            [(Side::White, from), (Side::Black, -from)].map(|(side, from)| {
                let mut value = position_symbol_json(PositionSymbol::Better(side, advantage));
                value["from"] = from.into();
                value
            })
        });
        both.collect()
    })
}
