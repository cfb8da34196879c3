//! Comments from `;` to the end of the line, which `pgn_reader` does not hand on.

use super::tag_pair::{MARK, tag_pair};

/// The text with comments from `;` to the end of the line written in braces, which the reader hands on; mostly there are
/// none, and it is the text itself.
pub(super) fn with_braces<'a>(text: &'a [u8], memory: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr::memchr(b';', text).is_none() {
        return text;
    }
    memory.clear();
    let mut rest = text;
    let mut line_begins = true;
    while let [first, ..] = rest {
        // Not asked at every byte: a game may stand on one line, and so may thousands.
        let line = || memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let len = match first {
            // Tags and escaped lines are not moves.
            b'[' if line_begins => tag_pair(rest).filter(|pair| pair.is_closed).map_or_else(line, |pair| pair.len),
            b'%' if line_begins => line(),
            b'{' => memchr::memchr(b'}', rest).map_or(rest.len(), |end| end + 1),
            b';' => {
                let line = line();
                memory.push(b'{');
                // A brace inside would end the comment early.
                memory.extend(rest[1..line].iter().map(|byte| if *byte == b'}' { b' ' } else { *byte }));
                memory.push(b'}');
                rest = &rest[line..];
                continue;
            }
            _ => 1,
        };
        memory.extend_from_slice(&rest[..len]);
        // Tags may be indented or behind a byte order mark, and several on a line.
        line_begins = matches!(rest[len - 1], b'\n' | b']')
            || (line_begins && (matches!(first, b' ' | b'\t') || MARK.contains(first)));
        rest = &rest[len..];
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of the line was once looked for at each of its bytes: twenty seconds for two megabytes.
    #[test]
    fn a_long_line_is_gone_through_once() {
        let begun = std::time::Instant::now();
        let text = format!(";\n{}", "1. e4 e5 1-0 ".repeat((8 << 20) / 13));
        let mut memory = Vec::new();
        assert_eq!(with_braces(text.as_bytes(), &mut memory)[..3], *b"{}\n");
        assert_eq!(memory.len(), text.len() + 1);
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn semicolons_become_braces_outside_of_tags_and_comments() {
        let braces = |text: &str| {
            let mut memory = Vec::new();
            String::from_utf8(with_braces(text.as_bytes(), &mut memory).to_vec()).expect("text")
        };
        for (text, expected) in [
            ("1. e4 e5 *", "1. e4 e5 *"),
            ("1. e4 ; +0.35/18 1.2s\ne5 *", "1. e4 { +0.35/18 1.2s}\ne5 *"),
            ("1. e4 {a;b} e5 ;c}d\n*", "1. e4 {a;b} e5 {c d}\n*"),
            (";x\n[Site \"x;y\"]\n", "{x}\n[Site \"x;y\"]\n"),
            ("[Site \"x;y\"]\n[A \"b\"]\n\n1. e4 ;end", "[Site \"x;y\"]\n[A \"b\"]\n\n1. e4 {end}"),
            ("  [Site \"x;y\"] [A \"b;c\"] ;end\n", "  [Site \"x;y\"] [A \"b;c\"] {end}\n"),
            ("%a;b\n1. e4 {open;", "%a;b\n1. e4 {open;"),
            ("\u{feff}[Site \"x;y\"]\n", "\u{feff}[Site \"x;y\"]\n"),
        ] {
            assert_eq!(braces(text), expected);
        }
    }
}
