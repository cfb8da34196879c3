//! Positions of shakmaty as the plain boards that [`drawish_core::features`] reads.

use drawish_core::Pawns;
use drawish_core::board::{Board, Color};
use drawish_core::features::View;
use shakmaty::fen::Fen;
use shakmaty::{Chess, Position, Role, Setup};

/// A position of a game, as features read it.
#[must_use]
#[inline]
pub fn view(position: &Chess) -> View {
    View::new(&board(position))
}

/// Any board, legal or not, as features read it.
#[must_use]
pub fn view_of_setup(setup: &Setup) -> View {
    View::new(&plain(&setup.board, setup.turn, setup.halfmoves))
}

/// A position of a game as plain bitboards, of which heads are asked.
#[must_use]
#[inline]
pub fn board(position: &Chess) -> Board {
    plain(position.board(), position.turn(), position.halfmoves())
}

#[inline]
fn plain(board: &shakmaty::Board, turn: shakmaty::Color, halfmoves: u32) -> Board {
    let turn = if turn.is_white() { Color::White } else { Color::Black };
    let roles = Role::ALL.map(|role| board.by_role(role).0);
    Board::from_roles(roles, board.white().0, board.black().0, turn, halfmoves)
}

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{text:?} is not a FEN; expected a position in quotes like \"4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1\": {cause}"
)]
pub struct NoFen {
    text: String,
    cause: shakmaty::fen::ParseFenError,
}

/// A position by its FEN, whether any game can reach it or not.
///
/// # Errors
///
/// If the text is no FEN.
pub fn setup_of_fen(text: &str) -> Result<Setup, NoFen> {
    let fen: Fen = text.parse().map_err(|cause| NoFen { text: text.to_owned(), cause })?;
    Ok(fen.into_setup())
}

/// The pawns of a board.
#[must_use]
#[inline]
pub fn pawns(board: &shakmaty::Board) -> Pawns {
    let pawns = board.pawns();
    Pawns { white: (pawns & board.white()).0, black: (pawns & board.black()).0 }
}
