//! Outcomes, their counts, and the units of a table's values.

use core::ops::{Add, AddAssign};

/// How a game ended, always from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// 1-0.
    WhiteWin,
    /// 1/2-1/2.
    Draw,
    /// 0-1.
    BlackWin,
}

impl Outcome {
    /// The same result seen by the other side.
    #[must_use]
    pub const fn flip_colors(self) -> Outcome {
        match self {
            Outcome::WhiteWin => Outcome::BlackWin,
            Outcome::Draw => Outcome::Draw,
            Outcome::BlackWin => Outcome::WhiteWin,
        }
    }
}

/// Wins, draws and losses of one side: counts of games, weights of positions, or shares.
///
/// Whose wins they are stands where they are kept; of results by [`Outcome`] they are White's. As an array they stand in this
/// order.
///
/// ```
/// use drawish_core::{Outcome, Wdl};
///
/// let mut games = Wdl::default();
/// games.count(Outcome::Draw);
/// games.count(Outcome::WhiteWin);
/// assert_eq!(games, Wdl { wins: 1, draws: 1, losses: 0 });
/// assert_eq!((games.total(), games.draw_rate(), games.flip().losses), (2, Some(0.5), 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Wdl<T = u64> {
    /// Won.
    pub wins: T,
    /// Drawn.
    pub draws: T,
    /// Lost.
    pub losses: T,
}

impl<T> Wdl<T> {
    /// The same seen by the other side.
    #[must_use]
    #[inline]
    pub fn flip(self) -> Wdl<T> {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Something made of each of the three.
    #[must_use]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Wdl<U> {
        Wdl { wins: f(self.wins), draws: f(self.draws), losses: f(self.losses) }
    }

    /// What White's `outcome` is counted in.
    #[must_use]
    pub fn of(&self, outcome: Outcome) -> &T {
        match outcome {
            Outcome::WhiteWin => &self.wins,
            Outcome::Draw => &self.draws,
            Outcome::BlackWin => &self.losses,
        }
    }

    /// The same, to be changed.
    #[inline]
    pub fn of_mut(&mut self, outcome: Outcome) -> &mut T {
        match outcome {
            Outcome::WhiteWin => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::BlackWin => &mut self.losses,
        }
    }
}

impl<T: Copy + Add<Output = T>> Wdl<T> {
    /// All results.
    #[must_use]
    #[inline]
    pub fn total(self) -> T {
        self.wins + self.draws + self.losses
    }
}

impl Wdl<u64> {
    /// The share of draws, 0 to 1; `None` if there is no result.
    #[must_use]
    pub fn draw_rate(self) -> Option<f64> {
        (self.total() > 0).then(|| self.draws as f64 / self.total() as f64)
    }

    /// Counts a game of White's.
    #[inline]
    pub fn count(&mut self, outcome: Outcome) {
        *self.of_mut(outcome) += 1;
    }
}

impl<T: Add<Output = T>> Add for Wdl<T> {
    type Output = Wdl<T>;

