//! Matches between chess engines and pre-registered experiments.

pub mod arena;
pub mod experiment;
