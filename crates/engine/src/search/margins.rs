//! Margins on the scale of the evaluation.

use super::Searcher;
use crate::eval::Evaluate;
use crate::form::Margins;

/// A margin given in conventional centipawns, on the scale of the evaluation: a win/loss score leaves draws out and so
/// is about 1.6 times as large as one that is made to fit expected scores.
pub(super) const fn margin(centipawns: i32) -> i32 {
    centipawns * 13 / 8
}

/// The margins that the search plays by unless it is given others.
pub(super) fn usual() -> Margins {
    Margins::default().map(margin)
}

impl<E: Evaluate> Searcher<E> {
    /// Searches by other margins from now on.
    pub fn set_margins(&mut self, margins: Margins) {
        self.margins = margins.map(margin);
        // It divides.
        self.margins.null_move = self.margins.null_move.max(1);
    }
}
