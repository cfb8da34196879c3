//! Books of openings: EPD or FEN lines, or PGN, packed or not; standard chess or Chess960.

mod error;
mod random;
mod read;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use shakmaty::fen::{Epd, Fen};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};
use twox_hash::XxHash3_128;

pub use self::error::{BookError, OpeningError};
use super::repetition::Stood;
use drawish_games::pgn::{ChunkBuffer, Chunks, EvalDoubts, Input, OddWords};

/// Where a game begins: a position, and moves that are played from it before the players think.
///
/// It is checked when it is made: the position is legal in its variant, and so are the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    start: Chess,
    fen: Option<String>,
    moves: Vec<Move>,
    castling: CastlingMode,
    eval: Option<i32>,
    eco: Option<String>,
    name: Option<String>,
}

/// What of a book is played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookRule {
    /// Half-moves that are taken from each game in PGN; all without it.
    pub plies: Option<usize>,
    /// The variant; without it, Chess960 as soon as one opening is.
    pub castling: Option<CastlingMode>,
    /// Only positions in which one side is better by so many centipawns, as the book evaluates them: by `ce` in EPD, by comments in
    /// PGN, of each game the first such position at or after `plies`.
    pub band: Option<RangeInclusive<i32>>,
}

/// The order in which openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// By the seed and the openings, see [`Book::shuffle`].
    #[default]
    Random,
    /// As the book has them.
    Sequential,
}

impl Order {
    pub(super) fn is_random(&self) -> bool {
        *self == Order::Random
    }
}

/// A place in a book that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Line of an EPD file or number of a game in a PGN file, from 1.
    pub place: u64,
    /// What is wrong with it.
    pub why: OpeningError,
}

/// Openings in the order in which they are played, and what became of the rest of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The name of the file, without directories.
    pub name: String,
    /// XXH3-128 of the file, packed as it is.
    pub digest: u128,
    /// What of the file was asked for.
    pub rule: BookRule,
    /// No two of them reach the same position, and all are of one variant.
    pub openings: Vec<Opening>,
    /// That variant.
    pub castling: CastlingMode,
    /// Openings that are Chess960: by their tag, or because they have castling rights that standard chess does not know.
    pub chess960: u64,
    /// Openings left out because they reach a position that another has reached.
    pub duplicates: u64,
    /// What cannot be played.
    pub rejected: Vec<Rejected>,
    /// Words of games that look like moves and are none: they are passed over, and what stands behind them is played as it is.
    pub odd_words: OddWords,
    /// What speaks against how evaluations of games were read, if openings are chosen by them.
    pub eval_doubts: EvalDoubts,
}

impl Book {
    /// Reads a book. What cannot be played and what leads to the same position as an earlier opening is left out and listed.
    ///
    /// All openings are played as one variant, so that engines are told once. Every position of standard chess is one of Chess960
    /// too, with the same moves. Told standard chess, openings of Chess960 are left out.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or no opening is left.
    pub fn read(input: &Input, rule: &BookRule) -> Result<Book, BookError> {
        let unreadable = |cause| BookError::Unreadable { book: input.to_string(), cause };
        let mut chunks = Chunks::new(input.open().map_err(unreadable)?);
        let (mut chunk, mut text) = (ChunkBuffer::default(), Vec::new());
        while chunks.next(&mut chunk) {
            text.extend_from_slice(chunk.text());
        }
        chunks.take_error().map_or(Ok(()), Err).map_err(unreadable)?;
        let (candidates, odd_words, eval_doubts) = read::candidates(&text, rule);
        let mut book = Book {
            name: input.name(),
            digest: chunks.source().digest(),
            rule: rule.clone(),
            openings: Vec::new(),
            castling: CastlingMode::Standard,
            chess960: 0,
            duplicates: 0,
            rejected: Vec::new(),
            odd_words,
            eval_doubts,
        };
        let mut reached = HashSet::new();
        for (place, candidate) in candidates {
            let wanted = candidate.and_then(|opening| match (rule.castling, opening.castling) {
                (Some(CastlingMode::Standard), CastlingMode::Chess960) => Err(OpeningError::Chess960),
                _ => Ok(opening),
            });
            match wanted.and_then(|opening| opening.end().map(|end| (opening, end))) {
                Ok((opening, end)) if reached.insert(epd(&end)) => {
                    book.chess960 += u64::from(opening.castling.is_chess960());
                    book.openings.push(opening);
                }
                Ok(_) => book.duplicates += 1,
                Err(why) => book.rejected.push(Rejected { place, why }),
            }
        }
        if book.openings.is_empty() {
            let takes_games = rule.plies.is_none() && read::is_pgn(&text);
            return Err(BookError::of_none(input.to_string(), book.rejected, takes_games));
        }
        if rule.castling.unwrap_or(CastlingMode::from_chess960(book.chess960 > 0)).is_chess960() {
            book.castling = CastlingMode::Chess960;
            book.openings.iter_mut().for_each(Opening::make_chess960);
        }
        Ok(book)
    }

    /// Puts the openings in an order that depends on nothing but the openings and the seed: that of XXH3-128 of the position that
    /// each reaches.
    pub fn shuffle(&mut self, seed: u64) {
        self.openings.sort_by_cached_key(|opening| {
            let end = epd(&opening.position());
            (XxHash3_128::oneshot_with_seed(seed, end.as_bytes()), end)
        });
    }

