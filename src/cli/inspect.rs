//! `drawish inspect`: what a file of counts, a table, heads or WDL counts hold.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use drawish_core::{Board, Heads};

use super::output::print_as;
use super::{done, output};
use drawish::export::{Opened, OwnFile, table_csv};
use drawish::features;
use drawish::heads::MoveTable;
use drawish::report::text::heads::{Opinion, names};
use drawish::report::text::{counts, inspected, move_table, table};

/// Show what counts, a table, heads or WDL counts contain, or their figures for a position
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish inspect games.counts\n  \
    drawish inspect games.counts --csv > cells.csv\n  \
    drawish inspect human.table \"8/pp3kpp/2p1p3/3p4/3P4/2P1P3/PP3KPP/8 w - - 0 40\"\n  \
    drawish inspect pooled.heads \"5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1\" --eval 100\n  \
    drawish inspect pooled.heads --moves\n  \
    drawish inspect games.wdl")]
pub(super) struct Args {
    /// A .counts, .table, .heads or .wdl file, or the .toml of heads; - for standard input. Without a file of that name: the shipped
    /// human.counts, human.table, tcec.table, rival.table, human.heads, tcec.heads, rival.heads, pooled.heads and drawish.heads
    file: PathBuf,
    /// A position: a FEN in quotes; counts and tables use only its pawns
    fen: Option<String>,
    /// With heads and a position: White's evaluation of it in centipawns [default: 0]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, requires = "fen", conflicts_with_all = ["csv", "moves"])]
    eval: Option<i32>,
    /// Print every cell: of counts those with games, as cell,white_wins,draws,black_wins
    #[arg(long, conflicts_with_all = ["json", "fen"])]
    csv: bool,
    /// With heads: by how much each kind of move changes the drawScore and the gain, over positions of games
    #[arg(long, conflicts_with_all = ["csv", "fen"])]
    moves: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let name = || args.file.display().to_string();
    let known = output::read_or_shipped(&args.file)?;
    if !matches!(known, OwnFile::Heads(..)) {
        ensure!(args.eval.is_none(), "{}: only heads take an evaluation: leave out --eval", name());
        ensure!(!args.moves, "{}: only heads can be asked about moves: leave out --moves", name());
    }
    let pawns = |fen: &str| features::setup_of_fen(fen).map(|setup| features::pawns(&setup.board));
    let opened = known.open().with_context(name)?;
    let warnings = known.warnings();
    match (&opened, &args.fen) {
        (Opened::Heads(_), _) if args.csv => bail!("{}: heads have no cells to print: leave out --csv", name()),
        (Opened::WdlCounts(_), _) if args.csv => {
            let merge = "`drawish merge` writes them as .json or .parquet";
            bail!("{}: WDL counts have no cells to print: leave out --csv; {merge}", name());
        }
        (Opened::WdlCounts(_), Some(_)) => {
            let fit = "`drawish wdl fit` fits a model to them, and `drawish wdl show` asks it";
            bail!("{}: WDL counts say nothing of one position: {fit}", name());
        }
        (Opened::Heads(heads), Some(fen)) => print_opinion(heads, fen, args.eval, args.json)?,
        (Opened::Heads(heads), None) if args.moves => {
            let is_asked = heads.draw().is_some() || heads.gain_head().is_some();
            let found = names(heads);
            ensure!(is_asked, "{}: expected a draw head or a gain head for --moves, found {found}", name());
            let table = MoveTable::of(heads);
            print_as(args.json, || move_table::json(&table), || move_table::text(&table))?;
        }
        (Opened::Table(file), Some(fen)) => {
            let pawns = pawns(fen)?;
            print_as(args.json, || table::structure_json(file, pawns), || table::structure(file, pawns))?;
        }
        (Opened::Counts(file), Some(fen)) => {
            let pawns = pawns(fen)?;
            print_as(args.json, || counts::structure_json(file, pawns), || counts::structure(file, pawns))?;
        }
        (Opened::Table(file), None) if args.csv => output::print(table_csv(file))?,
        (Opened::Counts(file), None) if args.csv => output::print(counts::csv(file))?,
        _ => print_as(
            args.json,
            || inspected::json(&opened, warnings),
            || inspected::text(&args.file, &opened, warnings),
        )?,
    }
    done()
}

/// What is said of an evaluation that was not given.
pub(super) const UNASKED: &str = " (default; give --eval)";

/// A board that a game could have.
pub(super) fn board_of(fen: &str) -> Result<Board> {
    Board::from_fen(fen).with_context(|| {
        format!("{fen:?}: expected the FEN of a position in quotes, like \"4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1\"")
    })
}

/// Prints what heads say of a position; `eval` is White's.
pub(super) fn print_opinion(heads: &Heads<'_>, fen: &str, eval: Option<i32>, as_json: bool) -> Result<()> {
    let opinion = Opinion::of(heads, &board_of(fen)?, eval);
    print_as(as_json, || opinion.json(), || opinion.text(UNASKED))
}
