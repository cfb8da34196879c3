//! Which positions of which games count: the options of the program as keyword arguments.

use std::path::PathBuf;

use drawish::core::Scheme;
use drawish::pgn::{Input, Pattern, PatternError, VariantChoice, View, expand_inputs};
use drawish::sample::{Dedupe, Filters, Rule, Sampling, SkipReason, Tally, TerminationFilter, check_date};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{failed, refused};

/// The names that [`rule`] knows.
const NAMES: [&str; 20] = [
    "sample",
    "at",
    "from_move",
    "min_moves",
    "min_plies",
    "variant",
    "fen_starts",
    "dedupe",
    "replay",
    "min_elo",
    "max_elo",
    "max_elo_diff",
    "player",
    "white",
    "black",
    "event",
    "time_control",
    "date_from",
    "date_to",
    "termination",
];

/// Files of games: a path or several, as the program takes them.
#[derive(FromPyObject)]
pub(crate) enum Paths {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

impl Paths {
    /// The files that these stand for, directories and patterns resolved.
    pub(crate) fn inputs(self) -> PyResult<Vec<Input>> {
        expand_inputs(&match self {
            Paths::One(path) => vec![path],
            Paths::Many(paths) => paths,
        })
        .map_err(failed)
    }
}

/// The rule that keyword arguments make.
pub(crate) fn rule(given: Option<&Bound<'_, PyDict>>) -> PyResult<Rule> {
    let given = Given(given);
    given.check()?;
    let defaults = Rule::default();
    let sampling = match given.get::<String>("sample")?.as_deref() {
        None | Some("at") => Sampling::At { at: given.get("at")?.unwrap_or(50) },
        Some("one-random-ply") => Sampling::OneRandomPly { from: given.get("from_move")?.unwrap_or(20) },
        Some("every") => Sampling::Every { from: given.get("from_move")?.unwrap_or(20) },
        Some("positions") => Sampling::Positions,
        Some(other) => {
            return Err(refused(format!("sample={other:?}: expected at, one-random-ply, every or positions")));
        }
    };
    match sampling {
        Sampling::At { .. } | Sampling::Positions if given.has("from_move") => {
            return Err(refused("from_move goes with sample=\"every\" or \"one-random-ply\"; with \"at\" it is at"));
        }
        Sampling::OneRandomPly { .. } | Sampling::Every { .. } | Sampling::Positions if given.has("at") => {
            return Err(refused("at is the move of sample=\"at\"; with the other ways to sample it is from_move"));
        }
        Sampling::At { at: 0 } | Sampling::OneRandomPly { from: 0 } | Sampling::Every { from: 0 } => {
            return Err(refused("moves are numbered from 1 on"));
        }
        _ => {}
    }
    let filters = Filters {
        min_elo: given.get("min_elo")?,
        max_elo: given.get("max_elo")?,
        max_elo_difference: given.get("max_elo_diff")?,
        player: given.pattern("player", Pattern::name)?,
        white: given.pattern("white", Pattern::name)?,
        black: given.pattern("black", Pattern::name)?,
        event: given.pattern("event", Pattern::name)?,
        date_from: given.date("date_from")?,
        date_to: given.date("date_to")?,
        time_control: given.pattern("time_control", Pattern::time_control)?,
        termination: given.termination()?,
        min_plies: given.get("min_plies")?.unwrap_or(defaults.filters.min_plies),
    };
    filters.check().map_err(failed)?;
    let rule = Rule {
        sampling,
        min_moves: given.get("min_moves")?.unwrap_or(if sampling == Sampling::Positions { 0 } else { 60 }),
        variant: given.get::<String>("variant")?.map_or(Ok(VariantChoice::Standard), |name| variant(&name))?,
        fen_starts: given.get("fen_starts")?.unwrap_or(false),
        dedupe: given.dedupe()?,
        replay: given.get("replay")?.unwrap_or(false),
        filters,
    };
    Ok(rule.canonical())
}

/// Keyword arguments.
struct Given<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl Given<'_, '_> {
    /// Refuses names that are not known, as Python does.
    fn check(&self) -> PyResult<()> {
        for name in self.0.into_iter().flat_map(|given| given.keys()) {
            let name: String = name.extract()?;
            if !NAMES.contains(&name.as_str()) {
                return Err(PyTypeError::new_err(format!(
                    "unexpected keyword argument {name:?}; what counts is said by {}",
                    NAMES.join(", ")
                )));
            }
        }
        Ok(())
    }

