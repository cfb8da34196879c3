//! Tests that may be looked at after every pair.
//!
//! Who bets a part of their capital on each result, at odds that are fair if the expected score is at most m, gains nothing on
//! average; that the capital is ever multiplied by 20 has probability 1/20 at most (J. Ville, 1939). So the inverse of the
//! capital is a p-value that holds for every number of results from the first on, also for one that was chosen because the results looked good. A bet
//! of the size b multiplies the capital by 1 + b (score - m). (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random
//! variables by betting", 2024.) What it takes is only that scores lie between 0 and 1.

use super::elo::score_of_elo;
use super::equivalence::Equivalence;
use super::results::Results;

/// The capital is spread over so many bets, each half as bold as the one before: 1/m, at which a single result may lose all,
/// down to a 2,000th of it.
const BETS: i32 = 12;

/// The p-value of "the expected score is at most `most`", for the scores and counts given.
fn p_of_at_most(most: f64, results: &[(f64, u64)]) -> f64 {
    (-ln_capital(most, results)).exp().min(1.0)
}

/// The logarithm of the capital after these results, which began at 1.
fn ln_capital(most: f64, results: &[(f64, u64)]) -> f64 {
    // Logarithms of the capital of each bet, of which each begins with a twelfth.
    let capitals: Vec<f64> = (0..BETS)
        .map(|halvings| {
            let bet = 0.5f64.powi(halvings) / most;
            let gains = results.iter().filter(|(_, count)| *count > 0);
            gains.map(|&(score, count)| count as f64 * (bet * (score - most)).ln_1p()).sum()
        })
        .collect();
    let largest = capitals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = capitals.iter().map(|capital| (capital - largest).exp()).sum();
    largest + (sum / f64::from(BETS)).ln()
}

/// The p-values of "at most this score" and of "at least".
fn both_sides(results: &Results, most: f64, least: f64) -> (f64, f64) {
    let counts = results.counts();
    let steps = (counts.len() - 1) as f64;
    let scored: Vec<(f64, u64)> = counts.iter().zip(0..).map(|(&count, at)| (f64::from(at) / steps, count)).collect();
    let mirrored: Vec<(f64, u64)> = scored.iter().map(|&(score, count)| (1.0 - score, count)).collect();
    (p_of_at_most(most, &scored), p_of_at_most(1.0 - least, &mirrored))
}

/// The two-sided p-value of no difference for results that are looked at while the match is going on, however often.
///
/// It asks for about twice the games of [`difference_p`](super::difference_p), which holds for a number of games that was fixed
/// beforehand.
///
/// ```
/// use drawish_stats::{Pentanomial, Results, difference_p_at_any_time};
///
/// let won = |ww| Results::Pairs(Pentanomial { ww, ..Pentanomial::default() });
/// assert!(difference_p_at_any_time(&won(7)) > 0.05 && difference_p_at_any_time(&won(9)) < 0.05);
/// ```
#[must_use]
pub fn difference_p_at_any_time(results: &Results) -> f64 {
    let (more, less) = both_sides(results, 0.5, 0.5);
    (2.0 * more.min(less)).min(1.0)
}

impl Equivalence {
    /// The same for results that are looked at while the match is going on, however often; it asks for more games.
    ///
    /// # Panics
    ///
    /// If the margin is not above 0 and below 1000.
    #[must_use]
    pub fn at_any_time(results: &Results, margin: f64) -> Equivalence {
        assert!(margin > 0.0 && margin < 1000.0, "a margin lies between 0 and 1000 Elo");
        let (p_below, p_above) = both_sides(results, score_of_elo(-margin), score_of_elo(margin));
        Equivalence { margin, p_below, p_above }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pentanomial;

    fn pairs([ll, ld, wl_dd, wd, ww]: [u64; 5]) -> Results {
        Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
    }

    #[test]
    fn by_hand() {
        assert_eq!(difference_p_at_any_time(&pairs([0; 5])), 1.0);
        // The boldest bet doubles its twelfth with each won pair, the next multiplies it by 3/2, ...
        let capital = |won: i32| (0..12).map(|k| (1.0 + 0.5f64.powi(k)).powi(won)).sum::<f64>() / 12.0;
        for won in [1, 5, 20] {
            let p = difference_p_at_any_time(&pairs([0, 0, 0, 0, won as u64]));
            assert!((p - (2.0 / capital(won)).min(1.0)).abs() < 1e-12, "{won} {p}");
        }
        // All may be lost by the boldest bet, and not by the others.
        assert!(difference_p_at_any_time(&pairs([1, 0, 0, 0, 40])) < 1e-5);
        for counts in [[u64::MAX / 8; 5], [0, 0, 0, 0, u64::MAX], [u64::MAX, 0, 0, 0, 0], [0, 0, u64::MAX, 0, 0]] {
            let p = difference_p_at_any_time(&pairs(counts));
            assert!((0.0..=1.0).contains(&p), "{counts:?} {p}");
            assert!((0.0..=1.0).contains(&Equivalence::at_any_time(&pairs(counts), 3.0).p()), "{counts:?}");
        }
    }

    /// Fair in every step: the capital expected after the next result is the capital now.
    #[test]
    fn nothing_is_gained_on_average() {
        let capital = |counts: [u64; 5]| {
            let scored: Vec<(f64, u64)> =
                counts.iter().zip(0..).map(|(&count, at)| (f64::from(at) / 4.0, count)).collect();
            ln_capital(0.5, &scored).exp()
        };
        // A law with an even score: 0, 3/4 or 1.
        let law = [0.4, 0.0, 0.0, 0.4, 0.2];
        for counts in [[0; 5], [3, 0, 0, 2, 1], [1, 2, 3, 4, 5]] {
            let next: f64 = (0..5)
                .map(|at| {
                    let mut more = counts;
                    more[at] += 1;
                    law[at] * capital(more)
                })
                .sum();
            assert!((next / capital(counts) - 1.0).abs() < 1e-9, "{counts:?}");
        }
    }

    #[test]
    fn both_sides_have_the_same_p() {
        for counts in [[9, 3, 5, 1, 0], [0, 0, 0, 0, 9], [20, 40, 90, 60, 30]] {
            let mut turned = counts;
            turned.reverse();
            let (one, other) = (difference_p_at_any_time(&pairs(counts)), difference_p_at_any_time(&pairs(turned)));
            assert!((one - other).abs() < 1e-12 && one < 1.0, "{counts:?}: {one} {other}");
            let at = |counts| Equivalence::at_any_time(&pairs(counts), 20.0);
            assert!((at(counts).p_below - at(turned).p_above).abs() < 1e-12, "{counts:?}");
        }
    }
}
