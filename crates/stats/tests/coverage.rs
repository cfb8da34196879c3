//! A small part of `examples/coverage.rs`, `examples/false_positives.rs` and `examples/several_opponents.rs`: intervals hold the truth,
//! tests keep to their level.

#[path = "../examples/simulation/grid.rs"]
mod grid;
#[path = "../examples/simulation/opponents.rs"]
mod opponents;
#[path = "../examples/simulation/mod.rs"]
mod simulation;

use drawish_stats::{Equivalence, Model, difference_p, difference_p_at_any_time, score_of_elo};
use grid::{Tally, cells};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use simulation::{Law, results};

/// Matches of 20 to 100 pairs, in which the former estimate held the truth in 84 to 91 %, in drawish cells in 39 %.
#[test]
fn intervals_after_a_stop_hold_the_truth() {
    let cells: Vec<_> = cells(&[20, 100])
        .into_iter()
        .filter(|cell| cell.wide && cell.model != Model::Bayesian && [0.0, 0.7, 0.98].contains(&cell.draws))
        .collect();
    let tallies = simulation::in_parallel(cells.len(), |at| cells[at].play(50, 1000 + at as u64));
    for (cell, tally) in cells.iter().zip(&tallies) {
        let wrong = f64::from(tally.figures - tally.covered) / f64::from(tally.matches);
        // Four standard errors of 50 matches above 5 %.
        assert!(wrong < 0.175, "{cell:?} {tally:?}");
    }
    let sum = tallies.iter().fold(Tally::default(), |sum, &tally| sum.plus(tally));
    let share = sum.coverage().expect("figures");
    assert!((0.94..0.99).contains(&share) && sum.figures > sum.matches * 3 / 4, "{sum:?}");
    let above = f64::from(sum.above) / f64::from(sum.figures);
    assert!((0.44..0.6).contains(&above), "{above}");
}

/// Opponents 300 Elo apart: what is between them is no error, what openings do to all of them is. As one stratum 97 to 100 % would hold.
#[test]
fn intervals_against_several_opponents_hold_the_truth() {
    let cells: Vec<_> =
        opponents::cells().into_iter().filter(|cell| cell.opponents < 10 && cell.openings < 200).collect();
    let found = simulation::in_parallel(cells.len(), |at| cells[at].play(100, 2000 + at as u64));
    for (cell, found) in cells.iter().zip(&found) {
        // Four standard errors of 100 matches about 95 %.
        assert!(found.holds().iter().all(|share| *share > 0.86), "{cell:?} {found:?}");
    }
    let of_all = |of: &dyn Fn(&opponents::Found) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let shares = [of_all(&|found| found.holds()[0]), of_all(&|found| found.holds()[1])];
    assert!(shares.iter().all(|share| (0.94..0.965).contains(share)), "{shares:?}");
}

/// How often a test with the level 0.05 errs, of many matches in which what it refuses is true.
fn errs(law: &Law, pairs: u64, seed: u64, refuses: impl Fn(&[u64]) -> bool + Sync) -> f64 {
    let runs = 1500;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let wrong = (0..runs).filter(|_| {
        let mut counts = [0; 5];
        (0..pairs).for_each(|_| counts[law.draw(&mut random)] += 1);
        refuses(&counts)
    });
    wrong.count() as f64 / f64::from(runs)
}

/// 5 % and three standard errors of 1,500 matches.
const MOST: f64 = 0.067;

#[test]
fn tests_of_no_difference_keep_to_their_level() {
    for draws in [0.0, 0.6, 0.9, 0.98] {
        for pairs in [1, 2, 5, 10, 50, 200] {
            let law = Law::even(draws, true);
            let wrong = errs(&law, pairs, pairs, |counts| difference_p(&results(counts)) < 0.05);
            assert!(wrong < MOST, "{draws} {pairs}: {wrong}");
        }
    }
}

#[test]
fn tests_that_are_looked_at_after_every_pair_keep_to_their_level() {
    for (draws, at) in [0.0, 0.6, 0.9, 0.98].into_iter().zip(0..) {
        let law = Law::even(draws, true);
        let mut random = ChaCha8Rng::seed_from_u64(at);
        let wrong = (0..500).filter(|_| {
            let mut counts = [0; 5];
            (0..200).any(|_| {
                counts[law.draw(&mut random)] += 1;
                difference_p_at_any_time(&results(&counts)) < 0.05
            })
        });
        let share = wrong.count() as f64 / 500.0;
        assert!(share < 0.05, "{draws}: {share}");
    }
}

/// The truth is at the margin, which equivalence must not be shown against.
#[test]
fn equivalence_keeps_to_its_level() {
    for (draws, margin) in [(0.0, 30.0), (0.6, 30.0), (0.9, 10.0), (0.98, 5.0), (0.98, 3.0)] {
        let law = Law::even(draws, true).with_score(score_of_elo(-margin));
        for pairs in [1, 20, 60, 150, 400] {
            let of = errs(&law, pairs, pairs, |counts| Equivalence::of(&results(counts), margin).p() < 0.05);
            let any = errs(&law, pairs, pairs, |counts| Equivalence::at_any_time(&results(counts), margin).p() < 0.05);
            assert!(of < MOST && any < MOST, "{draws} {margin} {pairs}: {of} {any}");
        }
    }
}
