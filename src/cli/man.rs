//! `drawish man`: manual pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;

use super::{Cli, done};

/// Write a manual page for every verb
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish man ~/.local/share/man/man1 && man drawish-collect")]
pub(super) struct Args {
    /// Where to write drawish.1, drawish-collect.1 and the rest
    directory: PathBuf,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let directory = &args.directory;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be created; choose another directory", directory.display()))?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory)
        .with_context(|| format!("{} cannot be written to; check the permissions", directory.display()))?;
    done()
}
