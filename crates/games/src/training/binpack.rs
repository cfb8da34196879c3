//! Stockfish's binpacks, as the crate `sfbinpack` and nnue-pytorch read them.
//!
//! A file is blocks: `BINP`, the length of the rest as 32 bits, little-endian, and chains. A chain is a stem of 32 bytes, the
//! number of moves behind it as 16 bits, and those moves in bits, the highest first. Its numbers are big-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | occupied squares, a1 first |
//! | 8..24 | half a byte for each: twice pawn to king from 0, and 1 more for Black; 12 a pawn that can be taken en passant, 13 and 14 rooks that may castle, 15 Black's king if Black is to move |
//! | 24..26 | the move: kind (0, promotion, castling, en passant) in 2 bits, squares from and to in 6 each, promotion in 2 |
//! | 26..28 | evaluation for the side to move, its lowest bit being the sign |
//! | 28..30 | half-moves before, and the result for the side to move in the upper two bits: 0 draw, 1 loss, 2 win |
//! | 30..32 | half-moves since the last capture or pawn move |
//!
//! A further move is the place of the man among those of its side, and the place of the square among those that he reaches by
//! the rules for moves without regard to check, each in as few bits as the number of choices needs; then what its evaluation
//! is above the negative of the one before. Castling is by the rooks of standard chess.

use std::num::NonZero;

use drawish_core::Outcome;
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position, Rank, Role, Setup, Square,
    attacks,
};

use super::bits::{Bits, Window};
use super::men::Men;
use super::places::Places;
use super::{Receive, Start, Wrong, moves};

/// What a block begins with.
pub(super) const MAGIC: [u8; 4] = *b"BINP";
/// Bytes before the chains of a block.
pub(super) const HEADER_LEN: usize = 8;
/// No block is longer, as in `sfbinpack`.
pub(super) const LONGEST_BLOCK: usize = 100 << 20;

/// Bytes of a stem.
const STEM_LEN: usize = 32;
/// Says that a position has no evaluation.
const NO_EVAL: i16 = 32002;
const NO_MAN: &str = "a man that is none";
const NO_MOVE: &str = "a move that no man can make";

pub(super) fn read<R: Receive>(chunk: &[u8], receiver: &mut R) -> Result<(), Wrong> {
    let mut at = 0;
    while let Some((header, rest)) = chunk[at..].split_first_chunk::<HEADER_LEN>() {
        let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let block = rest.get(..len as usize).ok_or(Wrong { at, cause: "a block without its end" })?;
        at += HEADER_LEN;
        read_block(block, receiver).map_err(|Wrong { at: within, cause }| Wrong { at: at + within, cause })?;
        at += block.len();
    }
    Ok(())
}

fn read_block<R: Receive>(block: &[u8], receiver: &mut R) -> Result<(), Wrong> {
    let mut at = 0;
    while at < block.len() {
        at += read_chain(&block[at..], receiver).map_err(|cause| Wrong { at, cause })?;
    }
    Ok(())
}

/// How many bytes the first chains of a block take that have `enough` bytes or are all; all of the block where one cannot be.
/// `receiver` says where they begin.
pub(crate) fn first_chains<R: Receive>(block: &[u8], enough: usize, receiver: &mut R) -> usize {
    let mut at = 0;
    while at < enough.min(block.len()) {
        let Ok(len) = read_chain(&block[at..], receiver) else { return block.len() };
        at += len;
    }
    at
}

/// Reads the chain at the beginning of `text` and returns how many bytes it takes.
fn read_chain<R: Receive>(text: &[u8], receiver: &mut R) -> Result<usize, &'static str> {
    let (stem, rest) = text.split_first_chunk::<STEM_LEN>().ok_or("a chain without its end")?;
    let (count, text) = rest.split_first_chunk::<2>().ok_or("a chain without its end")?;
    let count = u16::from_be_bytes(*count);
    let start = start(stem)?;
    let first = u16::from_be_bytes([stem[24], stem[25]]);
    let eval = signed(u16::from_be_bytes([stem[26], stem[27]]));
    let moves = match receiver.begin(start) {
        Some(position) => read_moves(position, first, eval, count, text, receiver)?,
        None if count == 0 => {
            receiver.end(None);
            0
        }
        None => return Err("moves from what can be no position"),
    };
    Ok(STEM_LEN + 2 + moves)
}

/// Reads the moves of a chain and returns how many bytes of `text` they take.
fn read_moves<R: Receive>(
    mut position: Chess,
    first: u16,
    mut eval: i16,
    count: u16,
    text: &[u8],
    receiver: &mut R,
) -> Result<usize, &'static str> {
    // The last position may stand there for its evaluation alone.
    if first == 0 && count == 0 {
        receiver.end(Some(&position));
        return Ok(0);
    }
    let mut played = stem_move(&position, first).ok_or(NO_MOVE)?;
    let mut bits = Bits::new(text);
    for _ in 0..count {
        receiver.play(&position, played, known(eval));
        position.play_unchecked(played);
        let mut window = bits.window();
        played = next_move(&position, &mut window).ok_or(NO_MOVE)?;
        let above = signed(window.blocks().ok_or("an evaluation without its end")?);
        eval = eval.wrapping_neg().wrapping_add(above);
        if !bits.pass(&window) {
            return Err("a chain without its end");
        }
    }
    receiver.play(&position, played, known(eval));
    position.play_unchecked(played);
    receiver.end(Some(&position));
    Ok(bits.bytes_read())
}

fn known(eval: i16) -> Option<i16> {
    (eval != NO_EVAL).then_some(eval)
}