    fn add(self, other: Wdl<T>) -> Wdl<T> {
        Wdl { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl<T: AddAssign> AddAssign for Wdl<T> {
    fn add_assign(&mut self, other: Wdl<T>) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl<T> From<[T; 3]> for Wdl<T> {
    fn from([wins, draws, losses]: [T; 3]) -> Wdl<T> {
        Wdl { wins, draws, losses }
    }
}

impl<T> From<Wdl<T>> for [T; 3] {
    fn from(Wdl { wins, draws, losses }: Wdl<T>) -> [T; 3] {
        [wins, draws, losses]
    }
}

/// A probability in units of 1/65,535: 0 is impossible, 65,535 is certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Probability(pub u16);

impl Probability {
    /// The nearest value to `p`; what lies outside 0 to 1 is clamped, and NaN becomes 0.
    #[must_use]
    pub fn from_f64(p: f64) -> Probability {
        // `as` saturates, and the addition rounds to nearest because the value is not negative.
        Probability((p * 65_535.0 + 0.5) as u16)
    }

    /// As a number from 0 to 1.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 65_535.0
    }
}

/// How much more drawish than the average: logit(p) - logit(base) in units of 1/256 logit.
///
/// Positive is more drawish than the base draw rate of the table, 256 multiplies the odds of a draw by e.
/// Source: the drawScore of M. van Kervinck's evaluation draw model, here relative to the base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct DrawScore(pub i16);

impl DrawScore {
    /// As a number on the logit scale.
    #[must_use]
    pub fn to_logit(self) -> f64 {
        f64::from(self.0) / 256.0
    }
}

/// A score in hundredths of a pawn, positive for the side whose view it is.
///
/// One that a program shows is 400 log10(P / (1 - P)) of an expected score P: 400 centipawns are ten to one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Centipawns(pub i32);

/// A factor for the evaluation in units of 1/128, from [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
///
/// The factor of a cell is (1 - p) / (1 - base). With an expected score P = D/2 + Wp - Wp D (van Kervinck) the
/// distance from equality is P - 1/2 = (1 - D)(Wp - 1/2): so 1 - D is what pulls a score towards 0, and the
/// division by the base leaves the average structure as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScaleFactor(pub u8);

impl ScaleFactor {
    /// Leaves a score as it is.
    pub const ONE: ScaleFactor = ScaleFactor(128);
    /// The strongest pull towards 0: an eighth is left, so that being ahead still counts.
    pub const MIN: ScaleFactor = ScaleFactor(16);
    /// The strongest push away from 0: 1.375 times.
    pub const MAX: ScaleFactor = ScaleFactor(176);

    /// The score (any unit, ±16 million at most) times the factor, rounded towards 0.
    #[must_use]
    #[inline]
    pub const fn apply(self, score: i32) -> i32 {
        score * self.0 as i32 / 128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_round_to_nearest_and_saturate() {
        assert_eq!(Probability::from_f64(0.5).0, 32_768);
        assert_eq!(Probability::from_f64(1.0).0, 65_535);
        assert_eq!(Probability::from_f64(1.5).0, 65_535);
        assert_eq!(Probability::from_f64(-0.2).0, 0);
        assert_eq!(Probability::from_f64(f64::NAN).0, 0);
        for raw in 0..=u16::MAX {
            assert_eq!(Probability::from_f64(Probability(raw).to_f64()).0, raw);
        }
    }

    #[test]
    fn no_result_has_no_draw_rate() {
        let of = |wins, draws, losses| Wdl::<u64> { wins, draws, losses }.draw_rate();
        assert_eq!([of(0, 0, 0), of(0, 1, 0), of(2, 1, 1)], [None, Some(1.0), Some(0.25)]);
    }

    #[test]
    fn scaling_is_odd_and_one_is_neutral() {
        for score in -3000..3000 {
            assert_eq!(ScaleFactor::ONE.apply(score), score);
            for factor in [ScaleFactor::MIN, ScaleFactor(77), ScaleFactor::MAX] {
                assert_eq!(factor.apply(-score), -factor.apply(score));
            }
        }
        assert_eq!(ScaleFactor::MAX.apply(128), 176);
        assert_eq!(ScaleFactor::MIN.apply(-128), -16);
    }

    #[test]
    fn outcomes_flip_twice_to_themselves() {
        for outcome in [Outcome::WhiteWin, Outcome::Draw, Outcome::BlackWin] {
            assert_eq!(outcome.flip_colors().flip_colors(), outcome);
        }
    }

    #[test]
    fn results_are_counted_by_name() {
        let mut games = Wdl::default();
        for (outcome, times) in [(Outcome::WhiteWin, 3), (Outcome::Draw, 2), (Outcome::BlackWin, 1)] {
            (0..times).for_each(|_| games.count(outcome));
            assert_eq!(games.of(outcome), games.flip().of(outcome.flip_colors()));
        }
        assert_eq!(<[u64; 3]>::from(games), [3, 2, 1]);
        assert_eq!(games + games, games.map(|count| 2 * count));
        assert_eq!(Wdl::from([3, 2, 1]), games);
    }
}
