//! The integration tests, one program. What stands where:
//!
//! - `architecture`: which room may import which, and which dependency has which door;
//! - `twins`: the pawn tracker against the full replay, on random legal games;
//! - `expect`: the draw model in integers against the one in f64, packed scores against pairs;
//! - `laws`: counts are a commutative monoid, files come back as they were written;
//! - `collect`: the verb on small inputs made here: the rule, its options, broken files, resuming, threads;
//! - `hard_pgn`: the nasty files of ../shared/data/hard-pgn, each with its outcome;
//! - `corpora`: real games of ../shared/data, against figures counted by other programs;
//! - `engine`: the verbs `uci` and `bench` in a dialogue: orders, limits, garbage, perft, castling;
//! - `protocol`: what a dialogue may do to `uci`: orders at any time, numbers beyond all ranges, broken files, noise;
//! - `search`: the search as a library: limits, mates, endings;
//! - `tables`: every export, a C compiler's and a data frame's view of it, `verify` on damaged files;
//! - `rows`: rows, heads and evaluations on the shipped sample, and inputs that say nothing;
//! - `relevance`: expected results and symbols, estimated and annotated: the figures of the article, real and broken games;
//! - `shipped`: the tables in `tables/`, the sample games and the README agree with the program;
//! - `arena`: matches: how games end, who is to blame, the log; `fake_engine`: engines for them, good and bad;
//! - `arms`: matches between arms of this engine: equal games whatever the workers, arms that search alike;
//! - `experiment`: experiments: cut short and gone on with, told, played again;
//! - `stats`: Elo, SPRT and plans against what other programs print, laws that any counts obey;
//! - `wdl`: the WDL model's counts and fits against scoreWDLstat, scoreWDL.py and known truths;
//! - `download`: fishtest's games from a server on loopback that cuts, fails, lies and is silent;
//! - `fuzz`: the seeds of `fuzz/corpus` through every reader, without nightly;
//! - `report`: every kind of input as a page and as Markdown, and what is said of broken ones;
//! - `help`: what every verb says about itself, as snapshots.
//!
//! Tests that need ../shared, which no user has, say so and pass when it is absent.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod architecture;
mod arena;
mod arms;
mod collect;
mod corpora;
#[cfg(feature = "download")]
mod download;
mod engine;
mod expect;
mod experiment;
mod fake_engine;
mod fuzz;
mod hard_pgn;
mod help;
mod laws;
mod protocol;
mod relevance;
mod report;
#[cfg(feature = "frames")]
mod rows;
mod run;
mod search;
mod shipped;
mod stats;
mod tables;
mod twins;
mod wdl;
