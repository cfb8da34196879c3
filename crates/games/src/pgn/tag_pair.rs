//! Tag pairs by the PGN standard: four tokens with any white space between them, and any number of pairs on a line.

use std::borrow::Cow;
use std::collections::HashSet;

use super::borders::{NextBrace, begins_with_first_move, is_given_again, line_ends, looks_like_a_tag};
use super::comments::Comments;
use super::handler::Anomalies;
use super::odd_words::holds_moves;
use super::prefix::tag_prefix;
use super::tag_value::{on_line, rest_of_value, value_end, wrapped};
use super::unquoted::unquoted_pair;
use super::within_line::{Line, is_marked_within, run_on};

/// The byte order mark, in front of the text of a file that may have been put behind another.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// White space by the standard, though not by ASCII's definition in the library.
pub(super) const VERTICAL_TAB: u8 = 0x0b;

/// A tag pair as it stands in some text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagPair<'a> {
    /// The name.
    pub name: &'a [u8],
    /// What stands between the quotes, with its escapes and the ends of lines at which it was wrapped.
    pub value: &'a [u8],
    /// Bytes from the opening bracket to the end of the pair.
    pub len: usize,
    /// The closing bracket is there.
    pub is_closed: bool,
    /// Nothing but blanks stands between its tokens, and its value on one line.
    pub is_plain: bool,
}

/// So many bytes of comments are passed over between two tokens of a tag pair: of thousands none may end.
pub(super) const LONGEST_GAP: usize = 256;

/// So many are passed over a limited number of times for each text.
pub(super) const LONG_GAP: usize = 64 << 10;
const LONG_GAPS: usize = 64;

/// Parts white space and comments, which may stand between any two tokens, from what follows them.
fn gap(text: &[u8], longest: usize) -> (&[u8], &[u8]) {
    let (mut rest, mut left) = (text, longest);
    loop {
        rest = &rest[rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == VERTICAL_TAB).count()..];
        let comment = &rest[..rest.len().min(left)];
        let end = match comment.first() {
            Some(b'{') => memchr::memchr(b'}', comment),
            Some(b';') => memchr::memchr(b'\n', comment),
            _ => None,
        };
        let Some(end) = end else { return text.split_at(text.len() - rest.len()) };
        rest = &rest[end + 1..];
        left -= end + 1;
    }
}

/// The tag pair with which a text begins.
///
/// A value ends at a quote that no backslash stands before, or at the end of its line, if it was not wrapped.
pub(crate) fn tag_pair(text: &[u8]) -> Option<TagPair<'_>> {
    tag_pair_within(text, LONGEST_GAP)
}

/// The same with up to so many bytes of comments between two tokens.
pub(super) fn tag_pair_within(text: &[u8], longest: usize) -> Option<TagPair<'_>> {
    let (first_gap, inside) = gap(text.strip_prefix(b"[")?, longest);
    let letters = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = inside.split_at(letters);
    if !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    let (second_gap, rest) = gap(rest, longest);
    let quoted = rest.strip_prefix(b"\"")?;
    if let Some(value) = doubled(quoted) {
        let len = text.len() - quoted.len() + b"\"".len() + value.len() + DOUBLED_END.len();
        return Some(TagPair { name, value, len, is_closed: true, is_plain: false });
    }
    let line_end = value_end(quoted);
    let end = wrapped(quoted, line_end).unwrap_or(line_end);
    let (value, rest) = quoted.split_at(end);
    let after = rest.strip_prefix(b"\"").unwrap_or(rest);
    let closed = rest
        .strip_prefix(b"\"")
        .map(|rest| gap(rest, longest))
        .and_then(|(gap, rest)| Some((gap, rest.strip_prefix(b"]")?)));
    let (third_gap, rest) = closed.unwrap_or((b"", after));
    let mut gaps = [first_gap, second_gap, third_gap].into_iter().flatten();
    let is_plain = end == line_end && gaps.all(|byte| matches!(byte, b' ' | b'\t'));
    Some(TagPair { name, value, len: text.len() - rest.len(), is_closed: closed.is_some(), is_plain })
}

const DOUBLED_END: &[u8] = b"\"\"]";

