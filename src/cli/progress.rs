//! What verbs that read games share: a progress bar and the number of threads.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use drawish::pgn::Input;

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

/// The threads of a verb.
#[derive(clap::Args)]
pub(super) struct ThreadsArg {
    // The alias is the name in scoreWDLstat.
    /// Threads [default: all cores]; they change nothing in the result
    #[arg(short = 'j', long, alias = "concurrency", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArg {
    /// As many as asked for, or one for each core.
    pub fn number(&self) -> NonZero<usize> {
        let asked = self.threads.and_then(|threads| NonZero::new(usize::from(threads)));
        asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
    }
}
