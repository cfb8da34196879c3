//! `drawish verify`: is a file whole and does it agree with itself?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use drawish_core::{DrawTable, ScaleFactor, StructureIndex};

use super::output;
use super::output::Known;
use drawish::counts::CountsFile;
use drawish::stats::numbers::grouped;

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
    let base = table.base().to_f64();
    let mut positions = 0;
    for index in (0..table.scheme().cells()).map(StructureIndex) {
        let Some(cell) = table.get(index) else { continue };
        let p = cell.probability.to_f64();
        let factor =
            (128.0 * (1.0 - p) / (1.0 - base)).clamp(f64::from(ScaleFactor::MIN.0), f64::from(ScaleFactor::MAX.0));
        // The table's probability and base are rounded themselves, so a factor may be one unit away.
        ensure!(
            (factor - f64::from(cell.scale.0)).abs() <= 1.0,
            "cell {}: expected the scaling factor {factor:.0} for a probability of {p:.4}, found {}; make the table again",
            index.0,
            cell.scale.0
        );
        let same_side = (p - base).abs() < 1e-4 || (p > base) == (cell.draw_score.0 >= 0) || cell.draw_score.0 == 0;
        ensure!(
            same_side,
            "cell {}: drawScore and probability lie on different sides of the base; make the table again",
            index.0
        );
        if let Some(evidence) = table.evidence(index) {
            positions += u64::from(evidence.positions);
            ensure!(
                evidence.low <= evidence.high,
                "cell {}: the interval ends before it begins; make the table again",
                index.0
            );
        }
    }
    if table.has_evidence() {
        ensure!(
            positions == table.positions(),
            "the header tells of {} positions, the cells hold {positions}; make the table again",
            table.positions()
        );
    }
    Ok(format!("good table of scheme {}, {} positions", table.scheme(), grouped(table.positions())))
}
