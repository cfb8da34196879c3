//! Formulas in floating point, with nothing that reads files or fits data.

pub mod pawn_advantage;
pub mod wdl;
