//! From counts to draw probabilities with intervals.
//!
//! A cell with few games says little by itself. On held-out games the raw table of 4,096 rates is worse than one
//! constant; what makes it better is to pull every cell towards the mean of all cells, the more so the fewer
//! games it has, by as much as the spread between cells calls for: empirical Bayes. Structures that differ only
//! by the colours or by left and right can share their games.

mod beta_binomial;
mod cautious;
mod groups;
mod quantile;

use std::collections::BTreeSet;

use drawish_core::{DrawTable, Scheme, StructureIndex};
use drawish_stats::numbers::counted;
use thiserror::Error;

pub use beta_binomial::BetaPrior;
pub(crate) use beta_binomial::MAX_STRENGTH;
pub use groups::{Group, draw_rate, draw_rate_worth, groups};

use self::cautious::Cautious;
use crate::counts::{Counts, Wdl};

/// How a draw probability is made from k draws in n games of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimator {
    /// k / n, and the base where n = 0; the interval by Jeffreys' prior Beta(1/2, 1/2), which reaches to 0 where k = 0 and to 1
    /// where k = n, so that it holds k / n.
    Raw,
    /// (k + 1) / (n + 2), the mean under the uniform prior Beta(1, 1).
    Laplace,
    /// (k + mu K) / (n + K) with mu and K by maximum likelihood of the beta-binomial over all cells with games.
    EmpiricalBayes,
    /// The same for classes of structures under colour swap and file mirror, with the games of the whole class.
    EmpiricalBayesSymmetric,
}

impl Estimator {
    /// All, in the order of their numbers in table files.
    pub const ALL: [Estimator; 4] =
        [Estimator::Raw, Estimator::Laplace, Estimator::EmpiricalBayes, Estimator::EmpiricalBayesSymmetric];

    /// The name on the command line and in provenance.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Estimator::Raw => "raw",
            Estimator::Laplace => "laplace",
            Estimator::EmpiricalBayes => "eb",
            Estimator::EmpiricalBayesSymmetric => "eb-sym",
        }
    }

    /// What it does, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Estimator::Raw => "Draws / games; the base where there are none",
            Estimator::Laplace => "(draws + 1) / (games + 2)",
            Estimator::EmpiricalBayes => {
                "Empirical Bayes: rates shrunk towards their mean by an amount estimated from the spread between cells"
            }
            Estimator::EmpiricalBayesSymmetric => {
                "The same, pooling structures that are each other's colour swap or mirror image"
            }
        }
    }

    /// The number in table files.
    #[must_use]
    pub const fn id(self) -> u16 {
        self as u16
    }

    /// The estimator with this number in table files.
    #[must_use]
    pub fn from_id(id: u16) -> Option<Estimator> {
        Estimator::ALL.get(usize::from(id)).copied()
    }
}

/// The estimate for one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The draw probability, above 0 and below 1 except by the raw estimator.
    pub probability: f64,
    /// Lower end of the 90 % credible interval, never above the probability: the 5 % quantile of the posterior. Where the games leave
    /// open whether structures differ at all, it also holds the interval by the weakest prior that they allow, with the error of its
    /// mean.
    pub low: f64,
    /// Upper end, never below the probability: the 95 % quantile.
    pub high: f64,
    /// Results counted in the cell itself.
    pub own: u64,
    /// Results that the estimate rests on: more than `own` where a class shares its games.
    pub pooled: u64,
}

/// Estimates for all cells of a scheme.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimates {
    /// The scheme of the cells.
    pub scheme: Scheme,
    /// How they were made.
    pub estimator: Estimator,
    /// The draw rate of all results together, above 0 and below 1.
    pub base: f64,
    /// All results.
    pub positions: u64,
    /// The prior of the cells, if the estimator fits one.
    pub prior: Option<BetaPrior>,
    /// To how many cells with games the prior was fitted: classes of cells where the estimator pools them; 0 without a prior.
    pub fitted_to: usize,
    /// Whether the differences between structures can be chance alone: a spread of 0 is not excluded at 5 %.
    pub by_chance: bool,
    /// One for each cell.
    pub cells: Vec<Estimate>,
}

impl Estimates {
    /// To what the prior was fitted, as in `1,204 structures with games, each by itself`; `None` without a prior.
    #[must_use]
    pub fn basis(&self) -> Option<String> {
        let count = |noun| counted(self.fitted_to as u64, noun);
        self.prior.map(|_| match self.estimator {
            Estimator::EmpiricalBayesSymmetric => {
                let classes = count("class");
                format!("{classes} of structures with games, each a structure with its colour swap and mirror images")
            }
            _ => format!("{} with games, each by itself", count("structure")),
        })
    }

