//! The expected score by pawns ahead, fitted to games.

use std::fmt::Write;

use drawish_games::pgn::InputProblems;
use drawish_games::wdl::{AdvantageCounts, QUIET_PLIES, Scale};
use drawish_stats::model::pawn_advantage::expected_score;
use drawish_stats::numbers::{counted, grouped};
use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};
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
    let no_interval = no_interval(scale).map_or(String::new(), |why| why + "\n");
    let repeated = match repeated(&counts.repeats) {
        (_, 0, _) => String::new(),
        (_, games, meaning) => format!("{}: {meaning}\n", grouped(games)),
    };
    let mut out = format!(
        "K = {:.3} pawns{error}\n{no_interval}\
         {} counted, {} skipped (no result, an abnormal ending, no position or another variant), {} of those counted cut at an illegal move; material after {QUIET_PLIES} half-moves without a capture\n{repeated}\
         pawns      positions     score  expected\n",
        scale.k,
        counted(counts.games, "game"),
        grouped(counts.skipped),
        grouped(counts.cut)
    );
    for (pawns, results) in counts.total() {
        let n = results.total();
        let positions = positions(pawns, n);
        let score = (results.wins as f64 + 0.5 * results.draws as f64) / n as f64;
        let expected = expected_score(f64::from(pawns), scale.k);
        let _ = writeln!(out, "{pawns:>5} {:>14}  {score:>8.4}  {expected:>8.4}", grouped(positions));
    }
    out
}

/// Positions behind so many results: equal material is seen from both sides.
fn positions(pawns: u32, results: u64) -> u64 {
    if pawns == 0 { results / 2 } else { results }
}

/// Why the scale has no interval; `None` if it has one.
fn no_interval(scale: &Scale) -> Option<String> {
    if scale.error.is_some() {
        return None;
    }
    Some(if scale.is_enough() {
        "no interval: without one of the blocks of games the side ahead does not score more than half; give more games"
            .to_owned()
    } else {
        format!(
            "no interval: it needs {FEWEST_EVENTS} blocks of games that are worth {LEAST_WORTH} of equal size, and these {} are worth {:.1}; give \
             more games (those with the same first moves are in one block)",
            scale.blocks, scale.worth
        )
    })
}

/// The same for programs, with what must be reported of the inputs.
#[must_use]
pub fn json(counts: &AdvantageCounts, scale: &Scale, problems: &InputProblems) -> Value {
    let rows = counts.total().into_iter().map(|(pawns, results)| {
        let expected = expected_score(f64::from(pawns), scale.k);
        json!({ "pawns": pawns, "positions": positions(pawns, results.total()), "wins": results.wins, "draws": results.draws, "losses": results.losses, "expected": expected })
    });
    let mut value = json!({
        "k": scale.k, "blocks": scale.blocks, "blocks_worth": scale.worth, "error": scale.error, "low": scale.interval_95().map(|(low, _)| low), "high": scale.interval_95().and_then(|(_, high)| high), "games": counts.games, "skipped": counts.skipped,
        "games_cut_at_illegal_move": counts.cut, "repeated_games": repeats_json(&counts.repeats), "advantages": rows.collect::<Vec<_>>(),
    });
    add_problems(problems, &mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few blocks of games, or one among them that says most, know their own spread badly: the interval is by Student's distribution.
    #[test]
    fn the_interval_knows_its_blocks() {
        let of = |error: Option<f64>, blocks, worth| {
            let slope_error = error.map(|error| error / 16.0);
            text(&AdvantageCounts::default(), &Scale { k: 4.0, error, slope_error, blocks, worth })
        };
        let said = |error, blocks| of(Some(error), 32, blocks);
        assert!(said(0.1, 5.0).contains(", 95 % CI 3.740 to 4.298, standard error 0.100"), "{}", said(0.1, 5.0));
        assert!(said(0.1, 32.0).contains("95 % CI 3.806 to 4.215, standard error 0.100"), "{}", said(0.1, 32.0));
        let none = |blocks, worth| of(None, blocks, worth);
        let few = "K = 4.000 pawns\nno interval: it needs 10 blocks of games that are worth 5 of equal size, and these 12 are worth 3.2; give \
                   more games";
        assert!(none(12, 3.2).starts_with(few), "{}", none(12, 3.2));
        assert!(none(12, 9.0).contains("no interval: without one of the blocks"), "{}", none(12, 9.0));
        // K is above 0, and where 1/K may be 0 it has no upper end.
        assert!(said(4.0, 32.0).contains("95 % CI 1.316 to infinity"), "{}", said(4.0, 32.0));
    }
}
