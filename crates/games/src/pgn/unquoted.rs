//! Tags whose value stands in no quotes, or in other quotes than those of the standard: `[Variant Atomic]`, `[Variant “Atomic”]`.

use std::collections::HashSet;

use super::borders::looks_like_a_tag;
use super::prefix::UNSEEN;
use super::tag_pair::{TagPair, is_broken_tag};
use super::tag_value::lines_below;
use super::tags::is_kept;

/// No longer line is such a tag, as the reader takes no longer ones with quotes.
const LONGEST: usize = 1024;

/// The tag without straight quotes with which a text begins, alone on its line, right below tags of its game with these names, of which it
/// is none, or right above what looks like a tag: of those that are [kept](is_kept), for a game must not count as another because of its
/// quotes. Quotes of other kinds belong to no value.
pub(crate) fn unquoted_pair<'a>(text: &'a [u8], above: Option<&HashSet<&[u8]>>) -> Option<TagPair<'a>> {
    // Thousands of brackets may stand on the line.
    let line_len = memchr::memchr2(b'\n', b'\r', &text[..text.len().min(LONGEST)])
        .or_else(|| (text.len() <= LONGEST).then_some(text.len()))?;
    let (line, behind) = text.split_at(wrapped(text, line_len).unwrap_or(line_len));
    let inside = line.trim_ascii_end().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let letters = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, value) = inside.split_at(letters);
    let value = without_quotes(value.trim_ascii());
    let is_value = !value.is_empty() && memchr::memchr3(b'"', b'\\', b'[', value).is_none();
    let is_apart = || inside[letters..].len() > value.len();
    if !is_kept(name) || !is_value || memchr::memchr3(b']', b'{', b'}', value).is_some() || !is_apart() {
        return None;
    }
    let is_above_tag = || {
        let next = behind.strip_prefix(b"\r").unwrap_or(behind).strip_prefix(b"\n").unwrap_or_default();
        let next = &next[..memchr::memchr(b'\n', next).unwrap_or(next.len())];
        looks_like_a_tag(next) || is_broken_tag(next)
    };
    let len = line.trim_ascii_end().len();
    above.map_or_else(is_above_tag, |names| !names.contains(name)).then_some(TagPair {
        name,
        value,
        len,
        is_closed: true,
        is_plain: false,
    })
}

/// Where a tag ends whose value in quotes goes on behind the end of its line: with a bracket at the end of one of the next lines.
fn wrapped(text: &[u8], line_len: usize) -> Option<usize> {
    let line = text[..line_len].trim_ascii_end();
    let inside = line.strip_prefix(b"[").filter(|inside| !inside.ends_with(b"]"))?;
    let letters = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let value = inside[letters..].trim_ascii_start();
    if !QUOTES.iter().any(|quote| value.starts_with(quote)) {
        return None;
    }
    let (begin, line) = lines_below(text, line_len).find(|(_, line)| line.trim_ascii_end().ends_with(b"]"))?;
    Some(begin + line.len())
}

/// Quotes as typographers and other languages write them, in UTF-8 or in Windows' code page 1252, or as other files escape them.
const QUOTES: [&[u8]; 18] = [
    b"\\\"",
    b"&quot;",
    b"&#34;",
    b"'",
    b"`",
    "\u{b4}".as_bytes(),
    "\u{201c}".as_bytes(),
    "\u{201d}".as_bytes(),
    "\u{201e}".as_bytes(),
    "\u{2018}".as_bytes(),
    "\u{2019}".as_bytes(),
    "\u{ab}".as_bytes(),
    "\u{bb}".as_bytes(),
    b"\x84",
    b"\x91",
    b"\x92",
    b"\x93",
    b"\x94",
];

/// A value without blanks of any kind at its ends, as pages and keyboards of other languages have them.
fn trimmed(value: &[u8]) -> &[u8] {
    let Ok(text) = std::str::from_utf8(value) else {
        // In code page 1252.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0xa0;
        let begin = value.iter().position(|byte| !is_blank(byte)).unwrap_or(value.len());
        let end = value.iter().rposition(|byte| !is_blank(byte)).map_or(begin, |last| last + 1);
        return &value[begin..end];
    };
    let is_unseen = |letter: char| UNSEEN.iter().any(|one| one.starts_with(letter));
    text.trim_matches(|letter: char| letter.is_whitespace() || is_unseen(letter)).as_bytes()
}

