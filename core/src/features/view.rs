//! What several features need of a board, computed once.

use super::attacks;
use crate::board::{Board, Color};

/// A board with what several features need of it.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub(super) board: Board,
    /// 0 to 24: a minor piece is 1, a rook 2, a queen 4.
    pub(super) phase: i32,
    pub(super) white: Side,
    pub(super) black: Side,
}

/// What one side has, seen with its own pawns moving up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub color: Color,
    pub men: u64,
    pub pawns: u64,
    /// Pawns with no enemy pawn before them on their own and the neighbouring files.
    pub passers: u64,
    /// Squares that the pawns attack.
    pub pawn_attacks: u64,
    /// The square of the king; none if there is not exactly one.
    pub king: Option<u32>,
    /// Pawns, knights, bishops, rooks, queens.
    pub counts: [i32; 5],
}

impl View {
    /// Of any board.
    #[must_use]
    #[inline]
    pub fn new(board: &Board) -> View {
        let white = Side::new(board, Color::White, board.white, board.black);
        let black = Side::new(board, Color::Black, board.black, board.white);
        let phase = |side: &Side| side.counts[1] + side.counts[2] + 2 * side.counts[3] + 4 * side.counts[4];
        View { board: *board, phase: (phase(&white) + phase(&black)).min(24), white, black }
    }

    /// The board.
    #[must_use]
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side with more material; none if they are level.
    #[inline]
    pub(super) fn stronger(&self) -> Option<&Side> {
        match self.white.material() - self.black.material() {
            0 => None,
            1.. => Some(&self.white),
            _ => Some(&self.black),
        }
    }

    /// An even feature: the sum of both sides.
    #[inline]
    pub(super) fn sum(&self, of: impl Fn(&Side) -> i32) -> i32 {
        of(&self.white) + of(&self.black)
    }

    /// The size of the difference of both sides.
    #[inline]
    pub(super) fn difference(&self, of: impl Fn(&Side) -> i32) -> i32 {
        (of(&self.white) - of(&self.black)).abs()
    }

    /// All men.
    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.board.white | self.board.black
    }
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color, men: u64, others: u64) -> Side {
        let [pawns, knights, bishops, rooks, queens, kings] = board.roles;
        let enemies = pawns & others;
        let count = |role: u64| (role & men).count_ones() as i32;
        let counts = [count(pawns), count(knights), count(bishops), count(rooks), count(queens)];
        let king = kings & men;
        let pawns = pawns & men;
        Side {
            color,
            men,
            pawns,
            passers: pawns & !attacks::held_up(color.other(), enemies),
            pawn_attacks: attacks::pawns(color, pawns),
            king: if king != 0 && king & (king - 1) == 0 { Some(king.trailing_zeros()) } else { None },
            counts,
        }
    }

    /// Pawns 1, minor pieces 3, rooks 5, queens 9.
    #[inline]
    pub fn material(&self) -> i32 {
        self.counts[0] + self.pieces()
    }

    /// Material without pawns.
    #[inline]
    pub fn pieces(&self) -> i32 {
        3 * (self.counts[1] + self.counts[2]) + 5 * self.counts[3] + 9 * self.counts[4]
    }

    /// The rank of a square seen from this side: 0 is its own back rank.
    #[inline]
    pub const fn rank(&self, square: u32) -> i32 {
        let rank = (square / 8) as i32;
        if matches!(self.color, Color::White) { rank } else { 7 - rank }
    }

    /// The squares one step before these; none beyond the board.
    #[inline]
    pub const fn before(&self, squares: u64) -> u64 {
        if matches!(self.color, Color::White) { squares << 8 } else { squares >> 8 }
    }

    /// The passed pawns, each with its square, its rank and the square before it; without those on the last rank.
    #[inline]
    pub fn passed(&self) -> impl Iterator<Item = (u32, i32, u32)> + use<> {
        let (color, side) = (self.color, *self);
        attacks::squares(self.passers & !self.last_rank()).map(move |pawn| {
            let before = if matches!(color, Color::White) { pawn + 8 } else { pawn.wrapping_sub(8) };
            (pawn, side.rank(pawn), before)
        })
    }

    const fn last_rank(&self) -> u64 {
        if matches!(self.color, Color::White) { 0xff << 56 } else { 0xff }
    }

    /// Rank of the most advanced passed pawn; 0 if there is none.
    #[inline]
    pub fn best_passer(&self) -> i32 {
        match self.passers {
            0 => 0,
            passers if matches!(self.color, Color::White) => 7 - (passers.leading_zeros() / 8) as i32,
            passers => 7 - (passers.trailing_zeros() / 8) as i32,
        }
    }

    /// Files with pawns: bit 0 = file a.
    #[inline]
    pub const fn files(&self) -> u8 {
        files(self.pawns)
    }

    /// Pawns without a pawn of their own side on a neighbouring file.
    #[inline]
    pub fn isolated(&self) -> i32 {
        let files = self.files();
        let neighbours = (files << 1 | files >> 1) as u64 * 0x0101_0101_0101_0101;
        (self.pawns & !neighbours).count_ones() as i32
    }

    /// The sum of the ranks of the pawns less one each.
    #[inline]
    pub fn advance(&self) -> i32 {
        // The bits of the ranks' numbers 0 to 7, all pawns at once.
        let count = |ranks: u64| (self.pawns & ranks).count_ones() as i32;
        let ranks = count(0xff00_ff00_ff00_ff00) + 2 * count(0xffff_0000_ffff_0000) + 4 * count(0xffff_ffff_0000_0000);
        let pawns = self.counts[0];
        if matches!(self.color, Color::White) { ranks - pawns } else { 6 * pawns - ranks }
    }

    /// Pawns behind another one of their own side on the same file.
    #[inline]
    pub fn doubled(&self) -> i32 {
        self.counts[0] - self.files().count_ones() as i32
    }

    /// Groups of neighbouring files with pawns.
    #[inline]
    pub fn islands(&self) -> i32 {
        let files = self.files();
        (files & !(files << 1)).count_ones() as i32
    }

    /// Pawns that a pawn of their own side protects.
    #[inline]
    pub fn protected(&self) -> i32 {
        (self.pawns & self.pawn_attacks).count_ones() as i32
    }
}

/// Files on which any of these squares lie: bit 0 = file a.
#[inline]
pub(super) const fn files(squares: u64) -> u8 {
    let squares = squares | squares >> 32;
    let squares = squares | squares >> 16;
    (squares | squares >> 8) as u8
}

/// The number of moves of a king between two squares on an empty board.
#[inline]
pub(super) fn distance(from: u32, to: u32) -> i32 {
    let line = |a: u32, b: u32| (a as i32 - b as i32).abs();
    line(from % 8, to % 8).max(line(from / 8, to / 8))
}
