//! What plays: an engine process, or a search in this one.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use drawish_artefact::in_words;
use drawish_engine::search::Certainty;
use shakmaty::{CastlingMode, Chess, Color, Move};
use thiserror::Error;

use super::limits::{Clock, Limits};
use super::tablebase::ProbeError;
use super::uci::{CHESS960, PONDER};

/// One side of a match. A worker has its own of each side and calls it from one thread.
pub trait Player: Send {
    /// Is told which game comes next, before it gets ready for it.
    fn sit(&mut self, _seat: Seat) {}

    /// Gets ready for a new game, after a fault too.
    ///
    /// # Errors
    ///
    /// If there is no player any more, or it does not get ready: the match cannot go on.
    fn new_game(&mut self) -> Result<(), PlayerLost>;

    /// What it calls itself, with its version as a rule, once it has got ready for a game; `None` if it says nothing.
    fn own_name(&self) -> Option<&str> {
        None
    }

    /// Chooses a move.
    ///
    /// # Errors
    ///
    /// What loses the game at once.
    fn go(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault>;

    /// Begins to think in its opponent's time, if it is a player that does; it has just moved, and the opponent is to move. The
    /// limits are its own.
    fn ponder(&mut self, _turn: &Turn<'_>) {}

    /// Ends what it does in its opponent's time: the game is over.
    fn rest(&mut self) {}
}

/// A side of a game within a match: `3.1 white`, as the PGN's `Round` has the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Number of the pair in the match, from 1.
    pub pair: u64,
    /// The game of the pair, 1 or 2.
    pub game: u8,
    /// The side.
    pub color: Color,
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} {}", self.pair, self.game, self.color)
    }
}

/// A player that cannot be had, or tables that end its games: the match cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerLost {
    /// An engine process.
    #[error("{name} ({}): {cause}", command.display())]
    Engine {
        /// What the engine is called.
        name: String,
        /// The program.
        command: PathBuf,
        /// What is wrong with it.
        cause: EngineFailure,
    },
    /// A table that should end games.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// A player of another kind.
    #[error(transparent)]
    Other(Box<dyn StdError + Send + Sync>),
}

/// Why an engine process does not play.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum EngineFailure {
    #[error("cannot be started: {0}; check the path")]
    Start(io::Error),
    #[error("cannot be started: {0}; check the path: cmd= names one program; arguments go into args=")]
    CommandLine(io::Error),
    #[error("cannot be started: {cause}; the file is in this directory: write cmd=./{name}")]
    Here { name: String, cause: io::Error },
    #[error(
        "{} is another file than when this run began, or has come or gone since, so that another engine would play on; put things back as they were \
         and resume, or begin anew with copies that nothing changes",
        .0.display()
    )]
    Replaced(PathBuf),
    #[error("is drawish, which speaks UCI with the argument uci only; needs args=uci")]
    NeedsUci,
    #[error("has ended without answering \"uci\"; is it a UCI engine?")]
    EndedAtOnce,
    #[error("has not answered \"uci\" within {} s; is it a UCI engine?", .0.as_secs())]
    Silent(Duration),
    #[error(
        "has no option {CHESS960}, and the openings of this match are Chess960; take another engine, or play only the \
         openings that are standard chess"
    )]
    NoChess960,
    #[error("{CHESS960} is set where openings are Chess960; leave it out, and choose the variant of the match")]
    SetsChess960,
    #[error("has no option {PONDER}, so it cannot think in its opponent's time; let it not, or take another engine")]
    NoPonder,
    #[error("has no option {option:?}; it has {}", known.join(", "))]
    NoOption { option: String, known: Vec<String> },
    #[error("option {option} cannot be {value:?}: {objection}")]
    Value { option: String, value: String, objection: String },
    #[error("has not become ready after its options were set")]
    NotReady,
    #[error("does not take its options, it says: {0}")]
    Refuses(String),
    #[error("has ended before its first game")]
    EndedBeforeGame,
}

impl EngineFailure {
    /// Of a command that the system does not start.
    pub(super) fn of_start(command: &Path, error: io::Error) -> EngineFailure {
        let error = in_words(error);
        let is_line = command.to_string_lossy().trim().contains(char::is_whitespace);
        // A name without a directory is looked for in those of PATH alone.
        let is_here = command.components().count() == 1 && Path::new(".").join(command).is_file();
        if is_here {
            EngineFailure::Here { name: command.display().to_string(), cause: error }
        } else if is_line {
            EngineFailure::CommandLine(error)
        } else {
            EngineFailure::Start(error)
        }
    }

    /// Whether a command that does not answer is drawish, by its name, without the argument by which it speaks UCI in every build.
    pub(super) fn needs_uci(command: &Path, args: &[String]) -> bool {
        let is_drawish = command.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("drawish"));
        is_drawish && !args.iter().any(|arg| arg == "uci")
    }
}

/// The game as a player sees it when it is to move.
pub struct Turn<'a> {
    /// The FEN in which the game began; `None` for the standard position.
    pub start_fen: Option<&'a str>,
    /// How castling is written: in Chess960 the king takes its rook.
    pub castling: CastlingMode,
    /// The position in which it began.
    pub start: &'a Chess,
    /// The moves since then, those of the opening too.
    pub moves: &'a [Move],
    /// The same in UCI notation, a blank before each.
    pub moves_text: &'a str,
    /// The position now.
    pub position: &'a Chess,
    /// What limits this player.
    pub limits: &'a Limits,
    /// Clocks of White and Black, where they have any.
    pub clocks: [Option<Clock>; 2],
    /// Beyond its time a player has this much before the game is lost.
    pub time_margin: Duration,
}

/// How good a player thinks its position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn, positive if the player stands better.
    Centipawns(i32),
    /// It mates in so many moves, or is mated if negative or zero.
    Mate(i32),
}

/// `+0.35`, `-1.20`, `+M5`, `-M3`, as match runners write it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => {
                let sign = if *value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Score::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            Score::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

/// A move and what the player said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move, which must be legal.
    pub chosen: Move,
    /// The last exact score that the player gave; the last bound if it gave nothing else.
    pub score: Option<Score>,
    /// Whether that score is exact or a bound.
    pub certainty: Certainty,
    /// Depth of that score in half-moves.
    pub depth: Option<u32>,
    /// Half-moves of the longest line that it has looked at.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched in a second, as the player measures it.
    pub nps: Option<u64>,
    /// Permille of its hash table in use.
    pub hashfull: Option<u64>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// How long it has searched by its own account.
    pub own_time: Option<Duration>,
    /// What its clock shows after the move; whoever keeps the clock fills this in.
    pub time_left: Option<Duration>,
    /// Time from the question to the answer.
    pub time: Duration,
    /// The player went far beyond its nodes or depth and had to be told to stop.
    pub overran: bool,
}

impl Reply {
    /// A move after so long, of which nothing else is known.
    #[must_use]
    pub fn new(chosen: Move, time: Duration) -> Reply {
        Reply {
            chosen,
            score: None,
            certainty: Certainty::Exact,
            depth: None,
            seldepth: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            own_time: None,
            time_left: None,
            time,
            overran: false,
        }
    }
}

/// What loses a game at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process has ended.
    Crash,
    /// No answer, not even to `stop`.
    Stall,
    /// A move that is not legal, as it was written.
    Illegal(String),
    /// An answer, but too late by so much.
    Late(Duration),
}
