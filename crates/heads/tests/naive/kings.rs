//! Where the kings stand.

use shakmaty::Square;

use super::Block;
use super::position::{PositionView, Side};

pub(super) const BLOCK: Block = Block { count: 7, fill };

fn fill(position: &PositionView, values: &mut [i16]) {
    let [white, black] = position.sides();
    let (Some(white_king), Some(black_king)) = (white.king, black.king) else { return };
    let place = |square: Square| (i16::from(square.file() as u8), i16::from(square.rank() as u8));
    let ((wf, wr), (bf, br)) = (place(white_king), place(black_king));
    let outflanking = (wf - bf).abs() + wr - br;
    let files = white.files() | black.files();
    let one_flank = files & 0x0f == 0 || files & 0xf0 == 0;
    let (defence, support) = race(white, black).min(race(black, white));
    values[0] = outflanking;
    values[1] = i16::from(wr > 3 || br < 4);
    values[2] = (wf - bf).abs().max((wr - br).abs());
    values[3] = defence.1;
    values[4] = support;
    values[5] = i16::from(one_flank && outflanking < 0 && (white.passers | black.passers).is_empty());
    values[6] =
        [(wf, wr), (bf, br)].map(|(file, rank)| (2 * file - 7).abs() / 2 + (2 * rank - 7).abs() / 2).iter().sum();
}

/// For the most advanced passed pawn of `side`: what orders it among those of both sides, with the moves of the enemy king
/// to the square before it; and those of its own king.
fn race(side: &Side, enemy: &Side) -> ((i16, i16), i16) {
    let moves = |king: Option<Square>, to: Square| king.map_or(7, |king| king.distance(to) as i16).min(7);
    side.passers
        .into_iter()
        .filter_map(|pawn| {
            let before = pawn.offset(if side.color.is_white() { 8 } else { -8 })?;
            Some(((-side.rank(pawn), moves(enemy.king, before)), moves(side.king, before)))
        })
        .min_by_key(|&((rank, defence), support)| (rank, -defence, support))
        .unwrap_or(((0, 7), 7))
}
