//! Reading the games in a chunk of PGN.
//!
//! `pgn_reader` is fast because it trusts its input. Here stands what makes it safe on files from the wild:
//!
//! - a game without movetext would hand its tags to the next one: a second `Event` tag, or the tag with which the
//!   section began once more, starts a new game;
//! - a blank line inside the moves ends a game for `pgn_reader`: moves that follow without tags and before
//!   any result token still belong to it;
//! - a game that is not wanted is passed over, so that its result is not seen: where moves stand behind a blank line of one, the text is read
//!   again with the moves of all games;
//! - a brace or a parenthesis left open swallows games, and so does a game without a result: the lines that begin with an
//!   `Event` tag or with the number of a first move are counted against the games that were read, and a chunk in which some
//!   are missing, or a comment is suspicious, is read again, game by game;
//! - a quote inside a tag's value ends the tags for `pgn_reader`: tags that follow a game's `Event` without any
//!   moves between still belong to it;
//! - a tag longer than the buffer ends in an error: the game keeps its other tags;
//! - a tag pair that goes on over several lines ends the tags for `pgn_reader`, one behind a comment, blanks or a result on its line is
//!   passed over: brackets where tags stand are counted against the tags that were read, and the text is read again with each pair
//!   where it is seen;
//! - a promotion without its equals sign is no move to `pgn_reader`: a text of which no promotion was read is looked through for such;
//! - whether a game is wanted is asked before its moves are read, but some servers say only at its end that it was lost on time: such games are
//!   given a Termination tag.

mod bridge;

use std::borrow::Cow;

use super::borders::game_beginnings;
use super::endings::with_terminations;
use super::handler::{Anomalies, GameHandler};
use super::promotions::{lacks_signs, with_signs};
use super::semicolon::with_braces;
use super::signs::{Brackets, Signs};
use super::tag_pair::on_one_line;
use bridge::Bridge;

/// Reads all games in `text`, which must begin and end at game boundaries, and sends them to a handler made by
/// `new_handler`. Returns the handler with what it gathered. `cut_off` says that the text ends where its file
/// broke, so that the last game is not whole.
///
/// The handler is made anew if the text must be read a second time, see the page of this module: then a line that looks
/// like a tag begins a game wherever it stands.
pub fn read_games<H: GameHandler>(text: &[u8], cut_off: bool, new_handler: impl Fn() -> H) -> (H, Anomalies) {
    let (handler, anomalies, _) = read_signed(text, cut_off, new_handler);
    (handler, anomalies)
}

/// The same, and whether promotions lacked their signs: a text of which no promotion was read is looked through for such, and is read again with
/// signs if it has one. So texts as the standard has them take no time for it.
pub(super) fn read_signed<H: GameHandler>(
    text: &[u8],
    cut_off: bool,
    new_handler: impl Fn() -> H,
) -> (H, Anomalies, bool) {
    let ended = with_terminations(text);
    let text = ended.as_deref().unwrap_or(text);
    let read = |text: &[u8], lacks_signs| read_through(text, cut_off, &new_handler, lacks_signs);
    let plain = read(text, false);
    if plain.has_promotion || !lacks_signs(text) {
        return (plain.handler, plain.anomalies, false);
    }
    let signed = with_signs(text);
    // They stand in comments alone, and none has swallowed a game.
    if signed.is_none() && plain.anomalies.rescued_games == 0 {
        return (plain.handler, plain.anomalies, false);
    }
    let found = read(signed.as_deref().unwrap_or(text), true);
    (found.handler, found.anomalies, true)
}

/// Reads a text; where it `lacks_signs` in promotions, those that an unclosed comment hides from the first reading get them in the second.
fn read_through<H: GameHandler>(
    text: &[u8],
    cut_off: bool,
    new_handler: impl Fn() -> H,
    lacks_signs: bool,
) -> Bridge<H> {
    let mut braced = Vec::new();
    let read = if H::COMMENTS { with_braces(text, &mut braced) } else { text };
    let signs = Signs::of(read);
    let mut first = Bridge::new(new_handler());
    first.read(read, &signs, cut_off);
    if first.passed_a_blank_line {
        first = Bridge::new(new_handler());
        first.reads_unwanted = true;
        first.read(read, &signs, cut_off);
    }
    first.suspicious |= first.comments.may_hold_games(read, &signs);
    if first.tags_read != signs.brackets {
        let brackets = Brackets::of(read);
        first.torn_tags |= brackets.has_hidden_tag;
        first.odd_tags |= first.tags_read != brackets.usual;
    }
    let all_read = first.comments.events() >= signs.events.len()
        && first.games >= signs.first_moves.max(signs.events.len() as u64 + signs.after_results);
    if all_read && !first.suspicious && !first.odd_tags && !first.torn_tags {
        return first;
    }
    read_again(text, cut_off, new_handler, first, signs, lacks_signs)
}

