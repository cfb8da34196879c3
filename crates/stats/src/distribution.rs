//! Distributions of the score of a pair (0, 1/4, 1/2, 3/4, 1) or of a game (0, 1/2, 1), and the likeliest one under a
//! constraint.

use super::numeric::newton_in_bracket;

/// Counts of zero are taken for this much, as fishtest and fastchess do, so that no logarithm of zero is met. It is small
/// enough to move an Elo estimate from more than ten pairs by less than 0.02.
pub(super) const REGULAR_ZERO: f64 = 1e-3;

const SCORES_OF_PAIR: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
const SCORES_OF_GAME: [f64; 3] = [0.0, 0.5, 1.0];

/// So much of a result is added at the bad end where a likelihood must stand in for results that were not seen: with it the
/// signed root of the likelihood ratio gives the exact binomial bounds for none of n within 2 % of the rate (3.69 / n at 95 %, two-sided).
pub(super) const UNSEEN: f64 = 2.0 / 3.0;

/// Rounds after which the fixed point of [`Distribution::with_t`] counts as reached. Ten are usual; where counts are zero it
/// may creep towards its end for thousands.
const MAX_ROUNDS: usize = 10_000;
/// The change of a share below which it is reached.
const SAME_SHARE: f64 = 1e-12;

/// Shares of the possible scores; all above 0, their sum is 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distribution {
    scores: &'static [f64],
    shares: [f64; 5],
}

impl Distribution {
    /// The number of results with zeros made regular, and their shares. Three counts are of games, five of pairs; the worst
    /// result comes first.
    ///
    /// # Panics
    ///
    /// If there are neither three counts nor five.
    #[must_use]
    pub fn from_counts(counts: &[u64]) -> (f64, Distribution) {
        let weights: Vec<f64> =
            counts.iter().map(|&count| if count == 0 { REGULAR_ZERO } else { count as f64 }).collect();
        Distribution::from_weights(&weights)
    }

    /// The sum of weights above 0, three of games or five of pairs, and their shares.
    pub(super) fn from_weights(weights: &[f64]) -> (f64, Distribution) {
        let scores: &[f64] = if weights.len() == 5 { &SCORES_OF_PAIR } else { &SCORES_OF_GAME };
        assert_eq!(weights.len(), scores.len(), "a distribution is made of three counts or of five");
        let mut shares = [0.0; 5];
        shares[..weights.len()].copy_from_slice(weights);
        let sum: f64 = weights.iter().sum();
        (sum, Distribution { scores, shares: shares.map(|share| share / sum) })
    }

    /// These n results and `more` of the class with this number (0 is the worst): how many that is, and their shares.
    #[must_use]
    pub(super) fn and_more(&self, n: f64, class: usize, more: f64) -> (f64, Distribution) {
        let mut weights: Vec<f64> = self.iter().map(|(_, share)| n * share).collect();
        weights[class] += more;
        Distribution::from_weights(&weights)
    }

    /// These n results and [`UNSEEN`] of a result more at the end of the scale in whose direction `towards` lies.
    #[must_use]
    pub(super) fn and_unseen(&self, n: f64, towards: f64) -> (f64, Distribution) {
        self.and_more(n, if towards < 0.5 { 0 } else { self.scores.len() - 1 }, UNSEEN)
    }

