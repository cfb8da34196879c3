//! Wins, draws and losses per structure, always from White's view, and the file that keeps them.
//!
//! Counts are a commutative monoid: merging is associative, the order does not matter, and empty counts change
//! nothing. That is what lets threads, files and machines share the work.

mod body;
mod file;

use std::ops::AddAssign;

use drawish_core::{Outcome, Scheme, StructureIndex};

pub use file::{CountsError, CountsFile, MergeError, Shard};

/// How some games ended, from White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wdl {
    /// 1-0.
    pub white_wins: u64,
    /// 1/2-1/2.
    pub draws: u64,
    /// 0-1.
    pub black_wins: u64,
}

impl Wdl {
    /// Takes down one result.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::WhiteWin => self.white_wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::BlackWin => self.black_wins += 1,
        }
    }

    /// All results.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins
    }

    /// The share of draws, 0 to 1; `None` if there is no result.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.draws as f64 / self.total() as f64)
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
    }
}

/// Results for each cell of an index scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    scheme: Scheme,
    cells: Vec<Wdl>,
}

impl Counts {
    /// No results.
    #[must_use]
    pub fn new(scheme: Scheme) -> Counts {
        Counts { scheme, cells: vec![Wdl::default(); scheme.cells() as usize] }
    }

    /// The scheme of the cells.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The results of a cell of this scheme.
    ///
    /// # Panics
    ///
    /// If the scheme has no such cell.
    #[must_use]
    pub fn get(&self, cell: StructureIndex) -> Wdl {
        self.cells[cell.0 as usize]
    }

    /// The results of a cell, to be added to.
    ///
    /// # Panics
    ///
    /// If the scheme has no such cell.
    pub fn get_mut(&mut self, cell: StructureIndex) -> &mut Wdl {
        &mut self.cells[cell.0 as usize]
    }

    /// All cells in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (StructureIndex, Wdl)> {
        (0..).map(StructureIndex).zip(self.cells.iter().copied())
    }

    /// The cells with results, in ascending order.
    pub fn non_empty(&self) -> impl Iterator<Item = (StructureIndex, Wdl)> {
        self.iter().filter(|(_, wdl)| wdl.total() > 0)
    }

    /// The results of all cells together.
    #[must_use]
    pub fn total(&self) -> Wdl {
        self.cells.iter().fold(Wdl::default(), |mut sum, &wdl| {
            sum += wdl;
            sum
        })
    }

    /// Adds the results of other counts.
    ///
    /// # Panics
    ///
    /// If the schemes differ.
    pub fn merge(&mut self, other: &Counts) {
        assert_eq!(self.scheme, other.scheme, "counts of different schemes cannot be merged");
        for (mine, &theirs) in self.cells.iter_mut().zip(&other.cells) {
            *mine += theirs;
        }
    }
}
