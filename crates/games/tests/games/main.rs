//! The integration tests of games as a library, one program. What stands where:
//!
//! - `twins`: the pawn tracker against the full replay, on random legal games;
//! - `heads`: features and heads of real positions, against their naive twin and against the C header;
//! - `borders`: where games begin and which tags are theirs, on made-up texts;
//! - `collect`: whole runs: games that come again, interrupted runs;
//! - `laws`: counts are a commutative monoid, files come back as they were written;
//! - `smooth`: what a table says of itself: its order, and whether it tells structures apart;
//! - `training`: training data against the same games as PGN, cut and damaged files;
//! - `writers`: games as training data, which the bench `training` uses as well;
//! - `random_games`: the games, which the tests of the program use as well.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod borders;
mod collect;
mod heads;
mod laws;
#[expect(dead_code, reason = "boards of no game are the business of the tests of drawish-heads")]
#[path = "../../../heads/tests/naive/mod.rs"]
mod naive;
mod random_games;
mod smooth;
mod training;
mod twins;
mod writers;
