//! What is shown of games while they are played, whatever they are for.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::cli::output;

/// The exit code of a program that an interrupt from the keyboard has ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// What of it is wanted.
pub(in crate::cli) struct Shown {
    pub(in crate::cli) json: bool,
    pub(in crate::cli) quiet: bool,
    /// Pairs after which a line is shown; by time if `None`.
    pub(in crate::cli) every: Option<u64>,
    /// The log, where its name must be said.
    pub(in crate::cli) log: Option<PathBuf>,
    /// How games that are interrupted are resumed, as a line.
    pub(in crate::cli) go_on: String,
}

/// Opening lines; then on a terminal one line that changes, elsewhere a line every half a minute, or one after so many pairs; last words
/// after an interrupt.
pub(in crate::cli) struct Display {
    wanted: Shown,
    terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
    stand: Arc<Mutex<Option<Stand>>>,
    printed: Result<()>,
}

/// Says where the games stand.
type Stand = Box<dyn Fn() -> String + Send>;

impl Display {
    /// From now on an interrupt ends the program at once, after a word on where it stands: what is finished is in the log.
    pub(in crate::cli) fn begin(wanted: Shown) -> Display {
        let stand = Arc::new(Mutex::<Option<Stand>>::default());
        let (last, go_on) = (Arc::clone(&stand), wanted.go_on.clone());
        // Without a handler an interrupt ends the program all the same.
        let _ = ctrlc::set_handler(move || {
            let stand = match &*last.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(stand) => format!("\n{}", stand()),
                None => " before the first pair was finished\n".to_owned(),
            };
            output::complain(format!("\ndrawish: interrupted{stand}{go_on}\n"));
            std::process::exit(INTERRUPTED);
        });
        let terminal = io::stderr().is_terminal();
        Display { wanted, terminal, begun: Instant::now(), shown: None, stand, printed: Ok(()) }
    }

    /// Time counts from here; the log and the opening lines are given to `print`, if they are wanted.
    pub(in crate::cli) fn open(&mut self, print: fn(String) -> Result<()>, lines: impl FnOnce() -> String) {
        (self.begun, self.shown) = (Instant::now(), None);
        if !self.wanted.quiet && !self.wanted.json {
            let log = self.wanted.log.as_ref().map_or(String::new(), |log| format!("log {}\n", log.display()));
            self.printed = print(log + &lines());
        }
    }

    /// Keeps where the games stand for whoever interrupts them.
    pub(in crate::cli) fn keep(&self, stand: impl Fn() -> String + Send + 'static) {
        *self.stand.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(stand));
    }

    /// Prints where the games stand, if that is wanted as JSON.
    pub(in crate::cli) fn print_json(&mut self, line: impl FnOnce() -> String) {
        if self.wanted.json && !self.wanted.quiet {
            self.printed = output::print(line());
        }
    }

    /// Shows the line if it is time, after so many pairs; it is given the time since the beginning.
    pub(in crate::cli) fn show(&mut self, pairs: u64, line: impl FnOnce(Duration) -> String) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        let is_time = match self.wanted.every {
            Some(every) => pairs.is_multiple_of(every),
            None => self.shown.unwrap_or(self.begun).elapsed() >= pause,
        };
        if !is_time || self.wanted.quiet || self.wanted.json {
            return;
        }
        self.shown = Some(Instant::now());
        let (begin, end) = if self.changes() { ("\r", "   ") } else { ("", "\n") };
        output::complain(format!("{begin}{}{end}", line(self.begun.elapsed())));
    }

    fn changes(&self) -> bool {
        self.terminal && self.wanted.every.is_none()
    }

    /// Leaves the line that changes.
    pub(in crate::cli) fn leave(&self) {
        if self.changes() && self.shown.is_some() {
            output::complain("\n");
        }
    }

    /// Whether the games go on: they end if nothing more can be printed.
    pub(in crate::cli) fn flow(&self) -> ControlFlow<()> {
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Ends with the last line; whether all could be printed.
    pub(in crate::cli) fn end(self) -> Result<()> {
        self.leave();
        self.printed
    }
}
