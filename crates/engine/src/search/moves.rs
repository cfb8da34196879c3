//! Moves in two bytes, and the captures that quiescence looks at.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

/// A move in two bytes: from, to (the rook's square for castling) and the promotion. [`NONE`](Self::NONE) is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ShortMove(u16);

impl ShortMove {
    /// a1a1, which no piece plays.
    pub const NONE: ShortMove = ShortMove(0);

    pub fn new(m: Move) -> ShortMove {
        let from = m.from().map_or(0, Square::to_u32);
        let promotion = m.promotion().map_or(0, |role| role as u32);
        ShortMove((from | m.to().to_u32() << 6 | promotion << 12) as u16)
    }

    /// The move in this position, or `None` if it is not legal there.
    pub fn in_position(self, position: &Chess) -> Option<Move> {
        if self == ShortMove::NONE {
            return None;
        }
        let from = Square::new(u32::from(self.0 & 63));
        let to = Square::new(u32::from(self.0 >> 6 & 63));
        let promotion = match self.0 >> 12 {
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            _ => None,
        };
        let board = position.board();
        let role = board.role_at(from)?;
        let m = if role == Role::King && position.our(Role::Rook).contains(to) {
            Move::Castle { king: from, rook: to }
        } else if role == Role::Pawn && from.file() != to.file() && !board.occupied().contains(to) {
            Move::EnPassant { from, to }
        } else {
            Move::Normal { role, from, capture: board.role_at(to), to, promotion }
        };
        // Asking for the moves to a square is dear, but a foreign piece would cost it for nothing.
        (position.us().contains(from) && position.is_legal(m)).then_some(m)
    }
}

/// Captures and promotions to a queen, for a side that is not in check. They leave the own king in check at times:
/// see [`is_safe`].
///
/// The naive twin is to filter all legal moves, which costs three times as much; a test compares the two.
pub(super) fn noisy_moves(position: &Chess, mut each: impl FnMut(Move)) {
    let board = position.board();
    let us = position.turn();
    let (own, enemy) = (position.us(), position.them());
    let occupied = board.occupied();
    let mut captures = |role: Role, targets: &dyn Fn(Square) -> Bitboard| {
        for from in board.by_role(role) & own {
            for to in targets(from) & enemy {
                each(Move::Normal { role, from, capture: board.role_at(to), to, promotion: None });
            }
        }
    };
    captures(Role::Knight, &attacks::knight_attacks);
    captures(Role::Bishop, &|from| attacks::bishop_attacks(from, occupied));
    captures(Role::Rook, &|from| attacks::rook_attacks(from, occupied));
    captures(Role::Queen, &|from| attacks::queen_attacks(from, occupied));
    captures(Role::King, &attacks::king_attacks);

    let pawns = board.pawns() & own;
    for from in pawns {
        for to in attacks::pawn_attacks(us, from) & enemy {
            let promotion = Bitboard::BACKRANKS.contains(to).then_some(Role::Queen);
            each(Move::Normal { role: Role::Pawn, from, capture: board.role_at(to), to, promotion });
        }
    }
    let seventh = Bitboard::from_rank(us.relative_rank(shakmaty::Rank::Seventh));
    for from in pawns & seventh {
        let to = from.offset(if us.is_white() { 8 } else { -8 }).expect("rank 8 is on the board");
        if !occupied.contains(to) {
            each(Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: Some(Role::Queen) });
        }
    }
    if let Some(to) = position.maybe_ep_square() {
        for from in attacks::pawn_attacks(!us, to) & pawns {
            each(Move::EnPassant { from, to });
        }
    }
}

/// Whether the piece that moves gives check from where it goes. Checks discovered by it, or by castling, do not count.
pub(super) fn checks_directly(position: &Chess, m: Move) -> bool {
    let Move::Normal { role, from, to, promotion, .. } = m else { return false };
    let board = position.board();
    let king = board.king_of(!position.turn()).expect("each side has a king");
    let occupied = board.occupied().without(from);
    let attacked = match promotion.unwrap_or(role) {
        Role::Pawn => attacks::pawn_attacks(position.turn(), to),
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
        Role::King => return false,
    };
    attacked.contains(king)
}

/// Whether the side that has just moved has not left its king to be taken.
pub(super) fn is_safe(after: &Chess) -> bool {
    let moved: Color = !after.turn();
    let board = after.board();
    let king = board.king_of(moved).expect("each side has a king");
    board.attacks_to(king, !moved, board.occupied()).is_empty()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn fast_generation_agrees_with_all_legal_moves() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..200 {
            let mut position = Chess::default();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for m in &moves {
                    assert_eq!(ShortMove::new(*m).in_position(&position), Some(*m));
                    let mut after = position.clone();
                    after.play_unchecked(*m);
                    let checks =
                        after.checkers().contains(m.to()) && !matches!(m, Move::Castle { .. } | Move::EnPassant { .. });
                    assert_eq!(checks_directly(&position, *m), checks);
                }
                if !position.is_check() {
                    let mut fast = Vec::new();
                    noisy_moves(&position, |m| {
                        let mut after = position.clone();
                        after.play_unchecked(m);
                        if is_safe(&after) {
                            fast.push(m);
                        }
                    });
                    let mut naive: Vec<Move> = moves
                        .iter()
                        .copied()
                        .filter(|m| m.promotion() == Some(Role::Queen) || (m.is_capture() && m.promotion().is_none()))
                        .collect();
                    let order = |m: &Move| (m.from().map(Square::to_u32), m.to().to_u32());
                    fast.sort_by_key(order);
                    naive.sort_by_key(order);
                    assert_eq!(fast, naive);
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}
