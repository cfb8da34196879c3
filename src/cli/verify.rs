//! `drawish verify`: whether files are whole and consistent.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::output;
use drawish::export::{Opened, check_consistency};
use drawish::report::text::verified::text;

/// Check that tables, counts and heads are whole, unchanged and consistent
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  drawish verify pawns.table games.counts pooled.heads games.wdl\n\nThe exit code is 1 if any file fails."
)]
pub(super) struct Args {
    /// .table, .counts, .heads and .wdl files, and the .toml of heads
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut failed = false;
    for path in &args.files {
        match verify(path) {
            Ok(what) => output::print(format!("{}: {what}\n", path.display()))?,
            Err(error) => {
                failed = true;
                output::warn(format!("{error:#}"));
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn verify(path: &Path) -> Result<String> {
    let name = || path.display().to_string();
    let file = output::read(path)?;
    let opened = file.open().with_context(name)?;
    if let Opened::Table(table) = &opened {
        check_consistency(table).with_context(name)?;
    }
    Ok(text(&opened))
}
