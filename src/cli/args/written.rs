//! What a match or a tournament leaves behind: its log, and its games.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::heading::HeadingArgs;
use super::log::LogArgs;
use super::play::PlayArgs;
use crate::cli::output;

/// What a match or a tournament leaves behind.
#[derive(clap::Args)]
pub(in crate::cli) struct WrittenArgs {
    #[command(flatten)]
    pub(in crate::cli) log: LogArgs,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) pgn: Option<PathBuf>,
    /// Write the nodes per second of each search into log and PGN, as nps=; they differ from run to run
    #[arg(long)]
    pub(in crate::cli) pgn_nps: bool,
    /// Write the final position of each game as FEN, a line each
    #[arg(long, visible_alias = "epdout", value_name = "FILE")]
    pub(in crate::cli) epd: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) heading: HeadingArgs,
}

impl WrittenArgs {
    /// Makes sure that no file is used twice, the report of a match among them.
    pub(in crate::cli) fn check(&self, play: &PlayArgs, report: Option<&PathBuf>) -> Result<()> {
        for path in self.log.log.iter().chain(&self.pgn).chain(&self.epd) {
            ensure!(
                !output::is_standard(path),
                "--log, --pgn and --epd need files, not standard output; --json prints the result"
            );
        }
        let outputs = [
            ("--log", self.log.log.as_ref()),
            ("--pgn", self.pgn.as_ref()),
            ("--epd", self.epd.as_ref()),
            ("--report", report),
        ];
        let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path?)));
        let openings = play.openings.file()?;
        output::check_named(std::iter::once(("--openings", &openings)).chain(outputs))
    }
}
