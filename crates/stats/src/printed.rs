//! Results as match runners and test frameworks print them, read back from text.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod bounds;
mod ends;
mod names;
mod pairs;
mod points;
mod prefix;
mod sides;

use thiserror::Error;

pub use bounds::PrintedTest;
pub use ends::{ratio_of_unnamed_test, says_stopped};

use crate::counted::Counted;
use crate::numbers::grouped;
use crate::results::{Results, Trinomial};
use names::{Order, name_of, order, swapped};
use pairs::{ReadPairs, bare_pairs, bracketed_pairs, fitting_pairs, in_one_line, is_list, labelled_pairs};
use prefix::without_prefixes;
use sides::{score_of, sides_of, title_of};

/// More results than anybody has played, and few enough to be added up.
pub const MOST_RESULTS: u64 = 1_000_000_000_000_000;

/// Longer lines hold no results.
const LONGEST_LINE: usize = 64 << 10;

/// Results that stand in a text.
#[derive(Clone, PartialEq, Debug)]
pub struct Printed {
    /// The results, for the side that the text is about.
    pub counted: Counted,
    /// The sides, where the text names them as cutechess (`Score of a vs b: `) or fastchess (`Results of a vs b (...):`) do: the results are
    /// for the first.
    pub sides: Option<[String; 2]>,
    /// The line of the text in which they begin, from 1.
    pub line: usize,
    /// Standings of the same match before this one, which it includes.
    pub earlier: usize,
    /// The test that is printed with them, if it is one.
    pub test: Option<PrintedTest>,
    /// Two lines with different tests, the first of each, if there are several: which one is that of the results is not known.
    pub other_tests: Option<[usize; 2]>,
    /// The first line that begins like a test and has no bounds that can be read.
    pub unread_test: Option<usize>,
}

/// Why no results can be read from a text. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum PrintedError {
    #[error(
        "no results found: expected five counts of pairs like [50, 287, 610, 387, 73], or W: 716 L: 591 D: 2163, or what fastchess, \
         cutechess, OpenBench or fishtest print of two engines; of a table of several engines give the games as PGN"
    )]
    Nothing,
    #[error("line {line}: expected five counts of pairs, from two lost games to two won ones, found {found}")]
    Pairs { line: usize, found: String },
    #[error("line {line}: three numbers may be W D L or W L D: write them as W: {} L: {} D: {}", numbers[0], numbers[1], numbers[2])]
    Unnamed { line: usize, numbers: [u64; 3] },
    #[error("line {line}: {found} is not a number of games: expected a whole number up to 1,000,000,000,000,000")]
    Count { line: usize, found: String },
    #[error("line {line}: {} games in all, but wins, losses and draws add up to {}", grouped(*total), grouped(*sum))]
    Total { line: usize, total: u64, sum: u64 },
    #[error(
        "line {line}: a score of {printed} is printed beside wins, losses and draws that give {theirs}; check that they are of one match"
    )]
    Score { line: usize, printed: String, theirs: String },
    #[error("line {line}: wins, losses and draws of more than one match; give each result on its own")]
    Repeated { line: usize },
    #[error("line {line}: counts of pairs of more than one match; give each result on its own")]
    RepeatedPairs { line: usize },
    #[error(
        "line {line}: wins, losses and draws have numbers before and behind them; write them as \"W: 10 L: 5 D: 85\", each name with a colon \
         before its number"
    )]
    Unclear { line: usize },
    #[error(
        "line {line}: {} pairs are more games than the {} of the wins, losses and draws; check that both are of one match",
        grouped(*pairs), grouped(*games)
    )]
    Games { line: usize, pairs: u64, games: u64 },
    #[error("line {line}: the pairs have {pairs} points, the wins and draws {games}; check that both are of one match")]
    Points { line: usize, pairs: String, games: String },
    #[error(
        "lines {first} and {second} hold results of two matches, or of two tests of one; give one of them, or each in a file of its own to add \
         them"
    )]
    Several { first: usize, second: usize },
}

