//! A line on standard error that is shown now and then while games are played.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crate::cli::output;

/// On a terminal one line that changes, elsewhere a line every half a minute; or one after so many pairs.
pub(in crate::cli) struct Line {
    terminal: bool,
    /// Pairs after which a line is shown; by time if `None`.
    every: Option<u64>,
    begun: Instant,
    shown: Option<Instant>,
}

impl Line {
    pub(in crate::cli) fn new(every: Option<u64>) -> Line {
        Line { terminal: io::stderr().is_terminal(), every, begun: Instant::now(), shown: None }
    }

    /// Time counts from here.
    pub(in crate::cli) fn begin(&mut self) {
        (self.begun, self.shown) = (Instant::now(), None);
    }

    /// Shows the line if it is time, after so many pairs; it is given the time since the beginning.
    pub(in crate::cli) fn show(&mut self, pairs: u64, line: impl FnOnce(Duration) -> String) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        let is_time = match self.every {
            Some(every) => pairs.is_multiple_of(every),
            None => self.shown.unwrap_or(self.begun).elapsed() >= pause,
        };
        if !is_time {
            return;
        }
        self.shown = Some(Instant::now());
        let (begin, end) = if self.changes() { ("\r", "   ") } else { ("", "\n") };
        output::complain(format!("{begin}{}{end}", line(self.begun.elapsed())));
    }

    /// Leaves the line that changes.
    pub(in crate::cli) fn end(&self) {
        if self.changes() && self.shown.is_some() {
            output::complain("\n");
        }
    }

    fn changes(&self) -> bool {
        self.terminal && self.every.is_none()
    }
}
