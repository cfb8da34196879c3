//! `drawish wdl fit`: counts to a model.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::counts;
use super::options::{FitArgs, or_default};
use super::plots::PlotArgs;
use crate::cli::{done, output};
use drawish::provenance::made_by;
use drawish::report::grouped;
use drawish::wdl::WdlFile;
use drawish::wdl::fit::{
    Estimate, Fit, FitError, Method, Normalization, Objective, Options, Shape, fit, reach_of_95_percent,
};

/// Fit the win-draw-loss model to counts
///
/// What scoreWDL.py does, with its options under their old names, too, but to the true optimum of the objective, and with
/// standard errors: the fit is repeated without each of the 32 blocks of games that a .wdl file keeps apart.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl fit games.wdl\n  \
    drawish wdl fit scoreWDLstat.json --normalize-to-pawn-value 100 --mom-type move --mom-target 32\n  \
    drawish wdl fit games.wdl --json > model.json\n  \
    drawish wdl fit games.wdl --shape spline --png-name model.png")]
pub(super) struct Args {
    /// Counts as .wdl or JSON, by drawish or scoreWDLstat, added up; - for standard input [default: scoreWDLstat.json]
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    fit: FitArgs,
    #[command(flatten)]
    plots: PlotArgs,
    /// Leave out errors, held-out loss and calibration
    #[arg(long)]
    no_errors: bool,
    /// Fit every shape to the same positions and compare their held-out losses, too; needs a .wdl file
    #[arg(long, conflicts_with_all = ["no_errors", "parity"])]
    compare_shapes: bool,
    /// Print the figures as JSON, which `wdl show` reads
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    fit_and_report(&args)?;
    done()
}

/// Fits, saves and prints what is asked for; the fit and the number of games behind it, 0 where the counts do not tell.
pub(super) fn fit_and_report(args: &Args) -> Result<(Fit, u64)> {
    let options = args.fit.options(!args.no_errors)?;
    let files = or_default(&args.files);
    args.plots.check(&files)?;
    let file = counts::read_all(&files)?;
    if file.counts.positions() == 0 {
        return Err(FitError::NoData { left: Default::default() }.into());
    }
    let fit = fit(&file.counts, &options)?;
    args.plots.save(&fit)?;
    for warning in &fit.warnings {
        output::complain(format!("drawish: {warning}\n"));
    }
    let compared = if args.compare_shapes { compare_shapes(&file, &options)? } else { Vec::new() };
    if args.json {
        let mut value = to_json(&fit, &file);
        if args.compare_shapes {
            value["shapes"] = compared
                .iter()
                .map(|(name, fit)| {
                    let (objective, pawn_value) = fit.estimate.as_ref().map(|of| (of.objective, of.pawn_value)).unzip();
                    json!({ "shape": name, "objective": objective, "held_out_log_loss": fit.held_out_loss, "pawn_value": pawn_value })
                })
                .collect();
        }
        output::print(format!("{value:#}\n"))?;
    } else {
        let names: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
        let mut text = report(&fit, &names);
        if args.compare_shapes {
            text.push_str("Shapes on the same positions:  objective, held-out log loss, a at the anchor\n");
        }
        for (name, fit) in &compared {
            let held_out = fit.held_out_loss.map_or("no blocks".to_owned(), |loss| format!("{loss:.9}"));
            let Some(Estimate { objective, pawn_value, .. }) = fit.estimate else { continue };
            let _ = writeln!(text, "{name:>10}  {objective:.9}  {held_out}  {pawn_value:.2}");
        }
        output::print(text)?;
    }
    Ok((fit, file.provenance.shards.iter().map(|shard| shard.games).sum()))
}

/// A fit of each shape with otherwise the same options.
fn compare_shapes(file: &WdlFile, options: &Options) -> Result<Vec<(&'static str, Fit)>> {
    let spline = match options.shape {
        Shape::Spline { .. } => options.shape,
        _ => Shape::Spline { segments: 8, smoothing: None },
    };
    let shapes = [("cubic", Shape::Cubic), ("rational", Shape::Rational), ("spline", spline)];
    let fits = shapes.map(|(name, shape)| Ok((name, fit(&file.counts, &Options { shape, ..options.clone() })?)));
    fits.into_iter().collect()
}

