//! The classes of endings by the pieces that are left.

use shakmaty::{Bitboard, Role};

use super::Block;
use super::position::PositionView;

pub(super) const BLOCK: Block = Block { count: 17, fill };

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
