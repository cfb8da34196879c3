//! Games with evaluations, read behind a progress bar, and what is said of the reading.

use std::path::PathBuf;

use anyhow::Result;
use indicatif::ProgressBar;

use crate::cli::output::warn;
use crate::cli::problems;
use crate::cli::progress::progress_bar;
use drawish::estimate::Reading;
use drawish::pgn::{Input, expand_inputs};
use drawish::report::text::reading::lines;

/// The inputs that these names stand for, and a bar for reading them.
pub(super) fn open(files: &[PathBuf]) -> Result<(Vec<Input>, ProgressBar)> {
    let inputs = expand_inputs(files)?;
    let bar = progress_bar(&inputs, false);
    Ok((inputs, bar))
}

/// Says on standard error what was wrong with the inputs; `true` if games may be missing.
pub(super) fn report(reading: &Reading) -> bool {
    lines(reading).iter().for_each(warn);
    problems::complain(&reading.problems, "used")
}
