//! `drawish sprt plan`: what a match will take.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Errors, sources, with_option};
use crate::cli::args::numbers::positive;
use crate::cli::{done, output, wrong_usage};
use drawish::arena::fixed;
use drawish::stats::numbers::grouped;
use drawish::stats::{Counted, Forecast, Pool, Prospect, Spread};

/// Estimate the length and the pass probability of a test before a match
///
/// The length depends on how much the score of a game varies: by the share of drawn games and the advantage that the
/// openings give to a colour, or as in results that you have already. Bounds and true differences are shown in logistic
/// and in normalized Elo.
#[derive(clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  \
        drawish sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60\n  \
        drawish sprt plan --elo0 0 --elo1 5 --penta 50 287 610 387 73 --elo 0 3 8 --games-per-hour 2000"
)]
pub(super) struct Args {
    /// H0: the difference is this
    #[arg(long, value_name = "ELO")]
    elo0: f64,
    /// H1: the difference is this; above elo0
    #[arg(long, value_name = "ELO")]
    elo1: f64,
    #[command(flatten)]
    errors: Errors,
    /// Share of drawn games between equal sides, 0 to 1
    #[arg(long, default_value_t = 0.5, value_name = "SHARE")]
    draw_ratio: f64,
    /// Advantage of one colour in the openings, root mean square
    #[arg(long, default_value_t = 0.0, value_name = "ELO")]
    bias: f64,
    /// Take the variation from pairs that were played, instead of from draw ratio and bias
    #[arg(long, num_args = 1..=5, value_names = ["LL", "LD", "WLDD", "WD", "WW"], conflicts_with_all = ["wdl", "draw_ratio", "bias"])]
    penta: Vec<String>,
    /// The same from single games
    #[arg(long, num_args = 1..=3, value_names = ["W", "D", "L"], conflicts_with_all = ["draw_ratio", "bias"])]
    wdl: Vec<String>,
    /// True differences to report on, in logistic Elo whatever the model of the bounds [default: some around the bounds]
    #[arg(long, num_args = 1.., value_name = "ELO")]
    elo: Vec<f64>,
    /// Report hours too, for a machine that plays so many games an hour
    #[arg(long, value_name = "N", value_parser = positive)]
    games_per_hour: Option<f64>,
    /// Also report how many games it takes to show a difference of less than this either way
    #[arg(long, value_name = "ELO")]
    equivalence: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    match plan(&args) {
        Ok(plan) if args.json => output::print(format!("{:#}\n", plan.json()))?,
        Ok(plan) => output::print(plan.text())?,
        Err(error) => return wrong_usage(error),
    }
    done()
}

fn plan(args: &Args) -> Result<Plan> {
    let sprt = args.errors.sprt(args.elo0, args.elo1)?;
    let results = Counted::results(&sources::counted(&args.penta, &args.wdl)?, false)?;
    let spread = match Pool::of(&results)? {
        Some(pool) => Spread::of_results(&pool.results).map_err(|why| {
            anyhow::anyhow!(
                "these results do not tell how much games vary, {why}: give more, or --draw-ratio and --bias"
            )
        })?,
        None => Spread::of_draws(args.draw_ratio, args.bias)?,
    };
    let forecast = Forecast::of(sprt, spread, &args.elo, args.equivalence).map_err(with_option)?;
    Ok(Plan { forecast, games_per_hour: args.games_per_hour })
}

/// The plan, as it is printed.
struct Plan {
    forecast: Forecast,
    games_per_hour: Option<f64>,
}

impl Plan {
    fn text(&self) -> String {
        let Forecast { sprt, logistic, normalized, spread, prospects, fixed: (error, games), equivalence } =
            &self.forecast;
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

    fn json(&self) -> Value {
        let Forecast { sprt, logistic, normalized, spread, prospects, equivalence, .. } = &self.forecast;
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
