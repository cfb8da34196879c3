//! Files with and without pawns: what the 12-bit and 16-bit structures hold, as numbers.

use super::Block;
use super::position::PositionView;

pub(super) const BLOCK: Block = Block { count: 10, fill };

fn fill(position: &PositionView, values: &mut [i16]) {
    const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let (white, black) = (position.white.files(), position.black.files());
    let either = white | black;
    let surplus = |squares: u64| {
        let count = |pawns: u64| (pawns & squares).count_ones() as i16;
        count(u64::from(position.white.pawns)) - count(u64::from(position.black.pawns))
    };
    let (queenside, kingside) = (surplus(QUEENSIDE), surplus(!QUEENSIDE));
    values[0] = (white ^ black).count_ones() as i16;
    values[1] = (white & black).count_ones() as i16;
    values[2] = either.count_zeros() as i16;
    values[3] = i16::from(white == black);
    values[4] = span(either);
    values[5] = i16::from(either & 0x0f != 0 && either & 0xf0 != 0);
    values[6] = position.sum(|side| side.islands());
    values[7] = queenside.abs() + kingside.abs();
    values[8] = i16::from(queenside * kingside < 0);
    values[9] = position.stronger().map_or(span(either), |side| span(side.files()));
}

fn span(files: u8) -> i16 {
    if files == 0 { 0 } else { (7 - files.leading_zeros() - files.trailing_zeros()) as i16 }
}
