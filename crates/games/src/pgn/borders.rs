//! Where games begin in text, by the lines alone: what the games that were read are counted against.

use std::collections::HashSet;
use std::mem;

use memchr::memmem;

use super::odd_words::holds_moves;
use super::prefix::without_prefix;
use super::tag_pair::{
    MARK, TagPair, begins_line, follows_result, is_broken_tag, is_of_game, tag_pair, without_blanks,
};

/// Whether a text begins with White's first move: `1. e4`, and not `1... e5` or `1.5`.
pub(crate) fn begins_with_first_move(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"1.") else { return false };
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    rest.get(blanks).is_some_and(|next| next.is_ascii_alphabetic() || (blanks > 0 && *next == b'0'))
}

/// Where games begin, the one at the very beginning left out:
///
/// - where a line looks like a tag, `[` and a letter and later a quote, after moves or a comment, whatever is open there; behind
///   blank lines or other words after tags only if one of the tags up to the next blank line has been given before;
/// - where the numbers of the main line begin again with 1 at the beginning of a line, or begin with 1 after a result;
/// - where they do so after a result or a blank line within a comment that holds an opening brace or has no end, or within a
///   variation: it was left open by the game before.
///
/// Tag pairs must stand on one line, see [`on_one_line`](super::tag_pair::on_one_line).
pub(super) fn game_beginnings(text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut line = 0;
    let (mut state, mut closes) = (Open::default(), NextBrace::default());
    let mut section = Section::default();
    while line < text.len() {
        let end = memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |len| line + len);
        if looks_like_a_tag(&text[line..end]) {
            if section.begins_game(&text[line..], state.comment.is_some() || state.depth > 0) {
                found.push(line);
                state = Open::default();
            }
            let behind = line + section.take(&text[line..end]);
            state.scan(text, behind, end, &mut closes, &mut found);
        } else {
            section.pass(&text[line..end]);
            state.scan(text, line, end, &mut closes, &mut found);
        }
        line = end + 1;
    }
    found.retain(|place| *place > 0);
    found
}

/// Where the first game begins that an unclosed comment has swallowed, in front of `end`: at a first move after a result or a blank
/// line.
pub(crate) fn first_game_within(comment: &[u8], end: usize) -> Option<usize> {
    let searched = &comment[..comment.len().min(end + 1)];
    let mut places = memmem::find_iter(searched, b"1.").filter(|&at| at > 0 && comment[at - 1].is_ascii_whitespace());
    places.find(|&at| begins_with_first_move(&comment[at..]) && is_separated(&comment[..at]))
}

/// The next closing brace of a text that is gone through once. It is searched for only behind the last one found: many comments
/// without an end would otherwise each be searched to the end of the text.
#[derive(Debug, Default)]
pub(crate) struct NextBrace(Option<Option<usize>>);

impl NextBrace {
    /// The first closing brace at `place` or behind it. Places must rise.
    pub(crate) fn from(&mut self, text: &[u8], place: usize) -> Option<usize> {
        match self.0 {
            Some(known) if known.is_none_or(|known| known >= place) => known,
            _ => *self.0.insert(memchr::memchr(b'}', &text[place..]).map(|brace| place + brace)),
        }
    }
}

/// The tags of a game as far as they have been gone through.
#[derive(Default)]
struct Section<'a> {
    /// Their names; `None` where something else than a tag came last.
    names: Option<HashSet<&'a [u8]>>,
    /// The last line was blank, or neither a tag nor moves.
    is_paused: bool,
}

impl<'a> Section<'a> {
    /// Goes on with the tag with which a text begins: whether it is the first of a game. Within a comment or a variation it
    /// is: comments between the tags of a game have been taken out.
    fn begins_game(&mut self, text: &[u8], is_within: bool) -> bool {
        let is_paused = mem::take(&mut self.is_paused);
        let begins = is_within || self.names.as_ref().is_none_or(|names| is_paused && is_given_again(names, text));
        if begins {
            self.names = Some(HashSet::new());
        }
        begins
    }

