//! Row files: opening them, and what to do where they are of no use.

use std::path::PathBuf;

use anyhow::{Error, Result, anyhow};

use drawish::fit::Unlearnable;
use drawish::frames::{RowsError, RowsReader, open_rows};
use drawish::rows::{RowSet, RowSetError};

/// Opens row files.
pub(super) fn open(paths: &[PathBuf]) -> Result<RowSet<RowsReader>> {
    open_rows(paths).map_err(unreadable)
}

/// An error of reading rows with its remedy.
pub(super) fn unreadable(error: RowSetError) -> Error {
    match &error {
        RowSetError::Source { error: source, .. }
            if source.downcast_ref::<RowsError>().is_some_and(RowsError::is_foreign) =>
        {
            anyhow!("{error}; make rows by `drawish positions`")
        }
        _ => error.into(),
    }
}

/// Rows that say nothing, with the remedy.
pub(super) fn unlearnable(error: Unlearnable) -> Error {
    match error {
        Unlearnable::NoRows => anyhow!("{error}; loosen the rule of `drawish positions`, as in --min-moves 0"),
        _ => error.into(),
    }
}
