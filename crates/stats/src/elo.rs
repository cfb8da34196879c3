//! Elo, normalized Elo and the likelihood of superiority, with their errors.

use super::distribution::Distribution;
use super::enough::{NoFigure, too_few};
use super::equivalence::root_of_dependent;
use super::normal::{self, Z95};
use super::numeric::bisect;
use super::results::Results;
use super::signs::{are_enough_for_normal, superiority_of_few};

/// Normalized Elo for each unit of (score - 1/2) / sigma of a game: 800 / ln 10, so that for draws as rare as in the logistic
/// model's origin a small difference has the same number on both scales.
pub const NELO_PER_T: f64 = 347.435_585_522_601_5;

/// Elo for each unit of a logit: 400 / ln 10.
pub(crate) const ELO_PER_LOGIT: f64 = NELO_PER_T / 2.0;

/// Scores beyond this, or within as much of 0, are not told apart: the ends of the Elo scale.
const LARGEST_SCORE: f64 = 0.999;

/// The Elo difference at the ends of the scale: that of a score of 0.999.
pub const LARGEST_ELO: f64 = 1_199.826_195_290_393;

/// Half the 95 % quantile of chi-square with one degree of freedom: as far as the log-likelihood may fall within a 95 % interval.
const DROP_95: f64 = 0.5 * Z95 * Z95;

/// The expected score of a player who is stronger by `elo`: 1 / (1 + 10^(-elo / 400)).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of an expected score: -400 log10(1 / score - 1), for scores from 0.001 to 0.999; scores beyond count as
/// these, so that the answer is finite.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    // From zero, so that an even score gives 0 and not -0.
    0.0 - 400.0 * (1.0 / score.clamp(1.0 - LARGEST_SCORE, LARGEST_SCORE) - 1.0).log10()
}

/// The expected score of a normalized Elo difference where the score of a game has this variance.
pub(super) fn score_of_nelo(nelo: f64, variance_of_game: f64) -> f64 {
    0.5 + nelo / NELO_PER_T * variance_of_game.sqrt()
}

/// How much stronger one side is, by a fixed number of games. All figures are finite for any counts; those that results cannot
/// give yet are `None`, and [`not_yet`](Self::not_yet) says why.
///
/// After a sequential test, which stops when the result looks good, these figures are biased away from zero: see
/// [`Sprt::estimate`](super::Sprt::estimate).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The share of the points, 0 to 1; 1/2 if there are no games.
    pub score: f64,
    /// Elo difference of that score.
    pub elo: f64,
    /// Half the width of the 95 % interval as runners print it: that of the normal distribution around the score, or of the
    /// likelihood where that one would leave the scale. `None` where results do not say how much they vary.
    pub elo_error: Option<f64>,
    /// Lower end of the 95 % interval by likelihood, which is honest at 0 and 100 % too: the score at which the likeliest
    /// distribution is e^1.92 times less likely than the results' own shares. Where results do not say how much they vary,
    /// with two thirds of a lost result more, which gives the exact binomial bounds; without results the end of the scale.
    pub elo_low: f64,
    /// Upper end.
    pub elo_high: f64,
    /// Normalized Elo: 800 / ln 10 (score - 1/2) / sigma, sigma being the standard deviation of a game. It tells how many games
    /// it takes to see the difference. `None` where results do not say how much they vary.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval: z 800 / ln 10 sqrt((1 - t skewness + t^2 (excess kurtosis + 2) / 4) / games),
    /// t = (score - 1/2) / sigma of what was counted. Runners that print z 800 / ln 10 / sqrt(games) leave out the error of sigma.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability that the first side is the stronger, Phi((score - 1/2) / standard error); with
    /// fewer than 100 decided results the exact one of fair coins, for single games the posterior probability with a uniform prior; of few
    /// that depend on each other Phi of the signed root of the likelihood ratio, two thirds of a result being added against the lead.
    /// `None` without results.
    pub los: Option<f64>,
    /// Why figures are `None`.
    pub not_yet: Option<NoFigure>,
}

impl Strength {
    /// From results. Zeros among the counts are taken for a thousandth, see [`Distribution::from_counts`], and nothing that
    /// follows from these thousandths alone is given.
    #[must_use]
    pub fn of(results: &Results) -> Strength {
        Strength::of_dependent(results, 1.0)
    }

