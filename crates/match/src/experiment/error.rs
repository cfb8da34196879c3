//! Why an experiment is not carried out.

use std::io;
use std::path::PathBuf;

use drawish_stats::numbers::counted;
use thiserror::Error;

use super::ExperimentError;
use crate::arena::{BookError, Difference, LoggedError};
use crate::contest::{ArmError, ContestError};

/// Why an experiment is not carried out, or not to its end. What was played before stands in the logs.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum RunError {
    #[error("{}: expected the file of an experiment: {cause}", path.display())]
    NoFile { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: ExperimentError },
    #[error("{0}: the name needs an ending, as in {0}.toml: the logs stand in {0}", path.display())]
    NoEnding { path: PathBuf },
    #[error("arm {arm}: {cause}")]
    Arm { arm: String, cause: ArmError },
    #[error(
        "{one} and {other} play the same games, and what these say would count twice; leave one out, or make it a control"
    )]
    SameQuestion { one: String, other: String },
    #[error("there is no arm {name}; there are {}", known.join(", "))]
    NoArm { name: String, known: Vec<String> },
    #[error("{} is not there: the experiment needs the book {} with XXH3 {digest}", path.display(), book.display())]
    NoBook { path: PathBuf, book: PathBuf, digest: String },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(
        "{}: the experiment was written for a book with XXH3 {expected}, this one has {found}; get the same file",
        path.display()
    )]
    OtherBook { path: PathBuf, expected: String, found: String },
    #[error(
        "the experiment is registered for the engine of {build}, whose baseline has the checksum {expected}; the baseline of this \
         program has {found} and plays other games: use that build"
    )]
    OtherEngine { build: String, expected: String, found: String },
    #[error(
        "{} has been changed since the first game: {}. Put it back as {} has it, or ask the new question in a file of its own",
        path.display(),
        changes.join("; "),
        registered.display()
    )]
    Changed { path: PathBuf, registered: PathBuf, changes: Vec<String> },
    #[error(
        "{pairs} pairs are asked for, but the book has {}{}; take a larger book, or fewer pairs",
        counted(*openings, "opening"),
        if *start > 1 { format!(" from number {start} on") } else { String::new() }
    )]
    FewOpenings { pairs: u64, openings: u64, start: u64 },
    #[error("{arm}: {cause}")]
    Play { arm: String, cause: Box<ContestError> },
    #[error(transparent)]
    Contest(Box<ContestError>),
    #[error("{}: {cause}", path.display())]
    Log { path: PathBuf, cause: LoggedError },
    #[error(
        "{}: expected the log of arm {arm}, found another match: {} is {}, not {}; put the arm's own log back, or remove this one to play \
         the arm again",
        path.display(), difference.field, difference.before, difference.now
    )]
    OtherLog { path: PathBuf, arm: String, difference: Difference },
    #[error(
        "{}: arm {arm} was to play {planned} pairs, its log has {pairs}: a number of games chosen later shows nothing; put the log of the \
         experiment back, or remove the pairs after number {planned}",
        path.display()
    )]
    MorePairs { path: PathBuf, arm: String, pairs: u64, planned: u64 },
    #[error("{} cannot be read: {cause}", path.display())]
    Read { path: PathBuf, cause: io::Error },
    #[error("{} cannot be written: {cause}; choose a place with room on the disk", path.display())]
    Write { path: PathBuf, cause: io::Error },
    #[error("{} cannot be removed: {cause}", path.display())]
    Remove { path: PathBuf, cause: io::Error },
}

impl From<ContestError> for RunError {
    fn from(error: ContestError) -> RunError {
        RunError::Contest(Box::new(error))
    }
}
