//! Heads of an engine: what a `.heads` file says of positions.

use std::path::PathBuf;

use drawish::Kind;
use drawish::core::Centipawns;
use drawish::core::board::Board;
use drawish::core::expect::WdlPermille;
use drawish::core::head::{Gain, Heads as Read, HeadsError};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{failed, of_content, read_file, refused};
use crate::pickle::{Reduced, reduce};
use crate::position::{Evals, OneOrMany, board};

/// The heads of a ``.heads`` file: draw head, gain head and WDL head, as an engine asks them.
///
/// Methods take a FEN, or a list of FENs and give a list. Evaluations are whole centipawns of the side to move: 50 is half a pawn.
///
/// >>> heads = drawish.Heads.load(heads_file)
/// >>> opposite_bishops = "5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1"
/// >>> queens = "r2q1rk1/pp2bppp/2n1b3/3p4/8/1P2PN2/PB2BPPP/R2Q1RK1 w - - 0 12"
/// >>> drawn = heads.draw_score([opposite_bishops, queens])
/// >>> drawn[0] > drawn[1]
/// True
#[pyclass(frozen, module = "drawish")]
pub(crate) struct Heads {
    /// The bytes of the file, which have been checked.
    bytes: Vec<u8>,
}

impl Heads {
    fn check(bytes: &[u8]) -> Result<(), HeadsError> {
        Read::from_bytes(bytes)?.verify()
    }

    /// Heads that were just made.
    pub(crate) fn made(bytes: Vec<u8>) -> PyResult<Heads> {
        Heads::check(&bytes).map_err(failed)?;
        Ok(Heads { bytes })
    }

    fn open(&self) -> PyResult<Read<'_>> {
        Read::from_bytes(&self.bytes).map_err(failed)
    }

    /// The answers of a head to a position or several.
    fn ask<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        fens: OneOrMany<String>,
        head: &str,
        answer: impl Fn(&Read<'_>, &Board) -> Option<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let heads = self.open()?;
        let one =
            |fen: &String| answer(&heads, &board(fen)?).ok_or_else(|| refused(format!("these heads hold no {head}")));
        match fens {
            OneOrMany::One(fen) => one(&fen)?.into_bound_py_any(py),
            OneOrMany::Many(fens) => fens.iter().map(one).collect::<PyResult<Vec<T>>>()?.into_bound_py_any(py),
        }
    }

    /// The same of heads that are given evaluations, too.
    fn weigh<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        fens: OneOrMany<String>,
        Evals(evals): Evals,
        head: &str,
        answer: impl Fn(&Read<'_>, &Board, Centipawns) -> Option<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let heads = self.open()?;
        let one = |fen: &String, eval: i32| {
            answer(&heads, &board(fen)?, Centipawns(eval)).ok_or_else(|| refused(format!("these heads hold no {head}")))
        };
        let (fens, evals) = match (fens, evals) {
            (OneOrMany::One(fen), OneOrMany::One(eval)) => return one(&fen, eval)?.into_bound_py_any(py),
            (OneOrMany::One(fen), OneOrMany::Many(evals)) => (vec![fen; evals.len()], evals),
            (OneOrMany::Many(fens), OneOrMany::One(eval)) => {
                let evals = vec![eval; fens.len()];
                (fens, evals)
            }
            (OneOrMany::Many(fens), OneOrMany::Many(evals)) if fens.len() == evals.len() => (fens, evals),
            (OneOrMany::Many(fens), OneOrMany::Many(evals)) => {
                let (fens, evals) = (fens.len(), evals.len());
                return Err(refused(format!("{fens} positions and {evals} evaluations: expected as many of each")));
            }
        };
        let answers = fens.iter().zip(evals).map(|(fen, eval)| one(fen, eval));
        answers.collect::<PyResult<Vec<T>>>()?.into_bound_py_any(py)
    }
}

#[pymethods]
impl Heads {
    /// Reads a ``.heads`` file and checks it. ``drawish tune rows.parquet -o x.heads`` writes one, as ``drawish tune heads.toml -o
    /// x.heads`` does of the text of heads.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Heads> {
        let bytes = read_file(&path)?;
        Heads::check(&bytes).map_err(|error| of_content(&path, &bytes, Kind::EngineHeads, error))?;
        Ok(Heads { bytes })
    }

    /// The heads whose file has these bytes.
    #[staticmethod]
    fn from_bytes(bytes: Vec<u8>) -> PyResult<Heads> {
        Heads::made(bytes)
    }

    /// The bytes of the file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The heads that the file holds: "draw", "gain", "wdl".
    #[getter]
    fn kinds(&self) -> PyResult<Vec<&'static str>> {
        let heads = self.open()?;
        let kinds = [
            ("draw", heads.draw().is_some()),
            ("gain", heads.gain_head().is_some()),
            ("wdl", heads.wdl_head().is_some()),
        ];
        Ok(kinds.into_iter().filter_map(|(kind, is_there)| is_there.then_some(kind)).collect())
    }

    /// Rows that the heads were fitted to.
    #[getter]
    fn rows(&self) -> PyResult<u64> {
        Ok(self.open()?.rows())
    }

    /// The drawScore of positions in 1/256 logit, by the draw head: the higher, the more drawish.
    fn draw_score<'py>(&self, py: Python<'py>, fens: OneOrMany<String>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, fens, "draw head", |heads, board| Some(heads.draw_score(board)?.0))
    }

    /// By what evaluations are multiplied in positions, by the gain head: 1 is the mean over positions of games.
    fn gain<'py>(&self, py: Python<'py>, fens: OneOrMany<String>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, fens, "gain head", |heads, board| {
            let Gain { gain, mean } = heads.gain(board)?;
            Some(f64::from(gain) / f64::from(mean.max(1)))
        })
    }

    /// The expected score of the side to move from 0 to 1, by the draw head.
    fn expected<'py>(&self, py: Python<'py>, fens: OneOrMany<String>, evals: Evals) -> PyResult<Bound<'py, PyAny>> {
        self.weigh(py, fens, evals, "draw head", |heads, board, eval| Some(heads.expected(board, eval)?.to_f64()))
    }

    /// Win, draw and loss of the side to move, which add to 1,000, by the WDL head.
    fn wdl<'py>(&self, py: Python<'py>, fens: OneOrMany<String>, evals: Evals) -> PyResult<Bound<'py, PyAny>> {
        self.weigh(py, fens, evals, "WDL head", |heads, board, eval| {
            let WdlPermille { win, draw, loss } = heads.wdl(board, eval)?;
            Some((win, draw, loss))
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<drawish.Heads: {}>", self.kinds()?.join(", ")))
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let bytes = slf.get().to_bytes(slf.py());
        reduce(slf.get_type(), "from_bytes", bytes)
    }
}
