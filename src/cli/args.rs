//! Arguments that several verbs share, one file for each noun.

pub(super) mod affinity;
pub(super) mod choice;
pub(super) mod contest;
pub(super) mod curve;
pub(super) mod engine_log;
pub(super) mod engines;
pub(super) mod heading;
pub(super) mod kept;
pub(super) mod known;
pub(super) mod log;
pub(super) mod numbers;
pub(super) mod openings;
pub(super) mod play;
pub(super) mod rule;
pub(super) mod sprt;
pub(super) mod summary;
pub(super) mod threads;
pub(super) mod writer;
pub(super) mod written;

pub(super) use choice::named;
pub(super) use summary::SummaryArgs;
pub(super) use threads::ThreadsArg;
