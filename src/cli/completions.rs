//! `drawish completions`: tab completion for shells.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::{Cli, done, output};

/// Print a script that completes commands in a shell
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  drawish completions bash > ~/.local/share/bash-completion/completions/drawish\n  \
    drawish completions zsh > ~/.zfunc/_drawish\n  \
    drawish completions fish > ~/.config/fish/completions/drawish.fish"
)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "drawish", &mut script);
    output::print(String::from_utf8(script)?)?;
    done()
}
