//! The command `drawish`.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Does what the command line says, as the program `drawish` would, and returns its exit code.
///
/// Interrupts end the process at once, as they end the program.
#[pyfunction]
#[pyo3(signature = (arguments=None))]
pub(crate) fn main(py: Python<'_>, arguments: Option<Vec<OsString>>) -> PyResult<u8> {
    let arguments = match arguments {
        Some(arguments) => arguments,
        None => {
            let given: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
            // However Python was started, the program is called by its name.
            std::iter::once("drawish".into()).chain(given.into_iter().skip(1)).collect()
        }
    };
    // The program is ended by an interrupt, and does not raise it at the end of its work.
    let signal = py.import("signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    let code = py.detach(|| drawish::program(arguments));
    Ok((0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1))
}
