//! `drawish verify`: is a file whole and does it agree with itself?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use drawish_core::DrawTable;

use super::output::{self, Known};
use drawish::counts::CountsFile;
use drawish::export::check_consistency;
use drawish::report::grouped;

/// Check that tables and counts are whole, unchanged and consistent
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish verify pawns.table games.counts\n\nThe exit code is 1 if any file fails.")]
pub(super) struct Args {
    /// .table and .counts files
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
                output::complain(format!("drawish: {error:#}\n"));
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn verify(path: &Path) -> Result<String> {
    let verified = match output::read(path)? {
        Known::Counts(bytes) => verify_counts(&bytes),
        Known::Table(bytes) => verify_table(&bytes),
    };
    verified.with_context(|| path.display().to_string())
}

fn verify_counts(bytes: &[u8]) -> Result<String> {
    let file = CountsFile::from_bytes(bytes)?;
    let tally = file.tally();
    Ok(format!(
        "good counts of scheme {}, {} games counted of {} read",
        file.counts.scheme(),
        grouped(tally.counted()),
        grouped(tally.games())
    ))
}

fn verify_table(bytes: &[u8]) -> Result<String> {
    let table = DrawTable::from_bytes(bytes)?;
    table.verify()?;
    check_consistency(&table)?;
    Ok(format!("good table of scheme {}, {} positions", table.scheme(), grouped(table.positions())))
}
