//! `drawish collect`: games to counts.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use drawish_core::Scheme;

use super::args::kept::{self, KeptArgs};
use super::args::rule::RuleArgs;
use super::args::{self, SummaryArgs, ThreadsArg};
use super::progress::{moved, progress_bar};
use super::{output, problems, usage};
use drawish::collect::Collect;
use drawish::kept::forget;
use drawish::pgn::expand_inputs;
use drawish::report::text::counts;

/// Count wins, draws and losses per pawn structure in PGN files
///
/// Reads every game of the named files and counts its result in the cell of its pawn structure, by default in
/// the position before White's 50th move of games of at least 60 moves. Every game read is either counted or
/// skipped for one named reason; the table at the end adds up.
///
/// Started again with the same -o, an interrupted run resumes after the last finished file.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish collect games.pgn -o games.counts\n  \
    drawish collect archive/ more/*.pgn.zst -o all.counts --min-elo 2400 --dedupe\n  \
    zcat huge.pgn.gz | drawish collect - -o huge.counts\n  \
    drawish collect games.pgn -o wide.counts --sample one-random-ply --min-moves 0\n\n\
    A broken file is counted up to the break.\n\n\
    Exit codes: 0 done, 1 failed, an input was broken or had games that others swallowed, or nothing was counted; \
    2 wrong usage.")]
pub(super) struct Args {
    /// PGN files, plain or compressed (gzip, zstd, bzip2), directories, .tar archives, patterns like "*.pgn", training data
    /// (.binpack, .viri, .bullet), or - for standard input
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Where to write the counts; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How structures are numbered
    #[arg(long, default_value = "bg", value_parser = args::named(Scheme::ALL, Scheme::name, Scheme::summary))]
    scheme: Scheme,

    #[command(flatten)]
    counts: RuleArgs,

    /// Replay every game by the rules of chess instead of tracking only the pawns: slower, finds every illegal move before the
    /// positions that count
    #[arg(long)]
    replay: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    summary: SummaryArgs,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    let inputs = expand_inputs(&args.files)?;
    let rule = args.counts.rule(args.replay, &inputs).map_err(usage)?;
    output::check([&args.output], output::files(&inputs))?;
    output::is_name_of_counts(&args.output)?;
    let checkpoint = kept::place([&args.output], &inputs);
    let bar = progress_bar(&inputs, args.summary.quiet);
    let progress = moved(&bar);
    let mut run = Collect::new(inputs).rule(rule).scheme(args.scheme).threads(args.threads.number());
    if let Some(path) = &checkpoint {
        run = run.checkpoint(path).fresh(args.kept.fresh);
    }
    let collected = run.progress(&progress).run().map_err(kept::with_remedy)?;
    bar.finish_and_clear();
    let broken = problems::complain(&collected.problems, "counted");
    let failed = problems::complain_of_nothing::<Args>(&collected.file.tally(), "counted") || broken;
    if args.kept.keep_empty || collected.file.tally().counted() > 0 {
        output::write(&args.output, &collected.file.to_bytes())?;
    }
    checkpoint.map_or(Ok(()), |path| forget(&path)).map_err(kept::with_remedy)?;
    let text = || counts::collected(&args.output, &collected, begin.elapsed(), problems::hint::<Args>);
    let text = args.summary.text(|| counts::collected_json(&collected), text);
    output::print_beside([&args.output], text)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
