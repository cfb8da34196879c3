//! What only the comment before the result says of a game's end: `{White forfeits on time} 0-1`, as the Free Internet Chess Server (FICS) and
//! the Internet Chess Club (ICC) write it, and other words of XBoard, Scid vs. PC, Arena and people.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use super::tags::text_of;

/// The text with a Termination tag in each game that lacks one, or whose tag says [no more](SAYING_LITTLE) than that it ended, and whose last comment
/// [says](termination) that it ended on time, by a lost connection or by a fault; `None` if it has no such game.
pub(super) fn with_terminations(text: &[u8]) -> Option<Vec<u8>> {
    let (mut found, mut done) = (Vec::new(), 0);
    let (mut event, mut searched, mut asked) = (None, 0, 0);
    for at in SIGNS.find_iter(text).map(|sign| sign.start()) {
        let between = searched.min(at)..at;
        event = memmem::rfind(&text[between.clone()], EVENT).map(|place| between.start + place).or(event);
        searched = at;
        // A comment is asked once, however many signs it holds.
        let Some(comment) = last_comment(text, at).filter(|comment| comment.end > asked) else { continue };
        asked = comment.end;
        let words = COMMAND.replace_all(&text[comment], &b" "[..]);
        let Some(value) = termination(&words) else { continue };
        let Some((event, line_end)) = event.take().and_then(|event| Some((event, end_of_tag(&text[..at], event)?)))
        else {
            continue;
        };
        if is_one_game(&text[event..at]) {
            let line_break = if text[..line_end].ends_with(b"\r\n") { "\r\n" } else { "\n" };
            // Of a tag that is given twice the last value counts.
            let tag = SAYING_LITTLE.iter().filter_map(|tag| memmem::rfind(&text[line_end..at], tag)).max();
            let place = tag
                .and_then(|tag| Some(line_end + tag + memchr::memchr(b'\n', &text[line_end + tag..at])? + 1))
                .unwrap_or(line_end);
            found.extend_from_slice(&text[done..place]);
            found.extend_from_slice(format!("[Termination \"{value}\"]{line_break}").as_bytes());
            done = place;
        }
    }
    found.extend_from_slice(&text[done..]);
    (done > 0).then_some(found)
}

/// What the Termination tag says of a game that ended on time, by a lost connection or by an engine's fault, from words about its end; `None` if
/// they say nothing of the kind.
pub(super) fn termination(words: &[u8]) -> Option<&'static str> {
    let words = text_of(words).split_whitespace().collect::<Vec<_>>().join(" ");
    // Behind a colon the illegal move stands, if it is any.
    let sentence = words.strip_suffix(['.', ':']).unwrap_or(&words);
    // Fastchess since June 2026.
    let sentence =
        sentence.strip_suffix("ms overrun)").and_then(|rest| Some(rest.rsplit_once(" (")?.0)).unwrap_or(sentence);
    // Behind the evaluation runners write who has done what: `+0.35/18 1.2s, White loses on time`.
    let is_of_runner = RUNNER.is_match(sentence.as_bytes());
    let said = sentence.rsplit_once(", ").filter(|_| is_of_runner).map_or(sentence, |(_, said)| said);
    let is_short = said.split(' ').count() <= if is_of_runner { WORDS_OF_RUNNERS } else { WORDS };
    let without_move = said.rsplit_once(": ").map_or(said, |(said, _)| said);
    // Names of engines may have any words, but for the first ones.
    let near = if is_of_runner { &NEAR[..4] } else { &NEAR[..] };
    let is_near = said.split(' ').any(|word| near.contains(&word)) || said.starts_with("No one ");
    let ends = ENDS
        .iter()
        .find(|(ending, _)| is_short && !is_near && (said.ends_with(ending) || without_move.ends_with(ending)));
    let part = || PARTS.iter().find(|(part, _)| words.contains(part)).map(|(_, value)| *value);
    // FICS: `NAME ran out of time and NAME has no material to mate`.
    let is_draw_on_time =
        || words.split_once(" ran out of time and ").is_some_and(|(_, rest)| rest.contains(" has no "));
    // EngineBattle says no more, and Scid vs. PC only the clocks behind it.
    let is_crash = sentence == "Engine crashed" || sentence.starts_with("Engine crashed. wtime");
    match sentence {
        "Illegal move" => Some("illegal move"),
        // MyChess and people.
        "time" | "Time" | "time forfeit" | "Time forfeit" | "lost on time" | "Lost on time" => Some(TIME),
        _ if is_crash => Some("abandoned"),
        _ if is_draw_on_time() => Some(TIME),
        _ => ends.map(|(_, value)| *value).or_else(part),
    }
}

