//! Where the kings stand. All are 0 unless each side has exactly one king.

use super::view::{Side, View, distance};
use super::{Row, put};

pub(super) const ROWS: [Row; 7] = [
    (
        "outflanking",
        "distance of the kings in files plus how far they have passed each other in ranks (White's rank less Black's), -7 to 14 [Stockfish PR 2298]",
        "8/8/1K6/8/8/5k2/P7/8 w - - 0 1",
    ),
    (
        "infiltration",
        "1 if a king stands beyond the middle of the board: White's on ranks 5 to 8 or Black's on ranks 1 to 4 [Stockfish PR 2298]",
        "8/8/1K6/8/8/5k2/P7/8 w - - 0 1",
    ),
    ("king_distance", "moves from one king to the other on an empty board, 1 to 7", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    (
        "king_defence",
        "moves of the enemy king to the square before the most advanced passed pawn, at most 7; 7 without passed pawns. If a side has several \
         on that rank, the largest distance counts; if both sides have one on that rank, the smaller of their distances",
        "8/8/1K6/8/8/5k2/P7/8 w - - 0 1",
    ),
    (
        "king_support",
        "moves from its own king to that square, at most 7; 7 without. Where that leaves a choice, the fewest",
        "8/8/1K6/8/8/5k2/P7/8 w - - 0 1",
    ),
    (
        "unwinnable",
        "1 with pawns on files a to d only or on files e to h only (or none), no passed pawn and outflanking below 0 [Stockfish PR 2298]",
        "5k2/5ppp/8/8/8/8/5PPP/5K2 w - - 0 1",
    ),
    (
        "kings_central",
        "ranks and files of both kings from the middle of the board, 0 to 12",
        "8/5k2/8/8/8/8/4KP2/8 w - - 0 1",
    ),
];

pub(super) fn fill(view: &View, values: &mut [i16; 7]) {
    let (white, black) = (&view.white, &view.black);
    let (Some(white_king), Some(black_king)) = (white.king, black.king) else {
        *values = [0; 7];
        return;
    };
    let place = |square: u32| ((square % 8) as i32, (square / 8) as i32);
    let ((wf, wr), (bf, br)) = (place(white_king), place(black_king));
    let outflanking = (wf - bf).abs() + wr - br;
    let files = white.files() | black.files();
    let one_flank = files & 0x0f == 0 || files & 0xf0 == 0;
    let (_, defence, support) = race(white, white_king, black_king).min(race(black, black_king, white_king));
    let central = |line: i32| (2 * line - 7).abs() / 2;
    put(
        values,
        [
            outflanking,
            i32::from(wr > 3 || br < 4),
            distance(white_king, black_king),
            defence,
            support,
            i32::from(one_flank && outflanking < 0 && white.passers | black.passers == 0),
            central(wf) + central(wr) + central(bf) + central(br),
        ],
    );
}

/// Of the most advanced passed pawn of `side`: its rank reversed, the moves of the enemy's king to the square before it, and those
/// of its own. Of several the one that the enemy's king is furthest from, of these the one that its own is nearest to.
fn race(side: &Side, own: u32, enemy: u32) -> (i32, i32, i32) {
    let of = |(_, rank, before): (u32, i32, u32)| (-rank, -distance(enemy, before), distance(own, before));
    side.passed().map(of).min().map_or((0, 7, 7), |(rank, defence, support)| (rank, -defence, support))
}