/// The lines of scoreWDL.py, and beside them what it does not know.
fn report(fit: &Fit, names: &[String]) -> String {
    let mut out = String::new();
    let options = &fit.options;
    let _ = match options.normalization {
        Normalization::Static(value) => writeln!(out, "Converting evals with NormalizeToPawnValue = {value}."),
        Normalization::Dynamic { mom, min, max, target, a } => writeln!(
            out,
            "Converting evals with NormalizeData = {}.",
            json!({ "momType": mom.to_string(), "momMin": min, "momMax": max, "momTarget": target, "as": a })
        ),
    };
    let [wins, draws, losses]: [f64; 3] = fit.retained.into();
    let left = fit.left;
    let _ = writeln!(out, "Reading eval stats from {}.", names.join(", "));
    let _ = writeln!(out, "Retained (W,D,L) = ({wins}, {draws}, {losses}) positions.");
    let whole = wins + draws + losses;
    let _ = writeln!(
        out,
        "Left out: {} by move, {} by material, {} by evaluation, {} mates{}; {} in all with the {} retained.",
        grouped(left.by_move),
        grouped(left.by_material),
        grouped(left.by_eval),
        grouped(left.mates),
        if options.by_speed { format!(", {} without a time control", grouped(left.by_speed)) } else { String::new() },
        grouped(whole as u64 + left.by_move + left.by_material + left.by_eval + left.mates + left.by_speed),
        grouped(whole as u64),
    );
    let Some(estimate) = &fit.estimate else { return out };
    let Estimate { pawn_value, spread, objective, a, b, .. } = estimate;
    let mom = options.mom;
    let target = options.mom_target;
    let _ = writeln!(out, "Fit WDL model based on {mom}.");
    if let Method::Optimize(_) = options.method {
        let _ = writeln!(out, "Initial objective function:  {}", fit.initial_objective);
        let _ = writeln!(out, "Final objective function:    {objective}");
        if fit.ends.len() > 1 {
            let ends: Vec<_> = fit.ends.iter().map(|end| format!("{end:.16}")).collect();
            let _ = writeln!(out, "Searches from {} starts ended at {}.", ends.len(), ends.join(", "));
        }
    }
    let error = |value: fn(&Estimate) -> f64| {
        let reach = reach_of_95_percent(fit.blocks);
        fit.errors.as_ref().map_or(String::new(), |errors| {
            let (error, center) = (value(errors), value(estimate));
            format!(
                "  // {center:.2} +- {error:.2}, 95 %: {:.2} to {:.2}",
                center - reach * error,
                center + reach * error
            )
        })
    };
    let whole = |value: f64| (value + 0.5) as i64;
    let _ = writeln!(out, "const int NormalizeToPawnValue = {};{}", whole(*pawn_value), error(|of| of.pawn_value));
    let _ = writeln!(out, "Corresponding spread = {};{}", whole(*spread), error(|of| of.spread));
    let _ = writeln!(out, "Corresponding normalized spread = {};", spread / pawn_value);
    let draw_rate = 1.0 - 2.0 / (1.0 + (pawn_value / spread).exp());
    let _ = writeln!(out, "Draw rate at 0.0 eval at {mom} {target} = {draw_rate};");
    if fit.is_cubic() {
        cubic_lines(&mut out, fit, estimate, target);
    } else {
        let _ = writeln!(out, "Parameters in internal value units, {}:", shape_formula(fit));
        let _ = writeln!(out, "a: {}\nb: {}", list(a), list(b));
        let _ = writeln!(out, "{mom:>8}         a         b");
        for ((at, a), b) in fit.moms.iter().zip(&estimate.a_at).zip(&estimate.b_at) {
            let _ = writeln!(out, "{at:>8} {a:>9.3} {b:>9.3}");
        }
    }
    if let Some(loss) = fit.held_out_loss {
        let _ = writeln!(
            out,
            "Held-out log loss = {loss:.9} per position, {} blocks of games each predicted from the others.",
            fit.blocks
        );
    }
    let kind = if fit.calibration_held_out { "held out" } else { "on the same data" };
    let _ = writeln!(out, "Calibration ({kind}, each position from both sides):");
    let _ = writeln!(
        out,
        "{:>14}  {:>9} {:>9}  {:>9} {:>9}",
        "positions", "win pred.", "observed", "draw pred.", "observed"
    );
    for bin in &fit.calibration {
        let _ = writeln!(
            out,
            "{:>14}  {:>9.4} {:>9.4}  {:>10.4} {:>9.4}",
            grouped(bin.sides as u64),
            bin.predicted_win,
            bin.observed_win,
            bin.predicted_draw,
            bin.observed_draw
        );
    }
    out
}

/// The polynomials, and what an engine takes.
fn cubic_lines(out: &mut String, fit: &Fit, estimate: &Estimate, target: f64) {
    let _ = writeln!(out, "Parameters in internal value units: ");
    let lists = [("a", &estimate.a), ("b", &estimate.b)];
    for (name, list) in lists {
        let [c3, c2, c1, c0] = [0, 1, 2, 3].map(|place| list[place]);
        let _ = writeln!(
            out,
            "p_{name} = (({c3:.3} * x / {target} + {c2:.3}) * x / {target} + {c1:.3}) * x / {target} + {c0:.3}"
        );
    }
    for (name, values) in lists {
        let _ = writeln!(out, "    constexpr double {name}s[] = {{{}}};", list(&values[..4]));
    }
    for (name, values) in [("AS", &estimate.a), ("BS", &estimate.b)] {
        let _ = writeln!(out, "    const {name}: [f64; 4] = [{}];", list(&values[..4]));
    }
    if let Some(errors) = &fit.errors {
        let _ = writeln!(out, "Standard errors: as {}; bs {}", list(&errors.a), list(&errors.b));
    }
    if fit.options.by_speed {
        let _ = writeln!(
            out,
            "Each doubling of the time adds {:.3} to a and {:.3} to b; the figures above are for 4 minutes.",
            estimate.a[4], estimate.b[4]
        );
    }
}

