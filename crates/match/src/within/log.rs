//! The file of labels: a line of JSON for what was searched and how, then a line for each root. It is only ever appended to, so a
//! killed run loses the roots that were being searched and nothing else.
//!
//! # Stability
//!
//! The first line has `"within":1`, the number of the format, and the fields of [`Setup`]; the others are [`Labelled`] with `chain` as
//! the last field, as in the log of a match. A change to either is a new number of the format. Runs without endgame tables have no `syzygy`.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use drawish_artefact::identity::Difference;
use drawish_artefact::in_words;
use drawish_artefact::provenance::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::label::Labelled;
use crate::arena::{Chain, LogError, SyzygyTables, cut, held, lock, open_to_append};

/// The format of files that this program writes.
const FORMAT: u64 = 1;

/// What was searched and how: two runs with the same setup have the same labels, as far as they go. Roots are drawn at random, so those of
/// fewer are the first of those of more.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    /// Checksum of what the engine searches, in hexadecimal digits.
    pub engine: String,
    /// Nodes behind each move.
    pub nodes: u64,
    /// Moves are compared within so many centipawns of the best.
    pub window: i32,
    /// Which games count and from where on.
    pub rule: String,
    /// Positions of each game, at most.
    pub per_game: u32,
    /// Which endgame tables were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<SyzygyTables>,
    /// The files of games.
    pub inputs: Vec<Digest>,
}

/// Why a file of labels cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum LabelsError {
    #[error("{}: {cause}; choose a place that can be written, with room on the disk", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error(transparent)]
    Lock(LogError),
    #[error("{} holds no labels of moves; choose another file", path.display())]
    Foreign { path: PathBuf },
    #[error("{}: expected format {FORMAT}, found {found}; use the drawish that wrote it", path.display())]
    Format { path: PathBuf, found: String },
    #[error(
        "{} holds labels of another engine: checksum {found}, this one has {expected}; use the drawish that wrote it, or choose \
         another file",
        path.display()
    )]
    Engine { path: PathBuf, expected: String, found: String },
    #[error(
        "{} holds labels of another run: {difference}; repeat the same games and settings, or choose another file",
        path.display()
    )]
    Other { path: PathBuf, difference: Difference },
    #[error("{}: line {line} is damaged: {what}; remove it and all lines after it to search these roots again", path.display())]
    Damaged { path: PathBuf, line: usize, what: String },
}

/// An open file of labels, locked while it is open.
#[derive(Debug)]
pub(super) struct LabelsFile {
    path: PathBuf,
    file: File,
    chain: Chain,
}

impl Setup {
    /// In a line, as it stands in files of heads, for so many roots.
    pub fn in_words(&self, roots: usize) -> String {
        let Setup { rule, nodes, window, per_game, syzygy, .. } = self;
        let tables = syzygy.map_or_else(String::new, |tables| format!(", {tables}"));
        format!(
            "{rule}; within roots: {roots} at most, {per_game} of a game, moves within {window} centipawns, {nodes} nodes{tables}"
        )
    }

    /// The first line, without its end.
    fn header(&self) -> String {
        #[derive(Serialize)]
        struct Header<'a> {
            within: u64,
            #[serde(flatten)]
            setup: &'a Setup,
        }
        serde_json::to_string(&Header { within: FORMAT, setup: self }).expect("numbers and texts are always JSON")
    }
}

impl LabelsFile {
    /// Opens a file and reads its labels; begins one where there is none. A line that was not written to its end is cut off.
    pub fn open(path: &Path, setup: &Setup) -> Result<(LabelsFile, Vec<Labelled>), LabelsError> {
        let failed = |cause| LabelsError::Io { path: path.to_owned(), cause: in_words(cause) };
        let mut file = open_to_append(path).map_err(failed)?;
        lock(path, &file).map_err(LabelsError::Lock)?;
        let text = held(&mut file).map_err(failed)?;
        let header = setup.header();
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole == 0 && !header.as_bytes().starts_with(&text) {
            return Err(LabelsError::Foreign { path: path.to_owned() });
        }
        let mut chain = Chain::new(header.as_bytes());
        let labels = read(path, &text[..whole], setup, &mut chain)?;
        cut(&file, whole as u64).map_err(failed)?;
        let mut labels_file = LabelsFile { path: path.to_owned(), file, chain };
        if whole == 0 {
            labels_file.line(&header)?;
        }
        Ok((labels_file, labels))
    }

    /// Appends a root.
    pub fn append(&mut self, labelled: &Labelled) -> Result<(), LabelsError> {
        let line = serde_json::to_string(labelled).expect("numbers and texts are always JSON");
        let line = self.chain.link(&line);
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<(), LabelsError> {
        let failed = |cause| LabelsError::Io { path: self.path.clone(), cause: in_words(cause) };
        self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.flush()).map_err(failed)
    }
}

fn read(path: &Path, text: &[u8], setup: &Setup, chain: &mut Chain) -> Result<Vec<Labelled>, LabelsError> {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(Vec::new()) };
    let foreign = || LabelsError::Foreign { path: path.to_owned() };
    let value: Value = serde_json::from_slice(first).map_err(|_| foreign())?;
    let format = value.get("within").ok_or_else(foreign)?;
    if format.as_u64() != Some(FORMAT) {
        return Err(LabelsError::Format { path: path.to_owned(), found: format.to_string() });
    }
    let found: Setup = serde_json::from_value(value).map_err(|_| foreign())?;
    if found.engine != setup.engine {
        let (expected, found) = (setup.engine.clone(), found.engine);
        return Err(LabelsError::Engine { path: path.to_owned(), expected, found });
    }
    if let Some(difference) = Difference::between(setup, &found) {
        return Err(LabelsError::Other { path: path.to_owned(), difference });
    }
    let damaged = |line, what: String| LabelsError::Damaged { path: path.to_owned(), line, what };
    lines
        .zip(2..)
        .map(|(line, number)| {
            if !chain.holds(line) {
                return Err(damaged(number, "it was changed, or a line before it is missing".to_owned()));
            }
            serde_json::from_slice(line).map_err(|error| damaged(number, error.to_string()))
        })
        .collect()
}
