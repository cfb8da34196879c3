//! The chess engine of drawish: evaluation with draw scores, search and UCI.

pub mod eval;
pub mod search;
