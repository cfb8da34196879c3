//! Results as pictures, pages and Markdown: it computes nothing, it shows what other rooms have found.
//!
//! A report is a list of [`Section`]s, made from [`Findings`](crate::findings::Findings) or by hand, and written by [`html`],
//! [`markdown`] or [`pictures`].

mod assets;
mod axes;
mod html;
mod markdown;
mod numbers;
mod of_match;
mod pages;
mod panel;
#[cfg(feature = "png")]
mod png;
mod spec;
mod standing;
mod story;
mod svg;
pub mod wdl;

pub use html::html;
pub use markdown::markdown;
pub use numbers::grouped;
pub use pages::{comparison, experiment, progress, sections};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use standing::{Cause, MatchSummary, StructureResults};
pub use story::{Block, Choice, Figure, Height, Section, Table};
pub use svg::Svg;

/// All pictures of some sections as SVG files: the stem of the name, and the content.
#[must_use]
pub fn pictures(sections: &[Section]) -> Vec<(String, String)> {
    sections.iter().flat_map(Section::figures).map(|one| (one.name.clone(), one.picture.finish(&one.title))).collect()
}
