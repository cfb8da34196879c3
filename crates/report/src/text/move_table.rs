//! By how much kinds of moves change what heads say.

use std::fmt::Write;

use drawish_heads::heads::{Changes, MoveTable};
use drawish_stats::numbers::grouped;
use serde_json::{Value, json};

use super::columns;

/// A line for each kind of move that occurs.
#[must_use]
pub fn text(table: &MoveTable) -> String {
    let mut rows =
        vec![["move", "number", "ln g", "95 % CI", "spread", "drawScore", "95 % CI", "spread"].map(str::to_owned)];
    for found in table.kinds.iter().filter(|found| found.moves > 0) {
        let [gain, gain_interval, gain_spread] = cells(found.gain);
        let [draw, draw_interval, draw_spread] = cells(found.draw);
        let (name, number) = (found.kind.name().to_owned(), grouped(found.moves));
        rows.push([name, number, gain, gain_interval, gain_spread, draw, draw_interval, draw_spread]);
    }
    let mut text = format!(
        "changes by one move, over all legal moves of {} positions of games, in logits\n{}",
        grouped(table.positions),
        columns(&rows, &[0])
    );
    for (name, within) in [("ln g", table.gain_within), ("drawScore", table.draw_within)] {
        if let Some(within) = within {
            let _ = writeln!(text, "standard deviation of {name} among the moves of a position: {within:.4}");
        }
    }
    text += "ln g: above 0, the evaluation counts more after the move; spread: standard deviation; CI by positions\n";
    text
}

fn cells(changes: Option<Changes>) -> [String; 3] {
    let Some(Changes { mean, error, spread }) = changes else { return [(); 3].map(|()| "-".to_owned()) };
    [format!("{mean:+.4}"), format!("{:+.4} to {:+.4}", mean - error, mean + error), format!("{spread:.4}")]
}

/// The same for programs.
#[must_use]
pub fn json(table: &MoveTable) -> Value {
    let of = |changes: Option<Changes>| {
        changes.map(|Changes { mean, error, spread }| {
            json!({ "mean": mean, "low": mean - error, "high": mean + error, "spread": spread })
        })
    };
    let kinds = table.kinds.iter().map(|found| {
        json!({ "move": found.kind.name(), "number": found.moves, "ln_g": of(found.gain), "draw_score": of(found.draw) })
    });
    json!({
        "positions": table.positions, "kinds": kinds.collect::<Vec<_>>(),
        "ln_g_within": table.gain_within, "draw_score_within": table.draw_within,
    })
}