    fn get<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'a, 'py> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        let value = self.0.map(|given| given.get_item(name)).transpose()?.flatten();
        let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(None) };
        let wrong = |error: PyErr| PyTypeError::new_err(format!("{name}: {error}"));
        value.extract::<T>().map(Some).map_err(|error| wrong(error.into()))
    }

    fn has(&self, name: &str) -> bool {
        self.0.is_some_and(|given| given.contains(name).unwrap_or(false))
    }

    fn pattern(&self, name: &str, compile: fn(&str) -> Result<Pattern, PatternError>) -> PyResult<Option<Pattern>> {
        let compile = |text: String| compile(&text).map_err(|error| refused(format!("{name}={text:?}: {error}")));
        self.get::<String>(name)?.map(compile).transpose()
    }

    fn date(&self, name: &str) -> PyResult<Option<String>> {
        let Some(text) = self.get::<String>(name)? else { return Ok(None) };
        check_date(&text).map_err(|error| refused(format!("{name}={text:?}: {error}")))?;
        Ok(Some(text))
    }

    /// `True`, `False` or `"lines"`.
    fn dedupe(&self) -> PyResult<Dedupe> {
        if let Ok(is) = self.get::<bool>("dedupe") {
            return Ok(if is == Some(true) { Dedupe::Games } else { Dedupe::No });
        }
        match self.get::<String>("dedupe")?.as_deref() {
            Some("lines") => Ok(Dedupe::Lines),
            other => Err(refused(format!("dedupe={:?}: expected True, False or \"lines\"", other.unwrap_or_default()))),
        }
    }

    fn termination(&self) -> PyResult<TerminationFilter> {
        let Some(text) = self.get::<String>("termination")? else { return Ok(TerminationFilter::default()) };
        text.parse().map_err(|error| refused(format!("termination={text:?}: {error}")))
    }
}

/// A variant by its name.
pub(crate) fn variant(name: &str) -> PyResult<VariantChoice> {
    let names = VariantChoice::ALL.map(VariantChoice::name);
    let found = VariantChoice::ALL.into_iter().find(|variant| variant.name() == name);
    found.ok_or_else(|| refused(format!("variant={name:?}: expected one of {}", names.join(", "))))
}

/// The view of evaluations in the comments of these inputs, by its name; ``auto`` is that of their style.
pub(crate) fn view(name: &str, inputs: &[Input]) -> PyResult<Option<View>> {
    let view = match name {
        "auto" => return Ok(None),
        "white" => View::White,
        "mover" => View::Mover,
        "to-move" => View::ToMove,
        _ => return Err(refused(format!("eval_view={name:?}: expected one of auto, white, mover, to-move"))),
    };
    match inputs.iter().find(|input| input.format().is_some()) {
        Some(coded) => Err(refused(format!("eval_view: the format of {coded} says from which view evaluations are"))),
        None => Ok(Some(view)),
    }
}

/// A scheme by its name.
pub(crate) fn scheme(name: &str) -> PyResult<Scheme> {
    Scheme::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Scheme::ALL.iter().map(|scheme| scheme.name()).collect();
        refused(format!("scheme={name:?}: expected one of {}", names.join(", ")))
    })
}

/// The account of the games that were read: each was counted, or skipped for one reason.
pub(crate) fn ledger<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Bound<'py, PyDict>> {
    let skipped = PyDict::new(py);
    for reason in SkipReason::ALL {
        if tally.skipped(reason) > 0 {
            skipped.set_item(reason.name(), tally.skipped(reason))?;
        }
    }
    let ledger = PyDict::new(py);
    ledger.set_item("games", tally.games())?;
    ledger.set_item("counted", tally.counted())?;
    ledger.set_item("positions", tally.positions)?;
    ledger.set_item("skipped", skipped)?;
    Ok(ledger)
}
