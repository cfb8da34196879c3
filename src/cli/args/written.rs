//! What a match or a tournament leaves behind: its log, and its games.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::heading::HeadingArgs;
use super::log::LogArgs;
use super::play::PlayArgs;
use crate::cli::output;
use drawish::arena::Figure;
use drawish::contest::Writing;

/// What a match or a tournament leaves behind.
#[derive(clap::Args)]
pub(in crate::cli) struct WrittenArgs {
    #[command(flatten)]
    pub(in crate::cli) log: LogArgs,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) pgn: Option<PathBuf>,
    /// Figures of each search to write into log and PGN, too; they differ from run to run: nps, hashfull (permille), tbhits, timeleft
    /// (as tl=), latency (measured time less that of the engine)
    #[arg(long, value_name = "FIGURE,...", value_delimiter = ',')]
    pgn_with: Vec<Figure>,
    /// Write moves and results alone: no comments, and only the tags that PGN requires
    #[arg(long, requires = "pgn")]
    pgn_min: bool,
    /// Append to the games that the file of --pgn holds already
    #[arg(long, requires = "pgn")]
    pgn_append: bool,
    /// Write the final position of each game as FEN, a line each
    #[arg(long, visible_alias = "epdout", value_name = "FILE")]
    pub(in crate::cli) epd: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) heading: HeadingArgs,
}

impl WrittenArgs {
    /// How games are written down.
    pub(in crate::cli) fn writing(&self) -> Writing {
        let mut writing = Writing::default();
        writing.figures = self.pgn_with.iter().copied().collect();
        (writing.brief, writing.append) = (self.pgn_min, self.pgn_append);
        writing
    }

    /// Makes sure that no file is used twice, the report of a match among them.
    pub(in crate::cli) fn check(&self, play: &PlayArgs, report: Option<&PathBuf>) -> Result<()> {
        for path in self.log.log.iter().chain(&self.pgn).chain(&self.epd) {
            ensure!(!output::is_standard(path), "--log, --pgn and --epd need files; --json prints the result");
        }
        let outputs = [
            ("--log", self.log.log.as_ref()),
            ("--pgn", self.pgn.as_ref()),
            ("--epd", self.epd.as_ref()),
            ("--engine-log", play.engine_log.engine_log.as_ref()),
            ("--report", report),
        ];
        let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path?)));
        let openings = play.openings.file()?;
        Ok(output::check_named(std::iter::once(("--openings", &openings)).chain(outputs))?)
    }
}