    /// Scores with their shares, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> {
        self.scores.iter().copied().zip(self.shares)
    }

    fn same_shares(&self) -> Distribution {
        Distribution { scores: self.scores, shares: [1.0 / self.scores.len() as f64; 5] }
    }

    /// Whether the distribution is of pairs of games.
    #[must_use]
    pub fn is_of_pairs(&self) -> bool {
        self.scores.len() == 5
    }

    /// Expected score, between 0 and 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.iter().map(|(score, share)| score * share).sum()
    }

    /// The central moment of this order: 2 gives the variance (with divisor N, not N - 1).
    #[must_use]
    pub fn moment(&self, order: i32) -> f64 {
        let mean = self.mean();
        self.iter().map(|(score, share)| share * (score - mean).powi(order)).sum()
    }

    /// Variance of the score of a single game if the games of a pair count as independent: that of a pair's mean score is half
    /// of it.
    #[must_use]
    pub fn variance_of_game(&self) -> f64 {
        if self.is_of_pairs() { 2.0 * self.moment(2) } else { self.moment(2) }
    }

    /// Mean logarithm of the ratio of two distributions where this one is true: sum of p ln(over / under).
    #[must_use]
    pub fn mean_log_ratio(&self, over: &Distribution, under: &Distribution) -> f64 {
        self.shares
            .iter()
            .zip(over.shares.iter().zip(under.shares))
            .take(self.scores.len())
            .map(|(share, (over, under))| share * (over / under).ln())
            .sum()
    }

    /// The distribution with this expected score under which results with the shares of `self` are likeliest:
    /// p_i / (1 + x (a_i - s)), x being the root of sum p_i (a_i - s) / (1 + x (a_i - s)) = 0.
    ///
    /// Source: M. Van den Bergh, "A practical introduction to the GSPRT", Proposition 1.1. The mean must lie between 0 and 1,
    /// both excluded.
    #[must_use]
    pub fn with_mean(&self, mean: f64) -> Distribution {
        self.tilted(|score| score - mean).unwrap_or(*self)
    }

    /// The distribution with (mean - 1/2) / sigma = t under which results with the shares of `self` are likeliest, by a fixed
    /// point that begins with equal shares: p_i / (1 + x phi_i) with phi_i = a_i - 1/2 - t sigma (1 + ((a_i - mean) / sigma)^2) / 2, mean
    /// and sigma being those of the round before.
    ///
    /// `None` if a round has no root, which happens only for |t| far beyond any sensible hypothesis: from t = 0.9428 for pairs
    /// and 0.9798 for games the first round has none, and some results end the search earlier.
    ///
    /// Source: M. Van den Bergh, "Comments on normalized Elo", section 4.1.
    #[must_use]
    pub fn with_t(&self, t: f64) -> Option<Distribution> {
        let mut distribution = self.same_shares();
        for _ in 0..MAX_ROUNDS {
            let (mean, sigma) = (distribution.mean(), distribution.moment(2).sqrt());
            let next = self.tilted(|score| {
                let deviation = (score - mean) / sigma;
                score - 0.5 - t * sigma * (1.0 + deviation * deviation) / 2.0
            })?;
            let change =
                next.shares.iter().zip(distribution.shares).map(|(next, last)| (next - last).abs()).fold(0.0, f64::max);
            distribution = next;
            if change < SAME_SHARE {
                break;
            }
        }
        Some(distribution)
    }

    /// p_i / (1 + x v_i), where v_i is the constraint's value at the score and x makes its mean zero. `None` if all values have
    /// the same sign.
    fn tilted(&self, constraint: impl Fn(f64) -> f64) -> Option<Distribution> {
        let mut values = [0.0; 5];
        for (value, &score) in values.iter_mut().zip(self.scores) {
            *value = constraint(score);
        }
        let len = self.scores.len();
        let weights = secular_weights(&self.shares[..len], &values[..len])?;
        let mut shares = self.shares;
        for (share, weight) in shares.iter_mut().zip(weights).take(len) {
            *share /= weight;
        }
        Some(Distribution { scores: self.scores, shares })
    }
}

