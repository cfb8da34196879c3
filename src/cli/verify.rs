//! `drawish verify`: whether files are whole and consistent.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use drawish_core::DrawTable;

use super::heads;
use super::output;
use drawish::export::{OwnFile, check_consistency};
use drawish::report::text::heads::names;
use drawish::stats::numbers::grouped;

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
    match output::read(path)? {
        OwnFile::Counts(counts) => Ok(format!(
            "good counts of scheme {}, {} games counted of {} read",
            counts.counts.scheme(),
            grouped(counts.tally().counted()),
            grouped(counts.tally().games())
        )),
        OwnFile::Table(bytes) => verify_table(&bytes).with_context(|| path.display().to_string()),
        OwnFile::WdlCounts(file) => Ok(format!("good WDL counts, {} positions", grouped(file.counts.positions()))),
        OwnFile::Heads(bytes) => {
            let opened = heads::open(&bytes).with_context(|| path.display().to_string())?;
            Ok(format!("good heads ({}), fitted to {} rows", names(&opened), grouped(opened.rows())))
        }
    }
}

fn verify_table(bytes: &[u8]) -> Result<String> {
    let table = DrawTable::from_bytes(bytes)?;
    table.verify()?;
    check_consistency(&table)?;
    Ok(format!("good table of scheme {}, {} positions", table.scheme(), grouped(table.positions())))
}
