//! Models held against games.

use drawish_games::fit::{Evaluation, Gain, Quality, Subject, Target, Verdict};
use drawish_stats::numbers::{counted, signed};

use super::{FITS_VARY, LOOSE, LOOSE_ERRORS, results};

/// The table for people: gains in millibits with their standard errors.
#[must_use]
pub fn text(subject: Subject, evaluation: &Evaluation) -> String {
    // Of positions without their games, the structure stands for opening and event.
    let is_loose = evaluation.boards > 0 && evaluation.boards == evaluation.rows;
    let folds = match (evaluation.folds, evaluation.events) {
        (0 | 1, _) => "no folds".to_owned(),
        (folds, _) if is_loose => format!("{folds} x {folds} folds by structure"),
        (folds, 0 | 1) => format!("{folds} folds by opening"),
        (folds, _) => format!("{folds} x {folds} folds by opening and event"),
    };
    let [rows, events, openings] =
        [(evaluation.rows, "row"), (evaluation.events, "event"), (evaluation.skeletons, "opening")]
            .map(|(count, of)| counted(count as u64, of));
    let of = if is_loose { format!("{rows} {LOOSE}") } else { format!("{rows}, {events}, {openings}") };
    let mut out = format!("{of}, {folds}: {}\n", results(evaluation.results));
    if subject == Subject::Evaluations {
        out.push_str("rows with an evaluation only\n");
    }
    for (target, title) in
        [(Target::Draw, "Draw or not"), (Target::WinDrawLoss, "Win, draw or loss"), (Target::Score, "Expected score")]
    {
        let rows: Vec<(&Verdict, &Quality)> = evaluation
            .verdicts
            .iter()
            .filter_map(|verdict| Some((verdict, verdict.qualities.iter().find(|quality| quality.target == target)?)))
            .collect();
        if rows.len() < 2 {
            continue;
        }
        out.push_str(&format!(
            "\n{title:<42}{:>8}{:>10}{:>18}{:>18}{:>9}{:>8}\n",
            "weights", "bits", "gain, mbit", "over its base", "Brier", "ECE"
        ));
        for (Verdict { name, weights, .. }, quality) in rows {
            let gain = |gain: &Gain, digits: usize| match gain.error {
                Some(error) => format!("{} +- {error:.digits$}", signed(gain.millibits, digits)),
                None => signed(gain.millibits, digits),
            };
            let over = quality.over.as_ref().map_or_else(String::new, |over| gain(over, 2));
            let own = if name == "constant" { String::new() } else { gain(&quality.gain, 1) };
            let ece = quality.ece.and_then(|[ece, ..]| ece).map_or_else(String::new, |ece| format!("{ece:.4}"));
            let line = format!(
                "{name:<42}{weights:>8}{:>10.5}{own:>18}{over:>18}{:>9.4}{ece:>8}",
                quality.loss, quality.brier
            );
            out.push_str(&format!("{}\n", line.trim_end()));
        }
    }
    if evaluation.verdicts.iter().flat_map(|verdict| &verdict.qualities).any(|quality| quality.gain.error.is_some()) {
        let fits = if evaluation.folds > 1 { FITS_VARY } else { "" };
        let errors = if evaluation.boards > 0 { format!(", which {LOOSE_ERRORS},") } else { ",".to_owned() };
        out.push_str(&format!("\ngains with their standard errors (+-){errors} in millibits a row{fits}\n"));
    }
    out.push('\n');
    out
}
