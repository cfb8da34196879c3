//! The dialogue with engines, written down as it happens.
//!
//! The file has a line for each line that an engine is sent (`<---`) or has written (`--->`), and for what becomes of its process
//! (`---`):
//!
//! ```text
//! [     0.000000] <start> drawish --- the clock begins at 1795399503.218 s of Unix time
//! [     1.204518] <3.1 white> new <--- go nodes 20000
//! [     1.233170] <3.1 white> new ---> bestmove e2e4
//! ```
//!
//! First come seconds since the first line, then the game by its [`Seat`], or `start` for an engine that is in no game yet, then the
//! engine's name. Characters that steer a terminal are written as `\u{1b}`. Each line is written at once and as a whole, so that a
//! killed run leaves what was said before.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use drawish_artefact::provenance::harmless;

use super::line::printable;
use crate::arena::log::{LogError, lock};
use crate::arena::player::Seat;
use crate::arena::{Made, open_to_append};

/// A file for the dialogue with all engines of a run. Its clones write to the same file.
#[derive(Clone, Debug)]
pub struct EngineLog(Arc<Mutex<Open>>);

/// Is told why nothing more can be written to the file.
pub type OnFailure = fn(&Path, &io::Error);

#[derive(Debug)]
struct Open {
    /// Dropped first, while the file is still locked.
    _made: Made,
    path: PathBuf,
    /// `None` once a line could not be written.
    file: Option<File>,
    /// When the first line was written.
    begun: Option<Instant>,
    /// Whether the file ends within a line of an earlier run.
    is_cut: bool,
    text: String,
    on_failure: OnFailure,
}

impl EngineLog {
    /// Opens a file, which must be new or empty unless lines are appended to it. Nothing is written before the first line; a new file
    /// that gets none is removed again.
    ///
    /// A line that cannot be written later is no reason to lose a match: `on_failure` is called, once, and the games go on without.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, holds anything and is not appended to, or another run has it open.
    pub fn open(path: &Path, append: bool, on_failure: OnFailure) -> Result<EngineLog, LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause };
        let made = Made::new(path);
        let mut file = open_to_append(path).map_err(failed)?;
        lock(path, &file)?;
        let mut is_cut = false;
        if file.metadata().map_err(failed)?.len() > 0 {
            if !append {
                return Err(LogError::Dialogue { path: path.to_owned() });
            }
            let mut last = [0];
            file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)).map_err(failed)?;
            is_cut = last != *b"\n";
        }
        let (path, text) = (path.to_owned(), String::new());
        Ok(EngineLog(Arc::new(Mutex::new(Open {
            _made: made,
            path,
            file: Some(file),
            begun: None,
            is_cut,
            text,
            on_failure,
        }))))
    }
}

impl Open {
    /// Writes a line.
    fn line(&mut self, seat: &dyn fmt::Display, name: &str, arrow: &str, said: &str) {
        let Some(file) = &mut self.file else { return };
        self.text.clear();
        let begun = *self.begun.get_or_insert_with(|| {
            let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
            let end = if self.is_cut { "\n" } else { "" };
            let _ = writeln!(
                self.text,
                "{end}[{:>13.6}] <start> drawish --- the clock begins at {unix:.3} s of Unix time",
                0.0
            );
            Instant::now()
        });
        let time = begun.elapsed().as_secs_f64();
        let _ = writeln!(self.text, "[{time:>13.6}] <{seat}> {name} {arrow} {}", harmless(said));
        if let Err(error) = file.write_all(self.text.as_bytes()) {
            (self.on_failure)(&self.path, &error);
            self.file = None;
        }
    }
}

/// An engine in the log.
#[derive(Clone)]
pub(super) struct Voice {
    log: EngineLog,
    name: String,
    seat: Arc<Mutex<Option<Seat>>>,
}

impl Voice {
    pub(super) fn new(log: EngineLog, name: &str) -> Voice {
        Voice { log, name: printable(name), seat: Arc::default() }
    }

    /// From now on its lines are those of this game.
    pub(super) fn sit(&self, seat: Seat) {
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = Some(seat);
    }

    /// What the engine is sent.
    pub(super) fn sent(&self, text: &[u8]) {
        for line in String::from_utf8_lossy(text).lines() {
            self.line("<---", line);
        }
    }

    /// A line that it has written.
    pub(super) fn received(&self, line: &str) {
        self.line("--->", line);
    }

    /// What becomes of its process.
    pub(super) fn notes(&self, what: &str) {
        self.line("---", what);
    }

    fn line(&self, arrow: &str, said: &str) {
        let seat = *self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        let mut log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        match seat {
            Some(seat) => log.line(&seat, &self.name, arrow, said),
            None => log.line(&"start", &self.name, arrow, said),
        }
    }
}
