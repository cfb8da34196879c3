//! Arguments that several verbs share, one file for each noun.

mod choice;
mod threads;

pub(super) use choice::choice;
pub(super) use threads::ThreadsArg;
