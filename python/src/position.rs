//! Positions as Python names them.

use drawish::core::board::Board;
use drawish::core::{Pawns, Scheme};
use drawish::export::file_letters;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};

use crate::errors::refused;

/// Pawns: a FEN, of which only they matter, or the squares of White's and Black's as two numbers, a1 being bit 0.
#[derive(FromPyObject)]
pub(crate) enum Structure {
    Fen(String),
    Squares(u64, u64),
}

/// A position or several, to be answered alike.
#[derive(FromPyObject)]
pub(crate) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

/// Evaluations in whole centipawns, one for all positions or one for each.
pub(crate) struct Evals(pub(crate) OneOrMany<i32>);

impl<'py> FromPyObject<'_, 'py> for Evals {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Evals> {
        given.extract().map(Evals).map_err(|_: PyErr| PyTypeError::new_err(no_centipawns(given)))
    }
}

/// What is wrong with evaluations that are no centipawns. Most often they are pawns, of which the first is reckoned over.
fn no_centipawns(given: Borrowed<'_, '_, PyAny>) -> String {
    let fraction = |one: &Bound<'_, PyAny>| one.extract::<f64>().ok().filter(|_| one.extract::<i32>().is_err());
    let first = |all: PyResult<Bound<'_, PyIterator>>| all.ok()?.flatten().find_map(|one| fraction(&one));
    let number = fraction(&given).or_else(|| first(given.try_iter()));
    match number.filter(|number| number.abs() <= 1e6) {
        Some(pawns) => format!(
            "expected evaluations in centipawns, as whole numbers, found {pawns:?}: {} if that is in pawns",
            (100.0 * pawns).round()
        ),
        None => {
            "expected evaluations in centipawns, as whole numbers: 50 for half a pawn, or a list of such".to_owned()
        }
    }
}

impl Structure {
    pub(crate) fn pawns(&self) -> PyResult<Pawns> {
        match self {
            Structure::Fen(text) => Ok(board(text)?.pawns()),
            &Structure::Squares(white, black) => Ok(Pawns { white, black }),
        }
    }

    /// The cell of the structure, with its number and the files of either side's pawns.
    pub(crate) fn describe<'py>(&self, py: Python<'py>, scheme: Scheme) -> PyResult<(Pawns, Bound<'py, PyDict>)> {
        let pawns = self.pawns()?;
        let cell = scheme.index(pawns);
        let structure = scheme.describe(cell);
        let dict = PyDict::new(py);
        dict.set_item("cell", cell.0)?;
        dict.set_item("white_files", file_letters(structure.white))?;
        dict.set_item("black_files", file_letters(structure.black))?;
        Ok((pawns, dict))
    }
}

/// The position of a FEN, if a game can have it.
pub(crate) fn board(text: &str) -> PyResult<Board> {
    Board::from_fen(text).map_err(|error| refused(format!("{text:?}: {error}")))
}
