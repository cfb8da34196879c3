//! The five counts of pairs in a text.

use super::{LONGEST_LINE, PrintedError, parse_count, points, shortened};
use crate::results::{Pentanomial, Trinomial};

/// Characters that five counts take at most.
const LONGEST_LIST: usize = 512;

/// Reads the counts of a line with this number.
pub(super) type ReadPairs = fn(&str, usize) -> Result<Option<Pentanomial>, PrintedError>;

/// The five counts of a line that says that it has them.
pub(super) fn labelled_pairs(line: &str, number: usize) -> Result<Option<Pentanomial>, PrintedError> {
    let lower = line.to_ascii_lowercase();
    let behind = |label: &str| lower.find(label).map(|at| &line[at + label.len()..]);
    let Some(rest) = behind("ptnml").or_else(|| behind("pentanomial")).or_else(|| behind("penta")) else {
        return Ok(None);
    };
    let words = list_of(rest);
    // The word may stand in a sentence.
    if words.is_empty() {
        return Ok(None);
    }
    let found = five(&words, number)?;
    if lists(rest) > 1 { Err(PrintedError::RepeatedPairs { line: number }) } else { Ok(Some(found)) }
}

/// The words behind a label of pairs.
fn list_of(rest: &str) -> Vec<&str> {
    list_behind(rest.strip_prefix("(0-2)").unwrap_or(rest))
}

/// How many lists of pairs there are behind a label: its own, those of more labels, and other five whole numbers in brackets.
fn lists(rest: &str) -> usize {
    let lower = rest.to_ascii_lowercase();
    let are_five =
        |list: &[&str]| list.len() == 5 && list.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    // Each label is asked for what stands near it, so that many in a line take no time with the square of its length.
    let near = |rest: &'_ str| rest.char_indices().nth(LONGEST_LIST).map_or(rest.len(), |(end, _)| end);
    let labelled = ["ptnml", "pentanomial", "penta|", "penta |"].into_iter().flat_map(|label| {
        let behind = lower.match_indices(label).map(move |(at, _)| &rest[at + label.len()..]);
        behind.filter(move |behind| are_five(&list_of(&behind[..near(behind)])))
    });
    let is_five = |inside: &&str| {
        let list: Vec<&str> = inside.split_once(']').map_or(Vec::new(), |(inside, _)| words(inside).collect());
        are_five(&list)
    };
    let own = rest.strip_prefix("(0-2)").unwrap_or(rest);
    let is_own_bare =
        !own.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '|' | '=')).starts_with('[');
    let bracketed = rest.split('[').skip(1).filter(is_five).count();
    // A list in brackets behind a label is one list, not two.
    (usize::from(is_own_bare) + bracketed).max(1 + labelled.count())
}

/// Whether a line holds whole numbers and nothing else.
pub(super) fn is_list(line: &str) -> bool {
    line.starts_with(|c: char| c == '[' || c.is_ascii_digit())
        && line.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, ',' | '[' | ']'))
}

/// The five counts in brackets that are all of a line. Among other words, numbers without brackets may mean anything.
pub(super) fn bracketed_pairs(line: &str, number: usize) -> Result<Option<Pentanomial>, PrintedError> {
    let is_bracketed = line.trim().strip_prefix('[').is_some_and(|rest| rest.ends_with(']'));
    if is_bracketed { bare_pairs(line, number) } else { Ok(None) }
}

/// The five counts that are all of a line.
pub(super) fn bare_pairs(line: &str, number: usize) -> Result<Option<Pentanomial>, PrintedError> {
    let line = line.trim();
    let words: Vec<&str> = words(line).collect();
    match words[..] {
        _ if !is_list(line) || words.len() < 2 => Ok(None),
        [one, two, three] => {
            let numbers = [parse_count(one, number)?, parse_count(two, number)?, parse_count(three, number)?];
            Err(PrintedError::Unnamed { line: number, numbers })
        }
        _ => five(&words, number).map(Some),
    }
}

