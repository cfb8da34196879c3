//! Pickles: an object is the name of what makes it again, and the bytes or the text to make it of.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

/// What `__reduce__` gives: a function that pickles know by its name, and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// An object that the static method `method` of its class makes of `state`.
pub(crate) fn reduce<'py>(
    class: Bound<'py, PyType>,
    method: &str,
    state: impl IntoPyObject<'py>,
) -> PyResult<Reduced<'py>> {
    let restore = class.py().import("drawish._restore")?.getattr("restore")?;
    Ok((restore, (&class, method, state).into_pyobject(class.py())?))
}
