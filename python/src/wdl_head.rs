//! WDL heads: positions with evaluations, the head that is fitted to them, and how it does on games held out.

use std::path::PathBuf;

use drawish::Kind;
use drawish::fit::export::{HeadsFormat, HeadsOf};
use drawish::fit::wdl_head::{Choice, CompareWdl, Positions, TuneWdl, WdlTerms, Weighting};
use drawish::heads::WdlHead;
use drawish::rows::Gather;
use drawish::sample::{Rule, Sampling, Tally};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{failed, of_content, of_file, read_file, refused, warn_of, write_file};
use crate::figures::to_python;
use crate::heads::Heads;
use crate::pickle::{Reduced, reduce};
use crate::rule::{Paths, ledger, variant, view};
use crate::work::{threads, watched};

/// Positions of games with the evaluations of their comments, as WDL heads are fitted to them; some 160 bytes each, in memory.
#[pyclass(frozen, name = "WdlPositions", module = "drawish._drawish")]
pub(crate) struct WdlPositions {
    positions: Positions,
    tally: Tally,
    problems: Vec<String>,
}

/// Reads positions with evaluations from games, as ``drawish wdl head`` does.
///
/// Every position from move ``from_move`` on counts, or one in ``every``, if its evaluation is at most ``max_eval`` centipawns.
/// With ``weigh="game"`` all games weigh the same, with "position" all positions. Training data may stand in the place of games.
/// ``eval_view`` is "white", "mover" or "to-move" where evaluations are not from the view that their style has.
///
/// >>> positions = drawish.wdl.positions(sample, every=8)
/// >>> positions.ledger["counted"]
/// 3000
#[pyfunction]
#[pyo3(signature = (paths, *, from_move=None, every=1, max_eval=1000, weigh="game", variant=None, fen_starts=true, eval_view="auto",
    threads=None,    progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub(crate) fn wdl_positions(
    py: Python<'_>,
    paths: Paths,
    from_move: Option<u32>,
    every: u16,
    max_eval: i32,
    weigh: &str,
    variant: Option<&str>,
    fen_starts: bool,
    eval_view: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<WdlPositions> {
    if from_move == Some(0) {
        return Err(refused("moves are numbered from 1 on"));
    }
    if every == 0 {
        return Err(refused("every=0: expected 1 or more"));
    }
    let weightings = [Weighting::Game, Weighting::Position];
    let weighting = weightings.into_iter().find(|weighting| weighting.name() == weigh);
    let weighting = weighting.ok_or_else(|| refused(format!("weigh={weigh:?}: expected game or position")))?;
    let (inputs, threads) = (paths.inputs()?, self::threads(threads)?);
    let view = view(eval_view, &inputs)?;
    let loose = inputs.iter().filter(|input| input.is_of_positions()).count();
    let rule = if loose == 0 {
        let mut rule = Rule { fen_starts, ..Rule::of_wdl_head() };
        rule.sampling = from_move.map_or(rule.sampling, |from| Sampling::Every { from });
        rule.variant = variant.map_or(Ok(rule.variant), self::variant)?;
        rule
    } else if loose < inputs.len() {
        return Err(refused("some inputs hold games, others positions without games: take one kind"));
    } else if from_move.is_some() || variant.is_some() || !fen_starts {
        return Err(refused("these inputs hold positions without games: from_move, variant and fen_starts need games"));
    } else {
        Rule::of_positions()
    };
    let choice = Choice { largest_eval: max_eval, every, weighting };
    let read = watched(py, progress.as_ref(), |watch| {
        let progress = |bytes, games| watch.read(bytes, games);
        Positions::of_games(Gather::new(inputs).rule(rule).view(view).threads(threads).progress(&progress), choice)
    })?;
    let (positions, gathered) = read.map_err(failed)?;
    let problems = gathered.problems.lines("used");
    warn_of(py, &problems)?;
    Ok(WdlPositions { positions, tally: gathered.tally, problems })
}

#[pymethods]
impl WdlPositions {
    /// Games that they are of.
    #[getter]
    fn games(&self) -> usize {
        self.positions.games()
    }

    /// White's wins, draws and White's losses among the positions.
    #[getter]
    fn total(&self) -> (u64, u64, u64) {
        let results = self.positions.results();
        (results.wins, results.draws, results.losses)
    }

    /// Every game that was read: ``games`` = ``counted`` + all that were ``skipped``.
    #[getter]
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        ledger(py, &self.tally)
    }

    /// What there is to say of single inputs.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }

    fn __repr__(&self) -> String {
        let grouped = |number: usize| drawish::stats::numbers::grouped(number as u64);
        format!("<drawish.wdl.Positions: {} of {} games>", grouped(self.positions.len()), grouped(self.games()))
    }
}

