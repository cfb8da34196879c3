//! `drawish positions`: PGN files to rows of named features.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::args::choice::choice;
use super::args::rule::RuleArgs;
use super::args::writer::{VIEWS, check_view};
use super::args::{SummaryArgs, ThreadsArg};
use super::progress::{moved, progress_bar};
use super::{output, problems, usage};
use drawish::frames::{RowsFormat, WrittenRows, write_rows};
use drawish::pgn::{View, expand_inputs};
use drawish::report::text::rows as text;
use drawish::rows::{Gather, Judge};
use drawish::search::quiet_evaluation;

/// Write a row of named features for each sampled position, as Parquet or CSV
///
/// One row holds the keys of its game (game, opening skeleton, event), the result, the half-moves before the position,
/// both ratings, the evaluation in centipawns for White where the PGN has one (mates in n are ±(1,001,000 - n)), the cell of
/// the structure in each scheme, and the features.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish positions games.pgn -o rows.parquet\n  \
    drawish positions games.pgn.zst -o rows.parquet --sample one-random-ply --min-moves 0 --dedupe\n  \
    drawish positions --list-features")]
pub(super) struct Args {
    /// PGN files, plain or compressed (gzip, zstd, bzip2), directories, .tar archives, patterns like "*.pgn", training data
    /// (.binpack, .viri, .bullet), or - for standard input
    #[arg(required_unless_present = "list_features", value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Where to write the rows: .parquet, which `tune` and `evaluate` read, or .csv, which anything reads
    #[arg(short, long, required_unless_present = "list_features", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print every feature with its meaning and stop
    #[arg(long)]
    list_features: bool,

    #[command(flatten)]
    counts: RuleArgs,

    /// Evaluate quiet positions by the engine's own static evaluation, instead of the
    /// comments, to fit a gain head for this engine; other positions have no evaluation
    #[arg(long = "static")]
    judged: bool,

    /// From whose view the evaluations in comments are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW", conflicts_with = "judged")]
    eval_view: std::option::Option<View>,
    /// Also write where each position stands: columns "input", "number" (of the game in it, from 1) and "fen"
    #[arg(long)]
    places: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    summary: SummaryArgs,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    let Some(path) = args.output.as_ref().filter(|_| !args.list_features) else {
        output::print(text::list_of_features())?;
        return super::done();
    };
    let inputs = expand_inputs(&args.files)?;
    let rule = args.counts.rule(false, &inputs).map_err(usage)?;
    check_view(args.eval_view, &inputs)?;
    ensure!(
        RowsFormat::of(path).is_some(),
        "{}: rows are written as Parquet or CSV; give -o a name that ends in .parquet or .csv",
        path.display()
    );
    output::check([path], output::files(&inputs))?;
    let bar = progress_bar(&inputs, args.summary.quiet);
    let judge = args.judged.then_some(quiet_evaluation as Judge);
    let progress = moved(&bar);
    let run = Gather::new(inputs)
        .rule(rule)
        .judge(judge)
        .view(args.eval_view)
        .places(args.places)
        .threads(args.threads.number())
        .progress(&progress);
    let WrittenRows { rows, gathered, .. } =
        write_rows(run, path).with_context(|| format!("{} cannot be written", path.display()))?;
    bar.finish_and_clear();
    let broken = problems::complain(&gathered.problems, "used");
    let failed = problems::complain_of_nothing::<Args>(&gathered.tally, "used") || broken;
    let text = || text::text(path, rows, &gathered, begin.elapsed(), problems::hint::<Args>);
    output::print(args.summary.text(|| text::json(&gathered), text))?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
