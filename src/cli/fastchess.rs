//! `drawish fastchess`: a command line of fastchess or cutechess-cli, played.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, Result, anyhow};

use super::args::engine_log::open;
use super::args::log::named;
use super::playing::{Shown, play};
use super::{Usage, done, output, usage};
use drawish::arena::{EngineLog, LogError};
use drawish::contest::{ContestError, DefaultLog, Openings, Terms};
use drawish::fastchess::{Asked, CommandLine, CommandLineError, EngineLogFile};
use drawish::stats::EloZero;

/// Play a match or a tournament by the command line of fastchess or cutechess-cli
///
/// Takes the options of fastchess as they are, and those of cutechess-cli that mean the same. What drawish cannot do is refused by its
/// name, with what to do instead. Every finished pair is written to a log, called after both engines, tournament.jsonl
/// for more than two, or by -config outname=LOG:
/// the same command with -resume, or with -config file=LOG, plays what is missing.
#[derive(clap::Args)]
#[command(
    override_usage = "drawish fastchess <OPTIONS OF FASTCHESS>",
    after_help = include_str!("fastchess/help.txt")
)]
pub(super) struct Args {
    /// The options of fastchess
    #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    words: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let line = CommandLine::read(args.words).map_err(|error| {
        let help = if let CommandLineError::Contest(error) = &error { help(error) } else { "" };
        Usage(format!("{error}{help}"))
    })?;
    match line.asked {
        Asked::Match(mut contest) => {
            let log = log(contest.log.take(), || contest.default_log())?;
            let shown = shown(line.interval, &log);
            let written = [Some(&log), contest.pgn.as_ref(), contest.final_positions.as_ref()];
            contest.terms.engine_log = engine_log(line.engine_log.as_ref(), written, &contest.terms)?;
            contest.log = Some(log.clone());
            let (_, code) = play(&contest, shown, with_options)?;
            output::print(format!("log {}\n", log.display()))?;
            Ok(code)
        }
        Asked::Tournament(mut tournament) => {
            let log = log(tournament.log.take(), || tournament.default_log())?;
            let shown = shown(line.interval, &log);
            let written = [Some(&log), tournament.pgn.as_ref(), tournament.final_positions.as_ref()];
            tournament.terms.engine_log = engine_log(line.engine_log.as_ref(), written, &tournament.terms)?;
            tournament.log = Some(log.clone());
            super::tournament::play(&tournament, shown, EloZero::Mean, with_options)?;
            output::print(format!("log {}\n", log.display()))?;
            done()
        }
    }
}

/// The log, which has a name of its own unless one is given.
fn log(given: Option<PathBuf>, default: impl FnOnce() -> Result<DefaultLog, ContestError>) -> Result<PathBuf> {
    let own = || default().map(|log| named(log, "say -config file=LOG"));
    let log = given.map_or_else(own, Ok).map_err(with_options)?;
    if output::is_standard(&log) {
        return Err(Usage("-config outname=-: the log needs a file, not standard output".to_owned()).into());
    }
    Ok(log)
}

/// What is shown of games that go into this log, a line after every so many pairs.
fn shown(every: Option<u64>, log: &Path) -> Shown {
    // fastchess prints the score after every ten pairs; on a terminal one line changes.
    let every = every.or_else(|| (!std::io::IsTerminal::is_terminal(&std::io::stderr())).then_some(10));
    let go_on = format!("log {}: the same command with -resume plays what is missing", log.display());
    Shown { json: false, quiet: false, every, log: None, go_on }
}

/// The file for the dialogue with engines. What is read and written must be files of their own: openings, log, games, final positions and
/// that one.
fn engine_log(
    file: Option<&EngineLogFile>,
    [log, pgn, epd]: [Option<&PathBuf>; 3],
    terms: &Terms,
) -> Result<Option<EngineLog>> {
    let openings = match &terms.openings {
        Openings::File { input, .. } => input.file().map(Path::to_owned),
        _ => None,
    };
    let dialogue = file.map(|file| &file.path);
    let named =
        [("-openings", openings.as_ref()), ("-config", log), ("-pgnout", pgn), ("-epdout", epd), ("-log", dialogue)];
    output::check_named(named.into_iter().filter_map(|(option, path)| Some((option, path?)))).map_err(usage)?;
    let Some(EngineLogFile { path, append }) = file else { return Ok(None) };
    open(path, *append, ["-log file=", ", by append=true"]).map(Some)
}

/// The option that would help.
fn help(error: &ContestError) -> &'static str {
    match error {
        ContestError::NoLimits(_) => "; say tc=, st=, nodes= or depth= with -each or the engine",
        ContestError::PonderWithoutClock(_) => "; say tc= with -each or the engine, or leave out ponder",
        ContestError::NoClock => "; say tc= with -each or an engine, or leave out timeleft= of -pgnout",
        ContestError::NoName(_) => "; give another by name=",
        ContestError::SameName(_) => ", by name=",
        ContestError::Faults { .. } => ", or say -recover to play on",
        ContestError::Log(LogError::Exists { .. }) | ContestError::PositionsExist { .. } => {
            ", by -resume or -config file=LOG"
        }
        ContestError::GamesExist { .. } => ", by -resume or -config file=LOG, or append by -pgnout append=true",
        ContestError::OtherGames { .. } | ContestError::MoreGames { .. } => ", by -pgnout file=",
        ContestError::OtherPositions { .. } => ", by -epdout file=",
        ContestError::NoLogFits { .. } => ", by -config file=LOG",
        _ => "",
    }
}

fn with_options(error: ContestError) -> Error {
    anyhow!("{error}{}", help(&error))
}
