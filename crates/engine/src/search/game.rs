//! A game as the search needs it: the position to search, and the positions before it that may come again.

use shakmaty::{Chess, Move, Position};

use crate::eval::State;

/// A position with the hash keys of the positions that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    keys: Vec<u64>,
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Chess::default())
    }
}

impl Game {
    /// A game that begins here.
    #[must_use]
    pub fn new(start: Chess) -> Game {
        let state = State::new(start);
        Game { keys: vec![state.key()], state }
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, m: Move) {
        self.state.play(m);
        if self.state.position().halfmoves() == 0 {
            self.keys.clear();
        }
        self.keys.push(self.state.key());
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Chess {
        self.state.position()
    }

    /// The position on the board with its keys and sums.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The keys of the positions since the last move that cannot be undone; the last one is that of the position on
    /// the board.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How often the position on the board has stood there, this time included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.keys.iter().filter(|key| **key == self.state.key()).count()
    }
}
