//! Games that come again, counted in bounded memory.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// So many different games are looked at, which takes about 9 MB.
const LIMIT: usize = 1 << 18;

/// How many games have the same moves as an earlier one.
///
/// Up to 262,144 different games the number is exact. Beyond that only the games of one class of hashes in two, four and so on are
/// looked at, whichever file they stand in, and stand for the others (Gibbons 2001, distinct sampling). The order of the
/// games changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Repeats {
    /// Games are looked at if the lowest bits of their hash, so many, are 0.
    level: u32,
    /// How often each of them came.
    times: HashMap<u64, u64>,
}

impl Repeats {
    /// Takes down a game by any number that is made of its moves.
    pub fn add(&mut self, fingerprint: u64) {
        self.note(mixed(fingerprint), 1);
    }

    /// Takes down the games of others, too.
    pub fn merge(&mut self, others: Repeats) {
        if self.times.is_empty() && self.level <= others.level {
            *self = others;
            return;
        }
        self.narrow(others.level);
        for (hash, times) in others.times {
            self.note(hash, times);
        }
    }

    /// Games whose moves an earlier game has: of a game that comes three times, two.
    #[must_use]
    pub fn games(&self) -> u64 {
        let again: u128 = self.times.values().map(|times| u128::from(times - 1)).sum();
        u64::try_from(again << self.level).unwrap_or(u64::MAX)
    }

    /// The same of no more than so many different games, by which those of others are known again.
    #[must_use]
    pub fn sample(mut self, most: usize) -> Repeats {
        while self.times.len() > most {
            self.narrow(self.level + 1);
        }
        self
    }

    /// The level, and each game that is looked at, by its hash in rising order, with how often it came.
    pub(crate) fn parts(&self) -> (u32, Vec<(u64, u64)>) {
        let mut games: Vec<(u64, u64)> = self.times.iter().map(|(&hash, &times)| (hash, times)).collect();
        games.sort_unstable();
        (self.level, games)
    }

    /// What has these parts, if anything has.
    pub(crate) fn from_parts(level: u32, games: Vec<(u64, u64)>) -> Option<Repeats> {
        let is_one = level < u64::BITS
            && games.is_sorted_by(|one, next| one.0 < next.0)
            && games.iter().all(|&(hash, times)| is_of(hash, level) && times > 0);
        is_one.then(|| Repeats { level, times: games.into_iter().collect() })
    }

    /// Whether every game was looked at; otherwise [`games`](Self::games) is an estimate.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.level == 0
    }

    fn note(&mut self, hash: u64, times: u64) {
        if !is_of(hash, self.level) {
            return;
        }
        *self.times.entry(hash).or_default() += times;
        while self.times.len() > LIMIT {
            self.narrow(self.level + 1);
        }
    }

    fn narrow(&mut self, level: u32) {
        if level > self.level {
            self.level = level;
            self.times.retain(|hash, _| is_of(*hash, level));
        }
    }
}

fn is_of(hash: u64, level: u32) -> bool {
    hash.trailing_zeros() >= level
}

/// SplitMix64's finaliser (Steele, Lea and Flood 2014): classes of hashes are as good as drawn, however these were made.
pub(crate) fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// The event of least rank is that of a game that stands in several: the smallest, as a collection of games of many events is larger than these, but one
/// with more than one game, since some sites name each game an event; and of equal ones that with the least key.
pub(crate) fn rank_of_event(games: usize, key: u64) -> (bool, usize, u64) {
    (games == 1, games, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: impl IntoIterator<Item = u64>) -> Repeats {
        let mut repeats = Repeats::default();
        games.into_iter().for_each(|game| repeats.add(game));
        repeats
    }

    #[test]
    fn few_games_are_counted_one_by_one() {
        let repeats = of([7, 8, 7, 9, 7, 8]);
        assert_eq!((repeats.games(), repeats.is_exact()), (3, true));
        assert_eq!(of([]).games(), 0);
    }

    /// A million games, of which each third comes again: the share is found within four standard errors, and memory stays bounded.
    #[test]
    fn many_games_are_estimated_by_a_sample() {
        let games = 1_000_000_u64;
        let repeats = of((0..games).chain((0..games).step_by(3)));
        assert!(!repeats.is_exact() && repeats.times.len() <= LIMIT);
        let expected = (games as f64 / 3.0).ceil();
        // Each game is looked at with the same chance, and then counted for as many.
        let error = (expected * ((1_u64 << repeats.level) - 1) as f64).sqrt();
        assert!((repeats.games() as f64 - expected).abs() < 4.0 * error, "{} +- {error}", repeats.games());
    }

    /// Half of the games of two files are the same, by samples of a thousandth.
    #[test]
    fn small_samples_know_games_again() {
        let sample = |games: std::ops::Range<u64>| of(games).sample(1000);
        let (one, two) = (sample(0..100_000), sample(50_000..150_000));
        assert_eq!((one.games(), two.games()), (0, 0));
        assert!(one.times.len() > 400 && one.times.len() <= 1000);
        let mut both = one.clone();
        both.merge(two.clone());
        assert!((40_000..60_000).contains(&both.games()), "{}", both.games());
        let mut other = two;
        other.merge(one);
        let (level, games) = both.clone().sample(1000).parts();
        assert_eq!(other.sample(1000).parts(), (level, games.clone()));
        assert_eq!(Repeats::from_parts(level, games.clone()), Some(both.sample(1000)));
        let (hash, times) = games[1];
        for wrong in [(hash, 0), (hash + 1, times), (games[0].0, times), (u64::MAX, times)] {
            let games = [&games[..1], &[wrong], &games[2..]].concat();
            assert_eq!(Repeats::from_parts(level, games), None, "{wrong:?}");
        }
        assert_eq!(Repeats::from_parts(64, vec![(0, 1)]), None);
        let most = Repeats::from_parts(63, vec![(0, u64::MAX), (1 << 63, u64::MAX)]).expect("parts");
        assert_eq!(most.games(), u64::MAX, "what is forged does not overflow");
    }

    #[test]
    fn order_and_division_change_nothing() {
        let games = || (0..600_000_u64).map(|game| game % 450_000);
        let whole = of(games());
        let mut parts = of(games().take(1000));
        parts.merge(of(games().skip(1000).take(500_000)));
        parts.merge(of(games().skip(501_000)));
        assert_eq!((parts.level, &parts.times), (whole.level, &whole.times));
        assert_eq!(of(games().collect::<Vec<_>>().into_iter().rev()).games(), whole.games());
    }
}