    /// Passes over the first openings, which then come after all others. A number beyond the book begins with it again.
    pub fn pass_over(&mut self, openings: u64) {
        #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "below the number of openings"))]
        let openings = (openings % (self.openings.len() as u64).max(1)) as usize;
        self.openings.rotate_left(openings);
    }
}

impl Opening {
    /// The standard position of chess.
    #[must_use]
    pub fn standard() -> Opening {
        let castling = CastlingMode::Standard;
        Opening::of(Chess::new(), None, castling)
    }

    /// A position by its FEN. In Chess960 castling rights are best the files of the rooks (`HAha`, Shredder-FEN), which every
    /// engine that knows Chess960 reads in one way only.
    ///
    /// # Errors
    ///
    /// If the FEN is not one of a legal position of the variant.
    pub fn from_fen(fen: &str, castling: CastlingMode) -> Result<Opening, OpeningError> {
        let start = position(fen, castling)?;
        Ok(Opening::of(start, Some(fen.to_owned()), castling))
    }

    /// The opening with moves behind those it has.
    ///
    /// # Errors
    ///
    /// If one of them is not legal.
    pub fn with_moves(mut self, moves: &[Move]) -> Result<Opening, OpeningError> {
        let mut position = self.position();
        for &played in moves {
            if !position.is_legal(played) {
                return Err(OpeningError::IllegalMove(UciMove::from_move(played, self.castling).to_string()));
            }
            position.play_unchecked(played);
            self.moves.push(played);
        }
        Ok(self)
    }

    /// The opening with an evaluation of the position after its moves, in centipawns for White.
    #[must_use]
    pub fn with_eval(self, eval: i32) -> Opening {
        Opening { eval: Some(eval), ..self }
    }

    /// An opening without moves, of which nothing is known but where it begins.
    fn of(start: Chess, fen: Option<String>, castling: CastlingMode) -> Opening {
        Opening { start, fen, moves: Vec::new(), castling, eval: None, eco: None, name: None }
    }

    /// The position before the moves.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The FEN of that position; `None` for the standard one.
    #[must_use]
    pub fn fen(&self) -> Option<&str> {
        self.fen.as_deref()
    }

    /// The moves, legal one after another.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether kings and rooks castle by the rules of Chess960.
    #[must_use]
    pub fn castling(&self) -> CastlingMode {
        self.castling
    }

    /// What the book says of the position after the moves, in centipawns for White; only where it was asked for, by
    /// [`BookRule::band`].
    #[must_use]
    pub fn eval(&self) -> Option<i32> {
        self.eval
    }

    /// The code of the opening, such as `B90`: the tag `ECO` of a game of a PGN book that is played to its end.
    #[must_use]
    pub fn eco(&self) -> Option<&str> {
        self.eco.as_deref()
    }

    /// The name of the opening: the tag `Opening` of such a game.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The position after the moves, in which the players begin.
    #[must_use]
    pub fn position(&self) -> Chess {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&played| position.play_unchecked(played));
        position
    }

    /// The same, if there is a game to play from it.
    fn end(&self) -> Result<Chess, OpeningError> {
        let mut position = self.start.clone();
        let mut stood = Stood::new(&position);
        for &played in &self.moves {
            position.play_unchecked(played);
            stood.add(&position);
        }
        if stood.times() >= 3 {
            return Err(OpeningError::Repetition);
        }
        if position.is_game_over() {
            Err(OpeningError::Over)
        } else if position.halfmoves() >= 100 {
            Err(OpeningError::Fifty(position.halfmoves()))
        } else {
            Ok(position)
        }
    }

    /// The same opening as one of Chess960; the moves are the same, since they name king and rook.
    fn make_chess960(&mut self) {
        let fen = shredder_fen(&self.start);
        self.castling = CastlingMode::Chess960;
        // A position of standard chess is one of Chess960, so there is nothing to refuse.
        if let Ok(start) = position(&fen, self.castling) {
            self.start = start;
        }
        self.fen = Some(fen);
    }
}

/// The position of a FEN, which must be legal in its variant.
pub(super) fn position(fen: &str, castling: CastlingMode) -> Result<Chess, OpeningError> {
    let parsed: Fen = fen.parse().map_err(|cause| OpeningError::Fen { fen: fen.to_owned(), cause })?;
    if is_of_variant(&parsed) {
        return Err(OpeningError::FenOfVariant(fen.to_owned()));
    }
    parsed
        .into_position(castling)
        .map_err(|error| OpeningError::Position { fen: fen.to_owned(), cause: error.to_string() })
}

/// Whether a FEN has pieces in hand, be it none, or counts checks: chess has neither, and the rest of it would be another game.
fn is_of_variant(fen: &Fen) -> bool {
    let setup = fen.as_setup();
    setup.pockets.is_some() || setup.remaining_checks.is_some()
}

/// The position without its clocks.
fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The FEN with the files of the rooks as castling rights.
fn shredder_fen(position: &Chess) -> String {
    let rights = position.castles().castling_rights();
    let rooks: String = shakmaty::Color::ALL
        .into_iter()
        .flat_map(|color| (rights & color.backrank()).into_iter().rev().map(move |rook| (color, rook)))
        .map(|(color, rook)| color.fold_wb(rook.file().upper_char(), rook.file().char()))
        .collect();
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let mut fields: Vec<_> = fen.split(' ').collect();
    if let (Some(field), false) = (fields.get_mut(2), rooks.is_empty()) {
        *field = &rooks;
    }
    fields.join(" ")
}
