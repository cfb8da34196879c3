//! PGN as bytes: where moves, symbols and comments of main lines stand, without changing or understanding more than that.

use std::collections::HashSet;

use super::turn::{Turn, points};
use memchr::{memchr, memchr2, memchr2_iter};

use crate::pgn::{
    NextBrace, TagPair, begins_again, begins_with_first_move, first_game_within, heads_tags, is_dash, is_of_game,
    is_of_next_game, is_separated, line_ends, on_line, tag_pair, tags_above, unquoted_pair,
};

/// Receives what stands in the main lines, in its order. Places are offsets into the text.
pub(super) trait Sink {
    /// A new game begins.
    fn game(&mut self);
    /// A move whose text ends here, and who made it.
    fn played(&mut self, end: usize, is_white: bool);
    /// A `!` or `?` that ends here.
    fn suffix(&mut self, end: usize);
    /// `$nag`; numbers above 255 are 255.
    fn nag(&mut self, nag: u8);
    /// A comment without its braces, and where it ends with them.
    fn comment(&mut self, comment: &[u8], end: usize);
    /// Something in the game that has begun last is broken.
    fn broken(&mut self, what: &'static str);
}

/// Where in the structure of a file the text is; lasts from chunk to chunk.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// How many variations are open.
    depth: u32,
    /// The lines so far were tags.
    in_tags: bool,
    /// A game has begun and not ended with a result.
    in_game: bool,
    /// Its main line has had its first move.
    is_numbered: bool,
    /// Whose move is next.
    turn: Turn,
    /// The text ended in a comment.
    ends_in_comment: bool,
    /// Of the text that is being scanned.
    closes: NextBrace,
}

