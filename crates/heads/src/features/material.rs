//! Pieces and pawns: raw counts, totals, differences, imbalances.

use super::position::{PositionView, Side};
use super::{Block, Parity};

/// Counts of each colour.
pub(super) const COUNTS: Block = Block {
    parity: Parity::Count,
    features: &[
        ("white_pawns", "White's pawns, 0 to 8"),
        ("white_knights", "White's knights"),
        ("white_bishops", "White's bishops"),
        ("white_rooks", "White's rooks"),
        ("white_queens", "White's queens"),
        ("black_pawns", "Black's pawns, 0 to 8"),
        ("black_knights", "Black's knights"),
        ("black_bishops", "Black's bishops"),
        ("black_rooks", "Black's rooks"),
        ("black_queens", "Black's queens"),
    ],
    fill: |position, values| {
        values[..5].copy_from_slice(&position.white.counts);
        values[5..].copy_from_slice(&position.black.counts);
    },
};

/// What both sides have together, and how they differ.
pub(super) const MATERIAL: Block = Block {
    parity: Parity::Even,
    features: &[
        ("pawns", "pawns of both sides, 0 to 16 [Stockfish PR 423]"),
        ("knights", "knights of both sides"),
        ("bishops", "bishops of both sides"),
        ("rooks", "rooks of both sides"),
        ("queens", "queens of both sides"),
        ("npm", "pieces of both sides without pawns, in pawns: minor 3, rook 5, queen 9; 62 at the start"),
        ("phase", "minor pieces 1, rooks 2, queens 4, at most 24: 24 at the start"),
        ("material_diff", "size of the difference in material, in pawns (1, 3, 3, 5, 9)"),
        ("npm_diff", "size of the difference in pieces without pawns, in pawns"),
        ("pawn_diff", "size of the difference in pawns"),
        ("knight_diff", "size of the difference in knights"),
        ("bishop_diff", "size of the difference in bishops"),
        ("rook_diff", "size of the difference in rooks"),
        ("queen_diff", "size of the difference in queens"),
        ("level", "1 if both sides have the same material in pawns"),
        (
            "imbalance",
            "what each side has and the other lacks: the smaller of both sums of surpluses, in pawns [Floyd]",
        ),
        (
            "strong_pawns",
            "pawns of the side with more material, of the one with more pawns if level, 0 to 8 [Weiss PR 456]",
        ),
        ("strong_pawnless", "1 if that side has no pawns"),
        ("bare", "1 if a side has nothing but its king"),
    ],
    fill,
};

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
