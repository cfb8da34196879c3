//! The number of threads.

use std::num::NonZero;
use std::thread;

/// The threads of a verb.
#[derive(clap::Args)]
pub(in crate::cli) struct ThreadsArg {
    // The alias is the name in scoreWDLstat.
    /// Threads [default: all cores]; the result does not depend on them
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
