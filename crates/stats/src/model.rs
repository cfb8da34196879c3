//! Formulas that turn evaluations into probabilities and back, in `f64` and without data or files.
//!
//! These are the references that fits estimate and that the integer code of an engine is tested against.

pub mod draw;
pub mod pawn_advantage;
pub mod relevance;
pub mod wdl;
mod win_draw_loss;

pub use win_draw_loss::WinDrawLoss;
