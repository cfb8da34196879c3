//! What a match prints while it runs: its opening lines, its score, and where it stands when it is interrupted.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::json;

use super::{Display, Shown};
use crate::cli::args::contest::complain;
use crate::cli::output;
use drawish::arena::{MatchScore, Side};
use drawish::contest::Event;
use drawish::report::text::playing::{Pace, line, opening_lines, stand};
use drawish::stats::Sprt;

/// What is shown while a match runs: on a terminal one line that changes, elsewhere a line now and then.
pub(super) struct Live {
    pub(super) display: Display,
    sides: Option<Arc<[Side; 2]>>,
    sprt: Option<Sprt>,
    /// Pairs of the log.
    before: u64,
    /// Pairs at most.
    pairs: u64,
}

impl Live {
    /// Gets ready for a match, which an interrupt now ends, after a word on where it stands.
    pub(super) fn begin(shown: Shown) -> Live {
        Live { display: Display::begin(shown), sides: None, sprt: None, before: 0, pairs: 0 }
    }

    /// Shows what happens; the match ends if it cannot be shown.
    pub(super) fn observe(&mut self, event: Event<'_>) -> ControlFlow<()> {
        complain(&event);
        match event {
            Event::Begins { setup, book, pairs, workers, finished, sprt } => {
                (self.before, self.pairs, self.sprt) = (finished.len() as u64, pairs, sprt);
                self.sides = Some(Arc::new(setup.sides.clone()));
                self.display.open(output::print, || opening_lines(setup, book, pairs, finished, sprt, workers));
            }
            Event::Pair { record, tally, llr } => {
                let (shown, sprt) = (tally.to_be_shown(), self.sprt);
                if let Some(sides) = self.sides.clone() {
                    self.display.keep(move || stand(&shown, &sides, sprt.zip(llr)));
                }
                self.display.print_json(|| {
                    let mut value = json!(MatchScore::of_match(tally));
                    value["pair"] = json!(record.pair);
                    value["llr"] = json!(llr);
                    format!("{value}\n")
                });
                let (before, pairs) = (self.before, self.pairs);
                let line = |elapsed| line(tally, sprt, llr, Pace { before, pairs, elapsed });
                self.display.show(tally.pairs_played(), line);
            }
            _ => {}
        }
        self.display.flow()
    }
}
