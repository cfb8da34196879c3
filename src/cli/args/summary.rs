//! `--json` and `--quiet`: how a verb that writes files prints its summary.

use serde_json::Value;

/// How the summary is printed.
#[derive(clap::Args)]
pub(in crate::cli) struct SummaryArgs {
    /// Print the summary as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print nothing but warnings and errors
    #[arg(short, long, conflicts_with = "json")]
    pub(in crate::cli) quiet: bool,
}

impl SummaryArgs {
    /// The summary as it is asked for.
    pub(in crate::cli) fn text(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) -> String {
        match (self.json, self.quiet) {
            (true, _) => format!("{:#}\n", json()),
            (false, false) => text(),
            (false, true) => String::new(),
        }
    }
}
