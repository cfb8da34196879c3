//! Matches between two engines.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use drawish::arena::{EngineLog, Figure, Limits, LogError, MatchScore};
use drawish::contest::{ArmSettings, Contest, Engine, Event, Openings, Plays, Program, Terms};
use drawish::report::text::playing::oddities;
use drawish::stats::Sprt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::errors::{failed, refused, warn_of};
use crate::figures::{attribute, names, to_python};
use crate::sprt::model;
use crate::work::{threads, watched};

/// Where a match stands when it has ended: its figures are attributes, ``None`` where they are not defined.
///
/// ``games``, ``wins``, ``draws``, ``losses``, ``pentanomial``, ``distinct_pentanomial`` (without the ``repeated_pairs``, as it is judged), ``score``, ``elo``, ``elo_error``, ``elo_low``, ``elo_high``,
/// ``nelo``, ``los``, ``draw_ratio``; with a test ``test`` (a dict with its ``model``, bounds and errors), ``llr``, ``lower``, ``upper``,
/// ``decision`` and ``sequential``; ``faults`` has the games that each side lost by crashing, stalling and the like; ``setup`` has the terms of play.
#[pyclass(frozen, module = "drawish")]
pub(crate) struct Match(pub(crate) Value);

#[pymethods]
impl Match {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        attribute(py, "Match", &self.0, name)
    }

    fn __dir__(&self) -> Vec<String> {
        [names(&self.0), vec!["to_dict".to_owned()]].concat()
    }

    /// All figures by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __repr__(&self) -> String {
        let name = |side: usize| self.0["setup"]["sides"][side]["name"].as_str().unwrap_or("?").to_owned();
        let elo = self.0["elo"].as_f64().unwrap_or_default();
        format!("<drawish.Match {} against {}: {} games, Elo {elo:.1}>", name(0), name(1), self.0["games"])
    }
}

/// Where games begin: a file, or so many random half-moves.
#[derive(FromPyObject)]
pub(crate) enum Begin {
    Random(u32),
    File(PathBuf),
}

impl From<Begin> for Openings {
    fn from(begin: Begin) -> Openings {
        match begin {
            Begin::Random(plies) => Openings::Random(plies),
            Begin::File(path) => Openings::from(path),
        }
    }
}

/// The test that ends a match: its bounds, or all of it by names.
#[derive(FromPyObject)]
pub(crate) enum Test<'py> {
    Bounds(f64, f64),
    Named(Bound<'py, PyDict>),
    Asked(bool),
}

