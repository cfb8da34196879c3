//! Results in words, with the test that stands beside them.

use super::{NamedTest, Remark, ResultsError, Run, TestPlace};
use drawish_stats::{Counted, Model, PrintedTest, Sprt, read_printed};

/// The results of a text, with the test that is printed beside them.
pub(super) fn read(name: String, text: &str) -> Result<Run, ResultsError> {
    let found = read_printed(text).map_err(|cause| ResultsError::Text { name: name.clone(), cause })?;
    let (test, other_llr) = found.test.and_then(|test| test_of(&test, found.counted)).unzip();
    let earlier = (found.earlier > 0).then_some(Remark::Earlier(found.earlier));
    let test = test.map(|sprt| NamedTest { sprt, place: TestPlace::Printed });
    let remarks = earlier.into_iter().chain(other_llr.flatten()).collect();
    Ok(Run { remarks, test, ..Run::of_counts(name, found.counted) })
}

/// The test that is printed beside results: in the scale that is named, or in the first of normalized, logistic and bayesian Elo that
/// gives the printed ratio, or else in normalized Elo, with what must be said then.
fn test_of(printed: &PrintedTest, counted: Counted) -> Option<(Sprt, Option<Remark>)> {
    let PrintedTest { elo0, elo1, alpha, beta, model, llr } = *printed;
    let of = |model| {
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta).ok()?;
        let results = Counted::results(&[counted], model == Model::Bayesian).ok()?;
        Some((sprt, results.first().and_then(|results| sprt.llr(results).ok())))
    };
    let (usual, found) = of(model.unwrap_or(Model::Normalized))?;
    let (Some(llr), Some(found)) = (llr, found) else { return Some((usual, None)) };
    // Two decimals are printed, and runners differ in what they do with counts of 0.
    let agrees = |found: f64| (found - llr).abs() <= 0.02 + 0.03 * llr.abs();
    if agrees(found) {
        return Some((usual, None));
    }
    let scales = [Model::Logistic, Model::Bayesian].into_iter().filter(|_| model.is_none());
    let other = scales.filter_map(of).find(|(_, found)| found.is_some_and(agrees));
    Some(other.map_or((usual, Some(Remark::OtherLlr { printed: llr, found })), |(sprt, _)| (sprt, None)))
}
