//! How much less results are worth that share something, such as the opening.

use super::enough::FEWEST_DIFFERING;
use super::jackknife::{reach_of_95_percent, reach_of_95_percent_of_worth};
use super::normal::Z95;
use super::scores::clustered_mean;

/// How many times as large the variance of the mean is as that of independent values (L. Kish 1965), at least 1: so many values are
/// worth one independent value. Clusters are independent of each other. The quantile of Student's distribution for their number is
/// in it, so that 1.96 standard errors of so many fewer values are a 95 % interval. Where that cannot be estimated, from a single
/// cluster or from values that do not vary, each cluster is worth one value. Fewer than [`FEWEST_DIFFERING`] clusters agree too often by
/// chance: they are worth at most so many independent values, with that quantile. 1 where each value is a cluster of its own, and
/// without values.
///
/// ```
/// use drawish_stats::design_effect;
///
/// let values = [0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
/// assert_eq!(design_effect(&values, &[0, 1, 2, 3, 4, 5]), 1.0);
/// assert!(design_effect(&values, &[0, 0, 1, 1, 2, 2]) > 2.0);
/// ```
///
/// # Panics
///
/// If there are fewer clusters than values.
#[must_use]
pub fn design_effect(values: &[f64], clusters: &[u32]) -> f64 {
    let Some(mean) = clustered_mean(values, clusters) else { return 1.0 };
    let (count, used) = (values.len() as f64, mean.clusters as f64);
    if mean.clusters == values.len() {
        return 1.0;
    }
    let independent = values.iter().map(|value| (value - mean.mean).powi(2)).sum::<f64>() / (count * count);
    match mean.error {
        Some(error) if independent > 1e-12 => {
            let reach = error * reach_of_95_percent_of_worth(mean.worth) / Z95;
            let are_few = (mean.clusters as u64) < FEWEST_DIFFERING;
            let of_few = count / used * (reach_of_95_percent(mean.clusters) / Z95).powi(2);
            (reach * reach / independent).max(if are_few { of_few } else { 1.0 })
        }
        _ => count / used,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two openings that happen to go alike do not say that openings do not matter.
    #[test]
    fn few_clusters_are_worth_few_values() {
        let values: Vec<f64> = (0..240).map(|at| f64::from(at % 5) / 4.0).collect();
        for (clusters, least) in [(2_u32, 5000.0), (3, 380.0), (4, 150.0), (5, 1.0)] {
            let of: Vec<u32> = (0..240).map(|at| at / (240 / clusters)).collect();
            let effect = design_effect(&values, &of);
            assert!(effect >= least && effect < 1.1 * least, "{clusters}: {effect}");
        }
    }

    #[test]
    fn values_that_come_alike_are_worth_one() {
        let values: Vec<f64> = (0..600).map(|at| f64::from(at / 3 * 7 % 5) / 4.0).collect();
        let clusters: Vec<u32> = (0..600).map(|at| at / 3).collect();
        let found = design_effect(&values, &clusters);
        assert!((3.0..3.1).contains(&found), "{found}");
        // In clusters that say nothing of the values all are worth what they are.
        let mixed: Vec<u32> = (0..600).map(|at| at % 200).collect();
        let found = design_effect(&values, &mixed);
        assert!((1.0..1.3).contains(&found), "{found}");
        assert_eq!(design_effect(&[0.5; 6], &[0, 0, 0, 1, 1, 1]), 3.0);
        assert_eq!((design_effect(&[0.0, 1.0], &[4, 4]), design_effect(&[], &[])), (2.0, 1.0));
    }
}
