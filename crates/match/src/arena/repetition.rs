//! How often a position has stood on the board.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

/// The positions since the last capture or pawn's move: none before can come again.
pub(super) struct Stood(Vec<Zobrist64>);

impl Stood {
    /// Begins with a position.
    pub(super) fn new(start: &Chess) -> Stood {
        Stood(vec![hash(start)])
    }

    /// Adds the position after a move.
    pub(super) fn add(&mut self, position: &Chess) {
        if position.halfmoves() == 0 {
            self.0.clear();
        }
        self.0.push(hash(position));
    }

    /// How often the last position has stood, 1 the first time.
    pub(super) fn times(&self) -> usize {
        let now = self.0.last();
        self.0.iter().filter(|hash| Some(*hash) == now).count()
    }
}

fn hash(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}
