//! Tags within a line of moves or of tags: runners copy what an engine writes into a comment, and what it calls itself into a tag, be it the end of
//! that and a game of its own.

use std::collections::HashSet;

use super::borders::behind_tags;
use super::prefix::tag_prefix;
use super::tag_pair::{
    LONG_GAP, LONGEST_GAP, MARK, begins_line, is_broken_tag, tag_pair, tag_pair_within, without_blanks,
};

/// The line of a text that is gone through once, from place to place.
#[derive(Default)]
pub(super) struct Line {
    at: usize,
    begin: usize,
    /// A comment begins or ends on it.
    has_brace: bool,
}

impl Line {
    /// Whether, before a place behind all those asked for before, a comment begins or ends on its line: not where just a prefix or a game without comments stands
    /// before the tag.
    pub(super) fn has_comment(&mut self, text: &[u8], place: usize) -> bool {
        let begin = self.begin(text, place);
        self.has_brace && tag_prefix(text, place) != Some(begin)
    }

    /// Whether the line of a place, behind all those asked for before or one of them, begins with the tag at another.
    pub(super) fn begins_with(&mut self, text: &[u8], place: usize, tag: usize) -> bool {
        let begin = self.begin(text, place);
        tag >= begin && without_blanks(&text[begin..tag]).is_empty()
    }

    /// Where the line begins on which a place stands, behind all those asked for before or one of them.
    fn begin(&mut self, text: &[u8], place: usize) -> usize {
        let mut rest = &text[self.at..place];
        if let Some(end) = memchr::memrchr(b'\n', rest) {
            (self.begin, self.has_brace) = (self.at + end + 1, false);
            rest = &rest[end + 1..];
        }
        self.has_brace |= memchr::memchr2(b'{', b'}', rest).is_some();
        self.at = place;
        self.begin
    }
}

/// Whether a byte order mark, and no end of a line, stands before a tag.
pub(super) fn is_marked_within(text: &[u8], bracket: usize) -> bool {
    let before = without_blanks(&text[..bracket]).strip_suffix(MARK);
    before.is_some_and(|before| !begins_line(before, before.len()))
}

/// Length of the tags and comments on the line of the tag with which a text begins, if something else than tags ends it: a move, or a comment
/// that hides what the runner has written behind them.
pub(super) fn run_on(text: &[u8]) -> Option<usize> {
    let (mut rest, mut ends_in_comment) = (text, false);
    loop {
        let comment = || memchr::memchr(b'}', &rest[..rest.len().min(LONGEST_GAP)]).map(|end| end + 1);
        let len = match rest.first() {
            Some(b' ' | b'\t' | b'\r') => 1,
            Some(b'{') if let Some(len) = comment() => {
                ends_in_comment = true;
                len
            }
            Some(_) if let Some(pair) = tag_pair(rest).filter(|pair| pair.is_closed) => {
                ends_in_comment = false;
                pair.len
            }
            next => {
                let is_end = matches!(next, None | Some(b'\n'));
                return (!is_end || ends_in_comment).then_some(text.len() - rest.len());
            }
        };
        rest = &rest[len..];
    }
}

/// Where the value of the `first` tag of a line, which seems to end before, ends with its line: if one of the tags behind it is given on another line of
/// the section, whose tags above have these `names`, or something else than tags and comments stands there though the next line goes on with tags. Match
/// runners write the name that an engine gives itself as it is, and tags and games may stand in that.
pub(super) fn raw_value_end(text: &[u8], (first, first_end): (&[u8], usize), names: &HashSet<&[u8]>) -> Option<usize> {
    /// No game has more tags below.
    const TAGS: usize = 50;
    // A line that begins with it begins a game of its own.
    if first == b"Event" {
        return None;
    }
    let end = memchr::memchr(b'\n', &text[first_end..]).map_or(text.len(), |len| first_end + len);
    let behind = text[first_end..end].trim_ascii();
    // Such a name stands between quotes and brackets of the runner's.
    if !behind.ends_with(b"]") {
        return None;
    }
    let mut below = HashSet::new();
    for name in text[end..].split(|byte| *byte == b'\n').skip(1).take(TAGS).map_while(first_of_tags) {
        // What stood above is of the next game: a list has no moves, or files were put together without a line end, so that it begins on this line.
        if names.contains(name) {
            return None;
        }
        below.insert(name);
    }
    // So it does where all its tags stand there.
    if below.is_empty() && heads_game(behind) {
        return None;
    }
    let is_elsewhere =
        |name: &[u8]| below.contains(name) || names.contains(name) && (name != first || names.len() + below.len() > 1);
    let (of_line, are_all) = tags_of_line(behind);
    let goes_on = !below.is_empty() && !below.contains(&b"Event"[..]);
    let holds_tag = || {
        memchr::memchr_iter(b'[', behind).filter_map(|at| tag_pair(&behind[at..])).any(|pair| is_elsewhere(pair.name))
    };
    let is_given = of_line.into_iter().any(is_elsewhere) || !are_all && (goes_on || holds_tag());
    is_given.then_some(end)
}

