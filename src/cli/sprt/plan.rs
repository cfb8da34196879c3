//! `drawish sprt plan`: what a match will take.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Test, count, runs, with_option};
use crate::cli::{done, output, wrong_usage};
use drawish::arena::fixed;
use drawish::stats::numbers::grouped;
use drawish::stats::{Forecast, Pool, Prospect, Spread};

/// Tell before a match how long it will take and how likely it is to find what is there
///
/// The length depends on how much the score of a game varies: by the share of drawn games and the advantage that the
/// openings give to a colour, or as in results that you have already. True differences are in logistic Elo,
/// whatever the model of the bounds.
#[derive(clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  \
        drawish sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60\n  \
        drawish sprt plan --elo0 0 --elo1 5 --penta 50 287 610 387 73 --elo 0 3 8 --json"
)]
pub(super) struct Args {
    #[command(flatten)]
    test: Test,
    /// Share of drawn games between equal sides, 0 to 1
    #[arg(long, default_value_t = 0.5, value_name = "SHARE")]
    draw_ratio: f64,
    /// Advantage of one colour in the openings, root mean square
    #[arg(long, default_value_t = 0.0, value_name = "ELO")]
    bias: f64,
    /// Take the variation from pairs that were played, instead of from draw ratio and bias
    #[arg(long, num_args = 5, value_parser = count(), value_names = ["LL", "LD", "WLDD", "WD", "WW"], conflicts_with_all = ["wdl", "draw_ratio", "bias"])]
    penta: Vec<u64>,
    /// The same from single games
    #[arg(long, num_args = 3, value_parser = count(), value_names = ["W", "D", "L"], conflicts_with_all = ["draw_ratio", "bias"])]
    wdl: Vec<u64>,
    /// True differences to tell about; without it, some around the bounds
    #[arg(long, num_args = 1.., value_name = "ELO")]
    elo: Vec<f64>,
    /// Also tell how many games it takes to show a difference of less than this either way
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
    let sprt = args.test.sprt()?;
    let spread = match Pool::of(&runs(&args.penta, &args.wdl))? {
        Some(pool) => Spread::of_results(&pool.results).map_err(|why| {
            anyhow::anyhow!(
                "these results do not tell how much games vary, {why}: give more, or --draw-ratio and --bias"
            )
        })?,
        None => Spread::of_draws(args.draw_ratio, args.bias)?,
    };
    Ok(Plan(Forecast::of(sprt, spread, &args.elo, args.equivalence).map_err(with_option)?))
}

/// The plan, as it is printed.
struct Plan(Forecast);

impl Plan {
    fn text(&self) -> String {
        let Forecast { sprt, spread, prospects, fixed: (error, games), equivalence } = &self.0;
        let [elo0, elo1] = sprt.bounds().map(fixed);
        let mut out = format!(
            "[{elo0}, {elo1}] {} Elo, LLR from {} to {}; standard deviation of a game {:.3}\n\n\
             true Elo   H1 accepted   expected games\n",
            sprt.model().name(),
            fixed(sprt.lower()),
            fixed(sprt.upper()),
            spread.sigma()
        );
        for Prospect { elo, pass, games } in prospects {
            let _ = writeln!(out, "{:>8}  {:>10} %  {:>15}", fixed(*elo), fixed(100.0 * pass), whole(*games));
        }
        let _ = writeln!(
            out,
            "\nA fixed number of games gives a 95 % interval of +/- {} Elo after {} games.",
            fixed(*error),
            whole(*games)
        );
        if let Some((margin, games)) = *equivalence {
            let _ = writeln!(
                out,
                "{} games show a difference of less than {margin} Elo either way at the 5 % level with probability {} %, \
                 if there is none.",
                whole(games),
                100.0 * Forecast::POWER
            );
        }
        out
    }

    fn json(&self) -> Value {
        let Forecast { sprt, spread, prospects, equivalence, .. } = &self.0;
        let [elo0, elo1] = sprt.bounds();
        let prospects = prospects.iter().map(|prospect| {
            json!({ "elo": prospect.elo, "pass_probability": prospect.pass, "expected_games": prospect.games })
        });
        json!({
            "model": sprt.model().name(),
            "elo0": elo0,
            "elo1": elo1,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "sigma": spread.sigma(),
            "prospects": prospects.collect::<Vec<_>>(),
            "equivalence": equivalence.map(|(margin, games)| json!({ "margin": margin, "games": games })),
        })
    }
}

/// A number of games, rounded up.
fn whole(games: f64) -> String {
    grouped(games.ceil() as u64)
}
