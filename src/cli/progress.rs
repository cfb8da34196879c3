//! Progress bars of verbs that read games or take long.

use std::io::{self, IsTerminal};
#[cfg(feature = "frames")]
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use drawish::pgn::Input;
use drawish::stats::numbers::grouped;

/// A bar for reading inputs on a terminal, nothing elsewhere.
pub(super) fn progress_bar(inputs: &[Input], quiet: bool) -> ProgressBar {
    let sizes: Option<u64> = inputs.iter().map(Input::len).sum();
    let template = match sizes {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {msg}, {elapsed}",
    };
    bar_of(template, sizes, quiet)
}

/// The same with words of its own, as indicatif has them.
pub(super) fn bar_of(template: &str, len: Option<u64>, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Moves a bar on, as bytes and games have been read.
pub(super) fn moved(bar: &ProgressBar) -> impl Fn(u64, u64) + Send + Sync + '_ {
    |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    }
}

/// A bar for fits.
#[cfg(feature = "frames")]
pub(super) fn fit_bar(quiet: bool) -> ProgressBar {
    let bar = bar_of("{bar:40} {msg}, {elapsed}", Some(1), quiet);
    // A part may take long, and the time should go on meanwhile.
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Moves such a bar on, as a fit says what it does.
#[cfg(feature = "frames")]
pub(super) fn fitting(bar: &ProgressBar) -> impl Fn(&str, u64, u64) + Sync + '_ {
    |what, done, of| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(what.to_owned());
    }
}
