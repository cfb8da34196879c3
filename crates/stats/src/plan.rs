//! Before a match: how long it will take, and how likely it is to find what is there.

use thiserror::Error;

use super::brownian::Brownian;
use super::distribution::{Distribution, REGULAR_ZERO};
use super::elo::{NELO_PER_T, elo_of_score, score_of_elo, score_of_nelo};
use super::enough::{NoFigure, too_few};
use super::equivalence::root;
use super::normal::{self, Z95};
use super::results::Results;
use super::sprt::{Model, Sprt};

/// How much the score of a game varies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    variance: f64,
    /// The share of drawn games, where it is given: it bounds the score.
    draw_ratio: Option<f64>,
}

/// Why a match cannot be planned.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum PlanError {
    #[error("a draw ratio of {0} is not possible: expected a number from 0 to 1, 1 excluded")]
    DrawRatio(f64),
    #[error(
        "with a draw ratio of {draw_ratio} openings cannot be as unbalanced as {bias} Elo: expected a smaller bias or \
         fewer draws"
    )]
    Bias { draw_ratio: f64, bias: f64 },
    #[error(
        "with a draw ratio of {draw_ratio} there is no difference of {elo:.4} Elo: expected at most {most:.4} Elo, where all other games are \
         won, or fewer draws"
    )]
    Excluded { draw_ratio: f64, elo: f64, most: f64 },
    #[error("how much games vary is unknown: {0}")]
    Spread(#[from] NoFigure),
    #[error("a plan is made for the normalized or the logistic model, not for the bayesian one")]
    Bayesian,
}

/// No match has more.
const MOST_GAMES: f64 = 1e15;

impl Spread {
    /// Of equal sides: (1 - d) / 4 - (L(b) - 1/2)^2 is the variance of the score of a game in pairs, d being the share of draws
    /// and b the root mean square of the advantage, in Elo, that openings give to a colour; pairs cancel it. L is the logistic
    /// function of Elo.
    ///
    /// # Errors
    ///
    /// If d is not in [0, 1), or the bias leaves no variance.
    pub fn of_draws(draw_ratio: f64, bias: f64) -> Result<Spread, PlanError> {
        if !(0.0..1.0).contains(&draw_ratio) {
            return Err(PlanError::DrawRatio(draw_ratio));
        }
        let variance = (1.0 - draw_ratio) / 4.0 - (score_of_elo(bias) - 0.5).powi(2);
        if variance > 0.0 {
            Ok(Spread { variance, draw_ratio: Some(draw_ratio) })
        } else {
            Err(PlanError::Bias { draw_ratio, bias })
        }
    }

    /// As in results that were seen, the best guide if there are enough.
    ///
    /// # Errors
    ///
    /// If too few of them differ to say how much they vary.
    pub fn of_results(results: &Results) -> Result<Spread, NoFigure> {
        match too_few(results) {
            None => Ok(Spread { variance: results.distribution().1.variance_of_game(), draw_ratio: None }),
            Some(why) => Err(why),
        }
    }

    /// Standard deviation of the score of a game, 0 to 1/2.
    #[must_use]
    pub fn sigma(&self) -> f64 {
        self.variance.sqrt()
    }

    /// A difference in logistic Elo as normalized Elo, for games whose scores vary so much: 800 / ln 10 (L(elo) - 1/2) / sigma.
    #[must_use]
    pub fn nelo_of_elo(&self, elo: f64) -> f64 {
        NELO_PER_T * (score_of_elo(elo) - 0.5) / self.sigma()
    }

    /// Games after which the half width of the 95 % interval is this many Elo, near equality.
    #[must_use]
    pub fn games_for_error(&self, elo: f64) -> f64 {
        self.variance * (Z95 / (score_of_elo(elo) - 0.5)).powi(2)
    }

