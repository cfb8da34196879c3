//! What is kept of each game of a text.

use std::hash::Hash;

use shakmaty::san::San;
use shakmaty::{Chess, Position};
use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::Hasher;

use crate::arena::{opening_print, with_start};
use drawish_artefact::provenance::in_comment;
use drawish_core::Outcome;
use drawish_games::follow::respell;
use drawish_games::pgn::{GameHandler, Interest, ReadGame, TagName, Tags, Variant, fen_of, position_of, setup_of};

/// What is kept of a game.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub event: String,
    pub round: String,
    pub players: [String; 2],
    pub outcome: Option<Outcome>,
    /// Of the position behind the FEN and the moves of the book, the same for all ways that lead there; `None` if there are neither.
    pub start: Option<u64>,
    /// Whether it has a FEN, be it that of the standard position.
    pub names_start: bool,
    /// A hash of the position in which it begins and of its moves; `None` without a move.
    pub moves: Option<u64>,
}

/// Where a game begins; `None` if the FEN is no position.
fn begin(fen: Option<&str>) -> Option<Chess> {
    fen.map_or_else(
        || Some(Chess::default()),
        |fen| setup_of(fen.as_bytes()).and_then(|setup| position_of(setup, Variant::Standard)),
    )
}

/// What tells the position behind an opening from others; where it cannot be played, its text does.
fn behind(fen: Option<&str>, book: &[San]) -> u64 {
    let end = begin(fen).and_then(|mut position| {
        for san in book {
            position.play_unchecked(san.to_move(&position).ok()?);
        }
        Some(position)
    });
    end.map_or_else(|| XxHash3_64::oneshot(format!("{fen:?} {book:?}").as_bytes()), |end| opening_print(&end))
}

/// Gathers what is kept of the games of a chunk.
#[derive(Default)]
pub(super) struct Reader {
    pub games: Vec<Played>,
    round: String,
    /// The moves of the book so far.
    book: Vec<San>,
    in_book: bool,
    /// A move whose comment will say whether it is one of the book.
    awaited: Option<San>,
    /// The moves so far.
    moves: Vec<San>,
}

impl GameHandler for Reader {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        *self = Reader { games: std::mem::take(&mut self.games), in_book: true, ..Reader::default() };
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        if name == b"Round" {
            self.round = in_comment(String::from_utf8_lossy(value).trim());
        }
    }

    fn moves(&mut self, _tags: &Tags) -> Interest {
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        self.moves.push(san);
        // A move without a comment was thought about, and so are all that follow.
        self.in_book &= self.awaited.is_none();
        self.awaited = self.in_book.then_some(san);
    }

    fn comment(&mut self, comment: &[u8]) {
        let Some(san) = self.awaited.take() else { return };
        let rest = comment.trim_ascii_start().strip_prefix(b"book");
        self.in_book = rest.is_some_and(|rest| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric()));
        if self.in_book {
            self.book.push(san);
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        let tags = game.tags;
        let text = |name| in_comment(&tags.text(name).unwrap_or_default());
        let fen = fen_of(tags).map(String::from_utf8_lossy);
        let mut moves = std::mem::take(&mut self.moves);
        if let Some(start) = begin(fen.as_deref()) {
            respell(Some(&start), &mut moves);
        }
        let mut hasher = Hasher::default();
        moves.iter().for_each(|san| san.hash(&mut hasher));
        let moves = (!moves.is_empty()).then(|| with_start(hasher, fen.as_deref()));
        let opening = fen.is_some() || !self.book.is_empty();
        let names_start = tags.get(TagName::Fen).is_some_and(|text| !matches!(text, b"" | b"?"));
        self.games.push(Played {
            event: text(TagName::Event),
            round: std::mem::take(&mut self.round),
            players: [text(TagName::White), text(TagName::Black)],
            outcome: game.outcome(),
            moves,
            names_start,
            start: opening.then(|| behind(fen.as_deref(), &self.book)),
        });
    }
}
