//! Heads: scores that are sums of terms over features, and the file that keeps their weights.
//!
//! A head has two scores, one for winning and one for drawing, each a sum of [`Term`]s. A fit makes it, the evaluation of
//! an engine reads it.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod binary;
mod checks;
mod file;
mod moves;
mod sketch;
mod spec;
mod terms;
mod wdl;
mod wdl_binary;

pub use binary::{BinaryHeads, SumKind, open_binary};
pub use checks::error_or_none;
pub use file::{CellShifts, Head, HeadError, HeadsFile, VERSION, Weighted, shift_for, wdl_array};
pub use moves::{Changes, KindOfMove, MoveKind, MoveTable};
pub use sketch::{GameSketch, SketchError};
pub use spec::Spec;
pub use terms::{Bands, Input, Term, TermError};
pub use wdl::{
    DECIDED, LARGEST_SHIFT, SLOPE_RANGE, THRESHOLD_RANGE, WDL_HEAD_VERSION, WdlHead, WdlModel, WdlScores, WeightedSum,
    permille,
};
