//! The classes of endings by the pieces that are left.

use shakmaty::{Bitboard, Role};

use super::position::PositionView;
use super::{Block, Parity};

pub(super) const BLOCK: Block = Block {
    parity: Parity::Even,
    features: &[
        ("pawn_ending", "1 without pieces [Stockfish PR 1481]"),
        ("knight_ending", "1 if both sides have knights and no other pieces"),
        ("bishop_ending", "1 if both sides have bishops and no other pieces"),
        ("bishop_knight_ending", "1 if one side has only bishops, the other only knights"),
        ("rook_ending", "1 if both sides have one rook and no other pieces [Stockfish PR 2780]"),
        ("rooks_ending", "1 if both sides have rooks, one of them two or more, and no other pieces"),
        ("queen_ending", "1 if both sides have queens and no other pieces"),
        ("rook_minor_ending", "1 if both sides have one rook and one minor piece"),
        ("opposite_bishops", "1 if each side has one bishop, on squares of opposite colours, and anything else"),
        ("opposite_bishops_pure", "1 if these bishops are the only pieces [Stockfish PR 1767]"),
        ("opposite_bishops_knights", "1 if there are knights beside them and nothing else"),
        ("opposite_bishops_rooks", "1 if there are rooks beside them and nothing else"),
        ("opposite_bishops_queens", "1 if there are queens beside them"),
        ("same_bishops", "1 if each side has one bishop, on squares of the same colour, and no other pieces"),
        ("one_minor_up", "1 if the pieces differ by exactly one minor piece"),
        ("exchange_up", "1 if the pieces differ by exactly a rook for a minor piece"),
        ("one_piece", "1 if one side has exactly one piece and the other none"),
    ],
    fill,
};

fn fill(position: &PositionView, values: &mut [i16]) {
    let [[_, wn, wb, wr, wq], [_, bn, bb, br, bq]] = position.sides().map(|side| side.counts);
    let (knights, rooks, queens) = (wn + bn, wr + br, wq + bq);
    let dark = |bishops: Bitboard| (bishops & Bitboard::DARK_SQUARES).any();
    let bishops = position.board.by_role(Role::Bishop);
    let one_each = wb == 1 && bb == 1;
    let opposite = one_each && dark(bishops & position.board.white()) != dark(bishops & position.board.black());
    let only_bishops = knights + rooks + queens == 0;
    let (wp, bp) = (wn + wb + wr + wq, bn + bb + br + bq);
    let flags = [
        wp + bp == 0,
        wn > 0 && bn > 0 && wn + bn == wp + bp,
        wb > 0 && bb > 0 && only_bishops,
        wp > 0 && bp > 0 && rooks + queens == 0 && ((wb == wp && bn == bp) || (wn == wp && bb == bp)),
        wr == 1 && br == 1 && wp + bp == 2,
        wr > 0 && br > 0 && rooks == wp + bp && rooks > 2,
        wq > 0 && bq > 0 && queens == wp + bp,
        wr == 1 && br == 1 && queens == 0 && wp == 2 && bp == 2,
        opposite,
        opposite && only_bishops,
        opposite && knights > 0 && rooks + queens == 0,
        opposite && rooks > 0 && knights + queens == 0,
        opposite && queens > 0,
        one_each && !opposite && only_bishops,
        wq == bq && wr == br && (wn + wb - bn - bb).abs() == 1,
        wq == bq && (wr - br).abs() == 1 && wr - br == bn + bb - wn - wb,
        wp.min(bp) == 0 && wp.max(bp) == 1,
    ];
    for (value, flag) in values.iter_mut().zip(flags) {
        *value = i16::from(flag);
    }
}
