//! What a search reports, while it runs and at its end.

use std::time::Duration;

use shakmaty::Move;

use super::{MATE, MATE_BOUND};

/// A score from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In centipawns; 0 is a draw.
    Centipawns(i32),
    /// A forced mate in this many moves; negative when the side to move is mated, 0 when it is mated on the board.
    Mate(i32),
}

impl Value {
    pub(super) fn from_score(score: i32) -> Value {
        match score {
            MATE_BOUND.. => Value::Mate((MATE - score + 1) / 2),
            _ if score <= -MATE_BOUND => Value::Mate(-(MATE + score) / 2),
            _ => Value::Centipawns(score),
        }
    }
}

/// How an iteration ended, or stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Certainty {
    /// The score is the result of the iteration.
    #[default]
    Exact,
    /// The true score is at least this: the window was too low.
    AtLeast,
    /// The true score is at most this: the window was too high.
    AtMost,
}

/// The state of a search that goes on.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The score of the best line, for the side to move.
    pub value: Value,
    /// Whether it is a bound.
    pub certainty: Certainty,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Thousandths of the transposition table in use.
    pub hash_fill: usize,
    /// The best line.
    pub pv: &'a [Move],
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// Its score, for the side to move; the static evaluation if no iteration was finished.
    pub score: Value,
    /// The last iteration that was finished; 0 if none was.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The best line, the best move first.
    pub pv: Vec<Move>,
}