    /// What must be known before one structure is called more drawish than another; `None` where nothing speaks against it.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let by_chance = self.by_chance.then_some(
            "these games hardly tell structures apart: that all have the same draw rate is not excluded (at 5 %), so the intervals rest \
             on the widest spread that the games allow; collect more games",
        );
        self.prior.and_then(|prior| prior.remark()).or(by_chance)
    }

    /// The cells with games from the most to the least drawish, one of each class under colour swap and mirror.
    #[must_use]
    pub fn by_drawishness(&self) -> Vec<(StructureIndex, &Estimate)> {
        let mut classes = BTreeSet::new();
        let mut cells: Vec<_> = (0..)
            .map(StructureIndex)
            .zip(&self.cells)
            .filter(|(index, cell)| cell.own > 0 && classes.insert(self.scheme.canonical(*index)))
            .collect();
        cells.sort_by(|(_, one), (_, other)| other.probability.total_cmp(&one.probability));
        cells
    }
}

/// Why no probabilities can be estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SmoothError {
    /// Nothing was counted.
    #[error("no game was counted, so there is nothing to estimate")]
    Empty,
    /// There is no contrast to estimate.
    #[error("of {games} results {draws} are draws: a table needs draws and decisive games; collect from more games")]
    OneClass {
        /// All results.
        games: u64,
        /// Draws among them.
        draws: u64,
    },
}

/// Estimates the draw probability of every cell.
///
/// # Errors
///
/// If there are no results, or all are draws, or none is.
pub fn estimate(counts: &Counts, estimator: Estimator) -> Result<Estimates, SmoothError> {
    let total = counts.total();
    let base = total.draw_rate().ok_or(SmoothError::Empty)?;
    if total.draws == 0 || total.draws == total.total() {
        return Err(SmoothError::OneClass { games: total.total(), draws: total.draws });
    }
    let scheme = counts.scheme();
    let pooled = match estimator {
        Estimator::EmpiricalBayesSymmetric => pool_classes(counts),
        Estimator::Raw | Estimator::Laplace | Estimator::EmpiricalBayes => counts.clone(),
    };
    let fitted = matches!(estimator, Estimator::EmpiricalBayes | Estimator::EmpiricalBayesSymmetric);
    // The members of a class hold the same games: each class speaks once, through its smallest member.
    let speaks = |cell| estimator == Estimator::EmpiricalBayes || scheme.canonical(cell) == cell;
    let speaking = || pooled.non_empty().filter(|&(cell, _)| speaks(cell));
    let prior = fitted.then(|| BetaPrior::fit(speaking().map(|(_, wdl)| (wdl.draws, wdl.total()))));
    let cautious = prior.and_then(|prior| Cautious::of(prior, speaking().map(|(_, wdl)| (wdl.draws, wdl.total()))));
    let fitted_to = if fitted { speaking().count() } else { 0 };
    let cells = counts
        .iter()
        .map(|(cell, own)| {
            let evidence = pooled.get(cell);
            let (probability, (low, high)) = if estimator == Estimator::Raw {
                (evidence.draw_rate().unwrap_or(base), jeffreys(evidence))
            } else {
                smoothed(prior, cautious, evidence)
            };
            // The mean of a posterior that is as good as sure of 0 or 1 can lie beyond its quantiles.
            let (low, high) = (low.min(probability), high.max(probability));
            Estimate { probability, low, high, own: own.total(), pooled: evidence.total() }
        })
        .collect();
    Ok(Estimates {
        scheme,
        estimator,
        base,
        positions: total.total(),
        prior,
        fitted_to,
        by_chance: cautious.is_some(),
        cells,
    })
}

