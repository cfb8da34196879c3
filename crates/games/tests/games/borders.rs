//! Where games begin and which tags are theirs, on made-up texts whose games are known: as the reader of all verbs has it, with games that it
//! passes over or without, and as `annotate` has it.

use drawish_games::annotate::{Annotator, Options};
use drawish_games::pgn::{ChunkBuffer, Chunks, GameHandler, Interest, ReadGame, TagName, Tags, read_games};
use drawish_stats::model::relevance::Relevance;
use proptest::collection::vec;
use proptest::prelude::*;
use shakmaty::san::San;

/// What may stand between two tags of a game.
const BETWEEN: &[&str] = &[
    "\n",
    "\r\n",
    " ",
    "\n  ",
    "\n[WhiteElo 2500]\n",
    "\n[Result 1-0]\n",
    "\n[Opening e4]\n",
    "\n[]\n",
    "\n[Foo\n",
    "\n[Result 1-0\n",
    "\n[Foo] [Bar]\n",
    "\n[Foo]\n[Bar]\n",
    "\nsome words\n",
    "\n12 May 2001\n",
    "\nwords\n[Foo]\n",
    "\n{c}\n",
    "\n; c\n",
    "\n% c\n",
    "\n{c}\nwords\n; c\n",
    "\n[Remark \"The \"Big\" One\"]\n",
    "\n[Remark \"The \"e4\" 1-0 line\"]\n",
    "\n[Remark \"The \"Big\" One\"]\n[Foo 1-0]\n",
    "\n[Remark {LONG} \"x\"]\n",
    "\n{LONG}\n",
];

/// Behind the tags.
const BEHIND: &[&str] = &["\n\n", "\n", "\n\n{before} ", "\r\n\r\n"];

/// Moves behind the first one.
const MOVES: &[&str] =
    &[" e5 2. Nf3", " {c} e5", " e5 (1... c5 2. Nf3) 2. Nf3", "\n1... e5\n2. Nf3", " e5\n\n2. Nf3", " $1 e5 ; c\n"];

/// The same of games that leave something open.
const OPEN: &[&str] = &[" {open e5", " e5 {open", " (1... c5 2. Nf3", " e5 (1... c5 {c} 2. Nf3"];

/// Between a result and the next game.
const AFTER_RESULT: &[&str] = &["\n\n", "\n", " ", "\n\n  ", "\n ", "\r\n\r\n"];

/// Where there is no result.
const AFTER_NONE: &[&str] = &["\n\n", "\n", "\n\n  "];

const RESULTS: &[&str] = &["", " *", " 1-0", " 0-1", " 1/2-1/2"];

