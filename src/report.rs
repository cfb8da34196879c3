//! Pictures of results: they compute nothing, they draw what other rooms have found.

mod evaluation;
mod svg;

pub use evaluation::{calibration, gains};
