//! What the results of a match mean.

use std::path::{Path, PathBuf};

use drawish::pgn::Input;
use drawish::report::text::sprt as text;
use drawish::results::{Against, Choice, Run, Source, judge, read_all};
use drawish::stats::{Analysis, Counted, MOST_RESULTS, Model, Pentanomial, Results, Sprt, Trinomial};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};
use serde_json::{Value, json};

use crate::errors::{failed, refused};
use crate::figures::{attribute, names, to_python};
use crate::work::watched;

/// What the results of a match mean: its figures are attributes, ``None`` where they are not defined.
///
/// ``games``, ``score``, ``elo``, ``elo_error``, ``elo_low``, ``elo_high``, ``nelo``, ``nelo_error``, ``los``, ``draw_ratio``,
/// ``pairs_ratio``, ``counts``, ``distinct_counts`` (without pairs that are the same games twice, as they are judged); with a test ``test_from`` ("arguments", "log" or "printed"), ``model``, ``elo0``, ``elo1``, ``llr``, ``lower``, ``upper``,
/// ``decision`` ("H0", "H1" or "continue") and ``sequential``, the Elo with account taken of the stop; with ``equivalence`` its p-values; of several runs ``same_match``, the
/// p-value of their being one match (of those against several opponents, within each of these).
#[pyclass(frozen, module = "drawish")]
pub(crate) struct Verdict(Value);

#[pymethods]
impl Verdict {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        attribute(py, "Verdict", &self.0, name)
    }

    fn __dir__(&self) -> Vec<String> {
        [names(&self.0), vec!["to_dict".to_owned()]].concat()
    }

    /// All figures by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __repr__(&self) -> String {
        let figure = |name: &str| self.0[name].as_f64();
        let llr = figure("llr").map_or(String::new(), |llr| {
            format!(", LLR {llr:.2}: {}", self.0["decision"].as_str().unwrap_or_default())
        });
        let error = figure("elo_error").map_or("?".to_owned(), |error| format!("{error:.1}"));
        let elo = figure("elo").unwrap_or_default();
        format!("<drawish.Verdict: {} games, Elo {elo:.1} +/- {error}{llr}>", self.0["games"])
    }
}

/// Results: counts of five kinds of pairs or three of games, or files and texts.
#[derive(FromPyObject)]
enum Given<'py> {
    Counts(Vec<u64>),
    Text(String),
    Path(PathBuf),
    Several(Vec<Bound<'py, PyAny>>),
}

/// Lists of results stand within each other so deep at most: a list that holds itself has no end.
const DEEPEST: usize = 8;

/// Whom the side has played against.
#[derive(FromPyObject)]
pub(crate) enum Opponents {
    One(String),
    Several(Vec<String>),
}

/// Judges the results of a match: Elo, LOS, and with ``elo0`` and ``elo1`` a sequential test.
///
/// ``results`` are five counts of pairs with 0, 1/2, 1, 3/2 and 2 points, three counts of games won, drawn and lost, a file with a match log of
/// drawish or PGN, or what fastchess, cutechess, OpenBench and fishtest print, as a file or as the text itself. A list
/// of such adds several runs. Without ``elo0`` and ``elo1`` the test counts that a match log
/// names or that is printed with the results. ``alpha`` and ``beta`` (0.05) are the error rates of a test that is given, and ``model`` is the scale of its bounds: "normalized" (where nothing is given), "logistic" or "bayesian". ``first`` names the side
/// whose Elo is meant; where there are more than two engines, as in PGN and the logs of tournaments, ``against`` is its opponent, or a list of
/// them, or "all". ``equivalence`` is a margin in Elo. Read ``remarks`` of the verdict before its figures: they say which games were left out, and what
/// speaks against the figures.
///
/// >>> verdict = drawish.sprt([50, 287, 610, 387, 73], elo0=0, elo1=5)
/// >>> verdict
/// <drawish.Verdict: 2814 games, Elo 18.0 +/- ..., LLR ...: H1>
/// >>> round(verdict.los, 4)
/// 1.0
/// >>> drawish.sprt("Ptnml(0-2): [50, 287, 610, 387, 73]").elo == verdict.elo
/// True
#[pyfunction]
#[pyo3(signature = (results, *, elo0=None, elo1=None, alpha=None, beta=None, model=None, equivalence=None, first=None, against=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub(crate) fn sprt(
    py: Python<'_>,
    results: &Bound<'_, PyAny>,
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<&str>,
    equivalence: Option<f64>,
    first: Option<String>,
    against: Option<Opponents>,
) -> PyResult<Verdict> {
    let against = Against::of_names(match against {
        None => Vec::new(),
        Some(Opponents::One(name)) => vec![name],
        Some(Opponents::Several(names)) => names,
    });
    let choice = Choice { first, against };
    let test = match (elo0, elo1) {
        (Some(elo0), Some(elo1)) => {
            let model = self::model(model.unwrap_or("normalized"))?;
            Some(Sprt::new(model, elo0, elo1, alpha.unwrap_or(0.05), beta.unwrap_or(0.05)).map_err(failed)?)
        }
        // The test that the results name has its own.
        (None, None) if alpha.is_some() || beta.is_some() || model.is_some() => {
            return Err(refused("alpha, beta and model are those of a test with elo0 and elo1: give these, too"));
        }
        (None, None) => None,
        _ => return Err(refused("a test needs both elo0 and elo1")),
    };
    let mut sources = Vec::new();
    gather(results, DEEPEST, &mut sources)?;
    let judged = watched(py, None, |_| {
        let read = read_all(&sources, &choice).map_err(failed)?;
        Ok((judge(&read, test, equivalence).map_err(failed)?, read))
    })?;
    judged.map(|(found, runs)| Verdict(figures(&found, &runs)))
}

