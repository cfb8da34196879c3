//! The expected score by pawns ahead, fitted to games.

use std::fmt::Write;

use drawish_games::pgn::InputProblems;
use drawish_games::wdl::{AdvantageCounts, QUIET_PLIES, Scale};
use drawish_stats::model::pawn_advantage::expected_score;
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::ledger::{add_problems, repeated, repeats_json};

/// The scale with its interval, and what was counted beside what it expects.
#[must_use]
pub fn text(counts: &AdvantageCounts, scale: &Scale) -> String {
    let error = scale.error.zip(scale.interval_95()).map_or(String::new(), |(error, (low, high))| {
        let high = high.map_or("infinity (these games do not exclude that material says nothing)".to_owned(), |high| {
            format!("{high:.3}")
        });
        format!(", 95 % CI {low:.3} to {high}, standard error {error:.3}")
    });
    let repeated = match repeated(&counts.repeats) {
        (_, 0, _) => String::new(),
        (_, games, meaning) => format!("{}: {meaning}\n", grouped(games)),
    };
    let mut out = format!(
        "K = {:.3} pawns{error}\n\
         {} counted, {} skipped (no result, an abnormal ending, no position or another variant), {} of those counted cut at an illegal move; material after {QUIET_PLIES} half-moves without a capture\n{repeated}\
         pawns      positions     score  expected\n",
        scale.k,
        counted(counts.games, "game"),
        grouped(counts.skipped),
        grouped(counts.cut)
    );
    for (pawns, results) in counts.total() {
        let n = results.total();
        // Equal material is seen from both sides.
        let positions = if pawns == 0 { n / 2 } else { n };
        let score = (results.wins as f64 + 0.5 * results.draws as f64) / n as f64;
        let expected = expected_score(f64::from(pawns), scale.k);
        let _ = writeln!(out, "{pawns:>5} {:>14}  {score:>8.4}  {expected:>8.4}", grouped(positions));
    }
    out
}

/// The same for programs, with what must be reported of the inputs.
#[must_use]
pub fn json(counts: &AdvantageCounts, scale: &Scale, problems: &InputProblems) -> Value {
    let rows = counts.total().into_iter().map(|(pawns, results)| {
        let expected = expected_score(f64::from(pawns), scale.k);
        json!({ "pawns": pawns, "wins": results.wins, "draws": results.draws, "losses": results.losses, "expected": expected })
    });
    let mut value = json!({
        "k": scale.k, "error": scale.error, "low": scale.interval_95().map(|(low, _)| low), "high": scale.interval_95().and_then(|(_, high)| high), "games": counts.games, "skipped": counts.skipped,
        "games_cut_at_illegal_move": counts.cut, "repeated_games": repeats_json(&counts.repeats), "advantages": rows.collect::<Vec<_>>(),
    });
    add_problems(problems, &mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two blocks of games know their own spread badly: the interval is by Student's distribution with one degree of freedom.
    #[test]
    fn the_interval_knows_its_blocks() {
        let scale = |error: f64, blocks| Scale { k: 4.0, error: Some(error), slope_error: Some(error / 16.0), blocks };
        let said = |error, blocks| text(&AdvantageCounts::default(), &scale(error, blocks));
        assert!(said(0.1, 2).contains(", 95 % CI 3.036 to 5.862, standard error 0.100"), "{}", said(0.1, 2));
        assert!(said(0.1, 32).contains("95 % CI 3.806 to 4.215, standard error 0.100"), "{}", said(0.1, 32));
        // K is above 0, and where 1/K may be 0 it has no upper end.
        assert!(said(4.0, 32).contains("95 % CI 1.316 to infinity"), "{}", said(4.0, 32));
    }
}
