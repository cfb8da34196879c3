//! Games with evaluations, read behind a progress bar, and what is said of the reading.

use std::path::PathBuf;

use anyhow::Result;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::cli::progress::progress_bar;
use crate::cli::{output, problems};
use drawish::estimate::Reading;
use drawish::pgn::{Input, Style, expand_inputs};
use drawish::stats::numbers::grouped;

/// The inputs that these names stand for, and a bar for reading them.
pub(super) fn open(files: &[PathBuf]) -> Result<(Vec<Input>, ProgressBar)> {
    let inputs = expand_inputs(files)?;
    let bar = progress_bar(&inputs, false);
    Ok((inputs, bar))
}

/// Moves a bar on.
pub(super) fn show(bar: &ProgressBar) -> impl Fn(u64, u64) + Send + Sync + '_ {
    |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    }
}

/// Says on standard error what was wrong with the inputs; `true` if games may be missing.
pub(super) fn report(reading: &Reading) -> bool {
    for (input, game) in &reading.open_comments {
        output::complain(format!(
            "drawish: {input}: game {game}: a comment without a closing brace; its moves up to there are used\n"
        ));
    }
    for input in &reading.mixed_styles {
        output::complain(format!(
            "drawish: {input}: evaluations of more than one style; each is read by its own rule\n"
        ));
    }
    problems::complain(&reading.problems, "used")
}

pub(super) fn json(reading: &Reading) -> Value {
    let open_comments: Value =
        reading.open_comments.iter().map(|(input, game)| json!({ "input": input, "game": game })).collect();
    let mut value = json!({
        "games": reading.games,
        "without_result": reading.without_result,
        "without_evaluations": reading.without_evaluations,
        "evaluations": by_style(reading.styles),
        "mates": reading.mates,
        "mixed_styles": reading.mixed_styles,
        "open_comments": open_comments,
    });
    problems::add_to_json(&reading.problems, &mut value);
    value
}

/// Numbers of evaluations by the name of their style.
pub(super) fn by_style(counts: [u64; 3]) -> Value {
    Style::ALL.iter().zip(counts).map(|(style, count)| (style.name().to_owned(), Value::from(count))).collect()
}
