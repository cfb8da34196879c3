//! The win-draw-loss model of Stockfish's WDL_model: evaluations in games counted by result, move and material, and
//! the model fitted to the counts.
//!
//! ```text
//! games with evals -> counts in 32 blocks -> p_a, p_b with standard errors -> a model in a file, constants for an engine
//!        gather             counts                      fit                                 model
//! ```
//!
//! [`Update`] goes all the way at once, from fishtest's games to the verdict on Stockfish's constants.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod advantage;
mod cell;
mod code;
mod counts;
mod fens;
mod file;
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats and places in tables, no parser")]
pub mod fit;
mod format;
mod gather;
mod hash;
mod json;
mod load;
mod merge;
mod metadata;
mod model;
mod partial;
mod rule;
mod run;
mod stockfish;
mod sum;
mod tally;
mod update;

pub use advantage::{AdvantageCounts, QUIET_PLIES, Scale};
pub use cell::{Cell, EVAL_LIMIT, MATE, MoverResult, Speed};
pub use code::{c_header, rust_module};
pub use counts::{BLOCKS, Block, WdlCounts};
pub use fens::{FenCounters, FenListError, FenSource};
pub use file::{Provenance, RecordedRule, WdlFile, WdlFileError};
pub use fit::reach_of_95_percent;
pub use format::CountsFormat;
pub use json::{JsonError, read_json, write_json};
pub use load::WdlReadError;
pub use merge::WdlMergeError;
pub use metadata::{FileFilter, FileRefusal, is_metadata, test_id};
pub use model::{
    AskedEval, CurvePoint, Errors, Intervals, Model, ModelError, ModelFormat, NoEval, Retained, ShapeLoss,
    parse_coefficients, spread_interval,
};
pub use rule::{Rule, RuleRecord};
pub use run::{Collect, CollectError, Collected};
pub use stockfish::{Revisions, Stockfish, StockfishError};
pub use sum::WdlSum;
pub use tally::{Cut, DropReason, GameReason, Notice, Tally};
pub use update::{Update, UpdateError, Updated};
