//! The prior that intervals rest on where the games leave open whether structures differ at all.
//!
//! Empirical Bayes takes the most likely prior as if it were known. Where the likelihood has no maximum, or a flat one, the prior
//! weighs as much as thousands of games that nobody played, and intervals made of it are far too narrow.

use super::beta_binomial::{BetaPrior, Group, MIN_STRENGTH, group, likelihood, most_likely};

/// By so much a log-likelihood may lie below the highest one to be within a one-sided bound of 95 %: half the 90 % point of
/// chi-squared with one degree of freedom. It is also the test of no spread at all at 5 %, where spread is at the edge of its range.
const WITHIN: f64 = 0.5 * 2.705_543_454;

/// The prior of the smallest strength that the games allow, with the error of its mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cautious {
    /// Of the smallest strength within the 95 % bound by the profile likelihood, with the most likely mean for it.
    pub prior: BetaPrior,
    /// The variance of its mean.
    mean_variance: f64,
}

impl Cautious {
    /// `None` where the games exclude, at 5 %, that all structures have the same draw probability: then the fitted prior serves.
    pub(super) fn of(fitted: BetaPrior, cells: impl Iterator<Item = (u64, u64)>) -> Option<Cautious> {
        let cells = group(cells);
        let best = likelihood(&cells, fitted);
        (all_alike(&cells) >= best - WITHIN).then(|| {
            let (mut low, mut high) = (MIN_STRENGTH.ln(), fitted.strength.ln());
            for _ in 0..30 {
                let middle = 0.5 * (low + high);
                if likelihood(&cells, most_likely(&cells, middle.exp())) < best - WITHIN {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let prior = most_likely(&cells, high.exp());
            let step = 0.01 * prior.mean.min(1.0 - prior.mean);
            let at = |mean| likelihood(&cells, BetaPrior { mean, ..prior });
            let bend = (2.0 * at(prior.mean) - at(prior.mean - step) - at(prior.mean + step)) / (step * step);
            // A mean between 0 and 1 varies by no more than this, however little is known of it.
            Cautious { prior, mean_variance: (1.0 / bend.max(1e-9)).min(prior.mean * (1.0 - prior.mean)) }
        })
    }

    /// The parameters of the Beta distribution with the mean and the variance of a cell's draw probability: of its posterior for a
    /// known mean of the prior, and of what the error of that mean adds.
    pub(super) fn posterior(&self, draws: u64, games: u64) -> (f64, f64) {
        let total = self.prior.strength + games as f64;
        let mean = (self.prior.alpha() + draws as f64) / total;
        let share = self.prior.strength / total;
        let spread = mean * (1.0 - mean);
        let variance = spread / (total + 1.0) + share * share * self.mean_variance;
        // Not below the evidence of Jeffreys' prior, where the normal law of the mean's error reaches beyond 0 and 1.
        let evidence = (spread / variance - 1.0).max(1.0);
        (mean * evidence, (1.0 - mean) * evidence)
    }
}

/// The log-likelihood if all cells had one probability, in the terms of [`log_likelihood`].
fn all_alike(cells: &[Group]) -> f64 {
    let sum = |part: fn(&Group) -> f64| cells.iter().map(part).sum::<f64>();
    let (draws, games) = (sum(|cell| cell.copies * cell.draws), sum(|cell| cell.copies * cell.games));
    draws * (draws / games).ln() + (games - draws) * ((games - draws) / games).ln()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::smoothed;
    use super::*;
    use crate::counts::Wdl;

    /// Cells of so many games with a draw probability of 30 %, drawn with a fixed seed, spread by so much to either side.
    fn cells(count: u32, games: u32, spread: f64) -> Vec<(u64, u64)> {
        drawn(2013, count, games, spread)
    }

    /// The same with this seed.
    fn drawn(seed: u64, count: u32, games: u32, spread: f64) -> Vec<(u64, u64)> {
        let mut state = seed;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut draws = |cell| (0..games).filter(|_| uniform() < probability(cell, spread)).count() as u64;
        (0..count).map(|cell| (draws(cell), u64::from(games))).collect()
    }

    fn probability(cell: u32, spread: f64) -> f64 {
        if cell.is_multiple_of(2) { 0.3 - spread } else { 0.3 + spread }
    }

    #[test]
    fn games_that_tell_structures_apart_leave_the_prior_alone() {
        let cells = cells(100, 100, 0.1);
        assert_eq!(Cautious::of(BetaPrior::fit(cells.iter().copied()), cells.into_iter()), None);
    }

    #[test]
    fn the_bound_falls_with_fewer_games_and_lies_on_the_likelihood() {
        let mut last = f64::INFINITY;
        for (count, games) in [(400, 400), (100, 100), (40, 20), (10, 5)] {
            let cells = cells(count, games, 0.0);
            let fitted = BetaPrior::fit(cells.iter().copied());
            let cautious = Cautious::of(fitted, cells.iter().copied()).expect("cells that are alike");
            assert!(cautious.prior.strength < last && cautious.prior.strength <= fitted.strength, "{cautious:?}");
            last = cautious.prior.strength;
            let groups = group(cells.into_iter());
            let below = likelihood(&groups, fitted) - likelihood(&groups, cautious.prior);
            let bound = cautious.prior.strength < 1.01 * MIN_STRENGTH;
            assert!(bound || (below - WITHIN).abs() < 1e-3, "{count} {games}: {below}");
        }
    }

    /// The error of the mean by the formula for cells of equal size: that of the mean of their rates.
    #[test]
    fn the_error_of_the_mean_is_that_of_the_rates() {
        let cells = cells(60, 20, 0.0);
        let cautious = Cautious::of(BetaPrior::fit(cells.iter().copied()), cells.into_iter()).expect("alike");
        let BetaPrior { mean, strength } = cautious.prior;
        let of_rates = mean * (1.0 - mean) * (20.0 + strength) / (20.0 * (strength + 1.0)) / 60.0;
        assert!((cautious.mean_variance / of_rates - 1.0).abs() < 0.1, "{} {of_rates}", cautious.mean_variance);
        let (alpha, beta) = cautious.posterior(6, 20);
        assert!(alpha + beta < strength + 20.0, "the error of the mean widens the interval");
    }

    /// Values of other programs: the profile likelihood by scipy 1.17, the bend by mpmath 1.4.
    #[test]
    fn the_bound_and_its_error_of_other_programs() {
        for (cells, strength, mean, variance) in [
            (
                vec![(3_u64, 10_u64), (2, 10), (4, 10), (3, 10), (2, 10), (3, 10)],
                13.977_066,
                0.296_033_9,
                0.005_215_930,
            ),
            (vec![(1, 4), (2, 4), (2, 5), (0, 3)], 2.166_927_5, 0.335_257_6, 0.023_128_09),
        ] {
            let of = |cells: Vec<(u64, u64)>| {
                Cautious::of(BetaPrior::fit(cells.iter().copied()), cells.into_iter()).expect("cells that are alike")
            };
            let found = of(cells.clone());
            assert!((found.prior.strength / strength - 1.0).abs() < 1e-4, "{found:?}");
            assert!((found.prior.mean - mean).abs() < 1e-5, "{found:?}");
            assert!((found.mean_variance / variance - 1.0).abs() < 1e-3, "{found:?}");
            // Won and drawn exchanged.
            let turned = of(cells.iter().map(|(draws, games)| (games - draws, *games)).collect());
            assert!((turned.prior.mean + found.prior.mean - 1.0).abs() < 1e-5, "{turned:?}");
            assert!((turned.mean_variance / found.mean_variance - 1.0).abs() < 3e-5, "{turned:?} {found:?}");
        }
    }

    /// The law that is handed on has the mean and the variance that are meant.
    #[test]
    fn the_posterior_has_the_moments_that_are_meant() {
        let cautious = Cautious { prior: BetaPrior { mean: 0.5, strength: 4.0 }, mean_variance: 0.01 };
        let moments = |draws, games| {
            let (alpha, beta) = cautious.posterior(draws, games);
            let total: f64 = alpha + beta;
            (alpha / total, alpha * beta / (total * total * (total + 1.0)))
        };
        // Beta(2 + 3, 2 + 1) has the mean 5/8 and the variance 15/576, and half of the mean's error counts.
        let (mean, variance) = moments(3, 4);
        assert!((mean - 0.625).abs() < 1e-12 && (variance - (15.0 / 576.0 + 0.01 / 4.0)).abs() < 1e-12, "{variance}");
        // Without games all of it does.
        let (mean, variance) = moments(0, 0);
        assert!((mean - 0.5).abs() < 1e-12 && (variance - (0.25 / 5.0 + 0.01)).abs() < 1e-12, "{variance}");
        let vague = Cautious { prior: BetaPrior { mean: 0.2, strength: 1.0 }, mean_variance: 0.1 };
        let (alpha, beta) = vague.posterior(0, 0);
        assert!((alpha - 0.2).abs() < 1e-12 && (beta - 0.8).abs() < 1e-12, "{alpha} {beta}");
    }

    /// How often 90 % intervals hold the probability that a cell's games were drawn with, over sets of cells of equal size whose games
    /// leave the spread open. Where 30 cells of 400 games differ by 2 points to either side, that is the rarer case: such sets look
    /// more alike than they are. The figures stand in `docs/guides/tables.md`.
    #[test]
    #[expect(clippy::print_stderr, reason = "figures of docs/guides/tables.md")]
    fn intervals_hold_what_made_the_games() {
        for (count, games, sets, least) in [(30, 81, 60, 0.9), (60, 20, 20, 0.9), (30, 400, 300, 0.89)] {
            let spreads: &[f64] = if games == 400 { &[0.02] } else { &[0.0, 0.02, 0.05] };
            for &spread in spreads {
                let (mut all, mut held, mut held_by_fitted) = (0_u32, 0_u32, 0_u32);
                for set in 0..sets {
                    let cells = drawn(set * 7919 + 1, count, games, spread);
                    let prior = BetaPrior::fit(cells.iter().copied());
                    let Some(cautious) = Cautious::of(prior, cells.iter().copied()) else { continue };
                    let mut known = BTreeMap::new();
                    for (cell, &(draws, games)) in (0..).zip(&cells) {
                        let wdl = Wdl { wins: games - draws, draws, losses: 0 };
                        let of = |cautious| smoothed(Some(prior), cautious, wdl).1;
                        let [wide, narrow] = *known.entry(draws).or_insert_with(|| [of(Some(cautious)), of(None)]);
                        let truth = probability(cell, spread);
                        let holds = |(low, high): (f64, f64)| u32::from(low <= truth && truth <= high);
                        all += 1;
                        held += holds(wide);
                        held_by_fitted += holds(narrow);
                    }
                }
                let share = f64::from(held) / f64::from(all);
                eprintln!(
                    "{count} cells, {games} games, {spread}: {held} of {all}, {share:.4}; fitted {held_by_fitted}"
                );
                assert!(share >= least, "{count} cells of {games} games, spread {spread}: {held} of {all}");
                // The fitted prior alone holds what made the games less often than it says.
                assert!(f64::from(held_by_fitted) < 0.9 * f64::from(all), "{held_by_fitted} of {all}");
            }
        }
    }
}
