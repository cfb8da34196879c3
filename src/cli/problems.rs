//! What verbs that read games say of inputs that were not read to a good end.

use serde_json::{Value, json};

use super::output;
use drawish::pgn::{BrokenInput, Input, InputProblems};
use drawish::sample::{SkipReason, Tally};
use drawish::stats::numbers::grouped;

/// Says it on standard error; `true` if it is a failure of the run. `used` is what becomes of games: "counted".
pub(super) fn complain(problems: &InputProblems, used: &str) -> bool {
    for line in problems.lines(used) {
        output::complain(format!("drawish: {line}\n"));
    }
    !problems.broken.is_empty()
        || !problems.swallowed.is_empty()
        || problems.without_games.iter().any(|input| !input.is_empty())
}

/// Says why no game at all was used, and which option would use some; `true` if so, which is a failure of the run.
pub(super) fn complain_of_nothing(tally: &Tally, used: &str) -> bool {
    if tally.counted() > 0 {
        return false;
    }
    let mut reasons: Vec<_> = SkipReason::ALL.into_iter().map(|reason| (tally.skipped(reason), reason)).collect();
    // The first of equal ones first.
    reasons.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
    let reasons: Vec<_> = reasons.into_iter().filter(|(games, _)| *games > 0).collect();
    let Some((_, first)) = reasons.first() else {
        output::complain(format!("drawish: nothing was {used}: no game was read\n"));
        return true;
    };
    let each: Vec<_> = reasons.iter().map(|(games, reason)| format!("{} {}", reason.name(), grouped(*games))).collect();
    output::complain(format!(
        "drawish: nothing was {used}: {} read, {}skipped: {}.{}\n",
        if tally.games() == 1 { "1 game".to_owned() } else { format!("{} games", grouped(tally.games())) },
        if tally.games() == 1 { "" } else { "all " },
        each.join(", "),
        remedy(*first)
    ));
    true
}

/// What to do about a reason for which most games were skipped.
fn remedy(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Variant => " They are of another variant: --variant any takes all that are chess.",
        SkipReason::StartPosition => " They begin from FENs: add --fen-starts.",
        SkipReason::NoResult => " Only games with a Result tag of 1-0, 0-1 or 1/2-1/2 can count.",
        SkipReason::Termination => " They ended by time or the like: --termination any takes them.",
        SkipReason::Rating => " Loosen --min-elo, --max-elo or --max-elo-diff.",
        SkipReason::Player => " Loosen --player, --white or --black.",
        SkipReason::Event => " Loosen --event.",
        SkipReason::Date => " Loosen --date-from or --date-to.",
        SkipReason::TimeControl => " Loosen --time-control.",
        SkipReason::TooShort => " They are too short: lower --min-moves or --min-plies.",
        SkipReason::NotReached => " They end before the position asked for, or begin after it: lower --at or --from.",
        SkipReason::BadFen
        | SkipReason::Unreadable
        | SkipReason::NoMoves
        | SkipReason::IllegalMove
        | SkipReason::Duplicate => "",
    }
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
    summary["swallowed"] =
        problems.swallowed.iter().map(|(input, games)| json!({ "input": input.to_string(), "games": games })).collect();
    summary["without_games"] = names(&problems.without_games);
    summary["unfinished"] = names(&problems.unfinished);
    summary["passed_over"] = problems
        .passed_over
        .iter()
        .map(|(archive, members)| json!({ "archive": archive, "members": members }))
        .collect();
}
