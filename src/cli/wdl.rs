//! `drawish wdl`: the win-draw-loss model.

mod account;
mod advantage;
mod collect;
pub(super) mod counts;
#[cfg(feature = "download")]
mod download;
mod fit;
mod head;
mod options;
mod plots;
mod show;
mod show_head;
mod update;
mod warnings;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// The win-draw-loss model: from games with evaluations to what an engine shows as W, D, L and centipawns
///
/// The model of Stockfish's WDL_model: the probability to win is 1 / (1 + exp((a - x) / b)) at the evaluation x, with a and
/// b depending on the material on the board or the move. collect counts positions in games, fit finds a and b with
/// their errors, show applies them, update goes from
/// downloaded games to new constants. head fits a model that reads the whole board.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish wdl collect games.pgn -o games.wdl\n  \
    drawish wdl fit games.wdl --normalize-to-pawn-value 100\n\n\
    Each has --help of its own.")]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Collect(Box<collect::Args>),
    Fit(Box<fit::Args>),
    Head(Box<head::Args>),
    Show(Box<show::Args>),
    Update(Box<update::Args>),
    #[cfg(feature = "download")]
    Download(download::Args),
    PawnAdvantage(advantage::Args),
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    match args.verb {
        Verb::Collect(args) => collect::run(*args),
        Verb::Fit(args) => fit::run(*args),
        Verb::Head(args) => head::run(*args),
        Verb::Show(args) => show::run(*args),
        Verb::Update(args) => update::run(*args),
        #[cfg(feature = "download")]
        Verb::Download(args) => download::run(&args),
        Verb::PawnAdvantage(args) => advantage::run(&args),
    }
}
