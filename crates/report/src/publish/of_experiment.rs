//! The document of an experiment: what it has found so far, before the pages of its matches.

use drawish_games::smooth::Estimator;
use drawish_match::experiment::{ArmFound, Layout, RunError, judge};
use drawish_stats::SprtError;
use drawish_stats::numbers::counted;
use thiserror::Error;

use crate::data::{ReportData, Wanted};
use crate::document::Document;
use crate::pages::{experiment, sections};

/// Why what an experiment has found cannot be shown.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum ExperimentReportError {
    #[error(transparent)]
    Test(#[from] SprtError),
    #[error(transparent)]
    Logs(#[from] RunError),
    #[error("the test of the file cannot be made of these results")]
    Judgement(#[source] SprtError),
}

impl Document {
    /// What an experiment has found so far, and the data that it was made of, with notes on what is missing. `not_begun` is the note
    /// on an arm without a log.
    ///
    /// # Errors
    ///
    /// If its test cannot be made, or an arm of its file cannot be played.
    pub fn of_experiment(layout: &Layout, not_begun: &str) -> Result<(Document, ReportData), ExperimentReportError> {
        let plan = layout.experiment();
        let wanted = Wanted { sprt: Some(plan.sprt()?), fixed: true, margin: plan.judgement.margin };
        let mut data = ReportData::default();
        for change in layout.changes()? {
            data.fault(&plan.title, format!("changed since the first game: {change}"));
        }
        let (mut results, mut matches) = (Vec::new(), Vec::new());
        for ArmFound { status, result, no_slope, same_games } in layout.found()? {
            let arm = status.plan;
            let first = data.matches.len();
            match layout.log(arm) {
                Some(path) => data.read(&[path], Estimator::EmpiricalBayesSymmetric, wanted),
                None => data.remark(&arm.name, not_begun),
            }
            if let Some(why) = no_slope {
                data.fault(&arm.name, format!("its slope is unknown: {why}"));
            }
            if let Some((other, pairs)) = same_games {
                data.remark(
                    &arm.name,
                    format!(
                        "plays the same games as {other} in all {}: they are one question, which Holm's correction counts twice",
                        counted(pairs as u64, "pair")
                    ),
                );
            }
            matches.push(first..data.matches.len());
            results.push(result);
        }
        let judgement = judge(plan, &results).map_err(ExperimentReportError::Judgement)?;
        for (arm, matches) in judgement.arms.iter().zip(matches) {
            data.matches[matches].iter_mut().for_each(|found| found.judge_as(arm, plan.judgement.level));
        }
        let mut all = experiment(plan, &judgement);
        all.extend(sections(&data));
        Ok((Document::new(&plan.title, all, &data), data))
    }
}
