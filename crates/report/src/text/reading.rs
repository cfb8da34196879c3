//! The reading of games with evaluations.

use drawish_games::estimate::{LeftOut, Reading};
use drawish_games::pgn::Style;
use drawish_stats::numbers::counted;
use serde_json::{Value, json};

use super::annotate::SHOWN;
use super::ledger::{add_problems, by_name};

/// What was odd about single inputs and which games do not count, a line each; beside it stand the lines of their problems.
#[must_use]
pub fn lines(reading: &Reading) -> Vec<String> {
    let all = reading.open_comments.len();
    let open = reading.open_comments.iter().take(SHOWN).map(|(input, game)| {
        format!("{input}: game {game}: a comment without a closing brace; its moves up to there are used")
    });
    let more = all.checked_sub(SHOWN).filter(|more| *more > 0).map(|more| {
        format!("{} more with a comment without a closing brace; --json names them", counted(more as u64, "game"))
    });
    let mixed = reading
        .mixed_styles
        .iter()
        .map(|input| format!("{input}: evaluations of more than one style; each is read by its own rule"));
    open.chain(more).chain(mixed).chain(reading.left_out_in_words()).collect()
}

/// What was read, for programs.
#[must_use]
pub fn json(reading: &Reading) -> Value {
    let open_comments: Value =
        reading.open_comments.iter().map(|(input, game)| json!({ "input": input, "game": game })).collect();
    let mut value = json!({
        "games": reading.games,
        "not_asked_for": reading.others,
        "without_result": reading.without_result,
        "without_evaluations": reading.without_evaluations,
        "left_out": by_name(LeftOut::ALL.into_iter().zip(reading.left_out).map(|(reason, games)| (reason.name(), games))),
        "evaluations": by_style(reading.styles),
        "mates": reading.mates,
        "mixed_styles": reading.mixed_styles,
        "open_comments": open_comments,
    });
    add_problems(&reading.problems, &mut value);
    value
}

/// Numbers of evaluations by the name of their style.
pub(super) fn by_style(counts: [u64; 3]) -> Value {
    by_name(Style::ALL.into_iter().zip(counts).map(|(style, count)| (style.name(), count)))
}
