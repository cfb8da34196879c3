//! Files with and without pawns: what the 12-bit and 16-bit structures hold, as numbers.

use super::view::{Side, View};
use super::{Row, put};

pub(super) const ROWS: [Row; 10] = [
    (
        "asymmetric_files",
        "files with pawns of one side only, 0 to 8 [Stockfish PR 462]",
        "4k3/5ppp/8/8/8/8/PP4PP/4K3 w - - 0 1",
    ),
    ("symmetric_files", "files with pawns of both sides, 0 to 8", "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"),
    ("open_files", "files without pawns, 0 to 8", "8/5k2/8/8/8/8/4KP2/8 w - - 0 1"),
    (
        "identical",
        "1 if both sides have pawns on the same files, also if neither has any",
        "8/5k2/8/8/8/8/4K3/R7 w - - 0 1",
    ),
    (
        "span",
        "distance from the first to the last file with pawns, 0 to 7; 0 without pawns",
        "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1",
    ),
    (
        "both_flanks",
        "1 if there are pawns on files a to d and on files e to h [Stockfish PR 1009]",
        "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1",
    ),
    (
        "islands",
        "groups of neighbouring files with pawns, of both sides: each side's own are counted",
        "8/5k2/8/8/8/8/4KP2/8 w - - 0 1",
    ),
    (
        "majority",
        "larger side's surplus of pawns on files a to d plus that on files e to h",
        "4k3/5ppp/8/8/8/8/PP4PP/4K3 w - - 0 1",
    ),
    (
        "opposed_majorities",
        "1 if each side has more pawns than the other on one flank",
        "4k3/5ppp/8/8/8/8/PP4PP/4K3 w - - 0 1",
    ),
    (
        "strong_span",
        "distance from the first to the last file with pawns of the side with more material, 0 to 7; span if level",
        "4k3/5ppp/8/8/8/8/PPP3PP/4K3 w - - 0 1",
    ),
];

pub(super) fn fill(view: &View, values: &mut [i16; 10]) {
    const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let (white, black) = (view.white.files(), view.black.files());
    let either = white | black;
    let surplus = |squares: u64| {
        let count = |pawns: u64| (pawns & squares).count_ones() as i32;
        count(view.white.pawns) - count(view.black.pawns)
    };
    let (queenside, kingside) = (surplus(QUEENSIDE), surplus(!QUEENSIDE));
    put(
        values,
        [
            (white ^ black).count_ones() as i32,
            (white & black).count_ones() as i32,
            either.count_zeros() as i32,
            i32::from(white == black),
            span(either),
            i32::from(either & 0x0f != 0 && either & 0xf0 != 0),
            view.sum(Side::islands),
            queenside.abs() + kingside.abs(),
            i32::from(queenside * kingside < 0),
            view.stronger().map_or(span(either), |side| span(side.files())),
        ],
    );
}

fn span(files: u8) -> i32 {
    if files == 0 { 0 } else { 7 - files.leading_zeros() as i32 - files.trailing_zeros() as i32 }
}
