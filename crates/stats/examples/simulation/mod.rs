//! Laws of results, matches played by them, and many of these on all processors: for the examples and the tests.

#![allow(dead_code, reason = "each program uses a part")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use drawish_stats::{Decision, Distribution, Pentanomial, Results, Sprt, Trinomial};
use rand::{Rng, RngExt};

/// How likely each result is, the worst first: five of pairs or three of games.
#[derive(Clone, Debug)]
pub struct Law(pub Vec<f64>);

impl Law {
    /// Equal sides that draw so many games: pairs of independent games, or single ones.
    pub fn even(draws: f64, pairs: bool) -> Law {
        let win = (1.0 - draws) / 2.0;
        Law(if pairs {
            let (both, one, level) = (win * win, 2.0 * win * draws, 2.0 * win * win + draws * draws);
            vec![both, one, level, one, both]
        } else {
            vec![win, draws, win]
        })
    }

    /// The nearest law with this expected score.
    pub fn with_score(&self, score: f64) -> Law {
        Law(self.distribution().with_mean(score).iter().map(|(_, share)| share).collect())
    }

    pub fn distribution(&self) -> Distribution {
        let counts: Vec<u64> = self.0.iter().map(|share| (share * 1e15) as u64).collect();
        Distribution::from_counts(&counts).1
    }

    /// The class of one result.
    pub fn draw(&self, random: &mut impl Rng) -> usize {
        let mut left: f64 = random.random();
        let at = self.0.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        at.unwrap_or(self.0.len() / 2)
    }
}

/// Counts, the worst result first, as results.
pub fn results(counts: &[u64]) -> Results {
    match *counts {
        [ll, ld, wl_dd, wd, ww] => Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww }),
        [losses, draws, wins] => Results::Games(Trinomial { wins, draws, losses }),
        _ => unreachable!("three counts or five"),
    }
}

/// One match, looked at after every result until the test decides or `most` results are in.
pub fn play(sprt: &Sprt, law: &Law, most: u64, random: &mut impl Rng) -> Vec<u64> {
    let llr = |counts: &[u64]| sprt.llr(&results(counts)).expect("a test for such results");
    let mut counts = vec![0; law.0.len()];
    // Where no result can decide the test it is not computed.
    let mut unwatched = 0;
    for played in 1..=most {
        counts[law.draw(random)] += 1;
        if unwatched > 0 && played < most {
            unwatched -= 1;
            continue;
        }
        let now = llr(&counts);
        if sprt.decide(now) != Decision::Continue {
            break;
        }
        if played >= 100 {
            let step = [0, counts.len() - 1].map(|class| {
                let mut more = counts.clone();
                more[class] += 1;
                (llr(&more) - now).abs()
            });
            let way = (sprt.upper() - now).min(now - sprt.lower());
            unwatched = ((way / (1.5 * step[0].max(step[1]))) as u64).min(played / 10);
        }
    }
    counts
}

/// What `work` makes of each number below `tasks`, in order, on all processors.
pub fn in_parallel<T: Send>(tasks: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    let found = work(task);
                    done.lock().expect("no thread panics").push((task, found));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|&(task, _)| task);
    done.into_iter().map(|(_, found)| found).collect()
}
