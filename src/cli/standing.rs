//! How a match stands, in the words and the layout that runners have used for years, so that people can go on pasting it.

use serde_json::{Value, json};

use drawish::stats::{Pentanomial, Results, Sprt, Strength, Trinomial, numbers};

/// A number with two decimals, as runners write them.
pub(super) fn fixed(value: f64) -> String {
    numbers::fixed(value, 2)
}

/// `Elo: ... nElo: ...` and `LOS: ... DrawRatio: ... PairsRatio: ...`. The draw ratio is that of drawn games where games are
/// counted and that of shared points where pairs are.
pub(super) fn strength_lines(results: &Results) -> String {
    let strength = Strength::of(results);
    let mut text = format!(
        "Elo: {} +/- {}, nElo: {} +/- {}\nLOS: {} %, DrawRatio: {}",
        fixed(strength.elo),
        fixed(strength.elo_error),
        fixed(strength.nelo),
        fixed(strength.nelo_error),
        fixed(100.0 * strength.los),
        draw_ratio(results).map_or("-".to_owned(), |ratio| fixed(100.0 * ratio) + " %"),
    );
    if let Results::Pairs(pairs) = results {
        text += &format!(", PairsRatio: {}", pairs_ratio(pairs).map_or("-".to_owned(), fixed));
    }
    text + "\n"
}

/// `Games: ... Points: ...`, with wins, losses and draws where they are known.
pub(super) fn games_line(results: &Results, games: Option<&Trinomial>) -> String {
    let of_games = match (results, games) {
        (Results::Games(games), _) | (_, Some(games)) => {
            format!(", Wins: {}, Losses: {}, Draws: {}", games.wins, games.losses, games.draws)
        }
        _ => String::new(),
    };
    let counted = results.counts();
    let points: f64 = counted.iter().zip(0..).map(|(&count, score)| count as f64 * f64::from(score)).sum::<f64>() / 2.0;
    let games = results.games();
    let share = if games == 0 { 0.5 } else { points / games as f64 };
    format!("Games: {games}{of_games}, Points: {points:.1} ({} %)\n", fixed(100.0 * share))
}

/// `LLR: ...` with the share of the way to the bound, the bounds of the ratio and those of the test.
pub(super) fn llr_line(sprt: &Sprt, llr: f64) -> String {
    // Adding zero turns minus zero into zero.
    let way = if llr >= 0.0 { llr / sprt.upper() } else { -llr / sprt.lower() };
    let [elo0, elo1] = sprt.bounds();
    format!(
        "LLR: {} ({:.1}%) ({}, {}) [{}, {}]\n",
        fixed(llr),
        100.0 * way + 0.0,
        fixed(sprt.lower()),
        fixed(sprt.upper()),
        fixed(elo0),
        fixed(elo1)
    )
}

/// The figures of a match for programs.
pub(super) fn strength_json(results: &Results) -> Value {
    let strength = Strength::of(results);
    json!({
        "games": results.games(),
        "score": strength.score,
        "elo": strength.elo,
        "elo_error": strength.elo_error,
        "elo_low": strength.elo_low,
        "elo_high": strength.elo_high,
        "nelo": strength.nelo,
        "nelo_error": strength.nelo_error,
        "los": strength.los,
        "draw_ratio": draw_ratio(results),
        "pairs_ratio": match results {
            Results::Pairs(pairs) => pairs_ratio(pairs),
            Results::Games(_) => None,
        },
    })
}

fn draw_ratio(results: &Results) -> Option<f64> {
    let (level, all) = match results {
        Results::Pairs(pairs) => (pairs.wl_dd, results.games() / 2),
        Results::Games(games) => (games.draws, results.games()),
    };
    (all > 0).then(|| level as f64 / all as f64)
}

fn pairs_ratio(pairs: &Pentanomial) -> Option<f64> {
    let (won, lost) = (pairs.wd + pairs.ww, pairs.ld + pairs.ll);
    (lost > 0).then(|| won as f64 / lost as f64)
}