/// The weights 1 + x v_i with x the root of f(x) = sum p_i v_i / (1 + x v_i) between the poles -1 / max v and -1 / min v, where f
/// falls from +infinity to -infinity.
///
/// Where a value has a tiny share the root lies so near to a pole that 1 + x v_i would lose all its digits. So the unknown
/// is s, the distance from the pole towards which the root lies, in units of the pole's distance from 0: with u_i = v_i / v of
/// that pole the weights are 1 - u_i + s u_i, that of the pole being s itself, and s is the root in (0, 1] of
/// h(s) = sum p_i u_i s / (1 - u_i + s u_i), found by Newton's method within a shrinking bracket.
fn secular_weights(shares: &[f64], values: &[f64]) -> Option<[f64; 5]> {
    let (lowest, highest) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let mean: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
    let pole = if mean < 0.0 { highest } else { lowest };
    let weight = |value: f64, s: f64| {
        let u = value / pole;
        1.0 - u + s * u
    };
    // The other side pulls with s |sum| at most, the pole with its own share: the root is not below their ratio.
    let (mut own, mut other) = (0.0, 0.0);
    for (share, value) in shares.iter().zip(values) {
        let u = value / pole;
        own += if u == 1.0 { *share } else { 0.0 };
        other -= share * u.min(0.0);
    }
    let s = newton_in_bracket((own / other).min(1.0), 1.0, |s| {
        let (mut h, mut slope) = (0.0, 0.0);
        for (share, &value) in shares.iter().zip(values) {
            let (u, weight) = (value / pole, weight(value, s));
            h += share * u * s / weight;
            slope += share * u * (1.0 - u) / (weight * weight);
        }
        (h, slope)
    });
    let mut weights = [1.0; 5];
    for (slot, &value) in weights.iter_mut().zip(values) {
        *slot = weight(value, s);
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(counts: &[u64]) -> Distribution {
        Distribution::from_counts(counts).1
    }

    #[test]
    fn moments_by_hand() {
        let distribution = distribution(&[1, 0, 2, 0, 1]);
        assert!((distribution.mean() - 0.5).abs() < 1e-15);
        // Variance (1/4 + 1/4) / 4 but for the two thousandths in 4.002.
        assert!((distribution.moment(2) - (0.5 + 2e-3 / 16.0) / 4.002).abs() < 1e-15);
        assert!((distribution.variance_of_game() - 2.0 * distribution.moment(2)).abs() < 1e-15);
    }

    /// Of all distributions with the same mean, near the one found, none makes the results likelier.
    #[test]
    fn the_likeliest_distribution_under_a_constraint() {
        let distribution = distribution(&[3, 10, 30, 9, 1]);
        let likeliest = distribution.with_mean(0.55);
        assert!((likeliest.mean() - 0.55).abs() < 1e-14);
        assert!((likeliest.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-14);
        // Moves that change neither the sum nor the mean.
        for direction in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]] {
            for step in [1e-4, -1e-4] {
                let mut other = likeliest;
                for (share, change) in other.shares.iter_mut().zip(direction) {
                    *share += step * change;
                }
                assert!(distribution.mean_log_ratio(&other, &likeliest) < 0.0);
            }
        }
    }

    /// All small counts, at the ends of what a test may ask for and between: the distribution is found and keeps the constraint.
    #[test]
    fn a_t_within_the_limits_is_always_found() {
        for code in 0..6_u64.pow(5) {
            let counts: Vec<u64> = (0..5).map(|digit| code / 6_u64.pow(digit) % 6).collect();
            for t in [-0.814, -0.1, 0.3, 0.814] {
                let found = distribution(&counts).with_t(t).unwrap_or_else(|| panic!("{counts:?} {t}"));
                assert!(((found.mean() - 0.5) / found.moment(2).sqrt() - t).abs() < 1e-6, "{counts:?} {t}");
            }
        }
        // Where two classes are empty the fixed point creeps along a ridge.
        assert!(distribution(&[0, 17, 24, 6, 0]).with_t(0.407).is_some());
        assert!(distribution(&[0, 4, 0, 12, 0]).with_t(-0.81).is_some());
    }

    #[test]
    fn a_t_beyond_every_distribution_is_not_found() {
        assert!(distribution(&[5, 10, 20, 10, 5]).with_t(0.95).is_none());
        let found = distribution(&[5, 10, 20, 10, 5]).with_t(0.8).unwrap();
        assert!(((found.mean() - 0.5) / found.moment(2).sqrt() - 0.8).abs() < 1e-12);
    }
}