/// Plays a match: every opening with both colours, judged by pairs. Elo is that of the first engine.
///
/// An engine is a dict: of an arm of drawish's own engine ``{"arm": "draw-table", "table": "rival"}`` with the settings of
/// ``drawish match``, or of a program that speaks UCI ``{"cmd": "./engine", "options": {"Hash": 16}}``, also with ``args``, ``dir``,
/// ``restart`` and ``ponder``; either with a ``name`` and limits of its own. ``openings`` is a file of EPD, FEN or PGN, or a number of random
/// half-moves. Moves are limited by ``nodes``, ``depth``, ``movetime`` (seconds) or ``tc`` ("8+0.08").
///
/// ``sprt`` ends the match when it is decided: ``(elo0, elo1)``, or a dict that may also have ``alpha``, ``beta`` and ``model``.
/// ``log`` keeps every finished pair; with ``resume`` only what it lacks is played. A match that is resumed without ``sprt`` is ended by the
/// test that its log names, with ``sprt=False`` by none; another test than that of the log is an :class:`InputWarning`, and so is an opening that is left out. ``progress(standing)`` is called some times a
/// second with a dict of ``pair``, ``games``, ``elo`` and so on; an exception that it raises, and an interrupt, ends the match after
/// the pairs that are being played, and what is finished is in the log.
///
/// ``pgn`` is a file for the games. ``pgn_with`` adds figures of each search to log and games, of "nps", "hashfull", "tbhits", "timeleft" and
/// "latency", ``pgn_min`` leaves moves and results alone, and ``pgn_append`` appends to the games that the file holds already.
/// ``engine_log`` is a file for every line that engines are sent and write: a new one, unless ``engine_log_append`` or ``resume`` is
/// given.
///
/// >>> table = {"arm": "draw-table", "table": "rival", "hash": 1}
/// >>> plain = {"arm": "none", "hash": 1}
/// >>> played = drawish.play(table, plain, openings=6, pairs=2, nodes=50, seed=7)
/// >>> played.games, sum(played.pentanomial)
/// (4, 2)
#[pyfunction]
#[pyo3(signature = (first, second, *, openings, pairs=None, nodes=None, depth=None, movetime=None, tc=None, seed=None, workers=None,
    sprt=None, log=None, resume=false, pgn=None, pgn_with=Vec::new(), pgn_min=false, pgn_append=false, engine_log=None,
    engine_log_append=false, repeat_openings=false, allow_equal=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub(crate) fn play(
    py: Python<'_>,
    first: &Bound<'_, PyDict>,
    second: &Bound<'_, PyDict>,
    openings: Begin,
    pairs: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    movetime: Option<f64>,
    tc: Option<&str>,
    seed: Option<u64>,
    workers: Option<usize>,
    sprt: Option<Test<'_>>,
    log: Option<PathBuf>,
    resume: bool,
    pgn: Option<PathBuf>,
    pgn_with: Vec<String>,
    pgn_min: bool,
    pgn_append: bool,
    engine_log: Option<PathBuf>,
    engine_log_append: bool,
    repeat_openings: bool,
    allow_equal: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Match> {
    if resume && log.is_none() {
        return Err(refused("resume needs the log of the match that it resumes"));
    }
    let mut terms = Terms::new(openings);
    terms.pairs = pairs;
    terms.seed = seed;
    terms.limits = limits(nodes, depth, movetime, tc)?;
    terms.workers = Some(threads(workers)?);
    terms.repeat_openings = repeat_openings;
    let figure = |name: &String| {
        let found = name.parse::<Figure>();
        found.map_err(|error| refused(format!("pgn_with={name:?}: {error}")))
    };
    terms.writing.figures = pgn_with.iter().map(figure).collect::<PyResult<_>>()?;
    (terms.writing.brief, terms.writing.append) = (pgn_min, pgn_append);
    if pgn_append && pgn.is_none() {
        return Err(refused("pgn_append needs the file to append to: name it by pgn"));
    }
    let mut contest = Contest::with_terms([engine(first)?, engine(second)?], terms);
    contest.untested = matches!(sprt, Some(Test::Asked(false)));
    contest.sprt = sprt.filter(|_| !contest.untested).map(|test| test.sprt()).transpose()?;
    (contest.log, contest.resume, contest.pgn, contest.allow_equal) = (log, resume, pgn, allow_equal);
    contest.check().map_err(failed)?;
    let may_append = engine_log_append || resume;
    contest.terms.engine_log = engine_log.map(|path| dialogue(&path, may_append, &contest)).transpose()?;
    let mut said = Vec::new();
    let played = watched(py, progress.as_ref(), |watch| {
        contest.run(|event| {
            said.extend(odd(&event));
            if let Event::Pair { record, tally, llr } = event {
                watch.tell(|| {
                    let mut standing = json!(MatchScore::of_match(tally));
                    standing["pair"] = json!(record.pair);
                    standing["llr"] = json!(llr);
                    vec![standing]
                });
            }
            if watch.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })?;
    warn_of(py, &said)?;
    Ok(Match(played.map_err(failed)?.to_json()))
}

/// What is odd about openings, tables and engines; that openings are made is not.
pub(crate) fn odd(event: &Event<'_>) -> Vec<String> {
    if matches!(event, Event::Making(_)) { Vec::new() } else { oddities(event) }
}

/// The file for the dialogue with the engines of a match, which must be none of its other files.
fn dialogue(path: &Path, may_append: bool, contest: &Contest) -> PyResult<EngineLog> {
    if !contest.engines.iter().any(|engine| matches!(engine.plays, Plays::Program(_))) {
        return Err(refused(
            "arms search within this process and have no dialogue: leave out engine_log, or name an engine by cmd",
        ));
    }
    let openings = match &contest.terms.openings {
        Openings::File { input, .. } => input.file(),
        _ => None,
    };
    let used = [contest.log.as_deref(), contest.pgn.as_deref(), openings];
    if used.into_iter().flatten().any(|other| is_same(path, other)) {
        return Err(refused(format!("engine_log={}: the match reads or writes this file already", path.display())));
    }
    // A full disk is no reason to lose a match, and there is no thread to warn on.
    EngineLog::open(path, may_append, |_, _| {}).map_err(|error| match error {
        LogError::Dialogue { .. } => refused(format!("{error}, by engine_log_append=True")),
        error => failed(error),
    })
}

/// Whether two names are those of one file, which need not be there yet.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or(path.to_owned());
    whole(one) == whole(other)
}

impl Test<'_> {
    pub(crate) fn sprt(&self) -> PyResult<Sprt> {
        let test = match self {
            &Test::Bounds(elo0, elo1) => Sprt::new(model("normalized")?, elo0, elo1, 0.05, 0.05),
            Test::Asked(_) => return Err(refused("a test needs both elo0 and elo1: expected (elo0, elo1) or a dict")),
            Test::Named(named) => {
                let known = ["elo0", "elo1", "alpha", "beta", "model"];
                check_names(named, &known, "the test")?;
                let number = |name: &str| named.get_item(name)?.map(|value| value.extract::<f64>()).transpose();
                let bound = |name: &str| number(name)?.ok_or_else(|| refused("a test needs both elo0 and elo1"));
                let name: Option<String> = named.get_item("model")?.map(|value| value.extract()).transpose()?;
                let model = model(name.as_deref().unwrap_or("normalized"))?;
                let [alpha, beta] = [number("alpha")?, number("beta")?].map(|error| error.unwrap_or(0.05));
                Sprt::new(model, bound("elo0")?, bound("elo1")?, alpha, beta)
            }
        };
        test.map_err(failed)
    }
}

/// Refuses names that are not known.
fn check_names(given: &Bound<'_, PyDict>, known: &[&str], what: &str) -> PyResult<()> {
    for name in given.keys() {
        let name: String = name.extract()?;
        if !known.contains(&name.as_str()) {
            return Err(PyTypeError::new_err(format!(
                "{what} has no setting {name:?}; known are {}",
                known.join(", ")
            )));
        }
    }
    Ok(())
}

pub(crate) fn limits(
    nodes: Option<u64>,
    depth: Option<u32>,
    movetime: Option<f64>,
    tc: Option<&str>,
) -> PyResult<Limits> {
    if nodes == Some(0) || depth == Some(0) {
        return Err(refused("nodes and depth are numbers above 0"));
    }
    let time = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        time.ok_or_else(|| refused(format!("movetime={seconds}: expected seconds above 0")))
    };
    Ok(Limits {
        nodes,
        depth,
        movetime: movetime.map(time).transpose()?,
        tc: tc.map(|text| text.parse().map_err(failed)).transpose()?,
    })
}