impl Scanner {
    /// Scans a chunk, which begins at the beginning of a line.
    pub fn scan(&mut self, text: &[u8], sink: &mut impl Sink) {
        let mut at = 0;
        let mut line_begins = true;
        // Nothing but tags has been on the line.
        let mut is_fresh = true;
        let mut section = Section::default();
        self.ends_in_comment = false;
        self.closes = NextBrace::default();
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' | b'\r' => {
                    (line_begins, is_fresh) = (true, true);
                    at += 1;
                    continue;
                }
                b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                b'[' if line_begins && (is_tag(&text[at..]) || section.unquoted(text, at, self.in_tags).is_some())
                    || heads_tags(&text[at..]) =>
                {
                    let pair = tag_pair(&text[at..]).or_else(|| section.unquoted(text, at, self.in_tags));
                    let (name, value) = pair.map_or_else(Default::default, |pair| (pair.name, pair.value));
                    let begins_game = !self.in_tags || section.ends_above(text, at, name);
                    section.take(name, begins_game);
                    self.tag(name, &on_line(value), begins_game, sink);
                    section.end = at + pair.map_or(0, |pair| pair.len);
                    match pair.filter(|pair| pair.is_closed) {
                        Some(pair) => {
                            // Another tag may follow on the same line.
                            at += pair.len;
                            continue;
                        }
                        None => {
                            at = line_end(text, at);
                            section.end = at;
                        }
                    }
                }
                b'%' if line_begins => at = line_end(text, at),
                _ if is_fresh && self.in_tags && !is_of_game(&text[at..line_end(text, at)]) => {
                    at = line_end(text, at);
                }
                b';' => {
                    let end = line_end(text, at);
                    // What is added comes behind its line, which a text that ends within does not have.
                    let line_ends = text[end..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                    if self.depth == 0 && self.in_game && line_ends > 0 {
                        sink.comment(&text[at + 1..end], end + line_ends.min(1 + usize::from(text[end] == b'\r')));
                    }
                    at = end;
                }
                b'{' => at = self.comment(text, at, sink),
                b'(' => {
                    self.depth += 1;
                    at += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    at += 1;
                }
                b'$' => {
                    let end = digits_end(text, at + 1);
                    if self.depth == 0 && end > at + 1 {
                        let nag = text[at + 1..end]
                            .iter()
                            .fold(0_u8, |nag, digit| nag.saturating_mul(10).saturating_add(digit - b'0'));
                        sink.nag(nag);
                    }
                    at = end;
                }
                b'!' | b'?' => {
                    at += 1;
                    if self.depth == 0 {
                        sink.suffix(at);
                    }
                }
                _ => at = self.word(text, at, sink),
            }
            is_fresh = false;
            // A tag may follow a comment or a result on its line.
            line_begins = byte == b'{' || (!self.in_game && self.depth == 0);
        }
    }

    /// Whether the last text ended in a comment without its closing brace.
    pub fn ends_in_comment(&self) -> bool {
        self.ends_in_comment
    }

    fn tag(&mut self, name: &[u8], value: &[u8], begins_game: bool, sink: &mut impl Sink) {
        if begins_game {
            if self.depth > 0 {
                sink.broken(OPEN_VARIATION);
            }
            self.begin(sink);
            self.is_numbered = false;
            self.in_tags = true;
            self.turn = Turn::default();
        }
        if name.eq_ignore_ascii_case(b"FEN") {
            self.turn = Turn::of_fen(value);
        }
    }

    fn begin(&mut self, sink: &mut impl Sink) {
        self.depth = 0;
        self.in_game = true;
        sink.game();
    }

    /// Passes over the comment that begins at `at`.
    fn comment(&mut self, text: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        let close = self.closes.from(text, at + 1);
        let comment = &text[at + 1..close.unwrap_or(text.len())];
        let len = close.map(|_| comment.len());
        let is_suspicious = len.is_none() || memchr(b'{', comment).is_some();
        let (tag, game) = swallowed(comment, is_suspicious);
        self.ends_in_comment = matches!((game, tag, len), (None, None, None));
        let (end, is_whole) = match (game, tag, len) {
            (Some(game), _, _) => (at + 1 + game, false),
            (None, Some(tag), _) => (tags_above(text, at + 1 + tag), false),
            (None, None, Some(len)) => (at + len + 2, true),
            (None, None, None) => (text.len(), false),
        };
        if !is_whole {
            sink.broken("a comment without its closing brace");
        } else if self.depth == 0 && self.in_game {
            sink.comment(comment, end);
        }
        if game.is_some() {
            self.end_game();
        }
        // A tag stands at the beginning of a line, which only the line end before it tells.
        end
    }

    /// What follows belongs to another game.
    fn end_game(&mut self) {
        self.depth = 0;
        self.in_game = false;
        self.is_numbered = false;
        self.in_tags = false;
        self.turn = Turn::default();
    }

    /// The number of a first move, which may be that of a game without tags: the one before has no result, or a variation is open.
    fn first_move(&mut self, text: &[u8], at: usize, sink: &mut impl Sink) {
        if self.depth > 0 {
            let space = &text[text[..at].trim_ascii_end().len()..at];
            if space.iter().any(|byte| matches!(byte, b'\n' | b'\r')) && is_separated(&text[..at]) {
                sink.broken(OPEN_VARIATION);
                self.end_game();
            }
        } else if self.in_game && begins_again(text, at, self.is_numbered) {
            self.end_game();
        }
        self.is_numbered |= self.depth == 0;
    }

    /// A move, a move number, a result, or something else that is passed over.
    fn word(&mut self, text: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        if text[at] == b'1' && begins_with_first_move(&text[at..]) {
            self.first_move(text, at, sink);
        }
        if self.depth == 0 {
            // `12.e4` is a number and a move. It is looked for first, for many numbers may stand in one word.
            let dots = digits_end(text, at);
            let (number, points) = (&text[at..dots], points(&text[dots..]));
            if !points.is_empty() {
                if number.is_empty() {
                    self.turn.points(points)
                } else {
                    self.turn.number(points)
                }
                return dots + points.len();
            }
            // So it is in `12e4`, where turns alone tell the side.
            if !number.is_empty() && text.get(dots).is_some_and(|next| next.is_ascii_alphabetic()) {
                return dots;
            }
        }
        let len = text[at..].iter().position(|&byte| ENDS_WORD[usize::from(byte)]).unwrap_or(text.len() - at);
        // What ends words and is nothing else is one by itself.
        let end = at + len.max(1);
        let word = &text[at..end];
        let is_result = matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | b"1/2");
        if self.depth > 0 {
            return end;
        }
        if is_result {
            if !self.in_game {
                self.begin(sink);
            }
            self.end_game();
            return end;
        }
        if is_null_move(word) && self.turn.is_filled() {
            return end;
        }
        if is_move(word) {
            if !self.in_game {
                self.begin(sink);
            }
            self.in_tags = false;
            let is_white = self.turn.take();
            sink.played(end, is_white);
        } else if may_be_move(word) {
            self.turn.word();
        }
        end
    }
}

