//! From PGN files to counts, draw probabilities, tables, rows, heads and WDL models.

pub mod annotate;
pub mod collect;
pub mod counts;
pub mod estimate;
pub mod export;
pub mod fit;
pub mod pgn;
pub mod rows;
pub mod sample;
pub mod smooth;
pub mod wdl;
