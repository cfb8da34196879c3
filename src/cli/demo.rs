//! `drawish demo`: the whole road on a built-in sample.

use std::process::ExitCode;

use anyhow::Result;

use super::done;

/// Walk the whole road on a built-in sample of games
#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: Args) -> Result<ExitCode> {
    done()
}
