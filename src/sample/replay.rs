//! The twin of the tracker: a full replay with every rule of chess.

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

/// The pawns before the first move and after each move, up to the first that is illegal or ambiguous.
pub(super) fn pawns_along(start: &Chess, moves: &[San]) -> Vec<Pawns> {
    let mut position = start.clone();
    let mut along = Vec::with_capacity(moves.len() + 1);
    along.push(pawns_of(&position));
    for san in moves {
        let Ok(legal) = san.to_move(&position) else { break };
        position.play_unchecked(legal);
        along.push(pawns_of(&position));
    }
    along
}
