//! Two engines compared by the same opponents.

use std::fmt::Write;

use drawish_match::arena::{fixed, same_games};
use drawish_match::contest::{GauntletPlayed, Renamed, Stopped};
use drawish_stats::numbers::{counted, percent, signed};
use drawish_stats::{FEWEST_DIFFERING, PairedDifference, elo_of_score};
use serde_json::{Value, json};

use super::columns;

/// A line for each opponent and one for all, and what the same openings were worth.
#[must_use]
pub fn text(played: &GauntletPlayed) -> String {
    let [one, two] = &played.names;
    let mut rows = vec![["opponent", "pairs", one, two, "Elo more", "more/same/less"].map(str::to_owned)];
    let all = played.difference();
    let each = played.opponents.iter().map(|against| (against.name.as_str(), against.difference(), true));
    let has_several = played.opponents.len() > 1;
    let (mut has_interval, mut lacks_interval) = (false, false);
    // Against unlike opponents the Elo of a mean score is nobody's.
    let several = has_several.then_some(("all", all, false));
    for (name, found, is_one) in each.chain(several) {
        let Some(found) = found else { continue };
        *(if found.elo_error.is_some() { &mut has_interval } else { &mut lacks_interval }) = true;
        let side = |score: f64| {
            let elo =
                if is_one && has_elo(score) { format!(" ({})", signed(elo_of_score(score), 0)) } else { String::new() };
            percent(score) + &elo
        };
        let error = found.elo_error.map_or(String::new(), |error| format!(" +/- {}", fixed(error)));
        let [more, same, less] = found.more_same_less;
        rows.push([
            name.to_owned(),
            found.tasks.to_string(),
            side(found.scores[0]),
            side(found.scores[1]),
            found.elo.map_or_else(|| "-".to_owned(), |elo| signed(elo, 2) + &error),
            format!("{more}/{same}/{less}"),
        ]);
    }
    let mut text = format!("{one} and {two} against the same opponents from the same openings, seed {}\n", played.seed);
    text += &columns(&rows, &[0]);
    if let Some(all) = all {
        let _ = write!(text, "Elo more: {one} less {two}, compared opening by opening");
        text += if has_interval { ", with 95 % intervals." } else { "." };
        if let (Some(paired), Some(apart)) = (all.elo_error, all.elo_error_unpaired) {
            let (apart, paired) = (fixed(apart), fixed(paired));
            let _ = write!(text, " Without the same openings the error would be {apart} instead of {paired}.");
        }
        if lacks_interval {
            let _ = write!(
                text,
                " There is no interval where the score of an arm, or the difference, departs from its most common value in fewer than \
                 {FEWEST_DIFFERING} openings."
            );
        }
        text += "\n";
        if has_several && all.elo.is_some() {
            text += "Elo more of all is the difference that fits the scores against all opponents best, each of whom has a strength of its own.\n";
        }
    }
    for against in &played.opponents {
        for (engine, repeated) in played.names.iter().zip(against.repeated) {
            let Some(are_the_same) = same_games(repeated, against.pairs.len() as u64, "pair") else { continue };
            let _ = writeln!(
                text,
                "{engine} against {}: {are_the_same}: openings that led to these count as one; play more openings, or limit the engines by time.",
                against.name
            );
        }
    }
    for Renamed { engine, names: [before, now] } in &played.renamed {
        let _ = writeln!(
            text,
            "{engine} calls itself {before} in one match and {now} in another: two engines have played under this name; begin anew with programs \
             that nothing replaces."
        );
    }
    for Stopped { log, test, pairs } in &played.stopped {
        let _ = writeln!(
            text,
            "{}: the test of the log, {test}, was decided after {}: until a few times as many are played, the score of this match is too far from even, \
             and the difference between {one} and {two} is off by that.",
            log.display(),
            counted(*pairs, "pair")
        );
    }
    for conduct in &played.conduct {
        let _ = writeln!(text, "{conduct}.");
    }
    text
}

/// Whether a score has an Elo: that of an arm that wins or loses everything is beyond any scale.
fn has_elo(score: f64) -> bool {
    score > 0.0 && score < 1.0
}

/// The same for programs.
#[must_use]
pub fn json(played: &GauntletPlayed) -> Value {
    let figures = |found: PairedDifference| {
        let [more, same, less] = found.more_same_less;
        json!({
            "pairs": found.tasks, "scores": found.scores, "difference": found.difference, "error": found.error,
            "elo": found.elo, "elo_error": found.elo_error, "elo_error_unpaired": found.elo_error_unpaired,
            "more": more, "same": same, "less": less,
        })
    };
    let opponents = played
        .opponents
        .iter()
        .map(|against| json!({ "opponent": against.name, "repeated": against.repeated, "result": against.difference().map(figures) }));
    json!({
        "arms": played.names, "seed": played.seed, "opponents": opponents.collect::<Vec<_>>(),
        "all": played.difference().map(figures),
        "stopped": played.stopped.iter().map(|Stopped { log, test, pairs }| json!({ "log": log, "test": test.to_string(), "pairs": pairs })).collect::<Vec<_>>(),
        "renamed": played.renamed.iter().map(|Renamed { engine, names }| json!({ "engine": engine, "names": names })).collect::<Vec<_>>(),
        "conduct": played.conduct.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
