//! `drawish wdl pawn-advantage`: expected score by pawns ahead.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::args::ThreadsArg;
use crate::cli::progress::progress_bar;
use crate::cli::{output, problems};
use drawish::model::pawn_advantage::expected_score;
use drawish::pgn::expand_inputs;
use drawish::stats::numbers::grouped;
use drawish::wdl::{AdvantageCounts, QUIET_PLIES, reach_of_95_percent};

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
    let (counts, found) = AdvantageCounts::gather(inputs, args.threads.number(), &|bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    });
    bar.finish_and_clear();
    let code = if problems::complain(&found, "counted") { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    let Some(scale) = counts.fit() else {
        bail!(
            "the side ahead does not score more than half in {} games, or none was ever ahead: no scale can be fitted; give more games",
            grouped(counts.games)
        );
    };
    let total = counts.total();
    if args.json {
        let rows: Vec<_> = total
            .iter()
            .map(|(pawns, results)| {
                json!({ "pawns": pawns, "wins": results.wins, "draws": results.draws, "losses": results.losses, "expected": expected_score(f64::from(*pawns), scale.k) })
            })
            .collect();
        let mut value = json!({ "k": scale.k, "error": scale.error, "games": counts.games, "skipped": counts.skipped, "games_cut_at_illegal_move": counts.cut, "advantages": rows });
        problems::add_to_json(&found, &mut value);
        output::print(format!("{value:#}\n"))?;
        return Ok(code);
    }
    let mut out = String::new();
    let error = scale.error.map_or(String::new(), |error| {
        let reach = reach_of_95_percent(drawish::wdl::BLOCKS) * error;
        format!(" +- {error:.3}, 95 %: {:.3} to {:.3}", scale.k - reach, scale.k + reach)
    });
    let _ = writeln!(out, "K = {:.3} pawns{error}", scale.k);
    let _ = writeln!(
        out,
        "{} games counted, {} skipped (no result, no position or another variant), {} of those counted cut at an illegal move; material after {QUIET_PLIES} half-moves without a capture",
        grouped(counts.games),
        grouped(counts.skipped),
        grouped(counts.cut)
    );
    let _ = writeln!(out, "pawns      positions     score  expected");
    for (pawns, results) in &total {
        let n = results.total();
        let score = (results.wins as f64 + 0.5 * results.draws as f64) / n as f64;
        let _ = writeln!(
            out,
            "{pawns:>5} {:>14}  {score:>8.4}  {:>8.4}",
            grouped(n),
            expected_score(f64::from(*pawns), scale.k)
        );
    }
    output::print(out)?;
    Ok(code)
}
