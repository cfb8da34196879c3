//! A fit for people: the lines of scoreWDL.py, and beside them what it does not know.

use std::fmt::Write;
use std::path::PathBuf;

use drawish_core::Wdl;
use drawish_games::wdl::fit::{Family, Fit, Method};
use drawish_games::wdl::{Model, ModelFormat, Provenance, Updated};
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

/// The figures of a fit to the counts in these files; without a model, if nothing was fitted, what was counted.
#[must_use]
pub fn text(fit: &Fit, model: Option<&Model>, files: &[PathBuf]) -> String {
    let mut out = String::new();
    let (options, left) = (&fit.options, fit.left);
    let names: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    let Wdl { wins, draws, losses } = fit.retained;
    let _ = writeln!(out, "Converting evals with {}.", options.normalization);
    let _ = writeln!(out, "Reading eval stats from {}.", names.join(", "));
    let _ = writeln!(out, "Retained (W,D,L) = ({wins}, {draws}, {losses}) positions.");
    let retained = (wins + draws + losses) as u64;
    let _ = writeln!(
        out,
        "Left out: {} by move, {} by material, {} by evaluation, {} mates{}; {} in all with the {} retained.",
        grouped(left.by_move),
        grouped(left.by_material),
        grouped(left.by_eval),
        grouped(left.mates),
        if options.by_speed { format!(", {} without a time control", grouped(left.by_speed)) } else { String::new() },
        grouped(retained + left.by_move + left.by_material + left.by_eval + left.mates + left.by_speed),
        grouped(retained),
    );
    if let Some(model) = model {
        objectives(&mut out, fit, model);
        figures(&mut out, model);
        calibration(&mut out, model);
        shapes(&mut out, model);
    }
    out
}

/// How to build an engine with the first of these files that is a header; nothing without one.
#[must_use]
pub fn linked(outputs: &[PathBuf]) -> String {
    let header = outputs.iter().find(|path| ModelFormat::of(path) == Some(ModelFormat::Header));
    header.map_or(String::new(), |path| {
        format!("Include {} and link with -lm, as in: cc -O2 engine.c -lm\n", path.display())
    })
}

/// How the search went.
fn objectives(out: &mut String, fit: &Fit, model: &Model) {
    let _ = writeln!(out, "Fit WDL model based on {}.", fit.options.mom);
    if let Method::Optimize(_) = fit.options.method {
        let _ = writeln!(out, "Initial objective function:  {}", fit.initial_objective);
        let _ = writeln!(out, "Final objective function:    {}", or_dash(model.objective, f64::to_string));
        if fit.ends.len() > 1 {
            let ends: Vec<_> = fit.ends.iter().map(|end| format!("{end:.16}")).collect();
            let _ = writeln!(out, "Searches from {} starts ended at {}.", ends.len(), ends.join(", "));
        }
    }
}

fn figures(out: &mut String, model: &Model) {
    let Model { pawn_value, spread, mom_type: mom, mom_target: target, .. } = model;
    let both = model.errors.as_ref().zip(model.intervals_95.as_ref());
    let remark = |value: f64, error: Option<(f64, [f64; 2])>| {
        error.map_or(String::new(), |(error, [low, high])| {
            format!("  // {value:.2}, 95 % CI {low:.2} to {high:.2}, standard error {error:.2}")
        })
    };
    let whole = |value: f64| (value + 0.5) as i64;
    let of_pawn = remark(*pawn_value, both.map(|(errors, all)| (errors.pawn_value, all.pawn_value)));
    let of_spread = remark(*spread, both.map(|(errors, all)| (errors.spread, all.spread)));
    let is_usable = model.check_pawn_value().is_ok();
    if is_usable {
        let _ = writeln!(out, "const int NormalizeToPawnValue = {};{of_pawn}", whole(*pawn_value));
    } else {
        let _ = writeln!(
            out,
            "No NormalizeToPawnValue: a at the anchor is {pawn_value:.2}, which is no pawn value of an engine;{of_pawn}"
        );
    }
    let _ = writeln!(out, "Corresponding spread = {};{of_spread}", whole(*spread));
    let _ = writeln!(out, "Corresponding normalized spread = {};", or_dash(model.normalized_spread, f64::to_string));
    let draw_rate = or_dash(model.draw_rate_at_0, f64::to_string);
    let _ = writeln!(out, "Draw rate at 0.0 eval at {mom} {target} = {draw_rate};");
    match model.cubics() {
        Some(cubics) => {
            out.push_str("Parameters in internal value units: \n");
            for (name, cubic) in [("a", cubics.a), ("b", cubics.b)] {
                let [c3, c2, c1, c0] = cubic.0;
                let _ = writeln!(
                    out,
                    "p_{name} = (({c3:.3} * x / {target} + {c2:.3}) * x / {target} + {c1:.3}) * x / {target} + {c0:.3}"
                );
            }
            if is_usable {
                out.push_str(&model.constants());
            }
            if let Some(errors) = &model.errors {
                let list = |errors: &[Option<f64>]| list(errors.iter().copied());
                let _ = writeln!(out, "Standard errors: as {}; bs {}", list(&errors.a), list(&errors.b));
            }
            if model.by_time_control {
                let (a, b) = (model.a[4], model.b[4]);
                let _ = writeln!(
                    out,
                    "Each doubling of the time, by class, adds {a:.3} to a and {b:.3} to b; the figures above are for 4 minutes."
                );
            }
        }
        None => {
            let _ = writeln!(out, "Parameters in internal value units, {}:", formula(model));
            let list = |values: &[f64]| list(values.iter().copied().map(Some));
            let _ = writeln!(out, "a: {}\nb: {}", list(&model.a), list(&model.b));
            let _ = writeln!(out, "{:>8}         a         b", mom.name());
            for point in &model.curve {
                let _ = writeln!(out, "{:>8} {:>9.3} {:>9.3}", point.mom, point.a, point.b);
            }
        }
    }
}

