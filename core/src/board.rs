//! A position as an engine holds it: bitboards, the side to move, the fifty-move clock.
//!
//! [`Board`] is what [features](crate::features) and [heads](crate::head) read. It is 66 bytes of plain data, made from the
//! bitboards that every engine has, and knows no moves.
//!
//! ```
//! use drawish_core::board::{Board, BoardError, Color};
//!
//! // Six bitboards by role (pawns, knights, bishops, rooks, queens, kings) and two by colour; a1 is bit 0, h8 bit 63.
//! let pawn_ending = Board::from_roles([0x1000, 0, 0, 0, 0, 1 << 60 | 1 << 4], 0x1010, 1 << 60, Color::White, 0);
//! assert_eq!(Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Ok(pawn_ending));
//! assert_eq!(pawn_ending.check(), Ok(()));
//!
//! let kingless = Board::from_fen("8/8/8/8/8/8/4P3/4K3 w - - 0 1");
//! assert_eq!(kingless, Err(BoardError::Kings { color: Color::Black, found: 0 }));
//! ```

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use core::fmt;

use crate::Pawns;

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// Who moves first.
    White,
    /// Who moves second.
    Black,
}

impl Color {
    /// The other side.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The greatest state of the fifty-move clock that is told apart, in half-moves.
pub const LAST_CLOCK: u8 = 150;

/// Bitboards of all men, who is to move, and half-moves since the last capture or pawn move.
///
/// Nothing is checked when a board is made, because an engine's boards are right and a check costs time. Features of any
/// board at all have values without panic or overflow; those of a board that [`check`](Self::check) refuses mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Pawns, knights, bishops, rooks, queens, kings of both sides.
    pub(crate) roles: [u64; 6],
    pub(crate) white: u64,
    pub(crate) black: u64,
    pub(crate) turn: Color,
    pub(crate) halfmoves: u8,
}

/// Why no game has such a board, or a text is no FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoardError {
    /// A side without a king, or with several.
    Kings {
        /// The side.
        color: Color,
        /// Its kings.
        found: u32,
    },
    /// More than eight pawns of a side.
    Pawns {
        /// The side.
        color: Color,
        /// Its pawns.
        found: u32,
    },
    /// Pawns on the first or the last rank.
    PawnRank {
        /// The squares.
        squares: u64,
    },
    /// More than sixteen men of a side.
    Men {
        /// The side.
        color: Color,
        /// Its men.
        found: u32,
    },
    /// Bitboards that contradict each other: squares of both sides or of two roles, a man without a side or a role.
    Contradiction {
        /// The squares.
        squares: u64,
    },
    /// The text has no place for the men in eight ranks of eight squares, followed by `w` or `b`.
    Fen,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color| if color == Color::White { "White" } else { "Black" };
        match *self {
            BoardError::Kings { color, found } => write!(f, "{} has {found} kings, expected 1", name(color)),
            BoardError::Pawns { color, found } => write!(f, "{} has {found} pawns, expected at most 8", name(color)),
            BoardError::PawnRank { squares } => {
                write!(f, "pawns on the first or the last rank, squares {squares:#018x}: expected none there")
            }
            BoardError::Men { color, found } => write!(f, "{} has {found} men, expected at most 16", name(color)),
            BoardError::Contradiction { squares } => write!(
                f,
                "the bitboards contradict each other on squares {squares:#018x}: expected one side and one role on each occupied square"
            ),
            BoardError::Fen => f.write_str(
                "not a FEN: expected eight ranks of eight squares apart by slashes, then w or b, as in 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            ),
        }
    }
}

impl core::error::Error for BoardError {}

/// The first and the last rank.
const PROMOTION_RANKS: u64 = 0xff00_0000_0000_00ff;

impl Board {
    /// From six bitboards by role (pawns, knights, bishops, rooks, queens, kings, of both sides) and two by colour; a1 is bit
    /// 0. `halfmoves` are those since the last capture or pawn move, as in a FEN; above [`LAST_CLOCK`] they count as that.
    #[must_use]
    #[inline]
    pub const fn from_roles(roles: [u64; 6], white: u64, black: u64, turn: Color, halfmoves: u32) -> Board {
        let halfmoves = if halfmoves > LAST_CLOCK as u32 { LAST_CLOCK } else { halfmoves.to_le_bytes()[0] };
        Board { roles, white, black, turn, halfmoves }
    }

