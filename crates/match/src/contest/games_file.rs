//! The files of games, as PGN, and of their final positions. They can always be made again from the log.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::ContestError;
use crate::arena::tag;

/// How a game begins.
const EVENT: &[u8] = b"[Event \"";

/// A file that games, or their final positions, are written to.
pub(crate) struct GamesFile {
    path: PathBuf,
    file: File,
    /// What stands once in each entry.
    mark: &'static [u8],
}

impl GamesFile {
    /// Opens the file for the games of an event. It must be empty, or, if a match is resumed, hold games of the same event.
    pub(crate) fn open(path: &Path, resume: bool, event: &str) -> Result<GamesFile, ContestError> {
        GamesFile::of(path, resume, tag("Event", event).as_bytes(), EVENT)
    }

    /// Opens the file for final positions, a line each. It must be empty unless a match is resumed.
    pub(crate) fn open_positions(path: &Path, resume: bool) -> Result<GamesFile, ContestError> {
        GamesFile::of(path, resume, b"", b"\n")
    }

    fn of(path: &Path, resume: bool, own: &[u8], mark: &'static [u8]) -> Result<GamesFile, ContestError> {
        let failed = |cause| ContestError::Write { path: path.to_owned(), cause };
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.map_err(failed)?;
        let is_empty = file.metadata().map_err(failed)?.len() == 0;
        let mut beginning = Vec::new();
        (&file).take(own.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
        if !(is_empty || resume && own.starts_with(&beginning)) {
            return Err(ContestError::OtherGames { path: path.to_owned() });
        }
        file.rewind().map_err(failed)?;
        Ok(GamesFile { path: path.to_owned(), file, mark })
    }

    /// Begins with the games of the log, in the place of what a run has written that was interrupted. Many matches may be of an
    /// event that has been `named`: a file with more than a pair must then have been written from the same log.
    pub(crate) fn begin(mut self, games: String, named: bool) -> Result<GamesFile, ContestError> {
        let mut before = Vec::new();
        self.done(|file| file.read_to_end(&mut before).and_then(|_| file.rewind()))?;
        let games = games.as_bytes();
        let is_ours = if games.is_empty() {
            !named || before.windows(self.mark.len()).filter(|window| *window == self.mark).count() <= 2
        } else {
            before.starts_with(games) || games.starts_with(&before)
        };
        if !is_ours {
            return Err(ContestError::OtherGames { path: self.path });
        }
        self.done(|file| file.set_len(0).and_then(|()| file.write_all(games)))?;
        Ok(self)
    }

    /// Appends games.
    pub(crate) fn append(&mut self, games: &str) -> Result<(), ContestError> {
        self.done(|file| file.write_all(games.as_bytes()))
    }

    fn done(&mut self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), ContestError> {
        write(&mut self.file).map_err(|cause| ContestError::Write { path: self.path.clone(), cause })
    }
}
