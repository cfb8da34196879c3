//! The options of scoreWDL.py, under their old names, too.

use anyhow::{Result, ensure};

use crate::cli::args::choice::{Choice, choice};
use crate::cli::args::numbers::positive;
use drawish::model::wdl::Mom;
use drawish::wdl::fit::{Family, Method, Normalization, Objective, Options, Shape};

const MOMS: [Choice<Mom>; 2] = [(&["move"], "", Mom::Move), (&["material"], "", Mom::Material)];

const METHODS: [Choice<Method>; 4] = [
    (
        &["fitDensity", "fit-density"],
        "Curves through the shares of wins at each move or material count, without weights",
        Method::FitDensity,
    ),
    (
        &["optimizeProbability", "optimize-probability"],
        "The most probable results",
        Method::Optimize(Objective::Probability),
    ),
    (
        &["optimizeScore", "optimize-score"],
        "The least squared error of the expected score",
        Method::Optimize(Objective::Score),
    ),
    (&["None", "none"], "No fit: only counts and pictures", Method::Nothing),
];

const FAMILIES: [Choice<Family>; 3] = [
    (&["cubic"], "Polynomials of degree 3, as engines have them", Family::Cubic),
    (&["rational"], "(c0 + c1 u + c2 u^2) / (1 + c3 u)", Family::Rational),
    (&["spline"], "Smooth curves that only rise or only fall", Family::Spline),
];

#[derive(clap::Args)]
pub(super) struct FitArgs {
    /// 100 centipawns in the games' evaluations are this many internal units at every move
    #[arg(long, alias = "NormalizeToPawnValue", value_name = "N", value_parser = positive, help_heading = "Evaluations")]
    normalize_to_pawn_value: Option<f64>,
    /// 100 centipawns are p_a(mom / momTarget): {"momType": "material", "momMin": 17, "momMax": 78, "momTarget": 58, "as": [..]}
    /// [default: that of Stockfish since 2025; for another engine give --normalize-to-pawn-value 100]
    #[arg(
        long,
        alias = "NormalizeData",
        value_name = "JSON",
        conflicts_with = "normalize_to_pawn_value",
        help_heading = "Evaluations"
    )]
    normalize_data: Option<Normalization>,
    /// Largest evaluation, in centipawns at the anchor
    #[arg(long, alias = "evalMax", default_value_t = 400.0, value_parser = positive, value_name = "CP", help_heading = "Evaluations")]
    eval_max: f64,
    /// First move
    #[arg(long, alias = "moveMin", default_value_t = 1, value_name = "MOVE", help_heading = "Limits")]
    move_min: u32,
    /// Last move
    #[arg(long, alias = "moveMax", default_value_t = 120, value_name = "MOVE", help_heading = "Limits")]
    move_max: u32,
    /// Least material
    #[arg(long, alias = "materialMin", default_value_t = 17, value_name = "N", help_heading = "Limits")]
    material_min: u32,
    /// Most material
    #[arg(long, alias = "materialMax", default_value_t = 78, value_name = "N", help_heading = "Limits")]
    material_max: u32,
    /// What a and b depend on
    #[arg(long, aliases = ["momType", "yData"], value_parser = choice(&MOMS), default_value = "material", help_heading = "Model")]
    mom_type: Mom,
    /// The anchor, where 100 centipawns are an even chance to win
    #[arg(long, aliases = ["momTarget", "yDataTarget"], default_value_t = 58, value_parser = clap::value_parser!(u32).range(1..), value_name = "N", help_heading = "Model")]
    mom_target: u32,
    /// How the parameters are found
    #[arg(long, alias = "modelFitting", value_parser = choice(&METHODS), default_value = "optimizeProbability", help_heading = "Model")]
    model_fitting: Method,
    /// Fewest wins of a move or material count that is fitted by itself
    #[arg(long, alias = "winMin", default_value_t = 10, value_name = "N", help_heading = "Model")]
    win_min: u32,
    /// How a and b depend on material or move
    #[arg(long, value_parser = choice(&FAMILIES), default_value = "cubic", help_heading = "Model")]
    shape: Family,
    /// With --shape spline: number of segments [default: 8]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40), value_name = "N", help_heading = "Model")]
    segments: Option<u8>,
    /// With --shape spline: weight of the penalty on bends [default: the one with the least held-out loss]
    #[arg(long, value_parser = positive, value_name = "W", help_heading = "Model")]
    smoothing: Option<f64>,
    /// Let a and b depend on the time control, too, by c * log2(time / 4 min); needs counts in .wdl and more than one time control. Times
    /// are those of classes: for 40 moves, up to 15 s counts as 7.5 s, up to 1 min as 30 s, up to 4 min as 2 min, and so on by factors
    /// of 4
    #[arg(long, help_heading = "Model")]
    by_time_control: bool,
    /// Reproduce scoreWDL.py's path, which stops short of the optimum, to compare figures
    #[arg(long, help_heading = "Model")]
    parity: bool,
}

impl FitArgs {
    /// Refuses what would have no effect. Where all shapes are compared, splines are among them.
    pub(super) fn check(&self, compares_shapes: bool) -> Result<()> {
        let is_about_splines = self.segments.is_some() || self.smoothing.is_some();
        ensure!(
            !is_about_splines || compares_shapes || self.shape == Family::Spline,
            "--segments and --smoothing are about splines: add --shape spline or leave them out"
        );
        Ok(())
    }

    pub(super) fn options(&self, errors: bool) -> Options {
        Options {
            normalization: self
                .normalize_to_pawn_value
                .map(Normalization::Static)
                .or(self.normalize_data)
                .unwrap_or(Normalization::DEFAULT),
            move_min: self.move_min,
            move_max: self.move_max,
            material_min: self.material_min,
            material_max: self.material_max,
            eval_max: self.eval_max,
            mom: self.mom_type,
            mom_target: f64::from(self.mom_target),
            method: self.model_fitting,
            win_min: f64::from(self.win_min),
            shape: match self.shape {
                Family::Cubic => Shape::Cubic,
                Family::Rational => Shape::Rational,
                Family::Spline => Shape::Spline {
                    segments: self.segments.map_or(Shape::SEGMENTS, usize::from),
                    smoothing: self.smoothing,
                },
            },
            by_speed: self.by_time_control,
            parity: self.parity,
            errors,
        }
    }
}
