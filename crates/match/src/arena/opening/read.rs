//! Openings as files write them.

use std::ops::RangeInclusive;

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::super::uci::printable;
use super::{BookRule, Opening, OpeningError, is_of_variant, position};
use drawish_games::pgn::{
    Eval, EvalValue, GameHandler, Interest, ReadGame, Tags, Variant, eval_in_comment, read_games, tag_text,
};

/// What stands at each place of a book, each opening in the variant that it needs.
pub(super) type Candidates = Vec<(u64, Result<Opening, OpeningError>)>;

/// Reads lines or games, whichever the text is.
pub(super) fn candidates(text: &[u8], rule: &BookRule) -> Candidates {
    if is_pgn(text) { from_pgn(text, rule) } else { from_lines(text, rule) }
}

fn is_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    text.starts_with(b"[") || text.starts_with(b"1.") || text.starts_with(b"{") || text.starts_with(b";")
}

/// Chess960 where castling rights are none of standard chess: rooks or kings elsewhere.
fn castling_of(fen: &str) -> CastlingMode {
    fen.parse::<Fen>().map_or(CastlingMode::Standard, |fen| CastlingMode::detect(fen.as_setup()))
}

fn from_lines(text: &[u8], rule: &BookRule) -> Candidates {
    let text = String::from_utf8_lossy(text);
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    lines
        .map(|(line, place)| (line.trim(), place))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, place)| (place, from_line(line, rule)))
        .collect()
}

/// Whether one side is better by as much as is wanted, and why not.
fn in_band(band: &RangeInclusive<i32>, eval: Option<i32>) -> Result<(), OpeningError> {
    match eval {
        Some(eval) if band.contains(&eval.abs()) => Ok(()),
        Some(eval) => Err(OpeningError::OutOfBand { eval, low: *band.start(), high: *band.end() }),
        None => Err(OpeningError::NoEvaluation),
    }
}

