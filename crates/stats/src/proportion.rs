//! Shares with their intervals.

use super::normal::Z95;

/// A share of some tries, with an interval that stays within 0 and 1 and is honest for few tries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proportion {
    /// Tries that succeeded, at most `u64::MAX`.
    pub hits: u64,
    /// All tries, at most `u64::MAX`.
    pub tries: u64,
    /// The share, 0 to 1.
    pub share: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Proportion {
    /// With the interval of Wilson (1927): all shares p with |hits/n - p| <= z sqrt(p (1 - p) / n). Tries are taken to be
    /// independent. `None` without tries.
    ///
    /// # Panics
    ///
    /// If more succeeded than were tried.
    #[must_use]
    pub fn of(hits: u64, tries: u64) -> Option<Proportion> {
        Proportion::worth(hits, tries, hits as f64 / tries as f64, tries as f64)
    }

    /// The same where tries are independent between clusters only: each item is the hits and tries of a cluster, and how many
    /// clusters there are of these. The interval is that of so many independent tries as vary as much, but never of more than
    /// there are tries; of a single cluster, and where all or no tries succeeded, as many as there are clusters.
    ///
    /// # Panics
    ///
    /// If more succeeded than were tried.
    #[must_use]
    pub fn of_clusters(clusters: impl Iterator<Item = (u64, u64, u64)> + Clone) -> Option<Proportion> {
        let sum = |of: fn((u64, u64, u64)) -> f64| clusters.clone().map(of).sum::<f64>();
        let count_of = |of: fn((u64, u64, u64)) -> u64| clusters.clone().map(of).fold(0, u64::saturating_add);
        let hits = count_of(|(hits, _, times)| hits.saturating_mul(times));
        let tries = count_of(|(_, tries, times)| tries.saturating_mul(times));
        let all = sum(|(_, tries, times)| tries as f64 * times as f64);
        let share = sum(|(hits, _, times)| hits as f64 * times as f64) / all;
        let count = sum(|(_, tries, times)| if tries > 0 { times as f64 } else { 0.0 });
        let residual = |hits: u64, tries: u64| hits as f64 - share * tries as f64;
        let squares = clusters.map(|(hits, tries, times)| residual(hits, tries).powi(2) * times as f64).sum();
        Proportion::worth(hits, tries, share, independent_tries(share, all, count, squares))
    }

    /// With the interval of `n` independent tries.
    fn worth(hits: u64, tries: u64, share: f64, n: f64) -> Option<Proportion> {
        assert!(hits <= tries, "{hits} of {tries}");
        if tries == 0 {
            return None;
        }
        let (low, high) = interval_of_share(share, n, Z95);
        Some(Proportion { hits, tries, share, low, high })
    }
}

/// Wilson's interval of a share in `n` independent tries that reaches `z` standard errors.
pub(super) fn interval_of_share(share: f64, n: f64, z: f64) -> (f64, f64) {
    let z2 = z * z;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// So many independent tries vary as much as `tries` of `clusters` do, but never more than there are: by the share of hits in all
/// and the sum over clusters of their squared residuals, hits less the share of their tries. Of a single cluster, and where all or no
/// tries succeeded, as many as there are clusters.
#[must_use]
pub fn independent_tries(share: f64, tries: f64, clusters: f64, squares: f64) -> f64 {
    tries_worth(share, tries, clusters, squares, 1.0)
}

/// The same, but up to `most` times as many as there are: scores with draws vary less than hits do.
pub(super) fn tries_worth(share: f64, tries: f64, clusters: f64, squares: f64, most: f64) -> f64 {
    let independent = share * (1.0 - share) * tries;
    if clusters < 2.0 || independent <= 0.0 {
        return clusters;
    }
    tries * (independent / (squares * clusters / (clusters - 1.0))).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_intervals() {
        // R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
        for (hits, tries, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = Proportion::of(hits, tries).expect("tries");
            assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:?}");
        }
        let all = Proportion::of(20, 20).expect("tries");
        assert_eq!((all.share, all.high), (1.0, 1.0));
        assert_eq!(Proportion::of(0, 0), None);
    }

    #[test]
    fn counts_beyond_the_largest_number_are_finite() {
        let all = Proportion::of_clusters([(1, 2, u64::MAX), (2, 2, u64::MAX)].into_iter()).expect("tries");
        assert_eq!((all.hits, all.tries, all.share), (u64::MAX, u64::MAX, 0.75));
        assert!(all.low <= 0.75 && 0.75 <= all.high && all.high - all.low < 1e-6, "{all:?}");
    }

    #[test]
    fn tries_that_come_together_are_worth_less() {
        let alone = Proportion::of(30, 100).expect("tries");
        // Pairs of which both or none succeed: half as many are independent.
        let twins = Proportion::of_clusters([(2, 2, 30), (0, 2, 70)].into_iter()).expect("tries");
        assert_eq!((twins.hits, twins.tries), (60, 200));
        assert!((twins.low - alone.low).abs() < 2e-3 && (twins.high - alone.high).abs() < 2e-3, "{twins:?}");
        // Clusters of one, and pairs in which one try says nothing about the other.
        let singles = Proportion::of_clusters([(1, 1, 30), (0, 1, 70)].into_iter()).expect("tries");
        assert!((singles.low - alone.low).abs() < 2e-3, "{singles:?}");
        let free = Proportion::of_clusters([(2, 2, 25), (1, 2, 50), (0, 2, 25)].into_iter()).expect("tries");
        let same = Proportion::of(100, 200).expect("tries");
        assert!((free.low - same.low).abs() < 1e-3, "{free:?}");
        let all = Proportion::of_clusters([(2, 2, 10)].into_iter()).expect("tries");
        assert_eq!(all.low, Proportion::of(10, 10).expect("tries").low);
        assert_eq!(Proportion::of_clusters([].into_iter()), None);
    }

    /// A hundred pairs of which half succeed and half fail: 200 tries vary as much as 99 independent ones, one being spent on the mean.
    #[test]
    fn independent_tries_by_hand() {
        assert!((independent_tries(0.5, 200.0, 100.0, 100.0) - 99.0).abs() < 1e-9);
        // Each cluster with one hit of two: no more than there are.
        assert_eq!(independent_tries(0.5, 200.0, 100.0, 0.0), 200.0);
        assert_eq!((independent_tries(0.5, 8.0, 1.0, 3.0), independent_tries(1.0, 8.0, 4.0, 0.0)), (1.0, 4.0));
    }
}
