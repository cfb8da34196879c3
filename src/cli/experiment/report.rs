//! What an experiment has found so far.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use super::place::Place;
use super::slopes::relative_slope;
use crate::cli::picture::Pages;
use crate::cli::report::{complain, exit_code};
use crate::cli::standing::{fixed, strength_json};
use crate::cli::{done, output};
use drawish::arena::{Logged, Tally};
use drawish::experiment::{ArmPlan, ArmResult, judge};
use drawish::report::Document;
use drawish::report::data::{ReportData, Wanted};
use drawish::report::pages::{self, experiment};
use drawish::smooth::Estimator;
use drawish::stats::{Results, Strength};

/// How an arm stands.
struct Standing<'a> {
    plan: &'a ArmPlan,
    logged: Option<Result<Logged>>,
    tally: Tally,
}

fn standings(place: &Place) -> Vec<Standing<'_>> {
    let of = |plan| {
        let logged = place.logged(plan).transpose();
        let mut tally = Tally::default();
        if let Some(Ok(logged)) = &logged {
            logged.pairs.iter().for_each(|pair| tally.add(pair));
        }
        Standing { plan, logged, tally }
    };
    place.experiment.arms.iter().map(of).collect()
}

/// A line for each arm.
pub(super) fn status_text(place: &Place) -> Result<String> {
    let all = place.experiment.game.pairs;
    let mut text = format!("{}\n\n", place.experiment.title);
    let widest = place.experiment.arms.iter().map(|arm| arm.name.len()).max().unwrap_or(0);
    for Standing { plan, logged, tally } in standings(place) {
        let pairs = tally.pairs_played();
        let _ = write!(text, "{:widest$}  {pairs:>6} of {all} pairs", plan.name);
        match logged {
            None => text += "  not begun",
            Some(Err(error)) => drop(write!(text, "  {error:#}")),
            Some(Ok(logged)) => {
                if pairs > 0 {
                    let strength = Strength::of(&tally.results());
                    let (elo, error) = (fixed(strength.elo), fixed(strength.elo_error));
                    let _ = write!(text, "  Elo {elo:>7} +/- {error:>5}  {} identical", tally.identical);
                }
                if let Some((line, what)) = logged.damage {
                    let _ = write!(text, "; the log is damaged from line {line} on: {what}");
                }
            }
        }
        text.push('\n');
    }
    Ok(text)
}

pub(super) fn status(file: &Path, as_json: bool) -> Result<ExitCode> {
    let place = Place::open(file)?;
    if !as_json {
        output::print(status_text(&place)?)?;
        return done();
    }
    let arms = standings(&place).into_iter().map(|Standing { plan, tally, logged }| {
        let mut value = strength_json(&tally.results());
        value["arm"] = json!(plan.name);
        value["pairs"] = json!(tally.pairs_played());
        value["identical_pairs"] = json!(tally.identical);
        value["pentanomial"] = json!(tally.results().counts());
        match logged {
            Some(Ok(Logged { damage: Some((line, what)), .. })) => {
                value["damage"] = json!({ "line": line, "what": what });
            }
            Some(Err(error)) => value["error"] = json!(format!("{error:#}")),
            _ => {}
        }
        value
    });
    let all = place.experiment.game.pairs;
    let value = json!({ "title": place.experiment.title, "pairs": all, "arms": arms.collect::<Vec<_>>() });
    output::print(format!("{value:#}\n"))?;
    done()
}

pub(super) fn report(file: &Path, outputs: &[PathBuf]) -> Result<ExitCode> {
    let place = Place::open(file)?;
    let outputs = Pages::of(outputs)?;
    outputs.check(&[file.to_owned()])?;
    let plan = &place.experiment;
    let wanted = Wanted { sprt: Some(plan.sprt()?), margin: plan.judgement.margin };
    let mut data = ReportData::default();
    let baseline = place.engine(&plan.baseline)?.arm.unwrap_or_default().read();
    let mut results = Vec::new();
    for Standing { plan, logged, tally } in standings(&place) {
        match place.log(plan) {
            Some(path) => data.read(&path, Estimator::EmpiricalBayesSymmetric, wanted),
            None => data.remark(&plan.name, "no game has been played; `drawish experiment run` plays them"),
        }
        let slope = match (&baseline, &place.engine(plan)?.arm.unwrap_or_default().read(), logged) {
            (Ok(baseline), Ok(arm), Some(Ok(logged))) => relative_slope(arm, baseline, &logged.pairs)?,
            (Err(error), _, _) | (_, Err(error), _) => {
                data.fault(&plan.name, format!("its slope is unknown: {error:#}"));
                None
            }
            _ => None,
        };
        results.push(ArmResult {
            results: Results::Pairs(tally.pairs),
            identical: tally.identical,
            drawn: tally.games.draws,
            slope,
        });
    }
    complain(&data);
    let judgement = judge(plan, &results).context("the test of the file cannot be made of these results")?;
    let mut sections = experiment(plan, &judgement);
    sections.extend(pages::sections(&data));
    outputs.write(&Document::new(&plan.title, sections, &data))?;
    Ok(exit_code(&data))
}
