//! Moves from squares, checked as far as it takes to leave a position behind them that others can be played from. Whether they
//! are legal is for others to judge.

use shakmaty::{CastlingSide, Chess, Move, Position, Rank, Role, Square, attacks};

/// What a man of the side to move can become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move of the own man at `from`; `None` if there is none, if he would take a king or an own man, or a pawn reaches the last
/// rank without a promotion or has one elsewhere.
#[inline]
pub(super) fn normal(position: &Chess, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
    let (board, us) = (position.board(), position.turn());
    let own = board.by_color(us);
    let role = board.role_at(from).filter(|_| own.contains(from) && !own.contains(to))?;
    let capture = board.role_at(to);
    let promotes = role == Role::Pawn && to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    (capture != Some(Role::King) && promotes == promotion.is_some()).then_some(Move::Normal {
        role,
        from,
        capture,
        to,
        promotion,
    })
}

/// Castling with the rook at `rook`, if that may be and no man stands in the way.
pub(super) fn castling(position: &Chess, king: Square, rook: Square) -> Option<Move> {
    let (us, castles) = (position.turn(), position.castles());
    let side = CastlingSide::ALL.into_iter().find(|&side| castles.rook(us, side) == Some(rook))?;
    let is_free = (castles.path(us, side) & position.board().occupied()).is_empty();
    (is_free && position.board().king_of(us) == Some(king)).then_some(Move::Castle { king, rook })
}

/// A capture en passant.
pub(super) fn en_passant(position: &Chess, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let is_possible = position.board().by_piece(us.pawn()).contains(from)
        && attacks::pawn_attacks(us, from).contains(to)
        && position.pseudo_legal_ep_square() == Some(to);
    is_possible.then_some(Move::EnPassant { from, to })
}