/// A value without one of these quotes at either end, at its end also the standard's, behind another or behind blanks of these kinds.
fn without_quotes(value: &[u8]) -> &[u8] {
    // A byte of code page 1252 may be the last one of a letter in UTF-8.
    let is_latin = std::str::from_utf8(value).is_err();
    let fits = |sign: &&[u8]| is_latin || sign.len() > 1 || sign.is_ascii();
    let inner = trimmed(value);
    let is_behind_blank = inner.len() < value.len();
    let mut first = QUOTES.into_iter().filter(fits).chain(is_behind_blank.then_some(&b"\""[..]));
    let value = first.find_map(|quote| inner.strip_prefix(quote)).unwrap_or(inner);
    // Escaped it stands among the others.
    let mut last = QUOTES.into_iter().filter(fits).chain([&b"\""[..]]);
    last.find_map(|quote| value.strip_suffix(quote)).unwrap_or(value).trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_stands_between_name_and_bracket() {
        for (text, name, value) in [
            ("[Variant Atomic]", "Variant", "Atomic"),
            ("[Variant \u{201c}Atomic\u{201d}]  ", "Variant", "Atomic"),
            ("[Variant \u{201c}King of the\nHill\u{201d}]", "Variant", "King of the\nHill"),
            ("[FEN &quot;4k3/8/8/8/8/8/8/4K3 w\r\n- -\r\n0 5&quot;]", "FEN", "4k3/8/8/8/8/8/8/4K3 w\r\n- -\r\n0 5"),
            ("[variant\u{201e}Atomic\u{201c}]\r\n", "variant", "Atomic"),
            ("[Variant 'Atomic']", "Variant", "Atomic"),
            ("[Variant \u{201c}Atomic\"]", "Variant", "Atomic"),
            ("[Variant Atomic\"]", "Variant", "Atomic"),
            ("[Variant\u{a0}\"Atomic\"]", "Variant", "Atomic"),
            ("[Variant \u{3000}\"Atomic\"\u{200b}]", "Variant", "Atomic"),
            ("[Variant\u{202f}\u{201c}Atomic\u{201d}]", "Variant", "Atomic"),
            ("[Variant \\\"Atomic\\\"]", "Variant", "Atomic"),
            ("[Variant &quot;Atomic&quot;]", "Variant", "Atomic"),
            ("[White O'Neill]", "White", "O'Neill"),
            ("[White \u{418}\u{43e}\u{441}\u{438}\u{444}]", "White", "\u{418}\u{43e}\u{441}\u{438}\u{444}"),
            ("[White \u{41e}. \u{420}]", "White", "\u{41e}. \u{420}"),
            ("[FEN\t8/8/8/8/8/8/8/8 w - - 0 1 ]\n\n1. e4", "FEN", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ] {
            let pair = unquoted_pair(text.as_bytes(), Some(&HashSet::new())).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((pair.name, pair.value), (name.as_bytes(), value.as_bytes()), "{text}");
            assert_eq!(&text[pair.len - 1..pair.len], "]", "{text}");
        }
        let latin = b"[Variant\xa0\"Atomic\"]";
        assert_eq!(unquoted_pair(latin, Some(&HashSet::new())).map(|pair| pair.value), Some(&b"Atomic"[..]));
        let latin = b"[Variant \x93Atomic\x94]";
        assert_eq!(unquoted_pair(latin, Some(&HashSet::new())).map(|pair| pair.value), Some(&b"Atomic"[..]));
        for text in [
            "[Variant]",
            "[Variant ]",
            "[Variant '']",
            "[Variant '\"]",
            "[Variant Atomic",
            "[Variant Atomic] x",
            "[Variant [Atomic]]",
            "[Variant Ato\"mic]",
            "[Variant {Atomic}]",
            "[Variant Atomic\\]",
            "[Opening e4]",
            "[%clk 1]",
            "Variant Atomic]",
            "[Variants]",
        ] {
            assert_eq!(unquoted_pair(text.as_bytes(), Some(&HashSet::new())), None, "{text}");
        }
    }

    #[test]
    fn a_tag_stands_beside_it() {
        let is_one = |text: &str| unquoted_pair(text.as_bytes(), None).is_some();
        assert!(is_one("[Variant Atomic]\n[Event \"a\"]") && is_one("[Variant Atomic]\r\n [White x]"));
        assert!(!is_one("[Variant Atomic]") && !is_one("[Variant Atomic]\n\n[Event \"a\"]"));
        assert!(!is_one("[Variant Atomic]\n1. e4"));
        let below = |names: &[&'static [u8]]| {
            unquoted_pair(b"[White to move]\n\n1. e4", Some(&names.iter().copied().collect())).is_some()
        };
        assert!(below(&[b"Event"]) && !below(&[b"Event", b"White"]));
    }
}
