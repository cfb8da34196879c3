//! Where the symbols of evaluation relevance begin, as tables.

use std::fmt::Write;

use drawish_stats::model::relevance::{
    MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side, evaluation_text,
};

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
