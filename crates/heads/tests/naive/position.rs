//! The parts of a position that features look at.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// Board, side to move and fifty-move clock, with what several features need computed once.
#[derive(Clone, Debug)]
pub(super) struct PositionView {
    pub(super) board: Board,
    /// The side to move.
    pub(super) turn: Color,
    /// Half-moves since the last capture or pawn move, 0 to 150.
    pub(super) rule50: i16,
    /// 0 to 24: a minor piece is 1, a rook 2, a queen 4.
    pub(super) phase: i16,
    /// By colour.
    pub(super) white: Side,
    pub(super) black: Side,
}

/// What one side has, seen with its own pawns moving up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub color: Color,
    pub pawns: Bitboard,
    /// Passed pawns: no enemy pawn before them on their own and the neighbouring files.
    pub passers: Bitboard,
    /// Squares that the pawns attack.
    pub pawn_attacks: Bitboard,
    pub king: Option<Square>,
    /// Pawns, knights, bishops, rooks, queens.
    pub counts: [i16; 5],
}

impl PositionView {
    pub fn new(board: Board, turn: Color, halfmoves: u32) -> PositionView {
        let white = Side::new(&board, Color::White);
        let black = Side::new(&board, Color::Black);
        let phase =
            [&white, &black].map(|side| side.counts[1] + side.counts[2] + 2 * side.counts[3] + 4 * side.counts[4]);
        let rule50 = halfmoves.min(150) as i16;
        PositionView { board, turn, rule50, phase: (phase[0] + phase[1]).min(24), white, black }
    }

    pub(super) fn sides(&self) -> [&Side; 2] {
        [&self.white, &self.black]
    }

    /// The side with more material, in pawns; none at equality.
    pub(super) fn stronger(&self) -> Option<&Side> {
        let difference = self.white.material() - self.black.material();
        match difference {
            0 => None,
            1.. => Some(&self.white),
            _ => Some(&self.black),
        }
    }

    /// An even feature: the sum of both sides.
    pub(super) fn sum(&self, of: impl Fn(&Side) -> i16) -> i16 {
        of(&self.white) + of(&self.black)
    }

    /// The size of the difference of both sides.
    pub(super) fn difference(&self, of: impl Fn(&Side) -> i16) -> i16 {
        (of(&self.white) - of(&self.black)).abs()
    }
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color) -> Side {
        let pawns = board.by_piece(color.pawn());
        let enemies = board.by_piece((!color).pawn());
        let passers = pawns & !Bitboard(held_up(!color, u64::from(enemies)));
        let counts = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .map(|role| board.by_piece(role.of(color)).count() as i16);
        Side { color, pawns, passers, pawn_attacks: pawn_attacks(color, pawns), king: board.king_of(color), counts }
    }

    /// Pawns 1, minor pieces 3, rooks 5, queens 9.
    pub fn material(&self) -> i16 {
        self.counts[0] + self.pieces()
    }

    /// Material without pawns.
    pub fn pieces(&self) -> i16 {
        3 * (self.counts[1] + self.counts[2]) + 5 * self.counts[3] + 9 * self.counts[4]
    }

    /// The rank seen from this side: 0 is its own back rank.
    pub fn rank(&self, square: Square) -> i16 {
        let rank = i16::from(square.rank() as u8);
        if self.color.is_white() { rank } else { 7 - rank }
    }

    /// Rank of the most advanced passed pawn, 1 to 6; 0 if there is none.
    pub fn best_passer(&self) -> i16 {
        self.passers.into_iter().map(|pawn| self.rank(pawn)).max().unwrap_or(0)
    }

    /// Files with pawns: bit 0 = file a.
    pub fn files(&self) -> u8 {
        let squares = u64::from(self.pawns);
        (0..8).fold(0, |files, rank| files | (squares >> (8 * rank) & 0xff) as u8)
    }

    /// Pawns without a pawn of their own side on a neighbouring file.
    pub fn isolated(&self) -> i16 {
        let files = self.files();
        let neighbours = u64::from(files << 1 | files >> 1) * 0x0101_0101_0101_0101;
        (u64::from(self.pawns) & !neighbours).count_ones() as i16
    }

    /// The sum of the ranks of the pawns: 1 where they begin.
    pub fn advance(&self) -> i16 {
        let pawns = u64::from(self.pawns);
        // The bits of the ranks' numbers 0 to 7, all pawns at once.
        let count = |ranks: u64| (pawns & ranks).count_ones() as i16;
        let ranks = count(0xff00_ff00_ff00_ff00) + 2 * count(0xffff_0000_ffff_0000) + 4 * count(0xffff_ffff_0000_0000);
        if self.color.is_white() { ranks } else { 7 * self.counts[0] - ranks }
    }

    /// Pawns behind another one of their own side on the same file.
    pub fn doubled(&self) -> i16 {
        self.counts[0] - self.files().count_ones() as i16
    }

    /// Groups of neighbouring files with pawns.
    pub fn islands(&self) -> i16 {
        let files = self.files();
        (files & !(files << 1)).count_ones() as i16
    }

    /// Pawns that a pawn of their own side protects.
    pub fn protected(&self) -> i16 {
        (self.pawns & self.pawn_attacks).count() as i16
    }
}

/// The squares before pawns of `color` on their own and the neighbouring files: pawns of the other side there are not
/// passed.
fn held_up(color: Color, pawns: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let wide = pawns | (pawns & NOT_H) << 1 | (pawns & NOT_A) >> 1;
    match color {
        Color::White => {
            let ahead = wide << 8;
            let ahead = ahead | ahead << 8;
            let ahead = ahead | ahead << 16;
            ahead | ahead << 32
        }
        Color::Black => {
            let ahead = wide >> 8;
            let ahead = ahead | ahead >> 8;
            let ahead = ahead | ahead >> 16;
            ahead | ahead >> 32
        }
    }
}

fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bits = u64::from(pawns);
    let forward = if color.is_white() { bits << 8 } else { bits >> 8 };
    Bitboard((forward & NOT_H) << 1 | (forward & NOT_A) >> 1)
}
