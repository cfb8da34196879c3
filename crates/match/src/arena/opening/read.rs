//! Openings as files write them.

use std::ops::RangeInclusive;

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::super::uci::printable;
use super::{BookRule, Opening, OpeningError, is_of_variant, position};
use drawish_games::pgn::{
    Eval, EvalDoubts, EvalReader, EvalValue, GameEnd, GameHandler, Interest, OddWords, ReadGame, TagName, Tags,
    Variant, read_games, tag_text,
};

/// What stands at each place of a book, each opening in the variant that it needs.
pub(super) type Candidates = Vec<(u64, Result<Opening, OpeningError>)>;

/// Reads lines or games, whichever the text is, the words of games that look like moves and are none, and what speaks against how their
/// evaluations were read.
pub(super) fn candidates(text: &[u8], rule: &BookRule) -> (Candidates, OddWords, EvalDoubts) {
    if is_pgn(text) {
        let (found, doubts) = from_pgn(text, rule);
        (found, OddWords::of(text), doubts)
    } else {
        (from_lines(text, rule), OddWords::default(), EvalDoubts::default())
    }
}

pub(super) fn is_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    // Lines of comment stand in front of either.
    let first = lines.find(|line| !line.is_empty() && !is_comment(line));
    first.is_some_and(|first| [&b"["[..], b"1.", b"{"].iter().any(|begin| first.starts_with(begin)))
}

/// Whether a line of EPD is none.
fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'#' | b';' | b'%'))
}

/// By the castling rights of a FEN, if it is one.
fn castling_of(fen: &str) -> CastlingMode {
    fen.parse::<Fen>().map_or(CastlingMode::Standard, |fen| drawish_games::pgn::castling_of(fen.as_setup()))
}

fn from_lines(text: &[u8], rule: &BookRule) -> Candidates {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().zip(1..);
    lines
        // A byte order mark may stand in front of each file of which a book was put together.
        .map(|(line, place)| (line.trim_start_matches('\u{feff}').trim(), place))
        .filter(|(line, _)| !line.is_empty() && !is_comment(line.as_bytes()))
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

/// The operand of an operation with this code, of what stands behind the four fields of an EPD.
fn operand<'a>(operations: &'a str, code: &str) -> Option<&'a str> {
    let mut is_quoted = false;
    let operations = operations.split(|c: char| {
        // Operands in quotation marks may hold anything.
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    operations
        .filter_map(|operation| operation.trim().split_once(char::is_whitespace))
        .find_map(|(name, value)| (name == code).then(|| value.trim()))
}

/// What stands behind so many fields.
fn behind(line: &str, fields: usize) -> &str {
    (0..fields).fold(line.trim_start(), |rest, _| {
        rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
    })
}

/// The number with which a field begins, where a sign separates it from something else: `61;`, `61,0.5`, `61|35`.
fn counter(field: &str) -> &str {
    field.split([';', ',', '|', '.']).next().unwrap_or_default()
}

fn is_counter(field: &str) -> bool {
    field.parse::<u32>().is_ok()
}

/// Four fields of EPD with the operations `ce` (centipawns for the side to move), `hmvc` and `fmvn` (the clock and the move number of a
/// FEN), others being left out; or five or six of FEN, the last of which ends where its number does.
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
        [half, full, ..] if is_counter(half) && is_counter(counter(full)) => (format!("{half} {}", counter(full)), 6),
        // The last field may be missing. Two with a comma between them are no FEN.
        [half, ..] if is_counter(counter(half)) && !half.contains('.') => {
            (format!("{} 1", half.trim_end_matches(';')), 5)
        }
        _ => {
            let operations = behind(line, 4);
            let [half, full] =
                [("hmvc", "0"), ("fmvn", "1")].map(|(code, usual)| operand(operations, code).unwrap_or(usual));
            (format!("{half} {full}"), 4)
        }
    };
    // The semicolon of an empty list of operations may stand at the last field.
    let fen = format!("{} {clocks}", fields[..4].join(" ").trim_end_matches(';'));
    let castling = castling_of(&fen);
    // In the words of the rules library, so that the same position is always written the same.
    let start = position(&fen, castling)?;
    let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
    let eval = match &rule.band {
        None => None,
        Some(band) => {
            let eval = operand(behind(line, before), "ce")
                .and_then(|value| value.parse().ok())
                .map(|eval: i32| start.turn().fold_wb(eval, -eval));
            in_band(band, eval)?;
            eval
        }
    };
    Ok(Opening { eval, ..Opening::of(start, Some(fen), castling) })
}

