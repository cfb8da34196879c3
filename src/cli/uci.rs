//! `drawish uci`: the engine.

use std::io::{self, BufReader, ErrorKind};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::done;
use drawish::provenance;
use drawish::uci;

/// Play chess: speak UCI with a GUI or a match runner
#[derive(clap::Args)]
#[command(after_help = "Example, in a GUI: the command drawish with the argument uci. By hand:\n  \
    printf 'position startpos moves e2e4\\ngo nodes 20000\\n' | drawish uci")]
pub(super) struct Args {}

pub(super) fn run(_: Args) -> Result<ExitCode> {
    match uci::serve(BufReader::new(io::stdin()), io::stdout(), &provenance::made_by()) {
        // The other side has gone: there is nobody left to tell.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => done(),
        result => result.context("cannot write to standard output").and_then(|()| done()),
    }
}
