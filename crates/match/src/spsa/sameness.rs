//! Whether changed values change games at all.

use super::log::StepRecord;
use crate::arena::Game;

/// Pairs in a row with the same games after which values seem to have no effect.
const ROW: u64 = 20;

/// Pairs of a run in which both games had the same moves, so that it made no difference which side had which values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sameness {
    /// Pairs played; not those of steps of a log that does not say which had the same moves.
    pub pairs: u64,
    /// Those with the same moves in both games.
    pub identical: u64,
    /// The last of them, up to now.
    row: u64,
}

impl Sameness {
    /// Adds the pairs of a step, by whether their games are the same. True when so many in a row have just become twenty.
    pub(super) fn add(&mut self, pairs: &[bool]) -> bool {
        let before = self.row;
        let mut longest = 0;
        for &is_same in pairs {
            self.row = if is_same { self.row + 1 } else { 0 };
            longest = longest.max(self.row);
            self.identical += u64::from(is_same);
        }
        self.pairs += pairs.len() as u64;
        before < ROW && longest >= ROW
    }

    /// Adds a step of so many pairs from a log, if it says how many had the same games. No row goes on from there: a run that is
    /// resumed says again that values have no effect.
    pub(super) fn recall(&mut self, record: &StepRecord, pairs: u64) {
        if let Some(identical) = record.identical {
            (self.pairs, self.identical) = (self.pairs + pairs, self.identical + identical);
        }
    }
}

/// Whether two games have the same moves.
pub(super) fn is_same([one, other]: &[Game; 2]) -> bool {
    let moves = |game: &Game| game.replies.iter().map(|reply| reply.chosen).collect::<Vec<_>>();
    moves(one) == moves(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_in_a_row_are_noticed_once() {
        let mut sameness = Sameness::default();
        assert!(!sameness.add(&[true; 19]));
        assert!(!sameness.add(&[false, true]));
        assert!(!sameness.add(&[true; 18]));
        assert!(sameness.add(&[true, false]), "within a step, too");
        assert!(sameness.add(&[true; 30]));
        assert!(!sameness.add(&[true; 30]), "the same row");
        assert_eq!((sameness.pairs, sameness.identical), (101, 99));
    }
}
