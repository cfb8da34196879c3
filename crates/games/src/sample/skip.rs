//! Why a game is left out, and the tally in which every game that was read stands exactly once.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::pgn::{Account, named};

named! {
    /// The one reason for which a game is left out: the first that applies, in the order of this list.
    SkipReason {
        Variant "variant" "another variant than asked for",
        BadFen "bad-fen" "a FEN tag that is not a position",
        StartPosition "start-position" "does not begin from the standard position",
        NoResult "no-result" "no Result tag of 1-0, 0-1 or 1/2-1/2",
        Termination "termination" "ended in an abnormal way",
        Rating "rating" "ratings absent or outside the limits asked for",
        Player "player" "other players than asked for",
        Event "event" "another event than asked for",
        Date "date" "date unknown or outside the limits asked for",
        TimeControl "time-control" "another time control than asked for",
        Unreadable "unreadable" "an unclosed comment or variation, or cut off where the file breaks",
        NoMoves "no-moves" "no moves at all",
        TooShort "too-short" "fewer moves than asked for",
        NotReached "not-reached" "begins after the position asked for, or ends before it",
        IllegalMove "illegal-move" "a move that cannot be made, before the position asked for (or, of rows, before move 20)",
        Duplicate "duplicate" "the same moves, or with --dedupe=lines the same first ones, as a game counted before",
    }
}

/// Games read = games counted + games skipped for each reason; and what was noticed beside that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    counted: u64,
    skipped: [u64; SkipReason::ALL.len()],
    /// Positions taken from the counted games.
    pub positions: u64,
    /// What was noticed though it is no reason to leave a game out.
    pub notices: Notices,
}

/// Counted games in which something does not fit together; the reading of the Result tag and of the moves stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Notices {
    /// The result token at the end of the moves says something else than the Result tag.
    pub result_token_differs: u64,
    /// The PlyCount tag says something else than the number of moves read: perhaps moves in another notation.
    pub ply_count_differs: u64,
}

impl Tally {
    /// Takes down a counted game.
    pub fn count(&mut self) {
        self.counted += 1;
    }

    /// Takes down a game left out.
    pub fn skip(&mut self, reason: SkipReason) {
        self.skip_many(reason, 1);
    }

    /// Takes down several games left out for the same reason.
    pub fn skip_many(&mut self, reason: SkipReason, games: u64) {
        self.skipped[reason as usize] += games;
    }

    /// Takes down several counted games.
    pub fn count_many(&mut self, games: u64) {
        self.counted += games;
    }

    /// Moves `games` from the counted to those left out for `reason`.
    pub fn withdraw(&mut self, reason: SkipReason, games: u64) {
        self.counted -= games;
        self.skipped[reason as usize] += games;
    }

    /// Games read.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.counted + self.skipped.iter().sum::<u64>()
    }

    /// Games counted.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// Games skipped for a reason.
    #[must_use]
    pub fn skipped(&self, reason: SkipReason) -> u64 {
        self.skipped[reason as usize]
    }
}

impl Account for Tally {
    fn games(&self) -> u64 {
        Tally::games(self)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.counted += other.counted;
        for (mine, theirs) in self.skipped.iter_mut().zip(other.skipped) {
            *mine += theirs;
        }
        self.positions += other.positions;
        self.notices += other.notices;
    }
}

impl AddAssign for Notices {
    fn add_assign(&mut self, other: Notices) {
        self.result_token_differs += other.result_token_differs;
        self.ply_count_differs += other.ply_count_differs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_stand_at_their_own_place_and_are_found_by_name() {
        for (place, reason) in SkipReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place);
            assert_eq!(SkipReason::from_name(reason.name()), Some(reason));
        }
    }

    #[test]
    fn every_game_stands_once() {
        let mut tally = Tally::default();
        tally.count_many(5);
        tally.skip(SkipReason::TooShort);
        tally.withdraw(SkipReason::Duplicate, 2);
        tally.positions = 4;
        tally.notices = Notices { result_token_differs: 1, ply_count_differs: 3 };
        let mut sum = tally;
        sum += tally;
        assert_eq!((sum.positions, sum.notices), (8, Notices { result_token_differs: 2, ply_count_differs: 6 }));
        assert_eq!((sum.skipped(SkipReason::TooShort), sum.skipped(SkipReason::Duplicate)), (2, 4));
        tally.count();
        tally.withdraw(SkipReason::NoMoves, 1);
        assert_eq!(tally.skipped(SkipReason::NoMoves), 1);
        assert_eq!(Account::games(&tally), 7);
        tally = Tally::default();
        tally.count_many(3);
        tally.skip(SkipReason::TooShort);
        tally.skip_many(SkipReason::Duplicate, 2);
        assert_eq!((tally.games(), tally.counted(), tally.skipped(SkipReason::Duplicate)), (6, 3, 2));
        assert_eq!((sum.games(), sum.counted()), (12, 6));
    }
}
