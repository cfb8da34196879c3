//! Whether there is a difference at all: an exact test that needs no variance.
//!
//! If both sides play alike, a pair with 3/2 points is as likely as one with 1/2, and one with 2 points as one with none. So, given how
//! many pairs were decided by how much, each of them is a fair coin, and the law of their sum is known exactly: no variance
//! is estimated, and nothing is assumed of results that were not seen. (R. A. Fisher's randomisation test, 1935; for single
//! games it is the sign test.)

use statrs::function::factorial::ln_binomial;

use super::equivalence::signed_root;
use super::normal;
use super::results::Results;

/// Up to so many decided results of a kind the law of their sum is summed up exactly.
const MOST_EXACT: u64 = 10_000;

/// Decided results: each kind with its weight, and how many were for the first side and how many against it.
struct Signs([(f64, u64, u64); 2]);

impl Signs {
    fn of(results: &Results) -> Signs {
        Signs(match results {
            Results::Pairs(pairs) => [(1.0, pairs.wd, pairs.ld), (2.0, pairs.ww, pairs.ll)],
            Results::Games(games) => [(1.0, games.wins, games.losses), (2.0, 0, 0)],
        })
    }

    fn decided(&self) -> u64 {
        self.0.iter().fold(0, |sum, &(_, more, less)| sum.saturating_add(more).saturating_add(less))
    }

    /// The sum of the signs times their weights.
    fn sum(&self) -> f64 {
        self.0.iter().map(|&(weight, more, less)| weight * (more as f64 - less as f64)).sum()
    }

    /// The probabilities of a sum above this one, and of this one, if every sign is a fair coin.
    fn above_and_at(&self, sum: f64) -> (f64, f64) {
        if self.0.iter().any(|&(_, more, less)| more.saturating_add(less) > MOST_EXACT) {
            let deviation =
                self.0.iter().map(|&(w, more, less)| w * w * (more as f64 + less as f64)).sum::<f64>().sqrt();
            // Possible sums are 2 apart.
            let beyond = |edge: f64| normal::cdf(-edge / deviation);
            return (beyond(sum + 1.0), beyond(sum - 1.0) - beyond(sum + 1.0));
        }
        let [ones, twos] = self.0.map(|(_, more, less)| more + less);
        let of_ones = fair_coins(ones);
        // tail[k]: at least k of the ones are for the first side.
        let mut tail = vec![0.0; of_ones.len() + 1];
        for (k, p) in of_ones.iter().enumerate().rev() {
            tail[k] = tail[k + 1] + p;
        }
        let (mut above, mut at) = (0.0, 0.0);
        for (k, p) in fair_coins(twos).into_iter().enumerate() {
            // Of the ones as many must be for the first side as make up the rest: 2 k - ones = rest.
            let rest = sum - 2.0 * (2.0 * k as f64 - twos as f64);
            let needed = (rest + ones as f64) / 2.0;
            let least_above = (needed + 1.0).floor().clamp(0.0, of_ones.len() as f64) as usize;
            above += p * tail[least_above];
            if needed.fract() == 0.0 && (0.0..of_ones.len() as f64).contains(&needed) {
                at += p * of_ones[needed as usize];
            }
        }
        (above, at)
    }
}

/// The probabilities of 0 to n heads.
fn fair_coins(n: u64) -> Vec<f64> {
    (0..=n).map(|k| (ln_binomial(n, k) - n as f64 * std::f64::consts::LN_2).exp()).collect()
}

/// The two-sided p-value of no difference; 1 without decided results. For a number of games that was fixed beforehand.
///
/// The larger of two: how likely decided results at least as one-sided as these are if both sides play alike, which holds for
/// every number of games; and that of the likelihood ratio, with two thirds of a result added against the side that is ahead, for equal
/// sides of different character (one that wins rarely and by much). `examples/false_positives.rs` has the rates of both kinds.
///
/// ```
/// use drawish_stats::{Pentanomial, Results, difference_p};
///
/// let won = |ww| Results::Pairs(Pentanomial { ww, ..Pentanomial::default() });
/// assert_eq!(difference_p(&won(1)), 1.0);
/// assert!(difference_p(&won(5)) > 0.05 && difference_p(&won(6)) < 0.05); // 2 / 2^6
/// ```
#[must_use]
pub fn difference_p(results: &Results) -> f64 {
    let ahead = Signs::of(results).sum();
    if ahead == 0.0 {
        return 1.0;
    }
    let root = signed_root(results, 0.5, if ahead > 0.0 { 0.0 } else { 1.0 }) * ahead.signum();
    one_sided_as_these(results).max(2.0 * normal::cdf(-root)).min(1.0)
}

/// How likely decided results at least as one-sided as these are if every sign is a fair coin.
fn one_sided_as_these(results: &Results) -> f64 {
    let signs = Signs::of(results);
    let (above, at) = signs.above_and_at(signs.sum().abs());
    (2.0 * (above + at)).min(1.0)
}

/// Decided results from which on the normal distribution gives the likelihood of superiority, as other programs have it.
const ENOUGH_FOR_NORMAL: u64 = 100;

