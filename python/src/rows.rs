//! Rows of sampled positions with their features.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use drawish::frames::{WrittenRows, rows_stream, write_rows};
use drawish::outfile::check_outputs;
use drawish::pgn::{Input, View};
use drawish::rows::{Gather, Gathered, Judge};
use drawish::sample::Rule;
use drawish::search::quiet_evaluation;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::errors::{failed, of_file, refused, warn_of};
use crate::rule::{Paths, ledger, rule, view};
use crate::work::{threads, watched};

/// Parts of the games that may be read ahead of whoever takes the rows.
const AHEAD: usize = 8;

/// Sampled positions as rows of named features: a stream of Arrow, or the Parquet file that they were written to.
///
/// Games are read while a library takes the stream, and as often as one does.
///
/// >>> rows = drawish.positions(sample, sample="one-random-ply", min_moves=0)
/// >>> frame = rows.to_polars()
/// >>> frame.height, frame.columns[:4], rows.ledger["counted"]
/// (2989, ['game', 'skeleton', 'event', 'result'], 2989)
#[pyclass(frozen, module = "drawish")]
pub(crate) struct Positions {
    what: What,
    /// What was read, once a stream has come to its end.
    gathered: Arc<Mutex<Option<Gathered>>>,
    path: Option<PathBuf>,
}

/// What is read, and how.
#[derive(Clone)]
struct What {
    inputs: Vec<Input>,
    rule: Rule,
    judge: Option<Judge>,
    view: Option<View>,
    places: bool,
    threads: NonZero<usize>,
}

impl What {
    fn gather<'a>(&self) -> Gather<'a> {
        let What { inputs, rule, judge, view, places, threads } = self.clone();
        Gather::new(inputs).rule(rule).judge(judge).view(view).places(places).threads(threads)
    }
}

/// Makes a row of named features of each sampled position.
///
/// With ``path`` the rows are written to that Parquet file, which ``drawish tune`` reads, or as CSV if its name ends so; no file if there
/// are none. Else they are a stream, and nothing is read before a library takes it. ``static_evaluation`` evaluates quiet positions by the engine of drawish, in the place of what
/// comments say; ``eval_view`` is "white", "mover" or "to-move" where those are not from the view that their style has. ``places`` adds the columns ``input``, ``number`` (of the game in it, from 1) and ``fen``. What counts is said as for ``collect``, and ``progress`` is called as there, when a file is written.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
#[pyo3(signature = (paths, path=None, *, static_evaluation=false, eval_view="auto", places=false, threads=None, progress=None, **what_counts))]
pub(crate) fn positions(
    py: Python<'_>,
    paths: Paths,
    path: Option<PathBuf>,
    static_evaluation: bool,
    eval_view: &str,
    places: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    what_counts: Option<&Bound<'_, PyDict>>,
) -> PyResult<Positions> {
    let inputs = paths.inputs()?;
    if static_evaluation && eval_view != "auto" {
        return Err(refused("eval_view is about evaluations in comments, which static_evaluation does not read"));
    }
    let what = What {
        rule: rule(what_counts)?,
        view: view(eval_view, &inputs)?,
        judge: static_evaluation.then_some(quiet_evaluation as Judge),
        places,
        threads: self::threads(threads)?,
        inputs,
    };
    let rows = Positions { what, gathered: Arc::default(), path };
    let Some(path) = &rows.path else { return Ok(rows) };
    let files = rows.what.inputs.iter().filter_map(Input::file);
    check_outputs([path], files).map_err(failed)?;
    let written = watched(py, progress.as_ref(), |watch| {
        let progress = |bytes, games| watch.read(bytes, games);
        write_rows(rows.what.gather().progress(&progress), path)
    })?;
    let WrittenRows { gathered, .. } = written.map_err(|error| of_file(path, error))?;
    warn_of(py, &gathered.problems.lines("used"))?;
    *rows.read() = Some(gathered);
    Ok(rows)
}

impl Positions {
    fn read(&self) -> MutexGuard<'_, Option<Gathered>> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All rows as a library makes them of the stream, with the warnings of their inputs.
fn taken<'py>(rows: &Bound<'py, Positions>, library: &str, function: &str) -> PyResult<Bound<'py, PyAny>> {
    let frame = rows.py().import(library)?.call_method1(function, (rows,))?;
    // Those of a file were warned of when it was written.
    if rows.get().path.is_none() {
        warn_of(rows.py(), &rows.get().problems())?;
    }
    Ok(frame)
}

#[pymethods]
impl Positions {
    /// The file that the rows were written to, if they were.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    /// Every game that was read: ``games`` = ``counted`` + all that were ``skipped``; ``None`` before the end of a stream.
    #[getter]
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.read().as_ref().map(|gathered| ledger(py, &gathered.tally)).transpose()
    }

    /// What there is to say of single inputs.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.read().as_ref().map_or(Vec::new(), |gathered| gathered.problems.lines("used"))
    }

    /// All rows as a table of pyarrow. What is wrong with an input is issued as InputWarning.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        taken(slf, "pyarrow", "table")
    }

    /// All rows as a data frame of polars. What is wrong with an input is issued as InputWarning.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        taken(slf, "polars", "DataFrame")
    }

    /// The rows as a stream of Arrow, some 65,536 at a time, for libraries of data frames. ``problems`` has what is wrong with an input once
    /// the stream has ended; a stream itself warns of nothing.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the protocol allows to leave it unheeded
        let (what, end) = (self.what.clone(), Arc::clone(&self.gathered));
        let (give, take) = sync_channel(AHEAD);
        // It ends by itself: with its inputs, or when the stream is dropped and nobody takes its rows.
        let reader = move || {
            let read = || what.gather().run(|rows| give.send(Ok(rows)).map_err(drop));
            match catch_unwind(AssertUnwindSafe(read)) {
                Ok(Ok(gathered)) => *end.lock().unwrap_or_else(PoisonError::into_inner) = Some(gathered),
                Ok(Err(())) => {}
                // A stream that just ended would look whole.
                Err(_) => drop(give.send(Err("reading the games has failed; please report it".to_owned()))),
            }
        };
        thread::Builder::new().spawn(reader).map_err(|error| refused(format!("no thread for reading: {error}")))?;
        PyCapsule::new_with_value(
            py,
            rows_stream(take.into_iter(), self.what.places).map_err(failed)?,
            c"arrow_array_stream",
        )
    }

    fn __repr__(&self) -> String {
        let rows = self.read().as_ref().map_or("not read yet".to_owned(), |gathered| {
            format!("{} rows", drawish::stats::numbers::grouped(gathered.tally.positions))
        });
        format!("<drawish.Positions: {rows}>")
    }
}
