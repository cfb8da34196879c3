//! Playing a match: what verbs that play one share, from its first line to its verdict.

mod display;
mod live;

use std::process::ExitCode;

use anyhow::{Error, Result};

pub(super) use self::display::{Display, Shown};
use self::live::Live;
use super::output;
use drawish::contest::{Contest, ContestError};
use drawish::provenance::made_by;
use drawish::report::MatchSummary;
use drawish::stats::Decision;

/// Exit code when the test accepts H0.
const H0: u8 = 3;
/// Exit code when the match has ended and the test is undecided.
const UNDECIDED: u8 = 4;

/// Plays a match and prints how it ends; the exit code is its verdict.
pub(super) fn play(
    contest: &Contest,
    shown: Shown,
    with_options: fn(ContestError) -> Error,
) -> Result<(MatchSummary, ExitCode)> {
    let as_json = shown.json;
    let mut live = Live::begin(shown);
    let played = contest.run(|event| live.observe(event));
    live.display.end()?;
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
