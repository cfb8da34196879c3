//! Where comments of a text stand, and whether those that were read may have swallowed games, by a count of braces.

use std::mem;

use super::borders::{NextBrace, tops_tags};
use super::signs::Signs;

/// What was read of the comments of a text, from each `Event` tag to the next.
#[derive(Default)]
pub(super) struct ReadComments {
    /// Those before the first tag, and behind each but the last.
    parts: Vec<Part>,
    part: Part,
}

#[derive(Clone, Copy, Default)]
struct Part {
    /// Comments that were read to their ends.
    closed: u64,
    /// Moves of a game that nobody wanted were passed over, with their comments.
    skipped: bool,
}

impl ReadComments {
    /// An `Event` tag was read.
    pub fn event(&mut self) {
        self.parts.push(mem::take(&mut self.part));
    }

    /// `Event` tags read so far.
    pub fn events(&self) -> usize {
        self.parts.len()
    }

    /// A comment was read to its end.
    #[inline]
    pub fn closed(&mut self) {
        self.part.closed += 1;
    }

    /// The moves of a game begin; they may be passed over.
    pub fn skipped(&mut self, skipped: bool) {
        self.part.skipped |= skipped;
    }

    /// Whether a comment of the text that was read holds an opening brace or does not end.
    ///
    /// Where no more braces open than comments were read, each brace begins one of these. This takes one count of the whole text:
    /// to search every comment costs a tenth of the time of `collect`. Comments are looked at one by one only where some were
    /// passed over with a variation; in skipped games braces are counted.
    pub fn may_hold_games(&self, text: &[u8], signs: &Signs) -> bool {
        let parts = || self.parts.iter().chain([&self.part]);
        if signs.braces == parts().map(|part| part.closed).sum::<u64>() {
            return false;
        }
        if self.events() != signs.events.len() {
            return holds_brace_in_comment(text);
        }
        let mut begin = 0;
        let ends = signs.events.iter().copied().chain([text.len()]);
        ends.zip(parts()).any(|(end, part)| {
            let text = &text[begin..end];
            begin = end;
            match count(b'{', text) {
                open if open == part.closed => false,
                open if part.skipped => open > count(b'}', text),
                _ => holds_brace_in_comment(text),
            }
        })
    }
}

fn count(brace: u8, text: &[u8]) -> u64 {
    memchr::memchr_iter(brace, text).count() as u64
}

fn holds_brace_in_comment(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'{', rest) {
        rest = &rest[open + 1..];
        match memchr::memchr2(b'{', b'}', rest) {
            Some(end) if rest[end] == b'}' => rest = &rest[end + 1..],
            _ => return true,
        }
    }
    false
}

/// The comments of a text that is gone through once, from place to place.
#[derive(Default)]
pub(super) struct Comments {
    /// So far it has been gone through: no comment is open here.
    pub at: usize,
    /// The last one stands in braces, which a game that was cut may have left open.
    is_braced: bool,
}

impl Comments {
    /// Whether a place, behind all those asked for before, is within a comment or a line with `%`.
    pub fn hold(&mut self, text: &[u8], place: usize, closes: &mut NextBrace) -> bool {
        while self.at < place {
            let line_end = || memchr::memchr(b'\n', &text[self.at..]).map(|end| self.at + end);
            let end = match text[self.at] {
                b'{' => closes.from(text, self.at),
                b';' => line_end(),
                b'%' if self.at == 0 || text[self.at - 1] == b'\n' => line_end(),
                _ => {
                    let next = memchr::memchr3(b'{', b';', b'%', &text[self.at + 1..place]);
                    Some(next.map_or(place - 1, |next| self.at + next))
                }
            };
            self.is_braced = text[self.at] == b'{';
            self.at = end.map_or(text.len(), |end| end + 1);
        }
        self.at > place
    }

    /// The same, of a place within one but not of the tags there with which the next game begins.
    pub fn hide(&mut self, text: &[u8], place: usize, closes: &mut NextBrace) -> bool {
        self.hold(text, place, closes) && !(self.is_braced && tops_tags(text, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_broken_by_a_brace_or_without_an_end() {
        for (text, closed, skipped, is_broken) in [
            ("1. e4 e5 *", 0, false, false),
            ("1. e4 {a} e5 {b} *", 2, false, false),
            ("1. e4 {a {b} e5 *", 1, false, true),
            // Passed over with a variation.
            ("1. e4 {a} (1. d4 {b}) e5 {c} *", 2, false, false),
            ("1. e4 {a} (1. d4 {b {c}) e5 *", 1, false, true),
            ("1. e4 {a} e5 {b *", 1, false, true),
            ("} 1. e4 {a} e5 *", 1, false, false),
            // Passed over with the game.
            ("1. e4 {a} e5 {b} *", 0, true, false),
            ("1. e4 {a {b} e5 *", 0, true, true),
        ] {
            let part = Part { closed, skipped };
            let read = |parts: &[Part], part| ReadComments { parts: parts.to_vec(), part };
            let signs = Signs::of(text.as_bytes());
            assert_eq!(read(&[], part).may_hold_games(text.as_bytes(), &signs), is_broken, "{text}");
            // The same behind a game whose only comment was read, and where the games could not be told apart.
            let text = format!("[Event \"x\"]\n\n1. e4 {{x}} *\n\n[Event \"y\"]\n\n{text}");
            let signs = Signs::of(text.as_bytes());
            let before = [Part::default(), Part { closed: 1, skipped: false }];
            assert_eq!(read(&before, part).may_hold_games(text.as_bytes(), &signs), is_broken, "{text}");
            let together = read(&[], Part { closed: closed + 1, skipped });
            assert_eq!(together.may_hold_games(text.as_bytes(), &signs), is_broken, "{text}");
        }
    }
}