/// The inner part of the comment around a place, if a result stands behind it.
fn last_comment(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = &text[at.saturating_sub(LONGEST)..at];
    let begin = at - before.len() + memchr::memrchr2(b'{', b'}', before)?;
    let behind = &text[at..text.len().min(at + LONGEST)];
    let end = at + memchr::memchr2(b'{', b'}', behind)?;
    let is_comment = text[begin] == b'{' && text[end] == b'}';
    let is_last = RESULT.is_match(&text[end + 1..text.len().min(end + LONGEST)]);
    (is_comment && is_last).then_some(begin + 1..end)
}

/// The end of the line of an Event tag, its line break included, in a text that ends with the game, if the line ends with it.
fn end_of_tag(text: &[u8], event: usize) -> Option<usize> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    // Files with marks may have been put together.
    let before = text[..event].strip_suffix(MARK).unwrap_or(&text[..event]);
    let begins_line = matches!(before, [] | [.., b'\n']);
    let end = event + memchr::memchr(b'\n', &text[event..])? + 1;
    let line = text[event..end].trim_ascii_end().strip_suffix(b"]")?;
    (begins_line && line.trim_ascii_end().ends_with(b"\"")).then_some(end)
}

/// Whether a text that begins with an Event tag has no tag or result behind its first moves, as that of another game, and no tag that says how it
/// ended, but for those [saying little](SAYING_LITTLE).
fn is_one_game(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    let is_tag = |line: &[u8]| line.first() == Some(&b'[') && line.get(1).is_some_and(u8::is_ascii_alphabetic);
    let mut tags = lines.by_ref().take_while(|line| is_tag(line));
    let says_end = |tag: &[u8]| {
        tag.strip_prefix(b"[Termination").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
            && !SAYING_LITTLE.contains(&tag.trim_ascii_end())
    };
    tags.all(|tag| !says_end(tag)) && !lines.any(is_tag) && !OTHER_RESULT.is_match(text)
}