    /// The same from results of which so many, above 0, are worth an independent one, see
    /// [`design_effect`](super::design_effect()): errors, intervals and LOS are those of so many fewer results, or more. Of 1 they are
    /// independent.
    #[must_use]
    pub fn of_dependent(results: &Results, design_effect: f64) -> Strength {
        let not_yet = too_few(results);
        let (n, distribution) = results.distribution();
        let n = n / design_effect;
        let score = distribution.mean();
        let variance = distribution.moment(2);
        let standard_error = (variance / n).sqrt();
        let likelihood = |towards| match not_yet {
            None => elo_of_score(end_of_interval(n, &distribution, towards, DROP_95)),
            Some(NoFigure::NoResults) => elo_of_score(towards),
            Some(_) => {
                let (n, distribution) = distribution.and_unseen(n, towards);
                elo_of_score(end_of_interval(n, &distribution, towards, DROP_95))
            }
        };
        let (elo_low, elo_high) = (likelihood(1.0 - LARGEST_SCORE), likelihood(LARGEST_SCORE));
        let (low, high) = (score - Z95 * standard_error, score + Z95 * standard_error);
        let elo_error = if low < 1.0 - LARGEST_SCORE || high > LARGEST_SCORE {
            (elo_high - elo_low) / 2.0
        } else {
            (elo_of_score(high) - elo_of_score(low)) / 2.0
        };
        let sigma = variance.sqrt();
        let t = (score - 0.5) / sigma;
        let skewness = distribution.moment(3) / sigma.powi(3);
        let excess_kurtosis = distribution.moment(4) / sigma.powi(4) - 3.0;
        let variance_of_t = (1.0 - t * skewness + 0.25 * t * t * (excess_kurtosis + 2.0)).max(0.0);
        let games_each = results.games_each() as f64;
        let known = |figure: f64| not_yet.is_none().then_some(figure);
        Strength {
            score,
            elo: elo_of_score(score),
            elo_error: known(elo_error),
            elo_low,
            elo_high,
            nelo: known(NELO_PER_T * (score - 0.5) / distribution.variance_of_game().sqrt()),
            nelo_error: known(Z95 * NELO_PER_T * (variance_of_t / (games_each * n)).sqrt()),
            los: (not_yet != Some(NoFigure::NoResults)).then(|| match superiority_of_few(results) {
                Some(of_few) if design_effect == 1.0 => of_few,
                _ if are_enough_for_normal(results, design_effect) => normal::cdf((score - 0.5) / standard_error),
                _ => superiority_of_few_dependent(results, design_effect, score),
            }),
            not_yet,
        }
    }
}

/// The likelihood of superiority from few results that depend on each other: Phi of the signed root of the likelihood ratio, with two
/// thirds of a result added against the side that is ahead. The variance of results that hardly differ says nothing.
fn superiority_of_few_dependent(results: &Results, design_effect: f64, score: f64) -> f64 {
    let ahead = score - 0.5;
    if ahead.abs() < 1e-9 {
        return 0.5;
    }
    let root = root_of_dependent(results, design_effect, 0.5, if ahead > 0.0 { 0.0 } else { 1.0 });
    // What was added takes a lead away, and gives none to the other side.
    normal::cdf(if ahead > 0.0 { root.max(0.0) } else { root.min(0.0) })
}

/// How much the log-likelihood of n results falls from their own shares to the likeliest distribution with this mean.
pub(super) fn likelihood_drop(n: f64, distribution: &Distribution, mean: f64) -> f64 {
    n * distribution.mean_log_ratio(distribution, &distribution.with_mean(mean))
}

/// The score between the mean and `towards` at which the log-likelihood has fallen by `most`, or `towards` if it has not.
pub(super) fn end_of_interval(n: f64, distribution: &Distribution, towards: f64, most: f64) -> f64 {
    let inside = distribution.mean();
    // The mean itself may lie beyond the end of the scale.
    if (inside < towards) != (towards > 0.5) || likelihood_drop(n, distribution, towards) <= most {
        return towards;
    }
    bisect(inside, towards, |score| likelihood_drop(n, distribution, score) <= most).0
}

