//! Results as pictures; computes nothing but where a line goes.

mod svg;
pub mod wdl;