/// What an engine may be said to be, beside the settings of an arm.
const ENGINE: [&str; 11] =
    ["cmd", "args", "dir", "options", "restart", "ponder", "name", "nodes", "depth", "movetime", "tc"];

/// The engine that a dict describes.
pub(crate) fn engine(given: &Bound<'_, PyDict>) -> PyResult<Engine> {
    check_names(given, &[&ENGINE[..], &ArmSettings::KEYS].concat(), "an engine")?;
    let text = |name: &str| given.get_item(name)?.map(|value| Ok::<_, PyErr>(value.str()?.to_string())).transpose();
    let settings = ArmSettings::KEYS.map(|key| text(key).map(|value| value.map(|value| (key, value))));
    let settings: Vec<_> = settings.into_iter().collect::<PyResult<Vec<_>>>()?.into_iter().flatten().collect();
    let engine = match text("cmd")? {
        Some(_) if !settings.is_empty() => {
            return Err(refused("an engine is a program or an arm of this one: say cmd or arm, not both"));
        }
        Some(command) => {
            let mut program = Program { command: command.into(), ..Program::default() };
            program.args = given.get_item("args")?.map(|value| value.extract()).transpose()?.unwrap_or_default();
            program.dir = given.get_item("dir")?.map(|value| value.extract()).transpose()?;
            let flag = |name: &str| given.get_item(name)?.map(|value| value.extract()).transpose();
            program.restart = flag("restart")?.unwrap_or(false);
            program.ponder = flag("ponder")?.unwrap_or(false);
            if let Some(options) = given.get_item("options")? {
                for (name, value) in options.cast::<PyDict>()?.iter() {
                    program.options.push((name.extract()?, uci(&value)?));
                }
            }
            Engine::from(program)
        }
        None if settings.is_empty() => {
            return Err(refused("an engine without a program: expected cmd, as in {\"cmd\": \"./engine\"}, or arm"));
        }
        None => {
            // Python's words for yes and no are those of the settings in small letters.
            let lower = |value: &String| match value.as_str() {
                "True" => "true".to_owned(),
                "False" => "false".to_owned(),
                other => other.to_owned(),
            };
            let settings: Vec<_> = settings.iter().map(|(key, value)| (*key, lower(value))).collect();
            let pairs = settings.iter().map(|(key, value)| (*key, value.as_str()));
            Engine::from(ArmSettings::from_pairs(pairs).map_err(failed)?)
        }
    };
    let number = |name: &str| given.get_item(name)?.map(|value| value.extract::<u64>()).transpose();
    let movetime = given.get_item("movetime")?.map(|value| value.extract::<f64>()).transpose()?;
    let depth = number("depth")?.map(u32::try_from).transpose().map_err(failed)?;
    let engine = engine.limits(limits(number("nodes")?, depth, movetime, text("tc")?.as_deref())?);
    Ok(match text("name")? {
        Some(name) => engine.named(name),
        None => engine,
    })
}

/// The value of a UCI option: Python's words for yes and no are written in small letters there.
fn uci(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.extract::<bool>() {
        Ok(value) => Ok(value.to_string()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}
