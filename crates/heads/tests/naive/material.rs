//! Pieces and pawns: raw counts, totals, differences, imbalances.

use super::Block;
use super::position::{PositionView, Side};

/// Counts of each colour.
pub(super) const COUNTS: Block = Block {
    count: 10,
    fill: |position, values| {
        values[..5].copy_from_slice(&position.white.counts);
        values[5..].copy_from_slice(&position.black.counts);
    },
};

/// What both sides have together, and how they differ.
pub(super) const MATERIAL: Block = Block { count: 19, fill };

fn fill(position: &PositionView, values: &mut [i16]) {
    let [white, black] = position.sides();
    let difference = |piece: usize| white.counts[piece] - black.counts[piece];
    let surplus = |sign: i16| {
        [1, 3, 3, 5, 9].iter().enumerate().map(|(piece, value)| value * (sign * difference(piece)).max(0)).sum::<i16>()
    };
    let strong_pawns = position.stronger().map_or_else(|| white.counts[0].max(black.counts[0]), |side| side.counts[0]);
    for (value, (white, black)) in values.iter_mut().zip(white.counts.iter().zip(&black.counts)) {
        *value = white + black;
    }
    values[5] = position.sum(Side::pieces);
    values[6] = position.phase;
    values[7] = position.difference(Side::material);
    values[8] = position.difference(Side::pieces);
    for (piece, value) in values[9..14].iter_mut().enumerate() {
        *value = difference(piece).abs();
    }
    values[14] = i16::from(values[7] == 0);
    values[15] = surplus(1).min(surplus(-1));
    values[16] = strong_pawns;
    values[17] = i16::from(strong_pawns == 0);
    values[18] = i16::from(position.sides().iter().any(|side| side.material() == 0));
}
