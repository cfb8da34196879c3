//! What is counted in a text without reading its games, to be held against the games that were read.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem;

use super::borders::{begins_with_first_move, follows_end_of_game};
use super::tag_pair::{MARK, begins_line, follows_game, hidden_tag, tag_pair, without_blanks};

/// What a text is held against after reading: where lines begin with an `Event` tag, how many first moves there are at the beginning of a
/// line or behind a comment or a tag, and how many behind a result, of none of which whole games that were all read have more than games;
/// its braces, backslashes and brackets.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Signs {
    pub events: Vec<usize>,
    pub first_moves: u64,
    /// First moves behind the result of another game, on its line or the next.
    pub after_results: u64,
    /// Opening braces.
    pub braces: u64,
    /// There is a backslash somewhere.
    pub has_backslash: bool,
    /// Opening brackets.
    pub brackets: u64,
}

/// As much text as is searched for all signs before the next: it stays in the nearest cache meanwhile.
const WINDOW: usize = 16 << 10;

fn follows_comment_or_tag(before: &[u8]) -> bool {
    matches!(without_blanks(before).last(), Some(b'}' | b']'))
}

/// What to look for first of `\n1.`: line feeds before dots, since most digits and dots stand in other numbers of moves.
struct LineEndsFirst;

impl HeuristicFrequencyRank for LineEndsFirst {
    fn rank(&self, byte: u8) -> u8 {
        u8::from(byte != b'\n') + u8::from(byte == b'1')
    }
}

/// The same of ` 1.`, where blanks and dots stand so near to each other only at the first moves.
struct DotsFirst;

impl HeuristicFrequencyRank for DotsFirst {
    fn rank(&self, byte: u8) -> u8 {
        u8::from(byte == b'1')
    }
}

impl Signs {
    /// Those of a text.
    pub fn of(text: &[u8]) -> Signs {
        let event = memmem::Finder::new(b"Event");
        let first_move = memmem::FinderBuilder::new().build_forward_with_ranker(LineEndsFirst, b"\n1.");
        let indented = memmem::FinderBuilder::new().build_forward_with_ranker(DotsFirst, b" 1.");
        let at_the_beginning = u64::from(begins_with_first_move(text));
        let mut signs = Signs { first_moves: at_the_beginning, ..Signs::default() };
        for begin in (0..text.len()).step_by(WINDOW) {
            // A word may begin in this window and end in the next.
            let and = |ahead: usize| &text[begin..text.len().min(begin + WINDOW + ahead)];
            let window = and(0);
            signs.braces += memchr::memchr_iter(b'{', window).count() as u64;
            signs.has_backslash |= memchr::memchr(b'\\', window).is_some();
            signs.brackets += memchr::memchr_iter(b'[', window).count() as u64;
            let events = event.find_iter(and(event.needle().len() - 1)).map(|at| begin + at);
            signs.events.extend(events.filter(|&at| is_event_tag(text, at)));
            let lines = first_move.find_iter(and(first_move.needle().len() - 1)).map(|at| begin + at + 1);
            for line in lines.filter(|&line| begins_with_first_move(&text[line..])) {
                signs.first_moves += 1;
                signs.after_results += u64::from(follows_end_of_game(&text[..line]));
            }
            let places = indented.find_iter(and(indented.needle().len() - 1)).map(|at| begin + at + 1);
            for place in places.filter(|&place| begins_with_first_move(&text[place..])) {
                let is_first = begins_line(text, place) || follows_comment_or_tag(&text[..place]);
                signs.first_moves += u64::from(is_first);
                signs.after_results += u64::from(follows_end_of_game(&text[..place]));
            }
        }
        signs
    }
}

/// Where the brackets of a text stand, which is asked only if not all of them began tags that were read.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Brackets {
    /// Those that stand where tags do, at the beginning of a line or behind another tag.
    pub usual: u64,
    /// A tag begins in another place, where `pgn_reader` passes over it.
    pub has_hidden_tag: bool,
}

impl Brackets {
    /// Those of a text.
    pub fn of(text: &[u8]) -> Brackets {
        let mut found = Brackets::default();
        for at in memchr::memchr_iter(b'[', text).filter(|at| text.get(at + 1) != Some(&b'%')) {
            let before = &text[..at];
            let is_usual = before.is_empty()
                || before.ends_with(b"\n")
                || before == MARK
                || without_blanks(before).ends_with(b"]");
            found.usual += u64::from(is_usual);
            found.has_hidden_tag |= !is_usual && !found.has_hidden_tag && is_hidden_tag(text, at);
        }
        found
    }
}

