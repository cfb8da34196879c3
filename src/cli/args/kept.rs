//! `--fresh`, and the state of an interrupted run beside its output.

use std::path::PathBuf;

use anyhow::anyhow;

use crate::cli::output;
use drawish::kept::{KeptError, partial_path_for};
use drawish::pgn::Input;

/// What becomes of the state of an interrupted run.
#[derive(clap::Args)]
pub(in crate::cli) struct KeptArgs {
    /// Start over and discard the state of an interrupted run
    #[arg(long)]
    pub fresh: bool,
    /// Write the output even if nothing counts: for a part of a run, whose account is added to that of the others
    #[arg(long, hide = true)]
    pub keep_empty: bool,
}

/// Where a run with these outputs keeps its state, if it can be resumed.
pub(in crate::cli) fn place<'a>(outputs: impl IntoIterator<Item = &'a PathBuf>, inputs: &[Input]) -> Option<PathBuf> {
    partial_path_for(outputs.into_iter().find(|path| !output::is_standard(path))?, inputs)
}

/// What to do about an error, by the options of the verbs.
pub(in crate::cli) fn with_remedy(error: KeptError) -> anyhow::Error {
    let remedy = match error {
        KeptError::Checkpoint { .. } => "; remove it or choose another -o",
        KeptError::OtherRun { .. } => "; --fresh starts over",
        KeptError::InputIsOutput { .. } => "; choose another place for -o",
        KeptError::Keep { .. } | KeptError::Remove { .. } => "",
    };
    anyhow!("{error}{remedy}")
}
