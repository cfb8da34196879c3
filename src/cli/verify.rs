//! `drawish verify`: whether files are whole and consistent.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result};

use super::output;
use drawish::report::text::verified::{json, lines, text};

/// Check that tables, counts and heads are whole, unchanged and consistent
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  drawish verify pawns.table games.counts heads.heads games.wdl\n\nThe exit code is 1 if any file fails."
)]
pub(super) struct Args {
    /// .table, .counts, .heads and .wdl files, and the .toml of heads
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let verified: Vec<_> =
        args.files.iter().map(|path| (path.as_path(), verify(path).map_err(|error| format!("{error:#}")))).collect();
    let errors: Vec<_> = verified.iter().filter_map(|(_, found)| found.as_ref().err()).collect();
    errors.iter().for_each(output::warn);
    output::print_as(args.json, || json(&verified), || lines(&verified))?;
    Ok(if !errors.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn verify(path: &Path) -> Result<String> {
    let file = output::read(path)?;
    file.open().map_err(Error::from).and_then(|opened| Ok(text(&opened)?)).with_context(|| path.display().to_string())
}
