//! The beta-binomial distribution of draws per cell, fitted by maximum likelihood.

use std::fmt;

use drawish_stats::numbers::percent;
use statrs::function::gamma::{digamma, ln_gamma};

/// A Beta(mean K, (1 - mean) K) distribution of the draw probability over cells, K being its strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BetaPrior {
    /// The mean of the cells' draw probabilities, above 0 and below 1.
    pub mean: f64,
    /// K: how many games of its own a cell needs until it speaks as loudly as the prior.
    pub strength: f64,
}

/// No strength beyond it: then the cells differ no more than chance makes them, and the likelihood has no maximum.
pub(crate) const MAX_STRENGTH: f64 = 1e6;
/// And none below it: a structure seen once says nothing about how structures differ, and many such ones alone could drive the
/// strength to 0, where a single game is certainty.
pub(super) const MIN_STRENGTH: f64 = 1.0;

/// What is to be said of games in which structures differ no more than by chance.
const ALL_ALIKE: &str = "these games do not tell structures apart: they differ no more than chance makes them, so all get the mean; collect more games";

/// Up to so many games of a cell the beta-binomial distribution is summed.
const MANY_GAMES: u64 = 1_000_000;

/// As in `mean 35.1 %, standard deviation between structures 6.0 points, strength 62.1 games`.
impl fmt::Display for BetaPrior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, points) = (percent(self.mean), 100.0 * self.deviation());
        write!(f, "mean {mean}, standard deviation between structures {points:.1} points, strength ")?;
        if self.is_unbounded() {
            f.write_str("not bounded by these games")
        } else {
            write!(f, "{:.1} games", self.strength)
        }
    }
}

impl BetaPrior {
    /// Whether structures differ no more than by chance, so that no strength is too large.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.strength >= 0.5 * MAX_STRENGTH
    }

    /// The first parameter of the Beta distribution.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.mean * self.strength
    }

    /// The second parameter of the Beta distribution.
    #[must_use]
    pub fn beta(&self) -> f64 {
        (1.0 - self.mean) * self.strength
    }

    /// The spread of the cells' true draw probabilities: the standard deviation of the distribution.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        (self.mean * (1.0 - self.mean) / (self.strength + 1.0)).sqrt()
    }

    /// What is wrong with the prior, if the games were too few to fit it: its strength ended at one of its limits.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        match self.strength {
            _ if self.is_unbounded() => Some(ALL_ALIKE),
            strength if strength <= 1.001 * MIN_STRENGTH => Some(
                "structures differ more than the estimate allows: most are drawn always or never, as where each has few games; collect more games",
            ),
            _ => None,
        }
    }

    /// Where the observed rate k / n of a cell with n games lies by this prior, with this probability, as much of the rest below as
    /// above: quantiles of the beta-binomial distribution, straight between whole k, so that they move smoothly with n.
    ///
    /// # Panics
    ///
    /// If n is 0 or the probability not between 0 and 1.
    #[must_use]
    pub fn rates(&self, n: u64, probability: f64) -> (f64, f64) {
        assert!(n > 0 && 0.0 < probability && probability < 1.0, "rates need games and a probability");
        let (alpha, beta, games) = (self.alpha(), self.beta(), n as f64);
        if n > MANY_GAMES {
            // So many steps are a line: the Beta distribution with the same mean and variance, that of the rates being
            // mean (1 - mean) (n + K) / (n (K + 1)).
            let strength = games * (self.strength + 1.0) / (games + self.strength) - 1.0;
            let quantile = |level| super::quantile::beta(self.mean * strength, (1.0 - self.mean) * strength, level);
            return (quantile(0.5 * (1.0 - probability)), quantile(0.5 * (1.0 + probability)));
        }
        // ln of p(k) / p(0), by p(k + 1) / p(k) = (n - k) (alpha + k) / ((k + 1) (beta + n - k - 1)).
        let logs: Vec<f64> = (0..=n)
            .scan(0.0, |log, k| {
                let now = *log;
                let k = k as f64;
                *log += ((games - k) * (alpha + k) / ((k + 1.0) * (beta + games - k - 1.0))).ln();
                Some(now)
            })
            .collect();
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs.iter().map(|log| (log - highest).exp()).collect();
        let total: f64 = shares.iter().sum();
        let quantile = |level: f64| {
            let mut below = 0.0;
            for (k, share) in shares.iter().enumerate() {
                let share = share / total;
                if below + share >= level {
                    // The mass of k spread evenly from k - 1/2 to k + 1/2.
                    return ((k as f64 - 0.5 + (level - below) / share) / games).clamp(0.0, 1.0);
                }
                below += share;
            }
            1.0
        };
        (quantile(0.5 * (1.0 - probability)), quantile(0.5 * (1.0 + probability)))
    }

    /// Maximises the sum over cells of ln B(a + k, b + n - k) - ln B(a, b), where a cell has k draws in n games,
    /// by Newton's method in (ln a, ln b) with steps that never lower the likelihood.
    ///
    /// There must be both draws and decisive games. Cells are independent given the prior: an assumption, since
    /// neighbouring structures are alike. The strength is kept between 1 and one million.
    #[must_use]
    pub(super) fn fit(cells: impl Iterator<Item = (u64, u64)>) -> BetaPrior {
        let cells = group(cells);
        let draws: f64 = cells.iter().map(|cell| cell.draws * cell.copies).sum();
        let games: f64 = cells.iter().map(|cell| cell.games * cell.copies).sum();
        let found = climb(&cells, games, BetaPrior { mean: draws / games, strength: 50.0 });
        // Steps that are brought back to a limit of the strength change the mean as well, and may find no way on.
        let is_at_limit = [MIN_STRENGTH, MAX_STRENGTH].iter().any(|limit| (found.strength / limit - 1.0).abs() < 1e-6);
        if is_at_limit {
            let along = most_likely(&cells, found.strength);
            if likelihood(&cells, along) > likelihood(&cells, found) + 1e-6 {
                return climb(&cells, games, along);
            }
        }
        found
    }
}

