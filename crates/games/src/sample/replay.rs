//! The twin of the tracker: a full replay with every rule of chess.

use std::ops::Range;

use drawish_core::Pawns;
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position, Role};

/// The pawns of a position.
pub(super) fn pawns_of(position: &Chess) -> Pawns {
    let board = position.board();
    let of = |color: Color| u64::from(board.by_piece(color.pawn()));
    debug_assert_eq!(of(Color::White) | of(Color::Black), u64::from(board.by_role(Role::Pawn)));
    Pawns { white: of(Color::White), black: of(Color::Black) }
}

/// As [`tracker::follow`](super::tracker::follow), but `false` after any illegal or ambiguous move.
pub(super) fn follow(start: Option<&Chess>, moves: &[San], wanted: Range<usize>, positions: &mut Vec<Pawns>) -> bool {
    let mut position = start.cloned().unwrap_or_default();
    if wanted.start == 0 {
        positions.push(pawns_of(&position));
    }
    for (ply, san) in (1..wanted.end).zip(moves) {
        let Ok(legal) = san.to_move(&position) else { return false };
        position.play_unchecked(legal);
        if ply >= wanted.start {
            positions.push(pawns_of(&position));
        }
    }
    true
}
