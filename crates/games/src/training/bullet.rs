//! bullet's boards: 32 bytes a position, as its crate `bulletformat` defines them (`ChessBoard`).
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | occupied squares, little-endian, a1 first |
//! | 8..24 | half a byte for each: 0 to 5 for pawn to king of the side to move, 8 to 13 for those of the other side |
//! | 24..26 | evaluation in centipawns for the side to move |
//! | 26 | result for the side to move: 0 loss, 1 draw, 2 win |
//! | 27..32 | squares of the kings, and three bytes for anything |
//!
//! The board is turned round if Black is to move: who has which colour is not known any more.

use drawish_core::{Outcome, Pawns};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Setup};
use twox_hash::XxHash3_64;

use super::men::Men;
use super::{Receive, Wrong};

/// Bytes of a board.
pub(super) const LEN: usize = 32;

/// A position that belongs to no game: the side to move stands for White.
#[derive(Clone, Copy, Debug)]
pub struct LooseBoard {
    men: Men,
    eval: i16,
    outcome: Outcome,
}

impl LooseBoard {
    /// How its game ended, White being the side to move.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The evaluation in centipawns for the side to move.
    #[must_use]
    pub fn eval(&self) -> i16 {
        self.eval
    }

    /// The pawns, if it can be a position: each side with one king and at most eight pawns, none of them on the first or last
    /// rank.
    #[must_use]
    #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "the lower half is taken on purpose"))]
    pub fn pawns(&self) -> Option<Pawns> {
        if self.men.has_edge_zero() || !self.men.has_one_king_each() {
            return None;
        }
        // Only what is between the first and the last rank is walked: twice as fast.
        let Men { mut occupied, codes } = self.men.between_edges();
        let (mut white, mut black) = (0, 0);
        // Two numbers of 64 bits are shifted faster than one of 128.
        for mut half in [codes as u64, (codes >> 64) as u64] {
            for _ in 0..16 {
                if occupied == 0 {
                    break;
                }
                let square = occupied & occupied.wrapping_neg();
                white |= if half & 15 == 0 { square } else { 0 };
                black |= if half & 15 == 8 { square } else { 0 };
                occupied ^= square;
                half >>= 4;
            }
        }
        (white.count_ones() <= 8 && black.count_ones() <= 8).then_some(Pawns { white, black })
    }

    /// The position, not checked to be one; nobody may castle or take en passant.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut board = Board::empty();
        for (square, code) in self.men {
            let role = Role::ALL[usize::from(code & 7).min(5)];
            board.set_piece_at(square, Piece { color: Color::from_white(code < 8), role });
        }
        Setup { board, castling_rights: Bitboard::EMPTY, ..Setup::empty() }
    }

    /// A hash of the men: boards with equal ones have equal men.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.men.occupied.to_le_bytes());
        bytes[8..].copy_from_slice(&self.men.codes.to_le_bytes());
        XxHash3_64::oneshot(&bytes)
    }

    fn of(record: &[u8; LEN]) -> Result<LooseBoard, &'static str> {
        let part = |begin: usize| record[begin..begin + 8].try_into().unwrap_or([0; 8]);
        let (low, high) = (u64::from_le_bytes(part(8)), u64::from_le_bytes(part(16)));
        let men = Men { occupied: u64::from_le_bytes(part(0)), codes: u128::from(high) << 64 | u128::from(low) };
        if men.occupied.count_ones() > 32 {
            return Err("more than 32 men");
        }
        if men.has_code_from_six() || men.has_rest() {
            return Err("a man that is none");
        }
        let outcome = match record[26] {
            0 => Outcome::BlackWin,
            1 => Outcome::Draw,
            2 => Outcome::WhiteWin,
            _ => return Err("a result that is none"),
        };
        Ok(LooseBoard { men, eval: i16::from_le_bytes([record[24], record[25]]), outcome })
    }
}

pub(super) fn read<R: Receive>(chunk: &[u8], receiver: &mut R) -> Result<(), Wrong> {
    let (records, _) = chunk.as_chunks::<LEN>();
    for (number, record) in records.iter().enumerate() {
        let board = LooseBoard::of(record).map_err(|cause| Wrong { at: number * LEN, cause })?;
        receiver.board(&board);
    }
    Ok(())
}
