//! `drawish match`: one engine against another.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::args::affinity::AffinityArg;
use super::args::contest::{complain, with_options};
use super::args::engines::EngineWords;
use super::args::play::PlayArgs;
use super::args::sprt::sprt;
use super::args::written::WrittenArgs;
use super::playing::play;
use super::{done, output, usage};
use drawish::contest::{Contest, Engine, SelfPlay};
use drawish::report::text::playing::{selfplay as text, selfplay_json};

/// Play two engines against each other: every opening with both colours, judged by pairs
///
/// Draws are left to the rules of chess by default: to call a game drawn because both engines report 0.00 is circular if
/// the evaluation of draws is under test. Every finished pair is written to
/// a log: after any interruption the same command with --resume plays what is missing, and counts nothing twice.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish match --engine cmd=./new name=new --engine cmd=./old name=old --each option.Hash=16 \\\n      \
        --openings book.epd --nodes 5000 --sprt elo0=0 elo1=5 --log new.jsonl --pgn new.pgn\n\n\
    Exit codes: 0 H1 was accepted, or all games of a match without a test were played; 3 H0 was\n\
    accepted; 4 the test is undecided; 1 failed; 2 wrong usage; 130 interrupted.")]
pub(super) struct Args {
    #[command(flatten)]
    engines: EngineWords,
    #[command(flatten)]
    play: PlayArgs,
    #[command(flatten)]
    affinity: AffinityArg,
    /// Repeat the openings from the first if there are fewer than pairs
    #[arg(long)]
    repeat_openings: bool,
    /// Stop when a test is decided: elo0= elo1= [alpha=] [beta=] [model=normalized|logistic|bayesian], or none [default: none; with
    /// --resume the test of the log]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Play only these pairs of the match, as 101..200; `drawish merge` puts the logs of ranges together
    #[arg(long, value_name = "FROM..TO", value_parser = range, requires_all = ["log", "seed"], conflicts_with = "sprt")]
    range: Option<RangeInclusive<u64>>,
    #[command(flatten)]
    written: WrittenArgs,
    /// Write the result as Markdown, with everything needed to play the match again
    #[arg(long, value_name = "FILE.md")]
    report: Option<PathBuf>,
    /// One engine against itself, one game from each opening, written to --pgn: games to count, not a match
    #[arg(long)]
    selfplay: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    args.written.check(&args.play, args.report.as_ref()).map_err(usage)?;
    if args.selfplay {
        let mut selfplay = args.selfplay().map_err(usage)?;
        selfplay.terms.engine_log = args.play.engine_log.open([&selfplay.engine], false)?;
        return play_itself(&args, &selfplay);
    }
    let mut contest = args.contest().map_err(usage)?;
    contest.log = args.written.log.path(|| contest.default_log()).map_err(with_options::<Args>)?;
    if let Some(path) = &args.report {
        let is_md = path.extension().is_some_and(|ending| ending == "md");
        ensure!(is_md, "--report {}: expected a name that ends in .md, for Markdown", path.display());
        let openings = args.play.openings.file()?;
        output::check([path], contest.engines.iter().flat_map(Engine::files).chain([openings.as_path()]))?;
    }
    contest.terms.engine_log = args.play.engine_log.open(&contest.engines, contest.resume)?;
    let shown = args.written.log.shown(contest.log.as_ref(), &args.play);
    let (summary, code) = play(&contest, shown, with_options::<Args>)?;
    if let Some(path) = &args.report {
        output::write(path, summary.markdown().as_bytes())?;
    }
    Ok(code)
}

/// One game from each opening, written as PGN.
fn play_itself(args: &Args, selfplay: &SelfPlay) -> Result<ExitCode> {
    let unused = [
        (args.written.log.log.is_some(), "log"),
        (args.written.log.no_log, "no-log"),
        (args.written.log.resume, "resume"),
        (args.written.epd.is_some(), "epd"),
        (args.affinity.cores().is_some(), "affinity"),
        (!args.sprt.is_empty(), "sprt"),
        (args.report.is_some(), "report"),
        (args.repeat_openings, "repeat-openings"),
        (args.range.is_some(), "range"),
        (args.play.allow_equal, "allow-equal"),
    ];
    if let Some((_, option)) = unused.into_iter().find(|(given, _)| *given) {
        bail!("--selfplay writes games and has no score: leave out --{option}");
    }
    let begun = Instant::now();
    let played = selfplay.run(|event| {
        complain(&event);
        ControlFlow::Continue(())
    });
    let played = played.map_err(with_options::<Args>)?;
    let elapsed = begun.elapsed();
    if args.play.json {
        output::print(format!("{}\n", selfplay_json(&played, elapsed)))?;
    } else if !args.play.quiet {
        output::print(text(&selfplay.engine.name, &selfplay.pgn, &played, elapsed))?;
    }
    done()
}

/// Pairs by their numbers: `101..200`.
fn range(text: &str) -> Result<RangeInclusive<u64>> {
    let numbers = text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    let (first, last) = numbers.context("expected the numbers of two pairs, as in 101..200")?;
    Ok(first..=last)
}

impl Args {
    /// The match that is asked for.
    fn contest(&self) -> Result<Contest> {
        let mut terms = self.play.terms()?;
        terms.repeat_openings = self.repeat_openings;
        terms.cores = self.affinity.cores();
        terms.writing = self.written.writing();
        self.play.check_pairs()?;
        let mut contest = Contest::with_terms(self.engines.pair()?, terms);
        contest.untested = self.sprt == ["none"];
        contest.sprt = sprt(&self.sprt)?;
        contest.range.clone_from(&self.range);
        contest.resume = self.written.log.resume;
        contest.pgn.clone_from(&self.written.pgn);
        contest.final_positions.clone_from(&self.written.epd);
        contest.heading = self.written.heading.heading()?;
        contest.allow_equal = self.play.allow_equal;
        contest.check().map_err(with_options::<Args>)?;
        Ok(contest)
    }

    /// The games of an engine against itself.
    fn selfplay(&self) -> Result<SelfPlay> {
        let (engine, mut terms) = (self.engines.one()?, self.play.terms()?);
        terms.writing = self.written.writing();
        terms.limits_of(&engine).map_err(with_options::<Args>)?;
        let games = self.play.single_games()?;
        let pgn = self.written.pgn.clone().context("--selfplay writes games: say where by --pgn")?;
        let mut selfplay = SelfPlay::with_terms(engine, terms, pgn);
        selfplay.games = games;
        selfplay.heading = self.written.heading.heading()?;
        Ok(selfplay)
    }
}
