//! Tables in which all that was read is accounted for, and what was odd about inputs.

use std::fmt::Write;
use std::path::PathBuf;

use drawish_games::pgn::{Anomalies, BrokenInput, EvalDoubts, Input, InputProblems, OddWords, Repeats, Style, View};
use drawish_games::sample::GamesAgain;
use drawish_stats::numbers::grouped;
pub(super) use drawish_stats::numbers::row;
use serde_json::{Value, json};

/// Something noticed that is no reason to leave a game out: its name in JSON, how often, and what it is.
pub(super) type Noticed = (&'static str, u64, &'static str);

/// What a line means, with what a program says of it.
pub(super) fn hinted(meaning: &str, hint: Option<&str>) -> String {
    hint.map_or(meaning.to_owned(), |hint| format!("{meaning} ({hint})"))
}

/// What is odd about the text of games.
pub(super) fn of_text(anomalies: Anomalies) -> [Noticed; 5] {
    let Anomalies { blank_line_in_game, unreadable_tags, stray_text, broken_tags, rescued_games } = anomalies;
    [
        ("blank-line-in-game", blank_line_in_game, "games with a blank line among their moves (read on)"),
        (
            "unreadable-tags",
            unreadable_tags,
            "tags longer than 1,024 bytes, without an end, with long comments or within a line of moves (left out)",
        ),
        (
            "broken-tags",
            broken_tags,
            "places where a quote in a value, a tag without quotes or other words broke tags apart or hid one (put together)",
        ),
        ("stray-text", stray_text, "places with text that belongs to no game (passed over)"),
        (
            "rescued-games",
            rescued_games,
            "games that the one before had swallowed: an unclosed comment or variation, or no result (found again)",
        ),
    ]
}

/// The name of [`repeated`].
pub(super) const REPEATED: &str = "repeated-games";

/// Games that came again.
pub(super) fn repeated(repeats: &Repeats) -> Noticed {
    let meaning = if repeats.is_exact() {
        "counted games with the same moves as an earlier one"
    } else {
        "counted games, about, with the same moves as an earlier one (estimated from a sample)"
    };
    (REPEATED, repeats.games(), meaning)
}

/// The name of the second of [`again`].
pub(super) const REPEATED_LINES: &str = "repeated-lines";

/// Games that came again, and those that only began like an earlier one.
pub(super) fn again(again: &GamesAgain) -> [Noticed; 2] {
    let lines = again.lines.games().saturating_sub(again.games.games());
    let meaning = if again.lines.is_exact() {
        "counted games that begin as an earlier one does, by 60 half-moves or more, and go on otherwise"
    } else {
        "counted games, about, that begin as an earlier one does, by 60 half-moves or more (estimated from a sample)"
    };
    [repeated(&again.games), (REPEATED_LINES, lines, meaning)]
}

/// The same for programs.
pub(super) fn add_again(again: &GamesAgain, value: &mut Value) {
    value["repeated_games"] = repeats_json(&again.games);
    value["repeated_lines"] = repeats_json(&again.lines);
}

/// The same for programs.
pub(super) fn repeats_json(repeats: &Repeats) -> Value {
    json!({ "games": repeats.games(), "exact": repeats.is_exact() })
}

/// What was noticed at all, below a heading.
pub(super) fn notices(heading: &str, noticed: &[Noticed], hint: impl Fn(&str) -> Option<&'static str>) -> String {
    let mut out = String::new();
    for (name, count, meaning) in noticed.iter().filter(|(_, count, _)| *count > 0) {
        if out.is_empty() {
            let _ = writeln!(out, "\n{heading}:");
        }
        let _ = writeln!(out, "{:>14}  {}", grouped(*count), hinted(meaning, hint(name)));
    }
    out
}

/// Numbers by their names.
pub(super) fn by_name(pairs: impl IntoIterator<Item = (&'static str, u64)>) -> Value {
    pairs.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect()
}

/// The same of what was noticed.
pub(super) fn notices_json(noticed: &[Noticed]) -> Value {
    by_name(noticed.iter().map(|&(name, count, _)| (name, count)))
}

/// Adds what must be reported of inputs to the JSON of a run.
pub(super) fn add_problems(problems: &InputProblems, summary: &mut Value) {
    let broken = |BrokenInput { input, reason, games }: &BrokenInput| json!({ "input": input.to_string(), "reason": reason, "games": games });
    let repeated = |(input, original): &(Input, String)| json!({ "input": input.to_string(), "same_as": original });
    let swallowed = |(input, games): &(Input, u64)| json!({ "input": input.to_string(), "games": games });
    let odd_words = |(input, OddWords { count, first, looked_at }): &(Input, OddWords)| json!({ "input": input.to_string(), "words": count, "first": first, "bytes": looked_at });
    let evals = |(input, doubts): &(Input, EvalDoubts)| evals_json(input, doubts);
    let names = |inputs: &[Input]| -> Value { inputs.iter().map(ToString::to_string).collect() };
    let twice = |(input, original): &(Input, String)| json!({ "input": input.to_string(), "same_as": original });
    summary["used_twice"] = problems.used_twice.iter().map(twice).collect();
    summary["broken"] = problems.broken.iter().map(broken).collect();
    summary["repeated"] = problems.repeated.iter().map(repeated).collect();
    summary["swallowed"] = problems.swallowed.iter().map(swallowed).collect();
    summary["odd_words"] = problems.odd_words.iter().map(odd_words).collect();
    summary["evaluation_evidence"] = problems.evals.iter().map(evals).collect();
    summary["without_games"] = names(&problems.without_games);
    summary["unfinished"] = names(&problems.unfinished);
    let passed_over = |(archive, members): &(PathBuf, Vec<PathBuf>)| json!({ "archive": archive, "members": members });
    summary["passed_over"] = problems.passed_over.iter().map(passed_over).collect();
}

/// What speaks for and against how the evaluations of an input were read, for programs.
fn evals_json(input: &Input, doubts: &EvalDoubts) -> Value {
    let EvalDoubts {
        view,
        pairs,
        games,
        times,
        unread,
        misread,
        lacking_plus,
        whole,
        minus,
        placeholders,
        commas,
        before_comma,
        before_slash,
        endings,
        endings_of_white,
    } = doubts;
    let by_style = |counts: &[[u64; 2]; Style::ALL.len()]| -> Value {
        let counts = Style::ALL.into_iter().zip(counts).filter(|(_, [other, same])| other + same > 0);
        counts
            .map(|(style, [other, same])| (style.name().to_owned(), json!({ "contradict": other, "agree": same })))
            .collect()
    };
    let [pairs, games, endings, endings_of_white] = [pairs, games, endings, endings_of_white].map(by_style);
    json!({
        "input": input.to_string(), "view": view.map_or("auto", View::name), "pairs": pairs, "games": games, "times": times, "unread": unread, "misread": misread,
        "lacking_plus": lacking_plus, "whole": whole, "minus": minus, "placeholders": placeholders, "commas": commas, "before_comma": before_comma, "before_slash": before_slash,
        "endings": endings, "endings_of_white": endings_of_white,
    })
}
