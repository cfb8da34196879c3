//! The sequential probability ratio test: play until the results speak clearly enough for one of two hypotheses.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::distribution::Distribution;
use super::elo::{NELO_PER_T, score_of_elo};
use super::model::WinDrawLoss;
use super::results::Results;

/// On which scale the two hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: (score - 1/2) / sigma. The test takes as long for drawish openings as for sharp ones.
    Normalized,
    /// Elo as ratings have it: the expected score.
    Logistic,
    /// BayesElo, in which draws shrink the scale; only for single games. For comparison with older tests.
    Bayesian,
}

impl Model {
    /// All, the recommended one first.
    pub const ALL: [Model; 3] = [Model::Normalized, Model::Logistic, Model::Bayesian];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Bayesian => "bayesian",
        }
    }

    /// What a test of this model leaves out of account where games are played in pairs: a sentence for beside its verdict.
    #[must_use]
    pub const fn caveat(self) -> Option<&'static str> {
        match self {
            Model::Normalized | Model::Logistic => None,
            Model::Bayesian => Some(
                "Bayesian Elo treats all games as independent. Where openings favour one engine, both games of a pair tend to end alike, so that \
                 this test claims too much, and so do errors of Elo by games.",
            ),
        }
    }

    /// Bounds must lie within plus and minus this, itself excluded.
    ///
    /// Normalized: the distribution that the test needs does not exist from 231.6 on for pairs of equal shares and from 340.4
    /// for single games, and is lost earlier for lopsided results; within 200 it was found for all results tried. Logistic
    /// and bayesian: where a score is no longer told apart from 0 or 1.
    #[must_use]
    pub const fn limit(self) -> f64 {
        match self {
            Model::Normalized => 200.0,
            Model::Logistic | Model::Bayesian => 1000.0,
        }
    }
}

/// Bounds nearer to each other than this would take more games than were ever played.
const NARROWEST: f64 = 1e-3;

/// What the results say so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The ratio has reached the lower bound: the difference is not as large as hoped.
    H0,
    /// The ratio has reached the upper bound.
    H1,
    /// Neither yet.
    Continue,
}

impl Decision {
    /// That of the same test seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Decision {
        match self {
            Decision::H0 => Decision::H1,
            Decision::H1 => Decision::H0,
            Decision::Continue => Decision::Continue,
        }
    }

    /// `H0`, `H1` or `continue`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Decision::H0 => "H0",
            Decision::H1 => "H1",
            Decision::Continue => "continue",
        }
    }
}

/// Why a test cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SprtError {
    #[error(
        "the bounds {elo0} and {elo1} leave nothing to decide: expected elo0 < elo1, and at least {NARROWEST} apart"
    )]
    Order { elo0: f64, elo1: f64 },
    #[error(
        "the bound {bound} cannot be tested: bounds of a {} test must lie between -{limit} and {limit}, both excluded; \
         choose bounds near the difference that you expect, such as 0 and 5{}",
        model.name(),
        beyond(*model, *bound)
    )]
    Bound { model: Model, bound: f64, limit: f64 },
    #[error("{name} = {value} is not a probability of an error: expected a number from 1e-9 to below 0.5")]
    Error { name: &'static str, value: f64 },
    #[error(
        "a bayesian test cannot use pairs of games: give wins, draws and losses, or choose the normalized or logistic model"
    )]
    Pairs,
    #[error("no distribution with a difference of {bound} nElo fits these results: choose bounds nearer to zero")]
    NoDistribution { bound: f64 },
}

/// Which model takes bounds that another one does not, if any does.
fn beyond(model: Model, bound: f64) -> String {
    let limit = Model::Logistic.limit();
    let is_taken = model == Model::Normalized && bound.abs() < limit;
    if is_taken {
        format!(", or take the logistic model (model=logistic), whose bounds reach {limit}")
    } else {
        String::new()
    }
}

