//! Why openings cannot be played.

use std::io;

use shakmaty::fen::ParseFenError;
use thiserror::Error;

use super::Rejected;

/// What is wrong with an opening.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum OpeningError {
    #[error("{fen:?} is no position: {cause}")]
    Fen { fen: String, cause: ParseFenError },
    #[error("{fen:?} is not a legal position: {cause}")]
    Position { fen: String, cause: String },
    #[error("{0:?} has fewer than the four fields of a position")]
    TooFewFields(String),
    #[error("{0} is not legal in its position")]
    IllegalMove(String),
    #[error("{san}, move {number} of the game, cannot be played: {cause}")]
    IllegalSan { san: String, number: usize, cause: shakmaty::san::SanError },
    #[error("a comment or a variation of its game is not closed, so that the moves behind it are not known")]
    Open,
    #[error("the game is over in this position")]
    Over,
    #[error("the fifty-move rule makes it a draw at once: its half-move clock is at {0}, expected less than 100")]
    Fifty(u32),
    #[error("its last position stands there for the third time, which makes it a draw at once")]
    Repetition,
    #[error("it is a game of {0}, which is neither standard chess nor Chess960")]
    OtherVariant(String),
    #[error("{0:?} has pieces in hand or counts checks: it is of a variant, neither standard chess nor Chess960")]
    FenOfVariant(String),
    #[error("it is an opening of Chess960, and standard chess is to be played")]
    Chess960,
    #[error("its evaluation of {eval} is not within {low} to {high}")]
    OutOfBand { eval: i32, low: i32, high: i32 },
    #[error("it has no evaluation: expected the operation ce, as in ce 85;")]
    NoEvaluation,
    #[error("no position of this game has an evaluation within the band")]
    NoneInBand,
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum BookError {
    #[error("{book}: {cause}; check the name and the file")]
    Unreadable { book: String, cause: io::Error },
    #[error("{book}: no opening in this book can be played{}; expected lines of EPD or FEN, or games in PGN", remark(.first.as_ref()))]
    Empty { book: String, first: Option<Rejected> },
    #[error("{book}: no opening in this book can be played{}; these are whole games: take the first half-moves of each, as by --plies 16", remark(Some(.first)))]
    WholeGames { book: String, first: Rejected },
    #[error(
        "only {found} openings of {plies} random half-moves were found, {wanted} are asked for; take more half-moves"
    )]
    TooFewRandom { found: u64, plies: u32, wanted: u64 },
}

impl BookError {
    /// Of a book of which nothing can be played, and of which whole games may have been taken.
    pub(super) fn of_none(book: String, rejected: Vec<Rejected>, takes_games: bool) -> BookError {
        let is_over =
            |why: &OpeningError| matches!(why, OpeningError::Over | OpeningError::Fifty(_) | OpeningError::Repetition);
        let are_games = takes_games && rejected.iter().all(|rejected| is_over(&rejected.why));
        match rejected.into_iter().next() {
            Some(first) if are_games => BookError::WholeGames { book, first },
            first => BookError::Empty { book, first },
        }
    }
}

fn remark(rejected: Option<&Rejected>) -> String {
    rejected.map_or(String::new(), |first| format!(" (the first: {})", first.why))
}
