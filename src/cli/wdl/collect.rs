//! `drawish wdl collect`: games with evaluations to counts.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::{account, counts};
use crate::cli::args::choice::{by_name, choice};
use crate::cli::args::kept::{self, KeptArgs};
use crate::cli::args::writer::{VIEWS, check_view};
use crate::cli::args::{SummaryArgs, ThreadsArg};
use crate::cli::output;
use crate::cli::progress::{moved, progress_bar};
use drawish::kept::forget;
use drawish::pgn::{Input, Pattern, PatternError, VariantChoice, View, expand_inputs, files_in};
use drawish::report::text::wdl_counts;
use drawish::wdl::{Collect, CollectError, FenCounters, FileFilter, Rule, is_metadata, test_id};

/// Count positions with evaluations by result, move, material and evaluation
///
/// What scoreWDLstat does, with its options under their old names, too: each half-move of a game whose comment holds an
/// evaluation counts its game's result for the mover, its move number, the material on the board (9 Q + 5 R + 3 B + 3 N + P of
/// both sides, 78 at the start) and the evaluation. Evaluations are read in every usual style and exactly. Every game,
/// half-move and file that is left out stands in the table at the end with its reason.
///
/// +0.35/18 1.2s is read from the view of the side that moved, [%eval 0.35] and wv=0.35 from White's; a warning says where most pairs of
/// successive evaluations beyond a pawn contradict that. Whole numbers are centipawns, both in [%eval 14,24] and before a depth and a
/// time; [%eval 1] without a depth is a pawn behind an [%eval 0.35] of its game. A bare 0.35 is an evaluation, but not behind a bare
/// number with other decimals in its game, such as the seconds of the FICS games database.
///
/// Started again with the same -o, an interrupted run resumes after the files that it has counted, if these were 64 MiB or more.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl collect games.pgn.gz -o games.wdl\n  \
    drawish wdl collect games.pgn -o games.json --match-engine 'Stockfish.*' --variant standard\n  \
    drawish wdl collect pgns/ -o ltc.wdl --match-tc '60\\+0.6' --match-threads 1 --elo-diff-max 5\n\n\
    Exit code 1 if a file is broken or contains no game, or if no position was counted.")]
pub(super) struct Args {
    /// PGN files, plain or compressed (gzip, zstd, bzip2), directories with all below them, .tar archives, patterns like
    /// "*.pgn", training data with games (.binpack, .viri), or - for standard input
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// A PGN file, as for scoreWDLstat
    #[arg(long, value_name = "FILE")]
    file: Vec<PathBuf>,
    /// The PGN files in a directory; with -r also those below it
    #[arg(long, value_name = "DIRECTORY")]
    dir: Vec<PathBuf>,
    /// With --dir: also in directories below it
    #[arg(short, requires = "dir")]
    recursive: bool,
    /// Where to write the counts: .json as scoreWDLstat does, .wdl with the blocks that errors are estimated from, .parquet;
    /// several are possible
    #[arg(short, long, required = true, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Which variants of chess count; standard: without a Variant tag, or with one that names no other rules (Standard, Blitz, From Position)
    #[arg(long, value_parser = by_name(&VariantChoice::ALL, VariantChoice::name), default_value = VariantChoice::Any.name(), help_heading = "What counts")]
    variant: VariantChoice,
    /// Count games that begin from FENs: always so here, unlike in the other verbs that count; for the same options as theirs
    #[arg(long, help_heading = "What counts")]
    fen_starts: bool,
    /// Only evaluations of engines whose White or Black tag this regular expression matches as a whole [default: that of --match-rev]
    #[arg(long, alias = "matchEngine", value_name = "REGEX", help_heading = "What counts")]
    match_engine: Option<String>,
    /// From whose view the evaluations in comments are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW", help_heading = "What counts")]
    eval_view: std::option::Option<View>,
    /// Round evaluations to multiples of this many centipawns
    #[arg(long, alias = "binWidth", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=500), value_name = "CP", help_heading = "What counts")]
    bin_width: u16,
    /// Cut evaluations as scoreWDLstat does (0.53 to 52 cp) instead of reading them exactly
    #[arg(long, help_heading = "What counts")]
    truncate: bool,
    /// Repair start positions written with the move counters "0 1" by this list of FENs with six fields (plain or compressed)
    #[arg(long, aliases = ["fixFENsource", "fix-FEN-source"], value_name = "FILE", help_heading = "What counts")]
    fix_fen_source: Option<PathBuf>,
    /// Leave out positions in which an engine shows the same evaluation, other than 0, for the N-th time in a row or more
    /// (fortresses)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), help_heading = "What counts")]
    drop_repeated: Option<u32>,

