//! How often the 95 % intervals of the engines of a tournament hold the true Elo, in simulated tournaments: with openings anew
//! for each pairing, and with the same ones for all.

use drawish_stats::{EloZero, Encounter, Pentanomial, RatedElo, Ratings, RoundPair, score_of_elo};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ELOS: [f64; 4] = [90.0, 20.0, -30.0, -80.0];
/// Of the points of a game, by which an opening favours White or Black: half of the openings each.
const LUCK: f64 = 0.15;
const DRAWN: f64 = 0.2;

/// A pair of games between engines of this difference: the shares of both games add up to twice the expected one.
fn pair(random: &mut ChaCha8Rng, elo: f64) -> usize {
    let luck = if random.random_bool(0.5) { LUCK } else { -LUCK };
    let share = score_of_elo(elo);
    [share + luck, share - luck]
        .into_iter()
        .map(|share| match random.random::<f64>() {
            lot if lot < share - DRAWN / 2.0 => 2,
            lot if lot < share + DRAWN / 2.0 => 1,
            _ => 0,
        })
        .sum()
}

fn encounter(random: &mut ChaCha8Rng, engines: [usize; 2], pairs: u32) -> Encounter {
    let mut counts = [0; 5];
    let [one, two] = engines.map(|engine| ELOS[engine]);
    (0..pairs).for_each(|_| counts[pair(random, one - two)] += 1);
    let [ll, ld, wl_dd, wd, ww] = counts;
    Encounter { engines, pairs: Pentanomial { ll, ld, wl_dd, wd, ww } }
}

/// The share of tournaments whose interval holds the truth, for each engine.
fn coverage(pairings: &[[usize; 2]], pairs: u32, zero: EloZero, seed: u64) -> [f64; 4] {
    let runs = 2000;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let level = match zero {
        EloZero::Mean => ELOS.iter().sum::<f64>() / 4.0,
        EloZero::Engine(engine) => ELOS[engine],
    };
    let mut held = [(0_u32, 0_u32); 4];
    for _ in 0..runs {
        let met: Vec<_> = pairings.iter().map(|&engines| encounter(&mut random, engines, pairs)).collect();
        let ratings = Ratings::of(4, &met, zero).expect("connected");
        for (engine, (held, all)) in held.iter_mut().enumerate() {
            // Who has only won, which is rare here, has no interval of two sides.
            if let RatedElo::Likeliest { elo, error: Some(error) } = ratings.elos()[engine] {
                *all += 1;
                *held += u32::from((elo - (ELOS[engine] - level)).abs() <= error);
            }
        }
    }
    held.map(|(held, all)| {
        assert!(all > runs * 9 / 10, "{all} of {runs} have an interval");
        f64::from(held) / f64::from(all)
    })
}

const ROUND_ROBIN: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Four standard errors of 2,000 tournaments are 2 %.
fn holds(share: f64) -> bool {
    (0.93..=0.97).contains(&share)
}

#[test]
fn intervals_of_a_round_robin_hold_the_truth() {
    for (pairs, seed) in [(8, 1), (20, 2), (60, 3)] {
        let found = coverage(&ROUND_ROBIN, pairs, EloZero::Mean, seed);
        assert!(found.into_iter().all(holds), "{pairs} pairs: {found:?}");
    }
}

#[test]
fn intervals_of_a_gauntlet_hold_the_truth() {
    let found = coverage(&[[0, 1], [0, 2], [0, 3]], 30, EloZero::Mean, 4);
    assert!(found.into_iter().all(holds), "{found:?}");
    let [zero, others @ ..] = coverage(&[[0, 1], [0, 2], [0, 3]], 30, EloZero::Engine(0), 5);
    assert!(zero == 1.0 && others.into_iter().all(holds), "{others:?}");
}

/// What an opening adds to the share of the first engine of a pairing against each opponent, in points of a pair: one of these.
const SUITS: [f64; 2] = [0.25, -0.25];

/// A tournament of which all pairings play the same openings: some suit the first engine, or the second, against everybody.
fn rounds(random: &mut ChaCha8Rng, pairings: &[[usize; 2]], openings: u32) -> Vec<RoundPair> {
    let mut pairs = Vec::new();
    for round in 0..openings {
        let own = [0; 4].map(|_| SUITS[usize::from(random.random_bool(0.5))]);
        for &engines in pairings {
            let [one, two] = engines.map(|engine| own[engine]);
            let [elo, than] = engines.map(|engine| ELOS[engine]);
            let halves = (0..2).map(|_| {
                let share = score_of_elo(elo - than) + (one - two) / 2.0;
                match random.random::<f64>() {
                    lot if lot < share - DRAWN / 2.0 => 2,
                    lot if lot < share + DRAWN / 2.0 => 1,
                    _ => 0,
                }
            });
            pairs.push(RoundPair { engines, halves: halves.sum(), round });
        }
    }
    pairs
}

/// The shares of tournaments with shared openings in which intervals by rounds, and by pairs, hold the truth: of the first engine.
fn coverage_of_rounds(pairings: &[[usize; 2]], openings: u32, seed: u64) -> [f64; 2] {
    let runs = 2000;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let truth = ELOS[0] - ELOS.iter().sum::<f64>() / 4.0;
    let mut held = [0_u32; 2];
    let mut all = [0_u32; 2];
    for _ in 0..runs {
        let pairs = rounds(&mut random, pairings, openings);
        let alone: Vec<RoundPair> = (0..).zip(&pairs).map(|(round, &pair)| RoundPair { round, ..pair }).collect();
        for (at, pairs) in [pairs, alone].iter().enumerate() {
            let ratings = Ratings::of_rounds(4, pairs, EloZero::Mean).expect("connected");
            if let RatedElo::Likeliest { elo, error: Some(error) } = ratings.elos()[0] {
                all[at] += 1;
                held[at] += u32::from((elo - truth).abs() <= error);
            }
        }
    }
    [0, 1].map(|at| {
        assert!(all[at] > runs * 9 / 10, "{} of {runs} have an interval", all[at]);
        f64::from(held[at]) / f64::from(all[at])
    })
}

#[test]
#[expect(clippy::print_stderr, reason = "figures of docs/statistics.md")]
fn intervals_by_rounds_hold_the_truth() {
    let gauntlet = [[0, 1], [0, 2], [0, 3]];
    for (name, pairings, openings, seed) in [
        ("round robin", &ROUND_ROBIN[..], 8, 6),
        ("round robin", &ROUND_ROBIN, 20, 7),
        ("round robin", &ROUND_ROBIN, 60, 8),
        ("gauntlet", &gauntlet, 30, 9),
    ] {
        let [by_rounds, by_pairs] = coverage_of_rounds(pairings, openings, seed);
        eprintln!("{name} of {openings} rounds: {by_rounds:.3} by rounds, {by_pairs:.3} by pairs");
        assert!(holds(by_rounds), "{name} of {openings}: {by_rounds}");
        assert!(by_pairs < 0.93, "{name} of {openings}: {by_pairs} by pairs would do");
    }
}