/// Reads a text game by game, for the games that the first reading has swallowed or could not tell apart.
#[cold]
fn read_again<H: GameHandler>(
    text: &[u8],
    cut_off: bool,
    new_handler: impl Fn() -> H,
    first: Bridge<H>,
    signs: Signs,
    lacks_signs: bool,
) -> Bridge<H> {
    let mut of_tags = Anomalies::default();
    let straight = on_one_line(text, &mut of_tags);
    let tags_were_broken = matches!(straight, Cow::Owned(_)) || of_tags != Anomalies::default();
    let beginnings = game_beginnings(&straight);
    // Moves behind a blank line may be those of a game, whose place among the beginnings one without a number has taken.
    let has_blank_lines = first.anomalies.blank_line_in_game > 0;
    let all_read =
        first.comments.events() >= signs.events.len() && first.games > beginnings.len() as u64 && !has_blank_lines;
    if all_read && !first.suspicious && !first.torn_tags && !tags_were_broken {
        return first;
    }
    let mut second = Bridge::new(new_handler());
    second.is_of_one_game = true;
    second.reads_unwanted = first.reads_unwanted;
    let mut begin = 0;
    let mut braced = Vec::new();
    let mut read = |part: &[u8], cut_off| {
        let signed = if lacks_signs { with_signs(part) } else { None };
        let part = signed.as_deref().unwrap_or(part);
        second.read(if H::COMMENTS { with_braces(part, &mut braced) } else { part }, &signs, cut_off);
    };
    for next in beginnings {
        read(&straight[begin..next], false);
        begin = next;
    }
    read(&straight[begin..], cut_off);
    let is_no_better = second.games <= first.games && first.comments.events() >= signs.events.len();
    if is_no_better && !first.torn_tags && !tags_were_broken {
        return first;
    }
    second.anomalies += of_tags;
    second.anomalies.rescued_games = second.games.saturating_sub(first.games);
    second
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;
    use crate::pgn::{Interest, ReadGame, ResultToken, Tags};

    /// Writes down each game as `tags|moves and results|end`.
    #[derive(Default)]
    struct Notes {
        games: Vec<String>,
        tags: Vec<String>,
        text: Vec<String>,
        /// Games with this tag are passed over.
        unwanted: &'static str,
    }

    impl GameHandler for Notes {
        fn begin(&mut self) {
            self.tags.clear();
            self.text.clear();
        }
        fn tag(&mut self, name: &[u8], value: &[u8]) {
            self.tags.push(format!("{}={}", name.escape_ascii(), value.escape_ascii()));
        }
        fn moves(&mut self, _: &Tags) -> Interest {
            let unwanted = self.tags.iter().any(|tag| tag.starts_with(self.unwanted) && !self.unwanted.is_empty());
            if unwanted { Interest::Nothing } else { Interest::Moves }
        }
        fn san(&mut self, san: San) {
            self.text.push(san.to_string());
        }
        fn result(&mut self, token: ResultToken) {
            self.text.push(format!("{token:?}"));
        }
        fn end(&mut self, ReadGame { end, .. }: ReadGame<'_>) {
            self.games.push(format!("{}|{}|{end:?}", self.tags.join(" "), self.text.join(" ")));
        }
    }

    fn read(text: &str) -> (Vec<String>, Anomalies) {
        read_without("", text)
    }

    fn read_without(unwanted: &'static str, text: &str) -> (Vec<String>, Anomalies) {
        let (notes, anomalies) = read_games(text.as_bytes(), false, || Notes { unwanted, ..Notes::default() });
        (notes.games, anomalies)
    }

    #[test]
    fn what_ends_a_game_stands_in_its_tags() {
        let game = "[Event \"a\"]\n\n1. a8Q {White forfeits on time} 0-1\n";
        let expected = "Event=a Termination=time forfeit|a8=Q BlackWin|Whole";
        assert_eq!(read(game), (vec![expected.to_owned()], Anomalies::default()));
        assert_eq!(read_without("Termination", game).0, ["Event=a Termination=time forfeit||Whole"]);
    }

    /// FIDE's Laws have no sign there.
    #[test]
    fn promotions_without_signs_are_moves() {
        let (games, anomalies) =
            read("[Event \"d8Q\"]\n\n1. a8Q+ {or a8N} exf1N# 2. h8R$1 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(games, ["Event=d8Q|a8=Q exf1=N h8=R WhiteWin|Whole", "Event=b|d4 Unknown|Whole"]);
        // An open brace takes no sign from the games behind it.
        let (games, _) =
            read("[White \"a\"]\n\n1. a8Q {open 1-0\n\n[White \"b\"]\n\n1. d8Q 1-0\n\n[White \"c\"]\n\n1. e8N *\n");
        assert!(games[1].contains("d8=Q") && games[2].contains("e8=N"), "{games:?}");
        assert_eq!(anomalies, Anomalies::default());
    }

    #[test]
    fn ordinary_games() {
        let (games, anomalies) =
            read("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {x} (1. d4 d5) e5 2. O-O 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(games, ["Event=a Result=1-0|e4 e5 O-O WhiteWin|Whole", "Event=b|d4 Unknown|Whole"]);
        assert_eq!(anomalies, Anomalies::default());
    }

    #[test]
    fn a_game_without_moves_keeps_its_tags_to_itself() {
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[White \"x\"]\n[Event \"c\"]\n\n1. e4 1-0\n";
        let (games, _) = read(text);
        assert_eq!(games, ["Event=a Result=1-0||Whole", "Event=b White=x||Whole", "Event=c|e4 WhiteWin|Whole"]);
        assert_eq!(read("[Event \"a\"]\n").0, ["Event=a||Whole"]);
        let text = "[Site \"s\"]\n[Event \"a\"]\n\n[Site \"t\"]\n[Event \"b\"]\n\n1. e4 *\n\n[White \"x\"]\n\n[White \"y\"]\n\n1. d4 *\n";
        let (games, _) = read(text);
        assert_eq!(
            games,
            ["Site=s Event=a||Whole", "Site=t Event=b|e4 Unknown|Whole", "White=x||Whole", "White=y|d4 Unknown|Whole"]
        );
    }

    #[test]
    fn moves_behind_a_blank_line_belong_to_their_game() {
        let (games, anomalies) = read("[Event \"a\"]\n\n1. e4 e5\n\n2. Nf3 1/2-1/2\n\n[Event \"b\"]\n\n1. c4 *\n");
        assert_eq!(games, ["Event=a|e4 e5 Nf3 Draw|Whole", "Event=b|c4 Unknown|Whole"]);
        assert_eq!(anomalies, Anomalies { blank_line_in_game: 1, ..Anomalies::default() });
        let (games, _) = read_without("Event=a", "[Event \"a\"]\n\n1. e4 e5\n\n2. Nf3 *\n\n[Event \"b\"]\n\n1. c4 *\n");
        assert_eq!(games, ["Event=a||Whole", "Event=b|c4 Unknown|Whole"]);
    }

    /// A game that is passed over ends with its result as well.
    #[test]
    fn a_game_that_nobody_wants_takes_no_others_with_it() {
        for begins in ["{From a bulletin} 1. d4", "d4", "1 d4", "1) d4", "1.\nd4", "$1 d4", "7. d4", "1. d4"] {
            let text = format!(
                "[Event \"a\"]\n\n1. e4 {{x}} e5\n\n2. Nf3 1-0\n\n{begins} d5 0-1\n\n{begins} *\n\n[Event \"b\"]\n\n1. c4 *\n"
            );
            let expected = ["Event=a||Whole", "|d4 d5 BlackWin|Whole", "|d4 Unknown|Whole", "Event=b|c4 Unknown|Whole"];
            let (games, anomalies) = read_without("Event=a", &text);
            assert_eq!(games, expected, "{begins}");
            let (wanted, of_wanted) = read(&text);
            assert_eq!((&wanted[1..], anomalies), (&games[1..], of_wanted), "{begins}");
        }
    }

    /// Nor is it hidden by another game, which has no number of a first move, that a game ends where the next begins.
    #[test]
    fn a_game_without_a_result_ends_where_the_next_begins() {
        let text = "[Event \"a\"]\n\n1. e4 e5\n\n1. d4 d5 1-0\n\nc4 1/2-1/2\n\n[Event \"b\"]\n\n1. c4 *\n";
        let (games, anomalies) = read(text);
        let expected = ["Event=a|e4 e5|Whole", "|d4 d5 WhiteWin|Whole", "|c4 Draw|Whole", "Event=b|c4 Unknown|Whole"];
        assert_eq!(
            (games, anomalies),
            (expected.map(str::to_owned).to_vec(), Anomalies { rescued_games: 1, ..Anomalies::default() })
        );
        let (games, _) = read_without("Event=a", text);
        assert_eq!((&*games[0], &games[1..]), ("Event=a||Whole", &expected.map(str::to_owned)[1..]));
    }

    #[test]
    fn games_without_tags() {
        let (games, anomalies) = read("1. e4 e5 1-0\n\n1. d4 d5 0-1 1. c4 1/2-1/2\n");
        assert_eq!(games, ["|e4 e5 WhiteWin|Whole", "|d4 d5 BlackWin|Whole", "|c4 Draw|Whole"]);
        assert_eq!(anomalies, Anomalies::default());
    }

    #[test]
    fn quotes_inside_a_value_do_not_break_a_game_apart() {
        for unwanted in ["", "Event"] {
            let (games, anomalies) = read_without(
                unwanted,
                "[Event \"The \"Big\" One\"]\n[White \"x\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n[Event \"b\"]\n\n1. d4 *\n",
            );
            assert_eq!(games.len(), 2, "{games:?}");
            assert!(games[0].starts_with("Event=The  White=x Result=0-1|"), "{games:?}");
            assert_eq!(anomalies, Anomalies { broken_tags: 1, ..Anomalies::default() });
        }
    }

    /// Those behind it stood for another game, without the variant and the start position of those before.
    #[test]
    fn a_tag_without_quotes_does_not_break_a_game_apart() {
        for broken in [
            "[WhiteTitle GM]",
            "[Round -]",
            "[]",
            "[Foo]",
            "[Round 1-0]",
            "[Opening e4]",
            "[EventDate 1.1.2000]",
            "[x (y]",
        ] {
            for unwanted in ["", "Event=a", "Variant"] {
                let text = format!(
                    "[Event \"a\"]\n[Variant \"x\"]\n{broken}\n[White \"w\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n{broken}\n\n1. d4 *\n"
                );
                let (games, _) = read_without(unwanted, &text);
                let moves = if unwanted.is_empty() { "e4 WhiteWin" } else { "" };
                let expected = format!("Event=a Variant=x White=w|{moves}|Whole");
                assert_eq!((games.len(), &games[0]), (2, &expected), "{broken} {unwanted}");
            }
        }
    }

    /// The reader takes what stands before the first straight quote for the name, so that as many tags are read as there are brackets.
    #[test]
    fn a_tag_in_other_quotes_or_blanks_is_read_also_where_it_is_the_only_odd_one() {
        for value in [
            &b" \xe2\x80\x9cAtomic\""[..],
            b" 'Atomic\"",
            b" &quot;Atomic\"",
            b" Atomic\"",
            b"\xa0\"Atomic\"",
            b"\xe3\x80\x80\"Atomic\"",
            b"\xe2\x80\xaf\"Atomic\"",
            b" \xe2\x80\x8b\"Atomic\"",
        ] {
            let text =
                [b"[Event \"a\"]\n[Variant", value, b"]\n[White \"w\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n"]
                    .concat();
            let (notes, anomalies) = read_games(&text, false, Notes::default);
            let expected = ["Event=a Variant=Atomic White=w|e4 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"];
            assert_eq!(notes.games, expected, "{}", value.escape_ascii());
            assert_eq!(anomalies.broken_tags, 1, "{}", value.escape_ascii());
        }
    }

    #[test]
    fn an_open_brace_swallows_only_its_own_game() {
        let text = "[Event \"a\"]\n\n1. e4 {oops e5 1-0\n\n[Event \"b\"]\n[Result \"*\"]\n\n1. d4 {fine} d5 *\n\n[Event \"c\"]\n\n1. c4 *\n";
        for unwanted in ["", "Event=a"] {
            let (games, anomalies) = read_without(unwanted, text);
            assert_eq!(games[1..], ["Event=b Result=*|d4 d5 Unknown|Whole", "Event=c|c4 Unknown|Whole"]);
            assert_eq!(anomalies, Anomalies { rescued_games: 1, ..Anomalies::default() });
        }
        assert_eq!(read(text).0[0], "Event=a|e4|OpenComment");
        assert_eq!(read("[Event \"a\"]\n\n1. e4 {never closed").0, ["Event=a|e4|OpenComment"]);
        for (before, other) in [("[Site \"x\"]\n[Event", "Site=x Event"), ("  [Event", "Event"), ("[White", "White")] {
            let text = format!(
                "{before} \"a\"]\n\n1. e4 {{oops e5 1-0\n\n{before} \"b\"]\n\n1. d4 *\n\n{before} \"c\"]\n\n1. c4 *\n"
            );
            let (games, anomalies) = read(&text);
            let expected = [
                format!("{other}=a|e4|OpenComment"),
                format!("{other}=b|d4 Unknown|Whole"),
                format!("{other}=c|c4 Unknown|Whole"),
            ];
            assert_eq!(games, expected, "{before}");
            assert_eq!(anomalies.rescued_games, 2, "{before}");
        }
    }

    /// As `cat` leaves files that end without a line end.
    #[test]
    fn tags_right_behind_moves_begin_the_next_game() {
        for (end, read_as) in [
            ("e5", "e4 e5"),
            ("e5 $1", "e4 e5"),
            ("e5 (1... c5)", "e4 e5"),
            ("1/2", "e4"),
            ("e5\0\0", "e4"),
            ("2.", "e4"),
        ] {
            for (tags, of_next) in [
                ("[Event \"b\"]\n[White \"w\"]\n\n", "Event=b White=w"),
                ("[Variant \"x\"]\n[White \"w\"]\n", "Variant=x White=w"),
                ("[Event \"b\"]\n\n", "Event=b"),
                ("[Event \"b\"] [White \"w\"]\r\n\r\n", "Event=b White=w"),
            ] {
                let (games, anomalies) = read(&format!("[Event \"a\"]\n\n1. e4 {end}{tags}1. d4 *\n"));
                let [one, two] = &games[..] else { panic!("{games:?}") };
                assert!(one.starts_with(&format!("Event=a|{read_as}")), "{one} of {end}{tags}");
                assert_eq!(two, &format!("{of_next}|d4 Unknown|Whole"), "{end}{tags}");
                assert_eq!(anomalies.broken_tags, 1, "{end}{tags}");
            }
        }
        // The game before may end within a comment.
        for (tags, of_next) in [
            ("[Variant \"x\"]\n[White \"w\"]\n\n", "Variant=x White=w"),
            ("[Event \"b\"] [Variant \"x\"]\r\n[White \"w\"]\r\n\r\n", "Event=b Variant=x White=w"),
        ] {
            for open in ["{+0.3", "{+0.3 [%clk 1", "{"] {
                for end in ["1. d4 *\n", "1. d4 {fine} d5 *\n"] {
                    let (games, anomalies) = read(&format!("[Event \"a\"]\n\n1. e4 {open}{tags}{end}"));
                    let [one, two] = &games[..] else { panic!("{games:?}") };
                    assert_eq!(one, "Event=a|e4|OpenComment", "{open}{tags}");
                    assert!(two.starts_with(&format!("{of_next}|d4 ")), "{two} of {open}{tags}");
                    assert_eq!(anomalies.rescued_games, 1, "{open}{tags}");
                }
            }
        }
        // What the standard comments out is no data, and no result either.
        for line in ["; adjudicated 1-0", "% 1-0", "; was 1-0, now 0-1", "; *"] {
            for end in ["\n\n", "\n"] {
                let text =
                    format!("[Event \"a\"]\n[Variant \"x\"]\n{line}{end}1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
                let (games, anomalies) = read(&text);
                assert_eq!(games, ["Event=a Variant=x|e4 e5 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"], "{line}");
                assert_eq!(anomalies.rescued_games, 0, "{line}");
            }
        }
        for line in ["; [Variant \"x\"]", "%[Variant \"x\"]", "; was: [Variant \"x\"]"] {
            let text = format!("[Event \"a\"]\n{line}\n[White \"w\"]\n\n1. e4 e5 *\n");
            assert_eq!(read(&text).0, ["Event=a White=w|e4 e5 Unknown|Whole"], "{line}");
        }
        for comment in ["{as in [Event \"b\"] [White \"w\"]\n1. d4}", "; as in [Event \"b\"]\n"] {
            let text = format!("[Event \"a\"]\n\n1. e4 {comment} e5 *\n");
            assert_eq!(read(&text).0, ["Event=a|e4 e5 Unknown|Whole"], "{comment}");
        }
    }

    /// Behind its result a comment or variation takes nothing away from a game.
    #[test]
    fn what_is_open_behind_the_result_is_no_part_of_the_game() {
        for open in ["{White wins", "(1. d4", "{a} ([Event", "{my games"] {
            let text = format!(
                "[Event \"a\"]\n\n1. e4 e5 1-0 {open}\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 *\n"
            );
            let games = read(&text).0;
            assert_eq!(
                games,
                ["Event=a|e4 e5 WhiteWin|Whole", "Event=b|d4 Unknown|Whole", "Event=c|c4 Unknown|Whole"],
                "{open}"
            );
            let last = format!("[Event \"a\"]\n\n1. e4 e5 1-0 {open}");
            assert_eq!(read(&last).0, ["Event=a|e4 e5 WhiteWin|Whole"], "{open}");
        }
        // Before the result it does, also where that stands behind a blank line.
        for open in ["{oops", "(1. d4"] {
            let text = format!("[Event \"a\"]\n\n1. e4 {open} e5\n\n1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
            let games = read(&text).0;
            assert!(games[0].ends_with("|OpenComment") || games[0].ends_with("|OpenVariation"), "{games:?}");
        }
    }

    #[test]
    fn games_that_the_text_before_them_swallows_are_found_again() {
        for (text, expected, rescued) in [
            // A short comment closes the one that was left open.
            (
                "1. e4 {oops e5 1-0\n\n1. d4 {fine} d5 0-1\n\n1. c4 *\n",
                &["|e4|OpenComment", "|d4 d5 BlackWin|Whole", "|c4 Unknown|Whole"][..],
                1,
            ),
            (
                "1. e4 {oops e5 1-0 1. d4 {fine} d5 0-1\n\n1. c4 *\n",
                &["|e4|OpenComment", "|d4 d5 BlackWin|Whole", "|c4 Unknown|Whole"],
                1,
            ),
            (
                "[Event \"a\"]\n\n1. e4 {oops e5 1-0\n\n  [Event \"b\"]\n\n1. d4 {fine} *\n\n[Event \"c\"]\n\n1. c4 *\n",
                &["Event=a|e4|OpenComment", "Event=b|d4 Unknown|Whole", "Event=c|c4 Unknown|Whole"],
                1,
            ),
            // As many braces close as open.
            (
                "1. e4 {oops e5 1-0 1. d4 {fine} d5} 0-1\n\n1. c4 *\n",
                &["|e4|OpenComment", "|d4 d5 BlackWin|Whole", "|c4 Unknown|Whole"],
                1,
            ),
            // An indented tag without a blank line before it.
            (
                "[Event \"a\"]\n\n1. e4 1-0\n  [Event \"b\"]\n\n1. d4 *\n",
                &["Event=a|e4 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"],
                0,
            ),
            (
                "[White \"a\"]\n\n1. e4 {oops 1-0\n\n[White \"b\"]\n\n1. d4 {fine} *\n\n[White \"c\"]\n\n1. c4 *\n",
                &["White=a|e4|OpenComment", "White=b|d4 Unknown|Whole", "White=c|c4 Unknown|Whole"],
                1,
            ),
            (
                "1. e4 (1. d4 d5 1-0\n1. c4 (1. b3) e5 0-1\n1. g3 *\n",
                &["|e4|OpenVariation", "|c4 e5 BlackWin|Whole", "|g3 Unknown|Whole"],
                2,
            ),
            // No result, and the numbers begin again.
            (
                "1. e4 e5 2. Nf3\n\n1. d4 d5 0-1\n\n1. c4 *\n",
                &["|e4 e5 Nf3|Whole", "|d4 d5 BlackWin|Whole", "|c4 Unknown|Whole"],
                1,
            ),
            (
                "[Event \"a\"]\n\n1. e4 e5\n1. d4 d5 0-1\n\n[Event \"c\"]\n\n1. c4 *\n",
                &["Event=a|e4 e5|Whole", "|d4 d5 BlackWin|Whole", "Event=c|c4 Unknown|Whole"],
                1,
            ),
        ] {
            let (games, anomalies) = read(text);
            assert_eq!(games, expected, "{text}");
            assert_eq!(anomalies.rescued_games, rescued, "{text}");
        }
        // A game that nobody wants swallows others just as well.
        let text = "[White \"a\"]\n\n1. e4 {oops 1-0\n\n[White \"b\"]\n\n1. d4 {fine} *\n\n[White \"c\"]\n\n1. c4 *\n";
        assert_eq!(read_without("White", text).0, ["White=a||Whole", "White=b||Whole", "White=c||Whole"]);
    }

    /// Every sequence of three games, whole or broken, with and without tags, wanted or not.
    #[test]
    fn no_game_vanishes_among_others() {
        let tags = ["[Event \"x\"]\n[White \"w\"]\n\n", "[White \"w\"]\n\n", ""];
        let moves = ["1. e4 e5 1-0", "1. e4 {a} e5 1-0", "1. e4 {open e5 1-0", "1. e4 (1. d4 d5 1-0", "1. e4 e5"];
        let kinds: Vec<String> =
            tags.iter().flat_map(|tags| moves.iter().map(move |moves| format!("{tags}{moves}\n\n"))).collect();
        let mut vanished = Vec::new();
        for number in 0..kinds.len().pow(3) {
            let text: String = (0..3).map(|place| &*kinds[number / kinds.len().pow(place) % kinds.len()]).collect();
            let games = read(&text).0.len();
            if games != 3 {
                vanished.push((games, text));
            }
        }
        assert!(vanished.is_empty(), "{} texts, as {:?}", vanished.len(), &vanished[..vanished.len().min(3)]);
    }

    #[test]
    fn texts_that_look_as_if_games_were_swallowed_stay_as_they_are() {
        for text in [
            "1. e4 {as in\n\n1. d4 1-0\n\n1. c4 and so on} e5 *\n",
            "1. e4 {a {b} e5 *\n",
            "1. e4 (1. d4 d5\n1. c4) e5 *\n",
        ] {
            let (games, anomalies) = read(text);
            assert_eq!(games, ["|e4 e5 Unknown|Whole"], "{text}");
            assert_eq!(anomalies, Anomalies::default(), "{text}");
        }
    }

    #[test]
    fn a_variation_left_open_is_no_end_and_one_with_a_blank_line_is() {
        let (games, _) = read("[Event \"a\"]\n\n1. e4 (1. d4 d5 2. c4 e5 2. Nf3 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(games, ["Event=a|e4|OpenVariation", "Event=b|d4 Unknown|Whole"]);
        let (games, _) =
            read("[Event \"a\"]\n\n1. e4 (1. d4 d5\n\n2. c4 0-1) 1... e5 2. Nf3 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(games, ["Event=a|e4 e5 Nf3 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"]);
    }

    #[test]
    fn tags_stand_with_any_white_space() {
        let expected = ["Event=a FEN=x Result=1-0|e4 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"];
        for tags in [
            "[Event  \"a\"]\n[FEN  \"x\"]\n[Result \"1-0\"]\n",
            "[Event\t\"a\"]\n[FEN\t \"x\"]\n[Result\t\"1-0\"]\n",
            "[Event\"a\"]\n[FEN\"x\"]\n[Result\"1-0\"]\n",
            "[Event \"a\"] [FEN \"x\"][Result \"1-0\"]\n",
            "  [Event \"a\"]\n\t[FEN \"x\"]\n [Result \"1-0\"]\n",
            "[ Event \"a\" ]\n[ FEN \"x\" ]\n[\tResult \"1-0\"\t]\n",
            "[Event\n\"a\"]\n[FEN\n\"x\"]\n[Result\n\"1-0\"]\n",
            "[Event\r\n \"a\"\r\n]\r\n[FEN\r\n\"x\"]\r\n[Result\r\n\"1-0\"]\r\n",
            "[Event \"a\"]\n[FEN \"x\"]\n[Result\n\"1-0\"]\n",
        ] {
            for before in ["", "\n"] {
                let text = format!("{tags}{before}1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
                if before.is_empty() && tags.contains("\n\"1-0\"") {
                    // Neither the end of the tags nor that of the last one is marked.
                    continue;
                }
                assert_eq!(read(&text).0, expected, "{text}");
                let skipped = ["Event=a FEN=x Result=1-0||Whole", "Event=b|d4 Unknown|Whole"];
                assert_eq!(read_without("Event=a", &text).0, skipped, "{text}");
            }
        }
        let text = "[White \"a\"]\n[FEN\n\"x\"]\n[Black \"b\"]\n\n1. e4 *\n\n[White \"c\"]\n\n1. d4 *\n";
        assert_eq!(read_without("White=a", text).0, ["White=a FEN=x Black=b||Whole", "White=c|d4 Unknown|Whole"]);
    }

    #[test]
    fn comments_of_any_length_arrive_whole() {
        #[derive(Default)]
        struct Comments(Vec<String>);
        impl GameHandler for Comments {
            const COMMENTS: bool = true;
            fn begin(&mut self) {
                self.0.push("|".to_owned());
            }
            fn moves(&mut self, _: &Tags) -> Interest {
                Interest::Moves
            }
            fn san(&mut self, san: San) {
                self.0.push(san.to_string());
            }
            fn comment(&mut self, comment: &[u8]) {
                self.0.push(format!("{{{}}}", comment.escape_ascii()));
            }
            fn end(&mut self, _: ReadGame<'_>) {}
        }
        for length in [0, 1, 255, 256, 300, 5000, 40_000] {
            let long = "x".repeat(length);
            let text = format!(
                "[Event \"a\"]\n\n{{{long}}} 1. e4{{{long}}} {{y}} (1. d4 {{in a variation}}) e5 {{+0.35/18\n1.2s}} 1-0\n\n1. d4 {{open"
            );
            let (Comments(seen), _) = read_games(text.as_bytes(), false, Comments::default);
            let long = format!("{{{long}}}");
            assert_eq!(seen, ["|", &long, "e4", &long, "{y}", "e5", "{+0.35/18\\n1.2s}", "|", "d4"], "{length}");
        }
    }

    #[test]
    fn a_tag_without_end_costs_only_itself() {
        let long = "x".repeat(100_000);
        for place in [0, 1, 2] {
            let mut tags = vec!["[Event \"a\"]".to_owned(), "[Result \"1-0\"]".to_owned()];
            tags.insert(place, format!("[Annotator \"{long}\"]"));
            let (games, anomalies) = read(&format!("{}\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n", tags.join("\n")));
            assert_eq!(games, ["Event=a Result=1-0|e4 WhiteWin|Whole", "Event=b|d4 Unknown|Whole"], "place {place}");
            assert_eq!(anomalies, Anomalies { unreadable_tags: 1, ..Anomalies::default() }, "place {place}");
        }
    }

    #[test]
    fn the_first_tag_may_stand_on_several_lines() {
        for first in ["[FEN\n\"x\"]\n[Event \"a\"]", "[Event \"a\"]\n[FEN\n\"x\"]", "[FEN\r\n \"x\" ]\r\n[Event \"a\"]"]
        {
            let text = format!("{first}\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
            let (games, _) = read(&text.repeat(2));
            assert_eq!(games.len(), 2, "{games:?}");
            assert!(games.iter().all(|game| game.contains("FEN=x") && game.contains("Event=a")), "{games:?}");
        }
    }

    /// In any order, with comments and blank lines between them, behind games that are wanted or not.
    #[test]
    fn tags_belong_to_the_game_behind_them() {
        let pairs = ["[Event \"b\"]", "[Variant \"v\"]", "[Site \"s\"]"];
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for first in ["[Event \"a\"]", "[Event \"a\"]\n[Site \"a\"]", "[Site \"a\"]\n[Event \"a\"]", "[Site \"a\"]"] {
            for moves in ["1. e4 *", "1. e4 {fine} e5", "{forfeit} 1-0", "*", "1. e4 {open", ""] {
                for (order, between) in orders.into_iter().flat_map(|order| {
                    ["\n", " ", "\n\n", "\n; c\n", "\n{c [d \"e\"]}\n", "\n%c\n"].map(|between| (order, between))
                }) {
                    // Then nothing tells which tag is the first of the second game, or that there are two.
                    if moves.is_empty() && (between == "\n\n" || !first.contains("Event")) {
                        continue;
                    }
                    let tags = order.map(|at| pairs[at]).join(between);
                    let text = format!("{first}\n\n{moves}\n\n{tags}\n\n1. d4 *\n\n{tags}\n\n1. c4 *\n");
                    for unwanted in ["", "Event=a", "Site=a", "Variant=v"] {
                        let (games, _) = read_without(unwanted, &text);
                        assert_eq!(games.len(), 3, "{text}: {games:?}");
                        assert!(!games[0].contains("Variant"), "{text}: {games:?}");
                        for game in &games[1..] {
                            let all = ["Event=b", "Variant=v", "Site=s"].iter().all(|tag| game.contains(tag));
                            assert!(all, "{text}: {games:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn anything_blank_and_comments_may_stand_within_a_tag() {
        for gap in ["{c}", " {c} ", ";c\n", "\u{b}", "\u{c}", "{c \"d\" ]\n[e}", "\t{c}{d}\n", "\n"] {
            for tag in [
                format!("[{gap}Variant \"v\"]"),
                format!("[Variant{gap}\"v\"]"),
                format!("[Variant \"v\"{gap}]"),
                format!("[{gap}Variant{gap}\"v\"{gap}]"),
            ] {
                for tags in
                    [format!("{tag}\n[Event \"b\"]\n"), format!("[Event \"b\"]\n{tag}"), format!("{tag} [Event \"b\"]")]
                {
                    for behind in ["\n\n", "\n", " "] {
                        let text = format!("[Event \"a\"]\n\n1. e4 *\n\n{tags}{behind}1. d4 *\n\n{tags}\n\n1. c4 *\n");
                        for unwanted in ["", "Event=a", "Variant"] {
                            let (games, _) = read_without(unwanted, &text);
                            let is_whole = |game: &String| game.contains("Variant=v") && game.contains("Event=b");
                            assert!(games.len() == 3 && games[1..].iter().all(is_whole), "{text}: {games:?}");
                            assert!(
                                unwanted == "Variant" || games[1].ends_with("|d4 Unknown|Whole"),
                                "{text}: {games:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn tags_may_stand_behind_a_comment_or_a_mark_on_their_line() {
        for between in [
            "1-0 {a} ",
            "1-0 {a; b}",
            "1-0\n{a\nb}\t",
            "1-0 ",
            "1-0\n  ",
            "1-0\u{feff}",
            "1-0 \u{feff} ",
            "1-0\n\u{feff}",
        ] {
            for tags in [
                "[Variant \"v\"]\n[Event \"b\"]",
                "[Event \"b\"] {c} [Variant \"v\"]",
                "[White \"b\"]{c}[Variant \"v\"]",
            ] {
                let text = format!("[Event \"a\"]\n\n1. e4 {between}{tags}\n\n1. d4 *\n");
                for unwanted in ["", "Event=a", "Variant"] {
                    let (games, _) = read_without(unwanted, &text);
                    let is_whole = |game: &String| game.contains("Variant=v") && game.contains("=b");
                    assert!(games.len() == 2 && is_whole(&games[1]) && !is_whole(&games[0]), "{text}: {games:?}");
                }
            }
        }
    }

    #[test]
    fn a_broken_tag_and_an_open_brace_on_its_line_cost_only_their_game() {
        for broken in ["[t\"\"{", "[t]\"{", "[t]{\"", "[t \"a\" }{", "[Site \"a\\"] {
            for behind in ["\n", "\n\n"] {
                let text = format!(
                    "[Event \"a\"]\n\n1. e4 {{x}} *\n\n[Event \"h\"]\n{broken}{behind}\
                     [Event \"b\"]\n\n1. d4 {{y}} d5 *\n\n[Event \"c\"]\n\n1. c4 *\n"
                );
                for unwanted in ["", "Event=h"] {
                    let (games, _) = read_without(unwanted, &text);
                    assert_eq!(games.len(), 4, "{text}: {games:?}");
                    assert_eq!(games[2..], ["Event=b|d4 d5 Unknown|Whole", "Event=c|c4 Unknown|Whole"], "{text}");
                }
            }
        }
    }

    #[test]
    fn a_blank_line_between_tags_ends_no_game_whatever_tag_is_first() {
        let text = "[White \"a\"]\n[Event \"a\"]\n\n[Site \"a\"] 1. e4 1-0\n[Result \"*\"]\n[Event \"b\"]\n\n1. d4 *\n";
        for unwanted in ["", "White"] {
            let (games, _) = read_without(unwanted, text);
            assert_eq!(games.len(), 2, "{games:?}");
            assert!(games[0].starts_with("White=a Event=a Site=a|"), "{games:?}");
            assert_eq!(games[1], "Result=* Event=b|d4 Unknown|Whole", "{games:?}");
        }
    }

    #[test]
    fn a_tag_that_is_given_twice_begins_no_game() {
        for twice in ["[Annotator \"x\"]", "[Site \"s\"]"] {
            let game = |name| format!("{twice}\n[Variant \"v\"]\n[Event \"{name}\"]\n{twice}\n\n1. d4 *\n\n");
            let text = ["a", "b", "c"].map(game).concat();
            for unwanted in ["", "Variant"] {
                let (games, _) = read_without(unwanted, &text);
                assert_eq!(games.len(), 3, "{games:?}");
                for (game, name) in games.iter().zip(["a", "b", "c"]) {
                    assert!(game.contains("Variant=v") && game.contains(&format!("Event={name}")), "{games:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_may_begin_on_the_line_on_which_another_ends() {
        for between in [" ", "", "\t", "\n"] {
            for (first, fen) in [("Event", "x;y"), ("White", "x")] {
                for result in ["1-0", "1/2-1/2", "*"] {
                    let game = |name| {
                        format!("[{first} \"{name}\"] [FEN \"{fen}\"] 1. e4 {{1-0 [c \"d\"]}} {result}{between}")
                    };
                    let text = ["a", "b", "c"].map(game).concat();
                    for unwanted in ["", "Event", "White"] {
                        let (games, _) = read_without(unwanted, &text);
                        assert_eq!(games.len(), 3, "{text}: {games:?}");
                        for (game, name) in games.iter().zip(["a", "b", "c"]) {
                            assert!(game.starts_with(&format!("{first}={name} FEN={fen}|")), "{text}: {games:?}");
                        }
                    }
                }
            }
        }
        let text = "[Event \"a\"]\n\n1. e4 {lost, 1-0 [Event \"b\"]} e5 ; 1-0 [Event \"c\"]\n2. d4 *\n";
        assert_eq!(read(text).0, ["Event=a|e4 e5 d4 Unknown|Whole"]);
    }

    #[test]
    fn files_with_byte_order_marks_may_be_put_together() {
        let file = |name| format!("\u{feff}[Variant \"{name}\"]\n[Event \"{name}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
        let text = ["a", "b", "c"].map(file).join("\n");
        for unwanted in ["", "Event"] {
            let (games, _) = read_without(unwanted, &text);
            assert_eq!(games.len(), 3, "{games:?}");
            for (game, name) in games.iter().zip(["a", "b", "c"]) {
                assert!(game.starts_with(&format!("Variant={name} Event={name} Result=1-0|")), "{games:?}");
            }
        }
    }

    /// They hid the first tag of a game: a variant counted as standard.
    #[test]
    fn tags_are_seen_behind_characters_that_are_none_of_theirs() {
        for before in
            ["\0\0\0", "\u{1a}", "\u{1b} ", "\u{200b}", "\u{2028}", "\u{feff}\0", " \u{1} ", "> ", "2) ", "  12\t"]
        {
            let is_unseen = !before.contains(['>', ')', '2']);
            for between in ["\n\n", "\n", " ", ""].iter().filter(|between| is_unseen || between.contains('\n')) {
                for tags in [
                    "[Variant \"v\"]\n[Event \"b\"]",
                    "[Variant \"v\"] [Event \"b\"]",
                    "[Event \"b\"]\n[Variant \"v\"]",
                ] {
                    let game = format!("{before}{tags}\n\n1. d4 {{1-0}} *{between}");
                    let text = format!("[Event \"a\"]\n\n1. e4 1-0{between}{game}{game}");
                    for unwanted in ["", "Event=a", "Variant"] {
                        let (games, anomalies) = read_without(unwanted, &text);
                        let is_whole = |game: &String| game.contains("Variant=v") && game.contains("Event=b");
                        assert!(games.len() == 3 && games[1..].iter().all(is_whole), "{text:?}: {games:?}");
                        assert_eq!(anomalies.broken_tags, 2, "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn quoted_texts_are_read() {
        let game = |name| {
            format!("[Event \"{name}\"]\n[Variant \"v\"]\n[Result \"1-0\"]\n\n1. e4 {{a}} e5\n2. Nf3 (2. f4) 1-0\n\n")
        };
        let text = ["a", "b", "c"].map(game).concat();
        let (expected, _) = read(&text);
        let numbered: String = (1..).zip(text.lines()).map(|(number, line)| format!("{number:6}\t{line}\n")).collect();
        let behind = |sign: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
        for quoted in [behind("> "), behind(">"), behind("> > "), behind("| "), behind("\u{1b}"), numbered] {
            assert_eq!(read(&quoted).0, expected, "{quoted}");
            assert_eq!(read_without("Event", &quoted).0, read_without("Event", &text).0, "{quoted}");
        }
        for quotes in [
            ["\\\"", "\\\""],
            ["\"\"", "\"\""],
            ["&quot;", "&quot;"],
            ["&#34;", "&#34;"],
            ["'", "'"],
            ["\u{201c}", "\u{201d}"],
        ] {
            let quoted = text.replace(" \"", &format!(" {}", quotes[0])).replace("\"]", &format!("{}]", quotes[1]));
            assert_eq!(read(&quoted).0, expected, "{quoted}");
            let one = quoted
                .replace(&format!("[Event {}", quotes[0]), "[Event \"")
                .replace(&format!("{}]\n[V", quotes[1]), "\"]\n[V");
            assert_eq!(read(&one).0, expected, "{one}");
        }
    }

    /// In a table of values with commas a game may stand on one line, behind what else the table has.
    #[test]
    fn games_in_a_cell_of_a_table_are_read() {
        for blank in [" ", "\n"] {
            let game = |name| {
                format!(
                    "[Event \"{name}\"]{blank}[Variant \"v\"]{blank}[Result \"1-0\"]{blank}1. e4 {{say \"a\"}} e5 1-0"
                )
            };
            let plain = ["a", "b", "c"].map(|name| game(name) + "\n\n").concat();
            let (expected, _) = read(&plain);
            assert_eq!(expected.len(), 3);
            for before in ["\"", "974,1,\"", "https://site/game/1,\"", "id,\"x, y\",\""] {
                let row = |name| format!("{before}{}\"\n", game(name).replace('"', "\"\""));
                let table = format!("id,pgn\n{}", ["a", "b", "c"].map(row).concat());
                for unwanted in ["", "Event"] {
                    let games = read_without(unwanted, &table).0;
                    assert_eq!(games, read_without(unwanted, &plain).0, "{table}");
                }
            }
        }
    }

    #[test]
    fn moves_may_stand_on_the_line_of_a_tag() {
        for unwanted in ["", "Event"] {
            let (games, _) = read_without(unwanted, "[Event \"a\"] e4 e5 1-0\n[White \"b\"]\n[Event \"c\"] d4 *\n");
            assert_eq!(games.len(), 2, "{games:?}");
            assert!(games[1].starts_with("White=b Event=c|"), "{games:?}");
        }
    }

    #[test]
    fn a_comment_that_is_open_behind_a_tag_swallows_only_its_own_game() {
        for open in ["{ 0-1 1...", "{", "1. e4 {x"] {
            let text = format!("[Event \"a\"] {open}\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 *\n");
            let (games, _) = read(&text);
            assert_eq!(games[1..], ["Event=b|d4 Unknown|Whole", "Event=c|c4 Unknown|Whole"], "{text}");
        }
    }

    #[test]
    fn text_that_is_no_game_is_noticed() {
        let (games, anomalies) = read("\u{1}\u{2}binary\n\nrubbish ###\n\n[Event \"a\"]\n\n1. e4 *\n\n\0\0");
        assert_eq!(games, ["Event=a|e4 Unknown|Whole"]);
        assert_eq!(anomalies, Anomalies { stray_text: 3, ..Anomalies::default() });
    }

    /// As home-made runners write it once more below the game.
    #[test]
    fn a_result_that_stands_twice_is_one() {
        for unwanted in ["", "Event"] {
            let text = "[Event \"a\"]\n\n1. e4 1-0\n\n\n1-0\n\n[Event \"b\"]\n\n1. d4 *\n\n*\n*\n";
            let (games, anomalies) = read_without(unwanted, text);
            assert_eq!(games.len(), 2, "{games:?}");
            assert_eq!(anomalies, Anomalies { stray_text: 2, ..Anomalies::default() });
        }
        // Another one is that of a game of which nothing else is left.
        assert_eq!(read("[Event \"a\"]\n\n1. e4 1-0\n\n0-1\n").0.len(), 2);
    }

    #[test]
    fn a_broken_file_ends_with_a_game_that_is_not_whole() {
        let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 d";
        let (notes, _) = read_games(text, true, Notes::default);
        assert_eq!(notes.games, ["Event=a|e4 Unknown|Whole", "Event=b|d4|CutOff"]);
    }

    #[test]
    fn games_that_nobody_wants_keep_their_tags_and_the_game_behind_them() {
        let text = "[Site \"s\"]\n[Event \"a\"]\n{c}\n[FEN \"x\"]\n\n1. e4 *\n";
        assert_eq!(read_without("Site", text).0, ["Site=s Event=a FEN=x||Whole"]);
        let text = "[White \"a\"]\n\n1. e4 e5 1-0 1. d4 d5 0-1\n";
        assert_eq!(read_without("White", text).0, ["White=a||Whole", "|d4 d5 BlackWin|Whole"]);
    }
}
