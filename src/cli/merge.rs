//! `drawish merge`: several counts into one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use super::wdl::counts;
use super::{done, output};
use drawish::Kind;
use drawish::contest::Gathering;
use drawish::counts::{CountsFile, MergeError};
use drawish::report::text;
use drawish::report::text::playing::merged;
use drawish::wdl::{WdlFile, WdlMergeError};

/// Add files of counts, of structures (.counts) or of evaluations (.wdl), or the logs of ranges of a match (.jsonl)
///
/// Files must be of one kind, and counted by the same rule; those of structures with the same scheme. The order of the files does not
/// change the sum. An input that is in two of the files is refused, because its games would be counted twice. Games that are in several inputs
/// are counted as often, and reported where they are many; only `collect --dedupe` of all inputs leaves them out.
///
/// Logs of ranges, as `drawish match --range` writes them, give the log that one run of the match writes. A log that exists already
/// is continued.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish merge 2019.counts 2020.counts 2021.counts -o all.counts\n  \
    drawish merge part*.wdl -o all.wdl\n  \
    drawish merge part*.jsonl -o match.jsonl")]
pub(super) struct Args {
    /// Files of one kind: .counts, .wdl, or logs of ranges
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
    let one_of = |kind| args.files.iter().find(|path| kind_of(path) == Some(kind));
    if let Some(path) = one_of(Kind::TournamentLog) {
        bail!(
            "{}: the log of a tournament, which is written by one run and cannot be put together; `drawish sprt` prints its table",
            path.display()
        );
    }
    let log = one_of(Kind::MatchLog);
    // That of the match is continued.
    let check = if log.is_some() { output::check_with_logs } else { output::check };
    check([&args.output], &args.files)?;
    let text = match (one_of(Kind::WdlCounts), log) {
        (Some(path), _) => wdl(&args, path)?,
        (None, Some(_)) => logs(&args)?,
        (None, None) => {
            let add = |sum: &mut CountsFile, file| sum.merge(file).map_err(with_remedy);
            let sum = sum(&args.files, output::read_counts, add)?;
            output::is_name_of_counts(&args.output)?;
            if sum.has_copies() {
                text::counts::dependence(&sum).iter().for_each(|remark| {
                    output::warn(format!(
                        "{remark}: collect all inputs in one run of `drawish collect --dedupe`, or leave the copies out"
                    ));
                });
            }
            output::write(&args.output, &sum.to_bytes())?;
            output::as_asked(args.json, || text::counts::json(&sum), || text::counts::summary(&sum, |_| None))
        }
    };
    output::print_beside([&args.output], text)?;
    done()
}

/// Reads all files, each added to those before it.
fn sum<F>(
    files: &[PathBuf],
    mut read: impl FnMut(&Path) -> Result<F>,
    add: impl Fn(&mut F, F) -> Result<()>,
) -> Result<F> {
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

/// What a file is, by its beginning. What cannot be read is reported by who reads it.
fn kind_of(path: &Path) -> Option<Kind> {
    Kind::of_file(path).ok().flatten()
}

/// Puts the logs of ranges of a match together; what there is to say of the match.
fn logs(args: &Args) -> Result<String> {
    ensure!(!output::is_standard(&args.output), "the log of a match needs a file, not standard output");
    let gathering = Gathering::of_logs(&args.output, &args.files)?;
    gathering.remarks().iter().for_each(output::warn);
    Ok(output::as_asked(args.json, || gathering.to_json(), || merged(&gathering)))
}

/// Merges WDL counts, of which `known` is one; what there is to say of the sum.
fn wdl(args: &Args, known: &Path) -> Result<String> {
    if let Some(other) = args.files.iter().find(|path| kind_of(path) != Some(Kind::WdlCounts)) {
        std::fs::File::open(other).with_context(|| format!("{} cannot be read", other.display()))?;
        bail!("{}: expected WDL counts as {} has; merge only files of one kind", other.display(), known.display());
    }
    counts::format(&args.output)?;
    let mut known: Vec<u128> = Vec::new();
    let read = |path: &Path| {
        let file = counts::read(path)?;
        let same = file.telling_digest();
        if same.is_some_and(|same| known.contains(&same)) {
            return Err(with_wdl_remedy(WdlMergeError::SameCounts)).with_context(|| path.display().to_string());
        }
        known.extend(same);
        Ok(file)
    };
    let sum = sum(&args.files, read, |sum: &mut WdlFile, file| sum.merge(file).map_err(with_wdl_remedy))?;
    counts::write(&args.output, &sum)?;
    let (json, text) = (text::wdl_counts::summary_json, text::wdl_counts::summary);
    Ok(output::as_asked(args.json, || json(&sum), || text(&sum)))
}

/// What to do about an error, by the options of `wdl collect`.
fn with_wdl_remedy(error: WdlMergeError) -> anyhow::Error {
    let remedy = match error {
        WdlMergeError::Rule(_) | WdlMergeError::RuleLine { .. } => "; collect both with the same options",
        WdlMergeError::SameInput { .. } | WdlMergeError::SameCounts => "; leave one of the files out",
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
