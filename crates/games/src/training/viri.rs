//! viridithas' games, as the README of its crate `viriformat` specifies them. All numbers are little-endian, squares from a1 on.
//!
//! A game is a board of 32 bytes, any number of moves of 4 bytes, and four zero bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | occupied squares |
//! | 8..24 | half a byte for each: 0 to 5 for pawn to king, 6 for a rook that may castle, and 8 more for Black |
//! | 24 | en passant square, 64 for none; and 128 if Black is to move |
//! | 25, 26..28 | half-moves since the last capture or pawn move; number of the move |
//! | 28..30 | evaluation of the board, not used here |
//! | 30 | result: 0 Black has won, 1 draw, 2 White has won |
//!
//! A move has the squares from and to (king and rook of castling) in 6 bits each, the promotion from knight to queen in 2, and
//! its kind in 2: 0, en passant, castling, promotion. Behind it stands the evaluation before it, for White.

use std::num::NonZero;

use drawish_core::Outcome;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Setup, Square};

use super::men::Men;
use super::{Receive, Start, Wrong, moves};

/// Bytes of a board.
pub(super) const BOARD_LEN: usize = 32;
/// Bytes of a move with its evaluation.
pub(super) const MOVE_LEN: usize = 4;
/// Where the moves end.
pub(super) const END: [u8; MOVE_LEN] = [0; MOVE_LEN];

pub(super) fn read<R: Receive>(chunk: &[u8], receiver: &mut R) -> Result<(), Wrong> {
    let mut at = 0;
    while let Some((board, rest)) = chunk[at..].split_first_chunk::<BOARD_LEN>() {
        let start = start(board).map_err(|cause| Wrong { at, cause })?;
        at += BOARD_LEN;
        let entries = rest.as_chunks::<MOVE_LEN>().0.iter().take_while(|&&entry| entry != END);
        let mut position = receiver.begin(start);
        if position.is_some() && !receiver.wants_moves() {
            position = None;
        }
        let Some(position) = &mut position else {
            at += (entries.count() + 1) * MOVE_LEN;
            receiver.end(None);
            continue;
        };
        for &[low, high, eval_low, eval_high] in entries {
            let played = decode(position, u16::from_le_bytes([low, high]))
                .ok_or(Wrong { at, cause: "a move that no man can make" })?;
            let for_white = i16::from_le_bytes([eval_low, eval_high]);
            let eval = if position.turn().is_white() { for_white } else { for_white.saturating_neg() };
            receiver.play(position, played, Some(eval));
            position.play_unchecked(played);
            at += MOVE_LEN;
        }
        at += MOVE_LEN;
        receiver.end(Some(position));
    }
    Ok(())
}

fn start(bytes: &[u8; BOARD_LEN]) -> Result<Start, &'static str> {
    let (occupied, rest) = bytes.split_first_chunk::<8>().ok_or("no board")?;
    let (codes, rest) = rest.split_first_chunk::<16>().ok_or("no board")?;
    let men =
        Men::new(u64::from_le_bytes(*occupied), *codes).filter(|men| !men.has_rest()).ok_or("more men than squares")?;
    let mut setup = Setup { board: Board::empty(), ..Setup::empty() };
    for (square, code) in men {
        let color = Color::from_white(code < 8);
        let role = match code & 7 {
            6 => {
                setup.castling_rights.add(square);
                Role::Rook
            }
            code => *Role::ALL.get(usize::from(code)).ok_or("a man that is none")?,
        };
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.turn = Color::from_white(rest[0] < 128);
    setup.ep_square = match rest[0] & 127 {
        square @ 0..64 => Some(Square::new(u32::from(square))),
        64 => None,
        _ => return Err("an en passant square that is none"),
    };
    setup.halfmoves = u32::from(rest[1]);
    setup.fullmoves = NonZero::new(u32::from(u16::from_le_bytes([rest[2], rest[3]]))).unwrap_or(NonZero::<u32>::MIN);
    let outcome = match rest[6] {
        0 => Outcome::BlackWin,
        1 => Outcome::Draw,
        2 => Outcome::WhiteWin,
        _ => return Err("a result that is none"),
    };
    Ok(Start { setup, outcome })
}

fn decode(position: &Chess, entry: u16) -> Option<Move> {
    let square = |shift: u16| Square::new(u32::from(entry >> shift & 63));
    let (from, to) = (square(0), square(6));
    match entry >> 14 {
        0 => moves::normal(position, from, to, None),
        1 => moves::en_passant(position, from, to),
        2 => moves::castling(position, from, to),
        _ => moves::normal(position, from, to, Some(moves::PROMOTIONS[usize::from(entry >> 12 & 3)])),
    }
}
