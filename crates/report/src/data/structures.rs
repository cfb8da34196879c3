//! Draw probabilities of the 4,096 structures, with what they rest on.

use std::collections::BTreeMap;

use drawish_core::{DrawTable, Pawns, Scheme, StructureIndex};

use super::bands::{CLASSES, class_of};
use drawish_games::counts::{Counts, Wdl};
use drawish_games::smooth::{BetaPrior, Estimates, Estimator, SmoothError, draw_rate, estimate, remark_of_table};

/// Draw probabilities from counts or from a table, of the scheme `bg`.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Structures {
    /// The name of the file.
    pub name: String,
    /// All results.
    pub positions: u64,
    /// Draw rate of all results together.
    pub base: f64,
    /// How the probabilities were estimated.
    pub estimator: Option<Estimator>,
    /// What must be known before one structure is called more drawish than another.
    pub remark: Option<&'static str>,
    /// One for each structure, in the order of the index.
    pub cells: Vec<Cell>,
    /// Observed rates against games; a table keeps no results, so it has none.
    pub funnel: Option<Funnel>,
    /// Draw rates of the classes of structures; only from counts.
    pub classes: Vec<Class>,
}

/// What is known of one structure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// The draw probability.
    pub probability: f64,
    /// Its 90 % interval, where it is known.
    pub interval: Option<(f64, f64)>,
    /// Results of the structure itself, where they are known.
    pub games: Option<u64>,
    /// Draws among them, where they are known.
    pub draws: Option<u64>,
}

/// A class of structures with its results.
#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    /// What the structures have in common.
    pub name: &'static str,
    /// Their results.
    pub results: Wdl,
    /// Draw rate with its 90 % interval.
    pub rate: Option<(f64, f64, f64)>,
}

/// Observed draw rates of structures against their games.
#[derive(Clone, PartialEq, Debug)]
pub struct Funnel {
    /// The beta-binomial prior: that of the probabilities, where their estimator fits one.
    pub prior: BetaPrior,
    /// To what it was fitted, as in `1,204 structures with games, each by itself`.
    pub basis: String,
    /// What must be known of the prior.
    pub remark: Option<&'static str>,
    /// Where 90 % of the structures lie by the prior, and where they would by chance alone.
    pub band: Vec<FunnelPoint>,
}

/// The band at a number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FunnelPoint {
    /// Games of a structure.
    pub games: u64,
    /// 90 % of the observed rates, by chance and by the spread between structures.
    pub spread: (f64, f64),
    /// The same if all structures had the mean of the prior.
    pub chance: (f64, f64),
}

impl Structures {
    /// From counts of the scheme `bg`.
    ///
    /// # Errors
    ///
    /// If nothing can be estimated.
    pub fn of_counts(name: &str, counts: &Counts, estimator: Estimator) -> Result<Structures, SmoothError> {
        let estimates = estimate(counts, estimator)?;
        let cells = counts
            .iter()
            .zip(&estimates.cells)
            .map(|((_, results), estimate)| Cell {
                probability: estimate.probability,
                interval: Some((estimate.low, estimate.high)),
                games: Some(results.total()),
                draws: Some(results.draws),
            })
            .collect();
        Ok(Structures {
            name: name.to_owned(),
            positions: estimates.positions,
            base: estimates.base,
            estimator: Some(estimator),
            remark: estimates.remark(),
            cells,
            funnel: funnel(counts, &estimates)?,
            classes: classes(counts),
        })
    }

    /// From a table of the scheme `bg`.
    #[must_use]
    pub fn of_table(name: &str, table: &DrawTable<'_>) -> Structures {
        let cells = (0..table.scheme().cells()).map(StructureIndex).filter_map(|index| {
            let evidence = table.evidence(index);
            Some(Cell {
                probability: table.get(index)?.probability.to_f64(),
                interval: evidence.map(|evidence| (evidence.low.to_f64(), evidence.high.to_f64())),
                games: evidence.map(|evidence| u64::from(evidence.positions)),
                draws: None,
            })
        });
        Structures {
            name: name.to_owned(),
            positions: table.positions(),
            base: table.base().to_f64(),
            estimator: Estimator::from_id(table.estimator()),
            remark: remark_of_table(table),
            cells: cells.collect(),
            funnel: None,
            classes: Vec::new(),
        }
    }

