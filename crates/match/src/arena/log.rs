//! The log of a match: a line of JSON for what is played, then a line for each finished pair. It is only ever appended to, so a
//! killed run loses the pair that was being written and nothing else.
//!
//! # Stability
//!
//! The first line is a [`Setup`] with its format and its [`Origin`], the others are [`PairRecord`]s. A change to either is a new number of the format.
//! In format 3 the last field of each pair is `chain`: XXH3-64 of the line without it, with the link of the line before as the seed,
//! which for the first pair is XXH3-64 of the first line. So no line can be edited, added or taken out by hand without notice; it is
//! no protection from who computes the links anew. Formats 1 and 2, which are read and resumed, have no links; format 1 has rules,
//! endgame tables and the band of evaluations as one text.
//!
//! `test` is the last field of the first line, `{"model":..,"elo0":..,"elo1":..,"alpha":..,"beta":..}`: the test that was to end the match
//! when it was begun. Without a test, and in older logs, there is no such field. It is no part of what the match is.
//!
//! The log of a range of a match has `first_pair` in its first line, the number of its first pair. [`Gathering`](crate::contest::Gathering) makes one
//! log of such logs; the log of a whole match has no such field.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::chain::Chain;
use super::held::{cut, held, open_to_append};
use super::logged::{LineError, chain, pair};
use super::record::PairRecord;
use super::setup::{Difference, Origin, Setup, SetupError};
use drawish_artefact::in_words;

/// Why a log cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum LogError {
    #[error("{}: {cause}; choose a place that can be written, with room on the disk", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{} holds a match already: choose another log, or resume the match", path.display())]
    Exists { path: PathBuf },
    #[error("{} is being written by another run; wait for its end, or choose another log", path.display())]
    InUse { path: PathBuf },
    #[error("{} is not empty: choose another file for the dialogue with engines, or append to it", path.display())]
    Dialogue { path: PathBuf },
    #[error("{} is not the log of a match; choose another file", path.display())]
    Foreign { path: PathBuf },
    #[error("{} is not the log of a tournament; choose another file", path.display())]
    NoTournament { path: PathBuf },
    #[error(
        "{} is the log of another match: {difference}; repeat the match with the same arguments, or choose another log",
        path.display()
    )]
    OtherMatch { path: PathBuf, difference: Difference },
    #[error("{}: line {line} is damaged: {what}; remove it and all lines after it to play these pairs again", path.display())]
    Damaged { path: PathBuf, line: usize, what: String },
}

/// An open log. It is locked while it is open: two runs would play the same pairs and write over each other.
#[derive(Debug)]
pub struct MatchLog {
    path: PathBuf,
    file: File,
    origin: Origin,
    /// Of all lines so far, if the format has links.
    chain: Option<Chain>,
}

