//! The integration tests of the engine as a library, one program. What stands where:
//!
//! - `heads`: the draw head in the engine and by its definition;
//! - `search`: limits, mates, endings that are won and some that are not; the count of nodes by which builds are known.

mod heads;
mod search;
