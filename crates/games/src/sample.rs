//! From a game to the positions that count: the rule, the filters, the reasons for leaving a game out, and two
//! ways to learn where the pawns stand - a tracker that needs nothing but the moves as written, and its twin,
//! a full replay with every rule of chess.

mod filter;
mod replay;
mod rule;
mod sampler;
mod skip;
mod start;
mod tracker;

pub use filter::{Filters, TerminationFilter};
pub use rule::{Rule, Sampling, VariantChoice};
pub use sampler::{Batch, CountedGame, SampledGame, Sampler, Take, TakePawns};
pub use skip::{Notices, SkipReason, Tally};
pub use start::{Variant, fen_of, position_of, setup_of};