    /// Takes the tags of a line. Answers where they end.
    fn take(&mut self, line: &'a [u8]) -> usize {
        let names = &mut self.names;
        let (rest, is_closed) = behind_tags(line, usize::MAX, |name| {
            names.get_or_insert_default().insert(name);
        });
        // What follows a pair without its end is taken for its value.
        let is_movetext = matches!(rest.first(), Some(b'{' | b';' | b'(' | b'*' | b'0'..=b'9'));
        if is_closed && (is_movetext || follows_result(rest.trim_ascii_end(), rest.trim_ascii_end().len())) {
            self.names = None;
        }
        line.len() - rest.len()
    }

    /// Passes over a line that is no tag.
    fn pass(&mut self, line: &[u8]) {
        // Behind a line that is no tag it is asked again which game the next one belongs to.
        if self.names.is_none() || is_of_game(line) {
            self.names = None;
        } else {
            self.is_paused = true;
        }
    }
}

/// Whether one of the tags with which a text begins, up to a blank line or moves, is among these.
pub(super) fn is_given_again(names: &HashSet<&[u8]>, text: &[u8]) -> bool {
    /// No game has more tags or longer ones: where each asks, those below are not gone through to the end of the text.
    const TAGS: usize = 100;
    const LONGEST: usize = 16 << 10;
    let text = &text[..text.len().min(LONGEST)];
    // Bare carriage returns end the lines of texts that are read as they are.
    let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
    let lines = lines(text, end).take(TAGS).filter(|line| !is_comment(line) && !is_broken_tag(line));
    for line in lines.take_while(|line| looks_like_a_tag(line)) {
        let mut is_given = false;
        let (rest, is_closed) = behind_tags(line, TAGS, |name| is_given |= names.contains(name));
        if is_given || (is_closed && !rest.is_empty()) {
            return is_given;
        }
    }
    false
}

/// The lines of a text without their ends.
fn lines(text: &[u8], end: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let len = memchr::memchr(end, text);
        rest = len.map(|len| &text[len + 1..]);
        Some(&text[..len.unwrap_or(text.len())])
    })
}

/// So long the first tags of a game are that stand behind what the game before has left open: thousands may stand on a line.
const TOP: usize = 1 << 10;

/// Whether a line from a place on is nothing but tags, and the next line begins with another: so the tags of a game begin, also within what the game
/// before has left open.
pub(super) fn tops_tags(text: &[u8], place: usize) -> bool {
    let text = &text[place..text.len().min(place + TOP)];
    let Some(end) = memchr::memchr(b'\n', text) else { return false };
    let (rest, is_closed) = behind_tags(&text[..end], usize::MAX, |_| {});
    let next = lines(&text[end + 1..], b'\n').next();
    is_closed && rest.is_empty() && next.is_some_and(looks_like_a_tag)
}

/// Where the tags begin that end the line above a tag, which begins a line within a comment: behind what the game before has left open there.
pub(crate) fn tags_above(text: &[u8], line: usize) -> usize {
    let Some(above) = text[..line].strip_suffix(b"\n") else { return line };
    let begin = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1).max(line.saturating_sub(TOP));
    memchr::memchr_iter(b'[', &above[begin..]).map(|at| begin + at).find(|&at| tops_tags(text, at)).unwrap_or(line)
}

/// Whether a line is a comment, as may stand between the tags of a game.
fn is_comment(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [b';' | b'%', ..] => true,
        [b'{', inside @ .., b'}'] => !inside.contains(&b'}'),
        _ => false,
    }
}

/// Shows the names of the tags with which a line begins, up to so many. Answers what follows them, and whether the last one has its end.
pub(super) fn behind_tags<'a>(line: &'a [u8], most: usize, mut see: impl FnMut(&'a [u8])) -> (&'a [u8], bool) {
    let (mut rest, mut is_closed) = (without_mark(line), false);
    for pair in pairs(line).take(most) {
        see(pair.name);
        rest = rest[pair.len..].trim_ascii_start();
        is_closed = pair.is_closed;
    }
    (rest, is_closed)
}

