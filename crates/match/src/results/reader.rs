//! What is kept of each game of a text.

use std::fmt::Write as _;

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};
use twox_hash::XxHash3_64;

use super::one_match::limits;
use crate::arena::{moves_from_start, opening_print};
use drawish_artefact::provenance::in_comment;
use drawish_core::Outcome;
use drawish_games::pgn::{GameHandler, Interest, ReadGame, TagName, Tags, Variant, fen_of, position_of, setup_of};

/// What is kept of a game.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub event: String,
    pub round: String,
    pub players: [String; 2],
    pub outcome: Option<Outcome>,
    /// Whether the token behind the moves says another result than the tag, by which it counts.
    pub token_differs: bool,
    /// Ended on time, by a crash or by breaking the rules.
    pub is_abnormal: bool,
    /// What limits White and Black, as the tags have it; empty where they say nothing.
    pub limits: [String; 2],
    /// Whether its time control was scaled to the speed of a machine, as OpenBench writes into each game.
    pub is_scaled: bool,
    /// Of the position behind the FEN and the moves of the book, the same for all ways that lead there; `None` if there are neither.
    pub start: Option<u64>,
    /// The name of its variant, if that is neither standard chess nor Chess960.
    pub other_variant: Option<String>,
    /// Whether it has a FEN, be it that of the standard position.
    pub names_start: bool,
    /// The moves behind the opening, as the log of a match has them.
    pub moves: String,
    /// Whether a move cannot be made, as in notations of which only some words are moves here.
    pub is_broken: bool,
    /// The same of the position before the moves of the book, and the hash of all moves, where there are moves of a book.
    pub from_start: Option<[u64; 2]>,
}

/// Where a game of a variant begins; `None` if the FEN is no position.
fn begin(fen: Option<&str>, variant: Variant) -> Option<Chess> {
    fen.map_or_else(
        || Some(Chess::default()),
        |fen| setup_of(fen.as_bytes()).and_then(|setup| position_of(setup, variant)),
    )
}

/// Moves as the log of a match has them. From one that cannot be played on they are as they stand, and no position is left.
fn spelled(position: &mut Option<Chess>, moves: &[San], castling: CastlingMode) -> String {
    let mut text = String::new();
    for &san in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        let played = position.take().and_then(|mut position| {
            let legal = legal_move(san, &position)?;
            position.play_unchecked(legal);
            Some((legal, position))
        });
        // Nothing fails that is written into a text.
        let _ = match &played {
            Some((legal, _)) => write!(text, "{}", UciMove::from_move(*legal, castling)),
            None => write!(text, "{san}"),
        };
        *position = played.map(|(_, position)| position);
    }
    text
}

/// A move, or one in the notation of UCI, which looks like that of a pawn.
fn legal_move(san: San, position: &Chess) -> Option<Move> {
    let in_uci = || san.to_string().parse::<UciMove>().ok()?.to_move(position).ok();
    san.to_move(position).ok().or_else(in_uci)
}

/// Gathers what is kept of the games of a chunk.
#[derive(Default)]
pub(super) struct Reader {
    pub games: Vec<Played>,
    round: String,
    is_scaled: bool,
    /// Of both sides, of White and of Black.
    time_controls: [Option<Vec<u8>>; 3],
    /// How many of the moves so far are of the book.
    book: usize,
    in_book: bool,
    /// Whether the comment of the last move will say that it is one of the book.
    awaited: bool,
    /// The moves so far.
    moves: Vec<San>,
}

impl GameHandler for Reader {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        *self = Reader { games: std::mem::take(&mut self.games), in_book: true, ..Reader::default() };
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"Round" => self.round = in_comment(String::from_utf8_lossy(value).trim()),
            b"TimeControl" => self.time_controls[0] = Some(value.to_vec()),
            b"WhiteTimeControl" => self.time_controls[1] = Some(value.to_vec()),
            b"BlackTimeControl" => self.time_controls[2] = Some(value.to_vec()),
            b"ScaleFactor" => self.is_scaled = true,
            _ => {}
        }
    }

    fn moves(&mut self, _tags: &Tags) -> Interest {
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        self.moves.push(san);
        // A move without a comment was thought about, and so are all that follow.
        self.in_book &= !self.awaited;
        self.awaited = self.in_book;
    }

    fn comment(&mut self, comment: &[u8]) {
        if !std::mem::take(&mut self.awaited) {
            return;
        }
        let rest = comment.trim_ascii_start().strip_prefix(b"book");
        self.in_book = rest.is_some_and(|rest| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric()));
        if self.in_book {
            self.book += 1;
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        let tags = game.tags;
        let text = |name| in_comment(&tags.text(name).unwrap_or_default());
        let fen = fen_of(tags).map(String::from_utf8_lossy);
        let variant = Variant::of(tags);
        let castling = CastlingMode::from_chess960(variant == Variant::Chess960);
        // The same position in another variant is another opening.
        let other = (variant == Variant::Other).then(|| text(TagName::Variant).to_lowercase());
        let print = |position: &Option<Chess>, book: &str| {
            let of_text = || XxHash3_64::oneshot(format!("{fen:?} {book}").as_bytes());
            let found = position.as_ref().map_or_else(of_text, opening_print);
            other.as_ref().map_or(found, |other| XxHash3_64::oneshot(format!("{other} {found}").as_bytes()))
        };
        let mut position = begin(fen.as_deref(), variant);
        // Other variants have moves that are none in chess.
        let is_readable = position.is_some() && other.is_none();
        let (played, thought) = self.moves.split_at(self.book);
        let has_book = !played.is_empty();
        let before = has_book.then(|| print(&position, ""));
        let book = spelled(&mut position, played, castling);
        let start = (has_book || fen.is_some()).then(|| print(&position, &book));
        let moves = spelled(&mut position, thought, castling);
        let from_start = before.map(|before| [before, moves_from_start(&book, &moves)]);
        let names_start = tags.get(TagName::Fen).is_some_and(|text| !matches!(text, b"" | b"?"));
        self.games.push(Played {
            event: text(TagName::Event),
            round: std::mem::take(&mut self.round),
            players: [text(TagName::White), text(TagName::Black)],
            outcome: game.outcome(),
            token_differs: game.token_differs(),
            is_abnormal: tags.ended_abnormally(),
            limits: limits(std::mem::take(&mut self.time_controls)),
            is_scaled: self.is_scaled,
            names_start,
            start,
            other_variant: other,
            moves,
            is_broken: is_readable && position.is_none(),
            from_start,
        });
    }
}