/// Gathers the sources of results.
fn gather(given: &Bound<'_, PyAny>, deep: usize, sources: &mut Vec<Source>) -> PyResult<()> {
    // Bytes are numbers, too: three of them would be games won, drawn and lost.
    let is_bytes = given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>();
    if is_bytes || given.is_instance_of::<PyMemoryView>() {
        return Err(PyTypeError::new_err("bytes are no results: decode them, or give the file that they are from"));
    }
    match given.extract::<Given<'_>>() {
        Ok(Given::Counts(numbers)) => sources.push(Source::Counts(counted(&numbers)?)),
        Ok(Given::Text(text)) if !Path::new(&text).exists() => sources.push(Source::Text(text)),
        Ok(Given::Text(path)) => sources.push(Source::Input(Input::File(path.into()))),
        Ok(Given::Path(path)) => sources.push(Source::Input(Input::File(path))),
        Ok(Given::Several(several)) => {
            let Some(deep) = deep.checked_sub(1) else {
                return Err(refused(format!("lists of results within each other, {DEEPEST} deep: give one list")));
            };
            several.iter().try_for_each(|given| gather(given, deep, sources))?;
        }
        Err(_) => {
            let found = given.repr().map_or_else(|_| given.get_type().to_string(), |repr| repr.to_string());
            let found = found.chars().take(60).collect::<String>();
            return Err(PyTypeError::new_err(format!(
                "{found}: expected counts, which are whole numbers from 0, text, the name of a file, or a list of these"
            )));
        }
    }
    Ok(())
}

fn counted(numbers: &[u64]) -> PyResult<Counted> {
    if let Some(number) = numbers.iter().find(|number| **number > MOST_RESULTS) {
        return Err(refused(format!("{number} results: expected at most 1,000,000,000,000,000")));
    }
    match *numbers {
        [ll, ld, wl_dd, wd, ww] => Ok(Counted { pairs: Some(Pentanomial { ll, ld, wl_dd, wd, ww }), games: None }),
        [wins, draws, losses] => Ok(Counted { pairs: None, games: Some(Trinomial { wins, draws, losses }) }),
        _ => Err(refused(format!(
            "{} counts: expected 5 of pairs (0, 1/2, 1, 3/2 and 2 points) or 3 of games (won, drawn and lost)",
            numbers.len()
        ))),
    }
}

/// A model of tests by its name.
pub(crate) fn model(name: &str) -> PyResult<Model> {
    Model::ALL
        .into_iter()
        .find(|model| model.name() == name)
        .ok_or_else(|| refused(format!("model={name:?}: expected one of {}", Model::ALL.map(Model::name).join(", "))))
}

/// What `drawish sprt --json` prints, and the parts of its sources that are asked for most.
fn figures(found: &Analysis, runs: &[Run]) -> Value {
    let mut value = text::json(found, runs);
    value["kind"] = json!(if matches!(found.pool.results, Results::Pairs(_)) { "pairs" } else { "games" });
    value["sides"] = json!(runs.iter().find_map(|run| run.sides.as_ref()));
    let remark = |run: &Run| run.remarks.iter().map(|remark| format!("{}: {remark}", run.name)).collect::<Vec<_>>();
    value["remarks"] = json!(runs.iter().flat_map(remark).collect::<Vec<_>>());
    value
}
