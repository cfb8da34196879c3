//! What tuning shows while it runs.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::cli::args::contest::complain;
use crate::cli::args::play::PlayArgs;
use crate::cli::output;
use crate::cli::playing::end_if_interrupted;
use drawish::contest::Event;
use drawish::report::text::spsa::{line, opening_lines, without_effect};
use drawish::spsa::{Spsa, SpsaEvent, SpsaSetup};

/// On a terminal one line that changes, elsewhere a line now and then.
pub(super) struct Live {
    is_silent: bool,
    terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
    /// Steps of the log.
    before: u64,
    setup: Option<SpsaSetup>,
}

impl Live {
    /// From now on an interrupt ends the program at once: what is finished is in the log.
    pub(super) fn begin(play: &PlayArgs, spsa: &Spsa) -> Live {
        let go_on = match (&spsa.log, spsa.resume) {
            (Some(log), true) => format!("{}: the same command plays on", log.display()),
            (Some(log), false) => format!("{}: the same command with --resume plays on", log.display()),
            (None, _) => "nothing of it can be resumed: say --log FILE from the beginning".to_owned(),
        };
        end_if_interrupted(move || format!("\ndrawish: interrupted\n{go_on}\n"));
        let (is_silent, terminal) = (play.quiet || play.json, io::stderr().is_terminal());
        Live { is_silent, terminal, begun: Instant::now(), shown: None, before: 0, setup: None }
    }

    pub(super) fn observe(&mut self, event: SpsaEvent<'_>) -> ControlFlow<()> {
        match event {
            SpsaEvent::Openings(book) => complain(&Event::Openings(book)),
            SpsaEvent::Tables(syzygy) => complain(&Event::Tables(syzygy)),
            SpsaEvent::Begins { setup, book, workers, path } => {
                (self.begun, self.before) = (Instant::now(), path.steps());
                self.setup = Some(setup.clone());
                if !self.is_silent {
                    let text = opening_lines(setup, book, workers, self.before);
                    output::complain(text);
                }
            }
            SpsaEvent::NoEffect { setup, sameness } => {
                if self.terminal && self.shown.is_some() {
                    output::complain("\n");
                }
                output::warn(without_effect(setup, sameness));
            }
            SpsaEvent::Step { record, path } => {
                let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
                let is_time = self.shown.unwrap_or(self.begun).elapsed() >= pause;
                if let Some(setup) = self.setup.as_ref().filter(|_| is_time && !self.is_silent) {
                    let averages: Vec<f64> =
                        (0..setup.parameters.len()).map(|at| path.average(at, path.steps()).mean).collect();
                    let played = record.step - self.before;
                    let text = line(setup, record.step, played, self.begun.elapsed(), &record.values, &averages);
                    output::complain(if self.terminal { format!("\r{text}   ") } else { format!("{text}\n") });
                    self.shown = Some(Instant::now());
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) {
        if self.terminal && self.shown.is_some() {
            output::complain("\n");
        }
    }
}
