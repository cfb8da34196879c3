//! What tuning shows while it runs.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::cli::args::contest::complain;
use crate::cli::args::play::PlayArgs;
use crate::cli::output;
use crate::cli::playing::span;
use drawish::contest::Event;
use drawish::spsa::{Spsa, SpsaEvent, SpsaSetup};

/// The exit code of a program that an interrupt from the keyboard has ended, as shells have it.
const INTERRUPTED: i32 = 130;
/// So many parameters are shown in the line that changes.
const SHOWN: usize = 4;

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
        // Without a handler an interrupt ends the program all the same.
        let _ = ctrlc::set_handler(move || {
            output::complain(format!("\ndrawish: interrupted\n{go_on}\n"));
            std::process::exit(INTERRUPTED);
        });
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
                    let mut text = format!(
                        "{}: {} parameters, {} steps of {} pairs, {workers} at a time\nopenings {}: {} different, {} duplicates left out, \
                         seed {}\n",
                        setup.games.sides[0].name,
                        setup.parameters.len(),
                        setup.steps,
                        setup.pairs_per_step,
                        book.name,
                        book.openings.len(),
                        book.duplicates,
                        setup.games.seed
                    );
                    if self.before > 0 {
                        let _ = writeln!(text, "going on after {} steps of the log", self.before);
                    }
                    output::complain(text);
                }
            }
            SpsaEvent::Step { record, path } => {
                let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
                let is_time = self.shown.unwrap_or(self.begun).elapsed() >= pause;
                if let Some(setup) = self.setup.as_ref().filter(|_| is_time && !self.is_silent) {
                    let averages: Vec<f64> =
                        (0..setup.parameters.len()).map(|at| path.average(at, path.steps()).mean).collect();
                    let text = self.line(setup, record.step, &record.values, &averages);
                    output::complain(if self.terminal { format!("\r{text}   ") } else { format!("{text}\n") });
                    self.shown = Some(Instant::now());
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Steps, games, speed, time left, and values with their averages.
    fn line(&self, setup: &SpsaSetup, step: u64, values: &[f64], averages: &[f64]) -> String {
        let per_step = 2 * setup.pairs_per_step;
        let speed = (step - self.before) as f64 / self.begun.elapsed().as_secs_f64();
        let mut text = format!(
            "{step} of {} steps  {} games  {:.1} games/s",
            setup.steps,
            step * per_step,
            speed * per_step as f64
        );
        if let Ok(left) = Duration::try_from_secs_f64((setup.steps - step) as f64 / speed) {
            let _ = write!(text, "  {} left", span(left));
        }
        for ((parameter, value), average) in setup.parameters.iter().zip(values).zip(averages).take(SHOWN) {
            let _ = write!(text, "  {} {value:.2} ({average:.2})", parameter.name);
        }
        if setup.parameters.len() > SHOWN {
            text += " ...";
        }
        text
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) {
        if self.terminal && self.shown.is_some() {
            output::complain("\n");
        }
    }
}
