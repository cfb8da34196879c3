//! Results of `drawish` as pages that work offline, as Markdown and as pictures.
//!
//! A [`Report`] reads files of results, recognises each by its content, and writes what they hold: HTML or Markdown by the ending
//! of the name, pictures into a directory. What is missing or broken is no error: it becomes a [`Note`](data::Note), and the rest
//! is shown.
//!
//! ```
//! use drawish_report::{PictureFormat, Report};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let counts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables/tcec.counts");
//! # let directory = std::env::temp_dir().join(format!("drawish-report-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! let data = Report::new([counts])
//!     .title("Pawn structures of TCEC")
//!     .output(directory.join("report.html"))?
//!     .output(directory.join("report.md"))?
//!     .pictures(directory.join("pictures"), PictureFormat::Svg)
//!     .run()?;
//! assert!(data.notes.is_empty());
//! assert_eq!(data.structures[0].cells.len(), 4096);
//! assert!(directory.join("pictures/heat-1.svg").exists());
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok(())
//! # }
//! ```
//!
//! The parts can be used alone: [`data`] holds what was read and what follows from it, [`pages`] turns it into the sections of a
//! [`Document`], which [`html()`], [`markdown()`] or [`Document::pictures`] write. [`Outputs`] are the files of a document that was made in
//! another way. A [`MatchSummary`] is what a match prints when it ends, and [`text`] has what the program prints of every other result.
//!
//! # Features
//!
//! - `png`: pictures as PNG too, drawn with a font that comes along, so that they are the same on every machine.
//! - `frames`: reads rows (Parquet), and with that depends on polars.

mod assets;
pub mod data;
pub mod document;
mod html;
mod markdown;
mod match_summary;
pub mod pages;
pub mod pictures;
mod publish;

pub use document::Document;
pub use html::html;
pub use markdown::markdown;
pub use match_summary::{Cause, MatchSummary, StructureResults};
pub use pictures::{PictureError, PictureFormat};
pub use publish::{ExperimentReportError, Outputs, Report, ReportError, write_comparison};
pub mod text;
