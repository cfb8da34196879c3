//! The progress bar of verbs that read games.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use drawish::pgn::Input;
use drawish::stats::numbers::grouped;

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(inputs: &[Input], quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes: Option<u64> = inputs.iter().map(Input::len).sum();
    let style = match sizes {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {msg}, {elapsed}",
    };
    let bar = ProgressBar::with_draw_target(sizes, ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Moves a bar on, as bytes and games have been read.
pub(super) fn moved(bar: &ProgressBar) -> impl Fn(u64, u64) + Send + Sync + '_ {
    |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    }
}