/// Why words do not say a test.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SprtWordsError {
    #[error("{0}: expected elo0=, elo1=, alpha=, beta= with a number, or model= with a model")]
    Word(String),
    #[error("needs both elo0= and elo1=, as in elo0=0 elo1=3")]
    NoBounds,
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

/// A test of elo0 (H0) against elo1 (H1).
///
/// As data it is `{"model":"normalized","elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.05}`, which is checked as by [`new`](Self::new)
/// when it is read.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// A test as data, before it is checked.
#[derive(Deserialize)]
struct Unchecked {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl TryFrom<Unchecked> for Sprt {
    type Error = SprtError;

    fn try_from(Unchecked { model, elo0, elo1, alpha, beta }: Unchecked) -> Result<Sprt, SprtError> {
        Sprt::new(model, elo0, elo1, alpha, beta)
    }
}

/// In a sentence: `0 against 5 normalized Elo (alpha 0.05, beta 0.05)`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { model, elo0, elo1, alpha, beta } = self;
        write!(f, "{elo0} against {elo1} {} Elo (alpha {alpha}, beta {beta})", model.name())
    }
}

/// Smaller errors would put the bounds beyond what is ever reached.
const LEAST_ERROR: f64 = 1e-9;

impl Sprt {
    /// A test that accepts H1 with probability `alpha` if elo0 is true, and H0 with probability `beta` if elo1 is. Simulated
    /// tests of the usual bounds keep to that; bayesian ones err slightly more often where the bounds are 100 Elo apart.
    ///
    /// # Errors
    ///
    /// If elo0 is not below elo1 by at least 0.001, a bound is beyond [`Model::limit`], or alpha or beta is no number from 1e-9
    /// to below 0.5.
    pub fn new(model: Model, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(LEAST_ERROR..0.5).contains(&value) {
                return Err(SprtError::Error { name, value });
            }
        }
        for bound in [elo0, elo1] {
            let limit = model.limit();
            if bound.is_nan() || bound.abs() >= limit {
                return Err(SprtError::Bound { model, bound, limit });
            }
        }
        if elo1 - elo0 < NARROWEST {
            return Err(SprtError::Order { elo0, elo1 });
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// A test in the words of match runners: `elo0=0 elo1=5`, and `alpha=`, `beta=` and `model=` where they are not 0.05, 0.05 and
    /// normalized. Of two with the same key the later counts.
    ///
    /// # Errors
    ///
    /// If a word is not understood, a bound is missing, or there is no such test, see [`new`](Self::new).
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Sprt, SprtWordsError> {
        let (mut bounds, mut errors, mut model) = ([None; 2], [0.05; 2], Model::Normalized);
        for word in words {
            let wrong = || SprtWordsError::Word(word.to_owned());
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<f64>().map_err(|_| wrong());
            match key {
                "elo0" => bounds[0] = Some(number()?),
                "elo1" => bounds[1] = Some(number()?),
                "alpha" => errors[0] = number()?,
                "beta" => errors[1] = number()?,
                "model" => {
                    model = Model::ALL.into_iter().find(|model| model.name() == value).ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
        }
        let [Some(elo0), Some(elo1)] = bounds else { return Err(SprtWordsError::NoBounds) };
        Ok(Sprt::new(model, elo0, elo1, errors[0], errors[1])?)
    }

    /// Whether a word says a part of a test, such as `elo0=0`.
    ///
    /// ```
    /// use drawish_stats::Sprt;
    ///
    /// assert!(Sprt::is_word("elo1=5") && !Sprt::is_word("[1, 2, 3, 4, 5]"));
    /// ```
    #[must_use]
    pub fn is_word(word: &str) -> bool {
        word.split_once('=').is_some_and(|(key, _)| ["elo0", "elo1", "alpha", "beta", "model"].contains(&key))
    }

    /// The scale of the bounds.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }

    /// H0 and H1, on the scale of the model.
    #[must_use]
    pub const fn bounds(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The same test seen from the other side: its hypotheses and its errors change places, and its ratio changes its sign.
    #[must_use]
    pub const fn reversed(self) -> Sprt {
        let Sprt { model, elo0, elo1, alpha, beta } = self;
        // Not -0, which would be shown.
        Sprt { model, elo0: 0.0 - elo1, elo1: 0.0 - elo0, alpha: beta, beta: alpha }
    }

    /// The log-likelihood ratio at which H0 is accepted: ln(beta / (1 - alpha)), below 0 (Wald).
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// That at which H1 is accepted: ln((1 - beta) / alpha), above 0.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// What a log-likelihood ratio decides.
    #[must_use]
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper() {
            Decision::H1
        } else if llr <= self.lower() {
            Decision::H0
        } else {
            Decision::Continue
        }
    }

    /// The log-likelihood ratio of the results: n sum p_i ln(p1_i / p0_i), where p are the shares of the results and p0 and p1 the
    /// likeliest distributions under the two hypotheses (generalised likelihood ratio).
    ///
    /// Bayesian: sum n_i ln(P1_i / P0_i) with P(win) = 1 / (1 + 10^((drawelo - elo) / 400)), P(loss) = 1 / (1 + 10^((drawelo +
    /// elo) / 400)) and the drawelo of the results.
    ///
    /// # Errors
    ///
    /// If the model is bayesian and the results are pairs. ([`SprtError::NoDistribution`] has not been met within the limit of
    /// the model, in millions of random results.)
    pub fn llr(&self, results: &Results) -> Result<f64, SprtError> {
        let (n, distribution) = results.distribution();
        if self.model == Model::Bayesian {
            if distribution.is_of_pairs() {
                return Err(SprtError::Pairs);
            }
            return Ok(self.bayesian(n, &distribution));
        }
        let [under, over] = self.hypotheses(&distribution)?;
        Ok(n * distribution.mean_log_ratio(&over, &under))
    }

    /// The likeliest distributions under both hypotheses of a logistic or a normalized test.
    fn hypotheses(&self, distribution: &Distribution) -> Result<[Distribution; 2], SprtError> {
        if self.model == Model::Logistic {
            return Ok(self.bounds().map(|elo| distribution.with_mean(score_of_elo(elo))));
        }
        let games_each = if distribution.is_of_pairs() { 2.0_f64 } else { 1.0 };
        let hypothesis = |nelo: f64| {
            let t = games_each.sqrt() * nelo / NELO_PER_T;
            distribution.with_t(t).ok_or(SprtError::NoDistribution { bound: nelo })
        };
        Ok([hypothesis(self.elo0)?, hypothesis(self.elo1)?])
    }

    /// How much a further result of each class, the worst first, adds to the ratio of results with these shares: ln(p1_i / p0_i), since
    /// the likeliest distributions do not change in the first order; a bayesian test's drawelo does.
    pub(super) fn steps(&self, distribution: &Distribution) -> Result<Vec<f64>, SprtError> {
        if self.model == Model::Bayesian {
            const MORE: f64 = 1e-6;
            let now = self.bayesian(1.0, distribution);
            let step = |class| {
                let (n, more) = distribution.and_more(1.0, class, MORE);
                (self.bayesian(n, &more) - now) / MORE
            };
            return Ok((0..distribution.iter().count()).map(step).collect());
        }
        let [under, over] = self.hypotheses(distribution)?;
        Ok(under.iter().zip(over.iter()).map(|((_, under), (_, over))| (over / under).ln()).collect())
    }

    fn bayesian(&self, n: f64, distribution: &Distribution) -> f64 {
        let drawelo = drawelo(distribution);
        let [under, over] = self.bounds().map(|elo| {
            let WinDrawLoss { win, draw, loss } = bayesian_shares(elo, drawelo);
            [loss, draw, win]
        });
        distribution
            .iter()
            .zip(under.iter().zip(over))
            .map(|((_, share), (under, over))| n * share * (over / under).ln())
            .sum()
    }
}

/// 200 log10((1 - l) / l (1 - w) / w): the BayesElo scale's measure of how often games are drawn. With 1 - l = w + d and 1 - w =
/// l + d it is 200 log10((1 + d / w) (1 + d / l)), which keeps its digits where hardly a game is drawn.
fn drawelo(distribution: &Distribution) -> f64 {
    let [loss, draw, win] = [0, 1, 2].map(|at| distribution.iter().nth(at).map_or(0.0, |(_, share)| share));
    200.0 / std::f64::consts::LN_10 * ((draw / win).ln_1p() + (draw / loss).ln_1p())
}

/// Shares of wins, draws and losses of a player who is stronger by `elo` on the BayesElo scale. That of draws is what is left,
/// l w (10^(drawelo / 200) - 1).
fn bayesian_shares(elo: f64, drawelo: f64) -> WinDrawLoss {
    let (loss, win) = (score_of_elo(-elo - drawelo), score_of_elo(elo - drawelo));
    WinDrawLoss { win, draw: loss * win * (drawelo * std::f64::consts::LN_10 / 200.0).exp_m1(), loss }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::Trinomial;

    fn llr(model: Model, elo1: f64, [losses, draws, wins]: [u64; 3]) -> f64 {
        let sprt = Sprt::new(model, 0.0, elo1, 0.05, 0.05).expect("bounds");
        sprt.llr(&Results::Games(Trinomial { losses, draws, wins })).expect("games")
    }

    /// Where the score of H1 is that of the results, they are their own likeliest distribution; that of an even score has as many wins
    /// as losses: w ln(2 w / (w + l)) + l ln(2 l / (w + l)).
    #[test]
    fn the_logistic_ratio_by_hand() {
        for (results, elo1, wanted) in
            [([20, 50, 30], 34.860_070_287_6, 1.006_775_6), ([100, 600, 300], 70.436_503_622_3, 52.324_814_4)]
        {
            let found = llr(Model::Logistic, elo1, results);
            assert!((found - wanted).abs() < 1e-6, "{results:?}: {found}");
        }
    }

    /// Of 20, 50 and 30 the drawelo is 200 log10(28/3) = 194.007 and BayesElo 200 log10(12/7) = 46.817, with which the shares are those
    /// of the results; for 0 and 10 the shares are worked out outside.
    #[test]
    fn the_bayesian_ratio_by_hand() {
        for (elo1, wanted) in [(46.816_641_206_7, 1.015_991_613_7), (10.0, 0.387_485_843_4)] {
            let found = llr(Model::Bayesian, elo1, [20, 50, 30]);
            assert!((found - wanted).abs() < 1e-8, "{elo1}: {found}");
            assert!(
                (llr(Model::Bayesian, elo1, [30, 50, 20]) + found).abs() > 1e-3,
                "not the same from the other side"
            );
        }
    }

    /// Equals accept H1 at the level of 5 %, or a little more where bounds are far apart and drawelo is taken from few games.
    #[test]
    #[expect(clippy::print_stdout, reason = "the figures for `--nocapture`")]
    fn bayesian_levels() {
        const MATCHES: u64 = 4000;
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for elo1 in [50.0, 100.0] {
            let sprt = Sprt::new(Model::Bayesian, 0.0, elo1, 0.05, 0.05).expect("bounds");
            let mut accepted = 0;
            for at in 0..MATCHES {
                let drawn = [0.09, 0.52, 0.89, 0.98][at as usize % 4];
                let mut games = Trinomial::default();
                let decision = loop {
                    let decided = !random.random_bool(drawn);
                    let is_won = decided && random.random_bool(0.5);
                    games.draws += u64::from(!decided);
                    games.wins += u64::from(is_won);
                    games.losses += u64::from(decided && !is_won);
                    let llr = sprt.llr(&Results::Games(games)).expect("games");
                    match sprt.decide(llr) {
                        Decision::Continue => {}
                        decision => break decision,
                    }
                };
                accepted += u64::from(decision == Decision::H1);
            }
            let percent = 100.0 * accepted as f64 / MATCHES as f64;
            println!("0 against {elo1} bayesian Elo: {accepted} of {MATCHES} ({percent:.1} %)");
            assert!((2.5..8.5).contains(&percent), "{elo1}: {percent}");
        }
    }

    #[test]
    fn tests_in_words() {
        let words = |model| Sprt::new(model, -0.5, 2.5, 0.05, 0.1).expect("bounds").to_string();
        assert_eq!(words(Model::Normalized), "-0.5 against 2.5 normalized Elo (alpha 0.05, beta 0.1)");
        assert_eq!(words(Model::Logistic), "-0.5 against 2.5 logistic Elo (alpha 0.05, beta 0.1)");
    }

    #[test]
    fn tests_from_words() {
        let read = |words: &str| Sprt::from_words(words.split(' ')).map(|test| test.to_string());
        let said = |words: &str| read(words).expect_err("no test").to_string();
        assert_eq!(read("elo0=-1 elo1=4").as_deref(), Ok("-1 against 4 normalized Elo (alpha 0.05, beta 0.05)"));
        assert_eq!(
            read("model=logistic elo1=4 beta=0.1 elo0=0 alpha=0.01 elo1=6").as_deref(),
            Ok("0 against 6 logistic Elo (alpha 0.01, beta 0.1)")
        );
        for wrong in
            ["elo0=0", "elo1=5", "elo0=0 elo1=x", "elo0=0 elo1=5 model=wald", "elo0=0 elo1=5 seed=1", "elo0 elo1=5"]
        {
            assert!(!said(wrong).is_empty(), "{wrong}");
        }
        assert_eq!(said("elo0=0"), said("elo1=5"), "a bound is missing");
    }

    /// What one more result adds to the ratio, which the likeliest distributions follow.
    #[test]
    fn steps_are_what_one_more_result_adds() {
        for model in Model::ALL {
            let sprt = Sprt::new(model, -3.0, 10.0, 0.05, 0.05).expect("bounds");
            let counts = [200_000, 500_000, 300_000];
            let ratio = |[losses, draws, wins]: [u64; 3]| {
                sprt.llr(&Results::Games(Trinomial { losses, draws, wins })).expect("games")
            };
            let [losses, draws, wins] = counts;
            let (_, distribution) = Results::Games(Trinomial { losses, draws, wins }).distribution();
            let steps = sprt.steps(&distribution).expect("steps");
            assert_eq!(steps.len(), 3);
            for (class, step) in steps.into_iter().enumerate() {
                let mut more = counts;
                more[class] += 100;
                let added = (ratio(more) - ratio(counts)) / 100.0;
                assert!((added - step).abs() < 2e-3 * (0.01 + step.abs()), "{model:?} {class}: {added} {step}");
            }
        }
    }

    #[test]
    fn words_of_a_test() {
        for word in ["elo0=0", "elo1=5", "alpha=0.05", "beta=0.05", "model=logistic"] {
            assert!(Sprt::is_word(word), "{word}");
        }
        for word in ["[1, 2, 3, 4, 5]", "elo=5", "elo1", "name=elo1"] {
            assert!(!Sprt::is_word(word), "{word}");
        }
    }

    #[test]
    fn bounds_that_another_model_takes() {
        let said = |model, elo1| Sprt::new(model, 0.0, elo1, 0.05, 0.05).expect_err("too far").to_string();
        assert!(said(Model::Normalized, 300.0).contains("(model=logistic), whose bounds reach 1000"));
        assert!(!said(Model::Normalized, 1000.0).contains("model=logistic"));
        assert!(!said(Model::Logistic, 1000.0).contains("model=logistic"));
    }
}
