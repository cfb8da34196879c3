//! From a game to the positions that count: the rule, the filters, the reasons for leaving a game out, and two
//! ways to learn where the pawns stand - a tracker that needs nothing but the moves as written, and its twin,
//! a full replay with every rule of chess.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod filter;
mod identity;
mod line;
mod replay;
mod rule;
mod sampler;
mod skip;
mod take;
mod tracker;

pub use filter::{DateError, FilterError, Filters, TerminationFilter, check_date};
pub use identity::{GamesAgain, Identity};
pub use line::{LineError, is_of_positions};
pub use rule::{Dedupe, Rule, Sampling};
pub use sampler::Sampler;
pub use skip::{Notices, SkipReason, Tally};
pub use take::{Batch, CountedGame, SampledGame, Take, TakePawns};
