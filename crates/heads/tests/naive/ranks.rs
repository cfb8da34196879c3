//! Where on their files the pawns stand.

use shakmaty::Bitboard;

use super::Block;
use super::position::{PositionView, Side};

pub(super) const BLOCK: Block = Block { count: 14, fill };

fn fill(position: &PositionView, values: &mut [i16]) {
    let [white, black] = position.sides();
    let rams = (Bitboard(u64::from(white.pawns) << 8) & black.pawns).count() as i16;
    let strong = position
        .stronger()
        .map_or_else(|| position.sum(|side| side.passers.count() as i16), |side| side.passers.count() as i16);
    values[0] = rams;
    values[1] = i16::from(rams >= 4);
    values[2] = i16::from(rams >= 6);
    values[3] = position.sum(|side| side.passers.count() as i16);
    values[4] = i16::from(white.passers.any() && black.passers.any());
    values[5] = white.best_passer().max(black.best_passer());
    values[6] = strong;
    values[7] = position.sum(|side| (side.passers & side.pawn_attacks).count() as i16);
    values[8] = position.sum(|side| blocked_passers(position, side));
    values[9] = position.sum(Side::doubled);
    values[10] = position.sum(Side::isolated);
    values[11] = levers(u64::from(white.pawns), u64::from(black.pawns));
    values[12] = position.sum(|side| side.advance() - side.pawns.count() as i16);
    values[13] = outside(white, black).max(outside(black, white));
}

/// White pawns that attack to the right, and to the left: a pawn that attacks two is in two pairs.
fn levers(white: u64, black: u64) -> i16 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((white & NOT_H) << 9 & black).count_ones() + ((white & NOT_A) << 7 & black).count_ones()) as i16
}

fn blocked_passers(position: &PositionView, side: &Side) -> i16 {
    let passers = u64::from(side.passers);
    let before = Bitboard(if side.color.is_white() { passers << 8 } else { passers >> 8 });
    (before & position.board.occupied()).count() as i16
}

/// How far the most distant passed pawn of `side` is from the enemy's pawns.
fn outside(side: &Side, enemy: &Side) -> i16 {
    let enemy_files = enemy.files();
    let distance = |file: i16| {
        (0..8).filter(|other| enemy_files >> other & 1 == 1).map(|other| (other - file).abs()).min().unwrap_or(5).min(5)
    };
    side.passers.into_iter().map(|pawn| distance(i16::from(pawn.file() as u8))).max().unwrap_or(0)
}
