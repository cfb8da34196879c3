//! `drawish merge`: several counts into one.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::wdl::counts::{self, Format};
use super::{done, output, summary};
use drawish::counts::{CountsFile, MergeError};
use drawish::stats::numbers::grouped;
use drawish::wdl::{WdlFile, WdlMergeError};

/// Add files of counts: those of structures (.counts) or of evaluations (.wdl)
///
/// Files must be of one kind, and counted by the same rule; those of structures with the same scheme. The order of the files changes
/// nothing. An input that is in two of the files is refused, because its games would be counted twice. Games that were left out as
/// duplicates within a file (--dedupe) are not looked for across files.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish merge 2019.counts 2020.counts 2021.counts -o all.counts\n  \
    drawish merge part*.wdl -o all.wdl")]
pub(super) struct Args {
    /// Files of counts, .counts or .wdl
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
    if let Some(path) = args.files.iter().find(|path| is_wdl(path)) {
        return wdl(&args, path);
    }
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

/// Whether a file begins as WDL counts do. What cannot be read is reported by who reads it.
fn is_wdl(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    file.is_ok() && head == *WdlFile::MAGIC
}

/// Merges WDL counts, of which `known` is one.
fn wdl(args: &Args, known: &Path) -> Result<ExitCode> {
    Format::of(&args.output)?;
    let mut sum: Option<WdlFile> = None;
    for path in &args.files {
        ensure!(
            is_wdl(path),
            "{}: expected WDL counts as {} has; merge only files of one kind",
            path.display(),
            known.display()
        );
        let file = counts::read(path)?;
        match &mut sum {
            None => sum = Some(file),
            Some(sum) => sum.merge(file).map_err(with_wdl_remedy).with_context(|| path.display().to_string())?,
        }
    }
    let sum = sum.context("no files to merge")?;
    counts::write(&args.output, &sum)?;
    let inputs = &sum.provenance.inputs;
    let (games, counted) =
        inputs.iter().fold((0, 0), |(games, counted), input| (games + input.games, counted + input.counted));
    let positions = sum.counts.positions();
    let text = if args.json {
        let value = json!({ "inputs": inputs, "games": games, "counted": counted, "positions": positions, "rule": sum.provenance.rule_line() });
        format!("{value:#}\n")
    } else {
        let mut text = String::new();
        summary::row(&mut text, "games read", games, games, &format!("in {} inputs", grouped(inputs.len() as u64)));
        summary::row(
            &mut text,
            "  counted",
            counted,
            games,
            &format!("{} positions with evaluations", grouped(positions)),
        );
        text
    };
    if output::is_standard(&args.output) {
        output::complain(text);
    } else {
        output::print(text)?;
    }
    done()
}

/// What to do about an error, by the options of `wdl collect`.
fn with_wdl_remedy(error: WdlMergeError) -> anyhow::Error {
    let remedy = match error {
        WdlMergeError::Rule(_) | WdlMergeError::RuleLine { .. } => "; collect both with the same options",
        WdlMergeError::SameInput { .. } => "; leave one of the files out",
        WdlMergeError::Blocks { .. } | WdlMergeError::TooMany => "",
    };
    anyhow::anyhow!("{error}{remedy}")
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
