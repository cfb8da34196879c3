//! Pieces and pawns: raw counts, totals, differences, imbalances.

use super::view::{Side, View};
use super::{Row, put};

/// Counts of each colour.
pub(super) const COUNTS: [Row; 10] = [
    ("white_pawns", "White's pawns, 0 to 8", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("white_knights", "White's knights", "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"),
    ("white_bishops", "White's bishops", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("white_rooks", "White's rooks", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("white_queens", "White's queens", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
    ("black_pawns", "Black's pawns, 0 to 8", "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"),
    ("black_knights", "Black's knights", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("black_bishops", "Black's bishops", "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("black_rooks", "Black's rooks", "4k3/2r5/8/8/8/8/8/4K3 w - - 0 1"),
    ("black_queens", "Black's queens", "4k2q/8/8/8/8/8/8/4K3 w - - 0 1"),
];

pub(super) fn fill_counts(view: &View, values: &mut [i16; 10]) {
    let [wp, wn, wb, wr, wq] = view.white.counts;
    let [bp, bn, bb, br, bq] = view.black.counts;
    put(values, [wp, wn, wb, wr, wq, bp, bn, bb, br, bq]);
}

/// What both sides have together, and how they differ.
pub(super) const MATERIAL: [Row; 19] = [
    ("pawns", "pawns of both sides, 0 to 16 [Stockfish PR 423]", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("knights", "knights of both sides", "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"),
    ("bishops", "bishops of both sides", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("rooks", "rooks of both sides", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("queens", "queens of both sides", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
    (
        "npm",
        "pieces of both sides without pawns, in pawns: minor 3, rook 5, queen 9; 62 at the start",
        "8/5k2/8/8/8/8/4K3/R7 w - - 0 1",
    ),
    ("phase", "minor pieces 1, rooks 2, queens 4, at most 24: 24 at the start", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("material_diff", "size of the difference in material, in pawns (1, 3, 3, 5, 9)", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("npm_diff", "size of the difference in pieces without pawns, in pawns", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("pawn_diff", "size of the difference in pawns", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("knight_diff", "size of the difference in knights", "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"),
    ("bishop_diff", "size of the difference in bishops", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("rook_diff", "size of the difference in rooks", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("queen_diff", "size of the difference in queens", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
    ("level", "1 if both sides have the same material in pawns", "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"),
    (
        "imbalance",
        "what each side has and the other lacks: the smaller of both sums of surpluses, in pawns, where a surplus is the worth of the \
         men of one kind that a side has more of [Floyd]",
        "3qk3/8/8/8/8/8/8/RR2K3 w - - 0 1",
    ),
    (
        "strong_pawns",
        "pawns of the side with more material, of the one with more pawns if level, 0 to 8 [Weiss PR 456]",
        "4k3/5ppp/8/8/8/8/PP4PP/4K3 w - - 0 1",
    ),
    ("strong_pawnless", "1 if that side has no pawns; if level, if neither has any", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("bare", "1 if a side has nothing but its king", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
];

pub(super) fn fill(view: &View, values: &mut [i16; 19]) {
    let [wp, wn, wb, wr, wq] = view.white.counts;
    let [bp, bn, bb, br, bq] = view.black.counts;
    let differences = [wp - bp, wn - bn, wb - bb, wr - br, wq - bq];
    let surplus = |sign: i32| {
        let [p, n, b, r, q] = differences.map(|difference| (sign * difference).max(0));
        p + 3 * (n + b) + 5 * r + 9 * q
    };
    let strong_pawns = view.stronger().map_or(wp.max(bp), |side| side.counts[0]);
    let difference = view.difference(Side::material);
    let [dp, dn, db, dr, dq] = differences.map(i32::abs);
    put(
        values,
        [
            wp + bp,
            wn + bn,
            wb + bb,
            wr + br,
            wq + bq,
            view.sum(Side::pieces),
            view.phase,
            difference,
            view.difference(Side::pieces),
            dp,
            dn,
            db,
            dr,
            dq,
            i32::from(difference == 0),
            surplus(1).min(surplus(-1)),
            strong_pawns,
            i32::from(strong_pawns == 0),
            i32::from(view.white.material() == 0 || view.black.material() == 0),
        ],
    );
}
