//! How far an experiment is.

use std::fmt::Write;

use drawish_match::arena::{Logged, MatchScore, fixed, fixed_or_dash};
use drawish_match::experiment::{ArmStatus, Layout};
use serde_json::{Value, json};

/// How far each arm is, a line for each.
#[must_use]
pub fn status(layout: &Layout) -> String {
    let experiment = layout.experiment();
    let mut text = format!("{}\n\n", experiment.title);
    changes(layout).iter().for_each(|change| text += &format!("{change}\n\n"));
    let widest = experiment.arms.iter().map(|arm| arm.name.len()).max().unwrap_or(0);
    for ArmStatus { plan, logged, tally } in layout.status() {
        let (pairs, all) = (tally.pairs_played(), experiment.pairs_of(plan));
        let _ = write!(text, "{:widest$}  {pairs:>6} of {all} pairs", plan.name);
        match logged {
            None => text += "  not begun",
            Some(Err(error)) => drop(write!(text, "  {error}")),
            Some(Ok(logged)) => {
                if pairs > 0 {
                    let score = MatchScore::of_match(&tally);
                    let (elo, error) = (fixed(score.elo), fixed_or_dash(score.elo_error));
                    let _ = write!(text, "  Elo {elo:>7} +/- {error:>5}  {} identical", tally.identical);
                    if tally.repeated() > 0 {
                        let _ = write!(text, "  {} repeated, left out of Elo", tally.repeated());
                    }
                }
                if let Some((line, what)) = logged.damage {
                    let _ = write!(text, "; the log is damaged from line {line} on: {what}");
                }
            }
        }
        text.push('\n');
    }
    text
}

/// What has been changed since the first game, or why that is not known.
fn changes(layout: &Layout) -> Vec<String> {
    match layout.changes() {
        Ok(changes) => changes.iter().map(|change| format!("changed since the first game: {change}")).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// The same for programs.
#[must_use]
pub fn status_json(layout: &Layout) -> Value {
    let arms = layout.status().into_iter().map(|ArmStatus { plan, tally, logged }| {
        let mut value = json!(MatchScore::of_match(&tally));
        value["arm"] = json!(plan.name);
        value["pairs"] = json!(tally.pairs_played());
        value["wanted_pairs"] = json!(layout.experiment().pairs_of(plan));
        value["identical_pairs"] = json!(tally.identical);
        value["repeated_pairs"] = json!(tally.repeated());
        value["pentanomial"] = json!(tally.results().counts());
        value["distinct_pentanomial"] = json!(tally.distinct().counts());
        match logged {
            Some(Ok(Logged { damage: Some((line, what)), .. })) => {
                value["damage"] = json!({ "line": line, "what": what });
            }
            Some(Err(error)) => value["error"] = json!(error.to_string()),
            _ => {}
        }
        value
    });
    let experiment = layout.experiment();
    let all = experiment.game.pairs;
    json!({ "title": experiment.title, "pairs": all, "changes": changes(layout), "arms": arms.collect::<Vec<_>>() })
}