/// The value whose quotes stand twice, as in tables of values with commas: `[Event ""a""]`. With another quote in it, it may be a name that an engine gives
/// itself, with an end of the tag in it.
fn doubled(quoted: &[u8]) -> Option<&[u8]> {
    let inside = quoted.strip_prefix(b"\"")?;
    let value = &inside[..memchr::memchr3(b'\n', b'\r', b'"', inside)?];
    // Without one a value that is empty ends here.
    let is_value = value.is_empty() || !matches!(value[0], b' ' | b'\t' | b']');
    (is_value && inside[value.len()..].starts_with(DOUBLED_END)).then_some(value)
}

/// Whether a text begins like a tag pair whose value stands behind more comments than [`tag_pair`] passes over.
fn has_long_gap(text: &[u8]) -> bool {
    let name = |rest: &[u8]| rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let Some(inside) = text.strip_prefix(b"[") else { return false };
    let (_, inside) = gap(inside, LONGEST_GAP);
    let (_, behind) = gap(&inside[name(inside)..], LONGEST_GAP);
    matches!(behind.first(), Some(b'{' | b';'))
}

/// The text with each tag pair that goes on over several lines or holds comments put on one line, without what stands between the tags of
/// a game and is neither a tag nor a move: comments, tags without quotes, the rest of a value with a quote in it, words. Without byte order
/// marks and other [prefixes](tag_prefix) of tags, and with tags behind a result or a comment on a line of their own, as `pgn_reader` wants
/// it.
///
/// Counted among `anomalies` are tags that were broken apart or hidden, and those whose value is not found.
pub(super) fn on_one_line<'a>(text: &'a [u8], anomalies: &mut Anomalies) -> Cow<'a, [u8]> {
    let mut out = Vec::new();
    let mut copied = 0;
    let mut before = None;
    // The first place behind the tag before that is not blank, looked for once: thousands of brackets may follow.
    let mut first_behind = None;
    let mut is_on_lines = false;
    // Of the tags in the section of the tag before.
    let mut names = HashSet::new();
    let mut long_gaps = LONG_GAPS;
    let (mut passed, mut line) = (0, Line::default());
    // Of the game, also where a list has games of tags alone.
    let mut of_game = HashSet::new();
    let (mut comments, mut closes) = (Comments::default(), NextBrace::default());
    for bracket in memchr::memchr_iter(b'[', text) {
        // A bracket behind a byte order mark within a value is none of a tag.
        if bracket < passed || before.is_some_and(|end| bracket < end) {
            continue;
        }
        let follows_tag = first_behind == Some(bracket);
        let begins_line = follows_tag || begins_line(text, bracket);
        let is_hidden = !begins_line && !follows_game(text, bracket);
        let place = if is_hidden { hidden_tag(text, bracket) } else { Some(bracket) };
        let Some(place) = place.map(|place| place.max(before.unwrap_or_default())) else { continue };
        let found = tag_pair(&text[bracket..]);
        let is_long = found.is_none() && begins_line && has_long_gap(&text[bracket..]);
        let found = if is_long && long_gaps > 0 {
            long_gaps -= 1;
            tag_pair_within(&text[bracket..], LONG_GAP)
        } else {
            found
        };
        let is_unquoted = found.is_none();
        let unquoted = || {
            // Behind a blank line stands a remark: `[White to move]`.
            let is_below = follows_tag && before.is_some_and(|end| line_ends(&text[end..bracket]) < 2);
            let pair = unquoted_pair(&text[bracket..], is_below.then_some(&names))?;
            // So it may in a comment.
            (is_below || begins_line && !comments.hold(text, bracket, &mut closes)).then_some(pair)
        };
        let Some(pair) = found.or_else(unquoted) else {
            anomalies.unreadable_tags += u64::from(is_long);
            continue;
        };
        if !begins_line && (!pair.is_closed || comments.hide(text, bracket, &mut closes)) {
            continue;
        }
        if (!begins_line || is_marked_within(text, bracket))
            && is_on_lines
            && line.has_comment(text, bracket)
            && let Some(len) = run_on(&text[bracket..])
        {
            anomalies.unreadable_tags += 1;
            passed = bracket + len;
            continue;
        }
        let follows = |end| follows_tag || (is_hidden && text[end..place].trim_ascii().is_empty());
        let is_next =
            before.is_some_and(|end| follows(end) && memchr::memchr_iter(b'\n', &text[end..bracket]).count() < 2);
        let is_given_again = |between| match between {
            Between::Comments => pair.name == b"Event" && names.contains(pair.name),
            Between::Words => is_given_again(&names, &text[bracket..]),
        };
        let between = before.filter(|_| !is_next).and_then(|end| Some((end, between(&text[end..place])?)));
        // The reader passes over that of the whole text; any other begins a file that was put behind another.
        let mark = without_blanks(&text[..bracket]).strip_suffix(MARK).map_or(0, <[u8]>::len);
        let cut = match between {
            Some((before, between)) if !is_given_again(between) => {
                anomalies.broken_tags += u64::from(between == Between::Words);
                Some((before, &b"\n"[..]))
            }
            _ if is_hidden && is_next => Some((place, &b""[..])),
            _ if is_hidden => Some((place, &b"\n\n"[..])),
            _ if mark > 0 => Some((mark, &b"\n\n"[..])),
            _ if !begins_line => Some((bracket, &b"\n\n"[..])),
            _ => None,
        };
        if !is_next && !matches!(cut, Some((_, b"\n"))) {
            names.clear();
        }
        names.insert(pair.name);
        if names.len() == 1 || of_game.contains(pair.name) {
            of_game.clear();
        }
        of_game.insert(pair.name);
        anomalies.broken_tags += u64::from(is_hidden);
        if let Some((end, line_end)) = cut {
            out.extend_from_slice(&text[copied..end]);
            out.extend_from_slice(line_end);
            copied = bracket;
        }
        let mut end = bracket + pair.len;
        let rest = rest_of_value(text, end, pair, &of_game);
        // The reader takes the line end behind a backslash for a part of the value.
        if !pair.is_plain || rest > 0 || text[..end].ends_with(b"\\") {
            anomalies.broken_tags += u64::from(rest > 0 || is_unquoted);
            out.extend_from_slice(&text[copied..bracket]);
            for part in [b"[", pair.name, b" \"", &on_line(pair.value), b"\"]"] {
                out.extend_from_slice(part);
            }
            end += rest;
            copied = end;
        }
        let (broken, lines) = broken_tags(&text[end..], &names);
        if broken > 0 {
            anomalies.broken_tags += lines;
            out.extend_from_slice(&text[copied..end]);
            end += broken;
            copied = end;
        }
        comments.at = end;
        if !pair.is_closed {
            // What follows on its line is taken for its value.
            end += memchr::memchr2(b'\n', b'[', &text[end..]).unwrap_or(text.len() - end);
        }
        before = Some(end);
        first_behind = first_place(text, end);
        // As in a text that has not each game on one line.
        is_on_lines = first_behind.is_some_and(|at| text[end..at].contains(&b'\n'));
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(&text[copied..]);
    Cow::Owned(out)
}

