//! What a match prints while it runs: its opening lines, its score, and where it stands when it is interrupted.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::cli::args::contest::complain;
use crate::cli::output;
use drawish::arena::{Book, MatchScore, Setup, Tally, elo_lines, fixed, fixed_or_dash, games_line, llr_line};
use drawish::contest::{Contest, Event};
use drawish::stats::{Results, Sprt};

/// The exit code of a program that an interrupt from the keyboard has ended, as shells have it.
const INTERRUPTED: i32 = 130;

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

    /// Gets ready for a match. From now on an interrupt ends the program at once, after a word on where the match stands: what is
    /// finished is in the log.
    pub(super) fn begin(&mut self, contest: &Contest) {
        self.sprt = contest.sprt;
        let stand = Arc::clone(&self.stand);
        // Without a handler an interrupt ends the program all the same.
        let _ = ctrlc::set_handler(move || {
            output::complain(stand.lock().unwrap_or_else(PoisonError::into_inner).text());
            std::process::exit(INTERRUPTED);
        });
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
        output::complain(format!("{begin}{}{end}", self.line(tally, llr)));
    }

    /// The score, the test with its bounds, the speed, and how long it will take to play all that is left.
    fn line(&self, tally: &Tally, llr: Option<f64>) -> String {
        let score = MatchScore::of(&tally.results());
        let mut text = format!(
            "{} of {} games  Elo {} +/- {}",
            score.games,
            2 * self.pairs,
            fixed(score.elo),
            fixed_or_dash(score.elo_error)
        );
        if let Some((sprt, llr)) = self.sprt.zip(llr) {
            let _ = write!(text, "  LLR {} ({}, {})", fixed(llr), fixed(sprt.lower()), fixed(sprt.upper()));
        }
        let speed = (tally.pairs_played() - self.before) as f64 / self.begun.elapsed().as_secs_f64();
        let left = self.pairs.saturating_sub(tally.pairs_played()) as f64 / speed;
        let _ = write!(text, "  {:.1} games/s", 2.0 * speed);
        if let Ok(left) = Duration::try_from_secs_f64(left) {
            let at_most = if self.sprt.is_some() { " at most" } else { "" };
            let _ = write!(text, "  {} left{at_most}", span(left));
        }
        text
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
        let mut text = "\ndrawish: interrupted".to_owned();
        match &self.results {
            None => text += " before the first pair was finished\n",
            Some(results) => {
                text += &format!("\n{}{}", elo_lines(results), games_line(results, None));
                if let Some((sprt, llr)) = &self.sprt {
                    text += &llr_line(sprt, *llr);
                }
            }
        }
        if self.go_on.is_empty() { text } else { format!("{text}{}\n", self.go_on) }
    }
}

/// A time in its two largest units.
pub(in crate::cli) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match (hours / 24, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, ..) => format!("{hours} h {} min", minutes % 60),
        (days, ..) => format!("{days} d {} h", hours % 24),
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

#[cfg(test)]
mod tests {
    use super::*;
    use drawish::stats::{Model, Pentanomial};

    #[test]
    fn times_are_shown_in_two_units() {
        for (seconds, shown) in [(59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h 0 min"), (90_061, "1 d 1 h")] {
            assert_eq!(span(Duration::from_secs(seconds)), shown);
        }
    }

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
