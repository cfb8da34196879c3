//! The positions over which arms are normalised.

use std::sync::LazyLock;

use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use super::State;

/// Positions of games that the arm `none` has played against itself at 2,000 and 2,500 nodes a move from openings in
/// which one side is better: one of each game, before a move drawn by lot, none of them a check.
static TEXT: &str = include_str!("normalisation.fens");

/// The positions as the evaluation needs them.
pub(super) fn states() -> &'static [State] {
    static STATES: LazyLock<Vec<State>> = LazyLock::new(|| {
        let position = |fen: Fen| fen.into_position(CastlingMode::Standard).expect("a legal position");
        TEXT.lines().map(|line| State::new(position(line.parse().expect("a FEN")))).collect()
    });
    &STATES
}
