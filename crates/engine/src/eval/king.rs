//! The king: the pawns before it, and what bears on it.

use shakmaty::{Bitboard, Board, Color, attacks};

use super::pawns::{ahead, rank_of, widen};
use super::reach::Reach;
use super::terms::{DANGER, KING_OPEN, SHELTER, STORM, Sink};

pub(super) fn king<S: Sink>(board: &Board, color: Color, reach: &Reach, sink: &mut S) {
    shelter(board, color, sink);
    let units = danger(board, color, reach);
    if units > 0 {
        sink.add(DANGER.at(units as usize), 1);
    }
}

fn shelter<S: Sink>(board: &Board, color: Color, sink: &mut S) {
    let king = board.king_of(color).expect("each side has a king");
    let own = (board.pawns() & board.by_color(color)).0;
    let enemy = (board.pawns() & board.by_color(!color)).0;
    let king_bit = 1u64 << king.to_usize();
    // The king's own row counts: a pawn beside it still shelters.
    let front = ahead(color, widen(king_bit)) | widen(king_bit);
    let file = king.file().to_u32();
    for column in file.saturating_sub(1)..=(file + 1).min(7) {
        let beside = if column == file { 0 } else { 8 };
        let mask = Bitboard::from_file(shakmaty::File::new(column)).0;
        let own_front = own & mask & front;
        let enemy_front = enemy & mask & front;
        let rank = |pawns: u64| match nearest(color, pawns) {
            Some(square) => rank_of(color, square),
            None => 0,
        };
        sink.add(SHELTER.first + beside + rank(own_front), 1);
        let rammed = if color.is_white() { enemy_front & (own << 8) } else { enemy_front & (own >> 8) };
        if rammed == 0 {
            sink.add(STORM.first + beside + rank(enemy_front), 1);
        }
        if own & mask == 0 {
            sink.add(KING_OPEN.at(usize::from(enemy & mask == 0)), 1);
        }
    }
}

/// The pawn nearest to the rank where `color` began.
fn nearest(color: Color, pawns: u64) -> Option<usize> {
    if pawns == 0 {
        return None;
    }
    let square = if color.is_white() { pawns.trailing_zeros() } else { 63 - pawns.leading_zeros() };
    Some(square as usize)
}

/// Units of attack on the king of `color`: by the pieces that bear on its zone, by checks that cost nothing, and by
/// squares of the zone that nothing but king or queen defends.
fn danger(board: &Board, color: Color, reach: &Reach) -> i32 {
    let (us, them) = (color as usize, !color as usize);
    let enemy = board.by_color(!color).0;
    let queens = board.queens().0 & enemy;
    // One piece alone does not mate, unless it is a queen with a check.
    if reach.attackers[them] + i32::from(queens != 0) < 2 {
        return 0;
    }
    let king = board.king_of(color).expect("each side has a king");
    let occupied = board.occupied() ^ (board.queens() & board.by_color(color));
    let weak = reach.all[them] & !reach.twice[us] & (!reach.all[us] | reach.by_role[us][5] | reach.by_role[us][4]);
    let safe = !enemy & (!reach.all[us] | (weak & reach.twice[them]));
    let straight = attacks::rook_attacks(king, occupied).0;
    let diagonal = attacks::bishop_attacks(king, occupied).0;
    let check = |from: u64, units: i32| if from & safe != 0 { units } else { 0 };
    let by = &reach.by_role[them];

    let units = reach.units[them]
        + 2 * (reach.king_zone[us] & weak).count_ones() as i32
        + check(attacks::knight_attacks(king).0 & by[1], 5)
        + check(diagonal & by[2], 4)
        + check(straight & by[3], 6)
        + check((straight | diagonal) & by[4], 5);
    (if queens == 0 { units / 2 } else { units }).max(0)
}