/// Reads the results that a text holds: the five counts of pairs behind `Ptnml(0-2):` or `Penta |`, or in brackets alone on a line, or
/// as all that there is, and wins, losses and draws by their names (`W: 716 L: 591 D: 2163`, `Wins: ...`), or as cutechess has them
/// (`Score of a vs b: 716 - 591 - 2163`).
///
/// Of a runner's output, in which the standing of one match is printed again and again, the last standing is taken.
///
/// ```
/// use drawish_stats::{Pentanomial, read_printed};
///
/// let block = "LLR: 2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 24 W: 9 L: 7 D: 8\nPtnml(0-2): 1, 1, 6, 3, 1";
/// let found = read_printed(block)?;
/// assert_eq!(found.counted.pairs, Some(Pentanomial { ll: 1, ld: 1, wl_dd: 6, wd: 3, ww: 1 }));
/// assert_eq!(found.counted.games.map(|games| games.wins), Some(9));
/// # Ok::<(), drawish_stats::PrintedError>(())
/// ```
///
/// # Errors
///
/// If there are no results, if they contradict each other, or if they are of several matches.
pub fn read_printed(text: &str) -> Result<Printed, PrintedError> {
    let text = &in_one_line(&plain_text(text));
    let mut blocks = blocks(text, labelled_pairs)?;
    if blocks.is_empty() {
        let are_lists = text.lines().map(str::trim).filter(|line| !line.is_empty()).all(is_list);
        blocks = self::blocks(text, if are_lists { bare_pairs } else { bracketed_pairs })?;
    }
    if let [Block { printed: Printed { counted: Counted { pairs: pairs @ None, games: Some(games) }, .. }, .. }] =
        &mut blocks[..]
    {
        *pairs = fitting_pairs(text, games);
    }
    for block in &blocks {
        points::check(&block.printed)?;
    }
    let lines: Vec<&str> = text.lines().collect();
    for two in blocks.windows(2) {
        let [one, other] = [&two[0], &two[1]];
        let goes_on = one.title.is_some() && one.title == other.title && goes_on(&one.counted(), &other.counted());
        let is_ended = || ends::is_ended(&lines[one.printed.line..other.printed.line]);
        if !goes_on || is_ended() && !are_last_games(&one.counted(), &other.counted()) {
            return Err(PrintedError::Several { first: one.printed.line, second: other.printed.line });
        }
    }
    let earlier = blocks.len().saturating_sub(1);
    let Block { printed: last, title } = blocks.pop().ok_or(PrintedError::Nothing)?;
    let (test, other_tests) = match bounds::test_in(text) {
        Ok(test) => (test, None),
        Err(lines) => (None, Some(lines)),
    };
    let sides = title.and_then(sides_of);
    Ok(Printed { sides, earlier, test, other_tests, unread_test: bounds::unread_in(text), ..last })
}

/// A text as programs print it: editors and pages of the web put byte order marks and blanks without width into it, those that set type write other blanks, U+2212 for a minus and a longer dash between numbers, chats and wikis
/// set labels bold, and mail, lists, tables and logs put signs and times in front of lines. Names of sides stay as they are.
#[must_use]
pub fn plain_text(text: &str) -> String {
    let text = text.replace("**", "").replace(['`', '\u{feff}', '\u{200b}', '\u{2060}', '\u{200e}', '\u{200f}'], "");
    let text = without_underscores(&text).replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let mut plain = String::with_capacity(text.len());
    for line in without_prefixes(&text) {
        let (names, rest) = line.split_at(title_of(line).map_or(0, |_| end_of_names(line)));
        plain.push_str(names);
        add_plain(rest, &mut plain);
    }
    plain
}

/// A text without the `__` that set words bold; those within a word are part of it, as in `branch__commit`.
fn without_underscores(text: &str) -> String {
    let mut parts = text.split("__");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_within = plain.ends_with(char::is_alphanumeric) && part.starts_with(char::is_alphanumeric);
        plain.push_str(if is_within { "__" } else { "" });
        plain.push_str(part);
    }
    plain
}

/// Where the names of the sides end in a line that names them.
fn end_of_names(line: &str) -> usize {
    if line.contains("Score of ") { line.rfind(": ").unwrap_or_default() } else { line.len() }
}

