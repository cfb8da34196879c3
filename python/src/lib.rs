//! The module `drawish` for Python: what the library does, as objects that speak numpy and Arrow.
//!
//! Each file holds what Python sees of one room of the library. Work runs on threads of its own while the interpreter is free
//! for others, see [`work`]; errors become one exception with the text that the program would print, see [`errors`].

mod counts;
mod errors;
mod figures;
mod heads;
mod matches;
mod pickle;
mod position;
mod program;
mod ranges;
mod rows;
mod rule;
mod sprt;
mod table;
mod wdl;
mod wdl_head;
mod work;

use pyo3::prelude::*;

/// What the Python package re-exports.
#[pymodule]
mod _drawish {
    use super::*;

    #[pymodule_export]
    use super::counts::{Counts, collect};
    #[pymodule_export]
    use super::errors::{Error, InputWarning};
    #[pymodule_export]
    use super::heads::Heads;
    #[pymodule_export]
    use super::matches::{Match, play};
    #[pymodule_export]
    use super::program::main;
    #[pymodule_export]
    use super::ranges::{Gathered, ReadyMatch, experiment_arms, pack_arm, unpack_arm};
    #[pymodule_export]
    use super::rows::{Positions, positions};
    #[pymodule_export]
    use super::sprt::{Verdict, sprt};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::wdl::{Model, WdlCounts, wdl_collect, wdl_fit};
    #[pymodule_export]
    use super::wdl_head::{Head, WdlPositions, compare_head, fit_head, wdl_positions};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        drawish::provenance::set_commit(drawish::COMMIT);
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
