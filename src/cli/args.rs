//! Arguments that several verbs share, one file for each noun.

pub(super) mod contest;
pub(super) mod engines;
pub(super) mod play;
pub(super) mod rule;
pub(super) mod sprt;
