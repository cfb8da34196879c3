//! `drawish verify`: whether files are whole and consistent.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use drawish_core::{DrawTable, Heads, head};

use super::output;
use drawish::Kind;
use drawish::counts::CountsFile;
use drawish::export::check_consistency;
use drawish::stats::numbers::grouped;
use drawish::wdl::WdlFile;

/// Check that tables, counts and heads are whole, unchanged and consistent
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  drawish verify pawns.table games.counts pooled.heads games.wdl\n\nThe exit code is 1 if any file fails."
)]
pub(super) struct Args {
    /// .table, .counts, .heads and .wdl files
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
    let (mut bytes, mut rest) = output::begin(path)?;
    let check: fn(&[u8]) -> Result<String> = match Kind::of(&bytes) {
        Some(Kind::Counts) => verify_counts,
        Some(Kind::Table) => verify_table,
        Some(Kind::WdlCounts) => verify_wdl,
        _ if bytes == head::MAGIC => verify_heads,
        _ => bail!(
            "{}: expected a .table, .counts, .heads or .wdl file, which begin with DRAWTBL, DRAWCNT, DRAWHDS and DRAWWDL",
            path.display()
        ),
    };
    rest.read_to_end(&mut bytes).with_context(|| format!("{} cannot be read", path.display()))?;
    check(&bytes).with_context(|| path.display().to_string())
}

fn verify_counts(bytes: &[u8]) -> Result<String> {
    let counts = CountsFile::from_bytes(bytes)?;
    Ok(format!(
        "good counts of scheme {}, {} games counted of {} read",
        counts.counts.scheme(),
        grouped(counts.tally().counted()),
        grouped(counts.tally().games())
    ))
}

fn verify_wdl(bytes: &[u8]) -> Result<String> {
    let file = WdlFile::from_bytes(bytes)?;
    Ok(format!("good WDL counts, {} positions", grouped(file.counts.positions())))
}

fn verify_heads(bytes: &[u8]) -> Result<String> {
    let heads = Heads::from_bytes(bytes)?;
    heads.verify()?;
    let there =
        [("draw", heads.draw().is_some()), ("gain", heads.gain_head().is_some()), ("WDL", heads.wdl_head().is_some())];
    let names: Vec<&str> = there.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect();
    Ok(format!("good heads ({}), fitted to {} rows", names.join(", "), grouped(heads.rows())))
}

fn verify_table(bytes: &[u8]) -> Result<String> {
    let table = DrawTable::from_bytes(bytes)?;
    table.verify()?;
    check_consistency(&table)?;
    Ok(format!("good table of scheme {}, {} positions", table.scheme(), grouped(table.positions())))
}