/// Adds a text with plain blanks and dashes.
fn add_plain(text: &str, plain: &mut String) {
    let stands_by_number = |letter: char| letter.is_whitespace() || letter.is_ascii_digit();
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut is_between = || {
            (stands_by_number(before) || "([<{,".contains(before))
                && letters.peek().is_none_or(|&next| stands_by_number(next) || next == '.')
        };
        plain.push(match letter {
            '\u{2212}' => '-',
            '\u{2010}'..='\u{2015}' if is_between() => '-',
            _ if letter.is_whitespace() && !letter.is_ascii() => ' ',
            _ => letter,
        });
        before = letter;
    }
}

/// A standing, and what the runner says of whom it is.
struct Block<'a> {
    printed: Printed,
    title: Option<&'a str>,
}

impl Block<'_> {
    fn counted(&self) -> Counted {
        self.printed.counted
    }
}

/// The standings in a text. Pairs and games of one standing are in two lines, in either order; what is there already begins another.
fn blocks(text: &str, pairs: ReadPairs) -> Result<Vec<Block<'_>>, PrintedError> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut title, mut is_new) = (None, true);
    // No runner prints lines that long, and each would be taken apart in memory.
    let lines = text.lines().zip(1..).filter(|(line, _)| line.len() <= LONGEST_LINE);
    for (line, number) in lines {
        if let Some(found) = title_of(line) {
            (title, is_new) = (Some(found), true);
        }
        let found = Counted { pairs: pairs(line, number)?, games: games(line, number)? };
        if found == Counted::default() {
            continue;
        }
        if let Some((printed, theirs)) = found.games.and_then(|games| points::other(line, &games)) {
            return Err(PrintedError::Score { line: number, printed, theirs });
        }
        match blocks.last_mut().map(|block| &mut block.printed.counted) {
            Some(counted)
                if !(is_new
                    || counted.pairs.is_some() && found.pairs.is_some()
                    || counted.games.is_some() && found.games.is_some()) =>
            {
                counted.pairs = counted.pairs.or(found.pairs);
                counted.games = counted.games.or(found.games);
            }
            _ => {
                let printed = Printed {
                    counted: found,
                    sides: None,
                    line: number,
                    earlier: 0,
                    test: None,
                    other_tests: None,
                    unread_test: None,
                };
                blocks.push(Block { printed, title });
            }
        }
        is_new = false;
    }
    Ok(blocks)
}

/// Whether the second may be a later standing of the match of the first: nothing has become less.
fn goes_on(first: &Counted, second: &Counted) -> bool {
    let counts = |counted: &Counted| {
        let pairs = counted.pairs.map(|pairs| [pairs.ll, pairs.ld, pairs.wl_dd, pairs.wd, pairs.ww]);
        let games = counted.games.map(|games| [games.wins, games.draws, games.losses]);
        (pairs, games)
    };
    let ((pairs, games), (later_pairs, later_games)) = (counts(first), counts(second));
    let grows = |before: Option<&[u64]>, after: Option<&[u64]>| match (before, after) {
        (Some(before), Some(after)) => before.iter().zip(after).all(|(before, after)| before <= after),
        (None, None) => true,
        _ => false,
    };
    grows(pairs.as_ref().map(|counts| &counts[..]), later_pairs.as_ref().map(|counts| &counts[..]))
        && grows(games.as_ref().map(|counts| &counts[..]), later_games.as_ref().map(|counts| &counts[..]))
}

/// Whether the second has at most a tenth more games than the first, or ten: those that were running when the match was ended.
fn are_last_games(first: &Counted, second: &Counted) -> bool {
    let games = |counted: &Counted| {
        let results = counted.pairs.map(Results::Pairs).or(counted.games.map(Results::Games));
        results.map_or(0, |results| results.games())
    };
    games(second).saturating_sub(games(first)) <= (games(first) / 10).max(10)
}

fn parse_count(word: &str, line: usize) -> Result<u64, PrintedError> {
    let number = word.strip_suffix('.').unwrap_or(word);
    let count = number.parse().ok().filter(|count| *count <= MOST_RESULTS);
    count.ok_or_else(|| PrintedError::Count { line, found: shortened(word) })
}

