//! Fitting the model to counts: the true optimum of the stated objective, and how sure it is.

mod calibration;
mod global;
mod local;
mod normalization;
mod objective;
mod options;
mod powell;
mod result;
mod shape;
mod table;
mod task;
mod warnings;

use thiserror::Error;

use super::WdlCounts;
pub use calibration::CalibrationBin;
use drawish_core::Wdl;
use drawish_stats::model::wdl::Mom;
use drawish_stats::numbers::grouped;
pub use drawish_stats::reach_of_95_percent;
pub use local::Local;
pub use normalization::{Normalization, NormalizationError};
pub use objective::Objective;
pub use options::{Method, Options, UnknownMethod};
pub use result::{Density, Estimate, Fit};
pub use shape::{Family, Shape};
pub use table::Left;
use table::Table;
use task::Task;
pub use warnings::Warning;

/// Why nothing could be fitted.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum FitError {
    #[error(
        "no position is left within the limits: {by_move} left out by move, {by_material} by material, {by_eval} by evaluation, {mates} mates, {by_speed} without a time control; check the files and the limits",
        by_move = left.by_move, by_material = left.by_material, by_eval = left.by_eval, mates = left.mates, by_speed = left.by_speed
    )]
    NoData { left: Left },
    #[error(
        "{found} different values of {mom} hold positions, expected at least {needed} to fit this shape; collect more games or widen the limits"
    )]
    TooFewRows { mom: Mom, found: usize, needed: usize },
    #[error(
        "all positions within the limits have time controls of one class (up to 15 s for 40 moves, 1 min, 4 min, 16 min, and so on), so what time changes cannot be fitted; fit without it, or add counts of other time controls"
    )]
    OneSpeed,
    #[error(
        "none of the positions within the limits {missing}: expected wins, draws and losses of the side to move, found {} wins, {} draws and {} losses, which do not determine the model; collect more games or widen the limits",
        grouped(*wins), grouped(*draws), grouped(*losses)
    )]
    OneSided { missing: &'static str, wins: u64, draws: u64, losses: u64 },
    #[error(
        "no value of {mom} has {win_min} wins, which the density fit needs; collect more games or ask for fewer wins"
    )]
    TooFewWins { mom: Mom, win_min: f64 },
    #[error(
        "evaluations up to {eval_max} centipawns with {pawn} internal units to the pawn: expected a limit of 1 to 100,000 internal units"
    )]
    EvalMax { eval_max: f64, pawn: f64 },
    #[error("the way of scoreWDL.py knows only cubics of {0}, without other shapes and time controls")]
    Parity(Mom),
    #[error("the limits {least} to {most} for {mom} leave nothing between them")]
    Limits { mom: Mom, least: u32, most: u32 },
}

/// Fits the model.
///
/// # Errors
///
/// If too few positions are left to fit anything.
pub fn fit(counts: &WdlCounts, options: &Options) -> Result<Fit, FitError> {
    let (least, most) = options.mom_limits();
    if least > most {
        return Err(FitError::Limits { mom: options.mom, least, most });
    }
    if options.parity && (options.shape != Shape::Cubic || options.by_speed) {
        return Err(FitError::Parity(options.mom));
    }
    let table = Table::new(counts, options)?;
    let task = Task::new(&table, options)?;
    if options.method != Method::Nothing {
        each_result_occurs(table.outcomes())?;
    }
    task.fit(&table)
}

/// Makes sure that there is something to learn about wins, draws and losses: without one of them a or b has no finite optimum.
fn each_result_occurs(found: Wdl<f64>) -> Result<(), FitError> {
    let missing = [(found.wins, "was won"), (found.draws, "was drawn"), (found.losses, "was lost")];
    let Some((_, missing)) = missing.into_iter().find(|(count, _)| *count <= 0.0) else { return Ok(()) };
    // Counts of positions are whole.
    let Wdl { wins, draws, losses } = found.map(|count| count as u64);
    Err(FitError::OneSided { missing, wins, draws, losses })
}

/// Fits each family of curves to the same positions, with otherwise the same options, to compare their held-out losses.
///
/// # Errors
///
/// If too few positions are left to fit one of them.
pub fn fit_each_shape(counts: &WdlCounts, options: &Options) -> Result<Vec<Fit>, FitError> {
    let spline = match options.shape {
        Shape::Spline { .. } => options.shape,
        Shape::Cubic | Shape::Rational => Shape::Spline { segments: 8, smoothing: None },
    };
    let shapes = [Shape::Cubic, Shape::Rational, spline].into_iter();
    shapes.map(|shape| fit(counts, &Options { shape, ..options.clone() })).collect()
}