/// Whether so many results are decided, of which some are worth an independent one, and none more than one.
pub(super) fn are_enough_for_normal(results: &Results, design_effect: f64) -> bool {
    Signs::of(results).decided() as f64 >= ENOUGH_FOR_NORMAL as f64 * design_effect.max(1.0)
}

/// The probability that the first side is the stronger, where fewer than a hundred results are decided: that of a smaller sum
/// of fair coins, and half that of the same. For single games this is, exactly, the posterior probability with a uniform prior on the share of wins
/// among decided games. `None` where there are more.
pub(super) fn superiority_of_few(results: &Results) -> Option<f64> {
    let signs = Signs::of(results);
    (!are_enough_for_normal(results, 1.0)).then(|| {
        let (above, at) = signs.above_and_at(signs.sum());
        (1.0 - above - 0.5 * at).clamp(0.0, 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    fn pairs([ll, ld, wl_dd, wd, ww]: [u64; 5]) -> Results {
        Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
    }

    /// Every way in which the signs may fall, counted one by one.
    #[test]
    fn as_counted_one_by_one() {
        for code in 0..4_u64.pow(4) {
            let [ll, ld, wd, ww] = [0, 1, 2, 3].map(|digit| code / 4_u64.pow(digit) % 4);
            let results = pairs([ll, ld, 7, wd, ww]);
            let (ones, twos) = (ld + wd, ll + ww);
            let seen = (wd as i64 - ld as i64) + 2 * (ww as i64 - ll as i64);
            let sums: Vec<i64> = (0..1_u64 << (ones + twos))
                .map(|signs| {
                    let heads = |bits: u64| i64::from(bits.count_ones());
                    2 * heads(signs & ((1 << ones) - 1)) - ones as i64 + 4 * heads(signs >> ones) - 2 * twos as i64
                })
                .collect();
            let share = |wanted: &dyn Fn(i64) -> bool| {
                sums.iter().filter(|&&sum| wanted(sum)).count() as f64 / sums.len() as f64
            };
            let exact = share(&|sum| sum.abs() >= seen.abs());
            assert!((one_sided_as_these(&results) - exact).abs() < 1e-9, "{results:?}");
            assert!(difference_p(&results) > exact - 1e-9, "{results:?}");
            let los = share(&|sum| sum < seen) + 0.5 * share(&|sum| sum == seen);
            assert!((superiority_of_few(&results).expect("few") - los).abs() < 1e-9, "{results:?}");
        }
    }

    #[test]
    fn one_pair_is_no_proof() {
        for counts in [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0; 5], [0, 0, 2000, 0, 0]] {
            assert_eq!(difference_p(&pairs(counts)), 1.0, "{counts:?}");
        }
        assert!((superiority_of_few(&pairs([0, 0, 0, 0, 1])).expect("few") - 0.75).abs() < 1e-12);
        // With a uniform prior the share of wins exceeds 1/2 with probability 1 - 2^-4 after three wins.
        let games = Results::Games(Trinomial { wins: 3, draws: 40, losses: 0 });
        assert!((superiority_of_few(&games).expect("few") - 0.9375).abs() < 1e-12);
    }

    #[test]
    fn exact_and_normal_meet() {
        let p = |more| one_sided_as_these(&pairs([0, 10_000 - more, 5, more, 0]));
        let q = |more| one_sided_as_these(&pairs([0, 10_001 - more, 5, more, 0]));
        for more in [5000, 5050, 5100, 5200] {
            let between = 0.5 * (p(more) + p(more + 1));
            assert!((q(more + 1) / between - 1.0).abs() < 0.1, "{more}: {} {between}", q(more + 1));
        }
        // Kinds by themselves, in units of their weight: 199 of 20,201 are 1.4 standard deviations.
        for counts in [[0, 10_001, 5, 10_200, 0], [10_001, 0, 5, 0, 10_200]] {
            let p = one_sided_as_these(&pairs(counts));
            assert!((p - 0.1615).abs() < 3e-3, "{counts:?}: {p}");
        }
        for counts in [[u64::MAX / 8; 5], [0, 0, 0, 0, u64::MAX / 2], [u64::MAX / 2, 0, 0, 0, 0]] {
            assert!((0.0..=1.0).contains(&difference_p(&pairs(counts))), "{counts:?}");
        }
    }

    /// Six pairs won and none lost: two of 64 ways in which six coins fall alike. Of 700 games 400 won: 100 are 3.78 standard
    /// deviations of 700 coins.
    #[test]
    fn p_values_by_hand() {
        for drawn in [0, 7] {
            assert!((difference_p(&pairs([0, 0, drawn, 0, 6])) - 2.0 / 64.0).abs() < 1e-12, "{drawn}");
            assert!((difference_p(&pairs([6, 0, drawn, 0, 0])) - 2.0 / 64.0).abs() < 1e-12, "{drawn}");
        }
        let games = |losses, wins| difference_p(&Results::Games(Trinomial { losses, draws: 900, wins }));
        let p = 2.0 * normal::cdf(-100.0 / 700.0_f64.sqrt());
        for found in [games(300, 400), games(400, 300)] {
            assert!((found / p - 1.0).abs() < 0.15, "{found} {p}");
        }
        assert_eq!(games(300, 300), 1.0);
    }
}
