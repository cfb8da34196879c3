//! Matches that are played in ranges of pairs, on many machines: what `drawish.cluster` is made of.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use drawish::arena::{Logged, MatchScore};
use drawish::contest::{Contest, Event, Gathering, Ready, Terms};
use drawish::experiment::{Layout, RunError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::errors::{failed, refused, warn_of};
use crate::figures::to_python;
use crate::matches::{Begin, Match, Test, engine, limits, odd};
use crate::work::watched;

/// A match whose openings are read and whose arms are loaded.
#[pyclass(frozen, module = "drawish._drawish")]
pub(crate) struct ReadyMatch(Ready);

#[pymethods]
impl ReadyMatch {
    /// The match of two engines, with the settings of `play`.
    #[staticmethod]
    #[pyo3(signature = (first, second, *, openings, seed, pairs=None, nodes=None, depth=None, movetime=None, tc=None,
        repeat_openings=false, allow_equal=false))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn between(
        py: Python<'_>,
        first: &Bound<'_, PyDict>,
        second: &Bound<'_, PyDict>,
        openings: Begin,
        seed: u64,
        pairs: Option<u64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        movetime: Option<f64>,
        tc: Option<&str>,
        repeat_openings: bool,
        allow_equal: bool,
    ) -> PyResult<ReadyMatch> {
        let mut terms = Terms::new(openings);
        (terms.pairs, terms.seed, terms.repeat_openings) = (pairs, Some(seed), repeat_openings);
        terms.limits = limits(nodes, depth, movetime, tc)?;
        let mut contest = Contest::with_terms([engine(first)?, engine(second)?], terms);
        contest.allow_equal = allow_equal;
        ready(py, &contest)
    }

    /// The match of an arm of an experiment.
    #[staticmethod]
    #[pyo3(signature = (file, arm, books=None))]
    fn of_experiment(py: Python<'_>, file: PathBuf, arm: &str, books: Option<PathBuf>) -> PyResult<ReadyMatch> {
        let layout = Layout::open(&file).map_err(failed)?;
        let contest = py.detach(|| layout.contest(arm, books.as_deref())).map_err(failed)?;
        ready(py, &contest)
    }

    /// Pairs of the whole match.
    #[getter]
    fn pairs(&self) -> u64 {
        self.0.pairs()
    }

    /// The first line of the log of the whole match.
    fn header(&self, py: Python<'_>) -> PyResult<String> {
        let (setup, origin) = py.detach(|| self.0.header()).map_err(failed)?;
        Ok(setup.header(&origin) + "\n")
    }

    /// Plays the pairs from `first` to `last` one after the other into a new log. `progress(pair)` is called meanwhile; an
    /// exception that it raises ends the range.
    #[pyo3(signature = (first, last, log, progress=None))]
    fn play(&self, py: Python<'_>, first: u64, last: u64, log: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let played = watched(py, progress.as_ref(), |watch| {
            self.0.play_range(first..=last, &log, NonZero::<usize>::MIN, |event| {
                if let Event::Pair { record, .. } = event {
                    watch.tell(|| vec![record.pair.into()]);
                }
                if watch.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        })?;
        played.map(drop).map_err(failed)
    }
}

fn ready(py: Python<'_>, contest: &Contest) -> PyResult<ReadyMatch> {
    let mut said = Vec::new();
    let ready = watched(py, None, |_| {
        contest.ready(|event| {
            said.extend(odd(&event));
            ControlFlow::Continue(())
        })
    })?;
    warn_of(py, &said)?;
    ready.map(ReadyMatch).map_err(failed)
}

/// The log of a match whose ranges are played elsewhere.
#[pyclass(frozen, module = "drawish._drawish")]
pub(crate) struct Gathered(Mutex<Gathering>);

#[pymethods]
impl Gathered {
    #[new]
    #[pyo3(signature = (log, header, pairs, sprt=None, fault_limit=10))]
    fn new(
        py: Python<'_>,
        log: PathBuf,
        header: &str,
        pairs: u64,
        sprt: Option<Test<'_>>,
        fault_limit: u64,
    ) -> PyResult<Gathered> {
        let Logged { setup, origin, .. } = Logged::read(header.as_bytes()).map_err(failed)?;
        let sprt = sprt.map(|test| test.sprt()).transpose()?;
        let gathering = Gathering::open_with(&log, &setup, origin, pairs, sprt, fault_limit).map_err(failed)?;
        warn_of(py, &gathering.test_of_log().map(|test| test.to_string()).into_iter().collect::<Vec<_>>())?;
        Ok(Gathered(Mutex::new(gathering)))
    }

    /// The number of the first pair that is missing.
    #[getter]
    fn wanted(&self) -> u64 {
        self.gathering().wanted()
    }

    /// Whether the test is decided, or all pairs are there.
    #[getter]
    fn is_over(&self) -> bool {
        self.gathering().is_over()
    }

    /// Adds the log of a range.
    fn add(&self, py: Python<'_>, log: &[u8]) -> PyResult<()> {
        py.detach(|| {
            let range = Logged::read(log).map_err(failed)?;
            self.gathering().add(&range).map_err(failed)
        })
    }

    /// Where the match stands, as `play` reports it.
    fn standing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let standing = {
            let gathering = self.gathering();
            let finished = gathering.finished();
            let mut standing = json!(MatchScore::of_match(&finished.tally));
            standing["pair"] = json!(gathering.wanted() - 1);
            standing["pairs"] = json!(gathering.pairs());
            standing["llr"] = json!(finished.llr);
            standing
        };
        to_python(py, &standing)
    }

    /// The figures of the match.
    fn finish(&self) -> Match {
        Match(self.gathering().to_json())
    }
}

impl Gathered {
    fn gathering(&self) -> MutexGuard<'_, Gathering> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The arms of an experiment: name, pairs, log and whether it is complete.
#[pyfunction]
pub(crate) fn experiment_arms<'py>(py: Python<'py>, file: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    let layout = Layout::open(&file).map_err(failed)?;
    let mut arms = Vec::new();
    for status in layout.status() {
        let pairs = layout.experiment().pairs_of(status.plan);
        let played = status.logged.transpose().map_err(failed)?.map_or(0, |logged| logged.pairs.len() as u64);
        let is_complete = layout.is_packed(status.plan) && played >= pairs;
        let log = layout.log(status.plan).map(|path| path.display().to_string());
        arms.push(json!({ "name": status.plan.name, "pairs": pairs, "complete": is_complete, "log": log }));
    }
    to_python(py, &Value::from(arms))
}

/// The log of an arm, which can be gone on with; a packed one is unpacked.
#[pyfunction]
pub(crate) fn unpack_arm(file: PathBuf, arm: &str) -> PyResult<PathBuf> {
    of_arm(&file, |layout| {
        layout.register()?;
        layout.unpacked(layout.experiment().arm(arm)?)
    })
}

/// Packs the log of a complete arm; its new place.
#[pyfunction]
pub(crate) fn pack_arm(file: PathBuf, arm: &str) -> PyResult<PathBuf> {
    of_arm(&file, |layout| {
        let plan = layout.experiment().arm(arm)?;
        layout.pack(plan).map(|()| layout.log(plan))
    })?
    .ok_or_else(|| refused(format!("{arm}: no log")))
}

fn of_arm<T>(file: &Path, work: impl FnOnce(&Layout) -> Result<T, RunError>) -> PyResult<T> {
    work(&Layout::open(file).map_err(failed)?).map_err(failed)
}
