//! What a match has counted, with a name for every number.

use std::ops::{Add, AddAssign};

use drawish_core::Wdl;
use thiserror::Error;

use super::distribution::Distribution;

/// Pairs of games by their result for the first side. A pair is one opening played with both colours, so its two games are
/// not independent of each other; pairs are. That is why a match of pairs is judged by pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial {
    /// Both games lost: 0 of 2 points.
    pub ll: u64,
    /// A loss and a draw: 1/2.
    pub ld: u64,
    /// A win and a loss, or two draws: 1.
    pub wl_dd: u64,
    /// A win and a draw: 3/2.
    pub wd: u64,
    /// Both won: 2.
    pub ww: u64,
}

/// Games by their result for the first side, as if they were independent of each other.
pub type Trinomial = Wdl<u64>;

/// The results of a match, by pairs or by single games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// Pairs of games.
    Pairs(Pentanomial),
    /// Single games.
    Games(Trinomial),
}

/// Why runs cannot be taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("pairs and single games cannot be taken together; give either all runs as pairs or all as wins, draws, losses")]
pub struct MixedResults;

impl Results {
    /// The counts from the worst result to the best.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        match self {
            Results::Pairs(pairs) => vec![pairs.ll, pairs.ld, pairs.wl_dd, pairs.wd, pairs.ww],
            Results::Games(games) => vec![games.losses, games.draws, games.wins],
        }
    }

    /// Games in each thing counted: 2 for pairs, else 1.
    #[must_use]
    pub const fn games_each(&self) -> u64 {
        match self {
            Results::Pairs(_) => 2,
            Results::Games(_) => 1,
        }
    }

    /// All games, at most `u64::MAX`.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.counts().iter().fold(0_u64, |sum, &count| sum.saturating_add(count)).saturating_mul(self.games_each())
    }

    /// How many were counted, and the shares of the results among them; see [`Distribution::from_counts`].
    #[must_use]
    pub fn distribution(&self) -> (f64, Distribution) {
        Distribution::from_counts(&self.counts())
    }

    /// The results of two runs together, no count above `u64::MAX`.
    ///
    /// # Errors
    ///
    /// If one counts pairs and the other games.
    pub fn pooled_with(self, other: Results) -> Result<Results, MixedResults> {
        match (self, other) {
            (Results::Pairs(one), Results::Pairs(two)) => Ok(Results::Pairs(one + two)),
            (Results::Games(one), Results::Games(two)) => Ok(Results::Games(Trinomial {
                wins: one.wins.saturating_add(two.wins),
                draws: one.draws.saturating_add(two.draws),
                losses: one.losses.saturating_add(two.losses),
            })),
            _ => Err(MixedResults),
        }
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial {
            ll: self.ll.saturating_add(other.ll),
            ld: self.ld.saturating_add(other.ld),
            wl_dd: self.wl_dd.saturating_add(other.wl_dd),
            wd: self.wd.saturating_add(other.wd),
            ww: self.ww.saturating_add(other.ww),
        }
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}
