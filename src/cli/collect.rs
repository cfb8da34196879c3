//! `drawish collect`: games to counts.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use drawish_core::Scheme;

use super::args::ThreadsArg;
use super::args::rule::RuleArgs;
use super::progress::progress_bar;
use super::{output, problems, summary, wrong_usage};
use drawish::collect::{Collect, CollectError, Collected, partial_path};
use drawish::pgn::{Input, expand_inputs, has_pgn_name};
use drawish::stats::numbers::grouped;

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
    Exit codes: 0 done, 1 failed, an input was broken or had games that others swallowed, or nothing was counted;\n\
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
    #[arg(long, default_value = "bg", value_parser = parse_scheme, value_name = "SCHEME",
        long_help = scheme_help())]
    scheme: Scheme,

    #[command(flatten)]
    counts: RuleArgs,

    /// Replay every game by the rules of chess instead of tracking only the pawns: slower, finds every illegal move before the
    /// positions that count
    #[arg(long)]
    replay: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Start over and discard the state of an interrupted run
    #[arg(long)]
    fresh: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    let inputs = expand_inputs(&args.files)?;
    let rule = match args.counts.rule(args.replay, &inputs) {
        Ok(rule) => rule,
        Err(error) => return wrong_usage(error),
    };
    output::check([&args.output], output::files(&inputs))?;
    ensure!(
        !has_pgn_name(&args.output),
        "{}: counts are not games, and would replace them; give -o a name that ends in .counts",
        args.output.display()
    );
    // What came through a pipe cannot be had again.
    let resumable = !output::is_standard(&args.output) && !inputs.contains(&Input::Stdin);
    let checkpoint = resumable.then(|| partial_path(&args.output));
    let bar = progress_bar(&inputs, args.quiet);
    let progress = |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    };
    let mut run = Collect::new(inputs).rule(rule).scheme(args.scheme).threads(args.threads.number());
    if let Some(path) = &checkpoint {
        run = run.checkpoint(path).fresh(args.fresh);
    }
    let collected = run.progress(&progress).run().map_err(with_remedy)?;
    bar.finish_and_clear();
    output::write(&args.output, &collected.file.to_bytes())?;
    if let Some(partial) = checkpoint.filter(|path| path.exists()) {
        std::fs::remove_file(&partial).with_context(|| format!("{} cannot be removed", partial.display()))?;
    }
    let broken = problems::complain(&collected.problems, "counted");
    let failed = problems::complain_of_nothing(&collected.file.tally(), "counted") || broken;
    if args.json {
        let mut value = summary::json(&collected.file);
        problems::add_to_json(&collected.problems, &mut value);
        value["resumed_inputs"] = collected.resumed.into();
        print_beside(&args, &format!("{value:#}\n"))?;
    } else if !args.quiet {
        print_beside(&args, &headline(&args, &collected, begin.elapsed()))?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What to do about an error, by the options of this verb.
fn with_remedy(error: CollectError) -> anyhow::Error {
    let remedy = match error {
        CollectError::Checkpoint { .. } => "; remove it or choose another -o",
        CollectError::OtherRun { .. } => "; --fresh starts over",
        CollectError::InputIsOutput { .. } => "; choose another place for -o",
        CollectError::Keep { .. } => "",
    };
    anyhow::anyhow!("{error}{remedy}")
}

fn headline(args: &Args, collected: &Collected, elapsed: Duration) -> String {
    let shards = collected.file.shards.len();
    let resumed = match collected.resumed {
        0 => String::new(),
        count => format!(", {count} of them by the interrupted run"),
    };
    format!(
        "{} from {shards} file{}{resumed} in {:.1} s\n\n{}",
        args.output.display(),
        if shards == 1 { "" } else { "s" },
        elapsed.as_secs_f64(),
        summary::text(&collected.file)
    )
}

/// Prints on standard output, or on standard error if that holds the counts.
fn print_beside(args: &Args, text: &str) -> Result<()> {
    if output::is_standard(&args.output) {
        output::complain(text);
        Ok(())
    } else {
        output::print(text)
    }
}

pub(super) fn parse_scheme(name: &str) -> Result<Scheme, String> {
    Scheme::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Scheme::ALL.iter().map(|scheme| scheme.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn scheme_help() -> String {
    let schemes: Vec<_> =
        Scheme::ALL.iter().map(|scheme| format!("- {}: {}", scheme.name(), scheme.summary())).collect();
    format!("How structures are numbered:\n{}", schemes.join("\n"))
}
