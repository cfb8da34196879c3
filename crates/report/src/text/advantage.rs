//! The expected score by pawns ahead, fitted to games.

use std::fmt::Write;

use drawish_games::pgn::InputProblems;
use drawish_games::wdl::{AdvantageCounts, QUIET_PLIES, Scale, reach_of_95_percent};
use drawish_stats::model::pawn_advantage::expected_score;
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::ledger::add_problems;

/// The scale with its interval, and what was counted beside what it expects.
#[must_use]
pub fn text(counts: &AdvantageCounts, scale: &Scale) -> String {
    let error = scale.error.map_or(String::new(), |error| {
        let reach = reach_of_95_percent(scale.blocks) * error;
        format!(", 95 % CI {:.3} to {:.3}, standard error {error:.3}", scale.k - reach, scale.k + reach)
    });
    let mut out = format!(
        "K = {:.3} pawns{error}\n\
         {} counted, {} skipped (no result, no position or another variant), {} of those counted cut at an illegal move; material after {QUIET_PLIES} half-moves without a capture\n\
         pawns      positions     score  expected\n",
        scale.k,
        counted(counts.games, "game"),
        grouped(counts.skipped),
        grouped(counts.cut)
    );
    for (pawns, results) in counts.total() {
        let n = results.total();
        let score = (results.wins as f64 + 0.5 * results.draws as f64) / n as f64;
        let expected = expected_score(f64::from(pawns), scale.k);
        let _ = writeln!(out, "{pawns:>5} {:>14}  {score:>8.4}  {expected:>8.4}", grouped(n));
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
        "k": scale.k, "error": scale.error, "games": counts.games, "skipped": counts.skipped,
        "games_cut_at_illegal_move": counts.cut, "advantages": rows.collect::<Vec<_>>(),
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
        let said = |blocks| text(&AdvantageCounts::default(), &Scale { k: 4.0, error: Some(0.1), blocks });
        assert!(said(2).contains(", 95 % CI 2.729 to 5.271, standard error 0.100"), "{}", said(2));
        assert!(said(32).contains("95 % CI 3.796 to 4.204, standard error 0.100"), "{}", said(32));
    }
}
