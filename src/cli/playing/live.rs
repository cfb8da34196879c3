//! What a match prints while it runs: its opening lines, its score, and where it stands when it is interrupted.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use serde_json::json;

use super::{Line, end_if_interrupted};
use crate::cli::args::contest::complain;
use crate::cli::output;
use drawish::arena::{MatchScore, Tally};
use drawish::contest::{Contest, Event};
use drawish::report::text::playing::{Pace, Stand, line, opening_lines};
use drawish::stats::Sprt;

/// What is shown while a match runs: on a terminal one line that changes, elsewhere a line now and then.
pub(in crate::cli) struct Live {
    json: bool,
    quiet: bool,
    line: Line,
    sprt: Option<Sprt>,
    /// Pairs of the log.
    before: u64,
    /// Pairs at most.
    pairs: u64,
    stand: Arc<Mutex<Stand>>,
    printed: Result<()>,
}

impl Live {
    pub(in crate::cli) fn new(json: bool, quiet: bool) -> Live {
        Live {
            json,
            quiet,
            line: Line::new(None),
            sprt: None,
            before: 0,
            pairs: 0,
            stand: Arc::default(),
            printed: Ok(()),
        }
    }

    /// Shows a line after every so many pairs.
    pub(in crate::cli) fn every(self, pairs: Option<u64>) -> Live {
        Live { line: Line::new(pairs), ..self }
    }

    /// What an interrupted match says of how it is resumed.
    pub(in crate::cli) fn going_on(self, go_on: String) -> Live {
        self.stand().go_on = go_on;
        self
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    fn stand(&self) -> std::sync::MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gets ready for a match, which an interrupt now ends, after a word on where it stands.
    pub(super) fn begin(&mut self, contest: &Contest) {
        self.sprt = contest.sprt;
        let stand = Arc::clone(&self.stand);
        end_if_interrupted(move || stand.lock().unwrap_or_else(PoisonError::into_inner).text());
    }

    /// Shows what happens; the match ends if it cannot be shown.
    pub(super) fn observe(&mut self, event: Event<'_>) -> ControlFlow<()> {
        complain(&event);
        match event {
            Event::Begins { setup, book, pairs, workers, finished } => {
                self.line.begin();
                (self.before, self.pairs) = (finished.len() as u64, pairs);
                if !self.quiet && !self.json {
                    self.printed = output::print(opening_lines(setup, book, pairs, finished.len(), workers));
                }
            }
            Event::Pair { record, tally, llr } => {
                let mut stand = self.stand();
                stand.results = Some(tally.results());
                stand.sprt = self.sprt.zip(llr);
                drop(stand);
                if self.json {
                    let mut value = json!(MatchScore::of(&tally.results()));
                    value["pair"] = json!(record.pair);
                    value["llr"] = json!(llr);
                    self.printed = output::print(format!("{value}\n"));
                } else if !self.quiet {
                    self.show(tally, llr);
                }
            }
            _ => {}
        }
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn show(&mut self, tally: &Tally, llr: Option<f64>) {
        let (before, pairs, sprt) = (self.before, self.pairs, self.sprt);
        self.line.show(tally.pairs_played(), |elapsed| line(tally, sprt, llr, Pace { before, pairs, elapsed }));
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) -> Result<()> {
        self.line.end();
        self.printed
    }
}
