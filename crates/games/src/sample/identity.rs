//! Numbers by which a game is known: one that decides what is drawn from it, one by which it is found again.

use drawish_core::Pawns;
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Position};

use crate::follow::respell;
use crate::pgn::{mixed, start_epd, start_fen};

/// A hash of a start position, `None` being the standard one, and the moves of a game.
///
/// # Stability
///
/// It decides which position `one-random-ply` draws, so it never changes: for each byte of the start position's
/// FEN and then for each move, a number made of its parts is added by the step of an FNV-1a hash over 64-bit
/// words with a rotation, and the end is mixed by SplitMix64's finaliser (Steele, Lea and Flood 2014).
pub(super) fn fingerprint(start: Option<&Chess>, moves: &[San]) -> u64 {
    hash_of(&start.map(start_fen).unwrap_or_default(), moves)
}

/// The same of the position without its clocks, which programs write differently, and of the moves as the PGN standard spells them, so
/// that copies of a game are found whoever has written them.
pub(super) fn identity(start: Option<&Chess>, moves: &[San]) -> u64 {
    let mut spelled = moves.to_vec();
    respell(start, &mut spelled);
    hash_of(&start.map(start_epd).unwrap_or_default(), &spelled)
}

fn hash_of(start: &str, moves: &[San]) -> u64 {
    let words = start.bytes().map(u64::from).chain(moves.iter().copied().map(word_of));
    mixed(words.fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    }))
}

/// A hash by which a game that comes again is found where nothing depends on it: of the start, the length, and what was kept of the
/// game anyhow. Those are its moves up to the positions that count and at least 80, of which piece and target will do, or of
/// files with boards its pawns, of which each eighth will do.
pub(super) fn brief_identity(start: Option<&Chess>, plies: u64, moves: &[San], pawns: &[Pawns]) -> u64 {
    let board = start.map(|start| start.board().clone().into_bitboards());
    let start = board.iter().flat_map(|(roles, colors)| roles.iter().chain(colors).map(|squares| squares.0));
    let pawns = pawns.iter().step_by(8).flat_map(|pawns| [pawns.white, pawns.black]);
    let moves = moves.iter().map(|&san| match san {
        San::Normal { role, to, .. } => u64::from(u32::from(role)) << 6 | u64::from(u32::from(to)),
        _ => word_of(san),
    });
    let words = start.chain(moves).chain(pawns);
    words.fold(plies, |hash, word| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A move as a number; different moves have different numbers.
fn word_of(san: San) -> u64 {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            u64::from(u32::from(role))
                | file.map_or(15, u64::from) << 3
                | rank.map_or(15, u64::from) << 7
                | u64::from(capture) << 11
                | u64::from(u32::from(to)) << 12
                | promotion.map_or(0, |role| u64::from(u32::from(role))) << 18
        }
        San::Castle(CastlingSide::KingSide) => 1 << 32,
        San::Castle(CastlingSide::QueenSide) => 2 << 32,
        San::Null => 3 << 32,
        San::Put { role, to } => 4 << 32 | u64::from(u32::from(role)) << 6 | u64::from(u32::from(to)),
    }
}