/// A WDL head: win, draw and loss from an engine's own evaluation and the position on the board.
///
/// >>> head = drawish.wdl.fit_head(drawish.wdl.positions(sample, every=8))
/// >>> head.save(directory / "mine.h")
/// >>> win, draw, loss = head.heads().wdl("8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60", 90)
/// >>> win + draw + loss
/// 1000
#[pyclass(frozen, module = "drawish.wdl")]
pub(crate) struct Head {
    head: WdlHead,
}

/// Fits a WDL head to positions, as ``drawish wdl head`` does.
///
/// ``towards`` is the head of another engine: for an engine with few games, weights are held back towards those of that head
/// instead of towards 0.
#[pyfunction]
#[pyo3(signature = (positions, *, towards=None, threads=None))]
pub(crate) fn fit_head(
    py: Python<'_>,
    positions: &Bound<'_, WdlPositions>,
    towards: Option<&Bound<'_, Head>>,
    threads: Option<usize>,
) -> PyResult<Head> {
    let (positions, threads) = (&positions.get().positions, self::threads(threads)?);
    let beside = towards.map(|head| head.get().head.clone());
    let tuned = watched(py, None, |_| TuneWdl::new(positions).towards(beside).threads(threads).run())?;
    let tuned = tuned.map_err(failed)?;
    let known = towards.and_then(|head| positions.known_games(&head.get().head));
    warn_of(py, &known.map(|remark| format!("towards: {remark}")).into_iter().collect::<Vec<_>>())?;
    Ok(Head { head: tuned.head })
}

/// Judges a WDL head on games held out, beside Stockfish's model fitted to its own optimum, as ``drawish wdl head --compare`` does.
///
/// Folds hold out openings and events at once, or with ``folds_by="game"`` games alone. ``steps`` judges each step from the
/// evaluation alone to the whole head. The figures are those of the program's JSON: ``verdicts`` with the loss in bits, the gain
/// over Stockfish's model with its error, and the calibration of win, draw and loss.
#[pyfunction]
#[pyo3(signature = (positions, *, folds=5, folds_by="opening-event", steps=false, towards=None, threads=None))]
pub(crate) fn compare_head<'py>(
    py: Python<'py>,
    positions: &Bound<'_, WdlPositions>,
    folds: usize,
    folds_by: &str,
    steps: bool,
    towards: Option<&Bound<'_, Head>>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let by_game = match folds_by {
        "opening-event" => false,
        "game" => true,
        _ => return Err(refused(format!("folds_by={folds_by:?}: expected opening-event or game"))),
    };
    let mut compare = CompareWdl::new(&positions.get().positions).folds(folds).by_game(by_game);
    compare = compare.threads(self::threads(threads)?).towards(towards.map(|head| head.get().head.clone()));
    if !steps {
        compare = compare.contenders(vec![("WDL head".to_owned(), WdlTerms::built_in())]);
    }
    let compared = watched(py, None, |_| compare.run())?.map_err(failed)?;
    to_python(py, &serde_json::json!(compared))
}

#[pymethods]
impl Head {
    /// Reads a head as TOML, as ``save`` and ``drawish wdl head`` write it.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Head> {
        let bytes = read_file(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let head = WdlHead::from_toml(&text).map_err(|error| of_content(&path, &bytes, Kind::WdlHead, error))?;
        Ok(Head { head })
    }

    /// The head of a text as ``to_toml`` gives it.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Head> {
        Ok(Head { head: WdlHead::from_toml(text).map_err(failed)? })
    }

    /// Writes the head in the form that the ending of the name chooses: .toml to read and keep, .heads for engines, .h for C and C++,
    /// .rs for Rust.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let format = HeadsFormat::of(&path).ok_or_else(|| {
            refused(format!("{}: expected a name that ends in .toml, .heads, .h or .rs", path.display()))
        })?;
        let name = path.file_stem().map_or_else(|| "heads".into(), |stem| stem.to_string_lossy());
        let bytes = format.bytes(&self.head, &name).map_err(|error| of_file(&path, error))?;
        write_file(&path, &bytes)
    }

    /// The text of the TOML file.
    fn to_toml(&self) -> PyResult<String> {
        self.head.to_toml().map_err(failed)
    }

    /// Everything that the TOML file holds: terms, weights, losses, games.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &serde_json::json!(self.head))
    }

    /// The head as an engine has it, in integers, to be asked about positions.
    fn heads(&self) -> PyResult<Heads> {
        Heads::made(HeadsOf::from(&self.head).to_binary().map_err(failed)?)
    }

    /// What a user should know of the fit; empty for the file of an earlier build, which did not keep it.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.head.warnings.clone()
    }

    fn __repr__(&self) -> String {
        let grouped = |number: usize| drawish::stats::numbers::grouped(number as u64);
        format!("<drawish.wdl.Head: {} positions of {} games>", grouped(self.head.rows), grouped(self.head.games))
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let text = slf.get().to_toml()?;
        reduce(slf.get_type(), "from_toml", text)
    }
}
