//! The ranges of a match, put together in the order of their pairs.

use std::num::NonZeroU64;

use super::rounds::matter;
use super::{Remark, Run};
use crate::arena::{Course, Setup, Side};

/// The number in its match of the first pair of a run.
pub(super) fn first_pair(run: &Run) -> u64 {
    run.setup.as_ref().map_or(1, |setup| setup.first_pair.get())
}

/// Says of the last of all runs that so many ranges end before the next one begins that it matters: each lacks the pair that was not played to its
/// end, a long one.
pub(super) fn remark_on(runs: &mut [Run]) {
    let mut matches: Vec<(Setup, Vec<[u64; 2]>)> = Vec::new();
    let mut all = 0;
    for run in runs.iter() {
        let Some((setup, course)) = run.setup.as_ref().zip(run.course.as_ref()) else { continue };
        let (begin, pairs) = (first_pair(run), course.pairs());
        let own = numbered_alike(setup);
        all += pairs;
        match matches.iter_mut().find(|(setup, _)| *setup == own) {
            Some((_, ranges)) => ranges.push([begin, begin.saturating_add(pairs)]),
            None => matches.push((own, vec![[begin, begin.saturating_add(pairs)]])),
        }
    }
    let unfinished = |(_, ranges): &mut (Setup, Vec<[u64; 2]>)| {
        ranges.sort_unstable();
        ranges.windows(2).filter(|two| two[0][1] < two[1][0]).count() as u64
    };
    let unfinished = matches.iter_mut().map(unfinished).sum();
    // Unlike a game that is missing, a range that ends too soon is no chance: few are enough.
    if let Some(last) = runs.last_mut().filter(|_| matter(unfinished, all)) {
        last.remarks.push(Remark::Ranges(unfinished));
    }
}

/// What matches have in common whose pairs have the same numbers: their engines may lie elsewhere on each machine, or be compiled there.
fn numbered_alike(setup: &Setup) -> Setup {
    let anywhere = |side: &Side| Side {
        player: String::new(),
        dir: None,
        build: None,
        files: None,
        options: Vec::new(),
        ..side.clone()
    };
    Setup { sides: setup.sides.each_ref().map(anywhere), ..of_match(setup) }
}

/// What ranges of one match have in common.
fn of_match(setup: &Setup) -> Setup {
    Setup { first_pair: NonZeroU64::MIN, ..setup.clone() }
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
    let are_of_one = parts.windows(2).all(|two| {
        let setups = two[0].2.map(of_match).zip(two[1].2.map(of_match));
        setups.is_some_and(|(one, other)| one.difference(&other).is_none())
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

#[cfg(test)]
mod tests {
    use drawish_stats::{Counted, Pentanomial};
    use serde_json::json;

    use super::*;
    use crate::arena::Rules;

    #[test]
    fn ranges_that_still_run_are_named() {
        let side =
            |name: &str| json!({ "name": name, "player": "x", "build": null, "options": [], "limits": "10 nodes" });
        let setup: Setup = serde_json::from_value(json!({
            "sides": [side("a"), side("b")], "book": "book", "book_digest": "00", "openings": 1000, "plies": null, "rules": Rules::default(),
            "seed": 1,
        }))
        .expect("a setup");
        let of_range = |begin: u64, pairs: u64, seed: u64| {
            let first_pair = NonZeroU64::new(begin).expect("above 0");
            let counted = Counted { pairs: Some(Pentanomial { wl_dd: pairs, ..Default::default() }), games: None };
            Run {
                setup: Some(Setup { first_pair, seed, ..setup.clone() }),
                course: Some(Course::of_halves((0..pairs).map(|_| ([1, 1], None)))),
                ..Run::of_counts("log", counted)
            }
        };
        let said = |mut runs: Vec<Run>| {
            remark_on(&mut runs);
            runs.into_iter().flat_map(|run| run.remarks).collect::<Vec<_>>()
        };
        let ranges = |pairs: u64| (0..12).map(|at| of_range(1 + 20 * at, pairs, 1)).collect::<Vec<_>>();
        assert_eq!(said(ranges(5)), [Remark::Ranges(11)]);
        assert_eq!(said(ranges(5).into_iter().take(4).collect()), [Remark::Ranges(3)]);
        assert_eq!(said(ranges(10).into_iter().take(4).collect()), [], "few beside forty pairs");
        // Engines that lie elsewhere on each machine.
        let elsewhere = ranges(5).into_iter().enumerate().map(|(at, run)| {
            let mut setup = run.setup.clone().expect("a setup");
            setup.sides[0].player = format!("/home/{at}/x");
            Run { setup: Some(setup), ..run }
        });
        assert_eq!(said(elsewhere.collect()), [Remark::Ranges(11)]);
        assert_eq!(said(ranges(20)), [], "whole");
        // Matches of their own from the first pair on.
        assert_eq!(said((0..12).map(|at| of_range(1, 5, at)).collect()), []);
    }
}