/// The tags of a game so far.
#[derive(Default)]
struct Section<'a> {
    /// Their names, those that were not asked for yet apart: mostly nobody asks.
    names: HashSet<&'a [u8]>,
    fresh: Vec<&'a [u8]>,
    has_event: bool,
    /// Where the last one ends.
    end: usize,
}

impl<'a> Section<'a> {
    /// Takes a tag.
    fn take(&mut self, name: &'a [u8], is_first: bool) {
        if is_first {
            *self = Section::default();
        }
        self.has_event |= name == b"Event";
        self.fresh.push(name);
    }

    /// The tag without quotes at a place, below these or above another.
    fn unquoted(&mut self, text: &'a [u8], at: usize, in_tags: bool) -> Option<TagPair<'a>> {
        let gap = &text[self.end..at];
        let is_below = in_tags && gap.len() < 100 && gap.trim_ascii().is_empty() && line_ends(gap) < 2;
        self.names.extend(self.fresh.drain(..));
        unquoted_pair(&text[at..], is_below.then_some(&self.names))
    }

    /// Whether the tag at a place is that of another game.
    fn ends_above(&mut self, text: &'a [u8], at: usize, name: &[u8]) -> bool {
        let gap = &text[self.end..at];
        if matches!(gap, b"\n" | b"\r\n" | b" ") {
            return self.has_event && name == b"Event";
        }
        self.names.extend(self.fresh.drain(..));
        is_of_next_game(&self.names, gap, &text[at..])
    }
}

/// A brace that was never closed goes on to the next one that is, games later. Where it ends: at the next tag, or, if it is suspicious,
/// where the moves of a game begin; only the first of the two is given. It is searched for in ever longer parts of the comment, since
/// one that is closed by nothing reaches to the end of the text.
fn swallowed(comment: &[u8], is_suspicious: bool) -> (Option<usize>, Option<usize>) {
    let mut end = FIRST_PART.min(comment.len());
    loop {
        let lines = memchr2_iter(b'\n', b'\r', &comment[..end]).map(|line| line + 1);
        let tag = lines.into_iter().find(|&line| is_indented_tag(&comment[line..]));
        let game = if is_suspicious { first_game_within(comment, end) } else { None };
        let game = game.filter(|game| tag.is_none_or(|tag| *game < tag));
        if tag.is_some() || game.is_some() || end == comment.len() {
            return (tag, game);
        }
        end = end.saturating_mul(4).min(comment.len());
    }
}

/// Longer than most comments, and not so long that thousands of comments without an end cost much.
const FIRST_PART: usize = 256;

/// The bytes that end a word; a table, since every byte of every word is looked up.
const ENDS_WORD: [bool; 256] = {
    let ends = *b" \t\r\n{}();$!?[]";
    let mut table = [false; 256];
    let mut place = 0;
    while place < ends.len() {
        table[ends[place] as usize] = true;
        place += 1;
    }
    table
};

const OPEN_VARIATION: &str = "a variation without its closing parenthesis";

/// Thousands of brackets may stand on a line: no quote is looked for further behind each.
const LONGEST_TAG: usize = 4096;

/// Whether a text begins like a tag: a tag pair, or a bracket, a letter, and a quote before the line ends.
fn is_tag(text: &[u8]) -> bool {
    let line = || &text[..line_end(&text[..text.len().min(LONGEST_TAG)], 0)];
    let like_one = |inside: &[u8]| inside.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic);
    // The line is looked at last: it may hold thousands of tags.
    tag_pair(text).is_some() || text.strip_prefix(b"[").is_some_and(|inside| like_one(inside) && line().contains(&b'"'))
}

