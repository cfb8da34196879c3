//! Counts of positions with evaluations, and the WDL model that is fitted to them.

use std::path::PathBuf;

use drawish::Kind;
use drawish::frames::{c_stream, to_parquet, wdl_frame};
use drawish::model::wdl::Mom;
use drawish::outfile;
use drawish::pgn::Pattern;
use drawish::wdl::fit::{Family, Method, Normalization, Options, Shape, fit};
use drawish::wdl::{Collect, ModelFormat, Rule, WdlFile, write_json};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::errors::{failed, of_content, read_file, refused, warn_of, write_file};
use crate::figures::to_python;
use crate::pickle::{Reduced, reduce};
use crate::rule::{Paths, variant, view};
use crate::work::{threads, watched};

/// Positions with evaluations, counted by result, move, material and evaluation.
///
/// Counts are added by ``+``, which refuses an input that is already in. They are compared by ``==``, pickled, and taken by every
/// library of data frames that knows Arrow.
#[pyclass(frozen, eq, name = "WdlCounts", module = "drawish._drawish")]
pub(crate) struct WdlCounts {
    file: WdlFile,
    problems: Vec<String>,
}

/// What was said of the inputs when they were read is no part of the counts.
impl PartialEq for WdlCounts {
    fn eq(&self, other: &WdlCounts) -> bool {
        self.file == other.file
    }
}

/// Counts positions with evaluations, as ``drawish wdl collect`` does.
///
/// Each half-move whose comment holds an evaluation counts the game's result for the mover. ``match_engine`` is a regular expression
/// for the whole name of the engines whose evaluations count; ``eval_view`` is "white", "mover" or "to-move" where they are not from the view that
/// their style has; ``bin_width`` rounds evaluations to so many centipawns; ``variant`` is
/// "any", "standard" or "chess960".
///
/// >>> counts = drawish.wdl.collect(sample)
/// >>> counts
/// <drawish.wdl.Counts: ... positions>
#[pyfunction]
#[pyo3(name = "collect_wdl", signature = (paths, *, variant="any", match_engine=None, eval_view="auto", bin_width=5, truncate=false, drop_repeated=None,
    replay=false, allow_duplicates=false, threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub(crate) fn wdl_collect(
    py: Python<'_>,
    paths: Paths,
    variant: &str,
    match_engine: Option<&str>,
    eval_view: &str,
    bin_width: u16,
    truncate: bool,
    drop_repeated: Option<u32>,
    replay: bool,
    allow_duplicates: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<WdlCounts> {
    if !(1..=500).contains(&bin_width) {
        return Err(refused(format!("bin_width={bin_width}: expected 1 to 500 centipawns")));
    }
    if drop_repeated.is_some_and(|times| times < 2) {
        return Err(refused("drop_repeated: expected 2 or more"));
    }
    let engine = match_engine.map(Pattern::whole).transpose().map_err(failed)?;
    let (threads, inputs) = (self::threads(threads)?, paths.inputs()?);
    let (variant, view) = (self::variant(variant)?, view(eval_view, &inputs)?);
    let rule = Rule { variant, engine, view, bin_width, truncate, fens: None, drop_repeated, replay };
    let collected = watched(py, progress.as_ref(), |watch| {
        let progress = |bytes, games| watch.read(bytes, games);
        Collect::new(inputs).rule(rule).allow_duplicates(allow_duplicates).threads(threads).progress(&progress).run()
    })?;
    let collected = collected.map_err(failed)?;
    let problems = collected.problems.lines("counted");
    warn_of(py, &problems)?;
    Ok(WdlCounts { file: collected.file, problems })
}

#[pymethods]
impl WdlCounts {
    /// Reads a ``.wdl`` file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<WdlCounts> {
        let bytes = read_file(&path)?;
        let file = WdlFile::from_bytes(&bytes).map_err(|error| of_content(&path, &bytes, Kind::WdlCounts, error))?;
        Ok(WdlCounts { file, problems: Vec::new() })
    }

    /// The counts whose file has these bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<WdlCounts> {
        Ok(WdlCounts { file: WdlFile::from_bytes(bytes).map_err(failed)?, problems: Vec::new() })
    }

    /// Writes the counts in the format that the ending of the name chooses: .wdl, .json as scoreWDLstat has it, .parquet.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("wdl") => write_file(&path, &self.file.to_bytes()),
            Some("parquet") => {
                let frame = wdl_frame(&self.file.counts).map_err(failed)?;
                write_file(&path, &to_parquet(&frame).map_err(failed)?)
            }
            Some("json") => outfile::write_with(&path, |mut out| write_json(&self.file.counts, &mut out))
                .map_err(|error| refused(format!("{} cannot be written: {error}", path.display()))),
            _ => Err(refused(format!("{}: expected a name that ends in .wdl, .json or .parquet", path.display()))),
        }
    }

    /// The bytes of the ``.wdl`` file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.file.to_bytes())
    }

    /// Positions that were counted.
    #[getter]
    fn positions(&self) -> u64 {
        self.file.counts.positions()
    }

    /// What was counted, as a line of text.
    #[getter]
    fn rule(&self) -> String {
        self.file.provenance.rule_line()
    }

    /// The inputs, each with its name, digest and numbers of games and positions.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &serde_json::json!(self.file.provenance.inputs))
    }

    /// What the run that made these counts had to say of its inputs.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    /// The counts as a table of pyarrow.
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The counts as a data frame of polars.
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
        let frame = wdl_frame(&self.file.counts).map_err(failed)?;
        PyCapsule::new_with_value(py, c_stream(frame, std::iter::empty()), c"arrow_array_stream")
    }

    fn __add__(&self, other: &WdlCounts) -> PyResult<WdlCounts> {
        let mut file = self.file.clone();
        file.add(other.file.clone()).map_err(failed)?;
        Ok(WdlCounts { file, problems: Vec::new() })
    }

    fn __repr__(&self) -> String {
        format!("<drawish.wdl.Counts: {} positions>", drawish::stats::numbers::grouped(self.positions()))
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let bytes = slf.get().to_bytes(slf.py());
        reduce(slf.get_type(), "from_bytes", bytes)
    }
}