/// Whether the word `Event` at this place is the name of a tag at the beginning of a line.
fn is_event_tag(text: &[u8], at: usize) -> bool {
    let ends = text.get(at + b"Event".len()).is_none_or(|next| next.is_ascii_whitespace() || *next == b'"');
    let bracket = text[..at].trim_ascii_end().len().checked_sub(1);
    ends && bracket.is_some_and(|bracket| text[bracket] == b'[' && begins_line(text, bracket))
}

/// Whether a tag begins with the bracket at a place that is indented, or behind a result, a comment, a byte order mark or another prefix.
#[cold]
fn is_hidden_tag(text: &[u8], bracket: usize) -> bool {
    tag_pair(&text[bracket..]).is_some_and(|pair| {
        begins_line(text, bracket)
            || follows_game(text, bracket)
            || (pair.is_closed && hidden_tag(text, bracket).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_counted_at_the_beginning_of_lines() {
        for (text, events, first_moves) in [
            ("[Event \"a\"]\n\n1. e4 *\n", 1, 1),
            ("1.e4 e5 *\n\n1. d4 *", 0, 2),
            ("  [ Event \"a\"]\n[Event\t\"b\"]\n[EventDate \"x\"]\n{[Event \"c\"]}", 2, 0),
            ("1. e4\n1... e5\n1. ... d5\n11. d4\n1.5 pawns\n1-0", 0, 1),
            ("1. 0-0 *\n1.0 is even", 0, 1),
        ] {
            let signs = Signs::of(text.as_bytes());
            assert_eq!((signs.events.len(), signs.first_moves), (events, first_moves), "{text}");
        }
    }

    #[test]
    fn tags_are_told_by_their_place() {
        for (text, usual, has_hidden_tag) in [
            ("\u{feff}[A \"b\"]\n[A \"b\"] [C \"d\"][E\n\"f\"]\n\n1. e4 {[%clk 1]\n[%clk 2]} *", 4, false),
            ("[A \"b\"]\n {[A \"b\"]} ; [A \"b\"]\n% [A \"b\"]\n [a] *", 1, false),
            ("[A \"b\"]\n [A \"b\"]", 1, true),
            ("1. e4 *[A \"b\"]", 0, true),
            ("1. e4 * {c} [A \"b\"]", 0, true),
            ("1. e4 *\n\u{feff}[A \"b\"]", 0, true),
            ("1. e4 e5[A \"b\"]\n[C \"d\"]", 1, true),
            ("1. e4 e5[A \"b\"]", 0, false),
        ] {
            assert_eq!(Brackets::of(text.as_bytes()), Brackets { usual, has_hidden_tag }, "{text}");
        }
    }

    #[test]
    fn no_sign_is_lost_or_found_twice_where_windows_meet() {
        let signs = "\n[Event \"a\\\"\"]\n\n1. e4 {a} e5 *\n";
        let blanks = |len| " ".repeat(len);
        for before in WINDOW - signs.len()..=WINDOW {
            let text = format!("{}{signs}{}{signs}", blanks(before), blanks(WINDOW - signs.len() + 7));
            let found = Signs::of(text.as_bytes());
            let events = text.match_indices("Event").map(|(at, _)| at).collect();
            assert_eq!(
                found,
                Signs { events, first_moves: 2, after_results: 0, braces: 2, has_backslash: true, brackets: 2 },
                "{before}"
            );
        }
        assert!(!Signs::of(blanks(3 * WINDOW).as_bytes()).has_backslash);
    }

    #[test]
    fn first_moves_are_counted_where_games_may_begin() {
        for (text, first_moves, after_results) in [
            ("1. e4 1-0\n\n1. d4 *\n  1. c4 *\n", 3, 2),
            ("1. e4 1-0 1. d4 1/2-1/2\n", 1, 1),
            ("[Event \"a\"] 1. e4 e5\n", 1, 0),
            ("{c} 1. e4 e5 1. d4\n", 1, 0),
            ("  1. e4 * 1... e5 * 1.5\n", 1, 0),
            ("11-0\n1. e4 2-1\n1. d4\n", 2, 1),
        ] {
            let signs = Signs::of(text.as_bytes());
            assert_eq!((signs.first_moves, signs.after_results), (first_moves, after_results), "{text}");
        }
    }
}
