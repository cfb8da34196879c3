//! `drawish wdl pawn-advantage`: expected score by pawns ahead.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cli::args::ThreadsArg;
use crate::cli::progress::{moved, progress_bar};
use crate::cli::{output, problems};
use drawish::pgn::expand_inputs;
use drawish::report::text::advantage as text;
use drawish::stats::numbers::grouped;
use drawish::wdl::AdvantageCounts;

/// Expected score by advantage in pawns: W = 1 / (1 + 10^(-P/K)), with K fitted
///
/// After S. Fischer and P. Kannan: a material configuration counts when five half-moves have passed without a capture, by the
/// result of its game for the side ahead (P = 9 Q + 5 R + 3 B + 3 N + P). No evaluations are needed. K = 4 in the original.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish wdl pawn-advantage games.pgn.zst")]
pub(super) struct Args {
    /// PGN files, plain or compressed, directories, patterns, or - for standard input
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let inputs = expand_inputs(&args.files)?;
    let bar = progress_bar(&inputs, args.json);
    let (counts, found) = AdvantageCounts::gather(inputs, args.threads.number(), &moved(&bar));
    bar.finish_and_clear();
    let code = if problems::complain(&found, "counted") { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    let Some(scale) = counts.fit() else {
        bail!(
            "the side ahead does not score more than half in {} games, or none was ever ahead: no scale can be fitted; give more games",
            grouped(counts.games)
        );
    };
    output::print_as(args.json, || text::json(&counts, &scale, &found), || text::text(&counts, &scale))?;
    Ok(code)
}
