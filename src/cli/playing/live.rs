//! What a match prints while it runs: its opening lines, its score, and where it stands when it is interrupted.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use super::end_if_interrupted;
use crate::cli::args::contest::complain;
use crate::cli::output;
use drawish::arena::{MatchScore, Tally};
use drawish::contest::{Contest, Event};
use drawish::report::text::playing::{Pace, line, opening_lines, stand};
use drawish::stats::{Results, Sprt};

/// What is shown while a match runs: on a terminal one line that changes, elsewhere a line now and then.
pub(in crate::cli) struct Live {
    json: bool,
    quiet: bool,
    terminal: bool,
    /// Pairs after which a line is shown; by time if `None`.
    every: Option<u64>,
    sprt: Option<Sprt>,
    begun: Instant,
    shown: Instant,
    /// Pairs of the log.
    before: u64,
    /// Pairs at most.
    pairs: u64,
    stand: Arc<Mutex<Stand>>,
    printed: Result<()>,
}

/// Where a match stands, for whoever interrupts it.
#[derive(Default)]
struct Stand {
    results: Option<Results>,
    sprt: Option<(Sprt, f64)>,
    go_on: String,
}

impl Live {
    pub(in crate::cli) fn new(json: bool, quiet: bool) -> Live {
        let now = Instant::now();
        Live {
            json,
            quiet,
            terminal: io::stderr().is_terminal(),
            every: None,
            sprt: None,
            begun: now,
            shown: now,
            before: 0,
            pairs: 0,
            stand: Arc::default(),
            printed: Ok(()),
        }
    }

    /// Shows a line after every so many pairs.
    pub(in crate::cli) fn every(self, pairs: Option<u64>) -> Live {
        Live { every: pairs, ..self }
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
                (self.begun, self.shown) = (Instant::now(), Instant::now());
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
                } else {
                    self.show(tally, llr);
                }
            }
            _ => {}
        }
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn show(&mut self, tally: &Tally, llr: Option<f64>) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        let is_time = match self.every {
            Some(every) => tally.pairs_played().is_multiple_of(every),
            None => self.shown.elapsed() >= pause,
        };
        if self.quiet || !is_time {
            return;
        }
        self.shown = Instant::now();
        let stays = self.every.is_some() || !self.terminal;
        let (begin, end) = if stays { ("", "\n") } else { ("\r", "   ") };
        let pace = Pace { before: self.before, pairs: self.pairs, elapsed: self.begun.elapsed() };
        output::complain(format!("{begin}{}{end}", line(tally, self.sprt, llr, pace)));
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) -> Result<()> {
        if self.terminal && self.every.is_none() && self.shown != self.begun && !self.json {
            output::complain("\n");
        }
        self.printed
    }
}

impl Stand {
    fn text(&self) -> String {
        let stand = match &self.results {
            None => " before the first pair was finished\n".to_owned(),
            Some(results) => format!("\n{}", stand(results, self.sprt)),
        };
        let go_on = if self.go_on.is_empty() { String::new() } else { format!("{}\n", self.go_on) };
        format!("\ndrawish: interrupted{stand}{go_on}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish::stats::{Model, Pentanomial};

    #[test]
    fn an_interrupted_match_says_where_it_stands() {
        let mut stand = Stand { go_on: "play on".to_owned(), ..Stand::default() };
        assert_eq!(stand.text(), "\ndrawish: interrupted before the first pair was finished\nplay on\n");
        stand.results = Some(Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 }));
        stand.sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).ok().zip(Some(1.5));
        let text = stand.text();
        assert!(
            text.starts_with("\ndrawish: interrupted\nElo: 18.0") && text.contains("Games: 2814, Points"),
            "{text}"
        );
        assert!(text.ends_with("LLR: 1.50 (50.9%) (-2.94, 2.94) [0.00, 5.00]\nplay on\n"), "{text}");
    }
}
