//! `drawish match`: one engine against another.

mod cast;
mod plan;
mod report;
mod scene;
mod selfplay;
mod summary;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::SystemTime;

use anyhow::{Context, Error, Result, ensure};
use serde_json::Value;

pub(super) use self::cast::Cast;
pub(super) use self::plan::sprt as sprt_of;
use self::plan::{Plan, plan};
use self::report::{Live, end_json, opening_lines};
use self::scene::{VariantArg, tables};
use self::summary::summary;
use super::engines::EngineWords;
use super::{output, wrong_usage};
use drawish::arena::{Book, BookRule, FORMAT, Limits, Match, MatchError, MatchLog, PairRecord, Setup, Tablebases};
use drawish::pgn::Input;
use drawish::stats::Decision;

/// Openings that are left out are told one by one up to so many.
const SHOWN: usize = 10;
/// Exit code when the test accepts H0.
const H0: u8 = 3;
/// Exit code when the match has ended and the test is undecided.
const UNDECIDED: u8 = 4;

/// Play two engines against each other: every opening with both colours, judged by pairs
///
/// Draws are left to the rules of chess unless you say otherwise: to call a game drawn because both engines say 0.00
/// is circular where the evaluation of draws is what a match is about. Give --log to be able to go on after any
/// interruption: the same command with --resume plays what is missing, and counts nothing twice.
#[derive(Clone, clap::Args)]
#[command(after_help = "Example:\n  \
    drawish match --engine cmd=./new name=new --engine cmd=./old name=old --each option.Hash=16 \\\n      \
        --openings book.epd --nodes 5000 --sprt elo0=0 elo1=5 --log new.jsonl --pgn new.pgn\n\n\
    Exit codes: 0 H1 was accepted, or all games of a match without a test were played; 3 H0 was\n\
    accepted; 4 the test is undecided; 1 failed; 2 wrong usage.")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) engines: EngineWords,
    /// Openings: EPD, FEN or PGN, also packed; - for standard input; or random:PLIES for random moves after which neither side
    /// is much better
    #[arg(long, value_name = "FILE")]
    pub(super) openings: PathBuf,
    /// Half-moves to take from each game of a PGN book; without it, all
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Play positions in which one side is better by so many centipawns, and tell who wins them and who holds them: by ce
    /// in EPD, by the comments of games in PGN
    #[arg(long, value_name = "LOW..HIGH")]
    conversion: Option<String>,
    /// Standard chess or Chess960; auto is Chess960 for all games if any opening of the book is
    #[arg(long, value_enum, default_value_t = VariantArg::Auto, value_name = "NAME")]
    variant: VariantArg,
    /// Number of the order in which openings are played; without it, a new one
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Begin again with the first opening when there are fewer than pairs
    #[arg(long)]
    repeat_openings: bool,
    /// Pairs of games to play at most; without it, one for each opening
    #[arg(long, value_name = "N", conflicts_with = "games")]
    pairs: Option<u64>,
    /// The same in games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Nodes for each move, for an engine that has no limits of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS")]
    movetime: Option<String>,
    /// Seconds for the game and for each move of it: 8+0.08, or 40/60+0.6
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Stop when a test is decided: elo0= elo1= [alpha=] [beta=] [model=normalized|logistic|bayesian]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// A side loses that finds itself lost: moves=3 score=600 for three moves with -6.00 or worse
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// A game is drawn in which both sides find nothing: from=34 moves=8 score=20
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// A game is drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_moves: Option<u32>,
    /// Directories of Syzygy tables: what they know to be won or drawn under the fifty-move rule is not played on
    #[arg(long, value_name = "DIR[:DIR]")]
    syzygy: Option<OsString>,
    /// Games at a time; without it, one for each core
    #[arg(short = 'j', long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Milliseconds by which an answer may be late
    #[arg(long, default_value_t = 20, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    time_margin: u64,
    /// Seconds after which an engine that has only nodes or depth is told to stop
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    patience: u64,
    /// Games that an engine may lose by crashing or stalling before the match is given up
    #[arg(long, default_value_t = 10, value_name = "N")]
    fault_limit: u64,
    /// Where every finished pair is written down, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Go on with the match of the log
    #[arg(long, requires = "log")]
    pub(super) resume: bool,
    /// Where the games are written as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Where the end of the match is written as Markdown, with everything that it takes to play it again
    #[arg(long, value_name = "FILE.md")]
    report: Option<PathBuf>,
    /// One engine against itself, one game from each opening, written to --pgn: games to count, not a match
    #[arg(long)]
    pub(super) selfplay: bool,
    /// Play even if both arms search alike, as a control or for the games
    #[arg(long)]
    pub(super) allow_equal: bool,
    /// Print the standing after every pair as a line of JSON, and the end as one more
    #[arg(long)]
    pub(super) json: bool,
    /// Print nothing but the end
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Do not even print the end: a gauntlet tells what its matches mean.
    #[arg(skip)]
    pub(super) silent: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let plan = match plan(&args) {
        Ok(plan) => plan,
        Err(error) => return wrong_usage(format!("{error:#}")),
    };
    let source = if output::is_standard(&args.openings) { Input::Stdin } else { Input::File(args.openings.clone()) };
    let rule = BookRule { plies: args.plies, castling: args.variant.castling(), band: plan.band.clone() };
    let is_random = args.openings.to_str().and_then(|name| name.strip_prefix("random:"));
    // Self-play has one game for each opening, a match two.
    let openings_asked = args.pairs.or(args.games.map(|games| if args.selfplay { games } else { games / 2 }));
    let logged = args.log.as_deref().filter(|_| args.resume).and_then(seed_of);
    let seed = args.seed.or(logged).unwrap_or_else(new_seed);
    let mut book = match is_random {
        Some(plies) => {
            let count = openings_asked.context("--openings random: say how many by --pairs or --games")?;
            selfplay::random_book(plies, count, seed)?
        }
        None => Book::read(&source, &rule)?,
    };
    for rejected in book.rejected.iter().take(SHOWN) {
        let place = rejected.place;
        output::complain(format!("drawish: {source}, opening {place} is left out: {}\n", rejected.why));
    }
    if let Some(more) = book.rejected.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        output::complain(format!("drawish: {source}: {more} more openings are left out\n"));
    }
    book.shuffle(seed);
    if args.selfplay {
        return selfplay::run(&args, &plan, &book, seed);
    }
    let pairs = pairs(&args, &book)?;
    let casts = Cast::both(&plan.engines, args.patience, book.castling)?;
    let syzygy = args.syzygy.as_deref().map(tables).transpose()?;
    let mut setup = setup(&plan, [&casts[0], &casts[1]], &book, args.plies, seed);
    if let Some(syzygy) = &syzygy {
        setup.rules = format!("{}; {syzygy}", setup.rules);
    }
    if let Some(band) = &plan.band {
        setup.rules = format!("{}; positions better by {} to {}", setup.rules, band.start(), band.end());
    }
    let [one, two] = &setup.sides;
    if (&one.build, &one.options, &one.limits) == (&two.build, &two.options, &two.limits) && one.player == two.player {
        output::complain("drawish: both sides are the same program with the same options and limits\n");
    }
    if let Some(path) = &args.report {
        ensure!(
            path.extension().is_some_and(|ending| ending == "md"),
            "--report {}: expected a name that ends in .md, for Markdown",
            path.display()
        );
        output::check(path, std::slice::from_ref(&args.openings))?;
    }
    if !args.allow_equal {
        refuse_equal(&casts, &plan.limits)?;
    }
    let player = |side: usize| casts[side].player();
    // An engine that does not start is told before anything is written.
    for side in [0, 1] {
        player(side)?.new_game()?;
    }
    let names = [plan.engines[0].name.as_str(), plan.engines[1].name.as_str()];
    let event = format!("drawish match, {}, seed {seed}", book.name);
    let to_pgn = |record: &PairRecord| record.to_pgn(&event, names, [&plan.limits[0], &plan.limits[1]]);
    let mut pgn = args.pgn.as_deref().map(|path| open_pgn(path, args.resume, &event)).transpose()?;
    let (mut log, finished) = match &args.log {
        Some(path) if args.resume => MatchLog::resume(path, &setup).map(|(log, records)| (Some(log), records))?,
        Some(path) => (Some(MatchLog::create(path, &setup)?), Vec::new()),
        None => (None, Vec::new()),
    };
    if let Some((path, file)) = &mut pgn {
        let text: String = finished.iter().map(&to_pgn).collect();
        file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).with_context(|| cannot_write(path))?;
    }
    let concurrency = args.concurrency.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    if !args.quiet && !args.json {
        output::print(opening_lines(&plan, &book, seed, pairs, finished.len(), concurrency))?;
    }
    let game = Match {
        openings: &book.openings,
        pairs,
        limits: plan.limits,
        rules: plan.rules,
        tablebases: syzygy.as_ref().map(|syzygy| syzygy as &dyn Tablebases),
        sprt: plan.sprt,
        concurrency,
        fault_limit: args.fault_limit,
    };
    let mut live = Live::new(&args, finished.len());
    let ended = game.run(&player, &finished, &mut |record, tally, llr| -> Result<()> {
        // The PGN can be made again from the log, so the log comes last.
        if let Some((path, file)) = &mut pgn {
            file.write_all(to_pgn(record).as_bytes()).with_context(|| cannot_write(path))?;
        }
        if let Some(log) = &mut log {
            log.append(record)?;
        }
        live.show(record, tally, llr)
    });
    live.end();
    let ended = ended.map_err(|error| match error {
        MatchError::Receiver(error) => error,
        MatchError::Faults { side, .. } => Error::msg(error.to_string()).context(names[side].to_owned()),
        error => Error::msg(error.to_string()),
    })?;
    let summary = summary(&ended, &plan, &book, &setup);
    if args.json {
        output::print(format!("{}\n", end_json(&ended, &plan, &setup)))?;
    } else if !args.silent {
        output::print(summary.text())?;
    }
    if let Some(path) = &args.report {
        output::write(path, summary.markdown().as_bytes())?;
    }
    Ok(match (plan.sprt, ended.decision) {
        (None, _) | (_, Decision::H1) => ExitCode::SUCCESS,
        (_, Decision::H0) => ExitCode::from(H0),
        (_, Decision::Continue) => ExitCode::from(UNDECIDED),
    })
}