/// Wins, losses and draws of a line, if it has all of them.
fn games(line: &str, number: usize) -> Result<Option<Trinomial>, PrintedError> {
    if let Some(rest) = score_of(line).and_then(|line| line.strip_prefix("Score of ")) {
        return of_cutechess(rest, number);
    }
    let (mut named, mut is_repeated) = ([const { None::<Result<u64, PrintedError>> }; 4], false);
    // A comma before a digit is part of a number, which then is none of games.
    let is_apart = |(at, c): (usize, char)| match c {
        ',' => !line[at + 1..].starts_with(|c: char| c.is_ascii_digit()),
        c => matches!(c, ':' | '|' | '=' | '[' | ']' | ')'),
    };
    // A comma between words keeps the numbers on its sides apart.
    let blank = |(at, c)| match c {
        ',' if is_apart((at, c)) => '\u{1f}',
        c if is_apart((at, c)) => ' ',
        c => c,
    };
    let apart: String = line.char_indices().map(blank).collect();
    let apart = apart.replace('(', " ( ").replace('\u{1f}', " , ");
    let list: Vec<&str> = apart.split_whitespace().collect();
    let order = order(&list, line);
    let list = if order == Order::Before { swapped(&list) } else { list };
    let mut words = list.into_iter().peekable();
    let mut name: Option<usize> = None;
    while let Some(word) = words.next() {
        match name.filter(|_| word.starts_with(|c: char| c.is_ascii_digit())) {
            Some(place) => {
                // `8 891` is no 8, and `55 %` no 55.
                let goes_on = |next: &&&str| {
                    next.starts_with('%') || next.len() == 3 && next.bytes().all(|byte| byte.is_ascii_digit())
                };
                let whole = words.peek().filter(goes_on).map_or(word.to_owned(), |next| format!("{word} {next}"));
                is_repeated |= named[place].replace(parse_count(&whole, number)).is_some();
                name = None;
            }
            None if matches!(word, "(" | ",") => {}
            None => name = name_of(word),
        }
    }
    let [Some(wins), Some(losses), Some(draws), total] = named else { return Ok(None) };
    let (wins, losses, draws, total) = (wins?, losses?, draws?, total.transpose()?);
    let sum = wins + losses + draws;
    match total {
        _ if order == Order::Unclear => Err(PrintedError::Unclear { line: number }),
        _ if is_repeated => Err(PrintedError::Repeated { line: number }),
        Some(total) if total != sum => Err(PrintedError::Total { line: number, total, sum }),
        _ => Ok(Some(Trinomial { wins, draws, losses })),
    }
}

/// `a vs b: 716 - 591 - 2163  [0.518] 3470`: wins, losses, draws.
fn of_cutechess(rest: &str, number: usize) -> Result<Option<Trinomial>, PrintedError> {
    if rest.contains("Score of ") {
        return Err(PrintedError::Repeated { line: number });
    }
    let Some((_, numbers)) = rest.rsplit_once(": ") else { return Ok(None) };
    let (numbers, total) = numbers.split_once(']').map_or((numbers, ""), |(numbers, total)| (numbers, total.trim()));
    let numbers = numbers.split('[').next().unwrap_or_default();
    let Ok(three) = <[&str; 3]>::try_from(numbers.split('-').map(str::trim).collect::<Vec<_>>()) else {
        return Ok(None);
    };
    let mut counts = [0; 3];
    for (count, word) in counts.iter_mut().zip(three) {
        *count = parse_count(word, number)?;
    }
    let [wins, losses, draws] = counts;
    let sum = wins + losses + draws;
    match total.parse() {
        Ok(total) if total != sum => Err(PrintedError::Total { line: number, total, sum }),
        _ => Ok(Some(Trinomial { wins, draws, losses })),
    }
}

