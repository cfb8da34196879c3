//! `drawish merge`: several counts into one.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::{done, output, summary};
use drawish::counts::{CountsFile, MergeError};

/// Add counts files of the same scheme and rule
///
/// The order of the files changes nothing. An input that is in two of the files is refused, because its games
/// would be counted twice. Games that were left out as duplicates within a file (--dedupe) are not looked for
/// across files.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish merge 2019.counts 2020.counts 2021.counts -o all.counts")]
pub(super) struct Args {
    /// Counts files
    #[arg(required = true, value_name = "COUNTS")]
    files: Vec<PathBuf>,
    /// Where to write the sum; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    output::check([&args.output], &args.files)?;
    let mut sum: Option<CountsFile> = None;
    for path in &args.files {
        let file = output::read_counts(path)?;
        match &mut sum {
            None => sum = Some(file),
            Some(sum) => sum.merge(file).map_err(with_remedy).with_context(|| path.display().to_string())?,
        }
    }
    let sum = sum.context("no files to merge")?;
    output::write(&args.output, &sum.to_bytes())?;
    let text = if args.json { format!("{:#}\n", summary::json(&sum)) } else { summary::text(&sum) };
    if output::is_standard(&args.output) {
        output::complain(text);
    } else {
        output::print(text)?;
    }
    done()
}

/// What to do about an error, by the options of `collect`.
fn with_remedy(error: MergeError) -> anyhow::Error {
    let remedy = match error {
        MergeError::Scheme { .. } => ": collect both with the same --scheme",
        MergeError::Rule(_) => "; collect both with the same options",
        MergeError::SameShard { .. } | MergeError::TooMany => "",
    };
    anyhow::anyhow!("{error}{remedy}")
}
