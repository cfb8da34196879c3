//! What a sequential test says about the difference itself once it has stopped.

use super::brownian::Brownian;
use super::distribution::Distribution;
use super::elo::{LARGEST_ELO, elo_of_score, end_of_interval, score_of_elo};
use super::enough::{NoFigure, too_few};
use super::jackknife::reach_of_95_percent;
use super::normal;
use super::numeric::bisect;
use super::results::Results;
use super::sprt::{Decision, Sprt, SprtError};

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

/// A ratio beyond a bound by more than this share of the way between both, and this many of the largest steps that the results
/// seen can make, was not stopped by it.
const FAR_BEYOND: (f64, f64) = (0.25, 4.0);

/// The log-likelihood ratio of a match as a random walk with the steps that were seen.
struct Walk {
    ratio: f64,
    steps: f64,
    /// Of a step.
    deviation: f64,
    /// The largest that was seen, either way.
    largest: f64,
}

impl Walk {
    fn of(sprt: &Sprt, results: &Results) -> Result<Walk, SprtError> {
        let (n, distribution) = results.distribution();
        let (mut mean, mut square, mut largest) = (0.0, 0.0, 0.0_f64);
        for (count, step) in results.counts().into_iter().zip(sprt.steps(&distribution)?) {
            if count > 0 {
                let share = count as f64 / n;
                mean += share * step;
                square += share * step * step;
                largest = largest.max(step.abs());
            }
        }
        let variance = (square - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        Ok(Walk { ratio: sprt.llr(results)?, steps: n, deviation: variance.sqrt(), largest })
    }

    fn is_far_beyond(&self, sprt: &Sprt) -> bool {
        let far = FAR_BEYOND.0 * (sprt.upper() - sprt.lower()) + FAR_BEYOND.1 * self.largest;
        self.ratio > sprt.upper() + far || self.ratio < sprt.lower() - far
    }

    /// What is decided if a bound counts as reached so far before it.
    fn decided(&self, sprt: &Sprt, before: f64) -> Decision {
        match sprt.decide(self.ratio + before) {
            Decision::H1 => Decision::H1,
            _ if sprt.decide(self.ratio - before) == Decision::H0 => Decision::H0,
            _ => Decision::Continue,
        }
    }

    /// How many standard errors the mean of the steps lies above the true one for which an end as bad as this, or worse, has each of
    /// these probabilities.
    fn standard_errors(&self, sprt: &Sprt, decision: Decision, probabilities: [f64; 3]) -> [f64; 3] {
        let overshoot = OVERSHOOT * self.deviation;
        let (lower, upper) = (sprt.lower() - overshoot, sprt.upper() + overshoot);
        let y = match decision {
            Decision::H0 => lower,
            Decision::H1 => upper,
            Decision::Continue => self.ratio,
        };
        let (mean, error) = (y / self.steps, self.deviation / self.steps.sqrt());
        let worse =
            |drift: f64| Brownian { lower, upper, drift, variance: self.deviation.powi(2) }.worse(self.steps, y);
        probabilities.map(|probability| {
            // The more drift the fewer worse ends: with a fixed variance this falls throughout.
            let (above, below) = bisect(mean - REACH * error, mean + REACH * error, |drift| worse(drift) > probability);
            (mean - 0.5 * (above + below)) / error
        })
    }
}

/// How near to its bound the ratio of a test that fishtest has ended is, or how many standard deviations of a step: of 2,967 tests in Stockfish's
/// history from 2020 on 1,635 end within the first of these, and eight more than 0.13 away; of 67 of Monty, which are shorter, one ends 0.7
/// deviations away.
const NEAR: (f64, f64) = (0.05, 1.0);

/// In so many standard errors the true drift is looked for on either side.
const REACH: f64 = 40.0;

impl Sprt {
    /// What fishtest decides by results: it takes what the ratio is estimated to overshoot a bound on average off that bound, so that of its
    /// tests as many end a little before as beyond (`update_SPRT` in its `stat_util.py`). Its estimate is of steps that are not printed: here a
    /// bound is reached within 0.05 of it, or within a standard deviation of a step if that is more.
    ///
    /// # Errors
    ///
    /// Those of [`llr`](Self::llr).
    pub fn decide_as_fishtest(&self, results: &Results) -> Result<Decision, SprtError> {
        let walk = Walk::of(self, results)?;
        Ok(walk.decided(self, NEAR.0.max(NEAR.1 * walk.deviation)))
    }

    /// The estimate from the results at which the test stopped, or was broken off undecided, or why there is none.
    ///
    /// The log-likelihood ratio is taken for a Brownian motion whose variance is that of the steps seen, ln(p1_i / p0_i) for each
    /// result, and whose drift is unknown; the barriers are set back by the mean overshoot of a step. That tells how many
    /// standard errors the mean of the steps lies from the drifts sought (M. Van den Bergh's ordering of ends in fishtest);
    /// the scores sought are those whose likelihood ratio to the results' own has this signed root. The ends of the interval are
    /// those of Student's distribution, since the variance is estimated.
    ///
    /// There is none while fewer than five results differ from the most common one, and none if the ratio is so far beyond a bound that
    /// it was not this test which stopped the match: then [`Strength`](super::Strength) is the estimate.
    ///
    /// # Errors
    ///
    /// Those of [`llr`](Self::llr).
    pub fn estimate(&self, results: &Results) -> Result<Result<SequentialEstimate, NoFigure>, SprtError> {
        self.estimate_of_stop(results, self.decide(self.llr(results)?))
    }

