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
pub struct Pattern(Regex);

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
        Ok(Pattern(RegexBuilder::new(text).size_limit(SIZE_LIMIT).build()?))
    }

    /// A pattern that fits a value only as a whole: `^(?:text)$`.
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression.
    pub fn whole(text: &str) -> Result<Pattern, PatternError> {
        Pattern::new(&format!("^(?:{text})$"))
    }

    /// A pattern for names of players and events, which fits wherever it is found in one. A name that could only be meant as it stands is no regular
    /// expression: one of its alternatives would be empty and fit everything (`Rival |2022|`).
    ///
    /// # Errors
    ///
    /// If the text is not a regular expression, or empty, as a variable of a script that is not set.
    pub fn name(text: &str) -> Result<Pattern, PatternError> {
        check_is_there(text)?;
        let has_empty_alternative = text.starts_with('|') || text.contains("||") || text.ends_with('|');
        let is_escaped = text.contains('\\');
        if has_empty_alternative && !is_escaped { Pattern::new(&regex::escape(text)) } else { Pattern::new(text) }
    }

    /// A pattern for time controls. A text like `60+0` or `40/9000+30` fits the time control that is written so and no other; in
    /// anything else a plus sign between two digits is that of an increment, too: to repeat a digit, it says nothing there.
    ///
    /// # Errors
    ///
    /// As [`name`](Self::name).
    pub fn time_control(text: &str) -> Result<Pattern, PatternError> {
        check_is_there(text)?;
        let is_plain = text.contains('+') && text.bytes().all(|byte| byte.is_ascii_digit() || b"+./:".contains(&byte));
        if is_plain {
            Pattern::new(&format!("^{}$", regex::escape(text)))
        } else {
            Pattern::new(&with_increments(text))
        }
    }

    /// Whether it fits a value; what is not UTF-8 is read as Latin-1, as everywhere else. A value that is its very text fits always: names
    /// hold parentheses and plus signs.
    #[must_use]
    pub fn fits(&self, value: impl AsRef<[u8]>) -> bool {
        let value = value.as_ref();
        let fits = |value: &[u8]| self.0.is_match(value) || self.inner().as_bytes() == value;
        match str::from_utf8(value) {
            Ok(_) => fits(value),
            Err(_) => fits(text_of(value).as_bytes()),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The text without the frame of [`whole`](Self::whole).
    #[must_use]
    pub fn inner(&self) -> &str {
        let text = self.as_str();
        text.strip_prefix("^(?:").and_then(|text| text.strip_suffix(")$")).unwrap_or(text)
    }
}

fn check_is_there(text: &str) -> Result<(), PatternError> {
    let nothing = || regex::Error::Syntax("expected a text to look for, found none".to_owned());
    if text.is_empty() { Err(PatternError(nothing())) } else { Ok(()) }
}

/// A regular expression in which plus signs between two digits are plus signs.
fn with_increments(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_increment = |at: usize| bytes[at] == b'+' && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1));
    text.char_indices().map(|(at, one)| if is_increment(at) { "\\+".to_owned() } else { one.to_string() }).collect()
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
            ("180", &["180", "180+0", "1800+0"], &["60"]),
        ] {
            let pattern = Pattern::time_control(text).expect("a pattern");
            assert!(fitting.iter().all(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert!(!others.iter().any(|value| pattern.fits(value)), "{text}: {pattern:?}");
            // As files keep it.
            assert_eq!(Pattern::time_control(pattern.as_str()).expect("a pattern"), pattern);
        }
    }

    #[test]
    fn names_are_found_as_they_stand() {
        for (text, fitting, others) in [
            ("Rival |2022-03|", &["Rival |2022-03|"][..], &["Rival", "2022-03", ""][..]),
            ("||A||", &["||A||"], &["A", "B"]),
            ("Crafty (64)", &["Crafty (64)", "Crafty 64"], &["Crafty"]),
            ("Rybka 3+", &["Rybka 3+", "Rybka 33"], &["Rybka"]),
            ("Stockfish|Komodo", &["Stockfish 16", "Komodo 14"], &["Houdini"]),
            (r"^Rival \|", &["Rival |2022|"], &["A Rival |2022|", "Rival"]),
        ] {
            let pattern = Pattern::name(text).expect("a pattern");
            assert!(fitting.iter().all(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert!(!others.iter().any(|value| pattern.fits(value)), "{text}: {pattern:?}");
            assert_eq!(Pattern::name(pattern.as_str()).expect("a pattern"), pattern, "as files keep it");
            assert!(Pattern::name("").is_err() && Pattern::time_control("").is_err());
        }
        let whole = Pattern::whole("Crafty (64)").expect("a pattern");
        assert!(whole.fits("Crafty (64)") && !whole.fits("Crafty (64) x"));
    }

    #[test]
    fn values_in_latin_1_are_text_too() {
        let pattern = Pattern::whole("Glück.*").expect("a pattern");
        assert!(pattern.fits("Glück 1.0") && pattern.fits(b"Gl\xfcck 1.0") && !pattern.fits(b"Gl\xe4ck 1.0"));
    }
}