/// The first place behind another that is not blank.
fn first_place(text: &[u8], behind: usize) -> Option<usize> {
    text[behind..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|at| behind + at)
}

/// Length and number of the lines right behind a tag that stand in brackets and have no value in quotes: the reader takes them for moves,
/// and the tags below for those of another game.
fn broken_tags(behind: &[u8], names: &HashSet<&[u8]>) -> (usize, u64) {
    let (mut len, mut lines) = (0, 0);
    loop {
        let rest = &behind[len..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if rest.get(blanks) != Some(&b'\n') {
            return (len, lines);
        }
        let begin = blanks + 1;
        let line_len = memchr::memchr(b'\n', &rest[begin..]).unwrap_or(rest.len() - begin);
        // The end of the line may be within a comment of a pair that goes on.
        let is_broken = is_broken_tag(&rest[begin..begin + line_len]);
        let inside = rest[begin..].trim_ascii_start();
        if !is_broken || tag_pair(inside).is_some() || unquoted_pair(inside, Some(names)).is_some() {
            return (len, lines);
        }
        len += begin + line_len;
        lines += 1;
    }
}

/// Whether a line is one or more tags without quotes, such as `[WhiteElo 2500]`, the last of which may lack its end.
pub(crate) fn is_broken_tag(line: &[u8]) -> bool {
    let mut rest = line.trim_ascii();
    if !rest.starts_with(b"[") || rest.contains(&b'"') {
        return false;
    }
    while let Some(inside) = rest.strip_prefix(b"[") {
        // With `%` it is that of a comment, which may hold what looks like a tag above it.
        if inside.starts_with(b"%") {
            return false;
        }
        rest = match memchr::memchr(b']', inside) {
            Some(end) => inside[end + 1..].trim_ascii_start(),
            None => return memchr::memmem::find_iter(inside, b"1.").all(|at| !begins_with_first_move(&inside[at..])),
        };
    }
    rest.is_empty()
}

/// Whether the result of a game and nothing but blanks stands in front of a place.
pub(super) fn follows_result(text: &[u8], at: usize) -> bool {
    let before = without_blanks(&text[..at]);
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| {
        before.strip_suffix(*result).is_some_and(|rest| rest.last().is_none_or(|last| !last.is_ascii_alphanumeric()))
    })
}