    /// Whether structures that are each other's mirror image or colour swap were estimated together.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.estimator == Some(Estimator::EmpiricalBayesSymmetric)
    }

    /// The cells with their indices; of those that were estimated together only the one with the most games, with the games of all.
    fn classes_of_cells(&self) -> Vec<(StructureIndex, Cell)> {
        let cells = (0..).map(StructureIndex).zip(self.cells.iter().copied());
        if !self.is_symmetric() {
            return cells.collect();
        }
        let mut classes: BTreeMap<u32, (StructureIndex, Cell, u64)> = BTreeMap::new();
        for (index, cell) in cells {
            let files = Scheme::Bg.describe(index);
            let pawns = Pawns { white: u64::from(files.white) << 8, black: u64::from(files.black) << 48 };
            let games = cell.games.unwrap_or(0);
            let class = classes.entry(Scheme::BgSym.index(pawns).0).or_insert((index, cell, 0));
            if games > class.1.games.unwrap_or(0) {
                (class.0, class.1) = (index, cell);
            }
            class.2 += games;
        }
        let whole = |(index, cell, games): (StructureIndex, Cell, u64)| {
            (index, Cell { games: cell.games.map(|_| games), ..cell })
        };
        classes.into_values().map(whole).collect()
    }

    /// The structures in order of the draw probability, the highest first; equal ones in order of the index. Those that were
    /// estimated together stand there once, those with fewer games than this not at all, where games are known.
    #[must_use]
    pub fn ranked(&self, fewest: u64) -> Vec<(StructureIndex, Cell)> {
        let mut cells = self.classes_of_cells();
        cells.retain(|(_, cell)| cell.games.is_none_or(|games| games >= fewest));
        cells.sort_by(|(_, one), (_, other)| other.probability.total_cmp(&one.probability));
        cells
    }
}

/// Prior and bands; none where no structure has two games. Estimates without a prior are shown beside that of structures by themselves.
fn funnel(counts: &Counts, estimates: &Estimates) -> Result<Option<Funnel>, SmoothError> {
    let most = counts.non_empty().map(|(_, results)| results.total()).max().unwrap_or(0);
    let fitted = |estimates: &Estimates| Some((estimates.prior?, estimates.basis()?, estimates.remark()));
    let found = match fitted(estimates) {
        None => fitted(&estimate(counts, Estimator::EmpiricalBayes)?),
        found => found,
    };
    let Some((prior, basis, remark)) = found.filter(|_| most > 1) else {
        return Ok(None);
    };
    let alike = BetaPrior { strength: f64::from(u32::MAX), ..prior };
    // Even steps on the scale of ratios, which is how games are drawn.
    let steps = 48;
    let mut sizes: Vec<u64> =
        (0..=steps).map(|step| (most as f64).powf(f64::from(step) / f64::from(steps)).round() as u64).collect();
    sizes.dedup();
    let band = sizes
        .into_iter()
        .map(|games| FunnelPoint { games, spread: prior.rates(games, 0.9), chance: alike.rates(games, 0.9) })
        .collect();
    Ok(Some(Funnel { prior, basis, remark, band }))
}

fn classes(counts: &Counts) -> Vec<Class> {
    let mut results = [Wdl::default(); CLASSES.len()];
    for (cell, wdl) in counts.non_empty() {
        results[class_of(Scheme::Bg.describe(cell))] += wdl;
    }
    let class = |(name, results)| Class { name, results, rate: draw_rate(results) };
    CLASSES.into_iter().zip(results).map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> Counts {
        let mut counts = Counts::new(Scheme::Bg);
        for (cell, wins, draws) in [(0, 1, 3), (65, 4, 4), (4095, 60, 20), (3963, 5, 3), (7, 7, 0)] {
            *counts.get_mut(StructureIndex(cell)) = Wdl { wins, draws, losses: 0 };
        }
        counts
    }

    #[test]
    fn classes_hold_every_game_once() {
        let found = Structures::of_counts("x", &counts(), Estimator::EmpiricalBayes).expect("draws and wins");
        assert_eq!(found.classes.iter().map(|class| class.results.total()).sum::<u64>(), found.positions);
        let games: Vec<_> = found.classes.iter().map(|class| class.results.total()).collect();
        // None; 65 is b against b and 4095 all files; 3963 lacks one file on each side; 7 is b, c, d against none.
        assert_eq!(games, [4, 88, 0, 8, 7, 0]);
    }

    #[test]
    fn the_prior_is_that_of_the_table() {
        let counts = counts();
        for estimator in Estimator::ALL {
            let table = estimate(&counts, estimator).expect("draws and wins");
            let page = Structures::of_counts("x", &counts, estimator).expect("draws and wins");
            let funnel = page.funnel.expect("games");
            let own = estimate(&counts, Estimator::EmpiricalBayes).expect("draws and wins");
            let (prior, basis) =
                if table.prior.is_some() { (table.prior, table.basis()) } else { (own.prior, own.basis()) };
            assert_eq!((Some(funnel.prior), Some(funnel.basis)), (prior, basis), "{estimator:?}");
        }
    }

    #[test]
    fn the_band_of_chance_lies_within_that_of_the_prior() {
        let funnel = Structures::of_counts("x", &counts(), Estimator::Raw).expect("counts").funnel.expect("games");
        assert_eq!(funnel.band.first().map(|point| point.games), Some(1));
        assert_eq!(funnel.band.last().map(|point| point.games), Some(80));
        for FunnelPoint { spread, chance, games } in funnel.band {
            assert!(spread.0 <= chance.0 + 1e-9 && chance.1 <= spread.1 + 1e-9, "{games} {spread:?} {chance:?}");
        }
    }

    #[test]
    fn ranking_leaves_out_what_is_rare() {
        let found = Structures::of_counts("x", &counts(), Estimator::Raw).expect("counts");
        let order: Vec<_> = found.ranked(8).iter().map(|(index, _)| index.0).collect();
        assert_eq!(order, [65, 3963, 4095]);
    }
}
