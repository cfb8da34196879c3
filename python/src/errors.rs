//! The one exception of the module and its one warning.

use std::error::Error as StdError;
use std::fmt::Display;
use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;

create_exception!(drawish, Error, PyException, "What drawish could not do, with the text that the program prints.");
create_exception!(
    drawish,
    InputWarning,
    PyUserWarning,
    "An input that was not read to a good end. What could be read is used."
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