/// The same of a result or a comment, behind which a tag may stand on its line.
pub(super) fn follows_game(text: &[u8], at: usize) -> bool {
    without_blanks(&text[..at]).ends_with(b"}") || follows_result(text, at)
}

/// Where the text begins that hides the tag at a place from the reader: its [prefix](tag_prefix), or nothing where it heads the tags of a game that
/// was put behind one without an end.
pub(super) fn hidden_tag(text: &[u8], bracket: usize) -> Option<usize> {
    tag_prefix(text, bracket).or_else(|| heads_tags(&text[bracket..]).then_some(bracket))
}

/// Whether a text begins with a tag that another one follows, or a first move on a line of its own.
pub(crate) fn heads_tags(text: &[u8]) -> bool {
    let is_whole = |pair: &TagPair<'_>| pair.is_closed && (pair.is_plain || text[..pair.len].ends_with(DOUBLED_END));
    let Some(pair) = tag_pair(text).filter(is_whole) else { return false };
    let behind = &text[pair.len..];
    let blanks = behind.iter().take(LONGEST_GAP).take_while(|byte| byte.is_ascii_whitespace()).count();
    let (blanks, next) = behind.split_at(blanks);
    tag_pair(next).is_some() || line_ends(blanks) > 0 && next.starts_with(b"1.")
}

/// A text without the blanks at its end.
pub(super) fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[..text.len() - blanks]
}

/// What may stand between two tags of a game beside white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Between {
    /// Comments, lines with `%`, and tags without quotes.
    Comments,
    /// Words that are no moves, too.
    Words,
}

/// What a text is made of, if it may stand between two tags: it is not blank, there is no move in it, and no blank line but beside words.
fn between(text: &[u8]) -> Option<Between> {
    let (mut rest, mut found) = (text, Between::Comments);
    let (mut has_blank_line, mut has_comment) = (false, false);
    loop {
        let next = rest.trim_ascii_start();
        let blank = &rest[..rest.len() - next.len()];
        has_blank_line |= memchr::memchr_iter(b'\n', blank).count() > 1;
        let Some(first) = next.first() else {
            let is_apart = has_blank_line && (has_comment || found == Between::Comments);
            return (!is_apart && !text.trim_ascii().is_empty()).then_some(found);
        };
        has_comment |= matches!(first, b'{' | b';');
        let end = if *first == b'{' {
            memchr::memchr(b'}', next)? + 1
        } else {
            // Not looked for from each of the comments that may stand on it.
            let end = memchr::memchr(b'\n', next).unwrap_or(next.len());
            let line = &next[..end];
            if !(matches!(first, b';' | b'%') || *first == b'[' && is_broken_tag(line)) {
                if holds_moves(line) || looks_like_a_tag(line) {
                    return None;
                }
                found = Between::Words;
            }
            end
        };
        rest = &next[end..];
    }
}

