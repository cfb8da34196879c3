//! Draw rates of groups of structures: the figures by which the article of 2013 describes its table.

use drawish_core::{Scheme, StructureIndex};

use super::{jeffreys, jeffreys_worth};
use crate::counts::{Counts, Wdl};

/// Some structures taken together, with their observed draw rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// A short name, as in `symmetric`.
    pub name: &'static str,
    /// What the group holds.
    pub meaning: &'static str,
    /// Its results.
    pub results: Wdl,
    /// The share of draws with its 90 % interval (Jeffreys), each 0 to 1; `None` without results.
    pub rate: Option<(f64, f64, f64)>,
}

/// The share of draws with its 90 % interval by Jeffreys' prior Beta(1/2, 1/2), each 0 to 1; `None` without results. The interval
/// reaches to 0 without draws and to 1 without decisive games, so that it holds the share.
#[must_use]
pub fn draw_rate(results: Wdl) -> Option<(f64, f64, f64)> {
    let (low, high) = jeffreys(results);
    results.draw_rate().map(|rate| (rate, low, high))
}

/// The same with the interval of so many independent results: for results that depend on each other, as those of a game's positions do.
#[must_use]
pub fn draw_rate_worth(results: Wdl, worth: f64) -> Option<(f64, f64, f64)> {
    let (low, high) = jeffreys_worth(results, worth);
    results.draw_rate().map(|rate| (rate, low, high))
}

/// All structures; those without pawns on the files of the scheme; those with pawns of both sides on the same files,
/// but some; and the open Sicilian, White without d and Black without c. Only for schemes whose cells are files with
/// pawns: nothing for others.
#[must_use]
pub fn groups(counts: &Counts) -> Vec<Group> {
    let scheme = counts.scheme();
    if !matches!(scheme, Scheme::Bg | Scheme::Ah) {
        return Vec::new();
    }
    let all_files = scheme.describe(StructureIndex(scheme.cells() - 1)).white;
    let files = |cell| {
        let structure = scheme.describe(cell);
        (structure.white, structure.black)
    };
    let group = |name, meaning, belongs: &dyn Fn((u8, u8)) -> bool| {
        let mut results = Wdl::default();
        counts.non_empty().filter(|(cell, _)| belongs(files(*cell))).for_each(|(_, wdl)| results += wdl);
        Group { name, meaning, results, rate: draw_rate(results) }
    };
    vec![
        group("all", "all structures", &|_| true),
        group("empty", "no pawns on these files", &|files| files == (0, 0)),
        group("symmetric", "the same files for both sides, some at least", &|(white, black)| {
            white == black && white != 0
        }),
        group("open-sicilian", "all files but White's d and Black's c", &|files| {
            files == (all_files & !(1 << 3), all_files & !(1 << 2))
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty results that are worth ten have the interval of ten with the same share.
    #[test]
    fn results_that_depend_on_each_other_have_the_interval_of_fewer() {
        let results = |draws, wins, losses| Wdl { wins, draws, losses };
        let (rate, low, high) = draw_rate_worth(results(12, 20, 8), 10.0).expect("results");
        let (same, low_of_ten, high_of_ten) = draw_rate(results(3, 7, 0)).expect("results");
        assert_eq!((rate, same), (0.3, 0.3));
        assert!((low - low_of_ten).abs() < 1e-12 && (high - high_of_ten).abs() < 1e-12, "{low} {high}");
        // Quantiles of Beta(3.5, 7.5) by mpmath 1.4.
        assert!((low - 0.117_329_376_680).abs() < 1e-9 && (high - 0.558_126_766_485).abs() < 1e-9, "{low} {high}");
        assert_eq!(draw_rate_worth(results(0, 5, 5), 2.0).map(|(rate, low, _)| (rate, low)), Some((0.0, 0.0)));
        assert_eq!(draw_rate_worth(results(9, 0, 0), 2.0).map(|(rate, _, high)| (rate, high)), Some((1.0, 1.0)));
        assert_eq!(draw_rate_worth(Wdl::default(), 2.0), None);
    }

    #[test]
    fn every_group_by_hand() {
        let mut counts = Counts::new(Scheme::Bg);
        for (cell, wins, draws) in [(0, 1, 3), (65, 1, 1), (4095, 6, 2), (3963, 5, 3), (7, 7, 0)] {
            *counts.get_mut(StructureIndex(cell)) = Wdl { wins, draws, losses: 0 };
        }
        let groups = groups(&counts);
        let found: Vec<_> =
            groups.iter().map(|group| (group.name, group.results.draws, group.results.total())).collect();
        assert_eq!(found, [("all", 9, 29), ("empty", 3, 4), ("symmetric", 3, 10), ("open-sicilian", 3, 8)]);
        for group in groups {
            let (rate, low, high) = group.rate.expect("games");
            assert!(low < rate && rate < high, "{}", group.name);
        }
        assert_eq!(super::groups(&Counts::new(Scheme::BgSym)), []);
        assert!(super::groups(&Counts::new(Scheme::Ah)).iter().all(|group| group.rate.is_none()));
    }
}
