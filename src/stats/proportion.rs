//! Shares with their intervals.

use super::normal::Z95;

/// A share of some tries, with an interval that stays within 0 and 1 and is honest for few tries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proportion {
    /// Tries that succeeded.
    pub hits: u64,
    /// All tries.
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
        assert!(hits <= tries, "{hits} of {tries}");
        if tries == 0 {
            return None;
        }
        let n = tries as f64;
        let share = hits as f64 / n;
        let z2 = Z95 * Z95;
        let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
        Some(Proportion { hits, tries, share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
    }
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
}
