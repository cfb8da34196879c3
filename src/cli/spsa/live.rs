//! What tuning shows while it runs.

use std::ops::ControlFlow;

use crate::cli::args::contest::complain;
use crate::cli::output;
use crate::cli::playing::{Display, Shown};
use drawish::contest::Event;
use drawish::report::text::playing::of_workers;
use drawish::report::text::spsa::{line, opening_lines, without_effect};
use drawish::spsa::{SpsaEvent, SpsaSetup};

/// On a terminal one line that changes, elsewhere a line now and then.
pub(super) struct Live {
    display: Display,
    /// Steps of the log.
    before: u64,
    setup: Option<SpsaSetup>,
}

impl Live {
    /// From now on an interrupt ends the program at once: what is finished is in the log.
    pub(super) fn begin(shown: Shown) -> Live {
        let display = Display::begin(shown);
        // Where it stands is in the log alone.
        display.keep(String::new);
        Live { display, before: 0, setup: None }
    }

    pub(super) fn observe(&mut self, event: SpsaEvent<'_>) -> ControlFlow<()> {
        match event {
            SpsaEvent::Making(openings) => complain(&Event::Making(openings)),
            SpsaEvent::Openings(book) => complain(&Event::Openings(book)),
            SpsaEvent::Tables(syzygy) => complain(&Event::Tables(syzygy)),
            SpsaEvent::Begins { setup, book, workers, path } => {
                self.before = path.steps();
                self.setup = Some(setup.clone());
                of_workers(&setup.games.sides, workers).iter().for_each(output::warn);
                let beside = |text| {
                    output::complain(text);
                    Ok(())
                };
                self.display.open(beside, || opening_lines(setup, book, workers, path.steps()));
            }
            SpsaEvent::NoEffect { setup, sameness } => {
                self.display.leave();
                output::warn(without_effect(setup, sameness));
            }
            SpsaEvent::Step { record, path } => {
                let Some(setup) = &self.setup else { return ControlFlow::Continue(()) };
                self.display.show(record.step, |elapsed| {
                    let averages: Vec<f64> =
                        (0..setup.parameters.len()).map(|at| path.average(at, path.steps())).collect();
                    line(setup, record.step, record.step - self.before, elapsed, &record.values, &averages)
                });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) {
        self.display.leave();
    }
}
