//! Numbers of a form, fitted within roots: the evaluation linearised in them.

use std::sync::Arc;

use drawish_engine::eval::{Arm, Config, Evaluate, Evaluator, State};
use drawish_engine::form::Form;
use drawish_games::fit::Remark;
use shakmaty::Chess;

use super::held_out::{Estimate, HeldOut};
use super::ridge::{Columns, Moves};
use super::run::{Labels, few_games, label, reach};
use super::siblings::{Family, Target};
use super::{FitFigures, FittedNumber, FormFit, Standing, Within, WithinError};

/// Centipawns that a number is expected to change evaluations by.
const TYPICAL: f64 = 10.0;

pub(super) fn run(
    within: &Within<'_>,
    form: &Form,
    observe: impl FnMut(Standing) + Send,
) -> Result<FormFit, WithinError> {
    let labels = label(within, observe)?;
    let names: Vec<String> = Form::names().filter(|name| !name.starts_with("search.")).collect();
    let mut here = evaluator(form)?;
    let mut changed = names
        .iter()
        .map(|name| {
            let step = step(name);
            let at = |change: f64| -> Result<Evaluator, WithinError> {
                let mut other = form.clone();
                other.set(name, (form.number(name).unwrap_or_default() + change).clamp(-1000.0, 1000.0))?;
                evaluator(&other)
            };
            Ok((at(-step)?, at(step)?, 2.0 * step))
        })
        .collect::<Result<Vec<_>, WithinError>>()?;
    let families = families(within, &labels, &mut here, &mut changed)?;
    let mut remarks = few_games(&labels.compared, names.len());
    let moves = Moves::new(&families, Target::Form, &Columns::of_numbers(names.len(), TYPICAL), within.threads);
    let (fitted, without) = moves.fit().ok_or(WithinError::NothingToLearn)?;
    if moves.idle.iter().all(|idle| *idle) {
        return Err(WithinError::NoNumbers);
    }
    let (errors, reach) = (moves.errors(&fitted), reach(&families));
    let held_out = HeldOut::of(&families, Target::Form, &without);
    let (mut found, mut tuned, mut idle) = (Vec::new(), form.clone(), Vec::new());
    for (at, name) in names.into_iter().enumerate() {
        if moves.idle[at] {
            idle.push(name);
            continue;
        }
        let before = form.number(&name).unwrap_or_default();
        let value = round((before + fitted.head[at]).clamp(-1000.0, 1000.0));
        tuned.set(&name, value)?;
        let error = errors.as_ref().map(|(_, errors)| reach * errors[at]).filter(|error| *error > 0.0);
        found.push(FittedNumber { name, before, value: Estimate { value, error } });
    }
    if !idle.is_empty() {
        remarks.push(Remark::Idle(idle));
    }
    let slope = Estimate { value: fitted.slope, error: errors.map(|(slope, _)| reach * slope) };
    let figures = FitFigures { slope, held_out };
    Ok(FormFit { form: tuned, numbers: found, figures, compared: labels.compared, remarks })
}

fn evaluator(form: &Form) -> Result<Evaluator, WithinError> {
    let config = Config { arm: Arm::Form, form: Some(Arc::new(form.clone())), ..Config::default() };
    Ok(Evaluator::new(&config)?)
}

/// By how much a number is changed to see what it does: some centipawns, of which evaluations are whole numbers.
fn step(name: &str) -> f64 {
    match name {
        "clock" => 0.25,
        "clock_from" => 4.0,
        name if name.contains("per_pawn") => 2.0,
        _ => 8.0,
    }
}

/// A thousandth is more than an evaluation can tell.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn families(
    within: &Within<'_>,
    labels: &Labels,
    here: &mut Evaluator,
    changed: &mut [(Evaluator, Evaluator, f64)],
) -> Result<Vec<Family>, WithinError> {
    labels.families(within, |position: &Chess, _| {
        let state = State::new(position.clone());
        let slopes = changed.iter_mut().enumerate().filter_map(|(at, (below, above, width))| {
            let change = f64::from(above.centipawns(&state) - below.centipawns(&state)) / *width;
            (change != 0.0).then_some((at, change))
        });
        let slopes = slopes.collect();
        (f64::from(here.centipawns(&state)), slopes)
    })
}