#[cfg(test)]
mod tests {
    use super::super::results::{Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn the_scale_has_ends() {
        assert!((elo_of_score(1.0) - LARGEST_ELO).abs() < 1e-9 && (elo_of_score(0.0) + LARGEST_ELO).abs() < 1e-9);
        for elo in [-900.0, -3.5, 0.0, 100.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn a_single_won_pair_says_little() {
        let strength = Strength::of(&Results::Pairs(Pentanomial { ww: 1, ..Pentanomial::default() }));
        // Almost nothing is excluded: the exact bound of a share of which one of one was seen is 0.025.
        assert!(score_of_elo(strength.elo_low) < 0.051, "{strength:?}");
        assert_eq!(strength.elo_high, elo_of_score(1.0));
        assert_eq!((strength.elo_error, strength.nelo, strength.nelo_error), (None, None, None));
        assert!((strength.los.expect("a pair") - 0.75).abs() < 1e-12, "{strength:?}");
        assert_eq!(strength.not_yet, Some(NoFigure::AllAlike { count: 1, pairs: true }));
    }

    #[test]
    fn no_games_say_nothing() {
        let strength = Strength::of(&Results::Pairs(Pentanomial::default()));
        assert_eq!((strength.los, strength.elo_error, strength.not_yet), (None, None, Some(NoFigure::NoResults)));
        assert!((strength.elo_low + LARGEST_ELO).abs() < 1e-9 && (strength.elo_high - LARGEST_ELO).abs() < 1e-9);
    }

    /// Nothing but draws: the bounds are those that C. J. Clopper and E. S. Pearson (1934) give for none of n.
    #[test]
    fn a_thousand_draws_leave_an_elo_open() {
        for draws in [20, 100, 1000, 1_000_000] {
            let strength = Strength::of(&Results::Games(Trinomial { draws, ..Trinomial::default() }));
            let most = 1.0 - 0.025f64.powf(1.0 / draws as f64);
            let wins = 2.0 * (score_of_elo(strength.elo_high) - 0.5);
            assert!((wins / most - 1.0).abs() < 0.03, "{draws}: {wins} {most}");
            assert!((strength.elo_low + strength.elo_high).abs() < 1e-9);
            assert_eq!((strength.nelo, strength.los), (None, Some(0.5)));
        }
    }

    /// For many games and no extreme score both intervals are the same.
    #[test]
    fn the_likelihood_agrees_with_the_normal_distribution() {
        let strength = Strength::of(&Results::Pairs(Pentanomial { ll: 200, ld: 900, wl_dd: 2000, wd: 1000, ww: 250 }));
        let error = strength.elo_error.expect("thousands of pairs");
        assert!((strength.elo_high - strength.elo - error).abs() < 0.05, "{strength:?}");
        assert!((strength.elo - strength.elo_low - error).abs() < 0.05, "{strength:?}");
    }

    /// As many results of which two are worth one say no more than half as many that are independent; that all are alike makes
    /// nobody surely the stronger.
    #[test]
    fn few_dependent_results_prove_no_superiority() {
        let los = |pairs: Pentanomial, effect: f64| Strength::of_dependent(&Results::Pairs(pairs), effect).los;
        for (won, effect) in [(2, 2.0), (4, 2.0), (6, 3.0), (30, 2.0)] {
            let all = los(Pentanomial { ww: won, ..Pentanomial::default() }, effect).expect("a likelihood");
            let fewer = (won as f64 / effect) as u64;
            let of_coins = los(Pentanomial { ww: fewer, ..Pentanomial::default() }, 1.0).expect("a likelihood");
            assert!((0.5..of_coins + 1e-9).contains(&all), "{won} won, worth {fewer}: {all} beside {of_coins}");
            let lost = los(Pentanomial { ll: won, ..Pentanomial::default() }, effect).expect("a likelihood");
            assert!((all + lost - 1.0).abs() < 1e-9, "{all} {lost}");
        }
        let even = Pentanomial { ld: 7, wl_dd: 3, wd: 7, ..Pentanomial::default() };
        assert_eq!(los(even, 2.0), Some(0.5));
        let ahead = Pentanomial { ld: 400, wl_dd: 300, wd: 460, ..Pentanomial::default() };
        let [one, two] = [1.0, 2.0].map(|effect| los(ahead, effect).expect("a likelihood"));
        assert!((normal::quantile(one) / normal::quantile(two) - 2f64.sqrt()).abs() < 1e-6, "{one} {two}");
    }

    /// Counts whose variance is a square: 30 wins, 50 draws and 20 losses have the score 0.55 and sigma = 0.35, so that t = 1/7; the
    /// third and the fourth central moment are -0.006 and 0.03060625. Pairs of half the range vary half as much.
    #[test]
    fn figures_by_hand() {
        let strength = Strength::of(&Results::Games(Trinomial { losses: 20, draws: 50, wins: 30 }));
        let is = |what: &str, found: Option<f64>, wanted: f64, within: f64| {
            assert!(found.is_some_and(|found| (found - wanted).abs() < within), "{what}: {found:?}, not {wanted}");
        };
        is("elo", Some(strength.elo), 34.860_070_287_6, 1e-9);
        // 0.55 +- 1.96 * 0.035 in Elo.
        is("elo_error", strength.elo_error, 48.470_228_059_9, 1e-9);
        is("nelo", strength.nelo, 49.633_655_074_7, 1e-9);
        // 1.96 * 347.4 sqrt((1 - t skewness + t^2 (excess kurtosis + 2) / 4) / 100), skewness -0.13994, excess kurtosis -0.96043.
        is("nelo_error", strength.nelo_error, 68.952_010_278_3, 1e-9);
        // A result in four: twice the error.
        let dependent = Strength::of_dependent(&Results::Games(Trinomial { losses: 20, draws: 50, wins: 30 }), 4.0);
        is("nelo_error of fewer", dependent.nelo_error, 2.0 * 68.952_010_278_3, 1e-8);
        // Ten times as many are enough for Phi(t sqrt(250)).
        let many = Strength::of_dependent(&Results::Games(Trinomial { losses: 200, draws: 500, wins: 300 }), 4.0);
        is("los of fewer", many.los, 0.988_051, 1e-5);
        assert_eq!((dependent.elo, dependent.nelo, dependent.score), (strength.elo, strength.nelo, strength.score));

        let pairs = Strength::of(&Results::Pairs(Pentanomial { ll: 0, ld: 20, wl_dd: 50, wd: 30, ww: 0 }));
        is("score of pairs", Some(pairs.score), 0.525, 1e-5);
        is("nelo of pairs", pairs.nelo, 35.096_294, 0.01);
        is("nelo_error of pairs", pairs.nelo_error, 48.756_434, 0.01);
    }
}
