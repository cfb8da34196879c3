//! Showing that there is no difference that matters: two one-sided tests.

use super::distribution::Distribution;
use super::elo::{likelihood_drop, score_of_elo};
use super::normal;
use super::results::Results;

/// Whether the difference lies within a margin. A match that finds no significant difference has not shown that there is none;
/// this has, if `p` is small.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equivalence {
    /// The margin in Elo, above 0.
    pub margin: f64,
    /// The probability of results that speak so clearly against a difference of minus the margin, or more, if that is the truth.
    pub p_below: f64,
    /// The same for plus the margin.
    pub p_above: f64,
}

impl Equivalence {
    /// Tests both ends of the margin by the signed root of the likelihood ratio, r = sign(mean - s) sqrt(2 n sum p_i ln(p_i /
    /// p_i(s))), p(s) being the likeliest distribution with the score s; for many games r is (mean - s) / standard error. (D. J.
    /// Schuirmann, 1987.) Two thirds of a result are added at the end of the scale that speaks against it, for losses and wins
    /// that were not seen: nothing but draws then proves what the binomial distribution allows, and no more.
    ///
    /// For a number of games that was fixed beforehand; see [`at_any_time`](Self::at_any_time).
    ///
    /// # Panics
    ///
    /// If the margin is not above 0 and below 1000.
    #[must_use]
    pub fn of(results: &Results, margin: f64) -> Equivalence {
        Equivalence::of_dependent(results, 1.0, margin)
    }

    /// The same from results of which so many, above 0, are worth an independent one, see
    /// [`design_effect`](super::design_effect()).
    ///
    /// # Panics
    ///
    /// If the margin is not above 0 and below 1000.
    #[must_use]
    pub fn of_dependent(results: &Results, design_effect: f64, margin: f64) -> Equivalence {
        assert!(margin > 0.0 && margin < 1000.0, "a margin lies between 0 and 1000 Elo");
        let root = |score: f64| root_of_dependent(results, design_effect, score, score);
        Equivalence {
            margin,
            p_below: normal::cdf(-root(score_of_elo(-margin))),
            p_above: normal::cdf(root(score_of_elo(margin))),
        }
    }

    /// The larger of the two: the difference is within the margin at every level above this.
    #[must_use]
    pub fn p(&self) -> f64 {
        self.p_below.max(self.p_above)
    }
}

/// How many standard errors results lie above a score, by the likelihood ratio, with what was not seen at the end of the scale in whose
/// direction `unseen` lies.
pub(super) fn signed_root(results: &Results, score: f64, unseen: f64) -> f64 {
    root_of_dependent(results, 1.0, score, unseen)
}

pub(super) fn root_of_dependent(results: &Results, design_effect: f64, score: f64, unseen: f64) -> f64 {
    let (n, distribution) = results.distribution();
    root(n / design_effect, &distribution, score, unseen)
}

/// The same of n results with these shares.
pub(super) fn root(n: f64, distribution: &Distribution, score: f64, unseen: f64) -> f64 {
    let (n, distribution) = distribution.and_unseen(n, unseen);
    (distribution.mean() - score).signum() * (2.0 * likelihood_drop(n, &distribution, score).max(0.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    /// If 1 - L(margin) of the games were lost and the others drawn, n draws would have the probability (1 - 2 d)^n, d = 1/2 - L(-margin).
    #[test]
    fn nothing_but_draws_proves_what_the_binomial_law_allows() {
        for margin in [1.0, 3.0, 10.0, 50.0] {
            let lost = 1.0 - 2.0 * score_of_elo(-margin);
            for level in [0.05_f64, 0.01] {
                let exact = level.ln() / (1.0 - lost).ln();
                let p = |draws: f64| {
                    let games = Results::Games(Trinomial { draws: draws as u64, ..Trinomial::default() });
                    Equivalence::of(&games, margin).p()
                };
                assert!(p(0.93 * exact) > level && p(1.1 * exact) < level, "{margin} {level}: {}", p(exact));
            }
        }
    }

    #[test]
    fn few_games_prove_nothing() {
        for counts in [[0; 5], [0, 0, 1, 0, 0], [0, 0, 40, 0, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 1]] {
            let [ll, ld, wl_dd, wd, ww] = counts;
            let test = Equivalence::of(&Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww }), 3.0);
            assert!(test.p() > 0.05, "{counts:?} {test:?}");
        }
    }

    /// Of wins, draws and losses with an even score the likeliest have as many wins as losses, so that the ratio is known in a closed
    /// form; two thirds of a result are added against who is ahead.
    #[test]
    fn the_root_of_the_ratio_by_hand() {
        let games = |losses, wins| Results::Games(Trinomial { losses, draws: 50, wins });
        // w = 30, l = 20 + 2/3: sqrt(2 (w ln(2 w / (w + l)) + l ln(2 l / (w + l)))).
        let wanted = 1.314_973_885_4;
        for (results, unseen, wanted) in [(games(20, 30), 0.0, wanted), (games(30, 20), 1.0, -wanted)] {
            let found = signed_root(&results, 0.5, unseen);
            assert!((found - wanted).abs() < 1e-8, "{found} {wanted}");
        }
    }

    /// Four results that are worth one are as many as a fourth of them.
    #[test]
    fn dependent_results_are_worth_fewer() {
        let games = |times: u64| Results::Games(Trinomial { losses: 20 * times, draws: 50 * times, wins: 25 * times });
        let (found, wanted) = (Equivalence::of_dependent(&games(4), 4.0, 30.0), Equivalence::of(&games(1), 30.0));
        assert!((found.p_below - wanted.p_below).abs() < 1e-9 && (found.p_above - wanted.p_above).abs() < 1e-9);
        assert!(Equivalence::of(&games(4), 30.0).p() < wanted.p());
    }
}
