//! Arguments that several verbs share, one file for each noun.

pub(super) mod choice;
pub(super) mod curve;
pub(super) mod numbers;
pub(super) mod writer;
