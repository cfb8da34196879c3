//! Regular expressions as data: compared, stored and shown by their text.

use std::fmt;

use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::tags::text_of;

/// So large may a pattern become: lists of hundreds of revisions are written as one.
const SIZE_LIMIT: usize = 1 << 28;

/// A regular expression. Two are equal if their texts are.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    regex: Regex,
    /// Those of its alternatives that do not fit their own texts: names hold parentheses and plus signs.
    names: Vec<Vec<u8>>,
}

/// Why a text is not a regular expression.
#[derive(Clone, PartialEq, Debug, Error)]
#[error(transparent)]
pub struct PatternError(#[from] regex::Error);

impl Pattern {
    /// A pattern that fits wherever it is found in a value.
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression.
    pub fn new(text: &str) -> Result<Pattern, PatternError> {
        let regex = RegexBuilder::new(text).size_limit(SIZE_LIMIT).build()?;
        let names =
            names(inner(text)).into_iter().map(String::into_bytes).filter(|name| !regex.is_match(name)).collect();
        Ok(Pattern { regex, names })
    }

    /// The same that a user asks for, who may have meant a variable of a script that is not set.
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression, or it or one of its alternatives is empty.
    pub fn searched(text: &str) -> Result<Pattern, PatternError> {
        let letters: Vec<char> = text.chars().collect();
        let why = if letters.is_empty() {
            "expected a text to look for, found none"
        } else if bars(&letters).into_iter().any(|(_, sides)| is_empty_beside(sides)) {
            "one of the alternatives is empty and would fit everything; a bar that belongs to a name needs a backslash"
        } else if text.contains(['\r', '\n']) {
            "it holds the end of a line"
        } else {
            return Pattern::new(text);
        };
        Err(refused(why))
    }

    /// A pattern that fits a value only as a whole: `^(?:text)$`. Parentheses that group nothing are letters, as in [`name`](Self::name).
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression.
    pub fn whole(text: &str) -> Result<Pattern, PatternError> {
        Pattern::new(&format!("^(?:{})$", with_parentheses(text)))
    }

    /// A pattern for names of players and events, which fits wherever it is found in one. A bar that parts no two alternatives is one of the name: beside
    /// another or a blank, or at the end (`Rival |2022|`, `Tata Steel Chess 2026 | Masters`), unless it stands in parentheses. A
    /// plus sign between two digits is one, too (`Titled Arena 3+0`), and so are parentheses between blanks that do nothing as a group
    /// (`Olympiad (men)`).
    ///
    /// # Errors
    ///
    /// As [`searched`](Self::searched).
    pub fn name(text: &str) -> Result<Pattern, PatternError> {
        Pattern::searched(&with_increments(&with_bars(&with_parentheses(text))?))
    }

    /// A pattern for time controls. A text like `180`, `60+0` or `40/9000+30` fits the time control that is written so and no other, and `60+0|180+2`
    /// these two; in anything else a plus sign between two digits is that of an increment, too: to repeat a digit, it says nothing there.
    ///
    /// # Errors
    ///
    /// As [`searched`](Self::searched).
    pub fn time_control(text: &str) -> Result<Pattern, PatternError> {
        Pattern::searched(&of_time_controls(text))
    }

    /// The same that fits a time control only as a whole.
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression.
    pub fn whole_time_control(text: &str) -> Result<Pattern, PatternError> {
        Pattern::whole(&of_time_controls(text))
    }

    /// Whether it fits a value; what is not UTF-8 is read as Latin-1, as everywhere else. A value that is the very text of an alternative fits
    /// always: names hold parentheses and plus signs.
    #[must_use]
    pub fn fits(&self, value: impl AsRef<[u8]>) -> bool {
        let value = value.as_ref();
        let fits = |value: &[u8]| self.regex.is_match(value) || self.names.iter().any(|name| name == value);
        match str::from_utf8(value) {
            Ok(_) => fits(value),
            Err(_) => fits(text_of(value).as_bytes()),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.regex.as_str()
    }

    /// The text without the frame of [`whole`](Self::whole).
    #[must_use]
    pub fn inner(&self) -> &str {
        inner(self.as_str())
    }
}

fn inner(text: &str) -> &str {
    text.strip_prefix("^(?:").and_then(|text| text.strip_suffix(")$")).unwrap_or(text)
}

/// The alternatives of a regular expression.
fn alternatives(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let mut ends: Vec<usize> = bars(&letters).into_iter().map(|(at, _)| at).collect();
    ends.push(letters.len());
    let mut begin = 0;
    ends.into_iter().map(move |end| letters[std::mem::replace(&mut begin, end + 1)..end].iter().collect())
}

/// What its alternatives are as names, without anchors, and those of a group that is all of one.
fn names(text: &str) -> Vec<String> {
    let of = |one: String| {
        let one = one.strip_prefix('^').unwrap_or(&one);
        let one = one.strip_suffix('$').unwrap_or(one);
        enclosed(one).map_or_else(|| vec![without_added(one)], names)
    };
    alternatives(text).flat_map(of).collect()
}

/// What stands in parentheses that enclose all of a text.
fn enclosed(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("(?:").or_else(|| text.strip_prefix('('))?.strip_suffix(')')?;
    let (mut depth, mut is_escaped) = (0_u32, false);
    for letter in inside.chars() {
        match letter {
            '(' if !is_escaped => depth += 1,
            ')' if !is_escaped => depth = depth.checked_sub(1)?,
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    (depth == 0 && !is_escaped).then_some(inside)
}

/// A text as it was before [bars](with_bars), [plus signs](with_increments) and [parentheses](with_parentheses) had backslashes.
fn without_added(text: &str) -> String {
    let is_added = |at: usize| text[at..].starts_with('\\') && text[at + 1..].starts_with(['|', '+', '(', ')']);
    text.char_indices().filter(|&(at, _)| !is_added(at)).map(|(_, letter)| letter).collect()
}

/// A regular expression in which alternatives that are time controls fit these and no others, and which is [one](with_increments) otherwise.
fn of_time_controls(text: &str) -> String {
    let parts = alternatives(text).map(|part| {
        let plain = part.trim();
        if is_time_control(plain) { format!("^{}$", regex::escape(plain)) } else { with_increments(&part) }
    });
    parts.collect::<Vec<_>>().join("|")
}

/// Whether it is written like a time control.
fn is_time_control(text: &str) -> bool {
    // As match runners write a time for each move.
    let text = text.strip_suffix("/move").unwrap_or(text);
    matches!(text, "-" | "?" | "inf")
        || text.starts_with(|first: char| first.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || b"+./:".contains(&byte))
}

/// The bars of a regular expression, by their place among its letters, and what stands beside each: not those behind a backslash, in parentheses or
/// in brackets.
fn bars(letters: &[char]) -> Vec<(usize, [Option<char>; 2])> {
    let side = |at: Option<usize>| at.and_then(|at| letters.get(at)).copied();
    let (mut depth, mut is_escaped, mut found) = (0_u32, false, Vec::new());
    for (at, &letter) in letters.iter().enumerate() {
        match letter {
            '(' | '[' if !is_escaped => depth += 1,
            ')' | ']' if !is_escaped => depth = depth.saturating_sub(1),
            '|' if !is_escaped && depth == 0 => found.push((at, [side(at.checked_sub(1)), side(at.checked_add(1))])),
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    found
}

/// Whether nothing stands to one side of a bar.
fn is_empty_beside(sides: [Option<char>; 2]) -> bool {
    sides.iter().any(|side| matches!(side, None | Some('|')))
}

/// A regular expression in which bars are letters where nobody writes them between alternatives: beside another or a blank, or at an end.
///
/// # Errors
///
/// If others part alternatives, and one has a blank beside it: it may be either.
fn with_bars(text: &str) -> Result<String, PatternError> {
    let letters: Vec<char> = text.chars().collect();
    let bars = bars(&letters);
    let has_blank = |sides: [Option<char>; 2]| sides.contains(&Some(' ')) && !is_empty_beside(sides);
    let parts = bars.iter().any(|(_, sides)| !is_empty_beside(*sides) && !has_blank(*sides));
    if parts && bars.iter().any(|(_, sides)| has_blank(*sides)) {
        return Err(refused(
            "a bar has a blank beside it, others have none; a bar that belongs to a name needs a backslash",
        ));
    }
    if parts {
        return Ok(text.to_owned());
    }
    let mut all = letters;
    bars.iter().rev().for_each(|(at, _)| all.insert(*at, '\\'));
    Ok(all.into_iter().collect())
}

fn refused(why: &str) -> PatternError {
    PatternError(regex::Error::Syntax(why.to_owned()))
}

/// Whether a plus sign stands there between two digits.
fn is_increment(text: &[u8], at: usize) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    text[at] == b'+' && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1))
}

/// A regular expression in which plus signs between two digits are plus signs.
fn with_increments(text: &str) -> String {
    let is_increment = |at| is_increment(text.as_bytes(), at);
    text.char_indices().map(|(at, one)| if is_increment(at) { "\\+".to_owned() } else { one.to_string() }).collect()
}

/// A regular expression in which parentheses are letters where they stand between blanks, as in names, and group nothing, and nothing else in it
/// is one.
fn with_parentheses(text: &str) -> String {
    let letters = text.as_bytes();
    let (mut literal, mut begin) = (Vec::new(), None);
    for (at, letter) in letters.iter().enumerate() {
        match letter {
            b'(' if begin.is_none() => begin = Some(at),
            b')' => {
                let Some(begin) = begin.take() else { return text.to_owned() };
                let is_apart = text[..begin].ends_with(' ') && matches!(letters.get(at + 1), None | Some(b'|' | b' '));
                if is_apart {
                    literal.extend([begin, at]);
                }
            }
            b'+' if is_increment(letters, at) => {}
            // A plus sign by itself is often one of a name.
            b'+' if begin.is_none() && !text[..at].ends_with(')') => {}
            b'|' if begin.is_none() => {}
            b'(' | b'|' | b'+' | b'*' | b'?' | b'[' | b']' | b'{' | b'}' | b'^' | b'$' | b'\\' => {
                return text.to_owned();
            }
            _ => {}
        }
    }
    if begin.is_some() {
        return text.to_owned();
    }
    let escaped = |(at, letter)| [literal.contains(&at).then_some('\\'), Some(letter)];
    text.char_indices().flat_map(escaped).flatten().collect()
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Pattern, PatternError> {
        Pattern::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_of_time_controls_are_no_repetitions() {
        for (text, fitting, others) in [
            ("60+0", &["60+0"][..], &["600+0", "6000", "60+0.6", "160+0"][..]),
            ("60+0.6", &["60+0.6"], &["60+0:6", "600.6", "60+0.65"]),
            ("40/9000+30", &["40/9000+30"], &["40/90000", "140/9000+30"]),
            ("60+0|180+2", &["60+0", "180+2"], &["600+0", "1800+2"]),
            (r"^60\+", &["60+0", "60+1"], &["600+0"]),
            ("^[0-9]+$", &["60", "600"], &["60+0"]),
            ("^1[0-9]+0+[+]0", &["100+0", "1800+0"], &["60+0"]),
            ("180", &["180"], &["180+0", "1800", "1800+0", "60", "60/180"]),
            ("40/60", &["40/60"], &["40/600", "140/60", "40/60+1"]),
            ("1/86400", &["1/86400"], &["1/864000"]),
            ("180|300+3", &["180", "300+3"], &["1800", "300+30", "1300+3"]),
            ("60+0| 180+2", &["60+0", "180+2"], &["160+0", "60+0.6"]),
            ("0.25/move", &["0.25/move"], &["10.25/move", "0.25"]),
            ("60+0|inf|-", &["60+0", "inf", "-"], &["160+0", "60+0.6", "1-0"]),
            ("60+0|^180", &["60+0", "180+2"], &["160+0", "2180"]),
            ("^180", &["180", "180+0", "1800+0"], &["60"]),
        ] {
            let pattern = Pattern::time_control(text).expect("a pattern");
            assert!(fitting.iter().all(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert!(!others.iter().any(|value| pattern.fits(value)), "{text}: {pattern:?}");
            let whole = Pattern::whole_time_control(text).expect("a pattern");
            assert!(!others.iter().any(|value| whole.fits(value)), "{text}: {whole:?}");
            // As files keep it.
            assert_eq!(Pattern::time_control(pattern.as_str()).expect("a pattern"), pattern);
        }
    }

    #[test]
    fn names_are_found_as_they_stand() {
        for (text, fitting, others) in [
            ("Rival |2022-03|", &["Rival |2022-03|"][..], &["Rival", "2022-03", ""][..]),
            ("||A||", &["||A||"], &["A", "B"]),
            ("Crafty (64)", &["Crafty (64)"], &["Crafty", "Crafty 64"]),
            ("Ch (team)", &["Ch (team)", "Ch (team) 2005/06"], &["Ch team", "Ch"]),
            (
                "It (cat.7)|Wijk|Arena (3+0) x",
                &["It (cat.7)", "Wijk aan Zee", "Arena (3+0) x"],
                &["It cat.7", "Arena 3+0 x"],
            ),
            ("(It)|^(Wijk)$|Li", &["It (open)", "Wijk", "Li"], &["Wijk aan Zee"]),
            (r"It (\d+)", &["It 12"], &["It (12)"]),
            ("It (open)?", &["It ", "It open"], &["open"]),
            ("It [(]open[)]", &["It (open)"], &["It open"]),
            ("It (?i)OPEN", &["It open"], &["It (open)"]),
            ("It (a(b)c)d", &["It abcd", "It (a(b)c)d"], &["It a(b)cd", "It (abc)d"]),
            ("(Rival 1).*|Rusty", &["Rival 1.2", "Rusty"], &["Rival"]),
            ("(?i)(carlsen)", &["Carlsen, M"], &["Caruana"]),
            ("^(Stockfish)( dev)?$", &["Stockfish", "Stockfish dev"], &["Stockfish (dev)"]),
            ("(Stockfish) (15|16)", &["Stockfish 15"], &["Stockfish 14"]),
            (r"stockfish(\.exe)", &["stockfish.exe"], &["stockfish"]),
            ("(Rival 1).epd|Rusty", &["Rival 1.epd", "Rusty"], &["Rival"]),
            ("(A+_1.1|B++)", &["A+_1.1", "B++", "AA_1.1"], &["A_1.0"]),
            ("^(?:A+_1.1)$|^C++$", &["A+_1.1", "C++"], &["A_1.0"]),
            ("(ab)+ c", &["abab c"], &["a c"]),
            ("A+ (64)", &["A+ (64)", "AA (64)"], &["A 64"]),
            ("Rybka 3+", &["Rybka 3+", "Rybka 33"], &["Rybka"]),
            ("3+0", &["Titled Arena 3+0", "3+0"], &["Rapid 30 min", "330"]),
            ("Stockfish|Komodo", &["Stockfish 16", "Komodo 14"], &["Houdini"]),
            (
                "Tata Steel 2026 | Masters",
                &["Tata Steel 2026 | Masters"],
                &["Norway Masters", "Tata Steel 2026 | Open"],
            ),
            ("FIDE (Open) | Final+", &["FIDE (Open) | Final+", "x FIDE (Open) | Final"], &["FIDE (Open)", " Final+"]),
            ("Rival |2022", &["Rival |2022-03|"], &["Rival |2021-03|", "2022"]),
            ("|2022", &["Rival |2022-03|"], &["2022"]),
            ("(Rival |Rusty )X", &["Rival X", "Rusty X"], &["Rival |Rusty )X"]),
            ("A [|] B", &["A | B"], &["A B"]),
            (r"^Rival \|", &["Rival |2022|"], &["A Rival |2022|", "Rival"]),
        ] {
            let pattern = Pattern::name(text).expect("a pattern");
            assert!(fitting.iter().all(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert!(!others.iter().any(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert_eq!(Pattern::name(pattern.as_str()).expect("a pattern"), pattern, "as files keep it");
            assert!(Pattern::name("").is_err() && Pattern::time_control("").is_err());
        }
        assert!(Pattern::time_control("60+0|180+2|").is_err() && Pattern::searched("^$|normal").is_ok());
        // Lists that a script has made.
        for list in [
            "Carlsen|Caruana|",
            "|Carlsen|Caruana",
            "Carlsen|Caruana |",
            "Carlsen||Caruana|Li",
            "Carlsen|Caruana |Li",
            "Carlsen\r|Caruana",
        ] {
            assert!(Pattern::name(list).is_err(), "{list}");
        }
        let whole = Pattern::whole("Crafty (64)").expect("a pattern");
        assert!(whole.fits("Crafty (64)") && !whole.fits("Crafty (64) x"));
        let whole = Pattern::whole("Rival (build 1)|Rusty").expect("a pattern");
        assert!(whole.fits("Rival (build 1)") && whole.fits("Rusty") && !whole.fits("Rival build 1"));
        let whole = Pattern::whole("UHO_+0.90_+1.19.epd|noob").expect("a pattern");
        assert!(Pattern::whole("(UHO_+0.90_+1.19.epd|noob)").expect("a pattern").fits("UHO_+0.90_+1.19.epd"));
        assert!(whole.fits("UHO_+0.90_+1.19.epd") && whole.fits("noob") && !whole.fits("UHO_+0.90_+1.19.epd.gz"));
        let whole = Pattern::whole("Rival (build 1)|Rusty").expect("a pattern");
        assert_eq!(whole.inner(), r"Rival \(build 1\)|Rusty");
        assert!(Pattern::name("It (open").is_err());
    }

    #[test]
    fn values_in_latin_1_are_text_too() {
        let pattern = Pattern::whole("Glück.*").expect("a pattern");
        assert!(pattern.fits("Glück 1.0") && pattern.fits(b"Gl\xfcck 1.0") && !pattern.fits(b"Gl\xe4ck 1.0"));
    }
}
