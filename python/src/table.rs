//! Draw tables, as engines have them.

use std::path::{Path, PathBuf};

use drawish::Kind;
use drawish::core::DrawTable;
use drawish::core::table::Cell;
use drawish::export::{Evidence, Format, OwnFile, OwnFileError};
use drawish::frames::{c_stream, table_frame, to_parquet};
use drawish::smooth::Estimator;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::errors::{failed, of_content, read_file, refused, write_file};
use crate::figures::array;
use crate::pickle::{Reduced, reduce};
use crate::position::Structure;

/// A draw table: for each pawn structure the probability of a draw, and what an engine makes of it.
///
/// >>> table = drawish.collect(sample).table()
/// >>> round(table.probability("8/pp3kpp/2p1p3/3p4/3P4/2P1P3/PP3KPP/8 w - - 0 40"), 2)
/// 0.16
#[pyclass(frozen, module = "drawish")]
pub(crate) struct Table {
    /// The bytes of the `.table` file, which have been checked.
    bytes: Vec<u8>,
    /// What it was made of; a table that was read from a file holds less than that.
    whole: Option<drawish::export::Table>,
}

impl Table {
    /// A table that was just made.
    pub(crate) fn made(whole: drawish::export::Table) -> PyResult<Table> {
        Ok(Table { bytes: whole.to_bytes(Format::Table, Evidence::Kept), whole: Some(whole) })
    }

    fn check(bytes: &[u8]) -> Result<(), OwnFileError> {
        OwnFile::Table(bytes.to_vec()).open().map(drop)
    }

    fn open(&self) -> PyResult<DrawTable<'_>> {
        DrawTable::from_bytes(&self.bytes).map_err(failed)
    }

    fn whole(&self, what: &str) -> PyResult<&drawish::export::Table> {
        self.whole.as_ref().ok_or_else(|| {
            refused(format!(
                "{what} needs the table as it was made from counts; a table that was read is only written as .table"
            ))
        })
    }

    fn cells(&self) -> PyResult<impl Iterator<Item = Cell> + '_> {
        let table = self.open()?;
        Ok((0..table.scheme().cells()).filter_map(move |cell| table.get(drawish::core::StructureIndex(cell))))
    }
}

