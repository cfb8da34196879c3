//! Why a command line is not played.

use drawish_stats::SprtError;
use thiserror::Error;

use crate::contest::{ContestError, EngineError};

/// Why a command line of fastchess or cutechess-cli is not played.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum CommandLineError {
    #[error("{word}: drawish cannot do this: {advice}")]
    Refused { word: String, advice: &'static str },
    #[error("{word}: no option of fastchess or cutechess-cli that drawish knows; leave it out")]
    Unknown { word: String },
    #[error("{option} {word}: expected {expected}")]
    Value { option: String, word: String, expected: String },
    #[error("{option} is given twice with different words: say it once")]
    Twice { option: String },
    #[error("{option} is missing: {why}")]
    Missing { option: &'static str, why: &'static str },
    #[error("expected two engines or more, found {0}: name each by -engine")]
    Engines(usize),
    #[error("-sprt: {0}")]
    Sprt(#[from] SprtError),
    #[error("-engine: {0}")]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Contest(#[from] ContestError),
}