/// From `start` to a maximum of the likelihood of cells with so many games in all, or to where no step within the limits leads higher.
fn climb(cells: &[Group], games: f64, start: BetaPrior) -> BetaPrior {
    let mut at = [start.alpha().ln(), start.beta().ln()];
    let mut value = log_likelihood(cells, at);
    let mut damping = 0.0;
    for _ in 0..200 {
        let (gradient, hessian) = derivatives(cells, at);
        // What remains of the gradient is rounding, in proportion to the games; but huge cells must not end the search at its start.
        if gradient[0].abs().max(gradient[1].abs()) < 1e-9 * games.min(1e7) {
            break;
        }
        let next = newton_step(gradient, hessian, damping).map(|step| bounded([at[0] + step[0], at[1] + step[1]]));
        let better = next.map(|next| (next, log_likelihood(cells, next))).filter(|(_, next)| *next >= value);
        match better {
            Some((next, next_value)) => {
                let moved = (next[0] - at[0]).abs().max((next[1] - at[1]).abs());
                (at, value) = (next, next_value);
                damping /= 10.0;
                if moved < 1e-12 {
                    break;
                }
            }
            None if damping > 1e12 => break,
            None => damping = (10.0 * damping).max(1e-3 * (1.0 + hessian[0][0].abs() + hessian[1][1].abs())),
        }
    }
    let (alpha, beta) = (at[0].exp(), at[1].exp());
    BetaPrior { mean: alpha / (alpha + beta), strength: alpha + beta }
}

pub(super) fn likelihood(cells: &[Group], prior: BetaPrior) -> f64 {
    log_likelihood(cells, [prior.alpha().ln(), prior.beta().ln()])
}

