//! The account of a run: every game and every half-move stands in it exactly once.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::pgn::{Account, EvalDoubts, named};

named! {
    /// The one reason for which a game is left out: the first that applies.
    GameReason {
        Variant "variant" "another variant than asked for, or none that is known",
        BadFen "bad-fen" "a FEN tag that is not a position",
        FenNotFound "fen-not-found" "a FEN whose move counters shall be repaired, but the list does not have it",
        NoResult "no-result" "a Result tag other than 1-0, 0-1 and 1/2-1/2, or neither tag nor token",
        Termination "termination" "lost on time, abandoned, interrupted or against the rules, by the Termination tag or the last comment",
        Engine "engine" "neither player is the engine asked for",
        NoMoves "no-moves" "no moves at all",
    }
}

named! {
    /// The one reason for which a half-move of a counted game gives no position.
    DropReason {
        AfterIllegal "illegal-move" "behind an illegal move: what is on the board is not known",
        BeyondLastMove "beyond-move-200" "behind move 200",
        OtherEngine "other-engine" "made by another engine than the one asked for",
        NoComment "no-comment" "no comment follows",
        NoEval "no-eval" "the comment contains no evaluation (book moves, text, times)",
        RepeatedEval "repeated-eval" "the engine's evaluation has not changed for as long as the rule allows",
    }
}

named! {
    /// What was noticed in counted games.
    Notice {
        IllegalMove "games-cut-at-illegal-move" "counted games with an illegal or unreadable move (counted up to there)",
        CutOff "games-cut-off" "counted games whose text ends in an open comment or variation or where the file breaks (counted up to there)",
        ResultFromToken "result-from-token" "counted games without a Result tag (the token behind the moves was taken)",
        ResultTokenDiffers "result-token-differs" "counted games whose token behind the moves is not the Result tag (the tag was taken)",
        CountersRepaired "counters-repaired" "counted games whose FEN got its move counters from the list",
        FenStart "fen-starts" "counted games that begin from a FEN, such as an opening of a book (counted like the others)",
        AnalystEval "analyst-evals" "positions of the engine asked for with an evaluation in [%eval], taken as an analyst's of every position (if each engine wrote its own there, the opponent's were counted)",
        SecondEval "second-evals" "evaluations behind the first one of their half-move (not counted; a move in unknown notation may stand before)",
    }
}

/// What was counted and what was not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games counted, even if none of their half-moves gave a position.
    pub counted: u64,
    skipped: [u64; GameReason::ALL.len()],
    /// Half-moves that gave a position.
    pub positions: u64,
    dropped: [u64; DropReason::ALL.len()],
    noticed: [u64; Notice::ALL.len()],
    /// What speaks against how evaluations were read.
    pub evals: EvalDoubts,
}

impl Tally {
    /// Games read.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.counted + self.skipped.iter().sum::<u64>()
    }

    /// Half-moves in the counted games.
    #[must_use]
    pub fn half_moves(&self) -> u64 {
        self.positions + self.dropped.iter().sum::<u64>()
    }

    /// Games left out for a reason.
    #[must_use]
    pub fn skipped(&self, reason: GameReason) -> u64 {
        self.skipped[reason as usize]
    }

    /// Half-moves left out for a reason.
    #[must_use]
    pub fn dropped(&self, reason: DropReason) -> u64 {
        self.dropped[reason as usize]
    }

    /// How often something was noticed.
    #[must_use]
    pub fn noticed(&self, notice: Notice) -> u64 {
        self.noticed[notice as usize]
    }

    pub(super) fn skip(&mut self, reason: GameReason) {
        self.skipped[reason as usize] += 1;
    }

    pub(super) fn drop_many(&mut self, reason: DropReason, half_moves: u64) {
        self.dropped[reason as usize] += half_moves;
    }

    pub(super) fn notice(&mut self, notice: Notice, times: u64) {
        self.noticed[notice as usize] += times;
    }
}

impl Account for Tally {
    fn games(&self) -> u64 {
        Tally::games(self)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        fn add<const LEN: usize>(mine: &mut [u64; LEN], theirs: [u64; LEN]) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        self.counted += other.counted;
        self.positions += other.positions;
        add(&mut self.skipped, other.skipped);
        add(&mut self.dropped, other.dropped);
        add(&mut self.noticed, other.noticed);
        self.evals += other.evals;
    }
}

/// A game that was counted only up to an illegal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cut {
    /// Which game, counted from 1: in its chunk while reading, in its file at the end.
    pub game: u64,
    /// The move as written, with its number.
    pub at: String,
}