/// The five counts in brackets, under whatever label, that have just as many games and points as these. `None` if no counts do, or
/// several.
pub(super) fn fitting_pairs(text: &str, games: &Trinomial) -> Option<Pentanomial> {
    let lines = text.lines().filter(|line| line.len() <= LONGEST_LINE);
    let insides = lines.flat_map(|line| line.split('[').skip(1)).filter_map(|rest| rest.split_once(']'));
    let lists = insides.filter_map(|(inside, _)| five(&words(inside).collect::<Vec<_>>(), 0).ok());
    let mut fitting = lists.filter(|pairs| points::are_all(pairs, games));
    let first = fitting.next()?;
    fitting.all(|other| other == first).then_some(first)
}

/// The text with pairs as they are printed today where old versions of fast-chess named the counts in a line and gave them, from two wins
/// to two losses, in the next.
pub(super) fn in_one_line(text: &str) -> String {
    const NAMES: [&str; 6] = ["Ptnml:", "WW", "WD", "DD/WL", "LD", "LL"];
    let mut before = "";
    let line = |line| {
        let are_named = before.split_whitespace().eq(NAMES);
        before = line;
        match line.trim_start().strip_prefix("Distr:").filter(|_| are_named) {
            Some(counts) => format!("Ptnml(0-2): {}", counts.split_whitespace().rev().collect::<Vec<_>>().join(", ")),
            None => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn five(words: &[&str], line: usize) -> Result<Pentanomial, PrintedError> {
    let counts = words.iter().map(|word| parse_count(word, line)).collect::<Result<Vec<_>, _>>()?;
    let counts =
        <[u64; 5]>::try_from(counts).map_err(|_| PrintedError::Pairs { line, found: shortened(&words.join(", ")) })?;
    let [ll, ld, wl_dd, wd, ww] = counts;
    Ok(Pentanomial { ll, ld, wl_dd, wd, ww })
}

/// The words that a label is followed by: all up to the closing bracket, or up to the first that does not begin as a number.
fn list_behind(rest: &str) -> Vec<&str> {
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '|' | '='));
    if let Some(inside) = rest.strip_prefix('[') {
        return words(inside.split_once(']').map_or(inside, |(inside, _)| inside)).collect();
    }
    let is_begun = |word: &&str| word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    words(rest).take_while(is_begun).map(|word| word.trim_end_matches(['.', ';', ')', '|'])).collect()
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As old versions of fast-chess print them.
    #[test]
    fn pairs_may_have_their_names_in_the_line_above() {
        let text = "Score of a vs b: 780 - 634 - 1400 [] 2814\nPtnml:        WW     WD  DD/WL     LD     LL\nDistr:        73    387    610    287     50";
        let found = crate::read_printed(text).expect("results").counted;
        assert_eq!(found.pairs, Some(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 }));
        assert_eq!(found.games.map(|games| games.draws), Some(1400));
        // Without their names they may be anything.
        let other = text.replace("WW     WD", "LL     LD");
        assert!(crate::read_printed(&other).is_ok_and(|found| found.counted.pairs.is_none()));
    }

    #[test]
    fn counts_alone_are_numbers_and_nothing_else() {
        for line in ["3 games were played", "[new] 1 2 3 4 5", ", 1 2 3 4 5", "1 2 3 4 5 pairs", "7"] {
            assert_eq!(bare_pairs(line, 1), Ok(None), "{line}");
        }
        let pairs = Pentanomial { ll: 1, ld: 2, wl_dd: 3, wd: 4, ww: 5 };
        for line in ["1 2 3 4 5", " [1, 2, 3, 4, 5] ", "1,2,3,4,5"] {
            assert_eq!(bare_pairs(line, 1), Ok(Some(pairs)), "{line}");
        }
        assert!(matches!(bare_pairs("1 2 3", 4), Err(PrintedError::Unnamed { line: 4, numbers: [1, 2, 3] })));
    }
}
