//! What an experiment has found so far.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use super::place::Place;
use super::slopes::relative_slope;
use crate::cli::report::{Form, form};
use crate::cli::standing::{fixed, strength_json};
use crate::cli::{done, output};
use drawish::arena::{Logged, Tally};
use drawish::experiment::{ArmPlan, ArmResult, judge};
use drawish::findings::{Findings, Wanted};
use drawish::provenance::made_by;
use drawish::report::{experiment, html, markdown, sections};
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
    let mut forms = Vec::new();
    for path in outputs {
        forms.push((path, form(path)?));
        output::check(path, &[file.to_owned()])?;
    }
    let plan = &place.experiment;
    let wanted = Wanted { sprt: Some(plan.sprt()?), margin: plan.judgement.margin };
    let mut findings = Findings::default();
    let baseline = place.engine(&plan.baseline)?.arm.unwrap_or_default().read();
    let mut results = Vec::new();
    for Standing { plan, logged, tally } in standings(&place) {
        match place.log(plan) {
            Some(path) => findings.read(&path, Estimator::EmpiricalBayesSymmetric, wanted),
            None => findings.remark(&plan.name, "no game has been played; `drawish experiment run` plays them"),
        }
        let slope = match (&baseline, &place.engine(plan)?.arm.unwrap_or_default().read(), logged) {
            (Ok(baseline), Ok(arm), Some(Ok(logged))) => relative_slope(arm, baseline, &logged.pairs)?,
            (Err(error), _, _) | (_, Err(error), _) => {
                findings.fault(&plan.name, format!("its slope is not told: {error:#}"));
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
    for note in &findings.notes {
        output::complain(format!("drawish: {}: {}\n", note.input, note.what));
    }
    let judgement = judge(plan, &results).context("the test of the file cannot be made of these results")?;
    let mut pages = experiment(plan, &judgement);
    pages.extend(sections(&findings));
    for (path, form) in forms {
        let text = match form {
            Form::Html => html(&plan.title, &pages, &findings.structures, &made_by()),
            Form::Markdown => markdown(&plan.title, &pages, &findings.structures, None, &made_by()),
        };
        output::write(path, text.as_bytes())?;
    }
    Ok(if findings.notes.iter().any(|note| note.is_fault) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