/// A number whose sign is its lowest bit.
fn signed(number: u16) -> i16 {
    let turned = number.rotate_right(1);
    (if turned & 0x8000 != 0 { turned ^ 0x7fff } else { turned }).cast_signed()
}

fn start(stem: &[u8; STEM_LEN]) -> Result<Start, &'static str> {
    let (occupied, rest) = stem.split_first_chunk::<8>().ok_or(NO_MAN)?;
    let (codes, rest) = rest.split_first_chunk::<16>().ok_or(NO_MAN)?;
    let men =
        Men::new(u64::from_be_bytes(*occupied), *codes).filter(|men| !men.has_rest()).ok_or("more men than squares")?;
    let mut setup = Setup { board: Board::empty(), ..Setup::empty() };
    for (square, code) in men {
        let piece = match code {
            0..12 => Piece { color: Color::from_white(code % 2 == 0), role: Role::ALL[usize::from(code / 2)] },
            12 => {
                let color = match square.rank() {
                    Rank::Fourth => Color::White,
                    Rank::Fifth => Color::Black,
                    _ => return Err("a pawn to be taken en passant that has not passed a square"),
                };
                setup.ep_square = square.offset(color.fold_wb(-8, 8));
                color.pawn()
            }
            13 | 14 => {
                let color = Color::from_white(code == 13);
                let corners = color.fold_wb([Square::A1, Square::H1], [Square::A8, Square::H8]);
                if !corners.contains(&square) {
                    return Err("a rook that may castle outside the corners");
                }
                setup.castling_rights.add(square);
                color.rook()
            }
            _ => {
                setup.turn = Color::Black;
                Color::Black.king()
            }
        };
        setup.board.set_piece_at(square, piece);
    }
    let plies = u16::from_be_bytes([rest[4], rest[5]]);
    setup.halfmoves = u32::from(rest[7]);
    setup.fullmoves = NonZero::<u32>::MIN.saturating_add(u32::from(plies & 0x3fff) / 2);
    let outcome = match (plies >> 14, setup.turn) {
        (0, _) => Outcome::Draw,
        (1, Color::Black) | (2, Color::White) => Outcome::WhiteWin,
        (1, Color::White) | (2, Color::Black) => Outcome::BlackWin,
        _ => return Err("a result that is none"),
    };
    Ok(Start { setup, outcome })
}

/// The move of a stem.
fn stem_move(position: &Chess, packed: u16) -> Option<Move> {
    let square = |shift: u16| Square::new(u32::from(packed >> shift & 63));
    let (from, to) = (square(8), square(2));
    match packed >> 14 {
        0 => moves::normal(position, from, to, None),
        1 => moves::normal(position, from, to, Some(moves::PROMOTIONS[usize::from(packed & 3)])),
        2 => moves::castling(position, from, to),
        _ => moves::en_passant(position, from, to),
    }
}

/// A further move.
#[inline]
fn next_move(position: &Chess, window: &mut Window) -> Option<Move> {
    let (board, us) = (position.board(), position.turn());
    let own = board.by_color(us);
    let all = board.occupied();
    let men = Places::of(own);
    let from = men.nth(window.choose(men.count()))?;
    let role = board.role_at(from)?;
    let targets = match role {
        Role::Pawn => return pawn_move(position, from, window),
        Role::King => {
            let targets = Places::of(attacks::king_attacks(from) & !own);
            let sides = [CastlingSide::QueenSide, CastlingSide::KingSide];
            let mut rooks = sides.into_iter().filter_map(|side| position.castles().rook(us, side));
            let castlings = rooks.clone().map(|_| 1).sum::<u32>();
            let choice = window.choose(targets.count() + castlings);
            if let Some(castling) = choice.checked_sub(targets.count()) {
                return rooks.nth(castling as usize).and_then(|rook| moves::castling(position, from, rook));
            }
            return moves::normal(position, from, targets.nth(choice)?, None);
        }
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, all),
        Role::Rook => attacks::rook_attacks(from, all),
        Role::Queen => attacks::queen_attacks(from, all),
    } & !own;
    let targets = Places::of(targets);
    let to = targets.nth(window.choose(targets.count()))?;
    let capture = board.role_at(to);
    (capture != Some(Role::King)).then_some(Move::Normal { role, from, capture, to, promotion: None })
}

fn pawn_move(position: &Chess, from: Square, window: &mut Window) -> Option<Move> {
    let (board, us) = (position.board(), position.turn());
    let en_passant = position.ep_square(EnPassantMode::Legal);
    let passed = en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
    let mut targets = attacks::pawn_attacks(us, from) & (board.by_color(!us) | passed);
    let forward = us.fold_wb(8, -8);
    if let Some(single) = from.offset(forward).filter(|&single| board.role_at(single).is_none()) {
        targets.add(single);
        let double = single.offset(forward).filter(|_| from.rank() == us.fold_wb(Rank::Second, Rank::Seventh));
        if let Some(double) = double.filter(|&double| board.role_at(double).is_none()) {
            targets.add(double);
        }
    }
    let targets = Places::of(targets);
    if from.rank() == us.fold_wb(Rank::Seventh, Rank::Second) {
        let choice = window.choose(4 * targets.count());
        let promotion = moves::PROMOTIONS[(choice % 4) as usize];
        return moves::normal(position, from, targets.nth(choice / 4)?, Some(promotion));
    }
    let to = targets.nth(window.choose(targets.count()))?;
    if en_passant == Some(to) { Some(Move::EnPassant { from, to }) } else { moves::normal(position, from, to, None) }
}
