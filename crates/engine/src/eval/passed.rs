//! Passed pawns: what depends on more than the pawns.

use shakmaty::{Board, Color, Square};

use super::pawns::{Structure, ahead, rank_of, squares, step};
use super::reach::Reach;
use super::terms::{PASSED_BLOCKED, PASSED_CLEAR, PASSED_ENEMY_KING, PASSED_OWN_KING, PASSED_ROOK, PASSED_SAFE, Sink};

/// The lowest rank, counted from 0, from which on the kings' distances matter.
const KINGS_MATTER: usize = 3;

pub(super) fn passed<S: Sink>(board: &Board, color: Color, structure: &Structure, reach: &Reach, sink: &mut S) {
    let (us, them) = (color as usize, !color as usize);
    let enemy = board.by_color(!color).0;
    let king = |color| board.king_of(color).expect("each side has a king");
    let (own_king, enemy_king) = (king(color), king(!color));
    for index in squares(structure.passed[us]) {
        let pawn = 1u64 << index;
        let rank = rank_of(color, index);
        let next = step(color, pawn);
        let next_square = Square::new(next.trailing_zeros());
        let way = ahead(color, pawn);
        if next & enemy != 0 {
            sink.add(PASSED_BLOCKED.at(rank), 1);
        }
        if next & reach.all[them] == 0 {
            sink.add(PASSED_SAFE.at(rank), 1);
        }
        if way & board.occupied().0 == 0 {
            sink.add(PASSED_CLEAR.at(rank), 1);
        }
        if rank >= KINGS_MATTER {
            sink.add(PASSED_OWN_KING.at(own_king.distance(next_square) as usize), 1);
            sink.add(PASSED_ENEMY_KING.at(enemy_king.distance(next_square) as usize), 1);
        }
        let behind = ahead(!color, pawn) & board.rooks().0;
        if behind & board.by_color(color).0 != 0 {
            sink.add(PASSED_ROOK.at(0), 1);
        }
        if behind & enemy != 0 {
            sink.add(PASSED_ROOK.at(1), 1);
        }
    }
}
