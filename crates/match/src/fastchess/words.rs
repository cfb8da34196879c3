//! Words of a command line: options with what stands behind them, keys with values.

use std::str::FromStr;

use super::error::CommandLineError;
use crate::arena::RuleError;

/// An option and the words behind it.
pub(super) struct Given {
    /// Its name without dashes.
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

/// Cuts a command line at its options: words that begin with a dash and a letter.
pub(super) fn options(words: impl IntoIterator<Item = String>) -> Result<Vec<Given>, CommandLineError> {
    let mut options: Vec<Given> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        match (name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())), options.last_mut()) {
            (Some(name), _) => options.push(Given { name: name.to_owned(), words: Vec::new() }),
            (None, Some(option)) => option.words.push(word),
            (None, None) => {
                let expected = "an option first, as in -engine cmd=./new".to_owned();
                return Err(CommandLineError::Value { option: "the command line".to_owned(), word, expected });
            }
        }
    }
    Ok(options)
}

/// A wrong word behind an option.
pub(super) fn value(option: &str, word: &str, expected: &str) -> CommandLineError {
    CommandLineError::Value { option: option.to_owned(), word: word.to_owned(), expected: expected.to_owned() }
}

impl Given {
    /// The option with its dash.
    pub(super) fn option(&self) -> String {
        format!("-{}", self.name)
    }

    /// A wrong word behind this option.
    pub(super) fn wrong(&self, word: &str, expected: &str) -> CommandLineError {
        value(&self.option(), word, expected)
    }

    /// A wrong word of an adjudication or of openings.
    pub(super) fn rule(&self, error: RuleError) -> CommandLineError {
        self.wrong(&error.word, &error.expected)
    }

    /// What drawish does otherwise, or not at all.
    pub(super) fn refused(&self, word: &str, advice: &'static str) -> CommandLineError {
        CommandLineError::Refused { word: format!("-{} {word}", self.name).trim_end().to_owned(), advice }
    }

    /// Keys and values; words without `=` have no value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.iter().map(|word| word.split_once('=').unwrap_or((word, "")))
    }

    /// The only word.
    pub(super) fn one(&self) -> Result<&str, CommandLineError> {
        match self.words.as_slice() {
            [word] => Ok(word),
            words => Err(self.wrong(&words.join(" "), "one word behind it")),
        }
    }

    /// The only word, as a number.
    pub(super) fn number<T: FromStr>(&self) -> Result<T, CommandLineError> {
        let word = self.one()?;
        word.parse().map_err(|_| self.wrong(word, "a whole number"))
    }

    /// The value of a key, as a number.
    pub(super) fn keyed<T: FromStr>(&self, key: &str, text: &str) -> Result<T, CommandLineError> {
        text.parse().map_err(|_| self.wrong(&format!("{key}={text}"), "a number"))
    }

    /// Nothing may stand behind it.
    pub(super) fn alone(&self) -> Result<(), CommandLineError> {
        if self.words.is_empty() { Ok(()) } else { Err(self.wrong(&self.words.join(" "), "nothing behind it")) }
    }
}
