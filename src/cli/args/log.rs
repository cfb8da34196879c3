//! `--log`, `--no-log`, `--resume`: where finished pairs are written down.

use std::path::PathBuf;

use super::play::PlayArgs;
use crate::cli::output;
use crate::cli::playing::Shown;
use drawish::contest::{ContestError, DefaultLog};

/// Where finished pairs are written down.
#[derive(clap::Args)]
pub(in crate::cli) struct LogArgs {
    /// Log of what is finished, as JSON lines [default: FIRST-SECOND.jsonl by the names of the engines, tournament.jsonl for a
    /// tournament, PARAMETERS-spsa.jsonl by its file for spsa, with a number if the file exists]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) log: Option<PathBuf>,
    /// Write no log; what is interrupted is lost
    #[arg(long, conflicts_with = "log")]
    pub(in crate::cli) no_log: bool,
    /// Resume from the log: play what is missing of it
    #[arg(long, conflicts_with = "no_log")]
    pub(in crate::cli) resume: bool,
}

impl LogArgs {
    /// The log, which has a name of its own unless one is given.
    pub(in crate::cli) fn path(
        &self,
        default: impl FnOnce() -> Result<DefaultLog, ContestError>,
    ) -> Result<Option<PathBuf>, ContestError> {
        let own = || default().map(|log| named(log, "name one by --log"));
        (!self.no_log).then(|| self.log.clone().map_or_else(own, Ok)).transpose()
    }

    /// What is shown of games that are written down there, of the log itself if nobody has named it.
    pub(in crate::cli) fn shown(&self, log: Option<&PathBuf>, play: &PlayArgs) -> Shown {
        let named = log.filter(|_| self.log.is_none()).cloned();
        Shown { json: play.json, quiet: play.quiet, every: None, log: named, go_on: self.going_on(log) }
    }

    /// How what is interrupted goes on from this log.
    fn going_on(&self, log: Option<&PathBuf>) -> String {
        match log.map(|log| log.display()) {
            Some(log) if self.resume && self.log.is_some() => format!("{log}: the same command plays on"),
            Some(log) if self.log.is_some() => format!("{log}: the same command with --resume plays on"),
            Some(log) => format!("{log}: the same command with --log {log} --resume plays on"),
            None => "it cannot be resumed; start without --no-log to be able to resume".to_owned(),
        }
    }
}

/// The path of a log that nobody has named; of several that could be resumed it is said which it is.
pub(in crate::cli) fn named(log: DefaultLog, advice: &str) -> PathBuf {
    if !log.others.is_empty() {
        output::warn(format!("{log}; {advice} to choose"));
    }
    log.path
}
