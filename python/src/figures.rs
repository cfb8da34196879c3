//! Figures by their names: from JSON, in which the library gives them, to Python.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

/// The same in Python: `None`, `bool`, `int`, `float`, `str`, `list` and `dict`.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_bound_py_any(py)
        }
        Value::Object(values) => {
            let dict = PyDict::new(py);
            for (name, value) in values {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_bound_py_any(py)
        }
    }
}

/// The figure of this name, or Python's own complaint that there is none.
pub(crate) fn attribute<'py>(py: Python<'py>, class: &str, figures: &Value, name: &str) -> PyResult<Bound<'py, PyAny>> {
    match figures.get(name) {
        Some(value) => to_python(py, value),
        None => Err(PyAttributeError::new_err(format!("{class:?} object has no attribute {name:?}"))),
    }
}

/// The names of all figures.
pub(crate) fn names(figures: &Value) -> Vec<String> {
    figures.as_object().into_iter().flat_map(|figures| figures.keys().cloned()).collect()
}

/// Numbers as an array of numpy, of the type `dtype`, which stands for their bytes.
pub(crate) fn array<'py>(py: Python<'py>, bytes: &[u8], dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let bytes = pyo3::types::PyBytes::new(py, bytes);
    py.import("numpy")?.call_method1("frombuffer", (bytes, dtype))
}