/// The prior of this strength with the most likely mean, by golden sections.
pub(super) fn most_likely(cells: &[Group], strength: f64) -> BetaPrior {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let at = |mean: f64| likelihood(cells, BetaPrior { mean, strength });
    let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
    let (mut one, mut other) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_one, mut at_other) = (at(one), at(other));
    for _ in 0..32 {
        if at_one > at_other {
            (high, other, at_other) = (other, one, at_one);
            one = high - ratio * (high - low);
            at_one = at(one);
        } else {
            (low, one, at_one) = (one, other, at_other);
            other = low + ratio * (high - low);
            at_other = at(other);
        }
    }
    BetaPrior { mean: 0.5 * (low + high), strength }
}

/// Cells with equal numbers, taken together.
pub(super) struct Group {
    pub(super) draws: f64,
    pub(super) games: f64,
    pub(super) copies: f64,
}

pub(super) fn group(cells: impl Iterator<Item = (u64, u64)>) -> Vec<Group> {
    let mut cells: Vec<_> = cells.collect();
    cells.sort_unstable();
    cells
        .chunk_by(|one, other| one == other)
        .map(|alike| Group { draws: alike[0].0 as f64, games: alike[0].1 as f64, copies: alike.len() as f64 })
        .collect()
}

pub(super) fn log_likelihood(cells: &[Group], at: [f64; 2]) -> f64 {
    let (a, b) = (at[0].exp(), at[1].exp());
    let ln_beta = |a: f64, b: f64| ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let at_zero = ln_beta(a, b);
    cells.iter().map(|cell| cell.copies * (ln_beta(a + cell.draws, b + cell.games - cell.draws) - at_zero)).sum()
}

/// Gradient and Hessian in (ln a, ln b).
fn derivatives(cells: &[Group], at: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
    let (a, b) = (at[0].exp(), at[1].exp());
    let mut first = [0.0; 2];
    let mut second = [0.0; 3];
    for cell in cells {
        let decisive = cell.games - cell.draws;
        let all = digamma(a + b + cell.games) - digamma(a + b);
        first[0] += cell.copies * (digamma(a + cell.draws) - digamma(a) - all);
        first[1] += cell.copies * (digamma(b + decisive) - digamma(b) - all);
        let all = trigamma(a + b + cell.games) - trigamma(a + b);
        second[0] += cell.copies * (trigamma(a + cell.draws) - trigamma(a) - all);
        second[1] += cell.copies * (trigamma(b + decisive) - trigamma(b) - all);
        second[2] -= cell.copies * all;
    }
    let gradient = [a * first[0], b * first[1]];
    let mixed = a * b * second[2];
    (gradient, [[a * a * second[0] + gradient[0], mixed], [mixed, b * b * second[1] + gradient[1]]])
}

/// Solves (H - damping I) step = -gradient for a maximum; `None` where the damped Hessian is not negative definite.
fn newton_step(gradient: [f64; 2], hessian: [[f64; 2]; 2], damping: f64) -> Option<[f64; 2]> {
    let (p, q, r) = (hessian[0][0] - damping, hessian[1][1] - damping, hessian[0][1]);
    let determinant = p * q - r * r;
    (p < 0.0 && determinant > 0.0).then(|| {
        let step =
            [(r * gradient[1] - q * gradient[0]) / determinant, (r * gradient[0] - p * gradient[1]) / determinant];
        // A factor of e^2 at once is far enough.
        step.map(|part: f64| part.clamp(-2.0, 2.0))
    })
}

/// Keeps a + b within its limits, at the same mean.
fn bounded(at: [f64; 2]) -> [f64; 2] {
    let strength = at[0].exp() + at[1].exp();
    let shift = (strength.clamp(MIN_STRENGTH, MAX_STRENGTH) / strength).ln();
    [at[0] + shift, at[1] + shift]
}

