//! What a tournament prints while it runs, and where it stands when it is interrupted.

use std::ops::ControlFlow;

use anyhow::{Error, Result};

use crate::cli::args::contest::complain;
use crate::cli::output;
use crate::cli::playing::{Display, Shown};
use drawish::contest::ContestError;
use drawish::report::text::playing::of_terms;
use drawish::report::text::tournament::{json, line, opening_lines, text};
use drawish::stats::EloZero;
use drawish::tournament::{Standing, Tournament, TournamentEvent};

/// What is shown while a tournament runs: on a terminal one line that changes, elsewhere a line now and then.
struct Live {
    display: Display,
    zero: EloZero,
    /// Pairs of the log.
    before: u64,
    rounds: u64,
}

/// Plays a tournament and prints its table.
pub(in crate::cli) fn play(
    tournament: &Tournament,
    shown: Shown,
    zero: EloZero,
    with_options: fn(ContestError) -> Error,
) -> Result<()> {
    let as_json = shown.json;
    let mut live = Live { display: Display::begin(shown), zero, before: 0, rounds: 0 };
    let played = tournament.run(|event| live.observe(event));
    live.display.end()?;
    let played = played.map_err(with_options)?;
    output::print_as(as_json, || json(&played.standing, zero), || text(&played.standing, zero))
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
                (self.before, self.rounds) = (standing.pairs(), rounds);
                of_terms(&setup.games, &setup.games.sides, rounds, workers).iter().for_each(output::warn);
                if standing.pairs() > 0 {
                    self.keep(standing);
                }
                self.display.open(output::print, || opening_lines(setup, book, rounds, workers, standing));
            }
            TournamentEvent::Pair { standing, .. } => {
                self.keep(standing);
                let (rounds, before) = (self.rounds, self.before);
                self.display.show(standing.pairs(), |elapsed| line(standing, rounds, before, elapsed));
            }
            _ => {}
        }
        self.display.flow()
    }

    /// Keeps the results for whoever interrupts the tournament.
    fn keep(&self, standing: &Standing) {
        let (standing, zero) = (standing.to_be_shown(), self.zero);
        self.display.keep(move || text(&standing, zero));
    }
}
