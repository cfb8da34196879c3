//! Counts of results per pawn structure.

use std::path::PathBuf;

use drawish::Kind;
use drawish::collect::Collect;
use drawish::core::Wdl;
use drawish::counts::{CountsFile, Shard};
use drawish::frames::{c_stream, counts_frame};
use drawish::smooth::{Estimator, estimate};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::errors::{failed, of_content, read_file, refused, warn_of, write_file};
use crate::figures::array;
use crate::pickle::{Reduced, reduce};
use crate::position::Structure;
use crate::rule::{Paths, ledger, rule, scheme};
use crate::table::Table;
use crate::work::{threads, watched};

/// Wins, draws and losses of White for each pawn structure, with the rule and the inputs they come from.
///
/// Counts of the same rule are added by ``+``, which refuses an input that is already in. They are compared by ``==``, pickled,
/// and taken by every library of data frames that knows Arrow: ``polars.DataFrame(counts)``, ``pyarrow.table(counts)``.
///
/// >>> counts = drawish.collect(sample)
/// >>> counts
/// <drawish.Counts bg: 1,692 of 3,000 games>
/// >>> counts.total
/// (668, 289, 735)
/// >>> counts.to_polars().columns
/// ['cell', 'white_files', 'black_files', 'wins', 'draws', 'losses']
#[pyclass(frozen, eq, module = "drawish")]
pub(crate) struct Counts {
    file: CountsFile,
    problems: Vec<String>,
}

/// What was said of the inputs when they were read is no part of the counts.
impl PartialEq for Counts {
    fn eq(&self, other: &Counts) -> bool {
        self.file == other.file
    }
}

/// Counts wins, draws and losses per pawn structure in games.
///
/// ``paths`` is a PGN file or a list of them, plain or packed (gzip, zstd, bzip2), directories, ``.tar`` archives or patterns, or
/// training data (``.binpack``, ``.viri``; ``.bullet`` with ``sample="positions"``). ``scheme`` says how structures are numbered. By default one position a game counts: the one before White's 50th move, in games of at least 60
/// moves. Other keyword arguments change that, see the guide: ``sample`` ("at", "one-random-ply", "every" or "positions"), ``at``,
/// ``from_move``, ``min_moves``, ``min_plies``, ``variant``, ``fen_starts``, ``dedupe`` (or "lines"), ``replay``, ``min_elo``, ``max_elo``,
/// ``max_elo_diff``, ``player``, ``white``, ``black``, ``event``, ``time_control``, ``date_from``, ``date_to``, ``termination``.
///
/// ``progress(bytes, games)`` is called some times a second; an exception that it raises ends the run. ``threads`` changes
/// nothing in the counts. What is wrong with an input is issued as InputWarning, and stands in ``Counts.problems``.
///
/// >>> counts = drawish.collect(sample, min_moves=80, at=70)
/// >>> counts.ledger
/// {'games': 3000, 'counted': 601, 'positions': 601, 'skipped': {'too-short': 2399}}
#[pyfunction]
#[pyo3(signature = (paths, scheme="bg", *, threads=None, progress=None, **what_counts))]
pub(crate) fn collect(
    py: Python<'_>,
    paths: Paths,
    scheme: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    what_counts: Option<&Bound<'_, PyDict>>,
) -> PyResult<Counts> {
    let (rule, scheme, threads) = (rule(what_counts)?, self::scheme(scheme)?, self::threads(threads)?);
    let inputs = paths.inputs()?;
    let collected = watched(py, progress.as_ref(), |watch| {
        let progress = |bytes, games| watch.read(bytes, games);
        Collect::new(inputs).rule(rule).scheme(scheme).threads(threads).progress(&progress).run()
    })?;
    let collected = collected.map_err(failed)?;
    let problems = collected.problems.lines("counted");
    warn_of(py, &problems)?;
    Ok(Counts { file: collected.file, problems })
}

impl Counts {
    /// One of the results of each cell, as an array.
    fn column<'py>(&self, py: Python<'py>, of: impl Fn(Wdl) -> u64) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.file.counts.iter().flat_map(|(_, wdl)| of(wdl).to_le_bytes()).collect();
        array(py, &bytes, "<u8")
    }
}

