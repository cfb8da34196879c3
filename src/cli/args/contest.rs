//! What a contest says while it goes on, and why it failed, with the options that would help.

use anyhow::{Error, anyhow};

use crate::cli::output;
use drawish::arena::{Book, EngineFailure, LogError, PlayerLost, Syzygy};
use drawish::contest::{ContestError, Event};

/// Openings that are left out are reported one by one up to so many.
const SHOWN: usize = 10;

/// The error with the option that would help.
pub(in crate::cli) fn with_options(error: ContestError) -> Error {
    let help = match &error {
        ContestError::NoLimits(_) => "; give --nodes, --depth, --movetime or --tc, or one of them with the engine",
        ContestError::PonderWithoutClock(_) => "; give --tc, or tc= with the engine, or leave out ponder=on",
        ContestError::SameName(_) => ", by name=, as in --engine cmd=... name=new",
        ContestError::NobodyPlays { .. } => " by --engine",
        ContestError::NoNumber => " by --pairs or --games",
        ContestError::FewOpenings { .. } => ", or say --repeat-openings",
        ContestError::Equal { .. } => ", or say --allow-equal to play all the same",
        ContestError::Faults { .. } | ContestError::FaultyGames { .. } => ", or allow more by --fault-limit",
        ContestError::Log(LogError::Exists { .. }) => ", by --resume",
        ContestError::OtherGames { .. } => ", by --pgn",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::Start(_), .. }) => "; arguments go into args=",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::NoChess960, .. }) => ", by --variant standard",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::SetsChess960, .. }) => ", by --variant",
        ContestError::Player(PlayerLost::Engine { cause: EngineFailure::NoPonder, .. }) => ", by leaving out ponder=on",
        _ => "",
    };
    anyhow!("{error}{help}")
}

/// Reports on standard error what is odd about openings, tables and engines.
pub(in crate::cli) fn complain(event: &Event<'_>) {
    match event {
        Event::Openings(book) => complain_of_book(book),
        Event::Tables(syzygy) => complain_of_tables(syzygy),
        Event::SameProgram => {
            output::warn("both sides are the same program with the same options and limits");
        }
        _ => {}
    }
}

fn complain_of_book(book: &Book) {
    let name = &book.name;
    for rejected in book.rejected.iter().take(SHOWN) {
        output::warn(format!("{name}, opening {} is left out: {}", rejected.place, rejected.why));
    }
    if let Some(more) = book.rejected.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        output::warn(format!("{name}: {more} more openings are left out"));
    }
}

/// Says what tables lack: games that reach it are played on.
fn complain_of_tables(syzygy: &Syzygy) {
    let tables = syzygy.tables();
    if let [first, ..] = syzygy.missing() {
        let missing = syzygy.missing().len();
        output::warn(format!(
            "{tables}: {missing} are missing, the first {first}; games that reach them are played on"
        ));
    }
    if syzygy.lacks_distances() {
        output::warn(format!(
            "{tables}: without all distances (rtbz) some games are played on to the next capture or pawn's move"
        ));
    }
}
