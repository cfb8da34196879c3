//! An input of a report, and why one cannot be shown.

use std::io;

use drawish_artefact::provenance::InputRecord;
use drawish_core::TableError;
use drawish_games::counts::CountsError;
use drawish_games::export::Inconsistency;
use drawish_games::sample::is_of_positions;
use drawish_games::smooth::SmoothError;
use drawish_heads::heads::HeadError;
use drawish_match::arena::LoggedError;
use drawish_match::spsa::SpsaLoggedError;
use drawish_stats::SprtError;
use thiserror::Error;
use twox_hash::XxHash3_128;

/// An input that was read, for the account at the end of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InputFile {
    /// Name without directories; the path where several inputs have the same name.
    pub name: String,
    /// What it is, as in `counts`.
    pub kind: &'static str,
    /// Length in bytes, packed as it is.
    pub bytes: u64,
    /// XXH3-128 of the file, packed as it is.
    pub digest: u128,
    /// The program that made it, where the file says so.
    pub made_by: String,
    /// Where its numbers come from: rule, inputs, book, limits.
    pub origin: Vec<String>,
}

/// What to do about a file that cannot be read, where the error does not say it.
fn advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge => format!("; {NOT_THIS}"),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => "; check the name".to_owned(),
        io::ErrorKind::InvalidData => String::new(),
        _ => "; get the file again if it is damaged".to_owned(),
    }
}

/// What is said of files that are too long.
const NOT_THIS: &str = "expected counts, a table, heads, a WDL fit, an evaluation, rows or the log of a match, of a tournament or of tuning";

/// Why an input cannot be shown.
#[derive(Debug, Error)]
pub(super) enum ReadError {
    #[error("cannot be read: {0}{advice}", advice = advice(.0))]
    Io(#[from] io::Error),
    #[error(transparent)]
    Counts(#[from] CountsError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Contradiction(#[from] Inconsistency),
    #[error(transparent)]
    Heads(#[from] HeadError),
    #[error(transparent)]
    Log(#[from] LoggedError),
    #[error(transparent)]
    Tuning(#[from] SpsaLoggedError),
    #[error(transparent)]
    Smooth(#[from] SmoothError),
    #[error("the test cannot be made of its results: {0}")]
    Sprt(#[from] SprtError),
    #[error("{0}")]
    Json(String),
    #[error("the file is empty; make it again")]
    Empty,
    #[cfg(feature = "frames")]
    #[error(transparent)]
    Rows(#[from] drawish_frames::RowsError),
    #[error("no page shows {0}")]
    Elsewhere(&'static str),
    #[error("no page shows {what}; {remedy}")]
    Step { what: &'static str, remedy: &'static str },
    #[error(
        "expected counts, a table, heads, a WDL fit, an evaluation, rows or the log of a match, of a tournament or of tuning, found something else"
    )]
    Unknown,
}

impl InputFile {
    /// A file with this content, of which nothing else is known yet.
    pub(super) fn new(name: &str, bytes: &[u8]) -> InputFile {
        InputFile {
            name: name.to_owned(),
            kind: "",
            bytes: bytes.len() as u64,
            digest: XxHash3_128::oneshot(bytes),
            made_by: String::new(),
            origin: Vec::new(),
        }
    }

    /// The rules and the games that something was made by.
    pub(super) fn take_origin(&mut self, rules: &[String], games: &[InputRecord]) {
        let mut rules = rules.to_vec();
        rules.dedup();
        self.origin.extend(rules.iter().map(|rule| format!("rule {rule}")));
        // Of several rules it is not known which one read an input.
        let is_loose = !rules.is_empty() && rules.iter().all(|rule| is_of_positions(rule));
        let what = if is_loose { "positions" } else { "games" };
        self.origin.extend(games.iter().map(|of| {
            let broken = of.broken.as_ref().map_or(String::new(), |why| format!("; read in part: {why}"));
            format!("{}, {} of {} {what}, XXH3-128 {}{broken}", of.name, of.counted, of.games, of.xxh3_128)
        }));
    }
}