#[pymethods]
impl Table {
    /// Reads a ``.table`` file and checks it.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Table> {
        let bytes = read_file(&path)?;
        Table::check(&bytes).map_err(|error| of_content(&path, &bytes, Kind::Table, error))?;
        Ok(Table { bytes, whole: None })
    }

    /// The table whose ``.table`` file has these bytes.
    #[staticmethod]
    fn from_bytes(bytes: Vec<u8>) -> PyResult<Table> {
        Table::check(&bytes).map_err(failed)?;
        Ok(Table { bytes, whole: None })
    }

    /// Writes the table in the format that the ending of the name chooses, as ``drawish table`` does: .table .h .rs .json .csv
    /// .parquet .u16 .i16 .u8 .toml. ``slim`` leaves intervals and numbers of games out of a .table.
    #[pyo3(signature = (path, slim=false))]
    fn save(&self, path: PathBuf, slim: bool) -> PyResult<()> {
        let ending = |name: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(name));
        let bytes = if ending("parquet") {
            to_parquet(&table_frame(self.whole(&path.display().to_string())?).map_err(failed)?).map_err(failed)?
        } else {
            match Format::of(Path::new(&path)).map_err(failed)? {
                Format::Table if !slim => self.bytes.clone(),
                format => {
                    let evidence = if slim { Evidence::LeftOut } else { Evidence::Kept };
                    self.whole(&path.display().to_string())?.to_bytes(format, evidence)
                }
            }
        };
        write_file(&path, &bytes)
    }

    /// The bytes of the ``.table`` file, as engines include it; ``slim`` leaves out intervals and numbers of games.
    #[pyo3(signature = (slim=false))]
    fn to_bytes<'py>(&self, py: Python<'py>, slim: bool) -> PyResult<Bound<'py, PyBytes>> {
        if slim && self.open()?.has_evidence() {
            let bytes = self.whole("slim=True")?.to_bytes(Format::Table, Evidence::LeftOut);
            return Ok(PyBytes::new(py, &bytes));
        }
        Ok(PyBytes::new(py, &self.bytes))
    }

    /// The name of the scheme in which structures are numbered.
    #[getter]
    fn scheme(&self) -> PyResult<&'static str> {
        Ok(self.open()?.scheme().name())
    }

    /// The draw rate of all positions together.
    #[getter]
    fn base(&self) -> PyResult<f64> {
        Ok(self.open()?.base().to_f64())
    }

    /// Positions that were counted.
    #[getter]
    fn positions(&self) -> PyResult<u64> {
        Ok(self.open()?.positions())
    }

    /// Whether several positions of a game were counted, or positions without games, so that the intervals, which take positions for
    /// independent, are too narrow. Tables of builds before 24 November 2026 do not say so.
    #[getter]
    fn is_dependent(&self) -> PyResult<bool> {
        Ok(self.open()?.is_dependent())
    }

    /// How the probabilities were estimated.
    #[getter]
    fn estimator(&self) -> PyResult<Option<&'static str>> {
        Ok(Estimator::from_id(self.open()?.estimator()).map(Estimator::name))
    }

    /// The draw probability of each cell, as an array of numpy.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.cells()?.flat_map(|cell| cell.probability.to_f64().to_le_bytes()).collect();
        array(py, &bytes, "<f8")
    }

    /// The drawScore of each cell in 1/256 logit, as an array of numpy.
    #[getter]
    fn draw_scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.cells()?.flat_map(|cell| cell.draw_score.0.to_le_bytes()).collect();
        array(py, &bytes, "<i2")
    }

    /// The factor for evaluations of each cell in 1/128, as an array of numpy.
    #[getter]
    fn scales<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.cells()?.map(|cell| cell.scale.0).collect();
        array(py, &bytes, "u1")
    }

    /// The draw probability of a structure: a FEN, of which only the pawns matter, or the squares of White's and Black's pawns as
    /// two numbers, a1 being bit 0.
    fn probability(&self, structure: Structure) -> PyResult<f64> {
        Ok(self.open()?.cell(structure.pawns()?).probability.to_f64())
    }

    /// All that the table says of a structure: the cell, ``probability``, ``draw_score`` (1/256 logit) and ``scale`` (1/128), and
    /// where the table holds them ``low`` and ``high`` of the 90 % interval and the ``positions`` of the cell.
    fn lookup<'py>(&self, py: Python<'py>, structure: Structure) -> PyResult<Bound<'py, PyDict>> {
        let table = self.open()?;
        let (pawns, dict) = structure.describe(py, table.scheme())?;
        let Cell { probability, draw_score, scale } = table.cell(pawns);
        dict.set_item("probability", probability.to_f64())?;
        dict.set_item("draw_score", draw_score.0)?;
        dict.set_item("scale", scale.0)?;
        if let Some(evidence) = table.evidence(table.scheme().index(pawns)) {
            dict.set_item("low", evidence.low.to_f64())?;
            dict.set_item("high", evidence.high.to_f64())?;
            dict.set_item("positions", evidence.positions)?;
        }
        Ok(dict)
    }

    /// The table as one of pyarrow, a row for each cell.
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table as a data frame of polars, a row for each cell.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The table as a stream of Arrow, for libraries of data frames.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the protocol allows to leave it unheeded
        let frame = table_frame(self.whole("a data frame")?).map_err(failed)?;
        PyCapsule::new_with_value(py, c_stream(frame, std::iter::empty()), c"arrow_array_stream")
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.open()?.scheme().cells() as usize)
    }

    fn __repr__(&self) -> PyResult<String> {
        let table = self.open()?;
        let positions = drawish::stats::numbers::grouped(table.positions());
        Ok(format!("<drawish.Table {}: {positions} positions, base {:.3}>", self.scheme()?, table.base().to_f64()))
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let bytes = PyBytes::new(slf.py(), &slf.get().bytes);
        reduce(slf.get_type(), "from_bytes", bytes)
    }
}
