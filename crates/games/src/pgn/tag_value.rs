//! The values of tags: where they end, also where they were wrapped, and what their escapes mean.

use std::borrow::Cow;

use super::tag_pair::{TagPair, tag_pair, without_blanks};
use super::within_line::tags_of_line;

/// Where a value ends: at a quote that no backslash stands before, or with its line.
pub(super) fn value_end(text: &[u8]) -> usize {
    let mut end = 0;
    while let Some(byte) = text.get(end).filter(|byte| !matches!(byte, b'"' | b'\n' | b'\r')) {
        end += 1 + usize::from(*byte == b'\\' && text.get(end + 1).is_some_and(|next| matches!(next, b'"' | b'\\')));
    }
    end
}

/// So long is the line on which a wrapped value ends, and over so many lines it goes at most.
const LONGEST_WRAPPED: usize = 256;
const WRAPPED_LINES: usize = 3;

/// The lines below one that ends there, with the places where they begin, on which its value may go on, as where a mail or a page of the web
/// was wrapped: few, up to one that is empty or begins like a tag.
pub(super) fn lines_below(text: &[u8], mut end: usize) -> impl Iterator<Item = (usize, &[u8])> {
    (1..WRAPPED_LINES).map_while(move |_| {
        let below = text[end..].strip_prefix(b"\r\n").or_else(|| text[end..].strip_prefix(b"\n"))?;
        let begin = text.len() - below.len();
        let below = &below[..below.len().min(LONGEST_WRAPPED)];
        let line = &below[..memchr::memchr2(b'\n', b'\r', below).unwrap_or(below.len())];
        end = begin + line.len();
        (!matches!(line.trim_ascii_start().first(), None | Some(b'['))).then_some((begin, line))
    })
}

/// Where a value that ends with its line goes on to: to a quote and a bracket on one of the next lines.
pub(super) fn wrapped(text: &[u8], line_end: usize) -> Option<usize> {
    let (begin, line) = lines_below(text, line_end).find(|(_, line)| line[value_end(line)..].starts_with(b"\""))?;
    let end = value_end(line);
    line[end + 1..].trim_ascii_start().starts_with(b"]").then_some(begin + end)
}

/// A value on one line.
pub(crate) fn on_line(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', value).is_none() {
        return Cow::Borrowed(value);
    }
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    Cow::Owned(lines.collect::<Vec<_>>().join(&b' '))
}

/// A value with its escapes resolved: `\"` is a quote and `\\` a backslash; any other backslash is itself.
pub(super) fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (b'\\', [next @ (b'"' | b'\\'), tail @ ..]) => {
                out.push(*next);
                tail
            }
            _ => {
                out.push(*first);
                tail
            }
        };
    }
    Cow::Owned(out)
}

/// Tags whose values fastchess takes from engines as they are: whole tags and games may stand in them.
const OF_ENGINES: [&[u8]; 4] = [b"EngineWhiteName", b"EngineWhiteAuthor", b"EngineBlackName", b"EngineBlackAuthor"];

/// Length of what follows a pair on its line up to a closing bracket, which is the rest of its value: there was a quote in it, and perhaps a bracket.
/// The reader takes it for moves.
pub(super) fn rest_of_value(text: &[u8], end: usize, pair: TagPair<'_>) -> usize {
    let before = without_blanks(&text[..end - pair.len]);
    // Once a line: behind a byte order mark thousands may stand there.
    if before.is_empty() || before.ends_with(b"\n") {
        let len = memchr::memchr(b'\n', &text[end..]).unwrap_or(text.len() - end);
        let rest = text[end..end + len].trim_ascii_end();
        let holds_tags = || memchr::memchr_iter(b'[', rest).any(|at| tag_pair(&rest[at..]).is_some());
        if rest.ends_with(b"\"]")
            && (OF_ENGINES.contains(&pair.name) && !tags_of_line(rest).1 || pair.is_closed && !holds_tags())
        {
            return rest.len();
        }
    }
    if pair.is_closed || !text[..end].ends_with(b"\"") {
        return 0;
    }
    // Thousands of tags may stand on the line.
    let len = memchr::memchr2(b'\n', b'[', &text[end..]).unwrap_or(text.len() - end);
    let rest = text[end..end + len].trim_ascii_end();
    if rest.ends_with(b"]") && text.get(end + len) != Some(&b'[') { rest.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_together_by_one_blank() {
        for (value, expected) in
            [("a b", "a b"), ("a\nb", "a b"), ("a \r\n b\n", "a b"), ("\nAtomic", "Atomic"), ("\n", "")]
        {
            assert_eq!(on_line(value.as_bytes()), expected.as_bytes(), "{value:?}");
        }
    }

    #[test]
    fn escapes_are_resolved_one_after_another() {
        for (value, expected) in [
            ("a", "a"),
            ("\\\"a\\\"", "\"a\""),
            ("\\\\", "\\"),
            ("\\\\\\\"", "\\\""),
            ("\\\\\\\\", "\\\\"),
            ("C:\\x\\", "C:\\x\\"),
        ] {
            assert_eq!(unescaped(value.as_bytes()), expected.as_bytes(), "{value}");
        }
    }
}
