//! What to do where rows are of no use.

use anyhow::{Error, anyhow};

use drawish::fit::Unlearnable;

/// Rows that say nothing, with the remedy.
pub(super) fn unlearnable(error: Unlearnable) -> Error {
    match error {
        Unlearnable::NoRows => anyhow!("{error}; loosen the rule of `drawish positions`, as in --min-moves 0"),
        _ => error.into(),
    }
}