/// The operation `ce`, centipawns for the side that is to move, of what stands behind the four fields of an EPD.
fn centipawns(operations: &str) -> Option<i32> {
    let mut is_quoted = false;
    let operations = operations.split(|c: char| {
        // Operands in quotation marks may hold anything.
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    operations
        .filter_map(|operation| operation.trim().split_once(char::is_whitespace))
        .find_map(|(name, value)| if name == "ce" { value.trim().parse().ok() } else { None })
}

/// What stands behind so many fields.
fn behind(line: &str, fields: usize) -> &str {
    (0..fields).fold(line.trim_start(), |rest, _| {
        rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
    })
}

/// Four fields of EPD, operations behind them being left out but the evaluation, or six of FEN.
fn from_line(line: &str, rule: &BookRule) -> Result<Opening, OpeningError> {
    let fields: Vec<_> = line.split_whitespace().collect();
    if fields.len() < 4 {
        return Err(OpeningError::TooFewFields(line.to_owned()));
    }
    // Counts of checks stand before the clocks, behind them or without any.
    let counts_checks = |count: usize| {
        let line = fields.get(..count)?.join(" ");
        line.parse().ok().filter(is_of_variant).map(|_| OpeningError::FenOfVariant(line))
    };
    if let Some(error) = [5, 7].into_iter().find_map(counts_checks) {
        return Err(error);
    }
    let (clocks, before) = match fields[4..] {
        [half, full, ..] if half.parse::<u32>().is_ok() && full.parse::<u32>().is_ok() => (format!("{half} {full}"), 6),
        _ => ("0 1".to_owned(), 4),
    };
    let fen = format!("{} {clocks}", fields[..4].join(" "));
    let castling = castling_of(&fen);
    // In the words of the rules library, so that the same position is always written the same.
    let start = position(&fen, castling)?;
    let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
    let eval = match &rule.band {
        None => None,
        Some(band) => {
            let eval = centipawns(behind(line, before)).map(|eval| start.turn().fold_wb(eval, -eval));
            in_band(band, eval)?;
            eval
        }
    };
    Ok(Opening { eval, ..Opening::of(start, Some(fen), castling) })
}

fn from_pgn(text: &[u8], rule: &BookRule) -> Candidates {
    let (games, _) = read_games(text, false, || Games::new(rule));
    games.found
}

/// The value of a tag, as logs and games can take it; `None` where it is empty or `?`.
fn known(value: &[u8]) -> Option<String> {
    let text = tag_text(value);
    let text = text.trim();
    (!matches!(text, "" | "?")).then(|| printable(text))
}

/// Gathers the openings of games.
struct Games<'a> {
    rule: &'a BookRule,
    fen: Option<String>,
    variant: Option<Vec<u8>>,
    eco: Option<String>,
    name: Option<String>,
    castling: CastlingMode,
    /// The position before the moves.
    start: Chess,
    /// The position so far, `None` after something illegal.
    position: Option<Chess>,
    moves: Vec<Move>,
    wrong: Option<OpeningError>,
    /// What the comment after the last move says, in centipawns for White.
    eval: Option<i32>,
    /// Whether the position that is wanted has been reached, so that the rest of the game is no matter.
    is_found: bool,
    /// Whether moves of the game are left out: then its opening may be named after them.
    is_cut: bool,
    found: Candidates,
}

impl Games<'_> {
    fn new(rule: &BookRule) -> Games<'_> {
        Games {
            rule,
            fen: None,
            variant: None,
            eco: None,
            name: None,
            castling: CastlingMode::Standard,
            start: Chess::new(),
            position: None,
            moves: Vec::new(),
            wrong: None,
            eval: None,
            is_found: false,
            is_cut: false,
            found: Vec::new(),
        }
    }

    /// The position before the moves, in the variant that the tags tell.
    fn start(&mut self) -> Result<Chess, OpeningError> {
        let variant = self.variant.as_deref().map_or(Variant::Standard, Variant::named);
        if variant == Variant::Other {
            let name = String::from_utf8_lossy(self.variant.as_deref().unwrap_or_default()).into_owned();
            return Err(OpeningError::OtherVariant(name));
        }
        let detected = self.fen.as_deref().map_or(CastlingMode::Standard, castling_of);
        self.castling = if variant == Variant::Chess960 { CastlingMode::Chess960 } else { detected };
        self.fen.as_deref().map_or_else(|| Ok(Chess::new()), |fen| position(fen, self.castling))
    }
}

