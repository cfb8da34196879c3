//! `drawish completions`: tab completion for shells.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, ValueEnum};
use clap_complete::{Shell, generate};

use super::{Cli, Usage, done, output};

/// Print a script that completes commands in a shell
#[derive(clap::Args)]
#[command(
    override_usage = "drawish completions <SHELL>",
    after_help = "Examples:\n  drawish completions bash > ~/.local/share/bash-completion/completions/drawish\n  \
    drawish completions zsh > ~/.zfunc/_drawish\n  \
    drawish completions fish > ~/.config/fish/completions/drawish.fish"
)]
pub(super) struct Args {
    /// The shell
    shell: Option<Shell>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let shells = Shell::value_variants().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let shell = args.shell.ok_or_else(|| Usage(format!("expected a shell: one of {shells}")))?;
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "drawish", &mut script);
    output::print(String::from_utf8(script)?)?;
    done()
}
