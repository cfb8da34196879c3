//! The move of an engine that thinks nothing: known to the tests, too.

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

/// A legal move that depends on the position and the salt.
pub fn choose(position: &Chess, salt: u64) -> UciMove {
    let hash = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0 ^ salt;
    let moves = position.legal_moves();
    let chosen = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    UciMove::from_move(moves[chosen as usize % moves.len()], position.castles().mode())
}