fn from_pgn(text: &[u8], rule: &BookRule) -> (Candidates, EvalDoubts) {
    let (games, _) = read_games(text, false, || Games::new(rule));
    (games.found, games.evals.doubts)
}

/// The FEN of a game as engines can take it: as it stands there, if it has all six fields as the rules library writes them. The square of
/// en passant may stand there without a pawn that captures, and rights of Chess960 may be written in several ways.
fn complete(fen: &str, start: &Chess, castling: CastlingMode) -> String {
    let usual = Fen::from_position(start, EnPassantMode::Legal).to_string();
    let [written, expected] = [fen, &usual].map(|fen| fen.split(' ').collect::<Vec<_>>());
    let is_free = |field: usize| field == 3 || field == 2 && castling.is_chess960();
    let is_complete = written.len() == expected.len()
        && (0..written.len()).all(|field| is_free(field) || written[field] == expected[field]);
    if is_complete { fen.to_owned() } else { usual }
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
    eco: Option<String>,
    name: Option<String>,
    castling: CastlingMode,
    /// The position before the moves.
    start: Chess,
    /// The position so far, `None` after something illegal.
    position: Option<Chess>,
    moves: Vec<Move>,
    /// Half-moves read, with those behind the opening.
    half_moves: u64,
    evals: EvalReader,
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
            eco: None,
            name: None,
            castling: CastlingMode::Standard,
            start: Chess::new(),
            position: None,
            moves: Vec::new(),
            half_moves: 0,
            evals: EvalReader::default(),
            wrong: None,
            eval: None,
            is_found: false,
            is_cut: false,
            found: Vec::new(),
        }
    }

    /// The position before the moves, in the variant that the tags tell.
    fn start(&mut self, tags: &Tags) -> Result<Chess, OpeningError> {
        let variant = tags.get(TagName::Variant).map_or(Variant::Standard, Variant::named);
        if variant == Variant::Other {
            return Err(OpeningError::OtherVariant(tags.text(TagName::Variant).unwrap_or_default()));
        }
        let fen = tags.text(TagName::Fen).map(|fen| fen.split_whitespace().collect::<Vec<_>>().join(" "));
        // Some programs write an empty FEN for the standard position.
        self.fen = fen.filter(|fen| !matches!(&**fen, "" | "?"));
        let detected = self.fen.as_deref().map_or(CastlingMode::Standard, castling_of);
        self.castling = if variant == Variant::Chess960 { CastlingMode::Chess960 } else { detected };
        let Some(fen) = &self.fen else { return Ok(Chess::new()) };
        let start = position(fen, self.castling)?;
        self.fen = Some(complete(fen, &start, self.castling));
        Ok(start)
    }

    /// Whether so many half-moves were read as are taken of each game.
    fn has_enough(&self) -> bool {
        self.rule.band.is_none() && self.rule.plies.is_some_and(|plies| self.moves.len() >= plies)
    }
}

