//! Books of openings: EPD or FEN lines, or PGN, packed or not.

use std::collections::HashSet;
use std::io::{self, Read};

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};
use thiserror::Error;
use twox_hash::XxHash3_128;

use crate::pgn::{GameEnd, GameHandler, Input, Interest, ResultToken, read_games};

/// Where a game begins: a position, and moves that are played from it before the players think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position before the moves; `None` for the standard one.
    pub fen: Option<String>,
    /// The moves, legal one after another.
    pub moves: Vec<Move>,
}

/// A place in a book that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Line of an EPD file or number of a game in a PGN file, from 1.
    pub place: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Openings in the order in which they are played, and what became of the rest of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The name of the file, without directories.
    pub name: String,
    /// XXH3-128 of the file, packed as it is.
    pub digest: u128,
    /// No two of them reach the same position.
    pub openings: Vec<Opening>,
    /// Openings left out because they reach a position that another has reached.
    pub duplicates: u64,
    /// What cannot be played.
    pub rejected: Vec<Rejected>,
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum BookError {
    #[error("{book}: {cause}; check the name and the file")]
    Unreadable { book: String, cause: io::Error },
    #[error("{book}: no opening in this book can be played{first}; expected lines of EPD or FEN, or games in PGN")]
    Empty { book: String, first: String },
}

impl Book {
    /// Reads a book. Of games in PGN at most `plies` moves are taken. What cannot be played and what leads to the same position
    /// as an earlier opening is left out and told.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or no opening is left.
    pub fn read(input: &Input, plies: Option<usize>) -> Result<Book, BookError> {
        let unreadable = |cause| BookError::Unreadable { book: input.to_string(), cause };
        let mut open = input.open().map_err(unreadable)?;
        let mut text = Vec::new();
        open.read_to_end(&mut text).map_err(unreadable)?;
        let found = if is_pgn(&text) { from_pgn(&text, plies) } else { from_lines(&text) };
        let mut book = Book {
            name: input.name(),
            digest: open.digest(),
            openings: Vec::new(),
            duplicates: 0,
            rejected: Vec::new(),
        };
        let mut reached = HashSet::new();
        for (place, candidate) in found {
            match candidate.and_then(|opening| opening.end().map(|end| (opening, end))) {
                Ok((opening, end)) if reached.insert(epd(&end)) => book.openings.push(opening),
                Ok(_) => book.duplicates += 1,
                Err(why) => book.rejected.push(Rejected { place, why }),
            }
        }
        if book.openings.is_empty() {
            let first = book.rejected.first().map_or(String::new(), |first| format!(" (the first: {})", first.why));
            return Err(BookError::Empty { book: input.to_string(), first });
        }
        Ok(book)
    }

    /// Puts the openings in an order that depends on nothing but the openings and the seed: that of XXH3-128 of the position that
    /// each reaches.
    pub fn shuffle(&mut self, seed: u64) {
        self.openings.sort_by_cached_key(|opening| {
            let end = opening.end().map(|end| epd(&end)).unwrap_or_default();
            (XxHash3_128::oneshot_with_seed(seed, end.as_bytes()), end)
        });
    }
}

impl Opening {
    /// The position before the moves.
    ///
    /// # Errors
    ///
    /// If the FEN is not one of a position of standard chess.
    pub fn start(&self) -> Result<Chess, String> {
        match &self.fen {
            None => Ok(Chess::new()),
            Some(fen) => position(fen),
        }
    }

    /// The position after the moves, in which the players begin.
    fn end(&self) -> Result<Chess, String> {
        let mut position = self.start()?;
        for &played in &self.moves {
            position.play_unchecked(played);
        }
        if position.is_game_over() {
            return Err("the game is over in this position".to_owned());
        }
        Ok(position)
    }
}

fn position(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error| format!("{fen:?} is no position: {error}"))?;
    parsed.into_position(CastlingMode::Standard).map_err(|error| format!("{fen:?} is no legal position: {error}"))
}

/// The position without its clocks.
fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

fn is_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    text.starts_with(b"[") || text.starts_with(b"1.") || text.starts_with(b"{") || text.starts_with(b";")
}

type Candidates = Vec<(u64, Result<Opening, String>)>;

fn from_lines(text: &[u8]) -> Candidates {
    let text = String::from_utf8_lossy(text);
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    lines
        .map(|(line, place)| (line.trim(), place))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, place)| (place, from_line(line)))
        .collect()
}

/// Four fields of EPD, operations behind them being left out, or six of FEN.
fn from_line(line: &str) -> Result<Opening, String> {
    let fields: Vec<_> = line.split_whitespace().collect();
    if fields.len() < 4 {
        return Err(format!("{line:?} has fewer than the four fields of a position"));
    }
    let clocks = match fields[4..] {
        [half, full, ..] if half.parse::<u32>().is_ok() && full.parse::<u32>().is_ok() => format!("{half} {full}"),
        _ => "0 1".to_owned(),
    };
    let fen = format!("{} {clocks}", fields[..4].join(" "));
    // In the words of the rules library, so that the same position is always written the same.
    let fen = Fen::from_position(&position(&fen)?, EnPassantMode::Legal).to_string();
    Ok(Opening { fen: Some(fen), moves: Vec::new() })
}

fn from_pgn(text: &[u8], plies: Option<usize>) -> Candidates {
    let (games, _) = read_games(text, false, || Games { plies, ..Games::default() });
    games.found
}

/// Gathers the openings of games.
#[derive(Default)]
struct Games {
    plies: Option<usize>,
    fen: Option<String>,
    /// The position so far, `None` after something illegal.
    position: Option<Chess>,
    moves: Vec<Move>,
    wrong: Option<String>,
    found: Candidates,
}

impl GameHandler for Games {
    fn begin(&mut self) {
        (self.fen, self.position, self.wrong) = (None, None, None);
        self.moves.clear();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        if name == b"FEN" {
            self.fen = Some(String::from_utf8_lossy(value).into_owned());
        }
    }

    fn moves(&mut self) -> Interest {
        let beginning = Opening { fen: self.fen.clone(), moves: Vec::new() };
        match beginning.start() {
            Ok(start) => self.position = Some(start),
            Err(why) => self.wrong = Some(why),
        }
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        let Some(position) = &mut self.position else { return };
        if self.plies.is_some_and(|plies| self.moves.len() >= plies) {
            return;
        }
        match san.to_move(position) {
            Ok(legal) => {
                self.moves.push(legal);
                position.play_unchecked(legal);
            }
            Err(error) => {
                self.wrong =
                    Some(format!("{san}, move {} of the game, cannot be played: {error}", self.moves.len() / 2 + 1));
                self.position = None;
            }
        }
    }

    fn result(&mut self, _token: ResultToken) {}

    fn end(&mut self, _end: GameEnd) {
        let place = self.found.len() as u64 + 1;
        let opening = match self.wrong.take() {
            Some(why) => Err(why),
            None => Ok(Opening { fen: self.fen.take(), moves: std::mem::take(&mut self.moves) }),
        };
        self.found.push((place, opening));
    }
}
