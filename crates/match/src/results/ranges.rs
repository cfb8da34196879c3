//! The ranges of a match, put together in the order of their pairs.

use std::num::NonZeroU64;

use super::Run;
use crate::arena::{Course, Setup};

/// The number in its match of the first pair of a run.
pub(super) fn first_pair(run: &Run) -> u64 {
    run.setup.as_ref().map_or(1, |setup| setup.first_pair.get())
}

/// The pairs of a match from its first one in their order, if that is what runs are: one log, or those of its ranges.
pub(super) fn course(runs: &[Run]) -> Option<Course> {
    if runs.iter().any(|run| run.is_part) {
        return None;
    }
    let mut parts = Vec::with_capacity(runs.len());
    // A log without a pair has no place among the others.
    let is_empty = |run: &Run| run.course.as_ref().is_some_and(|course| course.pairs() == 0);
    let all_are = runs.iter().all(is_empty);
    for run in runs.iter().filter(|run| all_are || !is_empty(run)) {
        let begin = first_pair(run);
        parts.push((begin, run.course.as_ref()?, run.setup.as_ref()));
    }
    parts.sort_by_key(|(begin, ..)| *begin);
    let of_match = |setup: &Setup| Setup { first_pair: NonZeroU64::MIN, ..setup.clone() };
    let are_of_one = parts.windows(2).all(|two| {
        let setups = two[0].2.map(of_match).zip(two[1].2.map(of_match));
        setups.is_some_and(|(one, other)| one == other)
    });
    let mut wanted = 1;
    for (begin, course, _) in &parts {
        if *begin != wanted {
            return None;
        }
        wanted += course.pairs();
    }
    (are_of_one && !parts.is_empty()).then(|| Course::joined(parts.into_iter().map(|(_, course, _)| course)))
}
