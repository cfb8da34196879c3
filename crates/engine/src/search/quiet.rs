//! The static evaluation of positions in which nothing hangs.

use std::cell::RefCell;

use shakmaty::{Chess, Position};

use super::{Game, Searcher};
use crate::eval::{Evaluate, Evaluator};

/// Centipawns by which captures may change the evaluation of a quiet position.
const QUIET: i32 = 10;

/// The engine's static evaluation of a position in centipawns for White; `None` in check, and where captures would change it by
/// more than a tenth of a pawn or come to no end. It is what a gain head for this engine is fitted to.
#[must_use]
pub fn quiet_evaluation(position: &Chess) -> Option<i32> {
    thread_local!(static SEARCHER: RefCell<Searcher<Evaluator>> = RefCell::new(Searcher::new(Evaluator::default(), 1)));
    if position.is_check() {
        return None;
    }
    let game = Game::new(position.clone());
    SEARCHER.with_borrow_mut(|searcher| {
        let score = searcher.evaluator().centipawns(game.state());
        let quiet = searcher.quiescence_score(&game)?;
        let played_out = if position.turn().is_white() { quiet } else { -quiet };
        ((score - played_out).abs() <= QUIET).then_some(score)
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    /// Between queens that attack each other everywhere captures go on for longer than anybody waits.
    #[test]
    fn captures_without_end_are_given_up() {
        let evaluation = |fen: &str| {
            let fen: Fen = fen.parse().expect("a FEN");
            quiet_evaluation(&fen.into_position(CastlingMode::Standard).expect("a position"))
        };
        assert_eq!(evaluation("rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1"), None);
        assert!(evaluation("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").is_some());
    }
}