fn formula(model: &Model) -> String {
    match model.smoothing {
        Some(smoothing) => format!("cubic B-spline coefficients with smoothing {smoothing:e}"),
        None => format!("(c0 + c1 u + c2 u^2) / (1 + c3 u) with u = x / {}", model.mom_target),
    }
}

fn calibration(out: &mut String, model: &Model) {
    if let Some(loss) = model.held_out_log_loss {
        let _ = writeln!(
            out,
            "Held-out log loss = {loss:.9} per position, {} blocks of games each predicted from the others.",
            model.blocks
        );
    }
    let kind = if model.calibration_held_out { "held out" } else { "on the same data" };
    let _ = writeln!(out, "Calibration ({kind}, each position from both sides):");
    let _ = writeln!(
        out,
        "{:>14}  {:>9} {:>9}  {:>9} {:>9}",
        "positions", "win pred.", "observed", "draw pred.", "observed"
    );
    for bin in &model.calibration {
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
}

fn shapes(out: &mut String, model: &Model) {
    if !model.shapes.is_empty() {
        out.push_str("Shapes on the same positions:  objective, held-out log loss, a at the anchor\n");
    }
    for of in &model.shapes {
        let nine = |value: &f64| format!("{value:.9}");
        let held_out = of.held_out_log_loss.map_or("no blocks".to_owned(), |loss| nine(&loss));
        let (name, objective) = (Family::name(of.shape), or_dash(of.objective, nine));
        let _ = writeln!(out, "{name:>10}  {objective}  {held_out}  {:.2}", of.pawn_value);
    }
}

fn list(values: impl Iterator<Item = Option<f64>>) -> String {
    values.map(|value| or_dash(value, |value| format!("{value:.8}"))).collect::<Vec<_>>().join(", ")
}

/// A figure, or a dash where it is not defined.
fn or_dash(value: Option<f64>, text: impl Fn(&f64) -> String) -> String {
    value.as_ref().map_or("-".to_owned(), text)
}

/// What there is to say, for programs, of positions to which nothing was fitted.
#[must_use]
pub fn without_model(fit: &Fit, source: &Provenance) -> Value {
    let (Wdl { wins, draws, losses }, names) = (fit.retained, source.inputs.iter().map(|input| &input.name));
    json!({
        "retained": { "wins": wins, "draws": draws, "losses": losses },
        "left_out": fit.left,
        "inputs": names.collect::<Vec<_>>(),
        "rule": source.rule_line(),
    })
}

/// Whether the pawn value of an engine should change.
#[must_use]
pub fn verdict(updated: &Updated) -> String {
    let Updated { model, old, new, positions, games, .. } = updated;
    let errors = model.errors.as_ref();
    let error = errors
        .map_or(String::new(), |errors| format!(" ({:.2}, standard error {:.2})", model.pawn_value, errors.pawn_value));
    let interval = model.intervals_95.as_ref().map(|of| of.pawn_value);
    let verdict = match interval {
        _ if !updated.is_change() => format!("should stay at {old}{error}"),
        Some([low, high]) if (low..=high).contains(old) => format!(
            "would be {new}{error} in the place of {old}, but these games do not tell the two apart: its 95 % interval is {low:.1} to {high:.1}; \
             collect more games"
        ),
        Some(_) => format!("should change from {old} to {new}{error}"),
        None => format!(
            "would be {new} in the place of {old}, but no error is known, so do not change it yet: collect more games"
        ),
    };
    let games = counted(*games, "game");
    format!("Based on {positions} positions from {games}, NormalizeToPawnValue {verdict}.\n")
}