impl GameHandler for Games<'_> {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        (self.fen, self.variant, self.position, self.wrong) = (None, None, None, None);
        (self.eco, self.name) = (None, None);
        (self.eval, self.is_found, self.is_cut) = (None, false, false);
        self.moves.clear();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"FEN" => self.fen = Some(String::from_utf8_lossy(value).into_owned()),
            b"Variant" => self.variant = Some(value.to_vec()),
            b"ECO" => self.eco = known(value),
            b"Opening" => self.name = known(value),
            _ => {}
        }
    }

    fn moves(&mut self, _tags: &Tags) -> Interest {
        match self.start() {
            Ok(start) => {
                self.position = Some(start.clone());
                self.start = start;
            }
            Err(why) => self.wrong = Some(why),
        }
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        let Some(position) = &mut self.position else { return };
        if self.is_found || self.rule.band.is_none() && self.rule.plies.is_some_and(|plies| self.moves.len() >= plies) {
            self.is_cut = true;
            return;
        }
        self.eval = None;
        match san.to_move(position) {
            Ok(legal) => {
                self.moves.push(legal);
                position.play_unchecked(legal);
            }
            Err(cause) => {
                let number = self.moves.len() / 2 + 1;
                self.wrong = Some(OpeningError::IllegalSan { san: san.to_string(), number, cause });
                self.position = None;
            }
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        let Some(band) = &self.rule.band else { return };
        let Some(position) = self.position.as_ref().filter(|_| !self.is_found) else { return };
        let white_moved = position.turn().is_black();
        // What stands before the first move belongs to no move: only what says White's view has a side.
        let of_any = |eval: &Eval| !self.moves.is_empty() || eval.for_white(true) == eval.for_white(false);
        let eval = eval_in_comment(comment).filter(of_any).map(|eval| eval.for_white(white_moved));
        if let Some(EvalValue::Centipawns(eval)) = eval {
            self.eval = Some(eval);
            self.is_found = self.moves.len() >= self.rule.plies.unwrap_or(0) && band.contains(&eval.abs());
        }
    }

    fn end(&mut self, _game: ReadGame<'_>) {
        let place = self.found.len() as u64 + 1;
        let opening = match self.wrong.take() {
            Some(why) => Err(why),
            None if self.rule.band.is_some() && !self.is_found => Err(OpeningError::NoneInBand),
            None => {
                let (fen, moves, eval) = (self.fen.take(), std::mem::take(&mut self.moves), self.eval.take());
                let (eco, name) = if self.is_cut { (None, None) } else { (self.eco.take(), self.name.take()) };
                Ok(Opening { moves, eval, eco, name, ..Opening::of(self.start.clone(), fen, self.castling) })
            }
        };
        self.found.push((place, opening));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evals(text: &str) -> Vec<Option<i32>> {
        let rule = BookRule { band: Some(80..=100), ..BookRule::default() };
        let found = candidates(text.as_bytes(), &rule);
        found.into_iter().map(|(_, opening)| opening.ok().and_then(|opening| opening.eval)).collect()
    }

    #[test]
    fn the_operation_ce_is_found_as_epd_writes_it() {
        let fields = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
        for (line, expected) in [
            (format!("{fields} ce 90;"), Some(90)),
            (format!("{fields} c0 \"best; ce 90; hm\"; ce 85;"), Some(85)),
            (format!("{fields} c0 \"best; ce 90; hm\"; ce 10;"), None),
            (format!("{fields}\tce 90;"), Some(90)),
            (format!("{} ce  90 ;", fields.replace(' ', "  ")), Some(90)),
            (format!("{fields} 2 3 ce 90;"), Some(90)),
            (format!("{fields} hmvc 0; fmvn 3; ce -90;"), Some(-90)),
            (format!("{fields} acd 90;"), None),
        ] {
            assert_eq!(evals(&line), [expected], "{line}");
        }
    }

    #[test]
    fn a_comment_before_the_first_move_belongs_to_no_side() {
        let game = |comment: &str| {
            let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
            format!(
                "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{{{comment}}} 3. Bb5 {{+0.10/20 1s}} a6 {{-0.90/20 1s}} *\n"
            )
        };
        // The view of a side that has not moved; the position after 3... a6, evaluated by Black, is the first that has one.
        assert_eq!(evals(&game("+0.85/18")), [Some(90)]);
        assert_eq!(evals(&game("[%eval 0.85]")), [Some(85)]);
    }

    /// Its men would be those of chess, but it is none.
    #[test]
    fn pieces_in_hand_and_counted_checks_are_no_chess() {
        const PLACES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let read = |text: &str| {
            let mut found = candidates(text.as_bytes(), &BookRule::default());
            found.pop().expect("an opening").1.map(|_| ()).map_err(|error| error.to_string())
        };
        let of_variant = [
            format!("{PLACES}[] w KQkq - 0 1"),
            format!("{PLACES}[Nn] w KQkq - 0 1"),
            format!("{PLACES}/Nn w KQkq - 0 1"),
            format!("{PLACES} w KQkq - 3+3 0 1"),
            format!("{PLACES} w KQkq - 0 1 +2+1"),
            format!("{PLACES} w KQkq - +0+0"),
        ];
        for fen in of_variant {
            for text in [fen.clone(), format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 *\n")] {
                let said = read(&text).expect_err(&text);
                assert!(said.ends_with("it is of a variant, neither standard chess nor Chess960"), "{said}");
            }
        }
        for line in [format!("{PLACES} w KQkq -"), format!("{PLACES} w KQkq - 0 1 bm e4;")] {
            assert_eq!(read(&line), Ok(()), "{line}");
        }
    }
}
