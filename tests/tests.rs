//! The integration tests, one program. What stands where:
//!
//! - `architecture`: which room may import which, and which dependency has which door;
//! - `twins`: the pawn tracker against the full replay, on random legal games;
//! - `laws`: counts are a commutative monoid, files come back as they were written;
//! - `collect`: the verb on small inputs made here: the rule, its options, broken files, resuming, threads;
//! - `hard_pgn`: the nasty files of ../shared/data/hard-pgn, each with its outcome;
//! - `corpora`: real games of ../shared/data, against figures counted by other programs;
//! - `tables`: every export, a C compiler's and a data frame's view of it, `verify` on damaged files;
//! - `shipped`: the tables in `tables/`, the sample games and the README agree with the program;
//! - `wdl`: the WDL model's counts and fits against scoreWDLstat, scoreWDL.py and known truths;
//! - `help`: what every verb says about itself, as snapshots.
//!
//! Tests that need ../shared, which no user has, say so and pass when it is absent.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod architecture;
mod collect;
mod corpora;
mod hard_pgn;
mod help;
mod laws;
mod run;
mod shipped;
mod tables;
mod twins;
mod wdl;
