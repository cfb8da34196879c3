//! How drawish is a pawn structure? From PGN files to a table that a chess engine includes.
//!
//! ```text
//! PGN bytes -> games -> sampled positions -> counts per cell -> smoothed probabilities -> table files
//!    pgn                    sample               counts                smooth                export
//! ```
//!
//! The program `drawish` is this library behind a command line. As a library it does the same in a few lines:
//!
//! ```
//! use drawish::collect::Collect;
//! use drawish::pgn::expand_inputs;
//! use drawish::smooth::{Estimator, estimate};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");
//! // By default the position at move 50 of games of at least 60 moves.
//! let collected = Collect::new(expand_inputs(&[sample.into()])?).run()?;
//! let tally = collected.file.tally();
//! assert_eq!(tally.games(), 3000);
//!
//! let estimates = estimate(&collected.file.counts, Estimator::EmpiricalBayesSymmetric)?;
//! let empty = &estimates.cells[0];
//! assert!(empty.low < empty.probability && empty.probability < empty.high);
//! # Ok(())
//! # }
//! ```
//!
//! What an engine runs inside its search is the crate [`drawish_core`], which depends on nothing.
//! ARCHITECTURE.md in the repository is the map of the rooms.
//!
//! # Features
//!
//! - `frames` (default): Parquet output through polars, and with it most of the time that a build takes.
//! - `download` (default): `drawish wdl download`, and with it a client for HTTPS.
//! - `png` (default): pictures as PNG beside SVG, and with it a font.
//! - `engine`: without arguments the program speaks UCI, as OpenBench and some GUIs start engines.

pub use drawish_artefact::{Kind, identity, outfile, provenance};
pub use drawish_core as core;
#[cfg(feature = "download")]
pub use drawish_download as download;
pub use drawish_engine::{eval, search, uci};
#[cfg(feature = "frames")]
pub use drawish_frames as frames;
pub use drawish_games::{annotate, collect, counts, estimate, export, fan_out, fit, pgn, rows, sample, smooth, wdl};
pub use drawish_heads::{features, heads};
pub use drawish_match::{arena, contest, experiment};
pub use drawish_report as report;
pub use drawish_stats as stats;
pub use drawish_stats::model;
