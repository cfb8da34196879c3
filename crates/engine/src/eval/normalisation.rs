//! The positions over which arms are normalised.

use std::sync::LazyLock;

use drawish_heads::normalisation::FENS;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use super::State;

/// The positions as the evaluation needs them.
pub(super) fn states() -> &'static [State] {
    static STATES: LazyLock<Vec<State>> = LazyLock::new(|| {
        let position = |fen: Fen| fen.into_position(CastlingMode::Standard).expect("a legal position");
        FENS.lines().map(|line| State::new(position(line.parse().expect("a FEN")))).collect()
    });
    &STATES
}