    /// The same of results at which a runner has ended the test with this decision, be it a little before the ratio is at its bound.
    ///
    /// # Errors
    ///
    /// Those of [`llr`](Self::llr).
    pub fn estimate_of_stop(
        &self,
        results: &Results,
        decision: Decision,
    ) -> Result<Result<SequentialEstimate, NoFigure>, SprtError> {
        let walk = Walk::of(self, results)?;
        let few = too_few(results);
        if few != Some(NoFigure::NoResults) && walk.is_far_beyond(self) {
            return Ok(Err(NoFigure::FarBeyond));
        }
        if let Some(why) = few {
            return Ok(Err(why));
        }
        let (n, distribution) = results.distribution();
        let reach = reach_of_95_percent(n as usize);
        let [low, elo, high] = walk
            .standard_errors(self, decision, [normal::cdf(reach), 0.5, normal::cdf(-reach)])
            .map(|errors| elo_of_score(score_at(n, &distribution, errors)));
        Ok(Ok(SequentialEstimate { elo, low: low.min(elo), high: high.max(elo) }))
    }
}

/// The score from which the mean of the results lies so many standard errors up, by the signed root of the likelihood ratio.
fn score_at(n: f64, distribution: &Distribution, errors: f64) -> f64 {
    let end = score_of_elo(if errors > 0.0 { -LARGEST_ELO } else { LARGEST_ELO });
    end_of_interval(n, distribution, end, 0.5 * errors * errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    /// Twelve games far from any bound: as the estimate of a fixed number of games, 2.201 errors to each side (Student's law with 11
    /// degrees of freedom); from many games 1.96.
    #[test]
    fn the_interval_of_few_games_is_that_of_student() {
        let sprt = Sprt::new(Model::Logistic, -1.0, 1.0, 1e-9, 1e-9).expect("a test");
        for (each, errors) in [(4, 2.200_985), (100_000, 1.959_964)] {
            let results = Results::Games(crate::Trinomial { losses: each, draws: each, wins: each });
            let found = sprt.estimate(&results).expect("a model").expect("an estimate");
            let (n, distribution) = results.distribution();
            let high = elo_of_score(score_at(n, &distribution, -errors));
            assert!(found.elo.abs() < 1e-6 * high, "{found:?}");
            assert!(
                (found.high / high - 1.0).abs() < 0.01 && (found.low / high + 1.0).abs() < 0.01,
                "{found:?} {high}"
            );
        }
    }

    /// With the other barrier far away, the time until the upper one is reached has the inverse Gaussian law (E. Schroedinger, 1915):
    /// P(not yet) = Phi(e) - e^(2 x (x - e)) Phi(e - 2 x), x being the barrier and e its distance from the mean at that time, both in
    /// standard deviations at that time. The barrier lies one mean overshoot of a step, 0.5826 deviations, further away.
    #[test]
    fn one_barrier_is_passed_by_the_inverse_gaussian_law() {
        let sprt = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 1e-9).expect("a test");
        for (steps, deviation) in [(100.0, 0.3), (400.0, 0.15), (10_000.0, 0.02), (25.0, 0.4)] {
            let walk = Walk { ratio: 20.0_f64.ln() + 0.001, steps, deviation, largest: deviation };
            let x = (20.0_f64.ln() + 0.5826 * deviation) / (deviation * f64::sqrt(steps));
            for (errors, wanted) in
                walk.standard_errors(&sprt, Decision::H1, [0.975, 0.5, 0.025]).into_iter().zip([0.975, 0.5, 0.025])
            {
                let late = normal::cdf(errors) - (2.0 * x * (x - errors)).exp() * normal::cdf(errors - 2.0 * x);
                assert!((late - wanted).abs() < 1e-4, "{steps} {wanted}: {late}");
            }
        }
    }

    /// Bounds of -2.944 and 2.944: a quarter of the way between them is 1.472.
    #[test]
    fn far_beyond_is_a_quarter_of_the_way_and_four_steps() {
        let sprt = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let is_far = |ratio, largest| Walk { ratio, steps: 1000.0, deviation: 0.1, largest }.is_far_beyond(&sprt);
        let bound = 19.0_f64.ln();
        for sign in [1.0, -1.0] {
            assert!(!is_far(sign * (bound + 1.4), 0.0) && is_far(sign * (bound + 1.5), 0.0));
            assert!(!is_far(sign * (bound + 3.4), 0.5) && is_far(sign * (bound + 3.5), 0.5));
        }
    }

    /// A fifth of the games lost, three tenths won, between an even score and their own: steps ln(0.2 / 0.25), 0 and ln(0.3 / 0.25).
    #[test]
    fn steps_by_hand() {
        let results = Results::Games(crate::Trinomial { losses: 20, draws: 50, wins: 30 });
        let sprt = Sprt::new(Model::Logistic, 0.0, elo_of_score(0.55), 0.05, 0.05).expect("a test");
        let walk = Walk::of(&sprt, &results).expect("games");
        let (lost, won) = (0.8_f64.ln(), 1.2_f64.ln());
        let mean = 0.2 * lost + 0.3 * won;
        let squares = 20.0 * (lost - mean).powi(2) + 50.0 * mean * mean + 30.0 * (won - mean).powi(2);
        assert!((walk.deviation - (squares / 99.0).sqrt()).abs() < 1e-6, "{}", walk.deviation);
        assert!((walk.ratio - 100.0 * mean).abs() < 1e-6 && (walk.largest + lost).abs() < 1e-6 && walk.steps == 100.0);
    }
}
