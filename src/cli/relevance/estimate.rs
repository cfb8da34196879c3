//! `drawish relevance estimate`: the parameters from games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};

use super::reading;
use crate::cli::args::ThreadsArg;
use crate::cli::args::choice::choice;
use crate::cli::args::curve::in_options;
use crate::cli::args::writer::{VIEWS, WRITERS, check_view};
use crate::cli::output;
use crate::cli::progress::moved;
use drawish::estimate::{Draws, EstimateError, Players, Wanted};
use drawish::pgn::{Pattern, View, Writer};
use drawish::report::text::estimate::{json, text};

/// Estimate the parameters of players from games with evaluations
///
/// Of each game that a player did not win, the best evaluation for that player is taken. With n wins the n-th highest of these
/// evaluations is e(=0.75): after reaching it the player has won as many games as not. Losses among the latter are corrected
/// for. Intervals hold 90 % of the estimates from openings drawn again with replacement, each with all of its games; they need
/// games won from five openings and games not won from five.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance estimate superfinal.pgn --player Stockfish\n  \
    drawish relevance estimate tournament.pgn.zst --event Superfinal --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; plain or compressed
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Players whose name matches; without it all players, together and one by one
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name)]
    player: Option<Pattern>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name)]
    event: Option<Pattern>,
    // The whole path of `Option` makes a value of it, not an argument that may be absent.
    /// Whose evaluations the comments hold
    #[arg(long, value_parser = choice(&WRITERS), default_value = "auto")]
    evals: std::option::Option<Writer>,
    /// From whose view they are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW")]
    eval_view: std::option::Option<View>,
    /// How often openings are drawn again for the intervals; 0 for none
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
    let wanted =
        Wanted { player: args.player.clone(), event: args.event.clone(), writer: args.evals, view: args.eval_view };
    let (inputs, bar) = reading::open(&args.files)?;
    check_view(args.eval_view, &inputs)?;
    let players = Players::read(inputs, args.threads.number(), wanted, &moved(&bar));
    bar.finish_and_clear();
    let failed = reading::report(&players.reading);
    let draws = Draws { replicates: args.bootstrap, seed: args.seed };
    let found = players.estimate(draws).map_err(|error| match error {
        EstimateError::NoEvaluation { .. } => anyhow!("{error} (see --evals)"),
        error => error.into(),
    })?;
    let reading = &players.reading;
    output::print_as(
        args.json,
        || json(draws, &found, reading),
        || text(&found, reading, in_options, " (see --player)"),
    )?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