/// A part of a text that may be long or hold control characters.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Pentanomial;

    fn penta(text: &str) -> Option<[u64; 5]> {
        let found = read_printed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        found.counted.pairs.map(|pairs| [pairs.ll, pairs.ld, pairs.wl_dd, pairs.wd, pairs.ww])
    }

    fn wdl(text: &str) -> Option<[u64; 3]> {
        let found = read_printed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        found.counted.games.map(|games| [games.wins, games.draws, games.losses])
    }

    const FISHTEST: &str =
        "LLR: 2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 2814 W: 780 L: 634 D: 1400\nPtnml(0-2): 50, 287, 610, 387, 73";
    const OPENBENCH: &str = "Elo   | 18.04 +- 8.23 (95%)\nSPRT  | 8.0+0.08s Threads=1 Hash=16MB\n\
        LLR   | 2.97 (-2.94, 2.94) [0.00, 5.00]\nGames | N: 2814 W: 780 L: 634 D: 1400\nPenta | [50, 287, 610, 387, 73]";
    const FASTCHESS: &str = "Results of new vs old (8+0.08, 1t, 16MB, UHO_4060_v4.epd):\n\
        Elo: 18.04 +/- 8.23, nElo: 28.19 +/- 12.93\nLOS: 100.00 %, DrawRatio: 43.35 %, PairsRatio: 1.36\n\
        Games: 2814, Wins: 780, Losses: 634, Draws: 1400, Points: 1480.0 (52.59 %)\n\
        Ptnml(0-2): [50, 287, 610, 387, 73], WL/DD Ratio: 1.21\nLLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00]\n";

    #[test]
    fn what_runners_print_is_read() {
        for text in [FISHTEST, OPENBENCH, FASTCHESS, &FASTCHESS.replace('\n', "\r\n")] {
            assert_eq!(penta(text), Some([50, 287, 610, 387, 73]), "{text}");
            assert_eq!(wdl(text), Some([780, 1400, 634]), "{text}");
        }
        for text in [
            "[50, 287, 610, 387, 73]",
            "50 287 610 387 73",
            " 50,287,610,387,73\n",
            "Ptnml(0-2): [50, 287, 610, 387, 73]",
            "ptnml: 50, 287, 610, 387, 73",
            "Pentanomial: [50, 287, 610, 387, 73]",
            "Ptnml(0-2): [50, 287, 610, 387, 73], WL/DD Ratio: 1.20, see ptnml [0.1, 0.2]",
        ] {
            assert_eq!((penta(text), wdl(text)), (Some([50, 287, 610, 387, 73]), None), "{text}");
        }
        for text in [
            "W: 716 L: 591 D: 2163",
            "W 716 D 2163 L 591",
            "wins=716, draws=2163, losses=591",
            "W:716,L:591,D:2163",
            "Wins: 716 (206 of 1000), Losses: 591 (17.0 %), Draws: 2163",
            "Draws: 62.3 % so far\nW: 716 L: 591 D: 2163",
            "Games | N: 3470 W: 716 L: 591 D: 2163",
            "Score of new vs old: 716 - 591 - 2163  [0.518] 3470",
            "Score of a: b vs c - d: 716 - 591 - 2163  [0.518] 3470\n...      a: b playing White: 1 - 2 - 3  [0.5] 6",
        ] {
            assert_eq!((penta(text), wdl(text)), (None, Some([716, 2163, 591])), "{text}");
        }
    }

    #[test]
    fn sides_are_read_where_their_names_are_clear() {
        let sides = |title: &str| {
            let text = format!("{title}\nGames: 6, Wins: 1, Losses: 2, Draws: 3, Points: 2.5 (41.67 %)");
            let text = if title.contains("Score") { title } else { &text };
            read_printed(text).unwrap_or_else(|error| panic!("{text}: {error}")).sides
        };
        for (title, expected) in [
            ("Results of new vs old (8+0.08, 1t, 16MB, UHO_4060_v4.epd):", Some(["new", "old"])),
            ("  Results of new (dev) vs old (x) (8+0.08, 1t):  ", Some(["new (dev)", "old (x)"])),
            ("Results of new (dev) vs old (x) (8+0.08, 1t, 16MB, book (v2).epd):", Some(["new (dev)", "old (x)"])),
            ("Results of new vs old (8+0.08, 1t, 16MB, a(b.epd):", Some(["new", "old"])),
            ("Score of new vs old: 1 - 2 - 3  [0.417] 6", Some(["new", "old"])),
            ("> Results of new vs old (8+0.08, 1t):", Some(["new", "old"])),
            ("[12:03:44] Score of new vs old: 1 - 2 - 3  [0.417] 6", Some(["new", "old"])),
            ("> Score of a: b vs c: 1 - 2 - 3  [0.417] 6", Some(["a: b", "c"])),
            ("\u{1b}[1mScore of new vs old: 1 - 2 - 3  [0.417] 6\u{1b}[0m", Some(["new", "old"])),
            ("2026-11-26T21:00:01Z Results of new vs old (8+0.08, 1t):", Some(["new", "old"])),
            ("[21:00:01] Results of new vs old (8+0.08, 1t):", Some(["new", "old"])),
            ("\u{1b}[1;32mResults of new vs old (8+0.08, 1t):\u{1b}[0m", Some(["new", "old"])),
            ("\u{1b}[1mResults of new vs old (8+0.08, 1t):", Some(["new", "old"])),
            ("The endResults of new vs old (8+0.08, 1t):", None),
            ("Score of a: b vs c: 1 - 2 - 3  [0.417] 6", Some(["a: b", "c"])),
            ("Score of a vs b vs c: 1 - 2 - 3  [0.417] 6", None),
            ("Score of a vs a: 1 - 2 - 3  [0.417] 6", None),
            ("Results of the match:", None),
            ("Results of new vs old:", Some(["new", "old"])),
            ("Results of new vs old", None),
            ("Results of new (dev) vs old:", Some(["new (dev)", "old"])),
            ("", None),
        ] {
            assert_eq!(sides(title), expected.map(|sides| sides.map(str::to_owned)), "{title}");
        }
    }

    #[test]
    fn a_score_is_checked_behind_prefixes_too() {
        for prefix in ["", "> ", "[12:03:44] "] {
            let found = read_printed(&format!("{prefix}Score of a vs b: 22 - 41 - 60  [0.517] 123"));
            assert!(matches!(found, Err(PrintedError::Score { .. })), "{prefix}: {found:?}");
        }
    }

    #[test]
    fn a_minus_of_typesetting_is_a_minus() {
        for text in [
            "LLR: -2.95 (-2.94,2.94) <-1.75,0.25>\nTotal: 2814 W: 780 L: 634 D: 1400\nPtnml(0-2): 50, 287, 610, 387, 73",
            "Score of a vs b: 716 - 591 - 2163  [0.518] 3470",
        ] {
            let found = read_printed(text).expect("results");
            assert_eq!(
                read_printed(&text.replace('-', "\u{2212}").replace("(0\u{2212}2)", "(0-2)")),
                Ok(found.clone())
            );
            assert_eq!((found.test.is_some(), found.unread_test), (text.contains("LLR"), None));
        }
    }

    /// Once these were left out without a word, and the games judged without their pairs.
    #[test]
    fn pairs_are_read_however_they_are_labelled() {
        for label in [
            "**Ptnml(0-2)**: 50, 287, 610, 387, 73",
            "Ptnml(0\u{2013}2):\u{a0}50,\u{202f}287, 610, 387, 73",
            "LLR: \u{2013}2.95 (\u{2013}2.94,2.94) <\u{2013}1.75,0.25>\nPtnml(0-2): 50, 287, 610, 387, 73",
            "**Penta**: [50, 287, 610, 387, 73]",
            "`Penta` | [50, 287, 610, 387, 73]",
            "__Ptnml(0-2):__ [50, 287, 610, 387, 73]",
            "Pairs: [50, 287, 610, 387, 73]",
            "| 5-nomial | [50, 287, 610, 387, 73] |",
            "[50,287,610,387,73]\n[50, 287, 610, 387, 73] [1, 2, 3, 4, 5]",
        ] {
            let text = format!("**Games** | N: 2814 W: 780 L: 634 D: 1400\n{label}");
            assert_eq!((penta(&text), wdl(&text)), (Some([50, 287, 610, 387, 73]), Some([780, 1400, 634])), "{text}");
        }
        for label in ["Pairs: [50, 287, 611, 387, 73]", "Pairs: [50, 287, 610, 386, 74]", "[50, 287, 610, 387, 73, 0]"]
        {
            assert_eq!(penta(&format!("Total: 2814 W: 780 L: 634 D: 1400\n{label}")), None, "{label}");
        }
        // Either may be that of these games.
        let text = "Total: 8 W: 2 L: 2 D: 4\nPairs: [1, 0, 2, 0, 1]\nPairs: [0, 1, 2, 1, 0]";
        assert_eq!(penta(text), None);
    }

    #[test]
    fn names_of_sides_stay_as_they_are() {
        let stopped = read_printed("Total: 79072 W: 20380 L: 20210 D: 38482.").expect("a sentence");
        assert_eq!(stopped.counted.games.map(|games| games.draws), Some(38482));
        let text = "Score of a \u{2013} 1\u{a0}x vs b: 716 \u{2013} 591 \u{2013}\u{a0}2163  [0.518] 3470";
        let found = read_printed(text).expect("results");
        assert_eq!(found.sides, Some(["a \u{2013} 1\u{a0}x".to_owned(), "b".to_owned()]));
        assert_eq!(found.counted.games.map(|games| [games.wins, games.losses, games.draws]), Some([716, 591, 2163]));
        // What sets words bold is none of a name; two underscores within one are.
        let found =
            read_printed("__Score of `new__1a2b` vs **old__3c4d**: 40 - 20 - 60__  [0.583] 120").expect("results");
        assert_eq!(found.sides, Some(["new__1a2b".to_owned(), "old__3c4d".to_owned()]));
    }

    #[test]
    fn of_standings_of_one_match_the_last_counts() {
        // A pair of draws less.
        let before =
            FASTCHESS.replace("2814", "2812").replace("1400", "1398").replace("1480.0", "1479.0").replace("610", "609");
        let text = format!("{before}\n{FASTCHESS}");
        let found = read_printed(&text).expect("standings");
        assert_eq!((found.earlier, found.counted.games.map(|games| games.draws)), (1, Some(1400)));
        // A longer test behind a short one is no later standing of it, whatever its numbers.
        let text = format!("{FISHTEST}\n\nLTC:\n{FISHTEST}");
        assert_eq!(read_printed(&text), Err(PrintedError::Several { first: 2, second: 7 }));
        let other = format!("{FASTCHESS}{}", FASTCHESS.replace("new vs", "newer vs"));
        assert_eq!(read_printed(&other), Err(PrintedError::Several { first: 4, second: 10 }));
        let less = format!("{FASTCHESS}{before}");
        assert_eq!(read_printed(&less), Err(PrintedError::Several { first: 4, second: 10 }));
    }

    #[test]
    fn what_is_no_result_is_refused_in_words() {
        for (text, said) in [
            ("", "no results found: expected five counts"),
            ("Elo: 3.2 +/- 1.1", "no results found"),
            ("716 2163 591", "line 1: three numbers may be W D L or W L D: write them as W: 716 L: 2163 D: 591"),
            (
                "\nPtnml(0-2): 1, 2, 3, 4",
                "line 2: expected five counts of pairs, from two lost games to two won ones, found 1, 2, 3, 4",
            ),
            ("[1, 2, 3, 4, 5, 6]", "found 1, 2, 3, 4, 5, 6"),
            ("[1, 2, 3, 4, 9000000000000000]", "9000000000000000 is not a number of games"),
            ("Total: 10 W: 3 L: 3 D: 3", "line 1: 10 games in all, but wins, losses and draws add up to 9"),
            ("W: 1 L: 1 D: 0\nPtnml(0-2): 1, 1, 1, 1, 1", "5 pairs are more games than the 2"),
            ("W: 2 L: 4 D: 4\nPtnml(0-2): 1, 1, 1, 1, 1", "line 1: the pairs have 5 points, the wins and draws 4;"),
            ("W: 1 L: 2 D: 3 W: 4 L: 5 D: 6", "line 1: wins, losses and draws of more than one match"),
            ("W: 1 L: 2", "no results found"),
            (
                "Ptnml(0-2): 50, 287, 610, 387, 73 Ptnml(0-2): 73, 387, 610, 287, 50",
                "line 1: counts of pairs of more than one match; give each result on its own",
            ),
            (
                "Ptnml(0-2): [1, 2, 3, 4, 5] Ptnml(0-2): [1, 2, 3, 4, 5]",
                "line 1: counts of pairs of more than one match",
            ),
            ("Ptnml(0-2): [1, 2, 3, 4, 5] [1, 2, 3, 4, 5]", "line 1: counts of pairs of more than one match"),
            ("Ptnml(0-2): 1, 2, 3, 4, 5; [1, 2, 3, 4, 5]", "line 1: expected five counts of pairs"),
            ("[1, 2, 3, 4, 5] [1, 2, 3, 4, 5]", "line 1: expected five counts of pairs"),
            (
                "Score of a vs b: 1 - 2 - 3 [0.5] 6 Score of a vs c: 4 - 5 - 6 [0.5] 15",
                "line 1: wins, losses and draws of more",
            ),
            // Numbers that go on behind their first digits.
            ("W: 1,234 L: 1,100 D: 3,000", "line 1: 1,234 is not a number of games"),
            ("Total: 5,334 W: 1234 L: 1100 D: 3000", "line 1: 5,334 is not"),
            ("W: 8 891 L: 8 662 D: 17 015", "line 1: 8 891 is not"),
            ("Wins: 55 % Losses: 30 % Draws: 15 %", "line 1: 55 % is not"),
            ("Wins: 55.5 Losses: 30 Draws: 15", "line 1: 55.5 is not"),
            ("Ptnml(0-2): 50, 287, 610, 387, 73e3", "line 1: 73e3 is not"),
            ("Ptnml(0-2): 50, 287, 610, 387, 73.5", "line 1: 73.5 is not"),
            ("W: 1 L: 1 D: 0\nPtnml(0-2): -1, 2, 3", "line 2: -1 is not"),
            ("Score of a vs b: 716 - 591 - 2163 [0.518] 9999", "9,999 games in all"),
        ] {
            let error = read_printed(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }

    #[test]
    fn any_text_is_read_without_panic() {
        for text in [
            "ptnml",
            "Ptnml(0-2)",
            "Ptnml(0-2): [",
            "penta|",
            "Score of ",
            "Score of a: - - ",
            "W:",
            "ı̇ptnml: é",
            "[",
            "[]",
            "1",
        ] {
            assert!(read_printed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_may_stand_before_their_names() {
        for text in [
            "10 won, 5 lost, 85 drawn, 100 played",
            "10 wins 5 losses 85 draws 100 games",
            "10 wins, 85 draws, 5 losses",
            "after 100 games: 10 wins, 5 losses, 85 draws",
            "Round 3: W: 10 L: 5 D: 85",
            "Round 3 10 wins 5 losses 85 draws",
            "won 10, lost 5, drawn 85 of 100 games",
            "100 games: 10 wins, 5 losses, 85 draws, 52 points",
            "10 wins (10%), 5 losses (5%), 85 draws (85%)",
            "Elo 3, 10 wins, 5 losses, 85 draws",
            "10 won, 5 lost, 85 drawn.",
        ] {
            assert_eq!(wdl(text), Some([10, 85, 5]), "{text}");
        }
        for (text, expected) in [
            ("3 W 10 L 5 D 85", "line 1: wins, losses and draws have numbers before and behind them; write them as"),
            ("10 won 5 lost 85 drawn 99 played", "line 1: 99 games in all, but wins, losses and draws add up to 100"),
            ("3 W 10 L 5 D 85 of 100", "line 1: wins, losses and draws have numbers before and behind"),
            ("8 891 wins 5 losses 85 draws", "line 1: "),
            ("| 10 W | 5 L | 85 D | 100 |", "line 1: wins, losses and draws have numbers before and behind"),
        ] {
            let said = read_printed(text).expect_err(text).to_string();
            assert!(said.starts_with(expected), "{text}: {said}");
        }
    }

    /// A day, a table, a list of times: five numbers among other words are no results, unless brackets say so.
    #[test]
    fn numbers_among_words_are_no_pairs() {
        for text in ["begun at\n2026 11 24 17 5\n", "size time\n1, 2, 3, 4, 5", "a b c\n\n 1 2 3\n", "1 2 3 4 5\nok"] {
            assert_eq!(read_printed(text), Err(PrintedError::Nothing), "{text}");
        }
        for text in ["1 2 3 4 5", "\n 1, 2, 3, 4, 5 \n\n", "pairs\n[1, 2, 3, 4, 5]\n", "[1 2 3 4 5]"] {
            let pairs = Pentanomial { ll: 1, ld: 2, wl_dd: 3, wd: 4, ww: 5 };
            assert_eq!(read_printed(text).map(|found| found.counted.pairs), Ok(Some(pairs)), "{text}");
        }
        assert!(matches!(read_printed("1 2 3 4 5\n1 2 3 4 6"), Err(PrintedError::Several { first: 1, second: 2 })));
    }
}
