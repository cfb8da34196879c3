//! When estimated parameters are not to be trusted.

use thiserror::Error;

use super::counting::TooFew;
use super::{Estimate, Interval};

/// Why e(=0.75) of an estimate is not to be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum Doubt {
    /// Too few games for an interval.
    #[error("{0}")]
    TooFew(TooFew),
    /// The correction for losses leads beyond what was seen, in pawns.
    #[error("{e75:.2} pawns is above {highest:.2}, the highest evaluation seen in a game without a win")]
    Beyond {
        /// Corrected for losses.
        e75: f64,
        /// The highest peak of a game that was not won.
        highest: f64,
    },
    /// The interval says little, in pawns.
    #[error("its 90 % interval reaches from {low:.2} to {high:.2} pawns, further than a factor of {}", Doubt::WIDEST)]
    Wide {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Too many of the samples give no figure.
    #[error("it is defined in only {:.0} % of the bootstrap samples", 100.0 * .0)]
    RarelyDefined(f64),
}

impl Doubt {
    /// The largest ratio of the ends of an interval that still says something.
    pub const WIDEST: f64 = 2.0;
    /// The smallest share of bootstrap samples that must have the figure.
    pub const FEWEST_DEFINED: f64 = 0.95;
}

impl Estimate {
    /// Why the corrected e(=0.75) is not to be trusted; nothing without it.
    #[must_use]
    pub fn doubts(&self) -> Vec<Doubt> {
        let Some(e75) = self.count.e75_corrected else { return Vec::new() };
        let too_few = self.count.too_few().map(Doubt::TooFew);
        let highest = self.count.max_without_win.and_then(super::Peak::pawns);
        let beyond = highest.filter(|highest| e75 > *highest).map(|highest| Doubt::Beyond { e75, highest });
        let interval = self.intervals.and_then(|all| all.e75_corrected);
        let spread = interval.and_then(|Interval { low, high, defined }| {
            if high > Doubt::WIDEST * low {
                Some(Doubt::Wide { low, high })
            } else {
                (defined < Doubt::FEWEST_DEFINED).then_some(Doubt::RarelyDefined(defined))
            }
        });
        too_few.into_iter().chain(beyond).chain(spread).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Count, Intervals, Peak};
    use super::*;

    fn estimate(wins: u64, e75: f64, interval: Option<Interval>) -> Estimate {
        let count = Count {
            wins,
            draws: 50,
            openings_won: wins,
            openings_not_won: 50,
            e75_corrected: Some(e75),
            max_without_win: Some(Peak::Centipawns(300)),
            ..Count::default()
        };
        let intervals = interval.map(|found| Intervals { e75: None, e75_corrected: Some(found), nearest: None });
        Estimate { name: "A".to_owned(), count, intervals }
    }

    #[test]
    fn an_estimate_is_doubted_for_its_games_its_range_and_its_interval() {
        let interval = |low, high, defined| Some(Interval { low, high, defined });
        assert_eq!(estimate(20, 1.5, interval(1.2, 2.0, 1.0)).doubts(), []);
        assert_eq!(estimate(20, 1.5, None).doubts(), [], "no interval was asked for");
        let said = |estimate: Estimate| estimate.doubts().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(said(estimate(3, 1.5, None)), ["3 won and 50 not won are too few, 5 of each are needed"]);
        assert_eq!(
            said(estimate(20, 9.24, interval(0.9, 12.0, 0.9))),
            [
                "9.24 pawns is above 3.00, the highest evaluation seen in a game without a win",
                "its 90 % interval reaches from 0.90 to 12.00 pawns, further than a factor of 2"
            ]
        );
        assert_eq!(
            said(estimate(20, 1.5, interval(1.2, 2.0, 0.9))),
            ["it is defined in only 90 % of the bootstrap samples"]
        );
    }
}
