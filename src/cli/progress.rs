//! What verbs that read games share: a progress bar and the number of threads.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::pgn::Input;

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

/// As many as asked for, or one for each core.
pub(super) fn threads(asked: Option<u16>) -> NonZero<usize> {
    let asked = asked.and_then(|threads| NonZero::new(usize::from(threads)));
    asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}
