//! The command line: one file for each verb, with its arguments and what it does with them. The only room that
//! prints.

mod collect;
mod demo;
mod inspect;
mod merge;
mod output;
mod summary;
mod table;
mod verify;
mod wdl;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// How drawish is a pawn structure? From PGN files to a table that a chess engine includes.
#[derive(Parser)]
#[command(
    name = "drawish",
    version = concat!(env!("CARGO_PKG_VERSION"), " (git ", env!("DRAWISH_GIT"), ")"),
    max_term_width = 100,
    after_help = "Begin with:  drawish collect games.pgn -o games.counts\n            \
                  drawish table games.counts -o pawns.table\n\n\
                  Exit codes: 0 done, 1 failed or an input was broken, 2 wrong usage."
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Collect(Box<collect::Args>),
    Merge(merge::Args),
    Table(table::Args),
    Inspect(inspect::Args),
    Verify(verify::Args),
    Demo(demo::Args),
    Wdl(wdl::Args),
}

/// Reads the arguments, does what they say, and reports a failure in one line on standard error.
#[must_use]
pub fn main() -> ExitCode {
    dispatch(Cli::parse()).unwrap_or_else(|error| {
        output::complain(format!("drawish: {error:#}\n"));
        ExitCode::FAILURE
    })
}

fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.verb {
        Verb::Collect(args) => collect::run(*args),
        Verb::Merge(args) => merge::run(args),
        Verb::Table(args) => table::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Demo(args) => demo::run(args),
        Verb::Wdl(args) => wdl::run(args),
    }
}

/// The result of a verb that either fails or has done all it was asked.
fn done() -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