/// The tag pairs with which a line begins.
fn pairs(line: &[u8]) -> impl Iterator<Item = TagPair<'_>> {
    let mut rest = without_mark(line);
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let pair = tag_pair(rest)?;
        rest = &rest[pair.len..];
        Some(pair)
    })
}

/// What is open at a place of a game.
#[derive(Default)]
struct Open {
    /// Variations.
    depth: u32,
    comment: Option<Comment>,
    /// The main line has had its first move.
    is_numbered: bool,
}

#[derive(Clone, Copy)]
struct Comment {
    /// It holds an opening brace, or has no end.
    is_broken: bool,
}

impl Open {
    /// Goes through a line that is no tag.
    fn scan(&mut self, text: &[u8], line: usize, end: usize, closes: &mut NextBrace, found: &mut Vec<usize>) {
        if self.comment.is_none() && text.get(line) == Some(&b'%') {
            return;
        }
        let mut at = line;
        while at < end {
            let begins_word = at == line || text[at - 1].is_ascii_whitespace();
            if begins_word && text[at] == b'1' && begins_with_first_move(&text[at..end]) {
                let begins_game = match self.comment {
                    Some(comment) => comment.is_broken && is_separated(&text[..at]),
                    None if self.depth > 0 => is_separated(&text[..at]),
                    None => begins_again(text, at, self.is_numbered),
                };
                if begins_game {
                    found.push(at);
                    *self = Open { is_numbered: true, ..Open::default() };
                }
                self.is_numbered |= self.comment.is_none() && self.depth == 0;
            }
            match (text[at], self.comment) {
                (b'}', Some(_)) => self.comment = None,
                (_, Some(_)) => {}
                (b'{', None) => {
                    let close = closes.from(text, at);
                    let is_broken = close.is_none_or(|close| memchr::memchr(b'{', &text[at + 1..close]).is_some());
                    self.comment = Some(Comment { is_broken });
                }
                (b';', None) => return,
                (b'(', None) => self.depth += 1,
                (b')', None) => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
    }
}

/// Whether the first move at a place of the main line is that of another game than what stands before, where a first move has been or not.
pub(crate) fn begins_again(text: &[u8], at: usize, is_numbered: bool) -> bool {
    let before = &text[..at];
    follows_end_of_game(before) || is_numbered && (begins_line(text, at) || is_separated(before))
}

/// Whether a text ends with a result and white space, or with a blank line.
pub(crate) fn is_separated(before: &[u8]) -> bool {
    let space = &before[before.trim_ascii_end().len()..];
    line_ends(space) > 1 || ends_with_result(before)
}

/// How many lines end in white space: by line feeds, or where there are none by carriage returns.
pub(crate) fn line_ends(space: &[u8]) -> usize {
    let ends = |end: u8| memchr::memchr_iter(end, space).count();
    if ends(b'\n') > 0 { ends(b'\n') } else { ends(b'\r') }
}

/// Whether a text ends with the result of a game and white space: one that is commented out to the end of its line is none.
pub(super) fn follows_end_of_game(before: &[u8]) -> bool {
    ends_with_result(before) && !ends_commented_out(before.trim_ascii_end())
}

/// Whether the last line of a text is commented out to its end, by `%` or by a semicolon that stands in no braces.
fn ends_commented_out(text: &[u8]) -> bool {
    /// Thousands of games may stand on a line.
    const LONGEST: usize = 1 << 10;
    let from = text.len().saturating_sub(LONGEST);
    let begin = memchr::memrchr(b'\n', &text[from..]).map(|newline| from + newline + 1);
    let begins_line = begin.is_some() || from == 0;
    let line = &text[begin.unwrap_or(from)..];
    let behind = memchr::memrchr(b';', line).map(|semicolon| &line[semicolon..]);
    begins_line && line.starts_with(b"%") || behind.is_some_and(|behind| !behind.contains(&b'}'))
}

/// Whether a text ends with a result and white space.
pub(super) fn ends_with_result(before: &[u8]) -> bool {
    let words = before.trim_ascii_end();
    let result = || [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| words.ends_with(result));
    words.len() < before.len() && result()
}

/// Whether a line looks like a tag, behind a byte order mark or not.
pub(super) fn looks_like_a_tag(line: &[u8]) -> bool {
    let [b'[', inside @ ..] = without_mark(line) else { return false };
    inside.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic) && inside.contains(&b'"')
}

/// A line without what may stand in front of its first tag: blanks, and the byte order mark of a file that was put behind another.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(MARK).unwrap_or(line).trim_ascii_start()
}

