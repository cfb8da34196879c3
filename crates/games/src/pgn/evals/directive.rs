//! Evaluations in `[%eval]`, and what stands behind a comma there.

use super::number::{Number, depth, mate_of, signed_digits};
use super::{Eval, EvalValue, Style, View, Writer};

/// `[%eval 0.35]`, `[%eval 14,24]`.
pub(super) fn directive(comment: &[u8]) -> Option<Eval> {
    // Looking for one byte is several times faster in comments that have none of it, such as `book`.
    let mut rest = &comment[memchr::memchr(b'[', comment)?..];
    while let Some(at) = memchr::memmem::find(rest, b"[%eval") {
        rest = &rest[at + b"[%eval".len()..];
        if let Some(eval) = value_of_directive(rest, false) {
            return Some(eval);
        }
    }
    None
}

/// A comment with `[%eval 1,35]` or `[%eval 1,5]`, read as if decimals stood behind the comma.
pub(super) fn directive_with_comma(comment: &[u8]) -> Option<Eval> {
    memchr::memchr(b',', comment)?;
    let at = memchr::memmem::find(comment, b"[%eval")?;
    value_of_directive(&comment[at + b"[%eval".len()..], true)
}

/// Whether the first `[%eval]` of a comment has its depth behind a `/`.
pub(super) fn has_slash(comment: &[u8]) -> bool {
    let behind = memchr::memmem::find(comment, b"[%eval").map(|at| &comment[at..]);
    behind.is_some_and(|text| memchr::memchr2(b'/', b']', text).is_some_and(|at| text[at] == b'/'))
}

/// What stands behind `[%eval`; with decimals behind a `comma`, or as it stands there.
fn value_of_directive(behind: &[u8], comma: bool) -> Option<Eval> {
    let text = behind.trim_ascii_start();
    let (leading, text) = leading_depth(text).map_or((None, text), |(depth, text)| (Some(depth), text));
    // `[%eval 0,35/18]` and `[%eval 0,05]` have decimals behind the comma, `[%eval 35,18]` has a depth, and so has `[%eval -0,5]`, as some
    // print what is rounded to 0.
    let has_decimals = |number: &Number<'_>| {
        let ends =
            matches!(number.decimals, 1 | 2) && number.is_comma() && number.rest.trim_ascii_start().starts_with(b"]");
        let is_sure = ends && number.decimals == 2 && number.is_below_tenth();
        if comma { ends } else { number.decimals > 0 && number.rest.starts_with(b"/") || is_sure }
    };
    let with_comma = Number::read(text, true).filter(has_decimals);
    let number = if comma { with_comma? } else { with_comma.or_else(|| Number::read(text, false))? };
    // `[%eval 0:35]` would be a time.
    if !behind.first()?.is_ascii_whitespace() || leading.is_some() && number.is_whole() {
        return None;
    }
    let (depth, rest) = match number.rest.strip_prefix(b",").or_else(|| number.rest.strip_prefix(b"/")) {
        // PyChess, of an evaluation that it has read without a depth.
        Some(rest @ [b']', ..]) if number.rest.starts_with(b"/") => (None, rest),
        Some(rest) => depth(rest.trim_ascii_start()).map(|(depth, rest)| (Some(depth), rest))?,
        None => (leading, number.rest),
    };
    // ChessBase writes centipawns, with a depth; who writes pawns writes decimals, but for some in JavaScript those of whole pawns.
    let value = match number.value {
        EvalValue::Centipawns(_) if number.is_whole() => EvalValue::Centipawns(signed_digits(text)?),
        value => value,
    };
    // ChessBase (`[%eval 32766,18]`), PyChess and Scid (`[%eval 327.66]`) write a mate as its distance from the largest number of 16 bits.
    let value = match value {
        EvalValue::Centipawns(centipawns) => mate_of(centipawns, |size| 32_767 - size),
        mate => mate,
    };
    // A position that has ended.
    if value == EvalValue::Mate(0) {
        return None;
    }
    let is_unsure = number.is_whole() && depth.is_none();
    let eval = Eval { value, view: View::White, style: Style::Lichess, writer: Writer::Analyst, depth, is_unsure };
    rest.trim_ascii_start().starts_with(b"]").then_some(eval)
}

/// The depth in front of an evaluation, as Scidb writes it (`[%eval 16:+0.35]`), and what follows it.
fn leading_depth(text: &[u8]) -> Option<(u16, &[u8])> {
    let (depth, rest) = depth(text).filter(|(depth, _)| *depth > 0)?;
    Some((depth, rest.strip_prefix(b":")?))
}
