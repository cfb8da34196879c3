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

    /// Whether it fits a value; what is not UTF-8 is read as Latin-1, as everywhere else.
    #[must_use]
    pub fn fits(&self, value: impl AsRef<[u8]>) -> bool {
        let value = value.as_ref();
        match str::from_utf8(value) {
            Ok(_) => self.0.is_match(value),
            Err(_) => self.0.is_match(text_of(value).as_bytes()),
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

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Pattern::new(text)
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
    fn values_in_latin_1_are_text_too() {
        let pattern = Pattern::whole("Glück.*").expect("a pattern");
        assert!(pattern.fits("Glück 1.0") && pattern.fits(b"Gl\xfcck 1.0") && !pattern.fits(b"Gl\xe4ck 1.0"));
    }
}
