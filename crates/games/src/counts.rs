//! Wins, draws and losses per structure, always from White's view, and the file that keeps them.
//!
//! Counts are a commutative monoid: merging is associative, the order does not matter, and empty counts change
//! nothing. That is what lets threads, files and machines share the work.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod body;
mod counted;
mod file;

use drawish_core::{Scheme, StructureIndex};

pub(crate) use counted::{Contents, SAMPLE};
pub use counted::{CountsError, CountsFile, Shard};
pub use drawish_core::Wdl;
pub use file::MergeError;

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
