//! What a match prints while it runs: its opening lines, and its score.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::cli::args::contest::complain;
use crate::cli::output;
use drawish::arena::{Book, MatchScore, Setup, Tally, fixed, fixed_or_dash};
use drawish::contest::Event;

/// What is shown while a match runs: on a terminal one line that changes, elsewhere a line now and then.
pub(super) struct Live {
    json: bool,
    quiet: bool,
    terminal: bool,
    begun: Instant,
    shown: Instant,
    before: usize,
    printed: Result<()>,
}

impl Live {
    pub(super) fn new(json: bool, quiet: bool) -> Live {
        let now = Instant::now();
        let terminal = io::stderr().is_terminal();
        Live { json, quiet, terminal, begun: now, shown: now, before: 0, printed: Ok(()) }
    }

    /// Shows what happens; the match ends if it cannot be shown.
    pub(super) fn observe(&mut self, event: Event<'_>) -> ControlFlow<()> {
        complain(&event);
        match event {
            Event::Begins { setup, book, pairs, workers, finished } => {
                (self.begun, self.shown) = (Instant::now(), Instant::now());
                self.before = finished.len();
                if !self.quiet && !self.json {
                    self.printed = output::print(opening_lines(setup, book, pairs, self.before, workers));
                }
            }
            Event::Pair { record, tally, llr } if self.json => {
                let mut value = json!(MatchScore::of(&tally.results()));
                value["pair"] = json!(record.pair);
                value["llr"] = json!(llr);
                self.printed = output::print(format!("{value}\n"));
            }
            Event::Pair { tally, llr, .. } => self.show(tally, llr),
            _ => {}
        }
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn show(&mut self, tally: &Tally, llr: Option<f64>) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        if self.quiet || self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let score = MatchScore::of(&tally.results());
        let games = 2 * (tally.pairs_played() - self.before as u64);
        let llr = llr.map_or(String::new(), |llr| format!("  LLR {}", fixed(llr)));
        let (begin, end) = if self.terminal { ("\r", "   ") } else { ("", "\n") };
        output::complain(format!(
            "{begin}{} games  Elo {} +/- {}{llr}  {:.1} games/s{end}",
            score.games,
            fixed(score.elo),
            fixed_or_dash(score.elo_error),
            games as f64 / self.begun.elapsed().as_secs_f64()
        ));
    }

    /// Leaves the line that changes.
    pub(super) fn end(self) -> Result<()> {
        if self.terminal && self.shown != self.begun && !self.json {
            output::complain("\n");
        }
        self.printed
    }
}

/// What is played, with all that it takes to play it again.
fn opening_lines(setup: &Setup, book: &Book, pairs: u64, finished: usize, workers: NonZeroUsize) -> String {
    let [one, two] = setup.sides.each_ref().map(|side| &side.name);
    let mut text = format!(
        "{one} vs {two}: {pairs} pairs at most, {workers} at a time\nopenings {}: {} different, {} duplicates left out, XXH3 {}, \
         seed {}\n",
        setup.book, setup.openings, book.duplicates, setup.book_digest, setup.seed
    );
    if setup.chess960 {
        let _ = writeln!(text, "Chess960, as {} of these openings are", book.chess960);
    }
    if finished > 0 {
        let _ = writeln!(text, "going on after {finished} pairs of the log");
    }
    text
}
