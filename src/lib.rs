//! drawish
pub mod cli;
pub mod collect;
pub mod counts;
pub mod export;
#[cfg(feature = "frames")]
pub mod frames;
pub mod outfile;
pub mod pgn;
pub mod provenance;
pub mod sample;
pub mod smooth;
