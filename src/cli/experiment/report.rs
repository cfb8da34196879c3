//! What an experiment has found so far.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use crate::cli::picture::Pages;
use crate::cli::report::{complain, exit_code};
use crate::cli::{done, output};
use drawish::arena::{Logged, MatchScore, fixed, fixed_or_dash};
use drawish::experiment::{ArmFound, ArmStatus, Layout, judge};
use drawish::report::Document;
use drawish::report::data::{ReportData, Wanted};
use drawish::report::pages::{self, experiment};
use drawish::smooth::Estimator;

/// A line for each arm.
pub(super) fn status_text(layout: &Layout) -> String {
    let experiment = layout.experiment();
    let mut text = format!("{}\n\n", experiment.title);
    let widest = experiment.arms.iter().map(|arm| arm.name.len()).max().unwrap_or(0);
    for ArmStatus { plan, logged, tally } in layout.status() {
        let (pairs, all) = (tally.pairs_played(), experiment.pairs_of(plan));
        let _ = write!(text, "{:widest$}  {pairs:>6} of {all} pairs", plan.name);
        match logged {
            None => text += "  not begun",
            Some(Err(error)) => drop(write!(text, "  {error}")),
            Some(Ok(logged)) => {
                if pairs > 0 {
                    let score = MatchScore::of(&tally.results());
                    let (elo, error) = (fixed(score.elo), fixed_or_dash(score.elo_error));
                    let _ = write!(text, "  Elo {elo:>7} +/- {error:>5}  {} identical", tally.identical);
                }
                if let Some((line, what)) = logged.damage {
                    let _ = write!(text, "; the log is damaged from line {line} on: {what}");
                }
            }
        }
        text.push('\n');
    }
    text
}

pub(super) fn status(file: &Path, as_json: bool) -> Result<ExitCode> {
    let layout = Layout::open(file)?;
    if !as_json {
        output::print(status_text(&layout))?;
        return done();
    }
    let arms = layout.status().into_iter().map(|ArmStatus { plan, tally, logged }| {
        let mut value = json!(MatchScore::of(&tally.results()));
        value["arm"] = json!(plan.name);
        value["pairs"] = json!(tally.pairs_played());
        value["wanted_pairs"] = json!(layout.experiment().pairs_of(plan));
        value["identical_pairs"] = json!(tally.identical);
        value["pentanomial"] = json!(tally.results().counts());
        match logged {
            Some(Ok(Logged { damage: Some((line, what)), .. })) => {
                value["damage"] = json!({ "line": line, "what": what });
            }
            Some(Err(error)) => value["error"] = json!(error.to_string()),
            _ => {}
        }
        value
    });
    let experiment = layout.experiment();
    let all = experiment.game.pairs;
    let value = json!({ "title": experiment.title, "pairs": all, "arms": arms.collect::<Vec<_>>() });
    output::print(format!("{value:#}\n"))?;
    done()
}

pub(super) fn report(file: &Path, outputs: &[PathBuf]) -> Result<ExitCode> {
    let layout = Layout::open(file)?;
    let outputs = Pages::of(outputs)?;
    outputs.check(&[file.to_owned()])?;
    let plan = layout.experiment();
    let wanted = Wanted { sprt: Some(plan.sprt()?), margin: plan.judgement.margin };
    let mut data = ReportData::default();
    let mut results = Vec::new();
    for ArmFound { status: ArmStatus { plan, .. }, result, no_slope } in layout.found()? {
        match layout.log(plan) {
            Some(path) => data.read(&path, Estimator::EmpiricalBayesSymmetric, wanted),
            None => data.remark(&plan.name, "no game has been played; `drawish experiment run` plays them"),
        }
        if let Some(why) = no_slope {
            data.fault(&plan.name, format!("its slope is unknown: {why}"));
        }
        results.push(result);
    }
    complain(&data);
    let judgement = judge(plan, &results).context("the test of the file cannot be made of these results")?;
    let mut sections = experiment(plan, &judgement);
    sections.extend(pages::sections(&data));
    outputs.write(&Document::new(&plan.title, sections, &data))?;
    Ok(exit_code(&data))
}
