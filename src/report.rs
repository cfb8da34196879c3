//! Pictures of results: they compute nothing, they draw what other rooms have found.

mod evaluation;
mod sheet;
mod standing;
mod svg;
pub mod wdl;

pub use evaluation::{calibration, gains};
pub use standing::{Cause, MatchSummary, StructureResults};