/// The second derivative of ln Gamma for x > 0, by recurrence up to 10 and the asymptotic series there
/// (Abramowitz and Stegun 6.4.6 and 6.4.12); relative error below 1e-12.
fn trigamma(x: f64) -> f64 {
    let mut x = x;
    let mut sum = 0.0;
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = y
        * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * (5.0 / 66.0 - y * 691.0 / 2730.0)))));
    sum + 1.0 / x + y / 2.0 + series / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigamma_at_known_points() {
        let pi_squared = std::f64::consts::PI.powi(2);
        // psi'(1) = pi^2 / 6, psi'(1/2) = pi^2 / 2, psi'(x) - psi'(x + 1) = 1 / x^2.
        assert!((trigamma(1.0) / (pi_squared / 6.0) - 1.0).abs() < 1e-12);
        assert!((trigamma(0.5) / (pi_squared / 2.0) - 1.0).abs() < 1e-12);
        for x in [0.01, 0.3, 2.5, 9.99, 10.01, 1000.0] {
            assert!(((trigamma(x) - trigamma(x + 1.0)) * x * x - 1.0).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn spreads_and_words_by_hand() {
        // The variance of Beta(3/2, 3/2) is 1/16, that of Beta(2, 8) 16 / 1100.
        assert!((BetaPrior { mean: 0.5, strength: 3.0 }.deviation() - 0.25).abs() < 1e-15);
        let prior = BetaPrior { mean: 0.2, strength: 10.0 };
        assert!((prior.deviation() - (16.0_f64 / 1100.0).sqrt()).abs() < 1e-15);
        assert_eq!((prior.alpha(), prior.beta()), (2.0, 8.0));
        assert_eq!(
            prior.to_string(),
            "mean 20.0 %, standard deviation between structures 12.1 points, strength 10.0 games"
        );
        let with = |strength| BetaPrior { mean: 0.2, strength };
        assert_eq!([4.9e5, 5e5].map(|strength| with(strength).is_unbounded()), [false, true]);
        assert!(with(1.0005).remark().is_some() && with(1.01).remark().is_none() && with(4.9e5).remark().is_none());
    }

    /// Values of other programs: mpmath 1.4 differentiates the sum of ln B, scipy 1.17 finds its maximum.
    #[test]
    fn likelihood_slopes_and_maximum_of_other_programs() {
        let groups = group([(3, 10), (0, 4), (5, 5), (3, 10)].into_iter());
        assert_eq!(groups.len(), 3, "two cells are alike");
        let at = [2.0_f64.ln(), 3.0_f64.ln()];
        assert!((log_likelihood(&groups, at) + 18.037_833_923_713_104).abs() < 1e-12);
        let (gradient, hessian) = derivatives(&groups, at);
        for (found, expected) in [
            (gradient[0], -0.199_900_099_900_099_9),
            (gradient[1], -0.326_040_626_040_626),
            (hessian[0][0], -3.455_396_476_835_038),
            (hessian[0][1], 3.148_422_101_264_259),
            (hessian[1][0], 3.148_422_101_264_259),
            (hessian[1][1], -2.991_726_635_141_97),
        ] {
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
        for (x, expected) in
            [(0.25, 17.197_329_154_507_11), (7.5, 0.142_615_896_696_703_8), (40.0, 0.025_315_103_841_291_03)]
        {
            assert!((trigamma(x) / expected - 1.0).abs() < 1e-12, "{x}");
        }
        let cells = [(1, 10), (4, 10), (2, 8), (9, 12), (0, 5), (6, 20), (30, 50), (3, 3)];
        let fitted = BetaPrior::fit(cells.into_iter());
        assert!((fitted.mean - 0.414_609_886).abs() < 1e-7, "{fitted:?}");
        assert!((fitted.strength - 4.104_577_379).abs() < 1e-6, "{fitted:?}");
        assert!((likelihood(&group(cells.into_iter()), fitted) + 77.523_760_812).abs() < 1e-8);
        // Won and drawn exchanged.
        let turned = BetaPrior::fit(cells.into_iter().map(|(draws, games)| (games - draws, games)));
        assert!((turned.mean + fitted.mean - 1.0).abs() < 1e-9 && (turned.strength - fitted.strength).abs() < 1e-6);
    }

    /// Cells drawn from a known prior by inverse sampling on a fixed low-discrepancy sequence.
    fn cells_of(prior: BetaPrior, count: u32, games: u64) -> Vec<(u64, u64)> {
        use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};
        let beta = Beta::new(prior.alpha(), prior.beta()).unwrap();
        let fraction = |i: u32, step: f64| (f64::from(i) * step + 0.5).fract();
        (0..count)
            .map(|i| {
                let p = beta.inverse_cdf(fraction(i, 0.618_033_988_749_895));
                let n = games + u64::from(i % 13);
                (Binomial::new(p, n).unwrap().inverse_cdf(fraction(i, 0.754_877_666_246_693)), n)
            })
            .collect()
    }

    #[test]
    fn the_prior_that_made_the_cells_is_found_again() {
        for prior in [BetaPrior { mean: 0.35, strength: 70.0 }, BetaPrior { mean: 0.6, strength: 12.0 }] {
            let fitted = BetaPrior::fit(cells_of(prior, 4000, 120).into_iter());
            assert!((fitted.mean - prior.mean).abs() < 0.01, "{fitted:?}");
            assert!((fitted.strength / prior.strength - 1.0).abs() < 0.1, "{fitted:?}");
        }
    }

    #[test]
    fn no_point_of_a_grid_is_more_likely_than_the_fit() {
        let cells = cells_of(BetaPrior { mean: 0.4, strength: 30.0 }, 500, 9);
        let fitted = BetaPrior::fit(cells.iter().copied());
        let groups = group(cells.into_iter());
        let at = |prior: BetaPrior| log_likelihood(&groups, [prior.alpha().ln(), prior.beta().ln()]);
        let best = at(fitted);
        for i in -20..=20 {
            for j in -20..=20 {
                let mean = fitted.mean + 0.005 * f64::from(i);
                let strength = fitted.strength * 1.05f64.powi(j);
                assert!(at(BetaPrior { mean, strength }) <= best + 1e-9, "{i} {j}");
            }
        }
        let (gradient, _) = derivatives(&groups, [fitted.alpha().ln(), fitted.beta().ln()]);
        assert!(gradient.iter().all(|part| part.abs() < 1e-4), "{gradient:?}");
    }

    /// A few cells that are almost all drawn, and some with one game: the most likely strength is below the least one.
    #[test]
    fn at_the_limit_of_the_strength_the_mean_is_the_most_likely_one() {
        let some = |count: usize, cell: (u64, u64)| std::iter::repeat_n(cell, count);
        for (full, won) in [(35, 5), (20, 4), (60, 2)] {
            let cells = || some(full, (1000, 1000)).chain(some(won, (0, 1000))).chain(some(20, (0, 1)));
            let fitted = BetaPrior::fit(cells());
            assert!((fitted.strength / MIN_STRENGTH - 1.0).abs() < 1e-6, "{fitted:?}");
            let groups = group(cells());
            let best = likelihood(&groups, fitted);
            for i in 1..1000 {
                let mean = f64::from(i) / 1000.0;
                let other = BetaPrior { mean, strength: MIN_STRENGTH };
                assert!(likelihood(&groups, other) <= best + 1e-6, "{full} {won}: {other:?} {fitted:?}");
            }
        }
    }

    #[test]
    fn rates_of_laws_that_are_known() {
        // Under the uniform prior every k has probability 1 / (n + 1).
        let (low, high) = BetaPrior { mean: 0.5, strength: 2.0 }.rates(9, 0.9);
        assert!(low.abs() < 1e-12 && (high - 1.0).abs() < 1e-12, "{low} {high}");
        let (low, high) = BetaPrior { mean: 0.5, strength: 2.0 }.rates(9, 0.6);
        assert!((low - 1.5 / 9.0).abs() < 1e-12 && (high - 7.5 / 9.0).abs() < 1e-12, "{low} {high}");
        // Beta(2, 3) and five games: scipy's betabinom gives 35, 50, 50, 40, 25 and 10 of 210.
        let (low, high) = BetaPrior { mean: 0.4, strength: 5.0 }.rates(5, 0.6);
        assert!((low - (0.5 + 7.0 / 50.0) / 5.0).abs() < 1e-12, "{low}");
        assert!((high - (2.5 + 33.0 / 40.0) / 5.0).abs() < 1e-12, "{high}");
        // Cells that are all alike: the binomial law, by its normal approximation.
        let (low, high) = BetaPrior { mean: 0.3, strength: 1e6 }.rates(4000, 0.9);
        let reach = 1.644_853_6 * (0.3_f64 * 0.7 / 4000.0).sqrt();
        assert!((low - 0.3 + reach).abs() < 2e-4 && (high - 0.3 - reach).abs() < 2e-4, "{low} {high}");
        // Many games leave only the spread between cells.
        let wide = BetaPrior { mean: 0.4, strength: 20.0 }.rates(20_000, 0.9);
        let (low, high) = super::super::interval(8.0, 12.0);
        assert!((wide.0 - low).abs() < 2e-3 && (wide.1 - high).abs() < 2e-3, "{wide:?}");
        // Sum and line meet, and any number of games has its rates at once.
        for (mean, strength) in [(0.4, 20.0), (0.3, 1e6), (0.05, 1.0)] {
            let prior = BetaPrior { mean, strength };
            let (summed, line) = (prior.rates(MANY_GAMES, 0.9), prior.rates(MANY_GAMES + 1, 0.9));
            assert!((summed.0 - line.0).abs() < 2e-6 && (summed.1 - line.1).abs() < 2e-6, "{summed:?} {line:?}");
            let (low, high) = prior.rates(u64::MAX, 0.9);
            assert!(0.0 <= low && low < mean && mean < high && high <= 1.0);
        }
    }

    #[test]
    fn cells_that_differ_by_chance_or_by_everything_keep_the_strength_finite() {
        let all_alike = BetaPrior::fit((0..100).map(|_| (50, 100)));
        assert!((all_alike.strength / MAX_STRENGTH - 1.0).abs() < 1e-6, "{all_alike:?}");
        assert!((all_alike.mean - 0.5).abs() < 1e-6);
        assert!(all_alike.to_string().ends_with("strength not bounded by these games"), "{all_alike}");
        let all_or_nothing = BetaPrior::fit((0..100).map(|i| (1000 * (i % 2), 1000)));
        assert!(all_or_nothing.strength < 1.0, "{all_or_nothing:?}");
        let one_cell = BetaPrior::fit([(3, 10)].into_iter());
        assert!((one_cell.mean - 0.3).abs() < 1e-3 && one_cell.strength <= 1.01 * MAX_STRENGTH, "{one_cell:?}");
    }

    #[test]
    fn huge_cells_have_the_prior_of_their_rates() {
        let fit = |games: u64| BetaPrior::fit((1..=40).map(|i| (games / 100 * (20 + i), games)));
        let (large, huge) = (fit(1_000_000), fit(100_000_000_000));
        assert!((huge.mean - large.mean).abs() < 1e-3, "{large:?} {huge:?}");
        assert!((huge.strength / large.strength - 1.0).abs() < 1e-2, "{large:?} {huge:?}");
    }

    #[test]
    fn games_that_fit_no_prior_are_told() {
        let remark = |cells: Vec<(u64, u64)>| BetaPrior::fit(cells.into_iter()).remark();
        // All alike, all seen once, and what tells structures apart.
        assert!(remark(vec![(300, 1000); 40]).is_some_and(|said| said.contains("no more than chance")));
        assert!(
            remark((0..40).map(|i| (if i < 12 { 5 } else { 0 }, 5)).collect())
                .is_some_and(|said| said.contains("always or never"))
        );
        assert_eq!(remark((0..40).map(|i| (20 + i, 100)).collect()), None);
    }
}
