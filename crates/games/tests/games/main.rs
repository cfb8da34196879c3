//! The integration tests of games as a library, one program. What stands where:
//!
//! - `twins`: the pawn tracker against the full replay, on random legal games;
//! - `laws`: counts are a commutative monoid, files come back as they were written;
//! - `random_games`: the games, which the tests of the program use as well.

mod laws;
mod random_games;
mod twins;