fn shape_formula(fit: &Fit) -> String {
    match fit.smoothing {
        Some(smoothing) => format!("cubic B-spline coefficients with smoothing {smoothing:e}"),
        None => format!("(c0 + c1 u + c2 u^2) / (1 + c3 u) with u = x / {}", fit.options.mom_target),
    }
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.8}")).collect::<Vec<_>>().join(", ")
}

/// The figures for programs; figures that are not defined are null.
fn to_json(fit: &Fit, file: &WdlFile) -> Value {
    let options = &fit.options;
    let reach = reach_of_95_percent(fit.blocks);
    let interval = |value: f64, error: f64| json!([value - reach * error, value + reach * error]);
    let intervals = |values: &[f64], errors: &[f64]| {
        values.iter().zip(errors).map(|(value, error)| interval(*value, *error)).collect::<Value>()
    };
    let of = fit.estimate.as_ref();
    let (limits, left) = (options.mom_limits(), fit.left);
    json!({
        "pawn_value": of.map(|of| of.pawn_value),
        "spread": of.map(|of| of.spread),
        "normalized_spread": of.map(|of| of.spread / of.pawn_value),
        "draw_rate_at_0": of.map(|of| 1.0 - 2.0 / (1.0 + (of.pawn_value / of.spread).exp())),
        "objective": of.map(|of| of.objective),
        "as": of.map(|of| &of.a),
        "bs": of.map(|of| &of.b),
        "errors": fit.errors.as_ref().map(|errors| json!({
            "pawn_value": errors.pawn_value,
            "spread": errors.spread,
            "objective": errors.objective,
            "as": errors.a,
            "bs": errors.b,
        })),
        "intervals_95": fit.errors.as_ref().zip(of).map(|(errors, of)| json!({
            "pawn_value": interval(of.pawn_value, errors.pawn_value),
            "spread": interval(of.spread, errors.spread),
            "as": intervals(&of.a, &errors.a),
            "bs": intervals(&of.b, &errors.b),
        })),
        "blocks": fit.blocks,
        "held_out_log_loss": fit.held_out_loss,
        "initial_objective": fit.initial_objective,
        "searches": fit.ends,
        "converged": fit.converged,
        "model_fitting": match options.method {
            Method::FitDensity => "fitDensity",
            Method::Nothing => "None",
            Method::Optimize(Objective::Probability) => "optimizeProbability",
            Method::Optimize(Objective::Score) => "optimizeScore",
        },
        "shape": match options.shape {
            Shape::Cubic => "cubic",
            Shape::Rational => "rational",
            Shape::Spline { .. } => "spline",
        },
        "smoothing": fit.smoothing,
        "mom_type": options.mom.to_string(),
        "mom_min": limits.0,
        "mom_max": limits.1,
        "mom_target": options.mom_target,
        "by_time_control": options.by_speed,
        "normalization_pawn_value": options.normalization.pawn_value(),
        "retained": { "wins": fit.retained.wins, "draws": fit.retained.draws, "losses": fit.retained.losses },
        "left_out": { "move": left.by_move, "material": left.by_material, "eval": left.by_eval, "mates": left.mates, "time_control": left.by_speed },
        "curve": fit.moms.iter().enumerate().map(|(place, mom)| json!({
            "mom": mom,
            "a": of.map(|of| of.a_at[place]),
            "b": of.map(|of| of.b_at[place]),
            "a_error": fit.errors.as_ref().map(|errors| errors.a_at[place]),
            "b_error": fit.errors.as_ref().map(|errors| errors.b_at[place]),
        })).collect::<Vec<_>>(),
        "local": fit.local.iter().map(|row| json!({ "mom": row.mom, "a": row.a, "b": row.b, "positions": row.positions })).collect::<Vec<_>>(),
        "calibration": fit.calibration.iter().map(|bin| json!({
            "sides": bin.sides,
            "predicted_win": bin.predicted_win,
            "observed_win": bin.observed_win,
            "predicted_draw": bin.predicted_draw,
            "observed_draw": bin.observed_draw,
        })).collect::<Vec<_>>(),
        "calibration_held_out": fit.calibration_held_out,
        "warnings": fit.warnings,
        "inputs": file.provenance.shards.iter().map(|shard| &shard.name).collect::<Vec<_>>(),
        "rule": file.provenance.rule,
        "made_by": made_by(),
    })
}
