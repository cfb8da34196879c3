//! The positions over which means of gains are taken, so that a gain leaves an evaluation as large as it was on average.

use std::sync::LazyLock;

use drawish_core::Board;

/// FENs, one a line: positions of games that the engine has played against itself with the arm `none` at 2,000 and 2,500 nodes a
/// move from openings in which one side is better. One of each game, before a move drawn at random, none of them a check.
pub static FENS: &str = include_str!("normalisation.fens");

/// The positions as features read them.
#[must_use]
pub fn boards() -> &'static [Board] {
    static BOARDS: LazyLock<Vec<Board>> =
        LazyLock::new(|| FENS.lines().map(|fen| Board::from_fen(fen).expect("the FENs of this crate")).collect());
    &BOARDS
}
