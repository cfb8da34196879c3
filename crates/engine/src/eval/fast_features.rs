//! Features of pawns and kings from what a search remembers: faster than [`drawish_heads::features`], which defines them.
//!
//! The tests of `head_cache` hold the two equal.

use std::cmp::Ordering;

use shakmaty::{Board, Color, Role};

use super::pawns::{squares, step, widen};

/// A number for which side has more material: features of pawns ask for the stronger side.
pub(super) fn stronger(board: &Board) -> u64 {
    let worth = |color: Color| {
        let own = board.by_color(color);
        let count = |role: Role| (own & board.by_role(role)).count();
        count(Role::Pawn)
            + 3 * (count(Role::Knight) + count(Role::Bishop))
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    match worth(Color::White).cmp(&worth(Color::Black)) {
        Ordering::Equal => 0,
        Ordering::Greater => 0x5bd1_e995_7b93_8d4f,
        Ordering::Less => 0xc2b2_ae3d_27d4_eb4f,
    }
}

/// Pawns without an enemy pawn before them on their own and the next files, Black's first.
pub(super) fn passers(board: &Board) -> [u64; 2] {
    [Color::Black, Color::White].map(|color| {
        let enemy = (board.pawns() & board.by_color(!color)).0;
        // What the enemy's pawns hold up, seen from their side.
        let mut held = widen(step(!color, enemy));
        for _ in 0..5 {
            held |= step(!color, held);
        }
        (board.pawns() & board.by_color(color)).0 & !held
    })
}

/// The features of the kings, in their order.
pub(super) fn kings(board: &Board, passers: [u64; 2], one_flank: bool) -> [i16; 7] {
    let place = |color: Color| {
        let king = board.king_of(color).expect("each side has a king");
        (king.file() as i16, king.rank() as i16)
    };
    let ((wf, wr), (bf, br)) = (place(Color::White), place(Color::Black));
    let outflanking = (wf - bf).abs() + wr - br;
    // Of each side's passed pawns the one furthest on, of equal ones that which the enemy's king is furthest from.
    let race = |color: Color, own: (i16, i16), enemy: (i16, i16)| {
        let found = squares(passers[color as usize]).map(|pawn| {
            let (file, rank) = ((pawn % 8) as i16, (pawn / 8) as i16);
            let (rank, before) = if color.is_white() { (rank, rank + 1) } else { (7 - rank, rank - 1) };
            let moves = |king: (i16, i16)| (king.0 - file).abs().max((king.1 - before).abs());
            ((-rank, moves(enemy)), moves(own))
        });
        found.min_by_key(|&((rank, defence), support)| (rank, -defence, support)).unwrap_or(((0, 7), 7))
    };
    let (defence, support) = race(Color::White, (wf, wr), (bf, br)).min(race(Color::Black, (bf, br), (wf, wr)));
    let central = |(file, rank): (i16, i16)| (2 * file - 7).abs() / 2 + (2 * rank - 7).abs() / 2;
    [
        outflanking,
        i16::from(wr > 3 || br < 4),
        (wf - bf).abs().max((wr - br).abs()),
        defence.1,
        support,
        i16::from(one_flank && outflanking < 0 && passers == [0; 2]),
        central((wf, wr)) + central((bf, br)),
    ]
}