    /// From twelve bitboards: pawns, knights, bishops, rooks, queens and king of White, and the same of Black.
    #[must_use]
    #[inline]
    pub const fn from_pieces(white: [u64; 6], black: [u64; 6], turn: Color, halfmoves: u32) -> Board {
        let [wp, wn, wb, wr, wq, wk] = white;
        let [bp, bn, bb, br, bq, bk] = black;
        let roles = [wp | bp, wn | bn, wb | bb, wr | br, wq | bq, wk | bk];
        Board::from_roles(roles, wp | wn | wb | wr | wq | wk, bp | bn | bb | br | bq | bk, turn, halfmoves)
    }

    /// From the first fields of a FEN: the men, who is to move, and, if it is there, the half-move clock, the fifth field. A FEN
    /// of six fields may be cut anywhere after the second; a clock that is no number counts as 0.
    ///
    /// # Errors
    ///
    /// [`BoardError::Fen`] if the text is none, and those of [`check`](Self::check).
    pub fn from_fen(fen: &str) -> Result<Board, BoardError> {
        let mut fields = fen.split_ascii_whitespace();
        let (men, turn) = (fields.next().ok_or(BoardError::Fen)?, fields.next().ok_or(BoardError::Fen)?);
        let mut board = Board::from_roles([0; 6], 0, 0, Color::White, 0);
        board.turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(BoardError::Fen),
        };
        let (mut file, mut ranks) = (0, 8_u32);
        for rank in men.split('/') {
            ranks = ranks.checked_sub(1).ok_or(BoardError::Fen)?;
            for symbol in rank.bytes() {
                if file > 7 {
                    return Err(BoardError::Fen);
                }
                let square = 1_u64.wrapping_shl(8 * ranks + file);
                let role = match symbol.to_ascii_lowercase() {
                    b'p' => 0,
                    b'n' => 1,
                    b'b' => 2,
                    b'r' => 3,
                    b'q' => 4,
                    b'k' => 5,
                    b'1'..=b'8' => {
                        file += u32::from(symbol - b'0');
                        continue;
                    }
                    _ => return Err(BoardError::Fen),
                };
                if let Some(squares) = board.roles.get_mut(role) {
                    *squares |= square;
                }
                *(if symbol.is_ascii_uppercase() { &mut board.white } else { &mut board.black }) |= square;
                file += 1;
            }
            if file != 8 {
                return Err(BoardError::Fen);
            }
            file = 0;
        }
        if ranks != 0 {
            return Err(BoardError::Fen);
        }
        let clock = fields.nth(2).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
        board.halfmoves = u8::try_from(clock).map_or(LAST_CLOCK, |clock| clock.min(LAST_CLOCK));
        board.check()?;
        Ok(board)
    }

    /// Whether a game could have this board as far as features care: one king, at most eight pawns and sixteen men a side, no
    /// pawn on the first or the last rank, bitboards that agree with each other.
    ///
    /// # Errors
    ///
    /// The first of these that is not so, the agreement first.
    pub const fn check(&self) -> Result<(), BoardError> {
        let [pawns, .., kings] = self.roles;
        let mut any = 0;
        let mut twice = self.white & self.black;
        let mut role = 0;
        while role < 6 {
            twice |= any & self.roles[role];
            any |= self.roles[role];
            role += 1;
        }
        let contradiction = twice | (any ^ (self.white | self.black));
        if contradiction != 0 {
            return Err(BoardError::Contradiction { squares: contradiction });
        }
        let sides = [(Color::White, self.white), (Color::Black, self.black)];
        let mut side = 0;
        while side < 2 {
            let (color, own) = sides[side];
            let (kings, pawns, men) = ((kings & own).count_ones(), (pawns & own).count_ones(), own.count_ones());
            if kings != 1 {
                return Err(BoardError::Kings { color, found: kings });
            }
            if pawns > 8 {
                return Err(BoardError::Pawns { color, found: pawns });
            }
            if men > 16 {
                return Err(BoardError::Men { color, found: men });
            }
            side += 1;
        }
        if pawns & PROMOTION_RANKS != 0 {
            return Err(BoardError::PawnRank { squares: pawns & PROMOTION_RANKS });
        }
        Ok(())
    }

    /// The same position with colours exchanged and the board turned.
    #[must_use]
    #[inline]
    pub const fn flip_colors(&self) -> Board {
        let [p, n, b, r, q, k] = self.roles;
        Board {
            roles: [p.swap_bytes(), n.swap_bytes(), b.swap_bytes(), r.swap_bytes(), q.swap_bytes(), k.swap_bytes()],
            white: self.black.swap_bytes(),
            black: self.white.swap_bytes(),
            turn: self.turn.other(),
            halfmoves: self.halfmoves,
        }
    }

    /// The pawns, by which tables are asked.
    #[must_use]
    #[inline]
    pub const fn pawns(&self) -> Pawns {
        Pawns { white: self.roles[0] & self.white, black: self.roles[0] & self.black }
    }

    /// Pawns, knights, bishops, rooks, queens and kings of both sides.
    #[must_use]
    #[inline]
    pub const fn roles(&self) -> [u64; 6] {
        self.roles
    }

    /// White's men and Black's.
    #[must_use]
    #[inline]
    pub const fn colors(&self) -> [u64; 2] {
        [self.white, self.black]
    }

    /// Who is to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Half-moves since the last capture or pawn move, at most [`LAST_CLOCK`].
    #[must_use]
    #[inline]
    pub const fn halfmoves(&self) -> u8 {
        self.halfmoves
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn wrong_boards_are_refused_and_the_messages_say_why() {
        for (fen, said) in [
            ("8/8/8/8/8/8/4P3/4K3 w - - 0 1", "Black has 0 kings"),
            ("kk6/8/8/8/8/8/4P3/4K3 w - - 0 1", "Black has 2 kings"),
            ("4k3/8/8/8/8/4P3/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"),
            ("4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", "Black has 17 men"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawns on the first or the last rank, squares 0x0000000000000001"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "not a FEN"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "not a FEN"),
            ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "not a FEN"),
            ("4k4/8/8/8/8/8/8/4K3 w", "not a FEN"),
            ("4k3/8/8/44P/8/8/8/4K3 w", "not a FEN"),
            ("4k3/8/8/9/8/8/8/4K3 w", "not a FEN"),
            ("4k3/8/8/é/8/8/8/4K3 w", "not a FEN"),
            ("4k3", "not a FEN"),
            ("", "not a FEN"),
        ] {
            let error = Board::from_fen(fen).expect_err(fen).to_string();
            assert!(error.contains(said), "{fen}: {error}");
        }
        let mut roles = [0; 6];
        (roles[0], roles[5]) = (1 << 20, 1 << 4 | 1 << 60);
        let board = |white, black| Board::from_roles(roles, white, black, Color::White, 0).check();
        assert_eq!(board(1 << 4 | 1 << 20, 1 << 60), Ok(()));
        assert_eq!(board(1 << 4, 1 << 60), Err(BoardError::Contradiction { squares: 1 << 20 }));
        assert_eq!(board(1 << 4 | 1 << 20, 1 << 60 | 1 << 20), Err(BoardError::Contradiction { squares: 1 << 20 }));
        roles[2] = 1 << 20;
        let board = Board::from_roles(roles, 1 << 4 | 1 << 20, 1 << 60, Color::White, 0);
        assert_eq!(board.check(), Err(BoardError::Contradiction { squares: 1 << 20 }));
        // Two men at once and of no colour: wrong in both ways.
        let board = Board::from_roles(roles, 1 << 4, 1 << 60, Color::White, 0);
        assert_eq!(board.check(), Err(BoardError::Contradiction { squares: 1 << 20 }));
    }

    #[test]
    fn the_clock_is_read_where_it_is_and_ends_at_150() {
        for (fields, clock) in [
            ("w", 0),
            ("w - -", 0),
            ("w - - 17", 17),
            ("b KQ e3 99 3", 99),
            ("w - - 4000000 1", 150),
            ("w - - -1 1", 0),
        ] {
            let board = Board::from_fen(&std::format!("4k3/8/8/8/8/8/8/4K3 {fields}")).expect("a board");
            assert_eq!(board.halfmoves(), clock, "{fields}");
        }
    }

    #[test]
    fn twelve_bitboards_are_the_board_of_the_fen() {
        let board = Board::from_fen("r1b1k2r/p1p3q1/1n6/3P4/4N3/2B4Q/PP6/R3K3 b q - 100 60").expect("a board");
        let [white, black] = board.colors();
        let of = |side| board.roles().map(|role| role & side);
        assert!(of(white).iter().chain(&of(black)).all(|&role| role != 0), "each of the twelve has a man");
        assert_eq!(Board::from_pieces(of(white), of(black), Color::Black, 100), board);
        for (halfmoves, clock) in [(0, 0), (149, 149), (150, 150), (151, 150), (256, 150), (u32::MAX, 150)] {
            let board = Board::from_pieces(of(white), of(black), Color::White, halfmoves);
            assert_eq!((board.halfmoves(), board.turn()), (clock, Color::White), "{halfmoves}");
        }
    }

    #[test]
    fn exchanging_the_colours_twice_changes_nothing() {
        let board =
            Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 1").expect("a board");
        assert_eq!(board.flip_colors().flip_colors(), board);
        let flipped = Board::from_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 3 1");
        assert_eq!(flipped, Ok(board.flip_colors()));
    }
}
