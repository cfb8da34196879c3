//! Arguments that several verbs share, one file for each noun.

pub(super) mod rule;
