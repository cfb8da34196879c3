//! What is taken of the games that count, and the taker of pawns.

use std::ops::Range;

use drawish_core::{Outcome, Pawns};
use shakmaty::Chess;
use shakmaty::san::San;

use super::{Identity, Rule, Tally, replay, tracker};
use crate::pgn::Tags;
use crate::training::LooseBoard;

/// What is taken from the games that count.
pub trait Take {
    /// Whether comments are wanted.
    const COMMENTS: bool = false;
    /// Whether every game needs its fingerprint and all its moves, also where the rule does not.
    const WHOLE_GAMES: bool = false;
    /// Whether the pawns are all that is taken of a position.
    const PAWNS: bool = false;
    /// As [`GameHandler::PORTIONS`](crate::pgn::GameHandler::PORTIONS).
    const PORTIONS: bool = false;

    /// A new game begins; what came before has been taken or not.
    fn begin(&mut self) {}

    /// A comment behind the half-move with this number, counted from 1; 0 before the first.
    fn comment(&mut self, _plies: u64, _comment: &[u8]) {}

    /// Takes what it wants of a game that counts and tells how many positions that were; `None`, with nothing taken, for
    /// a game with an illegal move.
    fn take(&mut self, game: &CountedGame<'_>) -> Option<u64>;

    /// Takes these positions of a game that counts; only with [`PAWNS`](Self::PAWNS).
    fn take_pawns(&mut self, _identity: Identity, _outcome: Outcome, _positions: &[Pawns]) {}

    /// Takes a position without a game, `identity` being its hash or 0 if the rule needs none; `false`, with nothing taken,
    /// if it can be no position.
    fn take_board(&mut self, board: &LooseBoard, identity: u64) -> bool;
}

/// A game that counts, if its moves are legal.
pub struct CountedGame<'a> {
    /// The rule by which it counts.
    pub rule: &'a Rule,
    /// A hash of the start position and the moves as they are spelled, which decides what is drawn from the game; of all moves if the
    /// rule or the taker needs that, otherwise that of [`identity`](Self::identity).
    pub fingerprint: u64,
    /// By which a game that comes again is found.
    pub identity: Identity,
    /// By the Result tag.
    pub outcome: Outcome,
    /// Where the game begins, if not in the standard position.
    pub start: Option<&'a Chess>,
    /// The moves, as many as the rule or the taker needs.
    pub moves: &'a [San],
    /// The positions that count, by the number of half-moves before them; never empty.
    pub wanted: Range<usize>,
    /// The tags.
    pub tags: &'a Tags,
}

/// What a sampler took from the games it was shown.
#[derive(Debug, Default)]
pub struct Batch {
    /// Every game, counted or left out.
    pub tally: Tally,
    /// The counted games, in the order in which they were read.
    pub games: Vec<SampledGame>,
    /// The positions of all counted games, one game after another.
    pub positions: Vec<Pawns>,
}

/// A counted game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledGame {
    /// As that of [`CountedGame`]. 0 of a position without a game unless the rule needs it.
    pub identity: Identity,
    /// By the Result tag.
    pub outcome: Outcome,
    /// Its positions among those of the batch.
    pub positions: Range<usize>,
}

/// Takes the pawns of the positions that count, by the tracker or the replay as the rule says.
#[derive(Debug, Default)]
pub struct TakePawns {
    pub(super) games: Vec<SampledGame>,
    pub(super) positions: Vec<Pawns>,
}

impl Take for TakePawns {
    const PAWNS: bool = true;

    fn take(&mut self, game: &CountedGame<'_>) -> Option<u64> {
        let first = self.positions.len();
        let follow = if game.rule.replay { replay::follow } else { tracker::follow };
        if !follow(game.start, game.moves, game.wanted.clone(), &mut self.positions) {
            self.positions.truncate(first);
            return None;
        }
        let positions = first..self.positions.len();
        let count = positions.len() as u64;
        self.games.push(SampledGame { identity: game.identity, outcome: game.outcome, positions });
        Some(count)
    }

    fn take_pawns(&mut self, identity: Identity, outcome: Outcome, positions: &[Pawns]) {
        let first = self.positions.len();
        self.positions.extend_from_slice(positions);
        self.games.push(SampledGame { identity, outcome, positions: first..self.positions.len() });
    }

    #[inline]
    fn take_board(&mut self, board: &LooseBoard, identity: u64) -> bool {
        let Some(pawns) = board.pawns() else { return false };
        let first = self.positions.len();
        self.positions.push(pawns);
        let identity = Identity { game: identity, line: identity, beginning: identity };
        self.games.push(SampledGame { identity, outcome: board.outcome(), positions: first..first + 1 });
        true
    }
}
