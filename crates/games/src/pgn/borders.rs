//! Where games begin in text, by the lines alone.

use memchr::memmem;

/// Where the tags of a game begin: lines that look like a tag, `[` and a letter and later a quote, after a line that
/// does not. Blanks before the bracket do not matter; the one at the very beginning is left out.
pub(super) fn section_beginnings(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'\n', text).map(|newline| newline + 1).filter(|&line| {
        looks_like_a_tag(&text[line..]) && {
            let before = &text[..line - 1];
            let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            !looks_like_a_tag(&before[start..])
        }
    })
}

/// Whether the first line of some text looks like a tag.
fn looks_like_a_tag(text: &[u8]) -> bool {
    let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
    let [b'[', inside @ ..] = line.trim_ascii_start() else { return false };
    inside.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic) && inside.contains(&b'"')
}

/// Where lines begin with `[Event `.
pub(super) fn event_lines(text: &[u8]) -> impl Iterator<Item = usize> {
    let first = text.starts_with(b"[Event ").then_some(0);
    first.into_iter().chain(memmem::find_iter(text, b"\n[Event ").map(|newline| newline + 1))
}

/// Whether the line before the one at `line` is a tag, so that no game ends between the two.
pub(super) fn follows_a_tag(text: &[u8], line: usize) -> bool {
    let before = &text[..line - 1];
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    before[start..].starts_with(b"[")
}
