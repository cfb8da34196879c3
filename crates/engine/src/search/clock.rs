//! How long to think.

use std::time::Duration;

/// The time that one search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    /// No iteration begins after this.
    pub soft: Duration,
    /// The search is cut off here.
    pub hard: Duration,
}

impl Time {
    /// Ends as soon as the first of both.
    #[must_use]
    pub fn at_most(self, other: Time) -> Time {
        Time { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }
}

/// What the clock of the side to move shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Milliseconds left.
    pub remaining: u64,
    /// Milliseconds gained by each move.
    pub increment: u64,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u64>,
}

/// Milliseconds that are not shared out: when more programs run than there are cores, one of them may have to wait so
/// long in the middle of a move, and with a small increment nothing would be left for that.
const RESERVE: u64 = 150;
/// 35 years in milliseconds: with more, sums would not fit.
const LONGEST: u64 = 1 << 40;

impl Clock {
    /// Shares the time out. `overhead` milliseconds of each move are lost on the way between the programs.
    #[must_use]
    pub fn share(self, overhead: u64) -> Time {
        let available = self.remaining.min(LONGEST).saturating_sub(overhead).max(1);
        let moves = self.moves_to_go.filter(|&moves| moves > 0).map_or(25, |moves| moves.min(25));
        let kept = if moves == 1 { 0 } else { RESERVE.min(available * 3 / 4) };
        let soft = (available - kept) / moves + self.increment.min(LONGEST) * 3 / 5;
        // The last move before a control may take nearly everything; otherwise a third stays for sure.
        let most = if moves == 1 { available * 4 / 5 } else { available / 3 };
        let hard = (soft * 3).min(most).max(1);
        // An iteration takes about as long as all before it together.
        Time { soft: Duration::from_millis((soft * 3 / 5).min(hard)), hard: Duration::from_millis(hard) }
    }

    /// Exactly so many milliseconds, less the overhead.
    #[must_use]
    pub fn exactly(milliseconds: u64, overhead: u64) -> Time {
        let time = Duration::from_millis(milliseconds.saturating_sub(overhead.min(milliseconds / 2)).max(1));
        Time { soft: time, hard: time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_out() {
        for remaining in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000, u64::MAX] {
            for increment in [0, 10, 1000, 100_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u64::MAX)] {
                    let time = Clock { remaining, increment, moves_to_go }.share(20);
                    assert!(time.soft <= time.hard && time.hard >= Duration::from_millis(1));
                    assert!(time.hard <= Duration::from_millis(remaining.max(21) - 20).max(Duration::from_millis(1)));
                }
            }
        }
    }

    /// Whoever takes just the time that is planned has the reserve left, however long the game is.
    #[test]
    fn a_reserve_is_left_in_a_long_game() {
        let increment = 10;
        let mut remaining = 1000;
        for number in 0..400 {
            let time = Clock { remaining, increment, moves_to_go: None }.share(20);
            // An iteration ends beyond the time at which no other begins.
            let taken = (time.soft * 5 / 3).min(time.hard).as_millis() as u64;
            assert!(taken >= increment / 2, "{number}: {taken} ms of {remaining}");
            remaining = remaining - taken + increment;
            assert!(remaining > RESERVE, "{number}: {remaining} ms left");
        }
        // Without an increment it is spent in the end, but never as a whole.
        let time = Clock { remaining: 100, increment: 0, moves_to_go: None }.share(20);
        assert!(time.hard <= Duration::from_millis(10));
    }
}