/// The first moves of games, by which they are told apart.
const FIRST: &[&str] = &["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "a4"];

#[derive(Clone, Debug)]
struct Made {
    /// Which tags, in an order; none at all for a game that is only moves.
    tags: Vec<&'static str>,
    between: Vec<prop::sample::Index>,
    behind: prop::sample::Index,
    moves: prop::sample::Index,
    is_open: bool,
    result: prop::sample::Index,
    after: prop::sample::Index,
}

fn any_game() -> impl Strategy<Value = Made> {
    let tags = prop_oneof![
        4 => Just(vec!["Event", "Site", "Variant", "FEN"]).prop_shuffle(),
        2 => Just(vec!["Site", "Variant", "FEN"]).prop_shuffle(),
        3 => Just(vec![]),
    ];
    let index = any::<prop::sample::Index>;
    (tags, vec(index(), 3), index(), index(), prop::bool::weighted(0.1), index(), index()).prop_map(
        |(tags, between, behind, moves, is_open, result, after)| Made {
            tags,
            between,
            behind,
            moves,
            is_open,
            result,
            after,
        },
    )
}

/// A game as it should be read: its Variant tag, its FEN tag and its first move.
type Known = [String; 3];

fn one(index: prop::sample::Index, list: &[&'static str]) -> &'static str {
    list[index.index(list.len())]
}

/// The text of games and what they are.
fn text_of(games: &[Made], long: usize) -> (String, Vec<Known>) {
    let (mut text, mut known) = (String::new(), Vec::new());
    // A tag on the line of a result may then be within a comment.
    let is_open = games.iter().any(|game| game.is_open);
    for (number, game) in games.iter().enumerate() {
        let mut own = [String::new(), String::new(), FIRST[number % FIRST.len()].to_owned()];
        for (at, name) in game.tags.iter().enumerate() {
            if at > 0 {
                let between = one(game.between[at - 1], BETWEEN).replace("LONG", &"long ".repeat(long));
                // Behind words a tag that is given again is that of another game.
                text += &between.replace("Remark", &format!("Remark{at}"));
            }
            text += &format!("[{name} \"{name}{number}\"]");
            match *name {
                "Variant" => own[0] = format!("Variant{number}"),
                "FEN" => own[1] = format!("FEN{number}"),
                _ => {}
            }
        }
        if !game.tags.is_empty() {
            text += one(game.behind, BEHIND);
        }
        text += &format!("1. {}{}", own[2], one(game.moves, if game.is_open { OPEN } else { MOVES }));
        let result = one(game.result, if game.is_open { &RESULTS[1..] } else { RESULTS });
        text += result;
        text += one(game.after, if result.is_empty() || is_open { AFTER_NONE } else { AFTER_RESULT });
        known.push(own);
    }
    (text, known)
}

/// Writes down each game as it should be known; those whose Variant has an odd number are passed over if they are not wanted.
#[derive(Default)]
struct Notes {
    games: Vec<Known>,
    first: Option<String>,
    skips: bool,
}

fn is_skipped(variant: &str) -> bool {
    variant.ends_with(['1', '3', '5', '7', '9'])
}

impl GameHandler for Notes {
    fn begin(&mut self) {
        self.first = None;
    }
    fn moves(&mut self, tags: &Tags) -> Interest {
        let skipped = self.skips && tags.text(TagName::Variant).is_some_and(|variant| is_skipped(&variant));
        if skipped { Interest::Nothing } else { Interest::Moves }
    }
    fn san(&mut self, san: San) {
        self.first.get_or_insert_with(|| san.to_string());
    }
    fn end(&mut self, game: ReadGame<'_>) {
        let text = |name| game.tags.text(name).unwrap_or_default();
        self.games.push([text(TagName::Variant), text(TagName::Fen), self.first.take().unwrap_or_default()]);
    }
}

fn annotated(text: &str) -> u64 {
    let options =
        Options { curve: Relevance::default(), moves: None, positions: None, results: true, writer: None, view: None };
    let (mut annotator, mut out) = (Annotator::new(options), Vec::new());
    annotator.annotate(text.as_bytes(), &mut out);
    assert_eq!(String::from_utf8_lossy(&out), text);
    annotator.summary().games
}

fn check(games: &[Made], long: usize) -> Result<(), TestCaseError> {
    let (text, mut known) = text_of(games, long);
    for skips in [false, true] {
        if skips {
            known.iter_mut().filter(|game| is_skipped(&game[0])).for_each(|game| game[2].clear());
        }
        let (notes, _) = read_games(text.as_bytes(), false, || Notes { skips, ..Notes::default() });
        prop_assert_eq!(&notes.games, &known, "skips {}: {}", skips, text);
    }
    prop_assert_eq!(annotated(&text), games.len() as u64, "annotate: {}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_are_what_they_were_made_of(games in vec(any_game(), 1..6), long in prop_oneof![Just(1usize), Just(100)]) {
        check(&games, long)?;
    }
}

/// More comments than are looked through stand between the tags of each game.
#[test]
fn no_chunk_begins_within_a_game() {
    let game = |number: usize| {
        let comment = "long ".repeat(900 + number % 7);
        format!("[FEN \"{number}\"]\n{{{comment}}}\n[Event \"{number}\"]\n\n1. e4 e5 1-0\n\n")
    };
    let text: String = (0..2000).map(game).collect();
    let (mut chunks, mut buffer, mut found) = (Chunks::new(text.as_bytes()), ChunkBuffer::default(), 0);
    while chunks.next(&mut buffer) {
        assert!(buffer.text().starts_with(b"[FEN"), "{}", buffer.text()[..40].escape_ascii());
        found += 1;
    }
    assert!(found > 1);
}

/// A game whose tags have other quotes than the standard's, or none, is the game that it is.
#[test]
fn tags_in_other_quotes_are_those_of_their_game() {
    for [open, close] in
        [["", ""], ["'", "'"], ["\u{201c}", "\u{201d}"], ["\u{201e}", "\u{201c}"], ["\u{ab}", "\u{bb}"]]
    {
        for unquoted in ["Variant", "Variant FEN", "Event", "Event Variant FEN White Result", "White Variant"] {
            for tags in [["Event", "White", "Variant", "FEN", "Result"], ["Variant", "White", "FEN", "Event", "Result"]]
            {
                let game = |number: usize| {
                    let value = |name| if name == "Result" { "1-0".to_owned() } else { format!("{name}{number}") };
                    let quotes =
                        |name| if unquoted.split(' ').any(|own| own == name) { [open, close] } else { ["\""; 2] };
                    let tag = |name| format!("[{name} {0}{2}{1}]\n", quotes(name)[0], quotes(name)[1], value(name));
                    format!("{}\n1. {} e5 1-0\n\n", tags.map(tag).concat(), FIRST[number])
                };
                let known =
                    |number: usize| [format!("Variant{number}"), format!("FEN{number}"), FIRST[number].to_owned()];
                let text: String = (0..3).map(game).collect();
                let (notes, anomalies) = read_games(text.as_bytes(), false, Notes::default);
                assert_eq!(notes.games, [0, 1, 2].map(known), "{text}");
                assert!(anomalies.broken_tags >= 3, "{anomalies:?}");
                assert_eq!(annotated(&text), 3, "{text}");
            }
        }
    }
}

/// Behind a blank line, or with the name of a tag that is there, it is a remark.
#[test]
fn remarks_in_brackets_are_no_tags() {
    for between in [
        "\n{A\n[White to move and win]\n[see diagram]\nb} ",
        "\n[White to move and win]\n\n",
        "\n[Result 1-0]\n\n",
        "[White to move]\n\n",
        "[Event of the year]\n",
    ] {
        let game = |number: usize| {
            let tags = format!(
                "[Event \"a\"]\n[White \"b\"]\n[Result \"1-0\"]\n[Variant \"Variant{number}\"]\n[FEN \"FEN{number}\"]\n"
            );
            format!("{tags}{between}1. {} e5 1-0\n\n", FIRST[number])
        };
        let known = |number: usize| [format!("Variant{number}"), format!("FEN{number}"), FIRST[number].to_owned()];
        let text: String = (0..3).map(game).collect();
        let (notes, _) = read_games(text.as_bytes(), false, Notes::default);
        assert_eq!(notes.games, [0, 1, 2].map(known), "{text}");
        assert_eq!(annotated(&text), 3, "{text}");
    }
}

/// Where games have no moves, blank lines, comments and tags that are given again tell them apart: the same for all verbs.
#[test]
fn annotate_and_the_reader_agree_on_tags_alone() {
    let tags = ["[White \"a\"]", "[Event \"e\"]", "[FEN \"s\"]"];
    let gaps = [
        "\n",
        "\n\n",
        "\n{c}\n",
        "\n{c}\n\n",
        "\n\n{c}\n",
        "\nwords\n",
        "\n\nwords\n\n",
        "\n[Foo]\n",
        "\n[Foo]\n\n",
        "\n; c\n\n",
    ];
    for number in 0..3 * 3 * 3 * gaps.len().pow(2) {
        let (tag, gap) = (number % 27, number / 27);
        let text = format!(
            "{}{}{}{}{}\n\n1. e4 *\n",
            tags[tag % 3],
            gaps[gap % gaps.len()],
            tags[tag / 3 % 3],
            gaps[gap / gaps.len()],
            tags[tag / 9]
        );
        let (notes, _) = read_games(text.as_bytes(), false, Notes::default);
        assert_eq!(notes.games.len() as u64, annotated(&text), "{text}");
    }
}

/// Each of these was searched again from many of its places by a draft of what is tested here.
#[test]
fn what_never_ends_is_gone_through_once() {
    let begun = std::time::Instant::now();
    let numbered = |before: &str, behind: &str| -> String {
        (0..(1 << 20) / 12).map(|number| format!("{before}{number}{behind}")).collect()
    };
    let repeated = |part: &str| format!("[Event \"a\"]\n{}", part.repeat((1 << 20) / part.len()));
    for text in [
        numbered("[A", " \"b\" foo\n"),
        numbered("[A", " \"b\"]\nfoo\n"),
        numbered("[A", " \"b\"]\n[Foo]\nfoo\n"),
        numbered("[A", " \"b\"]\n\n"),
        numbered("[A", " \"b\" "),
        repeated("{}"),
        repeated("{} foo "),
        repeated("{\n[}"),
        repeated("[A {\n"),
        repeated("foo\n"),
        repeated("[A \"b\" "),
        repeated("[A \"b\" c\"] {} "),
        repeated("1-0 1. e4 "),
        repeated("*["),
        repeated("}["),
        repeated("*[White x"),
        repeated("[White x\n"),
        repeated("[White x]\n"),
        repeated("\n  1. e4"),
    ] {
        read_games(text.as_bytes(), false, Notes::default);
        annotated(&text);
        let mut chunks = Chunks::new(text.as_bytes());
        while chunks.next(&mut ChunkBuffer::default()) {}
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