/// A WDL model: win, draw and loss from an evaluation and the material (or the move), and the centipawns that an engine shows.
///
/// >>> model = drawish.wdl.fit(drawish.wdl.collect(sample), pawn_value=100)
/// >>> win, draw, loss = model.wdl(150, 58)
/// >>> win > loss, round(win + draw + loss, 6)
/// (True, 1.0)
#[pyclass(frozen, module = "drawish.wdl")]
pub(crate) struct Model(drawish::wdl::Model);

/// Fits the model to counts, as ``drawish wdl fit`` does.
///
/// ``pawn_value`` says how many internal units 100 centipawns of the games' evaluations are; without it they are those of
/// Stockfish since 2025. ``mom`` is what the model depends on, "material" or "move"; ``shape`` "cubic", "rational" or "spline";
/// ``segments`` (8) and ``smoothing`` are those of a spline;
/// ``method`` "optimizeProbability", "optimizeScore" or "fitDensity"; ``errors=False`` leaves out errors and calibration.
#[pyfunction]
#[pyo3(name = "fit_wdl", signature = (counts, *, pawn_value=None, eval_max=400.0, move_min=1, move_max=120, material_min=17,
    material_max=78, mom="material", mom_target=58, method="optimizeProbability", win_min=10, shape="cubic", segments=None,
    smoothing=None, by_time_control=false, errors=true))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub(crate) fn wdl_fit(
    py: Python<'_>,
    counts: &Bound<'_, WdlCounts>,
    pawn_value: Option<f64>,
    eval_max: f64,
    move_min: u32,
    move_max: u32,
    material_min: u32,
    material_max: u32,
    mom: &str,
    mom_target: u32,
    method: &str,
    win_min: u32,
    shape: &str,
    segments: Option<usize>,
    smoothing: Option<f64>,
    by_time_control: bool,
    errors: bool,
) -> PyResult<Model> {
    let positive = |name: &str, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(refused(format!("{name}={value}: expected a number above 0"))),
    };
    if shape != Family::Spline.name() && (segments.is_some() || smoothing.is_some()) {
        return Err(refused(format!(
            "segments and smoothing are about splines: leave them out, or give shape={:?}",
            Family::Spline.name()
        )));
    }
    let segments = segments.unwrap_or(Shape::SEGMENTS);
    if mom_target == 0 || !(1..=40).contains(&segments) {
        return Err(refused("mom_target is above 0, and segments are 1 to 40"));
    }
    let options = Options {
        normalization: match pawn_value {
            Some(value) => Normalization::Static(positive("pawn_value", value)?),
            None => Normalization::DEFAULT,
        },
        move_min,
        move_max,
        material_min,
        material_max,
        eval_max: positive("eval_max", eval_max)?,
        mom: match mom {
            "material" => Mom::Material,
            "move" => Mom::Move,
            _ => return Err(refused(format!("mom={mom:?}: expected material or move"))),
        },
        mom_target: f64::from(mom_target),
        method: match Method::try_from(method.to_owned()).map_err(failed)? {
            Method::Nothing => return Err(refused("a model is fitted: expected another method than None")),
            method => method,
        },
        win_min: f64::from(win_min),
        shape: match Family::ALL.into_iter().find(|family| family.name() == shape) {
            Some(Family::Cubic) => Shape::Cubic,
            Some(Family::Rational) => Shape::Rational,
            Some(Family::Spline) => {
                let smoothing = smoothing.map(|weight| positive("smoothing", weight)).transpose()?;
                Shape::Spline { segments, smoothing }
            }
            None => return Err(refused(format!("shape={shape:?}: expected cubic, rational or spline"))),
        },
        by_speed: by_time_control,
        parity: false,
        errors,
    };
    let file = &counts.get().file;
    let model = watched(py, None, |_| {
        let fit = fit(&file.counts, &options).map_err(failed)?;
        drawish::wdl::Model::new(&fit, &file.provenance).map_err(failed)
    })??;
    warn_of(py, &model.warnings)?;
    Ok(Model(model))
}

