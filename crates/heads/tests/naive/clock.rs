//! The fifty-move clock.

use super::Block;

pub(super) const BLOCK: Block = Block {
    count: 3,
    fill: |position, values| {
        values[0] = position.rule50;
        values[1] = position.rule50 * position.phase / 24;
        values[2] = (10.0 * f64::from(position.rule50).sqrt()).round() as i16;
    },
};
