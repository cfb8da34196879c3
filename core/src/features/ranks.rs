//! Where on their files the pawns stand.

use super::attacks::{NOT_A, NOT_H};
use super::view::{Side, View, files};
use super::{Row, put};

pub(super) const ROWS: [Row; 14] = [
    (
        "rams",
        "pairs of pawns that block each other: a white one and a black one on the next rank, 0 to 8 [Floyd]",
        "4k3/4p3/4P3/8/8/8/P7/4K3 w - - 0 1",
    ),
    ("rams_4", "1 with 4 or more of these pairs", "4k3/p1p1p1p1/P1P1P1P1/8/8/8/8/4K3 w - - 0 1"),
    ("rams_6", "1 with 6 or more of these pairs", "4k3/p1pppp1p/P1PPPP1P/8/8/8/8/4K3 w - - 0 1"),
    ("passers", "passed pawns of both sides [Stockfish PR 1430]", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    ("passers_both", "1 if both sides have passed pawns", "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"),
    (
        "passer_rank",
        "rank of the most advanced passed pawn from its own side, 1 to 6; 0 without",
        "8/5k2/8/8/8/8/4KP2/8 w - - 0 1",
    ),
    (
        "strong_passers",
        "passed pawns of the side with more material; of both sides if level",
        "4k3/8/4n3/3PP3/2P5/8/8/4K3 w - - 0 1",
    ),
    ("protected_passers", "passed pawns protected by a pawn", "4k3/8/8/2P5/1P6/8/8/4K3 w - - 0 1"),
    ("blocked_passers", "passed pawns with any man on the square before them", "4k3/8/8/8/8/2P5/2P5/4K3 w - - 0 1"),
    (
        "doubled",
        "pawns behind another one of their side on the same file: of each side its pawns less the files that they are on",
        "4k3/8/8/8/8/2P5/2P5/4K3 w - - 0 1",
    ),
    ("isolated", "pawns without a pawn of their own side on the next files", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    (
        "levers",
        "pairs of pawns that attack each other; a pawn that attacks two is in two pairs",
        "4k3/8/8/3p4/4P3/8/4P3/4K3 w - - 0 1",
    ),
    (
        "advance",
        "ranks that the pawns of both sides have left behind them: 0 each where they begin",
        "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1",
    ),
    (
        "outside_passer",
        "the outside passer: for each passed pawn, of either side, the distance in files to the nearest file with enemy pawns, at most 5 \
         and 5 if the enemy has none; the greatest of them, 0 without passed pawns",
        "4k3/4p3/4P3/8/8/8/P7/4K3 w - - 0 1",
    ),
];

pub(super) fn fill(view: &View, values: &mut [i16; 14]) {
    let (white, black) = (&view.white, &view.black);
    let rams = (white.pawns << 8 & black.pawns).count_ones() as i32;
    let passers = |side: &Side| side.passers.count_ones() as i32;
    let all = view.sum(passers);
    put(
        values,
        [
            rams,
            i32::from(rams >= 4),
            i32::from(rams >= 6),
            all,
            i32::from(white.passers != 0 && black.passers != 0),
            white.best_passer().max(black.best_passer()),
            view.stronger().map_or(all, passers),
            view.sum(|side| (side.passers & side.pawn_attacks).count_ones() as i32),
            view.sum(|side| (side.before(side.passers) & view.occupied()).count_ones() as i32),
            view.sum(Side::doubled),
            view.sum(Side::isolated),
            levers(white.pawns, black.pawns),
            view.sum(Side::advance),
            outside(white, black).max(outside(black, white)),
        ],
    );
}

/// White pawns that attack to the right, and to the left.
fn levers(white: u64, black: u64) -> i32 {
    (((white & NOT_H) << 9 & black).count_ones() + ((white & NOT_A) << 7 & black).count_ones()) as i32
}

/// How far the most distant passed pawn of `side` is from the files of the enemy's pawns.
fn outside(side: &Side, enemy: &Side) -> i32 {
    // Files within so many steps of the enemy's pawns, wider with each step.
    let mut near = enemy.files();
    let passers = files(side.passers);
    let mut distance = 0;
    while distance < 5 && passers & !near != 0 {
        distance += 1;
        near |= near << 1 | near >> 1;
    }
    distance
}