#[pymethods]
impl Model {
    /// Reads a model as JSON, as ``save`` and ``drawish wdl fit`` write it.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Model> {
        let bytes = read_file(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let read = drawish::wdl::Model::from_json(&text);
        read.map(Model).map_err(|error| of_content(&path, &bytes, Kind::WdlModel, error))
    }

    /// The model of a text as ``to_json`` gives it.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Model> {
        drawish::wdl::Model::from_json(text).map(Model).map_err(failed)
    }

    /// Writes the model in the format that the ending of the name chooses: .json, .h for C and C++, .rs for Rust.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let format = ModelFormat::of(&path)
            .ok_or_else(|| refused(format!("{}: a model is written as .json, .h or .rs", path.display())))?;
        write_file(&path, format.text(&self.0).map_err(failed)?.as_bytes())
    }

    /// The text of the JSON file.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Everything that the JSON file holds: coefficients, errors, calibration, inputs.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &serde_json::json!(self.0))
    }

    /// a and b at a material count (or move), in internal units: Stockfish's ``win_rate_params``.
    fn win_rate_params(&self, material: f64) -> (f64, f64) {
        let curve = self.0.win_rate_params(material);
        (curve.a, curve.b)
    }

    /// The chances of win, draw and loss of the side to move, of an evaluation in internal units at a material count (or move).
    #[pyo3(name = "wdl")]
    fn rates(&self, eval: f64, material: f64) -> (f64, f64, f64) {
        let rates = self.0.wdl(material, eval);
        (rates.win, rates.draw, rates.loss)
    }

    /// The centipawns that an engine shows for an evaluation in internal units: 100 win half of the games.
    fn to_cp(&self, eval: f64, material: f64) -> f64 {
        self.0.to_cp(material, eval)
    }

    /// The inverse of ``to_cp``: the evaluation in internal units behind centipawns.
    fn to_internal(&self, centipawns: f64, material: f64) -> f64 {
        self.0.to_internal(material, centipawns)
    }

    /// a and b as constants of an engine in C++ and in Rust; empty for other shapes than cubics.
    #[getter]
    fn constants(&self) -> String {
        self.0.constants()
    }

    /// What a user should know of the fit.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    fn __repr__(&self) -> String {
        format!("<drawish.wdl.Model: {}>", self.0.shape.name())
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.get_type(), "from_json", slf.get().to_json())
    }
}
