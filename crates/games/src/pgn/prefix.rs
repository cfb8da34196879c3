//! What hides a tag from the reader in front of it on its line and is no part of it: control characters of damaged files and of files put
//! together, blanks without width, the `> ` of a quoted mail, the numbers of lines.

use super::tag_pair::{follows_game, without_blanks};

/// No longer text is such a prefix, control characters and blanks right before the tag left out: thousands of tags may stand on a line.
const LONGEST: usize = 16;

/// Blanks without width, the separators of lines and paragraphs, and the byte order mark.
pub(super) const UNSEEN: [&str; 7] =
    ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2028}", "\u{2029}", "\u{2060}", "\u{feff}"];

/// Where the prefix of a tag begins, whose bracket stands at a place: at the beginning of its line, if nothing in it has a meaning between
/// moves, or behind the result or the comment of a game, if nothing in it is seen.
pub(super) fn tag_prefix(text: &[u8], bracket: usize) -> Option<usize> {
    let seen = without_unseen(&text[..bracket]);
    if seen.len() < bracket && follows_game(seen, seen.len()) {
        return Some(seen.len());
    }
    let nearest = seen.len().saturating_sub(LONGEST);
    let line = match seen[nearest..].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) => nearest + end + 1,
        None if nearest == 0 => 0,
        None => return None,
    };
    let prefix = &seen[line..];
    let means_something = prefix.iter().any(|byte| byte.is_ascii_alphabetic() || b"{}([];\"%*".contains(byte));
    let has_result = [&b"1-0"[..], b"0-1", b"1/2"].iter().any(|result| prefix.windows(3).any(|word| word == *result));
    (!means_something && !has_result).then_some(line)
}

/// A line without the prefix of its first tag.
pub(super) fn without_prefix(line: &[u8]) -> &[u8] {
    let bracket = memchr::memchr(b'[', line).unwrap_or_default();
    if tag_prefix(line, bracket) == Some(0) { &line[bracket..] } else { line }
}

/// A text without the characters at its end that nobody sees.
fn without_unseen(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        let controls = rest.iter().rev().take_while(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r'));
        let shorter = without_blanks(&rest[..rest.len() - controls.count()]);
        let shorter = UNSEEN.iter().find_map(|one| shorter.strip_suffix(one.as_bytes())).unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_at_the_tag_and_begin_where_they_mean_nothing() {
        for (before, behind_this) in [
            ("\0\0\0", ""),
            ("1. e4 *\n\u{1a}", "1. e4 *\n"),
            ("\r\u{1b} \u{7f}\t", "\r"),
            ("1-0 {c}\0\u{200b}\u{2028} ", "1-0 {c}"),
            ("1. e4 1-0\u{feff}\0", "1. e4 1-0"),
            ("> > ", ""),
            ("1-0\n> ", "1-0\n"),
            ("\n    12\t", "\n"),
            ("2) ", ""),
            ("3. ", ""),
            ("| ", ""),
            ("\u{2022} ", ""),
            ("", ""),
        ] {
            let text = format!("{before}[Event \"a\"]");
            assert_eq!(tag_prefix(text.as_bytes(), before.len()), Some(behind_this.len()), "{before:?}");
        }
        assert_eq!(tag_prefix(&[b"\0".repeat(100_000), b"[".to_vec()].concat(), 100_000), Some(0));
        for before in [
            "e4 ",
            "a\0",
            "{ ",
            "; ",
            "% ",
            "[%clk 1] ",
            "(\0",
            "1-0 > ",
            "* | ",
            "1/2-1/2 - ",
            "\"",
            "12345678901234567",
        ] {
            let text = format!("{before}[Event \"a\"]");
            assert_eq!(tag_prefix(text.as_bytes(), before.len()), None, "{before:?}");
        }
    }

    #[test]
    fn lines_lose_the_prefix_of_their_tag() {
        for (line, without) in [
            ("> [Event \"a\"]", "[Event \"a\"]"),
            ("\u{1a}[Event \"a\"]", "[Event \"a\"]"),
            ("[Event \"a\"]", "[Event \"a\"]"),
            ("e4 [Event \"a\"]", "e4 [Event \"a\"]"),
            ("> e4", "> e4"),
            ("", ""),
        ] {
            assert_eq!(without_prefix(line.as_bytes()), without.as_bytes(), "{line}");
        }
    }
}
