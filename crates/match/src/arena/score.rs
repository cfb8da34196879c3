//! The figures of a match: as numbers, and as the lines that match runners print.

use serde::{Serialize, Serializer};

use super::tally::Tally;
use drawish_stats::{NoFigure, Pentanomial, Results, Sprt, Strength, Trinomial, numbers};

/// What the results of a match say of the first side. Elo has 95 % errors; a figure that the results do not give is `None`. Games,
/// score and ratios are of all games; Elo, nElo, LOS and their errors leave out pairs that are the same games as an earlier one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[expect(missing_docs, reason = "the names are those of the statistics, see `drawish_stats::Strength`")]
pub struct MatchScore {
    pub games: u64,
    pub score: f64,
    pub elo: f64,
    pub elo_error: Option<f64>,
    pub elo_low: f64,
    pub elo_high: f64,
    pub nelo: Option<f64>,
    pub nelo_error: Option<f64>,
    pub los: Option<f64>,
    /// Of drawn games where games are counted, of pairs with one point where pairs are.
    pub draw_ratio: Option<f64>,
    /// Pairs won by pairs lost.
    pub pairs_ratio: Option<f64>,
    /// Why errors, nElo or LOS are `None`; in JSON as a sentence.
    #[serde(serialize_with = "in_words")]
    pub not_yet: Option<NoFigure>,
}

fn in_words<S: Serializer>(why: &Option<NoFigure>, serializer: S) -> Result<S::Ok, S::Error> {
    why.map(|why| why.to_string()).serialize(serializer)
}

impl MatchScore {
    /// The figures of some results.
    #[must_use]
    pub fn of(results: &Results) -> MatchScore {
        MatchScore::with(results, &Strength::of(results))
    }

    /// The figures of a match.
    #[must_use]
    pub fn of_match(tally: &Tally) -> MatchScore {
        MatchScore::with(&tally.results(), &Strength::of(&tally.distinct()))
    }

    /// The figures of some results with their strength, which knows whether they depend on each other, and which of them are the same
    /// games twice.
    #[must_use]
    pub fn with(results: &Results, strength: &Strength) -> MatchScore {
        let score = results.distribution().1.mean();
        let Strength { score: _, elo, elo_error, elo_low, elo_high, nelo, nelo_error, los, not_yet } = *strength;
        let (level, all, pairs_ratio) = match results {
            Results::Pairs(pairs) => (pairs.wl_dd, results.games() / 2, pairs_ratio(pairs)),
            Results::Games(games) => (games.draws, results.games(), None),
        };
        let draw_ratio = (all > 0).then(|| level as f64 / all as f64);
        let games = results.games();
        MatchScore {
            games,
            score,
            elo,
            elo_error,
            elo_low,
            elo_high,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            pairs_ratio,
            not_yet,
        }
    }
}

fn pairs_ratio(pairs: &Pentanomial) -> Option<f64> {
    let (won, lost) = (pairs.wd + pairs.ww, pairs.ld + pairs.ll);
    (lost > 0).then(|| won as f64 / lost as f64)
}

/// A number with two decimals, as match runners write them.
#[must_use]
pub fn fixed(value: f64) -> String {
    numbers::fixed(value, 2)
}

/// Two decimals, or a dash for a figure that is absent.
#[must_use]
pub fn fixed_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), fixed)
}

/// `Elo: ... nElo: ...` and `LOS: ... DrawRatio: ... PairsRatio: ...`, two lines; a third says why figures are absent. Of games without
/// pairs the share of drawn games stands there, by another name: the `DrawRatio` of match runners is that of pairs.
#[must_use]
pub fn elo_lines(results: &Results) -> String {
    elo_lines_with(results, &Strength::of(results))
}

/// The same of a match.
#[must_use]
pub fn elo_lines_of_match(tally: &Tally) -> String {
    elo_lines_with(&tally.results(), &Strength::of(&tally.distinct()))
}

/// The same of results with their strength, which knows whether they depend on each other, and which of them are the same games twice.
#[must_use]
pub fn elo_lines_with(results: &Results, strength: &Strength) -> String {
    let score = MatchScore::with(results, strength);
    let draws = if matches!(results, Results::Pairs(_)) { "DrawRatio" } else { "Drawn games" };
    let mut text = format!(
        "Elo: {} +/- {}, nElo: {} +/- {}\nLOS: {}, {draws}: {}",
        fixed(score.elo),
        fixed_or_dash(score.elo_error),
        fixed_or_dash(score.nelo),
        fixed_or_dash(score.nelo_error),
        score.los.map_or("-".to_owned(), |los| fixed(100.0 * los) + " %"),
        score.draw_ratio.map_or("-".to_owned(), |ratio| fixed(100.0 * ratio) + " %"),
    );
    if matches!(results, Results::Pairs(_)) {
        text += &format!(", PairsRatio: {}", fixed_or_dash(score.pairs_ratio));
    }
    text.push('\n');
    if let Some(why) = score.not_yet {
        text += &format!("No error of Elo yet: {why}\n");
    }
    text
}

/// `Games: ... Points: ...`, with wins, losses and draws where they are known.
#[must_use]
pub fn games_line(results: &Results, games: Option<&Trinomial>) -> String {
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
#[must_use]
pub fn llr_line(sprt: &Sprt, llr: f64) -> String {
    let way = if llr >= 0.0 { llr / sprt.upper() } else { -llr / sprt.lower() };
    // Adding zero turns minus zero into zero.
    let percent = (1000.0 * way).round() / 10.0 + 0.0;
    let [elo0, elo1] = sprt.bounds();
    format!(
        "LLR: {} ({:.1}%) ({}, {}) [{}, {}] {} Elo\n",
        fixed(llr),
        percent,
        fixed(sprt.lower()),
        fixed(sprt.upper()),
        fixed(elo0),
        fixed(elo1),
        sprt.model().name()
    )
}
