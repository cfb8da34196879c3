//! Promotions without an equals sign, `d8Q`, as FIDE's Laws write them and some programs and sites do. `pgn_reader` passes over such words.

use super::borders::NextBrace;

/// The text with a sign in each promotion that lacks it, if it has any. Tags, escaped lines and comments stay as they are.
pub(super) fn with_signs(text: &[u8]) -> Option<Vec<u8>> {
    let (mut signed, mut done) = (Vec::with_capacity(text.len() + text.len() / 1024), 0);
    let (mut at, mut line_begins, mut closes) = (0, true, NextBrace::default());
    let to_line_end = |from: usize| memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |end| from + end);
    while let Some(byte) = text.get(at) {
        let next = match byte {
            b'[' | b'%' if line_begins => to_line_end(at),
            b';' => to_line_end(at),
            b'{' => closes.from(text, at).map_or(text.len(), |end| end + 1),
            _ => {
                if lacks_sign(text, at) {
                    signed.extend_from_slice(&text[done..at]);
                    signed.push(b'=');
                    done = at;
                }
                at + 1
            }
        };
        line_begins = *byte == b'\n' || line_begins && byte.is_ascii_whitespace();
        at = next;
    }
    signed.extend_from_slice(&text[done..]);
    (done > 0).then_some(signed)
}

/// Whether a text has promotions to a queen without a sign, as nearly all have that have any, be they in a comment.
pub(super) fn lacks_signs(text: &[u8]) -> bool {
    memchr::memchr_iter(b'Q', text).any(|at| lacks_sign(text, at))
}

/// Whether a piece stands here to which a pawn promotes: behind a square of the last rank that begins a word or ends a capture, and at the end
/// of its word.
fn lacks_sign(text: &[u8], at: usize) -> bool {
    let behind = || text.get(at + 1).is_none_or(|byte| byte.is_ascii_whitespace() || b"+#!?${}();".contains(byte));
    matches!(text[at], b'Q' | b'R' | b'B' | b'N')
        && at >= 2
        && matches!(text[at - 1], b'1' | b'8')
        && matches!(text[at - 2], b'a'..=b'h')
        && text[..at - 2].last().is_none_or(|byte| byte.is_ascii_whitespace() || b".x})(".contains(byte))
        && behind()
}

/// Whether a word is a promotion that lacks its sign.
pub(super) fn is_promotion(word: &[u8]) -> bool {
    let word = &word[..word.len() - word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count()];
    let begins_well = matches!(word, [_, _, _] | [b'a'..=b'h', b'x', _, _, _]);
    begins_well && lacks_sign(word, word.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(text: &str) -> Option<String> {
        lacks_signs(text.as_bytes())
            .then(|| with_signs(text.as_bytes()))?
            .map(|text| String::from_utf8(text).expect("text"))
    }

    #[test]
    fn signs_stand_where_they_lack() {
        let expected = "[Event \"e8Q \"]\n\n1. d8=Q+ exf1=N# 2.h8=R$3 a1=B!? {and b8Q} (c8=Q) d8=Q ; e8Q\n% f8Q\n g8=Q";
        assert_eq!(
            signed("[Event \"e8Q \"]\n\n1. d8Q+ exf1N# 2.h8R$3 a1B!? {and b8Q} (c8Q) d8Q ; e8Q\n% f8Q\n g8Q")
                .as_deref(),
            Some(expected)
        );
        assert_eq!(signed("d8=Q"), None);
        for none in
            ["1. d8=Q d8N", "Qd8 Q8Q d7Q", "ad8Q 1d8Q", "d8Qd", "d8QR", "  [White \"d8Q \"]", "{d8Q }", "i8Q", ""]
        {
            assert_eq!(signed(none), None, "{none}");
        }
        for word in ["d8Q", "a1N+", "exf1B#"] {
            assert!(is_promotion(word.as_bytes()), "{word}");
        }
        for word in ["d8=Q", "d7Q", "e7e8Q", "Qd8", "Q", ""] {
            assert!(!is_promotion(word.as_bytes()), "{word}");
        }
    }
}
