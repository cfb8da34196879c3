//! Playing a match: what verbs that play one share, from its first line to its verdict.

mod line;
mod live;

use std::process::ExitCode;

use anyhow::{Error, Result};

pub(super) use self::line::Line;
pub(super) use self::live::Live;
use super::output;
use drawish::contest::{Contest, ContestError};
use drawish::provenance::made_by;
use drawish::report::MatchSummary;
use drawish::stats::Decision;

/// Exit code when the test accepts H0.
const H0: u8 = 3;
/// Exit code when the match has ended and the test is undecided.
const UNDECIDED: u8 = 4;

/// The exit code of a program that an interrupt from the keyboard has ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// From now on an interrupt ends the program at once, after these words: what is finished is in the log.
pub(super) fn end_if_interrupted(words: impl Fn() -> String + Send + 'static) {
    // Without a handler an interrupt ends the program all the same.
    let _ = ctrlc::set_handler(move || {
        output::complain(words());
        std::process::exit(INTERRUPTED);
    });
}

/// Plays a match and prints how it ends; the exit code is its verdict.
pub(super) fn play(
    contest: &Contest,
    mut live: Live,
    with_options: fn(ContestError) -> Error,
) -> Result<(MatchSummary, ExitCode)> {
    let as_json = live.is_json();
    live.begin(contest);
    let played = contest.run(|event| live.observe(event));
    live.end()?;
    let played = played.map_err(with_options)?;
    let summary = MatchSummary::of(&played, made_by());
    if as_json {
        output::print(format!("{}\n", played.to_json()))?;
    } else {
        output::print(summary.text())?;
    }
    let code = match (played.sprt, played.finished.decision) {
        (None, _) | (_, Decision::H1) => ExitCode::SUCCESS,
        (_, Decision::H0) => ExitCode::from(H0),
        (_, Decision::Continue) => ExitCode::from(UNDECIDED),
    };
    Ok((summary, code))
}
