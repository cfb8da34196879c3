//! `drawish collect`: PGN files to counts.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use drawish_core::Scheme;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use regex::Regex;
use serde_json::json;

use super::{output, summary};
use crate::collect::{Broken, Collected, Config, collect, partial_path};
use crate::pgn::{Input, expand_inputs};
use crate::sample::{Filters, Rule, Sampling, TerminationFilter, VariantChoice};

/// Count wins, draws and losses per pawn structure in PGN files
///
/// Reads every game of the named files and counts its result in the cell of its pawn structure, by default in
/// the position before White's 50th move of games of at least 60 moves. Every game read is either counted or
/// skipped for one named reason; the table at the end adds up.
///
/// An interrupted run goes on from the last finished file when it is started again with the same -o.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish collect games.pgn -o games.counts\n  \
    drawish collect archive/ more/*.pgn.zst -o all.counts --min-elo 2400 --dedupe\n  \
    zcat huge.pgn.gz | drawish collect - -o huge.counts\n  \
    drawish collect games.pgn -o wide.counts --sample one-random-ply --min-moves 0\n\n\
    A broken file is counted up to the break and makes the exit code 1.")]
pub(super) struct Args {
    /// PGN files, plain or packed (gzip, zstd, bzip2), directories, patterns like "*.pgn", or - for standard input
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Where to write the counts; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How structures are numbered
    #[arg(long, default_value = "bg", value_parser = parse_scheme, value_name = "SCHEME",
        long_help = scheme_help())]
    scheme: Scheme,

    /// Which positions of a game count
    #[arg(long, value_enum, default_value_t = SampleArg::At, help_heading = "What counts")]
    sample: SampleArg,
    /// With --sample at: the FEN move number of the position, White to move
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..), value_name = "MOVE", help_heading = "What counts")]
    at: u32,
    /// With the other ways to sample: positions count from this FEN move number on
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..), value_name = "MOVE", help_heading = "What counts")]
    from: u32,
    /// Shortest game that counts, by the number of its last move
    #[arg(long, default_value_t = 60, value_name = "MOVES", help_heading = "What counts")]
    min_moves: u32,
    /// Shortest game that counts, in half-moves
    #[arg(long, default_value_t = 0, value_name = "PLIES", help_heading = "What counts")]
    min_plies: u32,
    /// Which variants of chess count; chess960 and any take every start position
    #[arg(long, value_enum, default_value_t = VariantArg::Standard, help_heading = "What counts")]
    variant: VariantArg,
    /// Count games of standard chess that begin from a FEN, too; its move number holds
    #[arg(long, help_heading = "What counts")]
    fen_starts: bool,
    /// Count games with the same start and moves only once; needs about 20 bytes of memory for each counted game
    #[arg(long, help_heading = "What counts")]
    dedupe: bool,

    /// Lowest rating of either player
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    min_elo: Option<u32>,
    /// Highest rating of either player
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    max_elo: Option<u32>,
    /// Largest difference of the ratings
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    max_elo_diff: Option<u32>,
    /// White's or Black's name matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Filters on tags")]
    player: Option<Regex>,
    /// White's name matches
    #[arg(long, value_name = "REGEX", help_heading = "Filters on tags")]
    white: Option<Regex>,
    /// Black's name matches
    #[arg(long, value_name = "REGEX", help_heading = "Filters on tags")]
    black: Option<Regex>,
    /// The event matches
    #[arg(long, value_name = "REGEX", help_heading = "Filters on tags")]
    event: Option<Regex>,
    /// The time control matches
    #[arg(long, value_name = "REGEX", help_heading = "Filters on tags")]
    time_control: Option<Regex>,
    /// First date: YYYY, YYYY.MM or YYYY.MM.DD
    #[arg(long, value_parser = parse_date, value_name = "DATE", help_heading = "Filters on tags")]
    date_from: Option<String>,
    /// Last date: YYYY, YYYY.MM or YYYY.MM.DD, to the end of that year or month
    #[arg(long, value_parser = parse_date, value_name = "DATE", help_heading = "Filters on tags")]
    date_to: Option<String>,
    /// How games may have ended: regular, any, or a regular expression on the Termination tag
    ///
    /// regular leaves out time forfeit, abandoned, stalled connection, illegal move and unterminated.
    #[arg(long, default_value = "regular", value_parser = parse_termination, value_name = "WHICH", help_heading = "Filters on tags")]
    termination: TerminationFilter,

    /// Replay every game by the rules of chess instead of tracking only the pawns: slower, finds every illegal move before the positions that count
    #[arg(long)]
    replay: bool,
    /// Threads that read games [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Begin anew although an interrupted run has left its state
    #[arg(long)]
    fresh: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SampleArg {
    /// The position at one move number
    At,
    /// One position, drawn by a hash of the game's own moves
    OneRandomPly,
    /// Every position before a move
    Every,
}

#[derive(Clone, Copy, ValueEnum)]
enum VariantArg {
    Standard,
    Chess960,
    Any,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    output::check(&args.output, &[])?;
    let config = config(&args)?;
    if let Some(input) = config.inputs.iter().find(|input| input.is_same_file(&args.output)) {
        bail!("{input} is an input and would be overwritten; choose another place for -o");
    }
    let bar = progress_bar(&config.inputs, args.quiet);
    let collected = collect(&config, &|bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", summary::grouped(games)));
    })?;
    bar.finish_and_clear();
    output::write(&args.output, &collected.file.to_bytes())?;
    if let Some(partial) = config.checkpoint.filter(|path| path.exists()) {
        std::fs::remove_file(&partial).with_context(|| format!("{} cannot be removed", partial.display()))?;
    }
    let problems = report_problems(&collected);
    if args.json {
        let mut value = summary::json(&collected.file);
        value["broken"] = collected
            .broken
            .iter()
            .map(|broken| json!({ "input": broken.input.to_string(), "reason": broken.reason, "games": broken.games }))
            .collect();
        value["repeated"] = collected
            .repeated
            .iter()
            .map(|(input, original)| json!({ "input": input.to_string(), "same_as": original }))
            .collect();
        value["without_games"] = collected.without_games.iter().map(ToString::to_string).collect();
        value["resumed_inputs"] = collected.resumed.into();
        print_beside(&args, &format!("{value:#}\n"))?;
    } else if !args.quiet {
        print_beside(&args, &headline(&args, &collected, begin.elapsed()))?;
    }
    Ok(if problems { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn config(args: &Args) -> Result<Config> {
    let rule = Rule {
        sampling: match args.sample {
            SampleArg::At => Sampling::At { at: args.at },
            SampleArg::OneRandomPly => Sampling::OneRandomPly { from: args.from },
            SampleArg::Every => Sampling::Every { from: args.from },
        },
        min_moves: args.min_moves,
        variant: match args.variant {
            VariantArg::Standard => VariantChoice::Standard,
            VariantArg::Chess960 => VariantChoice::Chess960,
            VariantArg::Any => VariantChoice::Any,
        },
        fen_starts: args.fen_starts,
        dedupe: args.dedupe,
        replay: args.replay,
        filters: Filters {
            min_elo: args.min_elo,
            max_elo: args.max_elo,
            max_elo_difference: args.max_elo_diff,
            player: args.player.clone(),
            white: args.white.clone(),
            black: args.black.clone(),
            event: args.event.clone(),
            date_from: args.date_from.clone(),
            date_to: args.date_to.clone(),
            time_control: args.time_control.clone(),
            termination: args.termination.clone(),
            min_plies: args.min_plies,
        },
    };
    let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads)));
    let threads = threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let inputs = expand_inputs(&args.files)?;
    // What came through a pipe cannot be had again.
    let resumable = !output::is_standard(&args.output) && !inputs.contains(&Input::Stdin);
    let checkpoint = resumable.then(|| partial_path(&args.output));
    Ok(Config { inputs, rule, scheme: args.scheme, threads, checkpoint, fresh: args.fresh })
}

/// Says on standard error what went wrong with single inputs; `true` if that is a failure.
fn report_problems(collected: &Collected) -> bool {
    let mut failed = !collected.broken.is_empty();
    for Broken { input, reason, games } in &collected.broken {
        let where_and_what = match games {
            0 => "; nothing of it is counted".to_owned(),
            _ => format!(
                " after game {}; what stands before it is counted, the rest is not: repair the file and collect again",
                summary::grouped(*games)
            ),
        };
        output::complain(format!("drawish: {input}: {reason}{where_and_what}\n"));
    }
    for (input, original) in &collected.repeated {
        output::complain(format!("drawish: {input}: the same bytes as {original}, not counted again\n"));
    }
    for input in &collected.without_games {
        let is_empty = input.is_empty();
        failed |= !is_empty;
        let what = if is_empty { "the file is empty" } else { "no game found; is it PGN?" };
        output::complain(format!("drawish: {input}: {what}\n"));
    }
    failed
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

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(inputs: &[Input], quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes: Option<u64> = inputs.iter().map(Input::len).sum();
    let style = match sizes {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {msg}, {elapsed}",
    };
    let bar = ProgressBar::with_draw_target(sizes, ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
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

fn parse_date(text: &str) -> Result<String, String> {
    let parts: Vec<_> = text.split('.').collect();
    let digits = |part: &str, len| part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = parts.len() <= 3 && digits(parts[0], 4) && parts[1..].iter().all(|part| digits(part, 2));
    if fits { Ok(text.to_owned()) } else { Err("expected YYYY, YYYY.MM or YYYY.MM.DD, as in 1999.06".to_owned()) }
}

fn parse_termination(text: &str) -> Result<TerminationFilter, String> {
    match text {
        "regular" => Ok(TerminationFilter::Regular),
        "any" => Ok(TerminationFilter::Any),
        _ => Regex::new(text).map(TerminationFilter::Matching).map_err(|error| error.to_string()),
    }
}