#[pymethods]
impl Counts {
    /// Reads a file of counts.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Counts> {
        let bytes = read_file(&path)?;
        let file = CountsFile::from_bytes(&bytes).map_err(|error| of_content(&path, &bytes, Kind::Counts, error))?;
        Ok(Counts { file, problems: Vec::new() })
    }

    /// The counts whose file has these bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Counts> {
        Ok(Counts { file: CountsFile::from_bytes(bytes).map_err(failed)?, problems: Vec::new() })
    }

    /// Writes the file that ``drawish collect`` writes, whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("counts")) {
            return Err(refused(format!("{}: expected a name that ends in .counts", path.display())));
        }
        write_file(&path, &self.file.to_bytes())
    }

    /// The bytes of that file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.file.to_bytes())
    }

    /// The name of the scheme in which structures are numbered.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.file.counts.scheme().name()
    }

    /// The rule of counting, as a line of the program's options.
    #[getter]
    fn rule(&self) -> String {
        self.file.rule.to_string()
    }

    /// The programs that had a part in it.
    #[getter]
    fn made_by(&self) -> Vec<String> {
        self.file.made_by.clone()
    }

    /// White's wins, draws and White's losses of all cells together.
    #[getter]
    fn total(&self) -> (u64, u64, u64) {
        let Wdl { wins, draws, losses } = self.file.counts.total();
        (wins, draws, losses)
    }

    /// The share of draws, or ``None`` without games.
    #[getter]
    fn draw_rate(&self) -> Option<f64> {
        self.file.counts.total().draw_rate()
    }

    /// White's wins in each cell, as an array of numpy.
    #[getter]
    fn wins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |wdl| wdl.wins)
    }

    /// Draws in each cell, as an array of numpy.
    #[getter]
    fn draws<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |wdl| wdl.draws)
    }

    /// White's losses in each cell, as an array of numpy.
    #[getter]
    fn losses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |wdl| wdl.losses)
    }

    /// Every game that was read: ``games`` = ``counted`` + all that were ``skipped``, each for one reason.
    #[getter]
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        ledger(py, &self.file.tally())
    }

    /// The inputs, each with its name, digest, length and ledger, and with the reason if it is broken.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let input = |shard: &Shard| {
            let dict = PyDict::new(py);
            dict.set_item("name", &shard.name)?;
            dict.set_item("xxh3_128", format!("{:032x}", shard.digest))?;
            dict.set_item("bytes", shard.file_bytes)?;
            dict.set_item("broken", &shard.broken)?;
            dict.update(ledger(py, &shard.tally)?.as_mapping())?;
            Ok(dict)
        };
        self.file.shards.iter().map(input).collect()
    }

    /// What the run that made these counts had to say of its inputs; empty of counts that were read or added.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    /// What was counted for a structure: a FEN, of which only the pawns matter, or the squares of White's and Black's pawns as two
    /// numbers, a1 being bit 0.
    ///
    /// >>> counts = drawish.collect(sample)
    /// >>> counts.lookup((0x4100, 0x41000000000000))
    /// {'cell': 2080, 'white_files': 'g', 'black_files': 'g', 'wins': 2, 'draws': 3, 'losses': 1}
    fn lookup<'py>(&self, py: Python<'py>, structure: Structure) -> PyResult<Bound<'py, PyDict>> {
        let (pawns, dict) = structure.describe(py, self.file.counts.scheme())?;
        let Wdl { wins, draws, losses } = self.file.counts.get(self.file.counts.scheme().index(pawns));
        dict.set_item("wins", wins)?;
        dict.set_item("draws", draws)?;
        dict.set_item("losses", losses)?;
        Ok(dict)
    }

    /// Estimates the draw probability of every structure: by ``eb-sym`` (empirical Bayes, structures that are each other's colour
    /// swap or mirror image taken together), ``eb``, ``laplace`` or ``raw``. Counts of several positions a game are an
    /// :class:`InputWarning`: the intervals take them for independent.
    ///
    /// >>> table = drawish.collect(sample).table()
    /// >>> table.base
    /// 0.170...
    #[pyo3(signature = (estimator="eb-sym"))]
    fn table(&self, py: Python<'_>, estimator: &str) -> PyResult<Table> {
        let found = Estimator::ALL.into_iter().find(|known| known.name() == estimator);
        let estimator = found.ok_or_else(|| {
            let names: Vec<_> = Estimator::ALL.iter().map(|known| known.name()).collect();
            refused(format!("estimator={estimator:?}: expected one of {}", names.join(", ")))
        })?;
        let estimates = estimate(&self.file.counts, estimator).map_err(failed)?;
        let remark = drawish::report::text::counts::dependence(&self.file);
        warn_of(
            py,
            &remark.into_iter().map(|remark| format!("{remark}: sample=\"one-random-ply\"")).collect::<Vec<_>>(),
        )?;
        Table::made(drawish::export::Table::new(&estimates, &self.file))
    }

    /// The counts as a table of pyarrow, a row for each cell.
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The counts as a data frame of polars, a row for each cell.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The counts as a stream of Arrow, for libraries of data frames.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the protocol allows to leave it unheeded
        let frame = counts_frame(&self.file.counts).map_err(failed)?;
        PyCapsule::new_with_value(py, c_stream(frame, std::iter::empty()), c"arrow_array_stream")
    }

    fn __add__(&self, other: &Counts) -> PyResult<Counts> {
        let mut file = self.file.clone();
        file.merge(other.file.clone()).map_err(failed)?;
        Ok(Counts { file, problems: Vec::new() })
    }

    fn __len__(&self) -> usize {
        self.file.counts.scheme().cells() as usize
    }

    fn __repr__(&self) -> String {
        let tally = self.file.tally();
        let grouped = drawish::stats::numbers::grouped;
        format!("<drawish.Counts {}: {} of {} games>", self.scheme(), grouped(tally.counted()), grouped(tally.games()))
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let bytes = slf.get().to_bytes(slf.py());
        reduce(slf.get_type(), "from_bytes", bytes)
    }
}
