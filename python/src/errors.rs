//! The one exception of the module and its one warning.

use std::error::Error as StdError;
use std::fmt::Display;
use std::path::Path;

use drawish::Kind;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;

create_exception!(drawish, Error, PyException, "What drawish could not do, with the text that the program prints.");
create_exception!(
    drawish,
    InputWarning,
    PyUserWarning,
    "An input that was not read to a good end, or that gives no good figures. What could be read is used."
);

/// The message of an error and of what caused it, as the program prints them.
fn text_of(error: &dyn StdError) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

/// An exception with the message of an error and of what caused it.
pub(crate) fn failed(error: impl StdError) -> PyErr {
    Error::new_err(text_of(&error))
}

/// An exception with this text.
pub(crate) fn refused(text: impl Display) -> PyErr {
    Error::new_err(text.to_string())
}

/// An exception about a file.
pub(crate) fn of_file(path: &Path, error: impl StdError) -> PyErr {
    refused(format!("{}: {}", path.display(), text_of(&error)))
}

/// An exception about a file that is not of the kind that it should be: what it is, and what reads it.
pub(crate) fn of_content(path: &Path, bytes: &[u8], expected: Kind, error: impl StdError) -> PyErr {
    let found = match Kind::of(bytes) {
        Some(kind) if kind != expected => reader(kind),
        None if bytes.is_empty() => "an empty file: make it again",
        _ => return of_file(path, error),
    };
    refused(format!("{}: expected {}, found {found}", path.display(), wanted(expected)))
}

/// What loaders of this module want, and what makes it.
fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Counts => "counts of structures (.counts), as drawish.collect makes them",
        Kind::Table => "a table (.table), as drawish.Counts.table makes it",
        Kind::EngineHeads => "heads for engines (.heads), as `drawish tune rows.parquet -o x.heads` writes them",
        Kind::WdlCounts => "WDL counts (.wdl), as drawish.wdl.collect makes them",
        Kind::WdlModel => "a WDL model (.json), as drawish.wdl.fit makes it",
        Kind::WdlHead => "the text of a WDL head (.toml), as drawish.wdl.fit_head makes it",
        other => other.name(),
    }
}

/// What a file is and what reads it in this module, or else which verb of the program takes it.
fn reader(kind: Kind) -> &'static str {
    match kind {
        Kind::Counts => "counts of structures: drawish.Counts.load reads them",
        Kind::Table => "a table: drawish.Table.load reads it",
        Kind::EngineHeads => "heads for engines: drawish.Heads.load reads them",
        Kind::WdlCounts => "WDL counts: drawish.wdl.Counts.load reads them",
        Kind::WdlJson => {
            "WDL counts as JSON: `drawish merge counts.json -o counts.wdl` makes the file for drawish.wdl.Counts.load"
        }
        Kind::WdlModel => "a WDL model: drawish.wdl.Model.load reads it",
        Kind::WdlHead => {
            "the text of a WDL head: drawish.wdl.Head.load reads it, and its save writes .heads for drawish.Heads.load"
        }
        Kind::Heads => "the text of heads: `drawish tune heads.toml -o x.heads` makes the file for drawish.Heads.load",
        Kind::Rows => "rows: polars.read_parquet reads them",
        Kind::Pgn => "games: drawish.collect counts them",
        other => other.uses(),
    }
}

/// The bytes of a file.
pub(crate) fn read_file(path: &Path) -> PyResult<Vec<u8>> {
    std::fs::read(path).map_err(|error| refused(format!("{} cannot be read; check the name: {error}", path.display())))
}

/// Writes a file, whole or not at all.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> PyResult<()> {
    drawish::outfile::write_whole(path, bytes)
        .map_err(|error| refused(format!("{} cannot be written: {error}", path.display())))
}

/// Warns of inputs that were not read to a good end.
pub(crate) fn warn_of(py: Python<'_>, lines: &[String]) -> PyResult<()> {
    let warn = py.import("warnings")?.getattr("warn")?;
    for line in lines {
        warn.call1((line, py.get_type::<InputWarning>()))?;
    }
    Ok(())
}