/// What must be known before one structure of a table is called more drawish than another, as far as the table says it: that no
/// interval leaves out the base, or, where intervals were left out, that no probability differs from it by half a point. `None` for
/// a table whose estimator fits no prior.
#[must_use]
pub fn remark_of_table(table: &DrawTable<'_>) -> Option<&'static str> {
    let fitted = [Estimator::EmpiricalBayes, Estimator::EmpiricalBayesSymmetric];
    let base = table.base();
    let near = |cell| match table.evidence(cell) {
        Some(evidence) => evidence.low <= base && base <= evidence.high,
        None => table.get(cell).is_none_or(|cell| (cell.probability.to_f64() - base.to_f64()).abs() < 0.005),
    };
    let is_fitted = Estimator::from_id(table.estimator()).is_some_and(|estimator| fitted.contains(&estimator));
    let is_flat = is_fitted && (0..table.scheme().cells()).map(StructureIndex).all(near);
    is_flat.then_some(if table.has_evidence() {
        "this table does not tell structures apart: no interval leaves out the base rate; make it of more games"
    } else {
        "this table does not tell structures apart: all probabilities lie within half a point of the base rate; make it of more games"
    })
}

/// Gives every cell the results of its whole class under colour swap and file mirror.
fn pool_classes(counts: &Counts) -> Counts {
    let scheme = counts.scheme();
    let mut by_class = Counts::new(scheme);
    for (cell, wdl) in counts.non_empty() {
        *by_class.get_mut(scheme.canonical(cell)) += wdl;
    }
    let mut pooled = Counts::new(scheme);
    for cell in (0..scheme.cells()).map(StructureIndex) {
        *pooled.get_mut(cell) = by_class.get(scheme.canonical(cell));
    }
    pooled
}

/// The draw probability of a cell by a prior, the uniform one without it, with the 90 % interval.
fn smoothed(prior: Option<BetaPrior>, cautious: Option<Cautious>, evidence: Wdl) -> (f64, (f64, f64)) {
    let (alpha, beta) = prior.map_or((1.0, 1.0), |prior| (prior.alpha(), prior.beta()));
    let (alpha, beta) = posterior(alpha, beta, evidence);
    let (low, high) = interval(alpha, beta);
    let cautious = cautious.map(|cautious| cautious.posterior(evidence.draws, evidence.total()));
    // Of all priors that the games allow, the fitted one draws a cell the most towards the mean, this one the least.
    let wide = cautious.map_or((low, high), |(alpha, beta)| interval(alpha, beta));
    (alpha / (alpha + beta), (low.min(wide.0), high.max(wide.1)))
}

fn posterior(alpha: f64, beta: f64, evidence: Wdl) -> (f64, f64) {
    (alpha + evidence.draws as f64, beta + (evidence.total() - evidence.draws) as f64)
}

/// The 5 % and the 95 % quantile of Beta(alpha, beta).
fn interval(alpha: f64, beta: f64) -> (f64, f64) {
    (quantile::beta(alpha, beta, 0.05), quantile::beta(alpha, beta, 0.95))
}

/// The 90 % interval of a draw rate by Jeffreys' prior Beta(1/2, 1/2), which reaches to 0 without draws and to 1 without decisive
/// games: the quantiles alone would leave out a rate of 0 or 1 (Brown, Cai and DasGupta 2001, section 4.1.2).
fn jeffreys(results: Wdl) -> (f64, f64) {
    jeffreys_worth(results, results.total() as f64)
}

/// The same with the interval of so many independent results.
fn jeffreys_worth(results: Wdl, worth: f64) -> (f64, f64) {
    let of_each = if results.total() == 0 { 0.0 } else { worth / results.total() as f64 };
    let (low, high) =
        interval(0.5 + results.draws as f64 * of_each, 0.5 + (results.total() - results.draws) as f64 * of_each);
    (if results.draws == 0 { 0.0 } else { low }, if results.draws == results.total() { 1.0 } else { high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(scheme: Scheme, cells: &[(u32, u64, u64)]) -> Counts {
        let mut counts = Counts::new(scheme);
        for &(cell, draws, total) in cells {
            *counts.get_mut(StructureIndex(cell)) = Wdl { wins: total - draws, draws, losses: 0 };
        }
        counts
    }

    #[test]
    fn raw_and_laplace_by_hand() {
        let counts = counts(Scheme::Bg, &[(0, 3, 4), (1, 1, 6)]);
        let raw = estimate(&counts, Estimator::Raw).unwrap();
        assert_eq!(raw.base, 0.4);
        assert_eq!(
            (raw.cells[0].probability, raw.cells[1].probability, raw.cells[2].probability),
            (0.75, 1.0 / 6.0, 0.4)
        );
        let laplace = estimate(&counts, Estimator::Laplace).unwrap();
        assert_eq!((laplace.cells[0].probability, laplace.cells[2].probability), (4.0 / 6.0, 0.5));
        assert_eq!((laplace.cells[0].own, laplace.cells[2].own), (4, 0));
        // The quantiles of Beta(4, 2): I_x(4, 2) = 5x^4 - 4x^5.
        let cdf = |x: f64| 5.0 * x.powi(4) - 4.0 * x.powi(5);
        assert!((cdf(laplace.cells[0].low) - 0.05).abs() < 1e-9);
        assert!((cdf(laplace.cells[0].high) - 0.95).abs() < 1e-9);
    }

    #[test]
    fn a_class_shares_its_games_and_speaks_once() {
        // Cell 1 (white b) with its mirror 32, its colour swap 64 and both, 2048.
        let counts =
            counts(Scheme::Bg, &[(1, 10, 20), (32, 0, 10), (64, 5, 10), (2048, 5, 10), (0, 90, 100), (4095, 300, 900)]);
        let pooled = estimate(&counts, Estimator::EmpiricalBayesSymmetric).unwrap();
        let prior = pooled.prior.unwrap();
        for cell in [1, 32, 64, 2048] {
            let estimate = pooled.cells[cell];
            assert_eq!(estimate.pooled, 50);
            assert!((estimate.probability - (20.0 + prior.alpha()) / (50.0 + prior.strength)).abs() < 1e-12);
        }
        assert_eq!(pooled.cells[32].own, 10);
        assert_eq!(prior, BetaPrior::fit([(20, 50), (90, 100), (300, 900)].into_iter()));
        let symmetric = estimate(&counts_of_classes(&counts), Estimator::EmpiricalBayes).unwrap();
        assert!((symmetric.prior.unwrap().mean - prior.mean).abs() < 1e-12);
    }

    /// The same games by the scheme that knows only classes.
    fn counts_of_classes(counts: &Counts) -> Counts {
        let mut classes = Counts::new(Scheme::BgSym);
        for (cell, wdl) in counts.non_empty() {
            let files = Scheme::Bg.describe(cell);
            let pawns = drawish_core::Pawns { white: u64::from(files.white) << 8, black: u64::from(files.black) << 48 };
            *classes.get_mut(Scheme::BgSym.index(pawns)) += wdl;
        }
        classes
    }

    #[test]
    fn an_estimate_lies_between_the_rate_and_the_mean_and_within_its_interval() {
        let cells: Vec<_> =
            (0..300).map(|cell| (cell, u64::from(cell % 7), u64::from(cell % 7 + cell % 11 + 1))).collect();
        let counts = counts(Scheme::Bg, &cells);
        let estimates = estimate(&counts, Estimator::EmpiricalBayes).unwrap();
        let mean = estimates.prior.unwrap().mean;
        for (cell, wdl) in counts.iter() {
            let Estimate { probability, low, high, .. } = estimates.cells[cell.0 as usize];
            assert!(low < probability && probability < high);
            let rate = wdl.draw_rate().unwrap_or(mean);
            assert!(probability >= rate.min(mean) - 1e-12 && probability <= rate.max(mean) + 1e-12);
        }
    }

    /// Every number of draws in up to three games, beside structures with many.
    #[test]
    fn intervals_of_few_games_hold_their_estimate() {
        let mut cells = vec![(4000, 300, 1000), (4001, 1, 1000), (4002, 999, 1000)];
        let few = (0..=3).flat_map(|games| (0..=games).map(move |draws| (draws, games)));
        cells.extend(few.clone().zip(100..).map(|((draws, games), cell)| (cell, draws, games)));
        let counts = counts(Scheme::Bg, &cells);
        for estimator in Estimator::ALL {
            let estimates = estimate(&counts, estimator).unwrap();
            for ((draws, games), cell) in few.clone().zip(100_usize..) {
                let Estimate { probability, low, high, .. } = estimates.cells[cell];
                assert!(
                    low <= probability && probability <= high,
                    "{estimator:?} {draws} of {games}: {probability} {low} {high}"
                );
                let wdl = Wdl { wins: games - draws, draws, losses: 0 };
                let shown = draw_rate(wdl).map(|(rate, low, high)| low <= rate && rate <= high && low < high);
                assert_eq!(shown, (games > 0).then_some(true), "{draws} of {games}");
            }
        }
        let raw = estimate(&counts, Estimator::Raw).unwrap();
        assert_eq!((raw.cells[100].low, raw.cells[100].high), (0.0, 1.0), "nothing is known without games");
        // All and none of two games: the other end is that of Jeffreys' prior.
        assert_eq!((raw.cells[103].low, raw.cells[105].high), (0.0, 1.0));
        assert!((raw.cells[103].high - interval(0.5, 2.5).1).abs() < 1e-12);
        // Draws so rare that the mean of the prior lies beyond its 95 % quantile.
        let rare = super::tests::counts(Scheme::Bg, &[(0, 1, 200), (1, 0, 200), (2, 0, 1), (3, 1, 1), (4, 0, 100_000)]);
        for estimator in Estimator::ALL {
            let rare = estimate(&rare, estimator).unwrap();
            assert!(rare.cells.iter().all(|cell| cell.low <= cell.probability && cell.probability <= cell.high));
        }
    }

    #[test]
    fn the_prior_says_to_what_it_was_fitted() {
        let counts = counts(Scheme::Bg, &[(1, 10, 20), (32, 0, 10), (64, 5, 10), (0, 90, 100), (4095, 300, 900)]);
        let basis = |estimator| estimate(&counts, estimator).unwrap().basis();
        assert_eq!(basis(Estimator::Raw), None);
        assert_eq!(basis(Estimator::EmpiricalBayes).as_deref(), Some("5 structures with games, each by itself"));
        let pooled = basis(Estimator::EmpiricalBayesSymmetric).unwrap();
        assert!(pooled.starts_with("3 classes of structures with games, each a structure with"), "{pooled}");
    }

    #[test]
    fn cells_of_any_size_have_estimates() {
        let counts = counts(
            Scheme::Bg,
            &[(0, 30_000_000_000, 100_000_000_000), (1, 100_000_000_000, 100_000_000_000), (2, 0, 1 << 62), (3, 7, 20)],
        );
        for estimator in Estimator::ALL {
            for Estimate { probability, low, high, .. } in estimate(&counts, estimator).unwrap().cells {
                assert!(
                    (0.0..=1.0).contains(&probability) && 0.0 <= low && low <= high && high <= 1.0,
                    "{estimator:?}"
                );
            }
        }
        let raw = estimate(&counts, Estimator::Raw).unwrap().cells[0];
        let reach = 1.644_853_627 * (0.21_f64 / 1e11).sqrt();
        assert!((raw.low - 0.3 + reach).abs() < 1e-10 && (raw.high - 0.3 - reach).abs() < 1e-10, "{raw:?}");
    }

    #[test]
    fn nothing_can_be_said_without_draws_or_without_games() {
        assert_eq!(estimate(&Counts::new(Scheme::Bg), Estimator::Raw), Err(SmoothError::Empty));
        let no_draws = counts(Scheme::Bg, &[(7, 0, 12)]);
        assert_eq!(estimate(&no_draws, Estimator::EmpiricalBayes), Err(SmoothError::OneClass { games: 12, draws: 0 }));
        let all_draws = counts(Scheme::Bg, &[(7, 12, 12)]);
        assert_eq!(estimate(&all_draws, Estimator::Raw), Err(SmoothError::OneClass { games: 12, draws: 12 }));
    }

    /// Structures that differ by chance alone: the fitted prior weighs a million games, and the interval must not rest on it.
    #[test]
    fn an_interval_is_no_narrower_than_the_games_allow() {
        let cells: Vec<_> = (0..30).map(|cell| (cell, 16 + u64::from(cell % 3), 85)).collect();
        for estimator in [Estimator::EmpiricalBayes, Estimator::EmpiricalBayesSymmetric] {
            let alike = estimate(&counts(Scheme::Bg, &cells), estimator).unwrap();
            assert!(alike.by_chance && alike.remark().is_some_and(|said| said.contains("no more than chance")));
            let cell = alike.cells[0];
            let width = cell.high - cell.low;
            assert!(cell.low < cell.probability && cell.probability < cell.high);
            // Wider than the error of the mean of all, and narrower than what the structure's own games say.
            let (_, low, high) = draw_rate(Wdl { wins: 69, draws: 16, losses: 0 }).unwrap();
            let pooled = estimator == Estimator::EmpiricalBayesSymmetric;
            assert!(pooled || alike.cells.iter().all(|cell| cell.low < alike.base && alike.base < cell.high));
            let all = 2.0 * 1.645 * (0.2_f64 * 0.8 / 2550.0).sqrt();
            assert!(all < width && width < high - low, "{estimator:?}: {all} {width} {}", high - low);
        }
        let differ: Vec<_> = (0..30).map(|cell| (cell, 10 + u64::from(cell), 85)).collect();
        let differ = estimate(&counts(Scheme::Bg, &differ), Estimator::EmpiricalBayes).unwrap();
        assert_eq!((differ.by_chance, differ.remark()), (false, None));
        let (prior, cell) = (differ.prior.unwrap(), differ.cells[0]);
        let (alpha, beta) = (prior.alpha() + 10.0, prior.beta() + 75.0);
        assert_eq!(
            (cell.low, cell.high),
            interval(alpha, beta),
            "where the games tell the spread, the fitted prior serves"
        );
    }
}
