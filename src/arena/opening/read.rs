//! Openings as files write them.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::{Opening, position};
use crate::pgn::{GameEnd, GameHandler, Interest, ResultToken, read_games};
use crate::sample::Variant;

/// What stands at each place of a book, each opening in the variant that it needs.
pub(super) type Candidates = Vec<(u64, Result<Opening, String>)>;

/// Reads lines or games, whichever the text is.
pub(super) fn candidates(text: &[u8], plies: Option<usize>) -> Candidates {
    if is_pgn(text) { from_pgn(text, plies) } else { from_lines(text) }
}

fn is_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    text.starts_with(b"[") || text.starts_with(b"1.") || text.starts_with(b"{") || text.starts_with(b";")
}

/// Chess960 where castling rights are none of standard chess: rooks or kings elsewhere.
fn castling_of(fen: &str) -> CastlingMode {
    fen.parse::<Fen>().map_or(CastlingMode::Standard, |fen| CastlingMode::detect(fen.as_setup()))
}
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
    let castling = castling_of(&fen);
    // In the words of the rules library, so that the same position is always written the same.
    let fen = Fen::from_position(&position(&fen, castling)?, EnPassantMode::Legal).to_string();
    Ok(Opening { fen: Some(fen), moves: Vec::new(), castling })
}

fn from_pgn(text: &[u8], plies: Option<usize>) -> Candidates {
    let (games, _) = read_games(text, false, || Games::new(plies));
    games.found
}

/// Gathers the openings of games.
struct Games {
    plies: Option<usize>,
    fen: Option<String>,
    variant: Option<Vec<u8>>,
    castling: CastlingMode,
    /// The position so far, `None` after something illegal.
    position: Option<Chess>,
    moves: Vec<Move>,
    wrong: Option<String>,
    found: Candidates,
}

impl Games {
    fn new(plies: Option<usize>) -> Games {
        Games {
            plies,
            fen: None,
            variant: None,
            castling: CastlingMode::Standard,
            position: None,
            moves: Vec::new(),
            wrong: None,
            found: Vec::new(),
        }
    }

    /// The position before the moves, in the variant that the tags tell.
    fn start(&mut self) -> Result<Chess, String> {
        let variant = self.variant.as_deref().map_or(Variant::Standard, Variant::named);
        if variant == Variant::Other {
            let name = String::from_utf8_lossy(self.variant.as_deref().unwrap_or_default()).into_owned();
            return Err(format!("it is a game of {name}, which is neither standard chess nor Chess960"));
        }
        let detected = self.fen.as_deref().map_or(CastlingMode::Standard, castling_of);
        self.castling = if variant == Variant::Chess960 { CastlingMode::Chess960 } else { detected };
        self.fen.as_deref().map_or_else(|| Ok(Chess::new()), |fen| position(fen, self.castling))
    }
}

impl GameHandler for Games {
    fn begin(&mut self) {
        (self.fen, self.variant, self.position, self.wrong) = (None, None, None, None);
        self.moves.clear();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"FEN" => self.fen = Some(String::from_utf8_lossy(value).into_owned()),
            b"Variant" => self.variant = Some(value.to_vec()),
            _ => {}
        }
    }

    fn moves(&mut self) -> Interest {
        match self.start() {
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
            None => {
                let (fen, moves) = (self.fen.take(), std::mem::take(&mut self.moves));
                Ok(Opening { fen, moves, castling: self.castling })
            }
        };
        self.found.push((place, opening));
    }
}
