//! `drawish relevance`: expected results and symbols from evaluations. One file for each task.

mod annotate;
mod compare;
mod estimate;
mod eval;
mod reading;
mod thresholds;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Expected results and symbols from evaluations, by how relevant differences are
///
/// Far from 0 a difference between evaluations matters less: evaluation relevance reduction weighs differences by that. Three
/// parameters describe an engine: the evaluation at which it scores 0.75 points on average (--e75), a larger one (--eplus) and
/// its average score there (--result). `relevance estimate` derives them from games.
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