/// Refuses a comparison of what plays the same moves.
pub(super) fn refuse_equal(casts: &[Cast; 2], limits: &[Limits; 2]) -> Result<()> {
    let [one, two] = casts;
    ensure!(
        !one.plays_like(two) || limits[0] != limits[1],
        "{} and {} search alike in every position of the bench, so a match would measure nothing; take another arm, table or \
         heads, or say --allow-equal to play all the same",
        one.name(),
        two.name()
    );
    Ok(())
}

fn pairs(args: &Args, book: &Book) -> Result<u64> {
    let openings = book.openings.len() as u64;
    let pairs = args.pairs.or(args.games.map(|games| games / 2)).unwrap_or(openings);
    ensure!(
        pairs <= openings || args.repeat_openings,
        "{pairs} pairs are asked for, but {} has {openings} different openings: the same games would count again; take a \
         larger book, or fewer pairs, or say --repeat-openings",
        book.name
    );
    Ok(pairs)
}

fn setup(plan: &Plan, casts: [&Cast; 2], book: &Book, plies: Option<usize>, seed: u64) -> Setup {
    let side = |side: usize| casts[side].side(&plan.limits[side]);
    Setup {
        format: FORMAT,
        sides: [side(0), side(1)],
        book: book.name.clone(),
        book_digest: format!("{:032x}", book.digest),
        openings: book.openings.len() as u64,
        plies,
        seed,
        rules: plan.rules.to_string(),
        chess960: book.castling.is_chess960(),
    }
}

/// The seed of a match that has been logged, if it can be read.
pub(super) fn seed_of(log: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(log).ok()?;
    serde_json::from_str::<Value>(text.lines().next()?).ok()?["seed"].as_u64()
}

pub(super) fn new_seed() -> u64 {
    // As long as one types easily.
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(1, |time| u64::from(time.subsec_nanos()) % 1_000_000)
}

fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written; choose another place, with room on the disk", path.display())
}

/// Opens the file for games. It is empty, or holds games of the match that is gone on with: they will be written again from the
/// log.
fn open_pgn(path: &Path, resume: bool, event: &str) -> Result<(PathBuf, File)> {
    let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
    let mut file = file.with_context(|| cannot_write(path))?;
    let own = format!("[Event \"{event}\"]\n").into_bytes();
    let mut beginning = Vec::new();
    (&file).take(own.len() as u64).read_to_end(&mut beginning).with_context(|| cannot_write(path))?;
    ensure!(
        beginning.is_empty() || resume && own.starts_with(&beginning),
        "{} holds other games already; choose another file for --pgn",
        path.display()
    );
    file.rewind().with_context(|| cannot_write(path))?;
    Ok((path.to_owned(), file))
}
