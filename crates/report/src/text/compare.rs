//! Forms of the expected score compared, as tables.

use std::fmt::Write;

use drawish_games::estimate::{BINS, Comparison, Group, Judged, Reading};
use drawish_stats::numbers::{counted, grouped};
use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};
use serde_json::{Value, json};

/// The forms in their order, what they cost against the first, and how often they keep their word. Comparisons are of `folds`
/// parts, with evaluations up to `limit` pawns.
#[must_use]
pub fn text(comparison: &Comparison, folds: usize, groups: Group, limit: u16) -> String {
    let mut out = format!(
        "{} of {}, {folds} folds of {} {}; {} beyond {} or mates left out\n\n",
        counted(comparison.positions as u64, "evaluation"),
        counted(comparison.games as u64, "game"),
        grouped(comparison.groups as u64),
        groups.name(),
        counted(comparison.left_out, "evaluation"),
        counted(limit.into(), "pawn")
    );
    let _ = writeln!(
        out,
        "{:<23}{:>9}{:>9}{:>13}  {:<30}parameters on all games",
        "form", "log-loss", "Brier", "calibration", "against the first, mbit"
    );
    for judged in &comparison.forms {
        let millibits = |bits: f64| 1000.0 * bits;
        let difference = if judged.kind == comparison.forms[0].kind {
            String::new()
        } else {
            let interval = judged.interval().map(|ends| ends.map(millibits));
            let interval = interval.map(|[low, high]| format!("  ({low:+.2} to {high:+.2})")).unwrap_or_default();
            format!("{:+.2}{interval}", millibits(judged.excess))
        };
        let parameters: Vec<_> =
            judged.form.parameters().into_iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
        let _ = writeln!(
            out,
            "{:<23}{:>9.5}{:>9.5}{:>13.5}  {difference:<30}{}{}",
            judged.kind.name(),
            judged.log_loss,
            judged.brier,
            judged.calibration_error(),
            parameters.join(", "),
            if judged.form.is_degenerate() { " (degenerate)" } else { "" }
        );
    }
    out.push('\n');
    for judged in &comparison.forms {
        let _ = writeln!(out, "{:<23}{}", judged.kind.name(), judged.kind.meaning());
    }
    if let Some(judged) = comparison.forms.first().filter(|judged| judged.interval().is_none()) {
        let _ = writeln!(
            out,
            "\nno intervals: they need {FEWEST_EVENTS} {} that are worth {LEAST_WORTH} of equal size, and these {} are worth {:.1}: take more\n\
             games, or group them otherwise (--group)",
            groups.name(),
            grouped(judged.groups as u64),
            judged.worth
        );
    }
    if comparison.forms.iter().any(|judged| judged.form.is_degenerate()) {
        out.push_str(
            "\ndegenerate: e75 and eplus come together, so that these games do not determine the curve: do not use these parameters;\n\
             take more games, or the default parameters\n",
        );
    }
    out + "\n" + &calibration_text(comparison)
}

/// What the side ahead scored where a form expected so much.
fn calibration_text(comparison: &Comparison) -> String {
    let mut out = format!("{:<23}", "expected");
    for bin in 0..BINS {
        let _ = write!(out, "{:>7}", format!("{:.2}-", 0.5 + 0.5 * bin as f64 / BINS as f64));
    }
    out.push_str("  <- points of the side ahead where a form expects them\n");
    for judged in &comparison.forms {
        let _ = write!(out, "{:<23}", judged.kind.name());
        for bin in &judged.bins {
            let points =
                if bin.positions == 0 { "-".to_owned() } else { format!("{:.3}", bin.points / bin.positions as f64) };
            let _ = write!(out, "{points:>7}");
        }
        out.push('\n');
    }
    out
}

/// The same for programs, with what was read.
#[must_use]
pub fn json(comparison: &Comparison, folds: usize, groups: Group, limit: u16, read: &Reading) -> Value {
    let form = |judged: &Judged| {
        let parameters: Value =
            judged.form.parameters().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        let bins: Value = judged
            .bins
            .iter()
            .filter(|bin| bin.positions > 0)
            .map(|bin| {
                let mean = |sum: f64| sum / bin.positions as f64;
                json!({ "positions": bin.positions, "expected": mean(bin.expected), "points": mean(bin.points) })
            })
            .collect();
        let [low, high] = judged.interval().map_or([None; 2], |ends| ends.map(Some));
        json!({
            "name": judged.kind.name(),
            "fitted_parameters": judged.kind.parameters(),
            "parameters": parameters,
            "degenerate": judged.form.is_degenerate(),
            "log_loss_bits": judged.log_loss,
            "brier": judged.brier,
            "calibration_error": judged.calibration_error(),
            "difference_bits": judged.excess,
            "difference_low": low,
            "difference_high": high,
            "standard_error": judged.error,
            "standard_error_by_game": judged.error_by_game,
            "calibration": bins,
        })
    };
    json!({
        "games": comparison.games,
        "positions": comparison.positions,
        "left_out": comparison.left_out,
        "limit": limit,
        "folds": folds,
        "grouped_by": groups.name(),
        "groups": comparison.groups,
        "groups_worth": comparison.forms.first().map(|first| first.worth),
        "reference": comparison.forms.first().map(|first| first.kind.name()),
        "forms": comparison.forms.iter().map(form).collect::<Value>(),
        "reading": super::reading::json(read),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_games::estimate::{Bin, Form, Kind};
    use drawish_stats::model::relevance::Relevance;

    #[test]
    fn parameters_that_are_no_curve_are_marked() {
        let judged = |e_plus| Judged {
            kind: Kind::Relevance,
            form: Form::Relevance(Relevance::new(1.5, e_plus, 0.875).expect("in order")),
            log_loss: 0.9,
            brier: 0.2,
            excess: 0.0,
            error: 0.0,
            groups: 9,
            worth: 9.0,
            error_by_game: 0.0,
            bins: [Bin::default(); BINS],
        };
        let said = |e_plus| {
            let forms = vec![judged(e_plus)];
            let comparison = Comparison { games: 9, positions: 9, left_out: 0, groups: 9, forms };
            let value = json(&comparison, 5, Group::Game, 10, &Reading::default());
            (text(&comparison, 5, Group::Game, 10), value["forms"][0]["degenerate"].clone())
        };
        let (degenerate, value) = said(1.5003);
        assert!(
            degenerate.contains("result 0.875 (degenerate)\n") && degenerate.contains("\ndegenerate: e75 and eplus")
        );
        assert_eq!(value, json!(true));
        let (sound, value) = said(3.0);
        assert!(!sound.contains("degenerate") && value == json!(false), "{sound}");
        assert!(
            sound.contains(
                "\nno intervals: they need 10 games that are worth 5 of equal size, and these 9 are worth 9.0: "
            ),
            "{sound}"
        );
    }
}
