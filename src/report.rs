//! Pictures of results: they compute nothing, they draw what other rooms have found.

mod evaluation;
mod sheet;
mod svg;
pub mod wdl;

pub use evaluation::{calibration, gains};
