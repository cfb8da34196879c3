//! The fifty-move clock.

use super::view::View;
use super::{Row, put};
use crate::board::LAST_CLOCK;

pub(super) const ROWS: [Row; 3] = [
    (
        "rule50",
        "half-moves since the last capture or pawn move, 0 to 150 [Stockfish PR 2306]",
        "r3k3/8/8/8/8/8/8/4K2R w - - 50 80",
    ),
    ("rule50_pieces", "`rule50` times the phase, divided by 24 and rounded down", "r3k3/8/8/8/8/8/8/4K2R w - - 50 80"),
    (
        "rule50_root",
        "ten times the square root of `rule50`, rounded to the nearest",
        "r3k3/8/8/8/8/8/8/4K2R w - - 50 80",
    ),
];

pub(super) fn fill(view: &View, values: &mut [i16; 3]) {
    let clock = view.board.halfmoves.min(LAST_CLOCK);
    let root = ROOTS.get(usize::from(clock)).copied().unwrap_or(0);
    put(values, [clock.into(), i32::from(clock) * view.phase / 24, root.into()]);
}

/// Ten times the square root of each state of the clock.
static ROOTS: [u8; LAST_CLOCK as usize + 1] = {
    let mut roots = [0; LAST_CLOCK as usize + 1];
    let mut clock = 0;
    while clock < roots.len() {
        let square = 100 * clock as u32;
        let root = square.isqrt();
        // Beyond (root + 1/2) squared, which is never a whole number.
        roots[clock] = (if square > root * root + root { root + 1 } else { root }) as u8;
        clock += 1;
    }
    roots
};