    /// Games after which equivalence within a margin in Elo is shown at level `alpha` with probability `power` if there is no
    /// difference: (z(1 - alpha) + z((1 + power) / 2))^2 variance / (L(margin) - 1/2)^2, z being quantiles of the normal distribution; or
    /// more, as [`Equivalence`](super::Equivalence) takes more for what it adds to results of which few were seen, most where nearly all games are drawn: so many
    /// that pairs whose score is off by z((1 + power) / 2) standard errors show it.
    #[must_use]
    pub fn games_for_equivalence(&self, margin: f64, alpha: f64, power: f64) -> f64 {
        let off = normal::quantile(0.5 * (1.0 + power));
        let normal = self.variance * ((normal::quantile(1.0 - alpha) + off) / (score_of_elo(margin) - 0.5)).powi(2);
        let is_shown = |games: f64| self.p_of_equivalence(margin, games, off) <= alpha;
        if is_shown(normal) {
            return normal;
        }
        let [mut few, mut enough] = [normal, 2.0 * normal.max(1.0)];
        while !is_shown(enough) && enough < MOST_GAMES {
            (few, enough) = (enough, 2.0 * enough);
        }
        while enough - few > 1.0 && enough / few > 1.001 {
            let middle = f64::midpoint(few, enough);
            *(if is_shown(middle) { &mut enough } else { &mut few }) = middle;
        }
        enough
    }

    /// p of equivalence of so many games in pairs between equals, whose score is below 1/2 by so many standard errors.
    fn p_of_equivalence(&self, margin: f64, games: f64, off: f64) -> f64 {
        let decided = (4.0 * self.variance).min(1.0);
        let less = off * (self.variance / games).sqrt();
        let won = (decided / 2.0 - less).max(0.0);
        let lost = (won + 2.0 * less).min(1.0);
        let drawn = (1.0 - won - lost).max(0.0);
        let pairs = [lost * lost, 2.0 * lost * drawn, drawn * drawn + 2.0 * lost * won, 2.0 * drawn * won, won * won];
        // As for counts that are 0.
        let weights = pairs.map(|share| (games / 2.0 * share).max(REGULAR_ZERO));
        let (n, distribution) = Distribution::from_weights(&weights);
        let score = score_of_elo(-margin);
        normal::cdf(-root(n, &distribution, score, score))
    }
}

/// What a sequential test does if the true difference is this: a point of its operating characteristic, with the expected
/// sample size.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    /// The true difference in Elo, logistic whatever the model of the test.
    pub elo: f64,
    /// The same difference in normalized Elo.
    pub nelo: f64,
    /// The probability that H1 is accepted.
    pub pass: f64,
    /// Expected number of games.
    pub games: f64,
}

impl Sprt {
    /// The hypotheses in logistic Elo, for games whose scores vary so much.
    ///
    /// # Errors
    ///
    /// If the model is bayesian.
    pub fn logistic_bounds(&self, spread: Spread) -> Result<[f64; 2], PlanError> {
        match self.model() {
            Model::Normalized => Ok(self.bounds().map(|nelo| elo_of_score(score_of_nelo(nelo, spread.variance)))),
            Model::Logistic => Ok(self.bounds()),
            Model::Bayesian => Err(PlanError::Bayesian),
        }
    }

