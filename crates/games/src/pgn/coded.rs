//! Training data as games: what a handler learns of a game in PGN, it learns of a game in any other format, and in the same
//! words, so that the same games count in the same way.

use std::fmt::Write;

use drawish_core::{Outcome, Pawns};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, MoveList, Position};

use super::handler::{GameEnd, GameHandler, Interest, ReadGame, ResultToken};
use super::start::{Variant, castling_of, position_of, position_to_pass};
use super::tags::Tags;
use crate::training::{self, Damage, Format, LooseBoard, Receive, Start};

/// Sends what a chunk of training data holds to a handler, and returns what no file of this format can hold, if it does.
pub(super) fn read_coded<H: GameHandler>(format: Format, chunk: &[u8], offset: u64, handler: H) -> (H, Option<Damage>) {
    let mut bridge = Bridge::new(handler);
    let damage = training::read(format, chunk, offset, &mut bridge).err();
    (bridge.handler, damage)
}

/// How many bytes the first games of a block have, see [`training::Cut`].
pub(super) fn first_games(block: &[u8], enough: usize) -> usize {
    training::first_chains(block, enough, &mut Bridge::new(Deaf))
}

/// Wants nothing of any game.
struct Deaf;

impl GameHandler for Deaf {
    fn begin(&mut self) {}
    fn moves(&mut self, _: &Tags) -> Interest {
        Interest::Nothing
    }
    fn begin_at(&mut self, _: &Tags, _: &Chess) -> Interest {
        Interest::Nothing
    }
    fn san(&mut self, _: San) {}
    fn end(&mut self, _: ReadGame<'_>) {}
}

/// Stands between a reader of training data and a handler.
struct Bridge<H> {
    handler: H,
    tags: Tags,
    token: ResultToken,
    wanted: Wanted,
    /// Of a start position or of an evaluation.
    text: String,
}

/// What the handler wants of the game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Nothing,
    Pawns,
    Moves,
}

impl<H: GameHandler> Bridge<H> {
    fn new(handler: H) -> Bridge<H> {
        let (tags, text) = (Tags::default(), String::new());
        Bridge { handler, tags, token: ResultToken::Unknown, wanted: Wanted::Nothing, text }
    }

    /// Adds the tag of the start position; of what is none, one that is none.
    fn tag_start(&mut self, position: Option<&Chess>) {
        self.text.clear();
        if let Some(position) = position {
            // Writing to a string does not fail.
            let _ = write!(self.text, "{}", Fen::from_position(position, EnPassantMode::Legal));
        } else {
            self.text.push_str("no position");
        }
        self.tags.insert(b"FEN", self.text.as_bytes());
    }
}

fn pawns_of(position: &Chess) -> Pawns {
    let board = position.board();
    let of = |color: Color| u64::from(board.by_piece(color.pawn()));
    Pawns { white: of(Color::White), black: of(Color::Black) }
}

impl<H: GameHandler> Receive for Bridge<H> {
    fn begin(&mut self, start: Start) -> Option<Chess> {
        let Start { setup, outcome } = start;
        self.tags.clear();
        self.token = match outcome {
            Outcome::WhiteWin => ResultToken::WhiteWin,
            Outcome::Draw => ResultToken::Draw,
            Outcome::BlackWin => ResultToken::BlackWin,
        };
        let result = match outcome {
            Outcome::WhiteWin => &b"1-0"[..],
            Outcome::Draw => b"1/2-1/2",
            Outcome::BlackWin => b"0-1",
        };
        self.tags.insert(b"Result", result);
        if castling_of(&setup) == CastlingMode::Chess960 {
            self.tags.insert(b"Variant", b"Chess960");
        }
        self.handler.begin();
        let position = position_of(setup.clone(), Variant::of(&self.tags));
        let interest = match &position {
            Some(position) if self.handler.takes_pawns() => {
                self.wanted = Wanted::Pawns;
                self.handler.begin_at(&self.tags, position)
            }
            position => {
                self.wanted = Wanted::Moves;
                self.tag_start(position.as_ref());
                self.handler.moves(&self.tags)
            }
        };
        if interest == Interest::Nothing {
            self.wanted = Wanted::Nothing;
        }
        // The moves of what is no start of a game are passed over by it, where they can be played.
        position.or_else(|| {
            self.wanted = Wanted::Nothing;
            position_to_pass(setup, Variant::of(&self.tags))
        })
    }

    fn wants_moves(&self) -> bool {
        self.wanted != Wanted::Nothing
    }

    #[inline]
    fn play(&mut self, before: &Chess, played: Move, eval: Option<i16>) {
        match self.wanted {
            Wanted::Nothing => {}
            Wanted::Pawns => {
                self.handler.pawns(pawns_of(before), Some(San::disambiguate(played, &MoveList::new())));
            }
            Wanted::Moves => {
                self.handler.san(San::from_move(before, played));
                if let Some(eval) = eval.filter(|_| H::COMMENTS) {
                    self.text.clear();
                    let (sign, size) = (if eval < 0 { '-' } else { '+' }, eval.unsigned_abs());
                    // As of a search: at a depth of 1 a 0 would be taken for a placeholder.
                    let _ = write!(self.text, "{sign}{}.{:02}/9", size / 100, size % 100);
                    self.handler.comment(self.text.as_bytes());
                }
            }
        }
    }

    fn end(&mut self, after: Option<&Chess>) {
        if let Some(after) = after.filter(|_| self.wanted == Wanted::Pawns) {
            self.handler.pawns(pawns_of(after), None);
        }
        let token = (self.wanted != Wanted::Nothing).then_some(self.token);
        self.handler.end(ReadGame { tags: &self.tags, token, end: GameEnd::Whole });
    }

    fn board(&mut self, board: &LooseBoard) {
        self.handler.board(board);
    }
}