/// Whether the last line above a place that is not blank is a tag.
pub(super) fn follows_tags(text: &[u8], at: usize) -> bool {
    let above = text[..at].trim_ascii_end();
    let line = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1);
    above.ends_with(b"]") || looks_like_a_tag(without_prefix(&above[line..]))
}

/// Whether a game begins with the line of an `Event` tag at `line`, and not with other tags in front of it.
pub(super) fn begins_with_event(text: &[u8], line: usize) -> bool {
    /// No longer comment is looked for between tags.
    const COMMENT: usize = 4 << 10;
    /// Nor more lines of other text: each line of a text of nothing else would be climbed from all below it.
    const STRAY_LINES: usize = 8;
    let mut strays = 0;
    // Lines between the tag and the next one above it, and that one.
    let (mut is_apart, mut follows_tags) = (false, false);
    // What is left of a line in front of a comment is no blank line.
    let (mut end, mut is_left) = (line.checked_sub(1), false);
    while let Some(until) = end {
        // Asked before the line is searched for its beginning: thousands of comments may stand on it.
        let until = without_blanks(text[..until].strip_suffix(b"\r").unwrap_or(&text[..until])).len();
        if text[..until].ends_with(b"}") {
            let nearest = until.saturating_sub(COMMENT);
            // What stands above a longer one is not known.
            let Some(brace) = memchr::memrchr(b'{', &text[nearest..until]) else { return false };
            (end, is_left, is_apart) = (Some(nearest + brace), true, true);
            continue;
        }
        let start = memchr::memrchr(b'\n', &text[..until]).map_or(0, |newline| newline + 1);
        match without_prefix(text[start..until].trim_ascii()) {
            [] if is_left => {}
            [] if follows_tags => return false,
            // Comments may stand between tags.
            [] | [b'%' | b';', ..] => is_apart = true,
            words if looks_like_a_tag(words) => {
                // Those of the game before, which has an `Event` tag of its own.
                if is_apart && pairs(words).any(|pair| pair.name == b"Event") {
                    return true;
                }
                follows_tags = true;
            }
            // A pair may go on over several lines.
            [.., b']'] => follows_tags = true,
            words if strays < STRAY_LINES && !holds_moves(words) => {
                is_apart = true;
                strays += 1;
            }
            _ if strays == STRAY_LINES => return false,
            _ => break,
        }
        if follows_tags && !is_apart {
            return false;
        }
        (end, is_left) = (start.checked_sub(1), false);
    }
    !follows_tags
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags may stand above some lines of other text, but in a text of nothing else each line would be climbed from all below it.
    #[test]
    fn few_stray_lines_are_climbed() {
        let begins = |lines: usize| {
            let text = format!("[Event \"a\"]\n[White \"b\"]\n{}[Event \"c\"]", "stray\n".repeat(lines));
            begins_with_event(text.as_bytes(), text.rfind('[').expect("a tag"))
        };
        assert!(begins(1) && begins(8) && !begins(9));
    }

    fn beginnings(text: &str) -> Vec<&str> {
        game_beginnings(text.as_bytes()).into_iter().map(|at| &text[at..text.len().min(at + 6)]).collect()
    }

    #[test]
    fn games_begin_at_tags_and_where_numbers_begin_again() {
        for (text, expected) in [
            ("[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n  [Site \"c\"]\n\n1. d4 *\n", &["  [Sit"][..]),
            ("1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 *\n", &["1. d4 ", "1. c4 "]),
            ("1. e4 e5 2. Nf3\n1. d4 *", &["1. d4 "]),
            ("[Event \"a\"]\n\n1. e4 e5 2. Nf3\n\n1. d4 *", &["1. d4 "]),
            ("1. e4 {oops 1-0\n\n1. d4 {fine} d5 0-1\n\n1. c4 *", &["1. d4 ", "1. c4 "]),
            ("1. e4 {oops 1-0 1. d4 {fine} d5 0-1\n1. c4 *", &["1. d4 ", "1. c4 "]),
            ("1. e4 (1. d4 d5 1-0\n1. c4 (1. b3) e5 *", &["1. c4 "]),
            ("1. e4 (1. d4\n\n1... d5) e5", &[]),
            ("1. e4 {as in\n\n1. d4 1-0\n\n1. c4 and so on} e5 *", &[]),
            ("1. e4 {open 1-0\n\n1. d4 *\n\n1. c4 *", &["1. d4 ", "1. c4 "]),
            ("1. e4 ; {\n1... e5 (1... c5\n1. d4) *", &[]),
            ("{1. e4 is best}\n1. e4 *", &[]),
            // A pair without its end, and another behind it.
            ("1. e4 *\n[Event \"a]\"[Site \"b\"]\n1. d4 *", &["[Event"]),
        ] {
            assert_eq!(beginnings(text), expected, "{text}");
        }
    }

    /// Every brace here was once searched for from its comment to the end of the text: a minute for these four megabytes.
    #[test]
    fn comments_without_an_end_are_searched_once() {
        let begun = std::time::Instant::now();
        for game in ["1. e4 {\n\n", "[White \"a\"]\n\n1. e4 {\n\n"] {
            let games = (4 << 20) / game.len();
            assert_eq!(game_beginnings(game.repeat(games).as_bytes()).len(), games - 1, "{game}");
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn games_within_comments_are_found() {
        let within = |comment: &[u8]| first_game_within(comment, comment.len());
        assert_eq!(within(b"oops 1-0\n\n1. d4 {x"), Some(10));
        assert_eq!(within(b"1. d4 was better, 1. c4 too {x"), None);
        for (end, found) in [(10, None), (11, Some(10)), (12, Some(10))] {
            assert_eq!(first_game_within(b"oops 1-0\n\n1. d4 {x", end), found, "{end}");
        }
    }

    /// With its braces.
    #[test]
    fn no_cut_behind_a_comment_that_is_longer_than_is_looked_through() {
        for (len, expected) in [(4096, true), (4097, false)] {
            let before = format!("1. e4 * {{{}}}\n", "c".repeat(len - 2));
            let text = format!("{before}[Event \"b\"]\n");
            assert_eq!(begins_with_event(text.as_bytes(), before.len()), expected, "{len}");
        }
    }

    #[test]
    fn tags_above_are_seen_behind_other_lines() {
        for (text, expected) in
            [("*\n[A \"b\"] {c}\n\n[", true), ("[A \"b\"] ; c\n[", true), ("[A \"b\"]\n\n*\n\n[", false)]
        {
            assert_eq!(follows_tags(text.as_bytes(), text.len() - 1), expected, "{text}");
        }
        for (before, expected) in [
            ("[FEN \"x\"]\n; c\n", false),
            ("\u{1a}[FEN \"x\"]\n", false),
            ("> [FEN \"x\"]\n", false),
            ("[FEN \"x\"]\n", false),
            ("[Event \"a\"]\n[FEN \"x\"]\n", false),
            ("[Event \"a\"]\n; c\n", true),
            ("[Event \"a\"]\n[Site \"s\"]\n; c\n", true),
            ("[Event \"a\"]\n\n*\n\n", true),
        ] {
            assert_eq!(
                begins_with_event(format!("{before}[Event \"b\"]\n").as_bytes(), before.len()),
                expected,
                "{before}"
            );
        }
    }
}
