//! What a match will take.

use std::fmt::Write;

use drawish_match::arena::fixed;
use drawish_stats::numbers::grouped;
use drawish_stats::{Forecast, Prospect};
use serde_json::{Value, json};

/// A forecast, and hours where it is known how many games a machine plays in one.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The forecast.
    pub forecast: &'a Forecast,
    /// The speed.
    pub games_per_hour: Option<f64>,
}

impl Plan<'_> {
    /// The bounds, the prospects as a table, and what a fixed number of games would show.
    #[must_use]
    pub fn text(&self) -> String {
        let Forecast { sprt, logistic, normalized, spread, prospects, fixed: (error, games), equivalence } =
            self.forecast;
        let [lower, upper] = [sprt.lower(), sprt.upper()].map(fixed);
        let [elo0, elo1] = logistic.map(fixed);
        let [nelo0, nelo1] = normalized.map(fixed);
        let mut out = format!(
            "[{nelo0}, {nelo1}] normalized Elo, [{elo0}, {elo1}] logistic Elo; the bounds are {}\n\
             LLR from {lower} to {upper}; standard deviation of a game {:.3}\n\n\
             true Elo     nElo   H1 accepted   expected games{}\n",
            sprt.model().name(),
            spread.sigma(),
            if self.games_per_hour.is_some() { "        hours" } else { "" }
        );
        for Prospect { elo, nelo, pass, games } in prospects {
            let (elo, nelo, pass) = (fixed(*elo), fixed(*nelo), fixed(100.0 * pass));
            let hours = self.hours(*games).map_or(String::new(), |hours| format!("  {hours:>11.1}"));
            let _ = writeln!(out, "{elo:>8} {nelo:>8}  {pass:>10} %  {:>15}{hours}", whole(*games));
        }
        let in_hours = |games| self.hours(games).map_or(String::new(), |hours| format!(" ({hours:.1} hours)"));
        let _ = writeln!(
            out,
            "\nWith a fixed number of games: {} games{} for a 95 % interval of +/- {} Elo, half the distance between the bounds.",
            whole(*games),
            in_hours(*games),
            fixed(*error)
        );
        if let Some((margin, games)) = *equivalence {
            let _ = writeln!(
                out,
                "{} games{} show a difference of less than {margin} Elo either way at the 5 % level with probability {} %, \
                 if there is none.",
                whole(games),
                in_hours(games),
                100.0 * Forecast::POWER
            );
        }
        out
    }

    fn hours(&self, games: f64) -> Option<f64> {
        self.games_per_hour.map(|speed| games / speed)
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let Forecast { sprt, logistic, normalized, spread, prospects, equivalence, .. } = self.forecast;
        let [elo0, elo1] = sprt.bounds();
        let prospects = prospects.iter().map(|prospect| {
            json!({
                "elo": prospect.elo,
                "nelo": prospect.nelo,
                "pass_probability": prospect.pass,
                "expected_games": prospect.games,
                "expected_hours": self.hours(prospect.games),
            })
        });
        json!({
            "model": sprt.model().name(),
            "elo0": elo0,
            "elo1": elo1,
            "logistic": logistic,
            "normalized": normalized,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "sigma": spread.sigma(),
            "prospects": prospects.collect::<Vec<_>>(),
            "equivalence": equivalence.map(|(margin, games)| {
                json!({ "margin": margin, "games": games, "hours": self.hours(games) })
            }),
        })
    }
}

/// A number of games, rounded up.
fn whole(games: f64) -> String {
    grouped(games.ceil() as u64)
}
