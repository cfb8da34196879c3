//! The file of games, as PGN. It can always be made again from the log.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::ContestError;
use crate::arena::tag;

/// A file that games are written to.
pub(crate) struct GamesFile {
    path: PathBuf,
    file: File,
}

impl GamesFile {
    /// Opens the file for the games of an event. It must be empty, or, if a match is resumed, hold games of the same event: these
    /// will be written again.
    pub(crate) fn open(path: &Path, resume: bool, event: &str) -> Result<GamesFile, ContestError> {
        let failed = |cause| ContestError::Write { path: path.to_owned(), cause };
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.map_err(failed)?;
        let own = tag("Event", event).into_bytes();
        let mut beginning = Vec::new();
        (&file).take(own.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
        if !(beginning.is_empty() || resume && own.starts_with(&beginning)) {
            return Err(ContestError::OtherGames { path: path.to_owned() });
        }
        file.rewind().map_err(failed)?;
        Ok(GamesFile { path: path.to_owned(), file })
    }

    /// Begins with these games.
    pub(crate) fn begin(&mut self, games: impl Iterator<Item = String>) -> Result<(), ContestError> {
        let text: String = games.collect();
        self.done(|file| file.set_len(0).and_then(|()| file.write_all(text.as_bytes())))
    }

    /// Appends games.
    pub(crate) fn append(&mut self, games: &str) -> Result<(), ContestError> {
        self.done(|file| file.write_all(games.as_bytes()))
    }

    fn done(&mut self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), ContestError> {
        write(&mut self.file).map_err(|cause| ContestError::Write { path: self.path.clone(), cause })
    }
}
