//! What results mean: by the test that is given, or by the one that their source names and that may have stopped them.

use super::by_opening::analysed;
use super::ranges::{course, first_pair};
use super::{NamedTest, Run, printed};
use drawish_stats::{Analysis, AnalysisError, Counted, Model, NoFigure, Sprt, Tested};

/// The test that the source of the results names: that of the log of a match, or the printed one, in normalized Elo, which is the
/// scale of fishtest, of OpenBench, and of fastchess unless it is told otherwise. Of several runs that were each stopped by a test,
/// the sum has none.
#[must_use]
pub fn named_test(runs: &[Run]) -> Option<NamedTest> {
    if let [run] = runs { run.test } else { None }
}

/// What the results of runs mean, by the test that is given or else by the one that their source names; with a margin in Elo, also
/// whether the difference is smaller than it. The test of a match that is there from its first pair, in one log or in those of its
/// ranges, ends with the pair that decides it, as the match does; all else is of all pairs.
///
/// # Errors
///
/// If there are no runs, some count pairs and others games, the test is not made for them, as for those against several opponents, or
/// the margin is not above 0 and below 1000.
pub fn judge(runs: &[Run], given: Option<Sprt>, margin: Option<f64>) -> Result<Analysis, AnalysisError> {
    let sprt = given.or_else(|| named_test(runs).map(|named| named.sprt));
    let single = sprt.is_some_and(|sprt| sprt.model() == Model::Bayesian);
    let mut found = analysed(runs, single, sprt, margin)?;
    match (sprt, course(runs), &mut found.test) {
        (Some(sprt), Some(course), test) => {
            let own = runs.iter().filter(|run| run.test.is_some()).min_by_key(|run| first_pair(run));
            let own = own.and_then(|run| run.test);
            *test = Some(course.judge_beside(sprt, own.map(|named| named.sprt))?);
        }
        (Some(_), None, Some(test)) => {
            // Results of one run that have no order are those of a match as it ended.
            let is_unordered = runs.len() > 1 || runs.iter().any(|run| run.course.is_some() || run.is_part);
            if let [run] = runs
                && let Some(decision) = printed::ended_by_runner(run, test)
            {
                *test = Tested::ended(&found.results, test.sprt, decision)?;
            }
            let why = if is_unordered { Some(NoFigure::OrderUnknown) } else { printed::other_stop(&runs[0], test) };
            test.estimate = why.map_or(test.estimate, |why| test.estimate.and(Err(why)));
        }
        _ => {}
    }
    Ok(found)
}

/// How many of several runs were stopped by tests, each by its own: they end where their scores look best or worst, so that such runs of one
/// match differ more than chance has it. Where their sources name none it may be the `given` one.
#[must_use]
pub fn stopped(runs: &[Run], given: Option<Sprt>) -> usize {
    let are_alone = runs.len() > 1 && course(runs).is_none();
    runs.iter().filter(|run| are_alone && run.was_stopped(given)).count()
}

impl Run {
    /// Whether its source says that a test has stopped it, or the test that it names, or else the `given` one, is decided at its end: a
    /// match that went on was stopped by something else.
    #[must_use]
    pub fn was_stopped(&self, given: Option<Sprt>) -> bool {
        self.is_stopped || self.is_decided(given, Tested::is_at_end)
    }

    /// Whether such a test was decided [so near its end](Tested::is_near_end) that its Elo, as if the number of games had been fixed, is too far
    /// from 0.
    #[must_use]
    pub fn is_shifted(&self, given: Option<Sprt>) -> bool {
        self.is_stopped || self.was_decided || self.is_decided(given, Tested::is_near_end)
    }

    /// Whether the test that it names, or else the `given` one, is decided where this holds of it and of the number of pairs.
    fn is_decided(&self, given: Option<Sprt>, holds: impl Fn(&Tested, u64) -> bool) -> bool {
        // Of one colour the advantage of White decides a test.
        let given = given.filter(|_| !self.colours.are_far_apart());
        let Some(sprt) = self.test.map(|named| named.sprt).or(given) else { return false };
        let tested = match &self.course {
            Some(course) => course.judge(sprt).ok(),
            None => Counted::results(&[self.distinct()], sprt.model() == Model::Bayesian)
                .ok()
                .and_then(|results| Tested::of(results.first()?, sprt).ok()),
        };
        let pairs = self.course.as_ref().map_or(0, |course| course.pairs());
        tested.is_some_and(|tested| holds(&tested, pairs))
    }

    /// Takes away the test that its source names, so that it is judged by none, but not what is known of its stop.
    pub fn forget_test(&mut self) {
        (self.is_stopped, self.was_decided) = (self.was_stopped(None), self.is_shifted(None));
        self.test = None;
    }
}
