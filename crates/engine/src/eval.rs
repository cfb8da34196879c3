//! The evaluation of a position: a win/loss score and a draw score.

mod arm;
mod cells;
mod classical;
mod evaluator;
mod fast_features;
mod gain;
mod head_cache;
mod heads;
mod king;
mod knowledge;
mod normalisation;
mod packed;
mod passed;
mod pawns;
mod reach;
mod reference;
mod state;
mod terms;
mod weights;

use drawish_core::DrawScore;
use drawish_core::expect::WdlPermille;
use shakmaty::Color;

pub use arm::{Arm, Config, ConfigError, MAX_CONTEMPT};
pub use cells::Cells;
pub use classical::Classical;
pub use evaluator::Evaluator;
pub use heads::{Heads, HeadsError};
pub use packed::FULL_PHASE;
pub use reference::REFERENCE;
pub use state::State;
pub use terms::{GROUPS, Group, TERMS, Trace};
pub use weights::WEIGHTS;

/// The largest win/loss score in centipawns: what lies beyond are mates.
pub const LIMIT: i32 = 20_000;

/// What an evaluation says about a position, always from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The win/loss score w in centipawns, within ±[`LIMIT`]: of the games that are not drawn, White wins the share
    /// Wp = s(C w / 100) with s(x) = 1 / (1 + e^-x) and C = ln(10) / 4 per pawn.
    /// Source: M. van Kervinck's evaluation draw model, section 2.1.
    pub win_loss: i32,
    /// The drawScore v that the features of the position give, whoever is ahead: the probability of a draw is D = s(u)
    /// with u = v - kappa ln(2 cosh(w/2)). Section 2.3 of the same, and [`drawish_core::expect::DrawModel`].
    pub draw: DrawScore,
}

/// The number that a search compares, in two parts: the position may come up again after other moves, with another state of
/// the fifty-move clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appraisal {
    /// What [`Evaluate::centipawns`] says, clock included.
    pub centipawns: i32,
    /// What depends on the pieces, the turn and the rights alone, on a scale of its own, within ±32,767: a transposition table
    /// keeps it, and [`Evaluate::appraise_again`] makes centipawns of it.
    pub lasting: i32,
}

/// Something that evaluates positions. It may remember what it has seen, but the answer depends on the position
/// and its fifty-move clock alone.
pub trait Evaluate {
    /// Called before each search with the side that searches. Returns whether scores given before no longer hold.
    fn begin(&mut self, _side: Color) -> bool {
        false
    }

    /// Both scores.
    fn evaluate(&mut self, state: &State) -> Score;

    /// The one number that a search compares: in centipawns from White's point of view, within ±[`LIMIT`]; 0 is a draw.
    fn centipawns(&mut self, state: &State) -> i32;

    /// [`centipawns`](Self::centipawns), and what of it a search may keep for all positions with the same key.
    fn appraise(&mut self, state: &State) -> Appraisal {
        let centipawns = self.centipawns(state);
        Appraisal { centipawns, lasting: centipawns }
    }

    /// [`centipawns`](Self::centipawns) of a position whose [`lasting`](Appraisal::lasting) part is known, with the state of
    /// its own fifty-move clock.
    fn appraise_again(&mut self, _state: &State, lasting: i32) -> i32 {
        lasting
    }

    /// What a score of the search for this position, in centipawns for White, says about the result of the game.
    fn win_draw_loss(&mut self, state: &State, centipawns: i32) -> WdlPermille;
}
