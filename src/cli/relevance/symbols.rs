//! Symbols and their thresholds as JSON.

use serde_json::{Value, json};

use drawish::model::relevance::{MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side};

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
pub(super) fn moves_json(curve: &Relevance, eval: f64, side: Side) -> Value {
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
