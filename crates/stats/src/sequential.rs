//! What a sequential test says about the difference itself once it has stopped.

use super::brownian::Brownian;
use super::elo::{LARGEST_ELO, score_of_elo};
use super::numeric::bisect;
use super::plan::Spread;
use super::results::Results;
use super::sprt::{Decision, Sprt, SprtError, bayesian_shares, drawelo};

/// How far, in standard deviations of a step, a random walk is beyond a barrier on average when it has just passed it:
/// -zeta(1/2) / sqrt(2 pi). Source: D. Siegmund, "Sequential Analysis", chapter X.
const OVERSHOOT: f64 = 0.582_597_157_939_010_7;

/// An Elo estimate that takes into account when and why the match was stopped.
///
/// A sequential test stops when the results look best or worst, so the Elo of its results is too far from zero on average. The
/// estimates here are those differences for which an end as bad as the one seen, or worse, has probability 0.5, 0.025 and
/// 0.975, ends being in order from the quickest loss to the quickest win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialEstimate {
    /// The true difference is as often above it as below: without bias in the median. Elo, logistic whatever the model.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A ratio beyond a bound by more than this share of the way between both, and this many standard deviations of a single
/// result, was not stopped by it.
const FAR_BEYOND: (f64, f64) = (0.25, 4.0);

impl Sprt {
    /// The estimate from the results at which the test stopped, or was broken off undecided. `None` if the ratio is far beyond
    /// a bound, so that it was not this test which stopped the match: then [`Strength`](super::Strength) is the estimate.
    ///
    /// The log-likelihood ratio is taken for a Brownian motion with drift (s - (s0 + s1) / 2) (s1 - s0) / v and variance
    /// (s1 - s0)^2 / v for each result, s being the true score, s0 and s1 those of the hypotheses and v the variance of the
    /// likeliest distribution with the score s (M. Van den Bergh, "GSPRT approximation"); the barriers are set back by the
    /// mean overshoot of a single result.
    ///
    /// # Errors
    ///
    /// Those of [`llr`](Self::llr).
    pub fn estimate(&self, results: &Results) -> Result<Option<SequentialEstimate>, SprtError> {
        let llr = self.llr(results)?;
        let (n, distribution) = results.distribution();
        let [score0, score1] = self.scores(results);
        let far = FAR_BEYOND.0 * (self.upper() - self.lower())
            + FAR_BEYOND.1 * (score1 - score0) / distribution.moment(2).sqrt();
        if llr > self.upper() + far || llr < self.lower() - far {
            return Ok(None);
        }
        let from_middle = |score: f64| score - 0.5 * (score0 + score1);
        let worse = |elo: f64| {
            let score = score_of_elo(elo);
            let variance = distribution.with_mean(score).moment(2);
            let width = score1 - score0;
            let overshoot = OVERSHOOT * width / variance.sqrt();
            let (lower, upper) = (self.lower() - overshoot, self.upper() + overshoot);
            let y = match self.decide(llr) {
                Decision::H0 => lower,
                Decision::H1 => upper,
                Decision::Continue => (n * from_middle(distribution.mean()) * width / variance).clamp(lower, upper),
            };
            let drift = from_middle(score) * width / variance;
            Brownian { lower, upper, drift, variance: width * width / variance }.worse(n, y)
        };
        let [low, elo, high] = [0.975, 0.5, 0.025].map(|probability| falls_to(&worse, probability));
        Ok(Some(SequentialEstimate { elo, low, high }))
    }

    /// The expected scores of the two hypotheses for such results.
    fn scores(&self, results: &Results) -> [f64; 2] {
        if let Ok(bounds) = self.logistic_bounds(Spread::of_results(results)) {
            return bounds.map(score_of_elo);
        }
        let drawelo = drawelo(&results.distribution().1);
        self.bounds().map(|elo| bayesian_shares(elo, drawelo).expected_score())
    }
}

/// The Elo difference at which a falling probability has come down to this; the end of the scale if it does not.
fn falls_to(worse: &impl Fn(f64) -> f64, probability: f64) -> f64 {
    let (above, below) = bisect(-LARGEST_ELO, LARGEST_ELO, |elo| worse(elo) > probability);
    0.5 * (above + below)
}
