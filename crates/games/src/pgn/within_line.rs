//! Tags within a line of moves: runners copy what an engine writes into a comment, be it the end of that and a game of its own.

use super::prefix::tag_prefix;
use super::tag_pair::{LONGEST_GAP, MARK, begins_line, tag_pair, without_blanks};

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
        let mut rest = &text[self.at..place];
        if let Some(end) = memchr::memrchr(b'\n', rest) {
            (self.begin, self.has_brace) = (self.at + end + 1, false);
            rest = &rest[end + 1..];
        }
        self.has_brace |= memchr::memchr2(b'{', b'}', rest).is_some();
        self.at = place;
        self.has_brace && tag_prefix(text, place) != Some(self.begin)
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
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }
}
