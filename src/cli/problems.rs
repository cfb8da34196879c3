//! What verbs that read games say of inputs that were not read to a good end.

use serde_json::{Value, json};

use super::output;
use drawish::pgn::{BrokenInput, Input, InputProblems};
use drawish::stats::numbers::grouped;

/// Says it on standard error; `true` if it is a failure of the run. `used` is what becomes of games: "counted".
pub(super) fn complain(problems: &InputProblems, used: &str) -> bool {
    for BrokenInput { input, reason, games } in &problems.broken {
        let rest = match games {
            0 => format!("; nothing of it is {used}"),
            _ => format!(
                " after game {}; what stands before it is {used}, the rest is not: repair the file and start again",
                grouped(*games)
            ),
        };
        output::complain(format!("drawish: {input}: {reason}{rest}\n"));
    }
    for (input, original) in &problems.repeated {
        output::complain(format!("drawish: {input}: the same bytes as {original}, not {used} again\n"));
    }
    for input in &problems.without_games {
        let what = if input.is_empty() { "the file is empty" } else { "no game found; is it PGN?" };
        output::complain(format!("drawish: {input}: {what}\n"));
    }
    for input in &problems.unfinished {
        output::complain(format!(
            "drawish: {input}: the text ends in the middle of a game, or without its result; if the file is cut, get the rest\n"
        ));
    }
    !problems.broken.is_empty() || problems.without_games.iter().any(|input| !input.is_empty())
}

/// Adds the same to a summary for programs.
pub(super) fn add_to_json(problems: &InputProblems, summary: &mut Value) {
    let broken = |broken: &BrokenInput| {
        let BrokenInput { input, reason, games } = broken;
        json!({ "input": input.to_string(), "reason": reason, "games": games })
    };
    summary["broken"] = problems.broken.iter().map(broken).collect();
    summary["repeated"] = problems
        .repeated
        .iter()
        .map(|(input, original)| json!({ "input": input.to_string(), "same_as": original }))
        .collect();
    let names = |inputs: &[Input]| -> Value { inputs.iter().map(ToString::to_string).collect() };
    summary["without_games"] = names(&problems.without_games);
    summary["unfinished"] = names(&problems.unfinished);
}
