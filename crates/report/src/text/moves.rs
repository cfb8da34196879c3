//! Two moves of a position, compared by their evaluations.

use std::fmt::Write;

use drawish_stats::model::relevance::{
    Comparison, MoveScheme, MoveSymbol, PositionScheme, Relevance, Sector, Side, evaluation_text,
};
use serde_json::{Value, json};

use super::symbols::{
    by_move_scheme, by_position_scheme, finite, move_symbol_json, moves_text, parameters_json, position_symbol_json,
    positions_json, positions_text, side_name,
};

/// Two moves of a side, by the evaluations after them in pawns from White's view.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    /// By which evaluations are weighed.
    pub curve: &'a Relevance,
    /// Who moves.
    pub side: Side,
    /// After the better move for White, or the worse one for Black.
    pub high: f64,
    /// After the other move.
    pub low: f64,
    /// Decimals of evaluations and differences; where irrelevance starts depends on them.
    pub decimals: u8,
}

impl Moves<'_> {
    /// How much they differ, what each is expected to score, the symbols they deserve and where those begin.
    #[must_use]
    pub fn text(&self, comparison: &Comparison) -> String {
        let Moves { curve, side, high, low, decimals } = *self;
        let number = |value: f64| evaluation_text(value, decimals);
        let mut out = String::new();
        let _ = writeln!(out, "absolute difference  {}", number(comparison.absolute_difference));
        let _ = writeln!(
            out,
            "relevant difference  {}  ({:.1} % of {} from minus to plus infinity)",
            number(comparison.relevant_difference),
            100.0 * comparison.relevant_difference / curve.total_integral(),
            number(curve.total_integral())
        );
        let rate = comparison.optimum_rate.map_or("-----".to_owned(), |rate| format!("{:.2} %", 100.0 * rate));
        let _ = writeln!(out, "optimum rate         {rate}");
        let _ = match curve.irrelevance_start(decimals) {
            Some((start, sector)) => {
                let sector = sector_number(sector);
                writeln!(out, "irrelevance starts   at +-{start:.3}, in sector {sector}, with {decimals} decimals")
            }
            None => writeln!(out, "irrelevance starts   at 0: all differences vanish with {decimals} decimals"),
        };
        let _ = writeln!(out, "\n{:<14}{:>10}{:>10}{:>10}", "expected", "evaluation", "White", "Black");
        for (name, evaluation, expected) in [("high", high, comparison.high), ("low", low, comparison.low)] {
            let _ =
                writeln!(out, "{name:<14}{:>10}{:>10.4}{:>10.4}", number(evaluation), expected.white, expected.black);
        }
        let symbol = |scheme, alternative, made| {
            curve.move_symbol(scheme, alternative, made, side).map_or("none", MoveSymbol::text)
        };
        let _ = writeln!(out, "\n{:<18}{:>8}{:>8}", "symbols", "high", "low");
        for scheme in MoveScheme::ALL {
            let symbols = (symbol(scheme, low, high), symbol(scheme, high, low));
            let _ = writeln!(out, "move {:<13}{:>8}{:>8}", scheme.name(), symbols.0, symbols.1);
        }
        for scheme in PositionScheme::ALL {
            let symbol = |evaluation| curve.position_symbol(scheme, evaluation).text();
            let _ = writeln!(out, "{:<18}{:>8}{:>8}", scheme.name(), symbol(high), symbol(low));
        }
        let thresholds = |eval| moves_text(curve, eval, &[side], decimals);
        format!("{out}\n{}\n{}\n{}", thresholds(low), thresholds(high), positions_text(curve, decimals))
    }

    /// The same for programs, in full precision.
    #[must_use]
    pub fn json(&self, comparison: &Comparison) -> Value {
        let Moves { curve, side, high, low, decimals } = *self;
        let start = curve.irrelevance_start(decimals);
        let symbol = |alternative, made| {
            by_move_scheme(|scheme| {
                curve.move_symbol(scheme, alternative, made, side).map_or(Value::Null, move_symbol_json)
            })
        };
        let position =
            |evaluation| by_position_scheme(|scheme| position_symbol_json(curve.position_symbol(scheme, evaluation)));
        json!({
            "high": finite(high),
            "low": finite(low),
            "side": side_name(side),
            "parameters": parameters_json(curve),
            "absolute_difference": finite(comparison.absolute_difference),
            "relevant_difference": comparison.relevant_difference,
            "total_integral": curve.total_integral(),
            "optimum_rate": comparison.optimum_rate,
            "high_result_white": comparison.high.white,
            "high_result_black": comparison.high.black,
            "low_result_white": comparison.low.white,
            "low_result_black": comparison.low.black,
            "irrelevance_start": start.map(|(evaluation, _)| evaluation),
            "irrelevance_start_sector": start.map(|(_, sector)| sector_number(sector)),
            "high_move_symbol": symbol(low, high),
            "low_move_symbol": symbol(high, low),
            "high_position_symbol": position(high),
            "low_position_symbol": position(low),
            "position_thresholds": positions_json(curve),
        })
    }
}

fn sector_number(sector: Sector) -> u8 {
    match sector {
        Sector::First => 1,
        Sector::Second => 2,
        Sector::Third => 3,
    }
}
