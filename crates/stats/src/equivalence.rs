//! Showing that there is no difference that matters: two one-sided tests.

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
    /// Schuirmann, 1987.) For a number of games that was fixed beforehand.
    ///
    /// # Panics
    ///
    /// If the margin is not above 0 and below 1000.
    #[must_use]
    pub fn of(results: &Results, margin: f64) -> Equivalence {
        assert!(margin > 0.0 && margin < 1000.0, "a margin lies between 0 and 1000 Elo");
        let (n, distribution) = results.distribution();
        let root = |score: f64| {
            (distribution.mean() - score).signum() * (2.0 * likelihood_drop(n, &distribution, score).max(0.0)).sqrt()
        };
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
