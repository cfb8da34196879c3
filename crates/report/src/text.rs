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

/// Said beside kappa and its error.
pub(crate) const KAPPA_IS_BIASED: &str = "Standard errors do not say how far priors hold weights back. kappa makes up for a win/loss score that is \
                                          held back: where rows are few it is too large.";

/// Said behind errors of gains by folds: in disjoint samples of 300 and 1,000 games 206 and 210 of 225 intervals held the mean (docs/trust.md).
pub(crate) const FITS_VARY: &str = "; how much models that are fitted to other games would differ is not in them";

/// Results of games or positions for White, in words.
pub(crate) fn results(wdl: drawish_core::Wdl) -> String {
    [(wdl.wins, "white win"), (wdl.draws, "draw"), (wdl.losses, "black win")]
        .map(|(count, of)| drawish_stats::numbers::counted(count, of))
        .join(", ")
}
