//! `drawish sprt plan`: what a match will take.

use std::process::ExitCode;

use anyhow::Result;

use super::{Errors, sources, with_option};
use crate::cli::args::numbers::positive;
use crate::cli::{done, output, usage};
use drawish::report::text::plan::Plan;
use drawish::stats::{Counted, Forecast, Pool, Spread};

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
    let forecast = forecast(&args).map_err(usage)?;
    let plan = Plan { forecast: &forecast, games_per_hour: args.games_per_hour };
    output::print_as(args.json, || plan.json(), || plan.text())?;
    done()
}

fn forecast(args: &Args) -> Result<Forecast> {
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
    Forecast::of(sprt, spread, &args.elo, args.equivalence).map_err(with_option)
}
