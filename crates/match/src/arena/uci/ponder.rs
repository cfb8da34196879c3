//! Thinking in the opponent's time, by the words of the protocol: `go ponder`, then `ponderhit` or `stop`.
//!
//! Nobody reads what an engine writes while it ponders; a pipe holds some minutes of it, and then the engine waits for its turn.

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{Move, Position};

use super::engine::await_line;
use super::line::Line;
use super::process::{Ended, Process};
use crate::arena::player::Turn;

/// What an engine thinks about while its opponent does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pondering {
    /// Half-moves of the game after the expected one.
    plies: usize,
    expected: Move,
}

impl Pondering {
    /// The move that an engine expects in this position, if it is legal and leaves something to think about.
    pub(super) fn on(expected: &UciMove, turn: &Turn<'_>) -> Option<Pondering> {
        let expected = expected.to_move(turn.position).ok()?;
        let after = turn.position.clone().play(expected).ok()?;
        (!after.is_game_over()).then_some(Pondering { plies: turn.moves.len() + 1, expected })
    }

    /// The expected move.
    pub(super) fn expected(&self) -> Move {
        self.expected
    }

    /// Whether the opponent has played it.
    pub(super) fn is_hit(&self, turn: &Turn<'_>) -> bool {
        turn.moves.len() == self.plies && turn.moves.last() == Some(&self.expected)
    }
}

/// Ends the search in the opponent's time and passes over what it has found. Where the engine answered before it was asked, that
/// is the answer.
pub(super) fn stop(process: &mut Process, grace: Duration) -> Result<(), Ended> {
    process.expect_within(None, grace);
    process.stop(grace);
    await_line(process, |line| matches!(line, Line::BestMove { .. }))
}
