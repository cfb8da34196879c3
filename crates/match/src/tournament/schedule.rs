//! Who plays whom.

use std::fmt;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

/// Who plays whom in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Schedule {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// Each of the first engines plays each of the others.
    Gauntlet {
        /// So many engines are the first ones.
        seeds: NonZeroUsize,
    },
}

impl Schedule {
    /// The pairings of a round in their order, by the numbers of the engines from 0. The first of a pairing has White in the first
    /// game of each of its pairs.
    #[must_use]
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let first = match self {
            Schedule::RoundRobin => engines,
            Schedule::Gauntlet { seeds } => seeds.get().min(engines),
        };
        let others = |one: usize| match self {
            Schedule::RoundRobin => one + 1..engines,
            Schedule::Gauntlet { .. } => first..engines,
        };
        (0..first).flat_map(|one| others(one).map(move |two| [one, two])).collect()
    }

    /// How many these are.
    pub(crate) fn count(self, engines: usize) -> u64 {
        let engines = engines as u64;
        match self {
            Schedule::RoundRobin => engines.saturating_mul(engines.saturating_sub(1)) / 2,
            Schedule::Gauntlet { seeds } => {
                let seeds = (seeds.get() as u64).min(engines);
                seeds.saturating_mul(engines - seeds)
            }
        }
    }
}

/// `round robin`, `gauntlet of the first 2 engines`.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::RoundRobin => write!(f, "round robin"),
            Schedule::Gauntlet { seeds } if seeds.get() == 1 => write!(f, "gauntlet of the first engine"),
            Schedule::Gauntlet { seeds } => write!(f, "gauntlet of the first {seeds} engines"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_are_complete() {
        for engines in 0..6 {
            assert_eq!(Schedule::RoundRobin.count(engines), Schedule::RoundRobin.pairings(engines).len() as u64);
            for seeds in (1..4).filter_map(NonZeroUsize::new) {
                let gauntlet = Schedule::Gauntlet { seeds };
                assert_eq!(gauntlet.count(engines), gauntlet.pairings(engines).len() as u64);
            }
        }
        assert_eq!(Schedule::RoundRobin.pairings(4), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let gauntlet = |seeds| Schedule::Gauntlet { seeds: NonZeroUsize::new(seeds).expect("above 0") };
        assert_eq!(gauntlet(1).pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(gauntlet(2).pairings(4), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert!(gauntlet(4).pairings(4).is_empty() && gauntlet(9).pairings(4).is_empty());
        assert!(Schedule::RoundRobin.pairings(1).is_empty() && Schedule::RoundRobin.pairings(0).is_empty());
    }
}
