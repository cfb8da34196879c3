//! The options of scoreWDL.py, under their old names, too.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde_json::Value;

use drawish::model::wdl::Mom;
use drawish::wdl::fit::{Method, Normalization, Objective, Options, Shape};

#[derive(clap::Args)]
pub(super) struct FitArgs {
    /// 100 centipawns in the games' evaluations are this many internal units at every move
    #[arg(long, alias = "NormalizeToPawnValue", value_name = "N", value_parser = parse_positive, help_heading = "Evaluations")]
    pub(super) normalize_to_pawn_value: Option<f64>,
    /// 100 centipawns are p_a(mom / momTarget): {"momType": "material", "momMin": 17, "momMax": 78, "momTarget": 58, "as": [..]} [default: that of Stockfish since 2025]
    #[arg(
        long,
        alias = "NormalizeData",
        value_name = "JSON",
        conflicts_with = "normalize_to_pawn_value",
        help_heading = "Evaluations"
    )]
    normalize_data: Option<String>,
    /// Largest evaluation, in centipawns at the anchor
    #[arg(long, alias = "evalMax", default_value_t = 400.0, value_parser = parse_positive, value_name = "CP", help_heading = "Evaluations")]
    pub(super) eval_max: f64,
    /// First move
    #[arg(long, alias = "moveMin", default_value_t = 1, value_name = "MOVE", help_heading = "Limits")]
    pub(super) move_min: u32,
    /// Last move
    #[arg(long, alias = "moveMax", default_value_t = 120, value_name = "MOVE", help_heading = "Limits")]
    pub(super) move_max: u32,
    /// Least material
    #[arg(long, alias = "materialMin", default_value_t = 17, value_name = "N", help_heading = "Limits")]
    pub(super) material_min: u32,
    /// Most material
    #[arg(long, alias = "materialMax", default_value_t = 78, value_name = "N", help_heading = "Limits")]
    pub(super) material_max: u32,
    /// What a and b depend on
    #[arg(long, aliases = ["momType", "yData"], value_enum, default_value_t = MomArg::Material, help_heading = "Model")]
    mom_type: MomArg,
    /// The anchor, where 100 centipawns are an even chance to win
    #[arg(long, aliases = ["momTarget", "yDataTarget"], default_value_t = 58, value_parser = clap::value_parser!(u32).range(1..), value_name = "N", help_heading = "Model")]
    pub(super) mom_target: u32,
    /// How the parameters are found
    #[arg(long, alias = "modelFitting", value_enum, default_value_t = FittingArg::OptimizeProbability, help_heading = "Model")]
    pub(super) model_fitting: FittingArg,
    /// Fewest wins of a move or material count that is fitted by itself
    #[arg(long, alias = "winMin", default_value_t = 10, value_name = "N", help_heading = "Model")]
    win_min: u32,
    /// How a and b depend on material or move
    #[arg(long, value_enum, default_value_t = ShapeArg::Cubic, help_heading = "Model")]
    shape: ShapeArg,
    /// With --shape spline: number of segments
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=40), value_name = "N", help_heading = "Model")]
    segments: u8,
    /// With --shape spline: weight of the penalty on bends [default: the one with the least held-out loss]
    #[arg(long, value_parser = parse_positive, value_name = "W", help_heading = "Model")]
    smoothing: Option<f64>,
    /// Let a and b depend on the time control, too, by c * log2(time / 4 min); needs counts in .wdl and more than one time control
    #[arg(long, help_heading = "Model")]
    by_time_control: bool,
    /// Go the way of scoreWDL.py, which ends short of the optimum, to compare figures with it
    #[arg(long, help_heading = "Model")]
    parity: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MomArg {
    Move,
    Material,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum FittingArg {
    /// Curves through the shares of wins at each move or material count, without weights
    #[value(name = "fitDensity", alias = "fit-density")]
    FitDensity,
    /// The most probable results
    #[value(name = "optimizeProbability", alias = "optimize-probability")]
    OptimizeProbability,
    /// The least squared error of the expected score
    #[value(name = "optimizeScore", alias = "optimize-score")]
    OptimizeScore,
    /// No fit: only counts and pictures
    #[value(name = "None", alias = "none")]
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum ShapeArg {
    /// Polynomials of degree 3, as engines have them
    Cubic,
    /// (c0 + c1 u + c2 u^2) / (1 + c3 u)
    Rational,
    /// Smooth curves that only rise or only fall
    Spline,
}

impl FitArgs {
    pub(super) fn options(&self, errors: bool) -> Result<Options> {
        let normalization = match (self.normalize_to_pawn_value, &self.normalize_data) {
            (Some(value), _) => Normalization::Static(value),
            (None, Some(text)) => parse_normalization(text).with_context(|| format!("--normalize-data {text}"))?,
            (None, None) => Normalization::DEFAULT,
        };
        Ok(Options {
            normalization,
            move_min: self.move_min,
            move_max: self.move_max,
            material_min: self.material_min,
            material_max: self.material_max,
            eval_max: self.eval_max,
            mom: match self.mom_type {
                MomArg::Move => Mom::Move,
                MomArg::Material => Mom::Material,
            },
            mom_target: f64::from(self.mom_target),
            method: match self.model_fitting {
                FittingArg::FitDensity => Method::FitDensity,
                FittingArg::None => Method::Nothing,
                FittingArg::OptimizeProbability => Method::Optimize(Objective::Probability),
                FittingArg::OptimizeScore => Method::Optimize(Objective::Score),
            },
            win_min: f64::from(self.win_min),
            shape: match self.shape {
                ShapeArg::Cubic => Shape::Cubic,
                ShapeArg::Rational => Shape::Rational,
                ShapeArg::Spline => Shape::Spline { segments: usize::from(self.segments), smoothing: self.smoothing },
            },
            by_speed: self.by_time_control,
            parity: self.parity,
            errors,
        })
    }
}

/// Files of counts; scoreWDLstat.json where none is named, as scoreWDL.py does.
pub(super) fn or_default(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() { vec![PathBuf::from("scoreWDLstat.json")] } else { files.to_vec() }
}

/// Reads what scoreWDL.py takes by --NormalizeData.
pub(super) fn parse_normalization(text: &str) -> Result<Normalization> {
    let value: Value = serde_json::from_str(text).context("expected JSON")?;
    let number = |name: &str| {
        let number = value[name].as_f64().or_else(|| value[name].as_str()?.parse().ok());
        number.with_context(|| format!("expected a number for {name:?}"))
    };
    let list = value["as"].as_array().context("expected a list of four numbers for \"as\"")?;
    let list: Vec<f64> = list.iter().filter_map(|item| item.as_f64().or_else(|| item.as_str()?.parse().ok())).collect();
    let a = <[f64; 4]>::try_from(list).ok().context("expected four numbers for \"as\"")?;
    let mom = match value.get("momType").map(|mom| mom.as_str().unwrap_or_default()) {
        None | Some("material") => Mom::Material,
        Some("move") => Mom::Move,
        Some(other) => anyhow::bail!("expected \"move\" or \"material\" for \"momType\", found {other:?}"),
    };
    let (min, max, target) = (number("momMin")?, number("momMax")?, number("momTarget")?);
    ensure!(min <= max && target > 0.0, "expected momMin <= momMax and momTarget > 0");
    Ok(Normalization::Dynamic { mom, min, max, target, a })
}

/// Evaluations beyond it mean nothing.
const GREATEST_EVAL: f64 = 1e6;

/// An evaluation.
pub(super) fn parse_eval(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok().filter(|value: &f64| value.abs() <= GREATEST_EVAL);
    value.ok_or_else(|| format!("expected a number from -{GREATEST_EVAL} to {GREATEST_EVAL}"))
}

pub(super) fn parse_positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number above 0".to_owned())?;
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err("expected a number above 0".to_owned()) }
}
