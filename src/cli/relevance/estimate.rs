//! `drawish relevance estimate`: the parameters from games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use regex::Regex;
use serde_json::{Value, json};

use super::reading;
use crate::cli::args::ThreadsArg;
use crate::cli::args::choice::choice;
use crate::cli::args::writer::WRITERS;
use crate::cli::output;
use drawish::estimate::{
    Draws, Estimate, EstimateError, Estimated, Interval, Intervals, Peak, Players, Reading, Wanted,
};
use drawish::pgn::Writer;
use drawish::report::text::estimate::text;

/// Estimate the parameters of players from games with evaluations
///
/// A player with n wins looks at the games that were not won and takes the best evaluation of each: the n-th highest
/// of them is e(=0.75), since as many games were won as were not although that evaluation was reached. Losses among them
/// are corrected for. Intervals hold 90 % of the estimates from games drawn again with replacement.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance estimate superfinal.pgn --player Stockfish\n  \
    drawish relevance estimate tournament.pgn.zst --event Superfinal --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; plain or compressed
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Players whose name matches; without it all players, together and one by one
    #[arg(long, value_name = "REGEX")]
    player: Option<Regex>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX")]
    event: Option<Regex>,
    // The whole path of `Option` makes a value of it, not an argument that may be absent.
    /// Whose evaluations the comments hold
    #[arg(long, value_parser = choice(&WRITERS), default_value = "auto")]
    evals: std::option::Option<Writer>,
    /// How often games are drawn again for the intervals; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    bootstrap: u32,
    /// Seed of these draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let wanted = Wanted { player: args.player.clone(), event: args.event.clone(), writer: args.evals };
    let (inputs, bar) = reading::open(&args.files)?;
    let players = Players::read(inputs, args.threads.number(), wanted, &reading::show(&bar));
    bar.finish_and_clear();
    let failed = reading::report(&players.reading);
    let draws = Draws { replicates: args.bootstrap, seed: args.seed };
    let found = players.estimate(draws).map_err(|error| match error {
        EstimateError::NoEvaluation { .. } => anyhow!("{error} (see --evals)"),
        error => error.into(),
    })?;
    let text = if args.json { as_json(draws, &found, &players.reading) } else { text(&found, &players.reading) };
    output::print(text)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn as_json(draws: Draws, Estimated { all, each }: &Estimated, reading: &Reading) -> String {
    let mut value = estimate_json(all);
    value["players"] = each.iter().map(estimate_json).collect();
    value["bootstrap"] = json!({ "replicates": draws.replicates, "seed": draws.seed, "confidence": 0.9 });
    value["reading"] = reading::json(reading);
    format!("{value:#}\n")
}

fn estimate_json(estimate: &Estimate) -> Value {
    let Estimate { name, count, intervals } = estimate;
    let interval = |of: fn(&Intervals) -> Option<Interval>| intervals.as_ref().and_then(of);
    json!({
        "player": name,
        "games": count.games,
        "wins": count.wins,
        "draws": count.draws,
        "losses": count.losses,
        "without_evaluations": count.without_evaluations,
        "e75": count.e75,
        "e75_interval": interval(|intervals| intervals.e75),
        "losses_at_e75": count.losses_at_e75,
        "e75_corrected": count.e75_corrected,
        "e75_corrected_interval": interval(|intervals| intervals.e75_corrected),
        "max_without_win": count.max_without_win.and_then(Peak::pawns),
        "max_without_win_is_mate": count.max_without_win == Some(Peak::Mate),
        "max_without_win_interval": interval(|intervals| intervals.max_without_win),
        "result_at_max": count.result_at_max,
        "nearest_pair": count.nearest(),
        "nearest_pair_interval": interval(|intervals| intervals.nearest),
        "pairs": count.pairs,
    })
}