/// What stands in all of [`ENDS`] and [`PARTS`], wherever their lines break: letters only, which are found fastest.
static SIGNS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "time|orfeit|Time|exited|exits|Error|Illegal|illegal|False|Invalid|takes|isconnect|stalls|stalled|cancelled|crashed",
    )
    .expect("a regular expression")
});
/// `[%clk 0:00:00]` within a comment.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?-u)\[%[^\]]*\]").expect("a regular expression"));
/// An evaluation with a depth or a time, or a time, with which comments of match runners begin.
static RUNNER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)^(?:[+-]?M?[0-9]+(?:\.[0-9]+)?(?:/[0-9]| [0-9]+(?:[/.]|m?s))|[0-9.]+m?s, )")
        .expect("a regular expression")
});
/// A result at the end of a line or before a comment, behind which moves are those of a game without tags.
static OTHER_RESULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)(?:1-0|0-1|1/2-1/2|\xc2\xbd-\xc2\xbd|\*)(?:\s*\n|\s+[{;])").expect("a regular expression")
});
/// A result behind blanks, other comments and NAGs.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)^(?:\s|\{[^{}]*\}|\$[0-9]+)*(?:1-0|0-1|1/2-1/2)(?:\s|$)").expect("a regular expression")
});
/// How short comments end, but for a point or a move: those of XBoard, cutechess, fast-chess and people. In longer ones people say more. Until September
/// 2016 cutechess wrote no tag for illegal moves and stalled connections, nor did fast-chess for lost ones until June 2024.
const ENDS: [(&str, &str); 20] = [
    // Of Lucas Chess before R.
    (" has won on time", TIME),
    // Chess.com, by tools that make comments of tags.
    (" won on time", TIME),
    (" due to time forfeit", TIME),
    (" wins on time", TIME),
    (" loses on time", TIME),
    (" lost on time", TIME),
    (" ran out of time", TIME),
    (" makes an illegal move", "illegal move"),
    ("'s connection stalls", "stalled connection"),
    (" disconnects", "abandoned"),
    // Of EngineBattle and amoeba.
    ("Time/node limit forfeit", TIME),
    (" Disconnected", "abandoned"),
    ("Game was cancelled", "abandoned"),
    (" plays an illegal move", "illegal move"),
    // Of Qapla.
    (" wins by illegal move", "illegal move"),
    (" wins by disconnected", "abandoned"),
    (" wins by forfeit", "abandoned"),
    // Draws of cutechess.
    ("Draw by timeout", TIME),
    ("Draw by disconnection", "abandoned"),
    ("Draw by stalled connection", "stalled connection"),
];
const WORDS: usize = 6;
/// With the names of engines in them.
const WORDS_OF_RUNNERS: usize = 12;
/// Words of people who tell that it did not happen.
const NEAR: [&str; 14] = [
    "nearly", "almost", "Nearly", "Almost", "would", "could", "should", "might", "may", "thought", "claimed", "not",
    "nobody", "Nobody",
];
/// What programs write anywhere in a comment. A client may add clocks: FICS and ICC, Scid vs. PC, XBoard with Polyglot, and Arena.
const PARTS: [(&str, &str); 21] = [
    (" forfeits on time", TIME),
    ("players ran out of time", TIME),
    (" forfeits by disconnection", "abandoned"),
    (" disconnected and forfeits", "abandoned"),
    (" loses on time. wtime", TIME),
    ("Timed out", TIME),
    ("Whites move takes ", TIME),
    ("Blacks move takes ", TIME),
    ("White movetime ", TIME),
    ("Black movetime ", TIME),
    ("Forfeit due to i", "illegal move"),
    (" wins on time but bare king", TIME),
    ("False illegal-move claim", "illegal move"),
    ("False draw claim", "illegal move"),
    ("False win claim", "illegal move"),
    // Of cutechess.
    (" wins by adjudication: Invalid result claim", "illegal move"),
    ("polyglot: resign (illegal engine move", "illegal move"),
    (" exited unexpectedly", "abandoned"),
    ("Error writing to ", "abandoned"),
    (" exits in draw position", "abandoned"),
    ("Arena Adjudication. Illegal move", "illegal move"),
];
const TIME: &str = "time forfeit";
const EVENT: &[u8] = b"[Event ";
/// What cutechess writes also of an engine that loses by a false claim, and Qapla and Arena of one that plays an illegal move.
const SAYING_LITTLE: [&[u8]; 2] = [b"[Termination \"adjudication\"]", b"[Termination \"normal\"]"];
/// Bytes of such a comment to either side of its words at most: it may hold a command line.
const LONGEST: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Option<String> {
        with_terminations(text.as_bytes()).map(|text| String::from_utf8(text).expect("text"))
    }

    #[test]
    fn the_last_comment_gives_the_tag() {
        for end in ["\n", "\r\n"] {
            for (comment, value) in [
                ("{White forfeits on time}", TIME),
                ("{Black forfeits\nby disconnection}", "abandoned"),
                ("{Black ran out of time and White has no material to mate}", TIME),
                ("{Game drawn because both players ran out of\ntime}", TIME),
                ("{[%emt 0.1]} { a disconnected and forfeits }", "abandoned"),
                ("{[%clk 0:00:00] Black lost on time.}", TIME),
                ("{Black lost on time [%clk 0:00:00]}", TIME),
                ("{Black is short on time here} {Black forfeits on time}", TIME),
                ("{0.00/8 0.26s, Black loses on time}", TIME),
                ("{White wins\non\ntime}", TIME),
                ("{Stockfish 11 has won on time.}", TIME),
                ("{+0.35/18 1.2s, White makes an illegal move: e1g1}", "illegal move"),
                ("{0.00/1 0.001s, White's connection stalls}", "stalled connection"),
                ("{-0.20/12 0.120s, n=1200, sd=20, My Engine 2.1 dev x64 disconnects}", "abandoned"),
                ("{-M4/12 0.1s, Engine 2.1 dev 1 x64 loses on time}", TIME),
                ("{White disconnects.}", "abandoned"),
                ("{-0.20/12 0.100s, White loses on time (12ms overrun)}", TIME),
                ("{0.00/9 0.1s, Draw by timeout}", TIME),
                ("{Draw by stalled connection}", "stalled connection"),
                ("{+0.35/18 0.50s, White wins by illegal move}", "illegal move"),
                ("{+0.35/18 0.50s, White wins by disconnected}", "abandoned"),
                ("{Time/node limit forfeit}", TIME),
                ("{Stockfish 17.1 Disconnected}", "abandoned"),
                ("{Game was cancelled}", "abandoned"),
                ("{mamut ran out of time and guest12 has no material to mate}", TIME),
                ("{Houdini I loses on time}", TIME),
                ("{+0.60 10/0 189 246501, My long engine name 2.1 dev x64 loses on time}", TIME),
                ("{1.2s, White makes an illegal move: e1g1}", "illegal move"),
                ("{+0.35/18 1.2s, White makes an illegal move: }", "illegal move"),
                ("{time}", TIME),
                ("{0.00/1 0.001s, dev not pruned disconnects}", "abandoned"),
                ("{Dr. No wins on time}", TIME),
                ("{Time.}", TIME),
                ("{Time forfeit.}", TIME),
                ("{White won on time}", TIME),
                ("{Black wins due to time forfeit}", TIME),
                ("{Engine crashed}", "abandoned"),
                ("{Engine crashed.\nwtime 51230, btime 48011}", "abandoned"),
                ("{Illegal move}", "illegal move"),
                ("{Black plays an illegal move}", "illegal move"),
                ("{White forfeits on time\nWhiteclock 0:00 Blackclock 2:10}", TIME),
                ("{ 0-1 Black wins on time. } $10 { [%clk 0:00:09] }\n", TIME),
                ("{White loses on time.\nwtime -35, btime 12345}", TIME),
                ("{Timed out.\nwtime -12, btime 3400}", TIME),
                ("{Blacks move takes 5213 secs}", TIME),
                ("{White movetime 12.013 secs}", TIME),
                ("{Xboard: Forfeit due to invalid move: e1g1 (e1g1 via e1g1, or f) res=14}", "illegal move"),
                ("{Error: first chess program (Engine 1) exited unexpectedly}", "abandoned"),
                (
                    "{Error: first chess program (polyglot -noini -ec \"stockfish\" -ed \"/usr/games\" -uci NalimovCache=4 -uci NalimovPath=/tb -pg ShowTbHits=true) exited unexpectedly}",
                    "abandoned",
                ),
                ("{first program exits in draw position (Engine 1)}", "abandoned"),
                ("{Error writing to first chess program}", "abandoned"),
                ("{False illegal-move claim}", "illegal move"),
                ("{White wins on time but bare king}", TIME),
                ("{False draw claim: 'Fifty move rule'}", "illegal move"),
                ("{False win claim: 'White mates'}", "illegal move"),
                ("{polyglot: resign (illegal engine move by white: e1g1)}", "illegal move"),
                ("{Arena Adjudication. Illegal move!}", "illegal move"),
            ] {
                let games = |tag: &str| {
                    let before = "[Event \"a\"]\n\n1. d4 {b forfeits on time} d5 *\n\n[Event \"FICS\"]\n";
                    format!("{before}{tag}[Result \"0-1\"]\n[TerminationDetails \"x\"]\n\n1. e4 {comment} 0-1\n\n[Event \"c\"]\n\n1. c4 *\n")
                        .replace('\n', end)
                };
                let tag = format!("[Termination \"{value}\"]\n");
                assert_eq!(with(&games("")), Some(games(&tag)), "{comment}");
                assert_eq!(with(&games(&tag)), None, "{comment}");
            }
        }
    }

    /// Of files that were put together each may begin with a mark.
    #[test]
    fn games_behind_marks_are_known_too() {
        let game = "\u{feff}[Event \"a\"]\n\n1. e4 {White lost on time} 0-1\n\n";
        let tagged = game.replace("]\n", "]\n[Termination \"time forfeit\"]\n");
        assert_eq!(with(&game.repeat(3)), Some(tagged.repeat(3)));
    }

    #[test]
    fn a_comment_says_more_than_an_adjudication() {
        let game = |tags: &str| {
            format!(
                "[Event \"a\"]\n{tags}[PlyCount \"1\"]\n\n1. e4 {{+1.20/12 0.1s, Black wins by adjudication: Invalid result claim}} 0-1\n"
            )
        };
        let tag = "[Termination \"adjudication\"]\n";
        assert_eq!(with(&game(tag)), Some(game(&format!("{tag}[Termination \"illegal move\"]\n"))));
        assert_eq!(with(&game("[Termination \"Normal game\"]\n")), None);
        assert_eq!(with(&game(tag).replace(": Invalid result claim", "")), None);
        let tag = "[Termination \"normal\"]\n";
        let of_qapla = |tags: &str| game(tags).replace("adjudication: Invalid result claim", "illegal move");
        assert_eq!(with(&of_qapla(tag)), Some(of_qapla(&format!("{tag}[Termination \"illegal move\"]\n"))));
    }

    #[test]
    fn a_sign_stands_in_all_words_and_all_that_they_give_is_abnormal() {
        for (words, value) in ENDS.iter().chain(&PARTS) {
            assert!(SIGNS.is_match(words.as_bytes()), "{words}");
            let mut tags = crate::pgn::Tags::default();
            tags.insert(b"Termination", value.as_bytes());
            assert!(tags.ended_abnormally(), "{value}");
        }
        let is_abnormal = |value: &str| {
            let mut tags = crate::pgn::Tags::default();
            tags.insert(b"Termination", value.as_bytes());
            tags.ended_abnormally()
        };
        // The same words in the tag.
        for value in [
            "White loses on time",
            "White makes an illegal move: h8g8",
            "forfeits on time",
            "Time forfeiture",
            "time_forfeit",
            "illegal_move",
            "stalled_connection",
            "time-forfeit",
            "IllegalMove",
            "TimeForfeit",
            "TimeOut",
            "time_out",
            "UnTerminated",
            "LostOnTime",
            "lost on time",
            "Anna won by time forfeit",
            "LOST_ON_TIME",
            "timed_out",
            "TIMED_OUT",
            "TimedOut",
            "WHITE_TIMEOUT",
            "White timeout",
            "flag",
            "Illegal move by Rustic 4",
            "Rustic 4 returned an illegal move",
            "illegal or missing engine move",
            "White resigned (illegal move: e2e5)",
            "Rustic 4 returned no move",
            "candidate engine failure",
            "Anna won by disconnection",
            "Anna won by timeout",
            "Anna won by abandonment",
            "White wins by forfeit",
            "Game drawn by disconnection",
            "Game drawn on time",
        ] {
            assert!(is_abnormal(value), "{value}");
        }
        for value in [
            "time",
            "normal",
            "adjudication",
            "Anna won by resignation",
            "Timed_out won by resignation",
            "who_forfeits on time won by checkmate",
            "White mates",
            "time control reached",
            "FiftyMoves",
            "illegalmover won by checkmate",
            "no legal moves",
            "Red flag",
            "Game drawn by agreement",
            "Timed_out drawn by repetition",
        ] {
            assert!(!is_abnormal(value), "{value}");
        }
    }

    #[test]
    fn other_words_and_places_give_none() {
        let game = |moves: &str| format!("[Event \"a\"]\n[Result \"0-1\"]\n\n{moves}\n");
        for moves in [
            "1. e4 {White forfeits on time} e5 0-1",
            "1. e4 {White forfeits on time} *",
            "1. e4 {White forfeits on time} 0-12",
            "1. e4 {White forfeits on time",
            "1. e4 White forfeits on time} 0-1",
            "1. e4 {White resigns} 0-1",
            "1. e4 {White lost on time, after a long fight} 0-1",
            "1. e4 {Mate. With two seconds left I nearly lost on time.} 0-1",
            "1. e4 {Draw agreed, since we both ran out of time} 1/2-1/2",
            "1. e4 {White resigned. Black never loses on time in such endings} 0-1",
            "1. e4 {Illegal moves were not claimed} 0-1",
            "1. e4 {Time forfeits are rare} 0-1",
            "1. e4 {White resigns because she ran out of time to think} 0-1",
            "1. e4 {White exits in style} 0-1",
            "1. e4 {Here I ran out of time and had to agree to a draw} 1/2-1/2",
            "1. e4 {I nearly ran out of time} 1-0",
            "1. e4 {30s, Black nearly lost on time} 0-1",
            "1. e4 {He may have lost on time} 0-1",
            "1. e4 {No one lost on time} 0-1",
            "1. e4 {Mate in 3 is coming, otherwise White loses on time} 1-0",
            "1. e4 {30 seconds left, but neither side lost on time} 1-0",
            "1. e4 {40 moves were made, and nobody lost on time} 1-0",
            "1. e4 {Many thought that here Black lost on time} 1-0",
            "1. e4 {Engine crashed earlier in this game; restarted, and Black resigns here} 1-0",
            "1. e4 {White has won on time only twice in this event; here by mate} 1-0",
            "1. e4 {Black almost lost on time.} 1-0",
            "1. e4 {Black would have won on time} 1-0",
            "1. e4 {White thought he won on time} 1-0",
            "1. e4 {A draw; nobody won on time} 1/2-1/2",
            "1. e4 {At that time} 1-0",
            "1. e4 {time 1:02} 1-0",
            "1. e4 {Here the road between both wings forks, and White disconnects} 0-1",
            "1. e4 {White makes an illegal move: the arbiter was called, and after some talk the game went on} 0-1",
            "1. e4 {Arena Adjudication} 0-1",
            "1. e4 1-0\n\n1. d4 {White forfeits on time} 0-1",
            "1. e4 1-0 {a fine game}\n\n1. d4 {White forfeits on time} 0-1",
            "1. e4 1-0 ; a fine game\n\n1. d4 {White forfeits on time} 0-1",
            "1. e4 \u{bd}-\u{bd}\n\n1. d4 {White forfeits on time} 0-1",
            "1. e4 1-0\n\n[White \"x\"]\n\n1. d4 {White forfeits on time} 0-1",
        ] {
            assert_eq!(with(&game(moves)), None, "{moves}");
        }
        let last = "1. e4 {White forfeits on time} 0-1";
        assert!(with(&game(last)).is_some());
        for before in ["", "[White \"x\"]\n\n", "[Event \"a\n\"]\n\n", "x [Event \"a\"]\n\n", "[EventDate \"a\"]\n\n"] {
            assert_eq!(with(&format!("{before}{last}")), None, "{before}");
        }
    }
}
