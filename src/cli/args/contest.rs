//! What a contest says while it goes on, and why it failed, with the options that would help.

use anyhow::{Error, anyhow};

use super::known::known;
use crate::cli::output;
use drawish::arena::{EngineFailure, LogError, PlayerLost};
use drawish::contest::{ContestError, Event, TestOfLog};
use drawish::report::text::playing::oddities;

/// The error with the option that would help, if the verb has it.
pub(in crate::cli) fn with_options<Verb: clap::Args>(error: ContestError) -> Error {
    let help = match &error {
        ContestError::NoLimits(_) => "; give --nodes, --depth, --movetime or --tc, or one of them with the engine",
        ContestError::PonderWithoutClock(_) => "; give --tc, or tc= with the engine, or leave out ponder=on",
        ContestError::NoClock => "; give --tc, or tc= with an engine, or leave out timeleft of --pgn-with",
        ContestError::NoName(_) => "; give another by name=",
        ContestError::SameName(_) | ContestError::SameLog(..) => ", by name=, as in --engine cmd=... name=new",
        ContestError::NobodyPlays { .. } => " by --engine",
        ContestError::NoNumber => " by --pairs or --games",
        ContestError::FewOpenings { .. } => ", or say --repeat-openings",
        ContestError::Equal { .. } => ", or say --allow-equal to play all the same",
        ContestError::Faults { .. } | ContestError::FaultyGames { .. } => ", or allow more by --fault-limit",
        ContestError::Log(LogError::Exists { .. }) | ContestError::PositionsExist { .. } => ", by --resume",
        ContestError::GamesExist { .. } => ", by --resume, or append to it by --pgn-append",
        ContestError::OtherGames { .. } | ContestError::MoreGames { .. } => ", by --pgn",
        ContestError::GamesThere { .. } => ", by --pgn-append",
        ContestError::OtherPositions { .. } => ", by --epd",
        ContestError::Log(LogError::OtherMatch { difference, .. }) if difference.field == "rules.time_margin_ms" => {
            "; say --time-margin as it was: it is 0 in logs of `drawish fastchess` without timemargin="
        }
        ContestError::NoLogFits { .. } => ", by --log",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::NoChess960, .. }) => ", by --variant standard",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::SetsChess960, .. }) => ", by --variant",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::NoPonder, .. }) => ", by leaving out ponder=on",
        _ => "",
    };
    anyhow!("{error}{}", known::<Verb>(help).unwrap_or_default())
}

/// Reports on standard error what is odd about openings, tables and engines.
pub(in crate::cli) fn complain(event: &Event<'_>) {
    let help = if let Event::Test(TestOfLog::Taken(_)) = event { "; --sprt none leaves it out" } else { "" };
    oddities(event).iter().for_each(|line| output::warn(format!("{line}{help}")));
}