impl GameHandler for Games<'_> {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        (self.fen, self.position, self.wrong) = (None, None, None);
        (self.eco, self.name) = (None, None);
        (self.eval, self.is_found, self.is_cut) = (None, false, false);
        self.moves.clear();
        self.half_moves = 0;
        self.evals.begin();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"ECO" => self.eco = known(value),
            b"Opening" => self.name = known(value),
            _ => {}
        }
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        (self.position, self.wrong) = (None, None);
        match self.start(tags) {
            Ok(start) => {
                self.position = Some(start.clone());
                self.start = start;
            }
            Err(why) => self.wrong = Some(why),
        }
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        self.half_moves += 1;
        if self.is_found || self.has_enough() {
            self.is_cut = true;
            return;
        }
        let Some(position) = &mut self.position else { return };
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
        // Also behind the opening: the more evaluations, the better they tell from whose view they are.
        let Some(eval) = self.evals.read(comment, self.half_moves) else { return };
        let Some(position) = self.position.as_ref().filter(|_| !self.is_found) else { return };
        let white_moved = position.turn().is_black();
        // What stands before the first move belongs to no move: only what says White's view has a side.
        let of_any = |eval: &Eval| !self.moves.is_empty() || eval.for_white(true) == eval.for_white(false);
        if let (true, EvalValue::Centipawns(eval)) = (of_any(&eval), eval.for_white(white_moved)) {
            self.eval = Some(eval);
            self.is_found = self.moves.len() >= self.rule.plies.unwrap_or(0) && band.contains(&eval.abs());
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        self.evals.end(game.outcome(), self.start.turn().is_black());
        let place = self.found.len() as u64 + 1;
        let opening = match self.wrong.take() {
            Some(why) => Err(why),
            // What followed is not known, and with all the game the opening would be another one.
            None if game.end != GameEnd::Whole && !self.is_found && !self.has_enough() => Err(OpeningError::Open),
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
        let (found, ..) = candidates(text.as_bytes(), &rule);
        found.into_iter().map(|(_, opening)| opening.ok().and_then(|opening| opening.eval)).collect()
    }

    /// Units, seconds and views as in all games that are read.
    #[test]
    fn games_decide_how_their_comments_are_read() {
        let game = |comments: [&str; 4]| {
            let [a, b, c, d] = comments.map(|comment| format!("{{{comment}}}"));
            format!("[Event \"e\"]\n\n1. e4 {a} e5 {b} 2. Nf3 {c} Nc6 {d} *\n\n")
        };
        assert_eq!(evals(&game(["[%eval 0.3]", "[%eval 0.2]", "[%eval 0.25]", "[%eval 1]"])), [Some(100)]);
        assert_eq!(evals(&game(["[%eval 30]", "[%eval 20]", "[%eval 25]", "[%eval 90]"])), [Some(90)]);
        assert_eq!(evals(&game(["22.016", "12.5", "0.90", "3.125"])), [None]);
        assert_eq!(evals(&game(["0.20", "-0.30", "0.90", "-0.85"])), [Some(90)]);
        let doubts =
            |games: &str| candidates(games.as_bytes(), &BookRule { band: Some(80..=100), ..BookRule::default() }).2;
        let of_white = doubts(&game(["+0.90/18", "+1.50/18", "+1.60/18", "+1.70/18"]).repeat(9));
        assert!(of_white.lines()[0].contains("contradict each other"), "{of_white:?}");
        assert!(doubts(&game(["+0.90/18", "-1.50/18", "+1.60/18", "-1.70/18"]).repeat(9)).lines().is_empty());
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

    /// Their operations are of the EPD specification, in part IV of the PGN standard.
    #[test]
    fn an_epd_says_its_clock_and_move_number() {
        let fields = "8/5k2/8/8/8/8/5PK1/8 w - -";
        let fen = |line: &str| {
            let (mut found, ..) = candidates(line.as_bytes(), &BookRule::default());
            found
                .pop()
                .expect("an opening")
                .1
                .map(|opening| opening.fen.expect("a FEN"))
                .map_err(|error| error.to_string())
        };
        for (operations, clocks) in [
            ("", "0 1"),
            ("hmvc 14; fmvn 61;", "14 61"),
            ("id \"hmvc 3;\"; fmvn 7; hmvc 2;", "2 7"),
            ("fmvn 40;", "0 40"),
            ("14 61 hmvc 2;", "14 61"),
            ("14 61;", "14 61"),
            ("14 61,0.5", "14 61"),
            ("14 61|35|0.5", "14 61"),
            ("14 61.", "14 61"),
            ("14", "14 1"),
            ("14;", "14 1"),
            (";", "0 1"),
            ("0.5", "0 1"),
            ("1-0", "0 1"),
        ] {
            assert_eq!(fen(&format!("{fields} {operations}")), Ok(format!("{fields} {clocks}")), "{operations}");
        }
        assert_eq!(fen(&format!("{fields}; hmvc 2;")), Ok(format!("{fields} 2 1")));
        for wrong in ["hmvc x;", "fmvn -1;", "14,61", "14|61"] {
            assert!(fen(&format!("{fields} {wrong}")).is_err(), "{wrong}");
        }
    }

    /// Engines take FENs of six fields, in standard chess with the usual castling rights.
    #[test]
    fn fens_of_games_are_completed() {
        let fen = |tags: &str, fen: &str| {
            let text = format!("[Event \"e\"]\n{tags}[FEN \"{fen}\"]\n\n*\n");
            let found =
                candidates(text.as_bytes(), &BookRule::default()).0.pop().expect("a game").1.expect("an opening");
            found.fen.expect("a FEN")
        };
        const PLACES: &str = "rnbqkb1r/pp1p1ppp/2p2n2/4p3/2P5/2N3P1/PP1PPP1P/R1BQKBNR";
        for (fields, expected) in [
            (" b KQkq - 1 4", " b KQkq - 1 4"),
            (" b KQkq -", " b KQkq - 0 1"),
            (" b KQkq - 1", " b KQkq - 1 1"),
            (" b", " b - - 0 1"),
            ("", " w - - 0 1"),
            (" b QKqk - 0 0", " b KQkq - 0 1"),
            (" b HAha - 1 4", " b KQkq - 1 4"),
            ("_b_KQkq_-_1_4", " b KQkq - 1 4"),
        ] {
            assert_eq!(fen("", &format!("{PLACES}{fields}")), format!("{PLACES}{expected}"), "{fields}");
        }
        let chess960 = format!("{PLACES} b HAha - 1 4");
        assert_eq!(fen("[Variant \"Chess960\"]\n", &chess960), chess960);
        assert_eq!(
            fen("", &format!("{}b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ")).split(' ').nth(3),
            Some("e3")
        );
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
            let (mut found, ..) = candidates(text.as_bytes(), &BookRule::default());
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

    /// What each opening begins with, or why it cannot be played.
    fn read(text: &str, plies: Option<usize>) -> Vec<String> {
        let (found, ..) = candidates(text.as_bytes(), &BookRule { plies, ..BookRule::default() });
        let said = |opening: Result<Opening, OpeningError>| match opening {
            Ok(opening) => format!("{} {}", opening.fen().unwrap_or("start"), opening.moves().len()),
            Err(why) => why.to_string(),
        };
        found.into_iter().map(|(_, opening)| said(opening)).collect()
    }

    /// Such games were once begun from the standard position.
    #[test]
    fn tags_are_read_as_they_are_of_games_that_are_counted() {
        const FEN: &str = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
        let game = |tags: &str| read(&format!("[Event \"a\"]\n{tags}\n\n1. a3 *\n"), None).concat();
        for tags in [format!("[Fen \"{FEN}\"]"), format!("[FEN \" {} \"]", FEN.replace(' ', "  "))] {
            assert_eq!(game(&tags), format!("{FEN} 1"));
        }
        for tags in ["[FEN \"\"]", "[FEN \"?\"]", "[Variant \"\"]"] {
            assert_eq!(game(tags), "start 1", "{tags}");
        }
        let other = "it is a game of Atomic, which is neither standard chess nor Chess960";
        for tags in ["[variant \"Atomic\"]", "[VARIANT \" Atomic \"]"] {
            assert_eq!(game(tags), other, "{tags}");
        }
        assert_eq!(read("% made by hand\n[Event \"a\"]\n\n1. e4 *\n", None), ["start 1"]);
    }

    #[test]
    fn a_game_that_is_not_whole_is_no_opening_but_for_its_first_moves() {
        let open = OpeningError::Open.to_string();
        let text =
            "[Event \"a\"]\n\n1. e4 {oops e5 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n\n1. c4 (1. b3 e5 *\n";
        assert_eq!(read(text, None), [&*open, "start 2", &open]);
        assert_eq!(read(text, Some(1)), ["start 1"; 3]);
    }

    #[test]
    fn words_that_are_no_moves_are_found_wherever_they_stand() {
        let games = "[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(1000);
        let odd = |text: &str| candidates(text.as_bytes(), &BookRule::default()).1;
        assert_eq!(odd(&games).count, 0);
        let odd = odd(&(games + "1. e4 e5 2. Sf3 Sc6 3. d4 *\n"));
        assert_eq!((odd.count, &*odd.first), (2, "Sf3"));
    }

    #[test]
    fn lines_of_comment_stand_in_front_of_either_kind() {
        let line = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -";
        for comment in ["; my book", "% my book", "# my book\n\n;"] {
            assert_eq!(read(&format!("{comment}\n{line}\n{comment}\n"), None), [format!("{line} 0 1 0")], "{comment}");
        }
        for comment in ["; my book", "% my book"] {
            assert_eq!(read(&format!("{comment}\n1. e4 e5 *\n"), None).len(), 1, "{comment}");
        }
    }

    #[test]
    fn lines_may_come_from_several_files() {
        let line = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -";
        assert_eq!(
            read(&format!("\u{feff}{line}\n\u{feff}{line}"), None),
            [format!("{line} 0 1 0"), format!("{line} 0 1 0")]
        );
    }
}
