//! What a tournament prints while it runs, and where it stands when it is interrupted.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Error, Result};

use crate::cli::args::contest::complain;
use crate::cli::output;
use crate::cli::playing::{Line, end_if_interrupted};
use drawish::contest::ContestError;
use drawish::report::text::tournament::{json, line, opening_lines, text};
use drawish::stats::EloZero;
use drawish::tournament::{Standing, Tournament, TournamentEvent};

/// What is shown of a tournament.
pub(in crate::cli) struct Shown {
    pub(in crate::cli) json: bool,
    pub(in crate::cli) quiet: bool,
    /// Pairs after which a line is shown; by time if `None`.
    pub(in crate::cli) every: Option<u64>,
    pub(in crate::cli) zero: EloZero,
    /// How it is resumed.
    pub(in crate::cli) go_on: String,
}

/// What is shown while a tournament runs: on a terminal one line that changes, elsewhere a line now and then.
struct Live {
    shown: Shown,
    line: Line,
    /// Pairs of the log.
    before: u64,
    rounds: u64,
    printed: Result<()>,
    /// For whoever interrupts it.
    standing: Arc<Mutex<Option<Standing>>>,
}

/// Plays a tournament and prints its table.
pub(in crate::cli) fn play(
    tournament: &Tournament,
    shown: Shown,
    with_options: fn(ContestError) -> Error,
) -> Result<()> {
    let (as_json, zero) = (shown.json, shown.zero);
    let standing = Arc::default();
    let (stand, go_on) = (Arc::clone(&standing), shown.go_on.clone());
    end_if_interrupted(move || interrupted(&stand, zero, &go_on));
    let line = Line::new(shown.every);
    let mut live = Live { shown, line, before: 0, rounds: 0, printed: Ok(()), standing };
    let played = tournament.run(|event| live.observe(event));
    live.line.end();
    live.printed?;
    let played = played.map_err(with_options)?;
    output::print_as(as_json, || json(&played.standing, zero), || text(&played.standing, zero))
}

/// Where a tournament stands that is interrupted.
fn interrupted(standing: &Mutex<Option<Standing>>, zero: EloZero, go_on: &str) -> String {
    let stand = match &*standing.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(standing) => format!("\n{}", text(standing, zero)),
        None => " before the first pair was finished\n".to_owned(),
    };
    format!("\ndrawish: interrupted{stand}{go_on}\n")
}

impl Live {
    /// Shows what happens; the tournament ends if it cannot be shown.
    fn observe(&mut self, event: TournamentEvent<'_>) -> ControlFlow<()> {
        match event {
            TournamentEvent::Within(event) => complain(&event),
            TournamentEvent::SameProgram([one, two]) => {
                output::warn(format!("{one} and {two} are the same program with the same options and limits"));
            }
            TournamentEvent::Begins { setup, book, rounds, workers, standing } => {
                self.line.begin();
                (self.before, self.rounds) = (standing.pairs(), rounds);
                if standing.pairs() > 0 {
                    self.keep(standing);
                }
                if !self.shown.quiet && !self.shown.json {
                    self.printed = output::print(opening_lines(setup, book, rounds, workers, standing));
                }
            }
            TournamentEvent::Pair { standing, .. } => {
                self.keep(standing);
                if !self.shown.quiet && !self.shown.json {
                    let (rounds, before) = (self.rounds, self.before);
                    self.line.show(standing.pairs(), |elapsed| line(standing, rounds, before, elapsed));
                }
            }
            _ => {}
        }
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Keeps the results for whoever interrupts the tournament.
    fn keep(&self, standing: &Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing.clone());
    }
}
