//! Quantiles of the Beta distribution for any evidence, from a fraction of a game to all that 64 bits can count.
//!
//! The library's algorithm (AS 109) is exact where cells usually lie, but its continued fraction is cut after 140 steps, and its
//! search does not end for parameters below 1/2 or, from about ten million games on, for cells of hardly any draws or of hardly
//! anything else. There other ways take over.

use statrs::distribution::{Beta, ContinuousCDF, Gamma};
use statrs::function::beta::beta_reg;

/// From so much evidence on, approximations are more exact than the library: errors below 2e-6 standard deviations.
const MUCH: f64 = 1e6;

/// From so much evidence on both sides on, the distribution is nearly normal.
const NEARLY_NORMAL: f64 = 1e3;

/// The x below which Beta(alpha, beta) has this probability, 0 to 1. All three are above 0 and finite, the probability below 1.
pub(super) fn beta(alpha: f64, beta: f64, probability: f64) -> f64 {
    if alpha + beta >= MUCH {
        if alpha.min(beta) >= NEARLY_NORMAL {
            nearly_normal(alpha, beta, probability)
        } else if alpha < beta {
            far_below(alpha, beta, probability)
        } else {
            1.0 - far_below(beta, alpha, 1.0 - probability)
        }
    } else if alpha.min(beta) < 0.5 {
        by_halving(alpha, beta, probability)
    } else {
        Beta::new(alpha, beta).expect("a prior and counts are positive and finite").inverse_cdf(probability)
    }
}

/// The expansion of Cornish and Fisher with skewness and kurtosis (Abramowitz and Stegun 26.2.49).
fn nearly_normal(alpha: f64, beta: f64, probability: f64) -> f64 {
    let n = alpha + beta;
    let deviation = (alpha / n * (beta / n) / (n + 1.0)).sqrt();
    let skewness = 2.0 * (beta - alpha) / (n + 2.0) * ((n + 1.0) / alpha / beta).sqrt();
    let kurtosis =
        6.0 * ((alpha - beta) / alpha * ((alpha - beta) / beta) * (n + 1.0) - (n + 2.0)) / (n + 2.0) / (n + 3.0);
    let z = standard_normal(probability);
    let expanded = z + (z * z - 1.0) * skewness / 6.0 + (z.powi(3) - 3.0 * z) * kurtosis / 24.0
        - (2.0 * z.powi(3) - 5.0 * z) * skewness * skewness / 36.0;
    alpha / n + deviation * expanded
}

fn standard_normal(probability: f64) -> f64 {
    statrs::distribution::Normal::standard().inverse_cdf(probability)
}

/// Where alpha is small beside beta: -(beta + (alpha - 1) / 2) ln(1 - X) is distributed by Gamma(alpha) up to a share of
/// (alpha / beta)^2 / 24.
fn far_below(alpha: f64, beta: f64, probability: f64) -> f64 {
    let gamma = Gamma::new(alpha, 1.0).expect("a prior and counts are positive and finite").inverse_cdf(probability);
    -(-gamma / (beta + (alpha - 1.0) / 2.0)).exp_m1()
}

