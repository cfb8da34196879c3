//! `drawish relevance eval`: the interactive form of the article as a command.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::symbols::{
    by_move_scheme, by_position_scheme, finite, move_symbol_json, parameters_json, position_symbol_json, positions_json,
};
use crate::cli::args::choice::choice;
use crate::cli::args::curve::{CurveArgs, SIDES, side_name};
use crate::cli::{Usage, done, output};
use drawish::model::relevance::{
    Comparison, MoveScheme, MoveSymbol, PositionScheme, Relevance, Sector, Side, evaluation_text, parse_evaluation,
};
use drawish::report::text::symbols::{moves_text, positions_text};

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
    #[command(flatten)]
    curve: CurveArgs,
    /// Decimals of evaluations and differences; where irrelevance starts depends on them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=9))]
    decimals: u8,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let curve = args.curve.curve()?;
    let compared = curve.compare(args.high, args.low, args.side).map_err(|error| Usage(error.to_string()))?;
    output::print(if args.json {
        format!("{:#}\n", as_json(&args, &curve, &compared))
    } else {
        as_text(&args, &curve, &compared)
    })?;
    done()
}

fn as_json(args: &Args, curve: &Relevance, comparison: &Comparison) -> Value {
    let start = curve.irrelevance_start(args.decimals);
    let symbol = |alternative, made| {
        by_move_scheme(|scheme| {
            curve.move_symbol(scheme, alternative, made, args.side).map_or(Value::Null, move_symbol_json)
        })
    };
    let position =
        |evaluation| by_position_scheme(|scheme| position_symbol_json(curve.position_symbol(scheme, evaluation)));
    json!({
        "high": finite(args.high),
        "low": finite(args.low),
        "side": side_name(args.side),
        "parameters": parameters_json(curve),
        "absolute_difference": finite(comparison.absolute_difference),
        "relevant_difference": comparison.relevant_difference,
        "total_integral": curve.total_integral(),
        "optimum_rate": comparison.optimum_rate,
        "high_result_white": comparison.high.white,
        "high_result_black": comparison.high.black,
        "low_result_white": comparison.low.white,
        "low_result_black": comparison.low.black,
        "irrelevance_start": start.map(|(evaluation, _)| evaluation),
        "irrelevance_start_sector": start.map(|(_, sector)| sector_number(sector)),
        "high_move_symbol": symbol(args.low, args.high),
        "low_move_symbol": symbol(args.high, args.low),
        "high_position_symbol": position(args.high),
        "low_position_symbol": position(args.low),
        "position_thresholds": positions_json(curve),
    })
}

fn sector_number(sector: Sector) -> u8 {
    match sector {
        Sector::First => 1,
        Sector::Second => 2,
        Sector::Third => 3,
    }
}

fn as_text(args: &Args, curve: &Relevance, comparison: &Comparison) -> String {
    let side = args.side;
    let number = |value: f64| evaluation_text(value, args.decimals);
    let mut out = String::new();
    let _ = writeln!(out, "absolute difference  {}", number(comparison.absolute_difference));
    let _ = writeln!(
        out,
        "relevant difference  {}  ({:.1} % of {} from minus to plus infinity)",
        number(comparison.relevant_difference),
        100.0 * comparison.relevant_difference / curve.total_integral(),
        number(curve.total_integral())
    );
    let rate = comparison.optimum_rate.map_or("-----".to_owned(), |rate| format!("{:.2} %", 100.0 * rate));
    let _ = writeln!(out, "optimum rate         {rate}");
    match curve.irrelevance_start(args.decimals) {
        Some((start, sector)) => {
            let _ = writeln!(
                out,
                "irrelevance starts   at +-{start:.3}, in sector {}, with {} decimals",
                sector_number(sector),
                args.decimals
            );
        }
        None => {
            let _ = writeln!(out, "irrelevance starts   at 0: all differences vanish with {} decimals", args.decimals);
        }
    }
    let _ = writeln!(out, "\n{:<14}{:>10}{:>10}{:>10}", "expected", "evaluation", "White", "Black");
    for (name, evaluation, expected) in [("high", args.high, comparison.high), ("low", args.low, comparison.low)] {
        let _ = writeln!(out, "{name:<14}{:>10}{:>10.4}{:>10.4}", number(evaluation), expected.white, expected.black);
    }
    let symbol =
        |scheme, alternative, made| curve.move_symbol(scheme, alternative, made, side).map_or("none", MoveSymbol::text);
    let _ = writeln!(out, "\n{:<18}{:>8}{:>8}", "symbols", "high", "low");
    for scheme in MoveScheme::ALL {
        let high = symbol(scheme, args.low, args.high);
        let _ = writeln!(out, "move {:<13}{high:>8}{:>8}", scheme.name(), symbol(scheme, args.high, args.low));
    }
    for scheme in PositionScheme::ALL {
        let symbol = |evaluation| curve.position_symbol(scheme, evaluation).text();
        let _ = writeln!(out, "{:<18}{:>8}{:>8}", scheme.name(), symbol(args.high), symbol(args.low));
    }
    out + "\n"
        + &moves_text(curve, args.low, &[side], args.decimals)
        + "\n"
        + &moves_text(curve, args.high, &[side], args.decimals)
        + "\n"
        + &positions_text(curve, args.decimals)
}
