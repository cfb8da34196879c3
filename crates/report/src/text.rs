//! Results as lines and tables for a terminal.

pub mod compare;
pub mod estimate;
pub mod symbols;
pub mod wdl;
