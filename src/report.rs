//! Pictures of results: they compute nothing, they draw what other rooms have found.

mod evaluation;
mod panel;
#[cfg(feature = "png")]
mod png;
mod svg;
pub mod wdl;

pub use evaluation::{calibration, gains};
#[cfg(feature = "png")]
pub use png::{PngError, png};