    /// The course of the test, taken for a Brownian motion (Wald): with h = (2 s - s0 - s1) / (s1 - s0) it passes with probability
    /// (1 - e^(-h a)) / (e^(-h b) - e^(-h a)), a and b being the bounds of the log-likelihood ratio.
    ///
    /// # Errors
    ///
    /// If the model is bayesian, or so many games are drawn that there is no such difference.
    pub fn prospect(&self, spread: Spread, elo: f64) -> Result<Prospect, PlanError> {
        if let Some(draw_ratio) = spread.draw_ratio {
            let most = score_of_elo(elo.abs()) - 0.5;
            // Rounding excludes no difference at which all other games are won.
            if most > (1.0 - draw_ratio) / 2.0 * (1.0 + 1e-9) {
                return Err(PlanError::Excluded { draw_ratio, elo, most: elo_of_score(1.0 - draw_ratio / 2.0) });
            }
        }
        let scores = self.logistic_bounds(spread)?.map(score_of_elo);
        let width = scores[1] - scores[0];
        let motion = Brownian {
            lower: self.lower(),
            upper: self.upper(),
            drift: (score_of_elo(elo) - 0.5 * (scores[0] + scores[1])) * width / spread.variance,
            variance: width * width / spread.variance,
        };
        Ok(Prospect {
            elo,
            nelo: spread.nelo_of_elo(elo),
            pass: motion.upper_probability(),
            games: motion.expected_time(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_for_a_score_that_draws_exclude() {
        let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let spread = Spread::of_draws(0.999_999, 0.0).expect("a spread");
        let error = sprt.prospect(spread, 300.0).expect_err("half a millionth is the most");
        assert_eq!(
            error.to_string(),
            "with a draw ratio of 0.999999 there is no difference of 300.0000 Elo: expected at most 0.0003 Elo, where all other \
             games are won, or fewer draws"
        );
        // With half of the games drawn, as far as all others being won.
        let half = Spread::of_draws(0.5, 0.0).expect("a spread");
        assert!(sprt.prospect(half, elo_of_score(0.75)).is_ok() && sprt.prospect(half, -elo_of_score(0.75)).is_ok());
        assert!(sprt.prospect(half, 200.0).is_err() && sprt.prospect(half, -200.0).is_err());
    }

    /// The variance of openings that favour a colour by 70.4 Elo, a score of 0.6: 0.1 of it is the opening's.
    #[test]
    fn spreads_by_hand() {
        let spread = Spread::of_draws(0.5, elo_of_score(0.6)).expect("a variance");
        assert!((spread.sigma().powi(2) - 0.115).abs() < 1e-12);
        // sigma = 0.35, and a score of 0.55: t = 1/7.
        let even = Spread::of_draws(0.51, 0.0).expect("a variance");
        assert!((even.nelo_of_elo(elo_of_score(0.55)) - 49.633_655_074_7).abs() < 1e-9);
        assert!((even.nelo_of_elo(elo_of_score(0.45)) + 49.633_655_074_7).abs() < 1e-9);
    }

    /// A. Wald, 1945: at a hypothesis the test errs as often as it may and takes ((1 - a) ln(b / (1 - a)) + a ln((1 - b) / a)) / drift
    /// games; in the middle it is a coin and takes ln(19)^2 sigma^2 / (s1 - s0)^2.
    #[test]
    fn prospects_by_hand() {
        let sprt = Sprt::new(Model::Logistic, 0.0, elo_of_score(0.6), 0.05, 0.05).expect("a test");
        let spread = Spread::of_draws(0.51, 0.0).expect("a variance");
        for (score, pass, games) in
            [(0.5, 0.05, 64.924_879_49), (0.55, 0.5, 106.204_081_05), (0.6, 0.95, 64.924_879_49)]
        {
            let found = sprt.prospect(spread, elo_of_score(score)).expect("a difference");
            assert!((found.pass - pass).abs() < 1e-9 && (found.games - games).abs() < 1e-6, "{score}: {found:?}");
        }
        // The same hypotheses in normalized Elo, scores 0.5 and 0.6 being 0 and 2/7 of a sigma.
        let normalized = Sprt::new(Model::Normalized, 0.0, 2.0 / 7.0 * NELO_PER_T, 0.05, 0.05).expect("a test");
        let bounds = normalized.logistic_bounds(spread).expect("not bayesian");
        assert!(bounds[0].abs() < 1e-9 && (bounds[1] - elo_of_score(0.6)).abs() < 1e-9, "{bounds:?}");
    }

    /// With half of the games drawn the variance is 1/8, and three quarters are the highest score: 400 log10(3) Elo.
    #[test]
    fn the_course_of_a_test_by_hand() {
        let sprt = Sprt::new(Model::Logistic, 0.0, 4.0, 0.05, 0.05).expect("a test");
        let spread = Spread::of_draws(0.5, 0.0).expect("a spread");
        let said = sprt.prospect(spread, 300.0).expect_err("draws exclude it").to_string();
        assert!(said.contains("expected at most 190.8485 Elo"), "{said}");
        // Wald: in units of the variance by the square of the width an even score takes (ln 19)^2, and either hypothesis 1.8 ln 19.
        let width = score_of_elo(4.0) - 0.5;
        let (bound, unit) = (19.0_f64.ln(), 0.125 / (width * width));
        for (elo, pass, games) in [
            (0.0, 0.05, 1.8 * bound * unit),
            (elo_of_score(0.5 + width / 2.0), 0.5, bound * bound * unit),
            (4.0, 0.95, 1.8 * bound * unit),
        ] {
            let found = sprt.prospect(spread, elo).expect("a prospect");
            assert!((found.pass - pass).abs() < 1e-6, "{found:?}");
            assert!((found.games / games - 1.0).abs() < 1e-6, "{found:?} {games}");
        }
    }
}
