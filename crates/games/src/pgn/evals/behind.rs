//! What stands behind the number and the depth of an evaluation: the end, a time, more of the engine's figures and moves, or prose.

use super::number::depth;

/// Whether the text ends here, or what follows is set apart.
pub(super) fn begins_with_gap(text: &[u8]) -> bool {
    matches!(text.first(), None | Some(b' ' | b',' | b'\t' | b'\r' | b'\n'))
}

/// What follows a time in seconds or milliseconds, ` 1.2s`, `, 0.004s` or ` 12ms`, if the text begins with one.
pub(super) fn behind_time(text: &[u8]) -> Option<&[u8]> {
    unit_behind_time(text).map(|(_, behind)| behind)
}

/// The unit of that time, and what follows it.
pub(super) fn unit_behind_time(text: &[u8]) -> Option<(Unit, &[u8])> {
    let time = text.strip_prefix(b",").unwrap_or(text).trim_ascii_start();
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(time);
    if time.len() == text.len() || whole == 0 {
        return None;
    }
    let behind = match &time[whole..] {
        [b'.', rest @ ..] => &rest[digits(rest)..],
        rest => rest,
    };
    let milliseconds = behind.strip_prefix(b"ms").map(|rest| (Unit::Milliseconds, rest));
    let found = milliseconds.or_else(|| Some((Unit::Seconds, behind.strip_prefix(b"s")?)));
    found.filter(|(_, rest)| begins_with_gap(rest))
}

/// The depth in ` 10/12 189 246501`, if that is all, or a comma and the end of the game stand behind it: OpenBench's cutechess writes the depths, the time and the nodes so,
/// and `, White mates` behind them where the game ends.
pub(super) fn depth_of_archive(text: &[u8]) -> Option<u16> {
    let (figures, end) = memchr::memchr(b',', text).map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    let says_end = |end: &[u8]| {
        let end = end.trim_ascii_start();
        ["White ", "White's ", "Black ", "Black's ", "Draw ", "No result"]
            .iter()
            .any(|words| end.starts_with(words.as_bytes()))
    };
    if end.is_some_and(|end| !says_end(end)) {
        return None;
    }
    let mut words = figures.strip_prefix(b" ")?.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let (depth, rest) = depth(words.next()?)?;
    let (_, rest) = self::depth(rest.strip_prefix(b"/")?)?;
    let mut is_number = || words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    (rest.is_empty() && is_number() && is_number() && words.next().is_none()).then_some(depth)
}

/// In which a time is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
}

/// Whether this text, which begins with a gap, is prose. Where the number before it can hardly be anything else than an evaluation,
/// only the first word counts, and none behind a comma.
pub(super) fn is_prose(text: &[u8], is_sure: bool) -> bool {
    if is_sure && text.trim_ascii_start().starts_with(b",") {
        return false;
    }
    let words = text.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'(' | b')'));
    let mut words = words.filter(|word| !word.is_empty());
    if is_sure {
        // What begins with a digit is a time or a count, even if it is garbled.
        return words.next().is_some_and(|word| !word[0].is_ascii_digit() && matches!(kind(word), Word::Prose));
    }
    for word in words {
        match kind(word) {
            Word::Prose => return true,
            Word::Figure => {}
            Word::Note => return false,
        }
    }
    false
}

enum Word {
    /// A number, a clock, a move, a key with its value.
    Figure,
    /// After it anything may stand: a time, a directive, how the game ended.
    Note,
    Prose,
}

fn kind(word: &[u8]) -> Word {
    let digits =
        word.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':' | b'+' | b'-')).count();
    match &word[digits..] {
        _ if is_move(word) || word.contains(&b'=') => Word::Figure,
        [] => Word::Figure,
        b"s" | b"ms" if digits > 0 => Word::Note,
        [b'[', ..] | b"White" | b"Black" | b"Draw" => Word::Note,
        [byte, ..] if byte.is_ascii_alphabetic() || !byte.is_ascii() => Word::Prose,
        _ => Word::Figure,
    }
}

/// Whether a square or castling is named: `Nf3`, `12.e2e4`, `O-O`.
fn is_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    word.windows(2).any(is_square) || word.windows(3).any(|window| window == b"O-O")
}