/// By halving on the scale of the logit, where both ends have room: slow, and always at an end.
fn by_halving(alpha: f64, beta: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (-700.0_f64, 700.0_f64);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        // The library takes 1 - x itself, which has no digits left near 1: there the other tail is asked.
        let below = if middle <= 0.0 {
            beta_reg(alpha, beta, 1.0 / (1.0 + (-middle).exp()))
        } else {
            1.0 - beta_reg(beta, alpha, 1.0 / (1.0 + middle.exp()))
        };
        if below < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    1.0 / (1.0 + (-0.5 * (low + high)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// The twin: Simpson's rule on the density around its mode, which has no formula in common with the others.
    fn by_quadrature(alpha: f64, beta: f64, probability: f64) -> f64 {
        let n = alpha + beta;
        let (mode, deviation) = ((alpha - 1.0) / (n - 2.0), (alpha / n * (beta / n) / (n + 1.0)).sqrt());
        let density = |t: f64| {
            let (x, step) = (mode + t * deviation, t * deviation);
            if x <= 0.0 || x >= 1.0 {
                return 0.0;
            }
            ((alpha - 1.0) * (step / mode).ln_1p() + (beta - 1.0) * (-step / (1.0 - mode)).ln_1p()).exp()
        };
        let (begin, width, pieces) = (-14.0, 1e-3, 34_000);
        let area =
            |from: f64, to: f64| (to - from) / 6.0 * (density(from) + 4.0 * density(0.5 * (from + to)) + density(to));
        let at = |piece: i32| begin + width * f64::from(piece);
        let wanted = probability * (0..pieces).map(|piece| area(at(piece), at(piece + 1))).sum::<f64>();
        let (mut below, mut piece) = (0.0, 0);
        while below + area(at(piece), at(piece + 1)) < wanted {
            below += area(at(piece), at(piece + 1));
            piece += 1;
        }
        let mut t = at(piece);
        for _ in 0..4 {
            t -= (below + area(at(piece), t) - wanted) / density(t);
        }
        mode + t * deviation
    }

    #[test]
    fn much_evidence_against_quadrature() {
        for n in [1e6_f64, 1e8, 1e11, 1e13] {
            for share in [0.5, 0.3, 0.01, 2e-3, 2e-4, 1e-5] {
                // Below some draws the density at 0 is too steep for the rule.
                if share * n < 10.0 {
                    continue;
                }
                let (alpha, beta) = (share * n, (1.0 - share) * n);
                let deviation = (share * (1.0 - share) / n).sqrt();
                for probability in [0.05, 0.5, 0.95] {
                    let expected = by_quadrature(alpha, beta, probability);
                    for (found, expected) in [
                        (self::beta(alpha, beta, probability), expected),
                        (1.0 - self::beta(beta, alpha, 1.0 - probability), expected),
                    ] {
                        // What is left is the rounding of 1 - x.
                        let off = (found - expected).abs() / (deviation + 1e-10);
                        assert!(off < 1e-5, "{alpha} {beta} {probability}: {found} {expected}, off by {off:.1e}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_ways_agree_where_they_meet() {
        for (alpha, beta) in [(0.5, 9.9e5), (1.0, 9.9e5), (30.0, 9.9e5), (900.0, 9.9e5), (1100.0, 9.9e5), (5e5, 4.9e5)]
        {
            for probability in [0.05, 0.95] {
                let library = Beta::new(alpha, beta).expect("parameters").inverse_cdf(probability);
                let own = if alpha < NEARLY_NORMAL {
                    far_below(alpha, beta, probability)
                } else {
                    nearly_normal(alpha, beta, probability)
                };
                // The library is 0.2 % off at 1 and 990,000; a table has units of 1.5e-5.
                assert!((own - library).abs() < 1e-8, "{alpha} {beta}: {own} {library}");
            }
        }
        for (alpha, beta) in [(0.5, 0.5), (0.6, 12.0), (7.0, 3.0), (300.0, 0.7)] {
            for probability in [0.05, 0.95] {
                let library = Beta::new(alpha, beta).expect("parameters").inverse_cdf(probability);
                assert!((by_halving(alpha, beta, probability) - library).abs() < 1e-9, "{alpha} {beta}");
            }
        }
    }

    /// Beta(a, 1) has the distribution function x^a, Beta(1, b) has 1 - (1 - x)^b.
    #[test]
    fn known_quantiles() {
        for a in [1e-3, 0.1, 0.3, 1.0, 1e7, 1e11, 1e15] {
            for probability in [0.05, 0.95_f64] {
                let (found, expected) = (self::beta(a, 1.0, probability), probability.powf(1.0 / a));
                assert!((found - expected).abs() < 1e-9, "{a}: {found} {expected}");
                let (found, expected) = (self::beta(1.0, a, probability), -((-probability).ln_1p() / a).exp_m1());
                assert!(
                    (found - expected).abs() < 1e-9 && (found / expected - 1.0).abs() < 1e-6,
                    "{a}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn every_quantile_ends_at_once() {
        let begun = Instant::now();
        let sizes =
            [1e-6, 1e-3, 0.1, 0.49, 0.5, 1.0, 7.0, 300.0, 1e3, 1e5, 9e5, 1e6, 3e6, 1e7, 1e9, 1e11, 1e15, 1.8e19];
        for alpha in sizes {
            for beta in sizes {
                let (low, high) = (self::beta(alpha, beta, 0.05), self::beta(alpha, beta, 0.95));
                assert!((0.0..=1.0).contains(&low) && (low..=1.0).contains(&high), "{alpha} {beta}: {low} {high}");
            }
        }
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}