/// The same of a line that may begin with blanks.
fn is_indented_tag(line: &[u8]) -> bool {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    is_tag(&line[blanks..])
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |len| at + len)
}

fn digits_end(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Whether a word looks like a move in any language: a letter first and a rank within, or castling, or a null move.
fn is_move(word: &[u8]) -> bool {
    match word {
        [b'O' | b'o' | b'0', rest @ ..] if is_castled(rest) => true,
        _ if is_null_move(word) => true,
        [first, rest @ ..] => {
            (first.is_ascii_alphabetic() || !first.is_ascii()) && rest.iter().any(|byte| (b'1'..=b'8').contains(byte))
        }
        [] => false,
    }
}

/// Whether a word that looks like no move may be one all the same: it has letters of some language, or is castling with zeros.
fn may_be_move(word: &[u8]) -> bool {
    word.starts_with(b"0") || String::from_utf8_lossy(word).chars().any(char::is_alphabetic)
}

/// Whether what follows the first letter of castling does.
fn is_castled(rest: &[u8]) -> bool {
    let text = String::from_utf8_lossy(rest);
    let mut letters = text.chars();
    letters.next().is_some_and(|letter| letter == '-' || is_dash(letter))
        && matches!(letters.next(), Some('O' | 'o' | '0'))
}

fn is_null_move(word: &[u8]) -> bool {
    matches!(word, b"--" | b"Z0")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what it receives.
    #[derive(Default)]
    struct Notes {
        text: Vec<u8>,
        notes: Vec<String>,
    }

    impl Sink for Notes {
        fn game(&mut self) {
            self.notes.push("game".to_owned());
        }
        fn played(&mut self, end: usize, is_white: bool) {
            let begin = self.text[..end].iter().rposition(|byte| b" \n.}".contains(byte)).map_or(0, |place| place + 1);
            let side = if is_white { "W" } else { "B" };
            self.notes.push(format!("{side}:{}", self.text[begin..end].escape_ascii()));
        }
        fn suffix(&mut self, end: usize) {
            self.notes.push(char::from(self.text[end - 1]).to_string());
        }
        fn nag(&mut self, nag: u8) {
            self.notes.push(format!("${nag}"));
        }
        fn comment(&mut self, comment: &[u8], end: usize) {
            assert!(matches!(self.text[end - 1], b'}' | b'\n'));
            self.notes.push(format!("{{{}}}", comment.escape_ascii()));
        }
        fn broken(&mut self, what: &'static str) {
            self.notes.push(what.split(' ').nth(1).unwrap_or_default().to_owned());
        }
    }

    fn notes(text: impl AsRef<[u8]>) -> String {
        let mut notes = Notes { text: text.as_ref().to_vec(), notes: Vec::new() };
        let mut scanner = Scanner::default();
        scanner.scan(text.as_ref(), &mut notes);
        notes.notes.join(" ")
    }

    /// Each of these was once searched to the end of the text or of its line: minutes for a megabyte.
    #[test]
    fn what_has_no_end_is_searched_once() {
        let begun = std::time::Instant::now();
        let games =
            [("1. e4 {\n\n", None), ("[White \"b\"]\n\ne4 {\n\n", None), ("[White \"b\"]", Some(1)), ("12.", Some(0))];
        for (part, all) in games {
            let parts = (1 << 20) / part.len();
            let mut sink = Count::default();
            Scanner::default().scan(part.repeat(parts).as_bytes(), &mut sink);
            assert_eq!(sink.0, all.unwrap_or(parts), "{part}");
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    /// Counts games.
    #[derive(Default)]
    struct Count(usize);

    impl Sink for Count {
        fn game(&mut self) {
            self.0 += 1;
        }
        fn played(&mut self, _: usize, _: bool) {}
        fn suffix(&mut self, _: usize) {}
        fn nag(&mut self, _: u8) {}
        fn comment(&mut self, _: &[u8], _: usize) {}
        fn broken(&mut self, _: &'static str) {}
    }

    #[test]
    fn main_lines() {
        for (text, expected) in [
            ("[Event \"a\"]\n\n1. e4 {x} e5 $2 2.Nf3!? *\n", "game W:e4 {x} B:e5 $2 W:Nf3 ! ?"),
            ("1... e5 2. Nf3", "game B:e5 W:Nf3"),
            ("1. e4 e5 1-0 1. d4 0-1", "game W:e4 B:e5 game W:d4"),
            ("1. e4 1. e5 2. Nf3 2. Nc6 *", "game W:e4 B:e5 W:Nf3 B:Nc6"),
            ("1 . e4 e5 2 . Nf3 Nc6 3 . d4 *", "game W:e4 B:e5 W:Nf3 B:Nc6 W:d4"),
            ("1e4 e5 2Nf3 Nc6 0-0-0 *", "game W:1e4 B:e5 W:2Nf3 B:Nc6 W:0-0-0"),
            ("1. e4 (1. d4) 1\u{2026} e5 2. Nf3 2.\u{2026} Nc6 *", "game W:e4 B:e5 W:Nf3 B:Nc6"),
            ("1 ... e5 2 . Nf3 *", "game B:e5 W:Nf3"),
            // A word that is no move here may be one: numbers tell then.
            ("1. e4 e5 2. Nf3 ed 3. d4 000 4. c4 c5", "game W:e4 B:e5 W:Nf3 W:d4 W:c4 B:c5"),
            ("1. e4 e5 2. Nf3 \u{416}\u{416} 3. 0\u{2013}0 d6", "game W:e4 B:e5 W:Nf3 W:0\\xe2\\x80\\x930 B:d6"),
            ("1. e4 e5 2. ed d5 3. d4", "game W:e4 B:e5 B:d5 W:d4"),
            ("1. ... e5 2. ed d5 3. d4", "game B:e5 B:d5 W:d4"),
            ("Round 1. Rest 1. e4 e5", "game W:e4 B:e5"),
            ("1.\u{a0} e4 e5 2. \u{b1} Nf3 Nc6", "game W:e4 B:e5 W:Nf3 B:Nc6"),
            // But not where they count otherwise: half-moves, those of Banksia in 2019 and of pychess.org, two at once.
            ("1. e4 2. e5 3. Nf3 novelty 4. Nc6 5. Bb5", "game W:e4 B:e5 W:Nf3 B:Nc6 W:Bb5"),
            ("1. e4 2. d5 Nf3 3. Nf6 d4 4. c5", "game W:e4 B:d5 W:Nf3 B:Nf6 W:d4 B:c5"),
            ("1.e4 1.e5 1.Nf3 1.Nc6", "game W:e4 B:e5 W:Nf3 B:Nc6"),
            ("1. {x} 1. e4 e5 2. {y} 2. 2. d4 d5", "game W:e4 B:e5 {y} W:d4 B:d5"),
            ("1. e4 (1. d4 $1 {y (} d5 (1... Nf6!)) 1... e5 {z}", "game W:e4 B:e5 {z}"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\ne5 d4", "game B:e5 W:d4"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1. e5 d4 2. e4 d3", "game B:e5 W:d4 B:e4 W:d3"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1... e5 2. d4 e4", "game B:e5 W:d4 B:e4"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\ne5 2. d4 e4 * 1. e4 *", "game B:e5 W:d4 B:e4 game W:e4"),
            // As Lichess wrote them in 2023, chess.js, and scripts.
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 11\"]\n\n11... .. 12. e5 d4 13. e4 a4", "game B:e5 W:d4 B:e4 W:a4"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1. ... e5 ed 2. d4 e4", "game B:e5 W:d4 B:e4"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1... e5 1. d4 2... e4 2. a4", "game B:e5 W:d4 B:e4 W:a4"),
            ("[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1. -- e5 2. d4 e4", "game B:e5 W:d4 B:e4"),
            ("[Event\t\"a\"] [FEN  \"8/8/8/8/8/8/8/8  b - - 0 1\"]\n\ne5 d4", "game B:e5 W:d4"),
            ("[ Event \"a\"]\n[ FEN\n\"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1... e5 [Event \"no tag\"]", "game B:e5"),
            ("  [Event \"a\"]\n  [Site \"b\"] 1. e4 *\n  [Event \"c\"]\n[Event \"d\"]", "game W:e4 game game"),
            ("1. O-O 0-0-0 2. -- e8=Q+ 3. Sf3 \u{424}3+", "game W:O-O B:0-0-0 W:-- B:e8=Q+ W:Sf3 B:\\xd0\\xa43+"),
            ("1. e4 N += e.p. $300 $ e5", "game W:e4 $255 B:e5"),
            ("1. e4 ; e5 {no}\n% e5\ne5 } ) 2. d4", "game W:e4 { e5 {no}} B:e5 W:d4"),
            ("1. e4 (1. d4 ; a\n) e5 ; b", "game W:e4 B:e5"),
            ("1. e4[Event \"b\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\ne5 [a] d4", "game W:e4 game B:e5 W:d4"),
            ("1. e4 (1. d4[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n1... e5 *", "game W:e4 variation game B:e5"),
            ("1.e4\r[Event \"b\"]\r\r1.d4", "game W:e4 game W:d4"),
            ("{before} 1. e4", "game W:e4"),
            ("[Event \"a\"]\n{before} 1. e4", "game {before} W:e4"),
            ("[Event \"a\"]\n[Event \"b\"]\n[White \"{\"]\n\n*", "game game"),
            (
                "[Event \"a\"]\n\n1. e4 1-0 {c} [Event \"b4 c5\"] {d} [Site \"e6\"] 1. d4 * [Event \"c\"]",
                "game W:e4 game {d} W:d4 game",
            ),
            ("*", "game"),
            ("", ""),
        ] {
            assert_eq!(notes(text), expected, "{text}");
        }
    }

    #[test]
    fn broken_games_do_not_swallow_the_next() {
        for (text, expected) in [
            ("1. e4 {x\n[%eval 1.0]\n[Event \"b\"]\n\n1. d4 {y}", "game W:e4 comment game W:d4 {y}"),
            ("1. e4 {x\r[Event \"b\"]\r1. d4 *", "game W:e4 comment game W:d4"),
            ("1. e4 {x", "game W:e4 comment"),
            ("1. e4 (1. d4\n\n[Event \"b\"]\n\n1. c4", "game W:e4 variation game W:c4"),
            ("1. e4 (1. d4 {x\n[Event \"b\"]\n\n1. c4", "game W:e4 comment variation game W:c4"),
            ("1. e4 {x\n  [Event \"b\"]\n\n1. d4 {y}", "game W:e4 comment game W:d4 {y}"),
            (
                "1. e4 {x [y] [FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n[White \"w\"]\n\ne5 {y} d4",
                "game W:e4 comment game B:e5 {y} W:d4",
            ),
            ("1. e4 {x 1-0\n\n1. d4 {y} d5 *\n\n1. c4 *", "game W:e4 comment game W:d4 {y} B:d5 game W:c4"),
            ("1. e4 (1. d4 1-0\n\n1. c4 c5 *", "game W:e4 variation game W:c4 B:c5"),
            // A bracket within a comment is no tag without a letter and a quote.
            ("1. e4 {x\n[%clk 1]\n[b]} e5", "game W:e4 {x\\n[%clk 1]\\n[b]} B:e5"),
        ] {
            assert_eq!(notes(text), expected, "{text}");
        }
    }
}
