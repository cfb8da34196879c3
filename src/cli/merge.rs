//! `drawish merge`: several counts into one.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::problems::hint;
use super::wdl::counts::{self, Format};
use super::{done, output};
use drawish::Kind;
use drawish::counts::{CountsFile, MergeError};
use drawish::report::text;
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
    let text = match args.files.iter().find(|path| is_wdl(path)) {
        Some(path) => wdl(&args, path)?,
        None => {
            let add = |sum: &mut CountsFile, file| sum.merge(file).map_err(with_remedy);
            let sum = sum(&args.files, output::read_counts, add)?;
            output::write(&args.output, &sum.to_bytes())?;
            if args.json { format!("{:#}\n", text::counts::json(&sum)) } else { text::counts::summary(&sum, hint) }
        }
    };
    output::print_beside([&args.output], text)?;
    done()
}

/// Reads all files, each added to those before it.
fn sum<F>(files: &[PathBuf], read: impl Fn(&Path) -> Result<F>, add: impl Fn(&mut F, F) -> Result<()>) -> Result<F> {
    let mut sum = None;
    for path in files {
        let file = read(path)?;
        match &mut sum {
            None => sum = Some(file),
            Some(sum) => add(sum, file).with_context(|| path.display().to_string())?,
        }
    }
    sum.context("no files to merge")
}

/// Whether a file begins as WDL counts do. What cannot be read is reported by who reads it.
fn is_wdl(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    file.is_ok() && Kind::of(&head) == Some(Kind::WdlCounts)
}

/// Merges WDL counts, of which `known` is one; what there is to say of the sum.
fn wdl(args: &Args, known: &Path) -> Result<String> {
    if let Some(other) = args.files.iter().find(|path| !is_wdl(path)) {
        bail!("{}: expected WDL counts as {} has; merge only files of one kind", other.display(), known.display());
    }
    Format::of(&args.output)?;
    let sum = sum(&args.files, counts::read, |sum: &mut WdlFile, file| sum.merge(file).map_err(with_wdl_remedy))?;
    counts::write(&args.output, &sum)?;
    Ok(if args.json {
        format!("{:#}\n", text::wdl_counts::summary_json(&sum))
    } else {
        text::wdl_counts::summary(&sum)
    })
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
