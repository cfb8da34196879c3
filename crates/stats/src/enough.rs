//! Whether results are enough for a figure, and if not, why.

use thiserror::Error;

use super::numbers::grouped;
use super::results::Results;

/// So many results must differ from the most common one before a variance is estimated from them.
///
/// Below this the interval after a stop misses the truth too often in `examples/coverage.rs`.
pub const FEWEST_DIFFERING: u64 = 5;

/// So many clusters of results, be it games, openings or events, tell how much clusters differ: with fewer a standard error or a
/// bootstrap over them is itself too uncertain to be read as one.
pub const FEWEST_EVENTS: usize = 10;

/// Clusters of unequal size must be [worth](crate::Mean::worth) so many of equal size: where one holds half of all results, a hundred small
/// ones beside it hardly say how much clusters differ.
pub const LEAST_WORTH: f64 = 5.0;

/// So many clusters of equal size are worth as much as clusters of these sizes: 1 / sum of the squared shares that each has of all (Kish
/// 1965). Sizes of 0 change nothing; NaN if there is no other.
#[must_use]
pub fn worth(sizes: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, squares) = sizes.into_iter().fold((0.0, 0.0), |(sum, squares), n| (sum + n, squares + n * n));
    sum * sum / squares
}

/// Whether so many clusters, [worth](worth()) so many of equal size, tell how much clusters differ: [`FEWEST_EVENTS`], worth
/// [`LEAST_WORTH`].
#[must_use]
pub fn are_enough(clusters: usize, worth: f64) -> bool {
    clusters >= FEWEST_EVENTS && worth >= LEAST_WORTH
}

/// How many values differ from the most common one; values within 1e-9 of the next are the same.
#[must_use]
pub fn differing(mut values: Vec<f64>) -> u64 {
    values.sort_by(f64::total_cmp);
    let most = values.chunk_by(|one, next| next - one < 1e-9).map(<[f64]>::len).max().unwrap_or(0);
    (values.len() - most) as u64
}

/// Why a figure is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoFigure {
    /// Nothing was played.
    #[error("no game has been counted")]
    NoResults,
    /// Every result is the same, so they say nothing about how much results vary.
    #[error("{}", alike(*.count, *.pairs))]
    AllAlike {
        /// Results.
        count: u64,
        /// Whether they are pairs of games, else single games.
        pairs: bool,
    },
    /// Too few results differ from the most common one to estimate how much results vary.
    #[error(
        "only {differing} of {} {} differ from the most common result, {FEWEST_DIFFERING} are needed",
        grouped(*.count),
        named(*.pairs)
    )]
    FewDiffer {
        /// Results other than the most common.
        differing: u64,
        /// All results.
        count: u64,
        /// Whether they are pairs of games, else single games.
        pairs: bool,
    },
    /// The log-likelihood ratio lies so far beyond a bound that the test would have stopped long before.
    #[error("the LLR is far beyond its bound, so this match was not stopped by this test")]
    FarBeyond,
    /// The games ended with the decision of another test, for whose stop nothing is known to correct.
    #[error(
        "another test, the one named with these games, was decided within them, and nothing corrects for two: judge them by that one"
    )]
    OtherStop,
    /// The source says that a test has stopped the games, and the one that judges them is not decided: it is another.
    #[error(
        "a test has stopped these games, as their source says, and this one is not decided by them: its scale (--model), its bounds or its \
         formula is not that one's"
    )]
    UnnamedStop,
    /// The log-likelihood ratio that a runner printed beside results is not that of these results.
    #[error("the LLR printed with these results is not the one found here, so where a test stopped them is not known")]
    OtherRatio,
    /// Games that are not one match from its beginning, in the order in which they were played.
    #[error(
        "these games are not one match from its first pair in the order of play, so where a test stopped them is not known"
    )]
    OrderUnknown,
}

const fn named(pairs: bool) -> &'static str {
    if pairs { "pairs" } else { "games" }
}

fn alike(count: u64, pairs: bool) -> String {
    match (count, pairs) {
        (1, true) => "one pair does not say how much pairs vary".to_owned(),
        (1, false) => "one game does not say how much games vary".to_owned(),
        _ => format!("all {} {} ended alike", grouped(count), named(pairs)),
    }
}

/// Why the spread of these results cannot be estimated; `None` if it can.
pub(super) fn too_few(results: &Results) -> Option<NoFigure> {
    let counts = results.counts();
    let pairs = matches!(results, Results::Pairs(_));
    let most = counts.iter().copied().max().unwrap_or(0);
    let count = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
    match count - most {
        _ if count == 0 => Some(NoFigure::NoResults),
        0 => Some(NoFigure::AllAlike { count, pairs }),
        differing if differing < FEWEST_DIFFERING => Some(NoFigure::FewDiffer { differing, count, pairs }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    #[test]
    fn reasons_in_words() {
        let why = |ll, ld, wl_dd, wd, ww| {
            too_few(&Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })).map(|why| why.to_string())
        };
        assert_eq!(why(0, 0, 0, 0, 0).as_deref(), Some("no game has been counted"));
        assert_eq!(why(0, 0, 0, 1, 0).as_deref(), Some("one pair does not say how much pairs vary"));
        let game = Results::Games(Trinomial { losses: 0, draws: 0, wins: 1 });
        let said = too_few(&game).map(|why| why.to_string());
        assert_eq!(said.as_deref(), Some("one game does not say how much games vary"));
        assert_eq!(why(0, 0, 22, 0, 0).as_deref(), Some("all 22 pairs ended alike"));
        assert_eq!(
            why(0, 1, 99, 0, 0).as_deref(),
            Some("only 1 of 100 pairs differ from the most common result, 5 are needed")
        );
        assert_eq!(why(0, 0, 0, 0, 1).as_deref(), Some("one pair does not say how much pairs vary"));
        assert_eq!(why(0, 3, 90, 2, 0), None);
        let games = Results::Games(Trinomial { wins: 3, draws: 0, losses: 0 });
        assert_eq!(too_few(&games).map(|why| why.to_string()).as_deref(), Some("all 3 games ended alike"));
        assert_eq!(why(u64::MAX, 0, 0, 0, 0).as_deref(), Some("all 18,446,744,073,709,551,615 pairs ended alike"));
    }
}
