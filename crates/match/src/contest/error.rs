//! Why a contest is not played, or not to its end.

use std::io;
use std::path::PathBuf;

use drawish_artefact::outfile::NamedTwice;
use drawish_stats::SprtError;
use drawish_stats::numbers::{counted, grouped};
use thiserror::Error;

use super::arm::ArmError;
use crate::arena::{BookError, CoresError, LogError, MatchError, NotComparable, PlayerLost, TablebaseError};

/// Why a match, a tournament, a gauntlet or self-play is not played, or not to its end. What was played before stands in the log.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum ContestError {
    #[error("nothing limits the thinking of {0}: expected nodes, a depth or a time for each move, or a time control")]
    NoLimits(String),
    #[error(
        "{0} is to think in its opponent's time, which needs a clock: expected a time control, and no nodes or depth"
    )]
    PonderWithoutClock(String),
    #[error(
        "timeleft is what clocks show after each move, and no engine has a clock: expected a time control, or no timeleft"
    )]
    NoClock,
    #[error("two engines are called {0}: give each a name of its own")]
    SameName(String),
    #[error(
        "{0} and {1} would have one log: in names of files, blanks and signs are underscores; give one of them another name"
    )]
    SameLog(String, String),
    #[error(
        "{0:?} is no name for an engine: games cannot have it as it is; expected one without line breaks and other control characters, and \
         without blanks at its ends"
    )]
    NoName(String),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("nobody plays in a {schedule} with {engines} engine{}: name more engines", if *engines == 1 { "" } else { "s" })]
    NobodyPlays { engines: usize, schedule: String },
    #[error("{} pairings of engines: expected at most {}; name fewer engines", grouped(*pairings), grouped(*most))]
    Pairings { pairings: u64, most: u64 },
    #[error("random openings are made in the number that is played: say how many")]
    NoNumber,
    #[error("random openings have from 1 to {most} half-moves, found {found}")]
    RandomPlies { found: u32, most: u32 },
    #[error(
        "{pairs} pairs are asked for, but {book} has {}: the same games would count again; take a larger book, or fewer pairs",
        counted(*openings, "different opening")
    )]
    FewOpenings { pairs: u64, book: String, openings: u64 },
    #[error(
        "{games} games are asked for, but {book} has {}; take a larger book, or fewer games",
        counted(*openings, "different opening")
    )]
    FewGames { games: u64, book: String, openings: u64 },
    #[error("pairs {first} to {last} are asked for, but the match has pairs 1 to {pairs}")]
    NoSuchPairs { first: u64, last: u64, pairs: u64 },
    #[error(
        "a test judges a match from its first pair, and cannot end a range of it: put the logs of the ranges together first"
    )]
    TestOfRange,
    #[error("{name}: {cause}")]
    Arm { name: String, cause: Box<ArmError> },
    #[error("no thread for the watchdog: {0}")]
    Watchdog(io::Error),
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    #[error(
        "{one} and {two} search alike in every position of the bench, so a match would measure nothing; take another arm, \
         table or heads"
    )]
    Equal { one: String, two: String },
    #[error(transparent)]
    Cores(#[from] CoresError),
    #[error(transparent)]
    Player(#[from] PlayerLost),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("no log here has this setup: {differences}; repeat the same arguments, or name the log to resume")]
    NoLogFits { differences: String },
    #[error(transparent)]
    SameFile(#[from] NamedTwice),
    #[error("{} cannot be written: {cause}; choose another place, with room on the disk", path.display())]
    Write { path: PathBuf, cause: io::Error },
    #[error("{} cannot be read: {cause}", path.display())]
    Read { path: PathBuf, cause: io::Error },
    #[error("{} holds other games already; choose another file for the games", path.display())]
    OtherGames { path: PathBuf },
    #[error(
        "{} holds {} more than the log has, which would be lost; move it away, resume with the log of these games, or choose another file \
         for the games",
        path.display(),
        counted(*games, "game")
    )]
    MoreGames { path: PathBuf, games: u64 },
    #[error("{} holds other games already: choose another file for the games, or resume the match that has written them", path.display())]
    GamesExist { path: PathBuf },
    #[error(
        "{} holds positions of other games already: choose another file for the final positions, or resume the match that has written them",
        path.display()
    )]
    PositionsExist { path: PathBuf },
    #[error("{} holds other lines already; choose another file for the final positions, or empty it", path.display())]
    OtherPositions { path: PathBuf },
    #[error("{} holds other games already: choose another file for the games, or append to it", path.display())]
    GamesThere { path: PathBuf },
    #[error("{}: expected games as PGN to append to, beginning with [; choose another file for the games", path.display())]
    NoGames { path: PathBuf },
    #[error("{name}: lost {} by crashing or stalling; mend it and play again", counted(*faults, "game"))]
    Faults { name: String, faults: u64 },
    #[error(
        "{name}: {} ended by a crash, a stall, an illegal move or lost time, as the PGN says of each; mend it and play again",
        counted(*faults, "game")
    )]
    FaultyGames { name: String, faults: u64 },
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error(transparent)]
    NotComparable(#[from] NotComparable),
}

impl ContestError {
    /// Why a match between sides of these names has ended.
    pub(super) fn of(error: MatchError<ContestError>, names: [&str; 2]) -> ContestError {
        match error {
            MatchError::Receiver(error) => error,
            MatchError::Player(lost) => ContestError::Player(lost),
            MatchError::Sprt(error) => ContestError::Sprt(error),
            MatchError::Faults { side, faults } => ContestError::Faults { name: names[side].to_owned(), faults },
        }
    }
}
