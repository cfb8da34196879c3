//! The log of a match: a line of JSON for what is played, then a line for each finished pair. It is only ever appended to, so a
//! killed run loses the pair that was being written and nothing else.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::record::PairRecord;

/// What a match is: two runs with the same setup continue each other.
///
/// # Stability
///
/// `format` is 1. A change to the lines of the log is a new number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Version of the format of the log.
    pub format: u32,
    /// Names, commands, options and limits of both sides.
    pub sides: [Side; 2],
    /// File name of the book.
    pub book: String,
    /// XXH3-128 of the book, in hexadecimal.
    pub book_digest: String,
    /// Openings that can be played.
    pub openings: u64,
    /// Moves taken from each game of a PGN book.
    pub plies: Option<usize>,
    /// Of the order of the openings.
    pub seed: u64,
    /// Rules that end games early.
    pub rules: String,
    /// Whether Chess960 is played; not written for standard chess.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
}

/// One side of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// What plays: a command with its arguments.
    pub player: String,
    /// XXH3-128 of the program, in hexadecimal, where it is a file that can be read: another build is another match.
    pub build: Option<String>,
    /// Options that are set.
    pub options: Vec<(String, String)>,
    /// What limits its thinking.
    pub limits: String,
}

/// The format of logs that this program writes and reads.
pub const FORMAT: u32 = 1;

/// Why a log cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum LogError {
    #[error("{}: {cause}; choose a place that can be written, with room on the disk", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{} holds a match already: go on with it by --resume, or choose another log", path.display())]
    Exists { path: PathBuf },
    #[error("{} is being written by another run; wait for its end, or choose another log", path.display())]
    InUse { path: PathBuf },
    #[error("{} is not the log of a match; choose another file", path.display())]
    Foreign { path: PathBuf },
    #[error(
        "{} is the log of another match: {what} was {logged}, now it is {now}; repeat the match with the same arguments, \
         or choose another log",
        path.display()
    )]
    OtherMatch { path: PathBuf, what: String, logged: String, now: String },
    #[error("{}: line {line} is damaged: {what}; remove it and all lines after it to play these pairs again", path.display())]
    Damaged { path: PathBuf, line: usize, what: String },
}

/// An open log. It is locked while it is open: two runs would play the same pairs and write over each other.
#[derive(Debug)]
pub struct MatchLog {
    path: PathBuf,
    file: File,
}

impl MatchLog {
    /// Begins a log. The file must not hold one already.
    ///
    /// # Errors
    ///
    /// If the file exists and is not empty, or cannot be written, or another run has it open.
    pub fn create(path: &Path, setup: &Setup) -> Result<MatchLog, LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        lock(path, &file)?;
        if file.metadata().map_err(failed)?.len() > 0 {
            return Err(LogError::Exists { path: path.to_owned() });
        }
        let mut log = MatchLog { path: path.to_owned(), file };
        log.line(setup)?;
        Ok(log)
    }

    /// Opens the log of the same match and reads its pairs; begins one if there is none. A line that was not written to its end is
    /// cut off.
    ///
    /// # Errors
    ///
    /// If the file is no log, or the log of another match, or damaged before its last line, or another run has it open.
    pub fn resume(path: &Path, setup: &Setup) -> Result<(MatchLog, Vec<PairRecord>), LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause };
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        lock(path, &file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let beginning = serde_json::to_vec(setup).unwrap_or_default();
        if whole == 0 && !beginning.starts_with(&text) {
            return Err(LogError::Foreign { path: path.to_owned() });
        }
        let records = read(path, &text[..whole], setup)?;
        file.set_len(whole as u64).map_err(failed)?;
        let mut log = MatchLog { path: path.to_owned(), file };
        if whole == 0 {
            log.line(setup)?;
        }
        Ok((log, records))
    }

    /// Appends a finished pair.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the pairs before are safe.
    pub fn append(&mut self, record: &PairRecord) -> Result<(), LogError> {
        self.line(record)
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), LogError> {
        let failed = |cause| LogError::Io { path: self.path.clone(), cause };
        let mut line = serde_json::to_vec(content).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.flush()).map_err(failed)
    }
}

/// Keeps other runs away until the file is closed; where the file system knows no locks, nothing does.
fn lock(path: &Path, file: &File) -> Result<(), LogError> {
    // A program that is just being started holds for an instant what its parent held, even if that has closed it since.
    for _ in 0..ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(LogError::InUse { path: path.to_owned() })
}

const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// The pairs of a log that consists of whole lines.
fn read(path: &Path, text: &[u8], setup: &Setup) -> Result<Vec<PairRecord>, LogError> {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(Vec::new()) };
    let foreign = || LogError::Foreign { path: path.to_owned() };
    let logged: Value = serde_json::from_slice(first).map_err(|_| foreign())?;
    let now = serde_json::to_value(setup).map_err(|_| foreign())?;
    if logged.get("format").is_none() {
        return Err(foreign());
    }
    if let Some((what, logged, now)) = difference("", &logged, &now) {
        return Err(LogError::OtherMatch { path: path.to_owned(), what, logged, now });
    }
    let mut records: Vec<PairRecord> = Vec::new();
    for (line, number) in lines.zip(2..) {
        let damaged = |what: String| LogError::Damaged { path: path.to_owned(), line: number, what };
        let record: PairRecord = serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
        let expected = records.len() as u64 + 1;
        if record.pair != expected {
            return Err(damaged(format!("expected pair {expected}, found pair {}", record.pair)));
        }
        if !record.is_legal() {
            return Err(damaged("its games cannot be played".to_owned()));
        }
        records.push(record);
    }
    Ok(records)
}

/// The name of the first value in which two setups differ, and both values.
fn difference(name: &str, logged: &Value, now: &Value) -> Option<(String, String, String)> {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (logged, now) {
        (Value::Object(old), Value::Object(new)) => {
            let added = old.keys().filter(|key| !new.contains_key(*key));
            let value = |of: &serde_json::Map<String, Value>, key: &str| of.get(key).cloned().unwrap_or(Value::Null);
            new.keys().chain(added).find_map(|key| difference(&inner(key), &value(old, key), &value(new, key)))
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => (1..)
            .zip(old.iter().zip(new))
            .find_map(|(at, (old, new)): (u32, _)| difference(&inner(&at.to_string()), old, new)),
        _ if logged == now => None,
        _ => Some((name.to_owned(), logged.to_string(), now.to_string())),
    }
}
