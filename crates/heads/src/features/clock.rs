//! The fifty-move clock.

use super::{Block, Parity};

pub(super) const BLOCK: Block = Block {
    parity: Parity::Even,
    features: &[
        ("rule50", "half-moves since the last capture or pawn move, 0 to 150 [Stockfish PR 2306]"),
        ("rule50_pieces", "that times the phase, divided by 24"),
        ("rule50_root", "ten times the square root of it"),
    ],
    fill: |position, values| {
        values[0] = position.rule50;
        values[1] = position.rule50 * position.phase / 24;
        values[2] = (10.0 * f64::from(position.rule50).sqrt()).round() as i16;
    },
};
