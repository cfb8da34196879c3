//! Two engines compared by the same opponents.

use std::fmt::Write;

use drawish_match::arena::fixed;
use drawish_match::contest::GauntletPlayed;
use drawish_stats::numbers::{percent, signed};
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
    // Against unlike opponents the Elo of a mean score is nobody's.
    let several = has_several.then_some(("all", all, false));
    for (name, found, is_one) in each.chain(several) {
        let Some(found) = found else { continue };
        let side = |score: f64| {
            let elo = if is_one { format!(" ({})", signed(elo_of_score(score), 0)) } else { String::new() };
            percent(score) + &elo
        };
        let error = found.elo_error.map_or(String::new(), |error| format!(" +/- {}", fixed(error)));
        let [more, same, less] = found.more_same_less;
        rows.push([
            name.to_owned(),
            found.tasks.to_string(),
            side(found.scores[0]),
            side(found.scores[1]),
            format!("{}{error}", signed(found.elo, 2)),
            format!("{more}/{same}/{less}"),
        ]);
    }
    let mut text = format!("{one} and {two} against the same opponents from the same openings, seed {}\n", played.seed);
    text += &columns(&rows, &[0]);
    if let Some(PairedDifference { elo_error: Some(paired), elo_error_unpaired: Some(apart), .. }) = all {
        let _ = writeln!(
            text,
            "Elo more: {one} less {two}, compared opening by opening, with 95 % intervals. Without the same openings the error \
             would be {} instead of {}.",
            fixed(apart),
            fixed(paired)
        );
    } else if all.is_some() {
        let _ = writeln!(
            text,
            "Elo more: {one} less {two}, compared opening by opening. There is no interval while the score of an arm, or \
             the difference, departs from its most common value in fewer than {FEWEST_DIFFERING} openings."
        );
    }
    if has_several && all.is_some() {
        text += "Elo more of all is the difference that fits the scores against all opponents best, each of whom has a strength of its own.\n";
    }
    for conduct in &played.conduct {
        let _ = writeln!(text, "{conduct}.");
    }
    text
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
        .map(|against| json!({ "opponent": against.name, "result": against.difference().map(figures) }));
    json!({
        "arms": played.names, "seed": played.seed, "opponents": opponents.collect::<Vec<_>>(),
        "all": played.difference().map(figures),
        "conduct": played.conduct.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
