//! `drawish relevance thresholds`: where each symbol begins.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::args::choice::choice;
use crate::cli::args::curve::{CurveArgs, SIDES};
use crate::cli::{done, output};
use drawish::model::relevance::{Side, parse_evaluation};
use drawish::report::text::symbols::{doubt_of_pawns, json, moves_text, positions_text};

/// Show the evaluation from which each symbol is deserved
///
/// For moves around the evaluation of the alternative: the best other move for a bad one, the second best for a good
/// one. ----- means that no evaluation is good or bad enough. For positions by
/// four schemes.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish relevance thresholds --eval -0.30 --e75 1.50 --eplus 3.00 --result 0.875")]
pub(super) struct Args {
    /// The evaluation of the alternative, in pawns from White's view; mates like M5, -M3, #-3
    #[arg(long, value_name = "PAWNS", default_value = "0", allow_hyphen_values = true, value_parser = parse_evaluation)]
    eval: f64,
    /// Moves of this side only
    #[arg(long, value_parser = choice(&SIDES))]
    side: Option<Side>,
    /// Decimals of evaluations
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
    doubt_of_pawns(&[args.eval]).iter().for_each(output::warn);
    let sides = args.side.map_or(vec![Side::White, Side::Black], |side| vec![side]);
    let text = || moves_text(&curve, args.eval, &sides, args.decimals) + "\n" + &positions_text(&curve, args.decimals);
    output::print_as(args.json, || json(&curve, args.eval, &sides), text)?;
    done()
}