impl MatchLog {
    /// Begins a log. The file must not hold one already.
    ///
    /// # Errors
    ///
    /// If the file exists and is not empty, or cannot be written, or another run has it open.
    pub fn create(path: &Path, setup: &Setup, origin: Origin) -> Result<MatchLog, LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause: in_words(cause) };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        lock(path, &file)?;
        if file.metadata().map_err(failed)?.len() > 0 {
            return Err(LogError::Exists { path: path.to_owned() });
        }
        let mut log = MatchLog { path: path.to_owned(), file, origin, chain: None };
        log.begin(setup)?;
        Ok(log)
    }

    /// Makes sure that a match can begin here, before other files of it are looked at; nothing is written.
    pub(crate) fn refuse_other(path: &Path) -> Result<(), LogError> {
        let holds_any = path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        if holds_any { Err(LogError::Exists { path: path.to_owned() }) } else { Ok(()) }
    }

    /// Opens the log of the same match and reads its pairs; begins one if there is none. A line that was not written to its end is
    /// cut off.
    ///
    /// # Errors
    ///
    /// If the file is no log, or the log of another match or of engines that call themselves otherwise, or damaged before its last line, or another run has it open.
    pub fn resume(path: &Path, setup: &Setup, origin: Origin) -> Result<(MatchLog, Vec<PairRecord>), LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause: in_words(cause) };
        let mut file = open_to_append(path).map_err(failed)?;
        lock(path, &file)?;
        let text = held(&mut file).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole == 0 && !is_begun(&text, setup, &origin) {
            return Err(LogError::Foreign { path: path.to_owned() });
        }
        let (records, logged, chain) = read(path, &text[..whole], setup)?;
        if let Some(difference) = logged.as_ref().and_then(|logged| logged.difference(&origin)) {
            return Err(LogError::OtherMatch { path: path.to_owned(), difference });
        }
        cut(&file, whole as u64).map_err(failed)?;
        let mut log = MatchLog { path: path.to_owned(), file, origin: logged.unwrap_or(origin), chain };
        if whole == 0 {
            log.begin(setup)?;
        }
        Ok((log, records))
    }

    /// When, between whom and by which test the match was begun, also by an earlier run.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Appends a finished pair.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the pairs before are safe.
    pub fn append(&mut self, record: &PairRecord) -> Result<(), LogError> {
        let line = record.to_line();
        let line = match &mut self.chain {
            Some(chain) => chain.link(&line),
            None => line,
        };
        self.line(&line)
    }

    fn begin(&mut self, setup: &Setup) -> Result<(), LogError> {
        let header = setup.header(&self.origin);
        self.chain = Some(Chain::new(header.as_bytes()));
        self.line(&header)
    }

    fn line(&mut self, line: &str) -> Result<(), LogError> {
        let failed = |cause| LogError::Io { path: self.path.clone(), cause };
        let line = format!("{line}\n");
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()).map_err(failed)
    }
}

/// Keeps other runs away until the file is closed; where the file system knows no locks, nothing does.
pub(crate) fn lock(path: &Path, file: &File) -> Result<(), LogError> {
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

/// Whether a text without the end of its first line is the beginning of a log of this match, begun on whatever day.
fn is_begun(text: &[u8], setup: &Setup, origin: &Origin) -> bool {
    const DATED: &[u8] = br#"{"format":3,"date":""#;
    let common = DATED.len().min(text.len());
    let of_another_day = origin.date.is_some() && text[..common] == DATED[..common];
    let header = setup.header(&Origin { test: None, ..origin.clone() });
    // The test stands last, and may be another.
    let untested = header.strip_suffix('}').unwrap_or(&header).as_bytes();
    of_another_day || untested.starts_with(text) || text.starts_with(untested)
}

/// What a log holds that consists of whole lines: pairs, origin, and the links of its lines.
type Held = (Vec<PairRecord>, Option<Origin>, Option<Chain>);

fn read(path: &Path, text: &[u8], setup: &Setup) -> Result<Held, LogError> {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok((Vec::new(), None, None)) };
    let foreign = |_| LogError::Foreign { path: path.to_owned() };
    let header = serde_json::from_slice(first).map_err(foreign)?;
    let (logged, origin, format) = Setup::from_header(header).map_err(|error| match error {
        SetupError::Foreign => LogError::Foreign { path: path.to_owned() },
        error => LogError::Damaged { path: path.to_owned(), line: 1, what: error.to_string() },
    })?;
    if let Some(difference) = logged.difference(setup) {
        return Err(LogError::OtherMatch { path: path.to_owned(), difference });
    }
    let mut chain = chain(format, first);
    let mut records: Vec<PairRecord> = Vec::new();
    for (line, number) in lines.zip(2..) {
        let record = pair(line, setup.first_pair.get() + records.len() as u64, chain.as_mut())
            .and_then(|record| if record.is_legal() { Ok(record) } else { Err(LineError::Illegal) });
        let damaged =
            |what: LineError| LogError::Damaged { path: path.to_owned(), line: number, what: what.to_string() };
        records.push(record.map_err(damaged)?);
    }
    Ok((records, Some(origin), chain))
}
