//! Pure formulas from an evaluation to an expected result: no data, no files, no fitting.
//!
//! Every formula names its source, its units and its range. The point of view is White's.

pub mod relevance;
