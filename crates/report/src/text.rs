//! Results as lines and tables for a terminal, and as JSON for programs: a module for each kind of result.
//!
//! A line may need a word on what to do about it that only a program knows, such as the name of its option: such words are arguments.
//!
//! ```
//! use drawish_games::counts::CountsFile;
//! use drawish_games::sample::SkipReason;
//! use drawish_report::text::counts::{self, Line};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables/tcec.counts");
//! let file = CountsFile::from_bytes(&std::fs::read(path)?)?;
//! let summary = counts::summary(&file, |line| match line {
//!     Line::Skipped(SkipReason::TooShort) => Some("60 moves or more count"),
//!     _ => None,
//! });
//! assert!(summary.starts_with("games read"));
//! assert!(summary.contains("(60 moves or more count)"));
//! assert_eq!(counts::json(&file)["scheme"], "bg");
//! # Ok(())
//! # }
//! ```

pub mod advantage;
pub mod annotate;
mod columns;
pub mod compare;
pub mod confirm;
pub mod counts;
pub mod estimate;
pub mod evaluation;
pub mod experiment;
pub mod gauntlet;
pub mod heads;
pub mod inspected;
mod ledger;
pub mod manual;
pub mod move_table;
pub mod moves;
pub mod plan;
pub mod playing;
pub mod reading;
pub mod rows;
pub mod sprt;
pub mod spsa;
pub mod symbols;
pub mod table;
pub mod tournament;
pub mod verified;
pub mod wdl;
pub mod wdl_counts;
pub mod wdl_head;
pub mod wdl_shown;
pub mod within;

pub(crate) use columns::columns;

use drawish_stats::numbers::counted;

/// Said beside kappa and its error.
pub(crate) const KAPPA_IS_BIASED: &str = "Standard errors do not say how far priors hold weights back. kappa makes up for a win/loss score that is \
                                          held back: where rows are few it is too large.";

/// Said behind errors of gains by folds: in disjoint samples of 300 and 1,000 games 206 and 210 of 225 intervals held the mean (docs/limits.md).
pub(crate) const FITS_VARY: &str = "; how much models that are fitted to other games would differ is not in them";

/// Said of positions whose games are not known.
pub(crate) const LOOSE: &str = "without their games";

/// Said of errors of positions without their games, in the place of what errors are robust to.
pub(crate) const LOOSE_ERRORS: &str = "take the positions of a game for independent, so that they are too small";

/// So many positions, and of how many games they are where that is known: `42,786 positions of 300 games`, and `300 games` where each
/// has one.
pub(crate) fn positions_of(positions: usize, games: Option<usize>) -> String {
    let positions_alone = counted(positions as u64, "position");
    match games.map(|games| (games, counted(games as u64, "game"))) {
        Some((games, named)) if games == positions => named,
        Some((_, named)) => format!("{positions_alone} of {named}"),
        None => positions_alone,
    }
}

/// Results of games or positions for White, in words.
pub(crate) fn results(wdl: drawish_core::Wdl) -> String {
    [(wdl.wins, "white win"), (wdl.draws, "draw"), (wdl.losses, "black win")]
        .map(|(count, of)| drawish_stats::numbers::counted(count, of))
        .join(", ")
}
