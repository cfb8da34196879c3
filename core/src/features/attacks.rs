//! Which squares men attack: small tables, no magic.

use crate::board::Color;

pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares of a bitboard, from a1 on.
#[inline]
pub(super) fn squares(mut bits: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let square = bits.trailing_zeros();
        bits &= bits - 1;
        Some(square)
    })
}

/// Squares that pawns of a side attack.
#[inline]
pub(super) const fn pawns(color: Color, pawns: u64) -> u64 {
    let forward = if matches!(color, Color::White) { pawns << 8 } else { pawns >> 8 };
    (forward & NOT_H) << 1 | (forward & NOT_A) >> 1
}

/// The squares before pawns of a side on their own and the neighbouring files: pawns of the other side there are not passed.
#[inline]
pub(super) const fn held_up(color: Color, pawns: u64) -> u64 {
    let wide = pawns | (pawns & NOT_H) << 1 | (pawns & NOT_A) >> 1;
    if matches!(color, Color::White) {
        let ahead = wide << 8;
        let ahead = ahead | ahead << 8;
        let ahead = ahead | ahead << 16;
        ahead | ahead << 32
    } else {
        let ahead = wide >> 8;
        let ahead = ahead | ahead >> 8;
        let ahead = ahead | ahead >> 16;
        ahead | ahead >> 32
    }
}

/// Squares that a king on `square` attacks.
#[inline]
pub(super) const fn king(square: u32) -> u64 {
    let king = 1_u64.wrapping_shl(square);
    let wide = king | (king & NOT_H) << 1 | (king & NOT_A) >> 1;
    (wide | wide << 8 | wide >> 8) & !king
}

/// Squares that a knight on `square` attacks.
#[inline]
pub(super) const fn knight(square: u32) -> u64 {
    const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
    const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
    let knight = 1_u64.wrapping_shl(square);
    let one = (knight & NOT_H) << 1 | (knight & NOT_A) >> 1;
    let two = (knight & NOT_GH) << 2 | (knight & NOT_AB) >> 2;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// Squares that a bishop on `square` attacks.
#[inline]
pub(super) const fn bishop(square: u32, occupied: u64) -> u64 {
    let [_, _, diagonal, antidiagonal] = LINES[(square % 64) as usize];
    along(square, diagonal, occupied) | along(square, antidiagonal, occupied)
}

/// Squares that a rook on `square` attacks.
#[inline]
pub(super) const fn rook(square: u32, occupied: u64) -> u64 {
    let [file, rank, ..] = LINES[(square % 64) as usize];
    along(square, file, occupied) | along(square, rank, occupied)
}

/// The squares of a line through `square` up to and with the first man on either side.
#[inline]
const fn along(square: u32, line: u64, occupied: u64) -> u64 {
    let own = 1_u64.wrapping_shl(square);
    let men = line & occupied;
    let above = men & !(own | (own - 1));
    let below = men & (own - 1) | 1;
    // From the nearest man below, upwards; and up to the nearest man above, or all if there is none.
    let from = u64::MAX << (63 - below.leading_zeros());
    let to = above ^ above.wrapping_sub(1);
    line & from & to
}

/// File, rank and both diagonals of each square, without the square.
static LINES: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (f, r) = (other % 8, other / 8);
            let bit = if other == square { 0 } else { 1 << other };
            if f == file {
                lines[square][0] |= bit;
            }
            if r == rank {
                lines[square][1] |= bit;
            }
            if f + rank == file + r {
                lines[square][2] |= bit;
            }
            if f + r == file + rank {
                lines[square][3] |= bit;
            }
            other += 1;
        }
        square += 1;
    }
    lines
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks from a square in each direction until it leaves the board or meets a man.
    fn walk(square: u32, occupied: u64, directions: &[(i32, i32)], steps: i32) -> u64 {
        let mut reach = 0;
        for (file_step, rank_step) in directions {
            for step in 1..=steps {
                let (file, rank) = ((square % 8) as i32 + step * file_step, (square / 8) as i32 + step * rank_step);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let there = 1_u64 << (8 * rank + file);
                reach |= there;
                if occupied & there != 0 {
                    break;
                }
            }
        }
        reach
    }

    #[test]
    fn attacks_are_what_walking_the_board_finds() {
        const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        const ASKEW: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for square in 0..64 {
            let all = [STRAIGHT, ASKEW].concat();
            assert_eq!(king(square), walk(square, 0, &all, 1), "{square}");
            assert_eq!(knight(square), walk(square, 0, &JUMPS, 1), "{square}");
            let sparse = (0..200).map(|_| next() & next()).chain([0, u64::MAX]).collect::<std::vec::Vec<_>>();
            for occupied in sparse {
                assert_eq!(rook(square, occupied), walk(square, occupied, &STRAIGHT, 8), "{square} {occupied:x}");
                assert_eq!(bishop(square, occupied), walk(square, occupied, &ASKEW, 8), "{square} {occupied:x}");
            }
        }
    }
}
