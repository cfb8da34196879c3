//! `--engine-log`: a file for every line that engines are sent and write.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow};

use crate::cli::{output, usage};
use drawish::arena::{EngineLog, LogError};
use drawish::contest::{Engine, Plays};

/// A file for every line that engines are sent and write.
#[derive(clap::Args)]
pub(in crate::cli) struct EngineLogArgs {
    /// Write every line that engines are sent and write, with the time, the game and the engine
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) engine_log: Option<PathBuf>,
    /// Append to the file of --engine-log if it exists; a resumed run does so anyway
    #[arg(long, requires = "engine_log")]
    engine_log_append: bool,
}

impl EngineLogArgs {
    /// Opens the file for the dialogue with these engines; what is `resumed` appends to it.
    pub(in crate::cli) fn open<'a>(
        &self,
        engines: impl IntoIterator<Item = &'a Engine>,
        resumed: bool,
    ) -> Result<Option<EngineLog>> {
        let Some(path) = &self.engine_log else { return Ok(None) };
        if !engines.into_iter().any(|engine| matches!(engine.plays, Plays::Program(_))) {
            let what = "arms search within this program and have no dialogue: leave it out, or name an engine by cmd=";
            return Err(usage(anyhow!("--engine-log {}: {what}", path.display())));
        }
        open(path, self.engine_log_append || resumed, ["--engine-log", ", by --engine-log-append"]).map(Some)
    }
}

/// Opens the file of an option for the dialogue with engines; the words behind it say how to append.
pub(in crate::cli) fn open(path: &Path, append: bool, [option, by]: [&str; 2]) -> Result<EngineLog> {
    if output::is_standard(path) {
        return Err(usage(anyhow!("{option} needs a file, not standard output")));
    }
    EngineLog::open(path, append, on_failure).map_err(|error| match error {
        LogError::Dialogue { .. } => anyhow!("{error}{by}"),
        error => Error::new(error),
    })
}

/// A full disk is no reason to lose a match.
fn on_failure(path: &Path, error: &io::Error) {
    output::warn(format!("{}: {error}; the games go on, but nothing more of the dialogue is written", path.display()));
}
