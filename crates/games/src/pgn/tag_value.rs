//! The values of tags: where they end, also where they were wrapped, and what their escapes mean.

use std::borrow::Cow;
use std::collections::HashSet;

use super::borders::behind_tags;
use super::tag_pair::{LONG_GAP, TagPair, is_broken_tag, tag_pair, tag_pair_within, without_blanks};

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
/// The reader takes it for moves, or for tags. The tags of the section down to this pair have the names `above`.
pub(super) fn rest_of_value(text: &[u8], end: usize, pair: TagPair<'_>, above: &HashSet<&[u8]>) -> usize {
    let before = without_blanks(&text[..end - pair.len]);
    // Once a line: behind a byte order mark thousands may stand there.
    if before.is_empty() || before.ends_with(b"\n") {
        let line_end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |len| end + len);
        let rest = text[end..line_end].trim_ascii_end();
        if rest.ends_with(b"]") && is_raw(pair, rest, &text[line_end..], above) {
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

/// Whether the value of the first tag of a line, which seems to end before the `rest` of that, ends with it: something else than tags and comments
/// stands there, or one of the tags in it is given on another line of the section. Match runners write the name that an engine gives itself as it
/// is, and tags and games may stand in that.
fn is_raw(pair: TagPair<'_>, rest: &[u8], below: &[u8], above: &HashSet<&[u8]>) -> bool {
    /// No game has more tags below.
    const TAGS: usize = 50;
    let (of_line, are_all) = tags_of_line(rest);
    let held = || memchr::memchr_iter(b'[', rest).filter_map(|at| tag_pair(&rest[at..]));
    let holds_tags = held().next().is_some();
    if !are_all && rest.ends_with(b"\"]") && (OF_ENGINES.contains(&pair.name) || pair.is_closed && !holds_tags) {
        return true;
    }
    // A line that begins with it begins a game of its own.
    if pair.name == b"Event" || !holds_tags {
        return false;
    }
    let mut names = HashSet::new();
    for name in below.split(|byte| *byte == b'\n').skip(1).take(TAGS).map_while(first_of_tags) {
        // What stood above is of the next game: a list has no moves, or files were put together without a line end, so that it begins on this line.
        if above.contains(name) {
            return false;
        }
        names.insert(name);
    }
    // So it does where all its tags stand there.
    if names.is_empty() && heads_game(rest) {
        return false;
    }
    let is_alone = above.len() + names.len() == 1;
    let is_elsewhere = |name: &[u8]| names.contains(name) || above.contains(name) && (name != pair.name || !is_alone);
    let goes_on = !names.is_empty() && !names.contains(&b"Event"[..]);
    of_line.into_iter().any(is_elsewhere) || !are_all && (goes_on || held().any(|pair| is_elsewhere(pair.name)))
}

/// Whether a line ends with an Event tag, or that and others.
fn heads_game(line: &[u8]) -> bool {
    let last = memchr::memmem::rfind(line, b"[Event ");
    last.is_some_and(|at| tags_of_line(&line[at..]).1)
}

/// The names of the tags with which a line goes on, and whether it is nothing else than tags and comments.
fn tags_of_line(line: &[u8]) -> (Vec<&[u8]>, bool) {
    let (mut rest, mut names) = (line, Vec::new());
    loop {
        rest = rest.trim_ascii_start();
        let len = match rest.first() {
            None | Some(b';') => return (names, true),
            Some(b'{') => memchr::memchr(b'}', rest).map(|end| end + 1),
            Some(b'[') => match tag_pair_within(rest, LONG_GAP).filter(|pair| pair.is_closed) {
                Some(pair) => {
                    names.push(pair.name);
                    Some(pair.len)
                }
                None => memchr::memchr(b']', rest).map(|end| end + 1).filter(|&end| is_broken_tag(&rest[..end])),
            },
            _ => None,
        };
        let Some(len) = len else { return (names, false) };
        rest = &rest[len..];
    }
}

/// The name of the first tag of a line that is nothing but tags.
fn first_of_tags(line: &[u8]) -> Option<&[u8]> {
    let mut first = None;
    let (rest, is_closed) = behind_tags(line, usize::MAX, |name| {
        first.get_or_insert(name);
    });
    first.filter(|_| is_closed && rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::handler::Anomalies;
    use super::super::tag_pair::on_one_line;
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

    /// Match runners write the name that an engine gives itself as it is.
    #[test]
    fn tags_in_the_name_of_an_engine_are_none() {
        let section = |name: &str, more: &str| {
            format!(
                "[Event \"m\"]\n[White \"{name}\"]\n[Black \"b\"]\n[Result \"0-1\"]\n{more}[PlyCount \"1\"]\n\n1. e4 0-1\n"
            )
        };
        let long = format!("A 1.0\"] [{{{}}}Result \"1-0\"] [X \"y", "x".repeat(300));
        let brackets = format!("A 1.0\"] [a \"{}{}", "[".repeat(70), &long[5..]);
        for name in [
            &*long,
            &*brackets,
            r#"A 1.0"] [White "b"] [Black "w"] [Result "1-0"] [X "y"#,
            r#"A 1.0"][Variant "Atomic"] [Round "1"] [X "y"#,
            r#"A 1.0" [White "b"] [X "y"#,
            r#"A 1.0"] {x} [White "b"] % [X "y"#,
            r#"A 1.0"] 1. e4 1-0 [Event "m"] [White "b"] 1. d4 1-0 [X "y"#,
            r#"A 1.0"] 0-1 [X "y"#,
            r#"A 1.0"] [X "y"] 0-1"#,
            r#"A 1.0"] [X "y"] 0-1 [Z "y"#,
            r#"A 1.0"] [X "y"] {"#,
            r#"A 1.0"] [X "y"] ("#,
        ] {
            let text = section(name, "[Round \"2\"]\n");
            let mut anomalies = Anomalies::default();
            let read = on_one_line(text.as_bytes(), &mut anomalies);
            let read = String::from_utf8_lossy(&read);
            assert_eq!(read, section("A 1.0", "[Round \"2\"]\n"), "{name}");
            assert_eq!(anomalies, Anomalies { broken_tags: 1, ..Anomalies::default() }, "{name}");
        }
        // Without another tag on the line.
        let text = section("A 1.0\"] 0-1 [\"", "");
        assert_eq!(
            String::from_utf8_lossy(&on_one_line(text.as_bytes(), &mut Anomalies::default())),
            section("A 1.0", "")
        );
        // fastchess' own tags hold nothing else than tags, which may be those of a file that was written anew.
        let of_engine =
            |name: &str| section("w", &format!("[EngineWhiteName \"{name}\"]\n[EngineWhiteAuthor \"{name}\"]\n"));
        for name in [r#"A 1.0"] *"#, r#"A 1.0"] [Event "m"] [White "b"] 1. d4 1-0"#] {
            let mut anomalies = Anomalies::default();
            let text = of_engine(name);
            assert_eq!(
                String::from_utf8_lossy(&on_one_line(text.as_bytes(), &mut anomalies)),
                of_engine("A 1.0"),
                "{name}"
            );
            assert_eq!(anomalies.broken_tags, 2, "{name}");
        }
        let text = section("w", "[EngineWhiteName \"A\"] [Termination \"t\"] [FEN \"f\"]\n");
        assert_eq!(on_one_line(text.as_bytes(), &mut Anomalies::default()), text.as_bytes());
        // By the standard any number of tags stands on a line.
        for text in [
            "[Event \"a\"] [Site \"s\"]\n[White \"w\"] [Black \"b\"]\n\n*\n[Event \"a\"] [Site \"s\"]\n\n*\n",
            "[Event \"a\"] [White \"w\"]\n[Event \"b\"] [White \"w\"]\n",
            &"[Event \"a\"]\n[White \"w\"] [Black \"b\"] [Result \"1-0\"]\n".repeat(4),
            &"[White \"w\"] [Black \"b\"] [Result \"1-0\"]\n".repeat(4),
            // Games of a line each above others with their tags on lines.
            &("[White \"w\"] [Black \"b\"] [Result \"1-0\"] 1-0\n".repeat(4)
                + "[Event \"e\"]\n[White \"w\"]\n[Black \"b\"]\n\n*\n"),
            &("[White \"w\"] [Black \"b\"] 1. e4 1-0\n[Black \"w\"] [White \"b\"] 1. e4 1-0\n".repeat(2)),
            "[Event \"a\"]\n[White \"w\"] {c} [WhiteElo 2500] [Black \"b\"]\n[Result \"1-0\"]\n\n*\n",
            "[Event \"a\"]\n[White \"w\"] [Black \"b\"] ; so says [\"him\"]\n[Result \"1-0\"]\n\n*\n",
            // Files put together without a line end.
            "[Event \"a\"]\n[Site \"s\"]\n[FEN \"f\"][Event \"b\"]\n[Site \"s\"]\n\n*\n",
            "[Round \"1\"]\n[White \"w\"]\n[Result \"1-0\"] 1-0[Event \"b\"]\n[Site \"s\"]\n[Round \"1\"]\n[White \"w\"]\n\n*\n",
            "[Event \"a\"]\n[ECO \"A00\"][Event \"b\"] [White \"w\"] [Result \"*\"]\n\n*\n",
            &"[Round \"1\"] [White \"w\"] [Black \"b\"]\n[Result \"1-0\"]\n".repeat(4),
        ] {
            let read = on_one_line(text.as_bytes(), &mut Anomalies::default()).into_owned();
            for tag in ["[Event \"", "[White \"", "[Black \"", "[Result \"", "[FEN \"", "[ECO \"", "[Round \""] {
                assert_eq!(
                    String::from_utf8_lossy(&read).matches(tag).count(),
                    text.matches(tag).count(),
                    "{tag} {text}"
                );
            }
        }
    }

    #[test]
    fn a_line_of_many_tags_is_gone_through_once() {
        let begun = std::time::Instant::now();
        for tag in [
            "\u{feff}[a\"b\"]",
            "\u{feff}[EngineWhiteName \"b\"]",
            "[a\"b\"] x ",
            "[a\"b\"]\n",
            "[a\"\"b",
            "[a \"b\" x ",
        ] {
            let text =
                format!("[Event \"m\"]\n[White \"a\"] {}[x \"y\"]\n[Result \"1-0\"]\n\n*\n", tag.repeat(400_000));
            on_one_line(text.as_bytes(), &mut Anomalies::default());
        }
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }
}