/// Whether a tag, with which `text` begins, is that of another game than the tags above it, which have these names and end where `gap`
/// begins: as [`on_one_line`] and [`game_beginnings`](super::borders::game_beginnings) have it.
pub(crate) fn is_of_next_game(names: &HashSet<&[u8]>, gap: &[u8], text: &[u8]) -> bool {
    let is_same_event = || names.contains(&b"Event"[..]) && tag_pair(text).is_some_and(|pair| pair.name == b"Event");
    match between(gap) {
        Some(Between::Comments) => is_same_event(),
        None if gap.trim_ascii().is_empty() && line_ends(gap) < 2 => is_same_event(),
        Some(Between::Words) => is_given_again(names, text),
        None => gap.split(|byte| *byte == b'\n').any(is_of_game) || is_given_again(names, text),
    }
}

/// Whether a line that is no tag has a part in a game: it is not blank, not tags without quotes and not words that are no moves.
pub(crate) fn is_of_game(line: &[u8]) -> bool {
    !is_broken_tag(line) && holds_moves(line)
}

/// Whether only blanks stand between the beginning of the line and `at`.
pub(super) fn begins_line(text: &[u8], at: usize) -> bool {
    let before = without_blanks(&text[..at]);
    before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\r") || before.ends_with(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_one_line(text: &[u8]) -> Cow<'_, [u8]> {
        super::on_one_line(text, &mut Anomalies::default())
    }

    /// The blanks behind the tag were once gone through again for each bracket: half a minute for this text.
    #[test]
    fn blanks_behind_a_tag_are_gone_through_once() {
        let begun = std::time::Instant::now();
        let text = format!("[Event \"a\"]{}{}\n[Site\n\"b\"]\n", " ".repeat(1 << 20), "[".repeat(1 << 20));
        assert!(on_one_line(text.as_bytes()).ends_with(b"\n[Site \"b\"]\n"));
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    /// The end of their line was once looked for from each comment: 24 s for 3 MB.
    #[test]
    fn the_line_of_many_comments_is_gone_through_once() {
        let begun = std::time::Instant::now();
        let text = format!("[Event \"a\"]\n{}\n\n[Event \"b\"]\n\n1. e4 *\n", "{x}".repeat(1_000_000));
        assert!(on_one_line(text.as_bytes()).ends_with(b"[Event \"b\"]\n\n1. e4 *\n"));
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }

    /// Without line feeds all tags are on one line, and each was once asked for all below it: more than a minute for 1 MB.
    #[test]
    fn wrapped_values_stand_on_one_line() {
        let straight = |text: &str| {
            let mut anomalies = Anomalies::default();
            let out =
                String::from_utf8(super::on_one_line(text.as_bytes(), &mut anomalies).into_owned()).expect("text");
            (out, anomalies.broken_tags)
        };
        let text =
            "[Event \"CCC 2: Blitz\nBattle (5|2)\"]\r\n[FEN \"4k3/8/8/8/8/8/8/4K3 b\r\n - -\r\n0 5\"]\n\n1... Kd7 *\n";
        let expected =
            "[Event \"CCC 2: Blitz Battle (5|2)\"]\r\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 5\"]\n\n1... Kd7 *\n";
        assert_eq!(straight(text), (expected.to_owned(), 0));
        assert_eq!(straight(expected), (expected.to_owned(), 0));
    }

    #[test]
    fn tags_behind_bare_carriage_returns_are_not_gone_through_from_each() {
        let begun = std::time::Instant::now();
        let names = HashSet::from([&b"Site"[..]]);
        let text = "[Event \"a\"]\r".repeat(40_000);
        let tags = memchr::memchr_iter(b'[', text.as_bytes());
        assert!(!tags.into_iter().any(|at| is_of_next_game(&names, b"\r\r", &text.as_bytes()[at..])));
        assert!(begun.elapsed().as_secs() < 25, "{:?}", begun.elapsed());
        let again = "[White \"a\"]\r[Site \"b\"]\r";
        assert!(is_of_next_game(&names, b"\r\r", again.as_bytes()));
    }

    #[test]
    fn pairs_are_read_with_any_white_space() {
        for (text, name, value, rest) in [
            ("[Event \"a\"]x", "Event", "a", "x"),
            ("[FEN  \"8/8 w\"]", "FEN", "8/8 w", ""),
            ("[FEN\t\"8/8 w\"]", "FEN", "8/8 w", ""),
            ("[FEN\"8/8 w\"]", "FEN", "8/8 w", ""),
            ("[ FEN \"8/8 w\" ] [A \"b\"]", "FEN", "8/8 w", " [A \"b\"]"),
            ("[FEN\r\n  \"8/8 w\"\n]\n", "FEN", "8/8 w", "\n"),
            ("[White \"\\\"x\\\\\"]", "White", "\\\"x\\\\", ""),
            ("[White \"open]\n[Black", "White", "open]", "\n[Black"),
            ("[White \"open\n\na\"]", "White", "open", "\n\na\"]"),
            ("[White \"open\na\n[Black \"b\"]", "White", "open", "\na\n[Black \"b\"]"),
            ("[White \"open\n1. e4 {\"x\"}", "White", "open", "\n1. e4 {\"x\"}"),
            ("[White \"open\na\nb\nc\"]", "White", "open", "\na\nb\nc\"]"),
            // Mails and pages of the web wrap their lines.
            ("[White \"Lc0\n0.18.1\"]x", "White", "Lc0\n0.18.1", "x"),
            ("[White \"Lc0\n\"]x", "White", "Lc0\n", "x"),
            ("[White \"\r\nLc0\r\n \\\"0.18\\\"\" ]", "White", "\r\nLc0\r\n \\\"0.18\\\"", ""),
            ("[White \"a\" b\"]", "White", "a", " b\"]"),
        ] {
            let pair = tag_pair(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((pair.name, pair.value), (name.as_bytes(), value.as_bytes()), "{text}");
            assert_eq!(&text[pair.len..], rest, "{text}");
            assert_eq!(pair.is_closed, text[..pair.len].ends_with(']') && !text.contains("open"), "{text}");
        }
        for text in ["", "[", "[]", "[%clk 1]", "[1 \"x\"]", "[Event x \"a\"]", "Event \"a\"", "[Event"] {
            assert_eq!(tag_pair(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn only_pairs_over_several_lines_are_rewritten() {
        let same = "[Event \"a\"]\n [FEN  \"x\"]\n\n1. e4 {[%clk\n1]} *";
        assert!(matches!(on_one_line(same.as_bytes()), Cow::Borrowed(_)));
        let text = "[Event \"a\"]\n[FEN\n\"x\"]\n  [Site \"s\"\n]\n\n*";
        assert_eq!(on_one_line(text.as_bytes()), &b"[Event \"a\"]\n[FEN \"x\"]\n  [Site \"s\"]\n\n*"[..]);
    }

    #[test]
    fn comments_between_the_tags_of_a_game_are_left_out() {
        for comment in ["; by X", "{by X}", "{by\nX} ; and Y", "% X", "; [FEN \"x\"", "{a} {b}\n;"] {
            let text = format!("[Event \"a\"]\n{comment}\n [FEN \"x\"]\n\n1. e4 {comment}\n *\n");
            let without = format!("[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 {comment}\n *\n");
            assert_eq!(String::from_utf8_lossy(&on_one_line(text.as_bytes())), without);
        }
        for broken in [
            "[Foo]",
            "[]",
            "[WhiteTitle GM]",
            "[Round 1-0]\r",
            " [Round -] ",
            "[a]\n[b]\n; c",
            "[Foo",
            "[Foo] [Bar]",
            "[Result 1-0",
            "a word",
            "; c\n[Foo]\na word",
            "a\n\t{word}\n12 May 2001",
        ] {
            let text = format!("[Event \"a\"]\n{broken}\n[FEN \"x\"]\n\n1. e4 *\n");
            let without = "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 *\n";
            assert_eq!(String::from_utf8_lossy(&on_one_line(text.as_bytes())), without, "{broken}");
        }
        for gap in ["{c]\nd}", "; c]\n", "{a}\n{c]\n}\n"] {
            let text = format!("[Event \"a\"]\n[FEN {gap} \"x\"]\n\n1. e4 *\n");
            let expected = "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 *\n";
            assert_eq!(String::from_utf8_lossy(&on_one_line(text.as_bytes())), expected, "{gap}");
        }
        for between in
            ["\n\n[Foo]\n", "\n[Foo 1. e4\n", "\n[Foo] 1. e4\n", "\n[Foo] *\n", "\ne4\n", "\n12. Sf3\n", "\n1-0\n"]
        {
            let text = format!("[Event \"a\"]{between}[White \"x\"]\n\n*\n");
            assert!(matches!(on_one_line(text.as_bytes()), Cow::Borrowed(_)), "{between}");
        }
        for between in ["\n\n{forfeit}\n", "\n{forfeit}\n\n", "\n1. e4\n", "\n{open\n", "\n\n", "\n{a} *\n"] {
            let text = format!("[Event \"a\"]{between}[White \"x\"]\n\n*\n");
            assert!(matches!(on_one_line(text.as_bytes()), Cow::Borrowed(_)), "{between}");
        }
        let marked = "[Event \"a\u{feff}[FEN \"x\"]\n\n*\n";
        // A mark within a value begins no line.
        assert_eq!(on_one_line(marked.as_bytes()), "[Event \"a\u{feff}[FEN \"]\n\n*\n".as_bytes());
        let two_games = "[Event \"a\"]\n{forfeit}\n[Event \"b\"]\n\n*\n";
        assert!(matches!(on_one_line(two_games.as_bytes()), Cow::Borrowed(_)));
    }

    #[test]
    fn long_comments_within_a_pair_are_not_passed_over() {
        let pair = |len| format!("[FEN {{{0}}} {{{0}}}\"x\"]", "c".repeat(len));
        assert!(tag_pair(pair(100).as_bytes()).is_some_and(|found| found.value == b"x" && found.is_closed));
        assert_eq!(tag_pair(pair(200).as_bytes()), None, "together longer than what is passed over");
    }

    /// Comments are counted with their braces.
    #[test]
    fn comments_within_a_pair_have_a_limit() {
        let pair = |len: usize| format!("[FEN {{{}}}\"x\"]", "c".repeat(len - 2));
        assert_eq!(tag_pair(pair(256).as_bytes()).map(|found| found.value), Some(&b"x"[..]));
        assert_eq!(tag_pair(pair(257).as_bytes()), None);
        // A pair with longer ones is found 64 times in a text, and then counted as unreadable.
        for (pairs, len, unreadable) in [(64, 257, 0), (65, 257, 1), (1, 65_536, 0), (1, 65_537, 1), (99, 256, 0)] {
            let text = format!("{}\n", pair(len)).repeat(pairs);
            let mut anomalies = Anomalies::default();
            let straight = super::on_one_line(text.as_bytes(), &mut anomalies);
            assert_eq!(anomalies, Anomalies { unreadable_tags: unreadable, ..Anomalies::default() }, "{pairs} {len}");
            let found = memchr::memmem::find_iter(&straight, b"[FEN \"x\"]\n").count() as u64;
            assert_eq!(found, pairs as u64 - unreadable, "{pairs} {len}");
        }
    }

    #[test]
    fn what_broke_tags_apart_is_counted() {
        for (between, broken) in [
            ("\n", 0),
            ("\n{c}\n", 0),
            ("\n[Foo]\n", 1),
            ("\n[Foo]\n[Result 1-0\n", 2),
            ("\nwords\n", 1),
            ("\n\nwords\n\n", 1),
            ("\n[White \"a \"b\" c\"]\n", 1),
            ("\n[White \"a \"b\" c\"]\n[Foo]\nwords\n", 3),
        ] {
            let text = format!("[Event \"a\"]{between}[FEN \"x\"]\n\n1. e4 *\n");
            let mut anomalies = Anomalies::default();
            super::on_one_line(text.as_bytes(), &mut anomalies);
            assert_eq!(anomalies, Anomalies { broken_tags: broken, ..Anomalies::default() }, "{between:?}");
        }
    }

    #[test]
    fn tags_within_escaped_lines_are_none() {
        let text = "[Event \"a\"]\n\n1. e4 e5\n% 1-0 [Event \"b\"]\n2. d4 *\n";
        assert!(matches!(on_one_line(text.as_bytes()), Cow::Borrowed(_)));
    }
}
