//! What tuning prints when it ends.

use std::fmt::Write;

use serde_json::{Value, json};

use drawish::spsa::{Found, SpsaPlayed};

/// The table of the values, and the match that must confirm them.
pub(super) fn in_text(played: &SpsaPlayed, command: &str) -> String {
    let mut rows = vec![["parameter", "was", "value", "average", "best by all results", ""].map(str::to_owned)];
    for found in played.found() {
        let Found { parameter, value, average, best } = found;
        let interval = best.map_or_else(
            || "-".to_owned(),
            |best| {
                format!(
                    "{} ({} to {})",
                    short(best.value),
                    short(best.value - best.error),
                    short(best.value + best.error)
                )
            },
        );
        let remark = if found.has_moved() == Some(false) { "moved less than its noise" } else { "" };
        let was = parameter.in_words(parameter.value);
        rows.push([parameter.name.clone(), was, short(value), short(average.mean), interval, remark.to_owned()]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let rest = if played.at_rest { ", stopped at rest" } else { "" };
    let mut text = format!(
        "{} of {} steps, {} games{rest}, {}\n",
        played.path.steps(),
        played.setup.steps,
        played.games(),
        faults(played.faults)
    );
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 | 5 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text += "average: mean over the second half of the steps\nbest by all results: where the results of all steps say that it is best, with \
             its 95 % interval; - where they do not say it clearly\n\n";
    let _ = write!(text, "Confirm on openings that tuning did not use:\n{command}\n");
    text
}

fn faults(faults: u64) -> String {
    if faults == 0 { "no faults".to_owned() } else { format!("{faults} games ended by a fault and were played again") }
}

/// Four significant digits or more, as they are needed.
fn short(value: f64) -> String {
    let decimals = if value.abs() >= 1000.0 {
        0
    } else if value.abs() >= 10.0 {
        2
    } else {
        4
    };
    format!("{value:.decimals$}")
}

/// All of it for programs.
pub(super) fn in_json(played: &SpsaPlayed) -> Value {
    let found = played.found().map(|found| {
        let Found { parameter, value, average, best } = found;
        json!({
            "name": parameter.name, "was": parameter.value, "value": value, "average": average.mean,
            "average_error": average.error, "best": best.map(|best| best.value),
            "low": best.map(|best| best.value - best.error), "high": best.map(|best| best.value + best.error),
            "moved": found.has_moved(),
        })
    });
    json!({
        "steps": played.path.steps(), "games": played.games(), "faults": played.faults, "at_rest": played.at_rest,
        "seed": played.setup.games.seed, "parameters": found.collect::<Vec<_>>(),
    })
}
