//! The classes of endings by the pieces that are left. Pawns may be there in all of them.

use super::view::View;
use super::{Row, put};

pub(super) const ROWS: [Row; 17] = [
    ("pawn_ending", "1 without pieces [Stockfish PR 1481]", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("knight_ending", "1 if both sides have knights and no other pieces", "3nk3/8/8/8/8/8/8/4KN2 w - - 0 1"),
    ("bishop_ending", "1 if both sides have bishops and no other pieces", "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1"),
    (
        "bishop_knight_ending",
        "1 if one side has only bishops, the other only knights, each at least one",
        "8/5k2/5n2/8/8/8/4KP2/5B2 w - - 0 1",
    ),
    (
        "rook_ending",
        "1 if both sides have one rook and no other pieces [Stockfish PR 2780]",
        "r3k3/8/8/8/8/8/8/4K2R w - - 50 80",
    ),
    (
        "rooks_ending",
        "1 if both sides have rooks, one of them two or more, and no other pieces",
        "4k3/r7/8/8/8/8/P7/R3K1R1 b - - 0 1",
    ),
    ("queen_ending", "1 if both sides have queens and no other pieces", "4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1"),
    (
        "rook_minor_ending",
        "1 if both sides have one rook and one minor piece and no other pieces",
        "r2n4/5k2/8/8/8/8/4KP2/R4B2 w - - 0 1",
    ),
    (
        "opposite_bishops",
        "1 if each side has one bishop, on squares of opposite colours, and anything else",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
    ),
    (
        "opposite_bishops_pure",
        "1 if these bishops are the only pieces [Stockfish PR 1767]",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
    ),
    (
        "opposite_bishops_knights",
        "1 if there are knights of either side beside them and nothing else",
        "3n1b2/5k2/8/8/8/8/4KP2/5B2 w - - 0 1",
    ),
    (
        "opposite_bishops_rooks",
        "1 if there are rooks of either side beside them and nothing else",
        "r4b2/5k2/8/8/8/8/4KP2/R4B2 w - - 0 1",
    ),
    (
        "opposite_bishops_queens",
        "1 if there are queens of either side beside them, and anything else",
        "q4b2/5k2/8/8/8/8/4KP2/Q4B2 w - - 0 1",
    ),
    (
        "same_bishops",
        "1 if each side has one bishop, on squares of the same colour, and no other pieces",
        "2b5/5k2/8/8/8/8/4KP2/5B2 w - - 0 1",
    ),
    (
        "one_minor_up",
        "1 if both sides have as many queens and as many rooks, and one side has exactly one minor piece more",
        "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1",
    ),
    (
        "exchange_up",
        "1 if both sides have as many queens, and one side exactly one rook more and one minor piece less",
        "5b2/5k2/8/8/8/8/4KP2/R7 w - - 0 1",
    ),
    ("one_piece", "1 if one side has exactly one piece and the other none", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
];

pub(super) fn fill(view: &View, values: &mut [i16; 17]) {
    const DARK: u64 = 0xaa55_aa55_aa55_aa55;
    let ([_, wn, wb, wr, wq], [_, bn, bb, br, bq]) = (view.white.counts, view.black.counts);
    let (knights, rooks, queens) = (wn + bn, wr + br, wq + bq);
    let [_, _, bishops, ..] = view.board.roles;
    let dark = |men: u64| bishops & men & DARK != 0;
    let one_each = wb == 1 && bb == 1;
    let opposite = one_each && dark(view.white.men) != dark(view.black.men);
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
    put(values, flags.map(i32::from));
}
