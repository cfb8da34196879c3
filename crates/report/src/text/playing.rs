//! A match while it is played: its opening lines, its score after some pairs, and where it stands when it is interrupted.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use drawish_match::arena::{Book, MatchScore, Setup, Tally, elo_lines, fixed, fixed_or_dash, games_line, llr_line};
use drawish_stats::{Results, Sprt};

/// What is played, with all that it takes to play it again: `pairs` at most, `workers` at a time, `finished` of them in the log.
#[must_use]
pub fn opening_lines(setup: &Setup, book: &Book, pairs: u64, finished: usize, workers: NonZeroUsize) -> String {
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

/// How fast a match goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Pairs that an earlier run has played.
    pub before: u64,
    /// Pairs to play at most.
    pub pairs: u64,
    /// The time since the first of this run.
    pub elapsed: Duration,
}

/// The score, the LLR with the bounds of the test, the speed, and how long it will take to play all that is left.
#[must_use]
pub fn line(tally: &Tally, sprt: Option<Sprt>, llr: Option<f64>, pace: Pace) -> String {
    let score = MatchScore::of(&tally.results());
    let mut text = format!(
        "{} of {} games  Elo {} +/- {}",
        score.games,
        2 * pace.pairs,
        fixed(score.elo),
        fixed_or_dash(score.elo_error)
    );
    if let Some((sprt, llr)) = sprt.zip(llr) {
        let _ = write!(text, "  LLR {} ({}, {})", fixed(llr), fixed(sprt.lower()), fixed(sprt.upper()));
    }
    let speed = (tally.pairs_played() - pace.before) as f64 / pace.elapsed.as_secs_f64();
    let left = pace.pairs.saturating_sub(tally.pairs_played()) as f64 / speed;
    let _ = write!(text, "  {:.1} games/s", 2.0 * speed);
    if let Ok(left) = Duration::try_from_secs_f64(left) {
        let at_most = if sprt.is_some() { " at most" } else { "" };
        let _ = write!(text, "  {} left{at_most}", span(left));
    }
    text
}

/// Where a match stands that is interrupted: Elo, games, and the LLR of its test.
#[must_use]
pub fn stand(results: &Results, test: Option<(Sprt, f64)>) -> String {
    let llr = test.map_or(String::new(), |(sprt, llr)| llr_line(&sprt, llr));
    elo_lines(results) + &games_line(results, None) + &llr
}

/// A time in its two largest units.
#[must_use]
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match (hours / 24, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, ..) => format!("{hours} h {} min", minutes % 60),
        (days, ..) => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_two_units() {
        for (seconds, shown) in [(59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h 0 min"), (90_061, "1 d 1 h")] {
            assert_eq!(span(Duration::from_secs(seconds)), shown);
        }
    }
}