/// Whether a line ends with an Event tag, or that and others.
fn heads_game(line: &[u8]) -> bool {
    let last = memchr::memmem::rfind(line, b"[Event ");
    last.is_some_and(|at| tags_of_line(&line[at..]).1)
}

/// The names of the tags with which a line goes on, and whether it is nothing else than tags and comments.
pub(super) fn tags_of_line(line: &[u8]) -> (Vec<&[u8]>, bool) {
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

    /// An engine's move, or its variation, that a runner copies into a comment may end that and have tags and moves.
    #[test]
    fn games_within_a_line_of_moves_are_none_where_others_have_lines() {
        let forged = "1. e4 {Black makes an illegal move: }1-0[Event\"m\"][White\"B\"][Result\"0-1\"]1.e4{}e5{}0-1[Event\"m\"]1.d4 1-0{} 1-0\n";
        let text = format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{forged}");
        let mut anomalies = Anomalies::default();
        assert_eq!(on_one_line(text.as_bytes(), &mut anomalies), text.as_bytes());
        assert_eq!(anomalies, Anomalies { unreadable_tags: 2, ..Anomalies::default() });
        // So it may be the first move of its game, and have the mark with which files begin.
        for forged in [
            "{White makes an illegal move: }[Event\"m\"][White\"B\"]1.e4{} 1-0\n",
            "1. e4 {x}1-0\u{feff}[Event\"m\"]1.e4{} 1-0\n",
            // Before any comment has ended.
            "1. e4 {Black makes an illegal move: \u{feff}[Event\"m\"]1.e4 1-0} 1-0\n",
        ] {
            let text = format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{forged}");
            assert_eq!(on_one_line(text.as_bytes(), &mut anomalies), text.as_bytes(), "{forged}");
        }
        let hidden = "[Event \"a\"]\n\n1. e4 {+0.30/9 pv=\"e4 } 1-0 [Event \"m\"] [White \"A\"] {\"}\ne5 1-0\n";
        assert_eq!(on_one_line(hidden.as_bytes(), &mut anomalies), hidden.as_bytes());
        // Files that were put together without a line end, and files of one line.
        for text in [
            "[Event \"a\"]\n\n1. e4 1-0[Event \"b\"]{c}[White \"w\"]\n[Site \"s\"]\n\n*\n",
            "[Event \"a\"] 1. e4 1-0 [Event \"b\"] 1. d4 *",
        ] {
            assert!(
                String::from_utf8_lossy(&on_one_line(text.as_bytes(), &mut Anomalies::default()))
                    .contains("\n\n[Event \"b\"]"),
                "{text}"
            );
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
            assert_eq!(anomalies.unreadable_tags, 1, "{name}");
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
            let mut anomalies = Anomalies::default();
            assert!(!on_one_line(text.as_bytes(), &mut anomalies).is_empty());
            assert_eq!(anomalies.unreadable_tags, 0, "{text}");
        }
    }

    /// The blanks behind a tag are gone through once, however many tags follow on a line of moves.
    #[test]
    fn many_tags_within_a_line_are_passed_over_at_once() {
        let begun = std::time::Instant::now();
        let (blanks, tags) = (" ".repeat(1 << 20), "1-0{}[B\"c\"]x ".repeat(50_000));
        for begin in ["\n1. e4 ".to_owned(), format!("\n{blanks}}} e4 ")] {
            let text = format!("[Event \"a\"]{blanks}{begin}{tags}\n");
            let mut anomalies = Anomalies::default();
            on_one_line(text.as_bytes(), &mut anomalies);
            assert_eq!(anomalies.unreadable_tags, 50_000);
        }
        // Nor is the line gone through once more behind each tag of it.
        for tag in ["\u{feff}[a\"b\"]", "\u{feff}[EngineWhiteName \"b\"]", "[a\"b\"] x ", "[a\"b\"]\n"] {
            let text = format!("[Event \"m\"]\n[White \"a\"] {}[x \"y\"]\n[Result \"1-0\"]\n\n*\n", tag.repeat(50_000));
            on_one_line(text.as_bytes(), &mut Anomalies::default());
        }
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }
}