    /// Replay every game by the rules of chess instead of following only what the moves say: slower, finds every illegal move
    #[arg(long)]
    replay: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    summary: SummaryArgs,
    // Last: a heading holds for all that follows.
    #[command(flatten, next_help_heading = "Filters on fishtest's metadata, <test>.json beside <test>-*.pgn.gz")]
    metadata: MetadataArgs,
}

/// What the metadata beside games must say.
#[derive(clap::Args)]
struct MetadataArgs {
    /// Revision in the metadata, base or new
    #[arg(long, alias = "matchRev", value_name = "REGEX")]
    match_rev: Option<String>,
    /// Time control in the metadata, the same for both sides; 60+0.6 and the like mean exactly this
    #[arg(long, aliases = ["matchTC", "match-TC"], value_name = "REGEX")]
    match_tc: Option<String>,
    /// Threads in the metadata
    #[arg(long, alias = "matchThreads", value_name = "N")]
    match_threads: Option<u32>,
    /// Book in the metadata
    #[arg(long, alias = "matchBook", value_name = "REGEX")]
    match_book: Option<String>,
    /// Only books that do not match
    #[arg(long, alias = "matchBookInvert", requires = "match_book")]
    match_book_invert: bool,
    /// Largest normalized Elo by the pentanomial of the metadata
    #[arg(long, alias = "EloDiffMax", value_name = "ELO", allow_hyphen_values = true)]
    elo_diff_max: Option<f64>,
    /// Smallest normalized Elo [default: the negative of the largest]
    #[arg(long, alias = "EloDiffMin", value_name = "ELO", allow_hyphen_values = true)]
    elo_diff_min: Option<f64>,
    /// Only SPRT tests
    #[arg(long, aliases = ["SPRTonly", "SPRT-only"])]
    sprt_only: bool,
    /// Accept a test that is in two directories, and a file beside its compressed form; files of the same content are
    /// still read once
    #[arg(long, alias = "allowDuplicates")]
    allow_duplicates: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    let (files, rule) = (args.metadata.filter()?, rule(&args)?);
    let inputs = inputs(&args)?;
    check_engine(rule.engine.as_ref(), &inputs)?;
    check_view(args.eval_view, &inputs)?;
    args.output.iter().try_for_each(|path| counts::format(path).map(drop))?;
    // The metadata are read only where a filter asks for them, but they are lost in any case where counts take their place.
    let beside = output::files(&inputs).map(|path| path.with_file_name(test_id(path) + ".json"));
    let is_named = |path: &PathBuf| args.output.iter().any(|output| output.file_name() == path.file_name());
    let metadata: Vec<PathBuf> =
        beside.filter(|path| files.is_active() || (is_named(path) && is_metadata(path))).collect();
    let others = args.fix_fen_source.iter().chain(&metadata).map(PathBuf::as_path);
    output::check(&args.output, output::files(&inputs).chain(others))?;
    let bar = progress_bar(&inputs, args.summary.quiet);
    let progress = moved(&bar);
    let checkpoint = kept::place(&args.output, &inputs);
    let mut run = Collect::new(inputs).files(files).rule(rule).allow_duplicates(args.metadata.allow_duplicates);
    if let Some(path) = &checkpoint {
        run = run.checkpoint(path).fresh(args.kept.fresh);
    }
    let collected = run.threads(args.threads.number()).progress(&progress).run().map_err(|error| match error {
        CollectError::PackedTwin { .. } | CollectError::DuplicateTest { .. } => {
            anyhow!("{error}, or --allow-duplicates reads both")
        }
        CollectError::Kept(error) => kept::with_remedy(error),
    })?;
    bar.finish_and_clear();
    for path in args.output.iter().filter(|_| args.kept.keep_empty || collected.tally.positions > 0) {
        counts::write(path, &collected.file)?;
    }
    checkpoint.map_or(Ok(()), |path| forget(&path)).map_err(kept::with_remedy)?;
    let failed = account::report_problems::<Args>(&collected);
    let text = || wdl_counts::text(&args.output, &collected, begin.elapsed(), account::hint::<Args>);
    let text = args.summary.text(|| wdl_counts::json(&collected), text);
    output::print_beside(&args.output, text)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Makes sure that the inputs name engines where one is asked for.
pub(super) fn check_engine(engine: Option<&Pattern>, inputs: &[Input]) -> Result<()> {
    match inputs.iter().find(|input| engine.is_some() && input.format().is_some()) {
        Some(input) => bail!("--match-engine cannot be applied to {input}: training data do not name engines"),
        None => Ok(()),
    }
}

/// A pattern for whole values; an empty one asks for nothing.
pub(super) fn whole(pattern: Option<&String>, option: &str) -> Result<Option<Pattern>> {
    compiled(pattern, option, Pattern::whole)
}

fn compiled(
    pattern: Option<&String>,
    option: &str,
    compile: fn(&str) -> Result<Pattern, PatternError>,
) -> Result<Option<Pattern>> {
    let compile =
        |text: &String| compile(text).with_context(|| format!("{option} {text}: not a valid regular expression"));
    pattern.filter(|text| !text.is_empty()).map(compile).transpose()
}

impl MetadataArgs {
    fn filter(&self) -> Result<FileFilter> {
        let elo_max = self.elo_diff_max;
        let elo_min = self.elo_diff_min.or(elo_max.map(|most| -most));
        if let (Some(least), Some(most)) = (elo_min, elo_max) {
            ensure!(least <= most, "--elo-diff-min {least} is above --elo-diff-max {most}: no file could pass");
        }
        if elo_min != elo_max.map(|most| -most) && !self.sprt_only {
            output::warn("the window of Elo is not symmetric, which favours one side unless --sprt-only is given, too");
        }
        Ok(FileFilter {
            sprt_only: self.sprt_only,
            book: whole(self.match_book.as_ref(), "--match-book")?,
            book_invert: self.match_book_invert,
            revision: whole(self.match_rev.as_ref(), "--match-rev")?,
            time_control: compiled(self.match_tc.as_ref(), "--match-tc", Pattern::whole_time_control)?,
            threads: self.match_threads,
            elo_min,
            elo_max,
        })
    }
}

fn rule(args: &Args) -> Result<Rule> {
    Ok(Rule {
        variant: args.variant,
        engine: whole(args.match_engine.as_ref().or(args.metadata.match_rev.as_ref()), "--match-engine")?,
        view: args.eval_view,
        bin_width: args.bin_width,
        truncate: args.truncate,
        fens: args.fix_fen_source.as_deref().map(FenCounters::read).transpose()?,
        drop_repeated: args.drop_repeated,
        replay: args.replay,
    })
}

fn inputs(args: &Args) -> Result<Vec<Input>> {
    let mut paths: Vec<PathBuf> = args.files.iter().chain(&args.file).cloned().collect();
    for directory in &args.dir {
        match args.recursive {
            true => paths.push(directory.clone()),
            false => {
                paths.extend(files_in(directory).map_err(|error| anyhow!("--dir {error}; -r looks below it, too"))?)
            }
        }
    }
    if paths.is_empty() {
        bail!("nothing to read: name PGN files, a directory, or - for standard input");
    }
    Ok(expand_inputs(&paths)?)
}
