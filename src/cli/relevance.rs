//! `drawish relevance`: expected results and symbols from evaluations. One file for each task.

mod annotate;
mod compare;
mod estimate;
mod eval;
mod thresholds;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::args::ThreadsArg;
use super::progress::progress_bar;
use drawish::estimate::{Game, Reading, read_evaluated};
use drawish::model::relevance::{MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side};
use drawish::pgn::{Writer, expand_inputs};
use drawish::report::grouped;

/// Expected results and symbols from evaluations, by how relevant differences are
///
/// An evaluation far from 0 says little more than one that is a bit nearer: evaluation relevance reduction weighs
/// differences by that. Three parameters describe an engine: the evaluation at which it scores 0.75 points on average
/// (--e75), a larger one (--eplus) and the points at that one (--result). `relevance estimate` counts them in games.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance eval --high 0.40 --low -1.20 --side white\n  \
    drawish relevance thresholds --eval -0.30\n  \
    drawish relevance annotate games.pgn -o annotated.pgn\n  \
    drawish relevance estimate games.pgn --player Stockfish\n  \
    drawish relevance compare games.pgn")]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Eval(eval::Args),
    Thresholds(thresholds::Args),
    Annotate(annotate::Args),
    Estimate(estimate::Args),
    Compare(compare::Args),
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    match args.task {
        Task::Eval(args) => eval::run(args),
        Task::Thresholds(args) => thresholds::run(args),
        Task::Annotate(args) => annotate::run(args),
        Task::Estimate(args) => estimate::run(args),
        Task::Compare(args) => compare::run(args),
    }
}

/// The three parameters.
#[derive(clap::Args)]
struct CurveArgs {
    /// e(=0.75): the evaluation at which White scores 0.75 points on average
    #[arg(
        long,
        value_name = "PAWNS",
        default_value_t = 1.5,
        allow_negative_numbers = true,
        help_heading = "Parameters"
    )]
    e75: f64,
    /// e(>0.75): a larger evaluation
    #[arg(
        long,
        value_name = "PAWNS",
        default_value_t = 3.0,
        allow_negative_numbers = true,
        help_heading = "Parameters"
    )]
    eplus: f64,
    /// What White scores on average at e(>0.75), between 0.75 and 1
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = 0.875,
        allow_negative_numbers = true,
        help_heading = "Parameters"
    )]
    result: f64,
}

impl CurveArgs {
    fn curve(&self) -> Relevance {
        Relevance::new(self.e75, self.eplus, self.result).unwrap_or_else(|error| {
            usage(format!("{error}; the parameters are --e75, --eplus and --result in this order"))
        })
    }
}

/// Ends the program as wrong usage.
fn usage(message: String) -> ! {
    clap::Error::raw(ErrorKind::ValueValidation, message + "\n").exit()
}

#[derive(Clone, Copy, ValueEnum)]
enum SideArg {
    White,
    Black,
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Side {
        match side {
            SideArg::White => Side::White,
            SideArg::Black => Side::Black,
        }
    }
}

/// In JSON.
fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// Whose evaluations the comments hold.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WriterArg {
    /// By the style: [%eval 0.35] is an analyst's, +0.35/18 and wv=0.35 are the players'
    Auto,
    /// Each player wrote its own after its moves
    Players,
    /// One judge wrote them all
    Analyst,
}

impl WriterArg {
    /// `None` to tell by the style.
    fn writer(self) -> Option<Writer> {
        match self {
            WriterArg::Auto => None,
            WriterArg::Players => Some(Writer::Players),
            WriterArg::Analyst => Some(Writer::Analyst),
        }
    }
}

/// Reads games behind a progress bar.
fn read(files: &[PathBuf], threads: &ThreadsArg, take: impl FnMut(Game) + Send) -> Result<Reading> {
    let inputs = expand_inputs(files)?;
    let bar = progress_bar(&inputs, false);
    let reading = read_evaluated(inputs, threads.number(), take, |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    });
    bar.finish_and_clear();
    Ok(reading)
}

/// An evaluation in pawns, or a mate, which is infinite.
fn parse_evaluation(text: &str) -> Result<f64, String> {
    let (sign, rest) = match text.as_bytes() {
        [b'-', ..] => (-1.0, &text[1..]),
        [b'+', ..] => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if let Some(moves) = rest.strip_prefix(['M', '#']) {
        let (sign, moves) = moves.strip_prefix('-').map_or((sign, moves), |moves| (-sign, moves));
        if !moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(sign * f64::INFINITY);
        }
    }
    match text.parse::<f64>() {
        Ok(pawns) if pawns.is_finite() => Ok(pawns),
        _ => Err("expected pawns from White's view like 1.25 or -0.3, or a mate like M5, -M3 or #-3".to_owned()),
    }
}

/// An evaluation in a table: fixed decimals, and a word for mates.
fn pawns(evaluation: f64, decimals: u8) -> String {
    match evaluation {
        f64::INFINITY => "mate".to_owned(),
        f64::NEG_INFINITY => "-mate".to_owned(),
        _ => {
            let text = format!("{evaluation:.*}", usize::from(decimals));
            // No minus before a zero.
            let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
            if is_zero { text.trim_start_matches('-').to_owned() } else { text }
        }
    }
}

/// A number, or null where JSON has none.
fn finite(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn parameters_json(curve: &Relevance) -> Value {
    json!({ "e75": curve.e75(), "eplus": curve.e_plus(), "result": curve.result() })
}

fn move_symbol_json(symbol: Option<MoveSymbol>) -> Value {
    symbol.map_or(
        Value::Null,
        |symbol| json!({ "symbol": symbol.text(), "unicode": symbol.unicode().to_string(), "nag": symbol.nag() }),
    )
}

fn position_symbol_json(symbol: PositionSymbol) -> Value {
    json!({ "symbol": symbol.text(), "unicode": symbol.unicode(), "nag": symbol.nag() })
}

/// One value for each move scheme, by its name.
fn by_move_scheme(value: impl Fn(MoveScheme) -> Value) -> Value {
    MoveScheme::ALL.into_iter().map(|scheme| (scheme.name().to_owned(), value(scheme))).collect()
}

/// One value for each position scheme, by its name.
fn by_position_scheme(value: impl Fn(PositionScheme) -> Value) -> Value {
    PositionScheme::ALL.into_iter().map(|scheme| (scheme.name().to_owned(), value(scheme))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_as_people_write_them() {
        let infinity = f64::INFINITY;
        for (text, expected) in [
            ("1.25", 1.25),
            ("-0.3", -0.3),
            ("+2", 2.0),
            ("M5", infinity),
            ("+M5", infinity),
            ("-M3", -infinity),
            ("#4", infinity),
            ("#-3", -infinity),
        ] {
            assert_eq!(parse_evaluation(text), Ok(expected), "{text}");
        }
        for text in ["", "-", "M", "#-", "Mx", "inf", "nan", "1,5", "mate", "1.5e400"] {
            assert!(parse_evaluation(text).is_err(), "{text}");
        }
        assert_eq!((pawns(-0.004, 2).as_str(), pawns(-0.006, 2).as_str()), ("0.00", "-0.01"));
        assert_eq!((pawns(infinity, 2).as_str(), pawns(-infinity, 2).as_str()), ("mate", "-mate"));
    }
}
