//! `drawish relevance thresholds`: where each symbol begins.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::{
    CurveArgs, SideArg, by_move_scheme, by_position_scheme, finite, move_symbol_json, parameters_json,
    parse_evaluation, pawns, position_symbol_json, side_name,
};
use crate::cli::{done, output};
use drawish::model::relevance::{MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side};

/// Show from which evaluation on each symbol is deserved
///
/// For moves around the evaluation of the alternative: the best other move for a bad one, the second best for a good
/// one. ----- stands where no evaluation is good or bad enough. For positions by four schemes.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish relevance thresholds --eval -0.30 --e75 1.50 --eplus 3.00 --result 0.875")]
pub(super) struct Args {
    /// The evaluation of the alternative, in pawns from White's view; mates like M5, -M3, #-3
    #[arg(long, value_name = "PAWNS", default_value = "0", allow_hyphen_values = true, value_parser = parse_evaluation)]
    eval: f64,
    /// Moves of this side only
    #[arg(long, value_enum)]
    side: Option<SideArg>,
    #[command(flatten)]
    curve: CurveArgs,
    /// Decimals of evaluations
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=9))]
    decimals: u8,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let curve = args.curve.curve();
    let sides = args.side.map_or(vec![Side::White, Side::Black], |side| vec![side.into()]);
    let text = if args.json {
        let moves: Value =
            sides.iter().map(|&side| (side_name(side).to_owned(), moves_json(&curve, args.eval, side))).collect();
        let value = json!({
            "eval": finite(args.eval),
            "parameters": parameters_json(&curve),
            "total_integral": curve.total_integral(),
            "moves": moves,
            "positions": positions_json(&curve),
        });
        format!("{value:#}\n")
    } else {
        moves_text(&curve, args.eval, &sides, args.decimals) + "\n" + &positions_text(&curve, args.decimals)
    };
    output::print(text)?;
    done()
}

fn moves_json(curve: &Relevance, eval: f64, side: Side) -> Value {
    by_move_scheme(|scheme| {
        let thresholds = curve.move_thresholds(scheme, eval, side);
        let row = |symbol| {
            let mut value = move_symbol_json(Some(symbol));
            value["from"] = thresholds.of(symbol).into();
            value
        };
        MoveSymbol::ALL.into_iter().map(row).collect()
    })
}

pub(super) fn positions_json(curve: &Relevance) -> Value {
    by_position_scheme(|scheme| {
        let thresholds = curve.position_thresholds(scheme).into_iter();
        let both = thresholds.flat_map(|(advantage, from)| {
            [(Side::White, from), (Side::Black, -from)].map(|(side, from)| {
                let mut value = position_symbol_json(PositionSymbol::Better(side, advantage));
                value["from"] = from.into();
                value
            })
        });
        both.collect()
    })
}

/// The thresholds of move symbols around an evaluation, for moves of these sides.
pub(super) fn moves_text(curve: &Relevance, eval: f64, sides: &[Side], decimals: u8) -> String {
    let mut out = format!(
        "from which evaluation on a move deserves a symbol if the alternative has {}\n{:<12}",
        pawns(eval, decimals),
        ""
    );
    let columns: Vec<_> = sides.iter().flat_map(|&side| MoveScheme::ALL.map(|scheme| (side, scheme))).collect();
    for side in sides {
        let _ = write!(
            out,
            "{:>20}",
            match side {
                Side::White => "White",
                Side::Black => "Black",
            }
        );
    }
    let _ = write!(out, "\n{:<12}", "");
    for (_, scheme) in &columns {
        let _ = write!(out, "{:>10}", scheme.name());
    }
    out.push('\n');
    let columns: Vec<_> = columns.into_iter().map(|(side, scheme)| curve.move_thresholds(scheme, eval, side)).collect();
    for symbol in MoveSymbol::ALL {
        let _ = write!(out, "{:<4}{:<8}", symbol.text(), format!("${}", symbol.nag()));
        for thresholds in &columns {
            let from = thresholds.of(symbol).map_or("-----".to_owned(), |from| pawns(from, decimals));
            let _ = write!(out, "{from:>10}");
        }
        out.push('\n');
    }
    out
}

/// The thresholds of position symbols.
pub(super) fn positions_text(curve: &Relevance, decimals: u8) -> String {
    let mut out = "from which evaluation on White has an advantage (Black: the same below 0)\n".to_owned();
    let _ = write!(out, "{:<17}", "");
    let names = PositionScheme::NineEqual.advantages();
    for &advantage in names {
        let symbol = PositionSymbol::Better(Side::White, advantage);
        let _ = write!(out, "{:>9}", format!("{} ${}", symbol.text(), symbol.nag()));
    }
    out.push('\n');
    for scheme in PositionScheme::ALL {
        let _ = write!(out, "{:<17}", scheme.name());
        let thresholds = curve.position_thresholds(scheme);
        for place in 0..names.len() {
            let from = thresholds.get(place).map_or("-----".to_owned(), |(_, from)| pawns(*from, decimals));
            let _ = write!(out, "{from:>9}");
        }
        out.push('\n');
    }
    out
}
