//! The integration tests of the formulas, one program. What stands where:
//!
//! - `expect`: the draw model in integers, which engines use, against the one in f64; packed scores against pairs.

mod expect;
