//! The jackknife: standard errors by leaving out one block of games after another.
//!
//! Positions of a game share its result, so that errors from counts of positions would be several times too small; games
//! are independent of each other, or nearly so. With n blocks and the estimates e_k without block k,
//!
//! ```text
//! SE² = (n - 1)/n · Σ (e_k - mean)²
//! ```
//!
//! and intervals reach t standard errors to each side, t from Student's distribution with n - 1 degrees of freedom.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::normal;

/// Standard errors of several values by the jackknife, from their estimates without each block; `None` with fewer than two
/// blocks.
///
/// # Panics
///
/// If the estimates are not all of as many values.
#[must_use]
pub fn jackknife_errors(estimates: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = estimates.len() as f64;
    let values = estimates.first()?.len();
    (estimates.len() > 1).then(|| {
        (0..values)
            .map(|value| {
                let mean = estimates.iter().map(|estimate| estimate[value]).sum::<f64>() / n;
                let squares: f64 = estimates.iter().map(|estimate| (estimate[value] - mean).powi(2)).sum();
                ((n - 1.0) / n * squares).sqrt()
            })
            .collect()
    })
}

/// How many standard errors a two-sided interval of 95 % reaches to each side, where the error is by the jackknife of this
/// many blocks, at least 2: from 12.7 for two blocks down to 1.96.
#[must_use]
pub fn reach_of_95_percent(blocks: usize) -> f64 {
    reach(blocks, 0.975)
}

/// The same for an interval of 90 %: from 6.31 down to 1.64.
#[must_use]
pub fn reach_of_90_percent(blocks: usize) -> f64 {
    reach(blocks, 0.95)
}

/// The same as [`reach_of_95_percent`] for blocks of unequal size that are worth so many of equal size; of less than two as of two.
#[must_use]
pub fn reach_of_95_percent_of_worth(blocks: f64) -> f64 {
    quantile_of(blocks - 1.0, 0.975)
}

/// The same as [`reach_of_90_percent`] for blocks of unequal size that are worth so many of equal size; of less than two as of two.
#[must_use]
pub fn reach_of_90_percent_of_worth(blocks: f64) -> f64 {
    quantile_of(blocks - 1.0, 0.95)
}

fn reach(blocks: usize, quantile: f64) -> f64 {
    quantile_of(freedom(blocks), quantile)
}

/// The probability that a value so many standard errors above its mean, or a smaller one, is found, the error being from this many blocks, at
/// least 2.
pub(super) fn cdf_of_blocks(errors: f64, blocks: usize) -> f64 {
    student_of(freedom(blocks)).map_or_else(|| normal::cdf(errors), |student| student.cdf(errors))
}

fn freedom(blocks: usize) -> f64 {
    (blocks.max(2) - 1) as f64
}

fn quantile_of(freedom: f64, quantile: f64) -> f64 {
    student_of(freedom).map_or_else(|| normal::quantile(quantile), |student| student.inverse_cdf(quantile))
}

/// From so many degrees of freedom on Student's distribution is the normal one, to 1 in 80,000 of its quantiles. Those of `statrs` are less
/// exact for a million, and for 50 million their search never ends.
const MANY: f64 = 100_000.0;

/// Of at least one degree of freedom; `None` where it is the normal distribution.
fn student_of(freedom: f64) -> Option<StudentsT> {
    let is_normal = freedom >= MANY;
    (!is_normal).then(|| StudentsT::new(0.0, 1.0, freedom.max(1.0)).expect("at least one degree of freedom"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_mean_it_is_the_textbook_error() {
        let data = [3.0, 5.0, 8.0, 1.0, 4.0, 9.0, 2.0, 6.0];
        let n = data.len() as f64;
        let sum: f64 = data.iter().sum();
        let without: Vec<Vec<f64>> = data.iter().map(|x| vec![(sum - x) / (n - 1.0)]).collect();
        let variance = data.iter().map(|x| (x - sum / n).powi(2)).sum::<f64>() / (n - 1.0);
        let error = jackknife_errors(&without).expect("blocks")[0];
        assert!((error - (variance / n).sqrt()).abs() < 1e-12);
        assert_eq!(jackknife_errors(&without[..1]), None);
        assert!((reach_of_95_percent(32) - 2.0395).abs() < 1e-4);
        assert!((reach_of_90_percent(2) - 6.3138).abs() < 1e-4 && (reach_of_90_percent(100) - 1.6604).abs() < 1e-4);
        assert_eq!(reach_of_90_percent_of_worth(7.0), reach_of_90_percent(7));
    }

    /// The quantile of 50 million blocks was searched for without an end.
    #[test]
    fn of_many_blocks_it_is_that_of_the_normal_law() {
        for blocks in [99_999, 100_001, 1_000_001, 50_000_000, 99_999_999, 2_000_000_000, usize::MAX] {
            let near = |found: f64, normal: f64| assert!((found / normal - 1.0).abs() < 2e-5, "{blocks}: {found}");
            near(reach_of_95_percent(blocks), 1.959_964);
            near(reach_of_90_percent(blocks), 1.644_854);
            near(reach_of_95_percent_of_worth(blocks as f64 - 0.5), 1.959_964);
            near(reach_of_90_percent_of_worth(blocks as f64 - 0.5), 1.644_854);
            near(cdf_of_blocks(1.644_854, blocks), 0.95);
        }
        assert_eq!(reach_of_95_percent_of_worth(f64::INFINITY), reach_of_95_percent(usize::MAX));
        // Of nothing it is that of two.
        assert_eq!(reach_of_95_percent_of_worth(f64::NAN), reach_of_95_percent(2));
    }
}
