//! `drawish relevance eval`: the interactive form of the article as a command.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::args::choice::choice;
use crate::cli::args::curve::{CurveArgs, SIDES};
use crate::cli::{Usage, done, output};
use drawish::model::relevance::{Side, parse_evaluation};
use drawish::report::text::moves::Moves;
use drawish::report::text::symbols::doubt_of_pawns;

/// Compare two moves of a position by their evaluations
///
/// All evaluations are in pawns and from White's view, also for a move of Black. JSON gives them in full precision.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish relevance eval --high 15 --low 0 --e75 2 --eplus 3 --result 0.85 --side white")]
pub(super) struct Args {
    /// The evaluation after the better move, in pawns from White's view; mates like M5, -M3, #-3
    #[arg(long, value_name = "PAWNS", allow_hyphen_values = true, value_parser = parse_evaluation)]
    high: f64,
    /// The evaluation after the worse move: not above the high one for White, not below it for Black
    #[arg(long, value_name = "PAWNS", allow_hyphen_values = true, value_parser = parse_evaluation)]
    low: f64,
    /// Who moves
    #[arg(long, value_parser = choice(&SIDES), default_value = "white")]
    side: Side,
    /// Decimals of evaluations and differences; where irrelevance starts depends on them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=9))]
    decimals: u8,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    // Last: a heading holds for all that follows.
    #[command(flatten, next_help_heading = "Parameters")]
    curve: CurveArgs,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let curve = args.curve.curve()?;
    let compared = curve.compare(args.high, args.low, args.side).map_err(|error| Usage(error.to_string()))?;
    doubt_of_pawns(&[args.high, args.low]).iter().for_each(output::warn);
    let Args { high, low, side, decimals, .. } = args;
    let moves = Moves { curve: &curve, side, high, low, decimals };
    output::print_as(args.json, || moves.json(&compared), || moves.text(&compared))?;
    done()
}
