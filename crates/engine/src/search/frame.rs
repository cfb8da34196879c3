//! What is kept for each ply of the line that is searched.

use shakmaty::Move;

use super::history::Placed;
use super::moves::ShortMove;
use super::picker::Ranked;
use super::table::NO_EVAL;
use super::{MAX_PLY, NO_MOVE};
use crate::eval::State;

/// What the search keeps for each ply of the line it looks at.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub state: State,
    /// The best line from here on.
    pub pv: Vec<Move>,
    /// The static evaluation, and what of it lasts; see [`Appraisal`](crate::eval::Appraisal). [`NO_EVAL`] in check.
    pub eval: i32,
    pub lasting: i32,
    /// What was played from here; `None` for a pass.
    pub played: Option<Placed>,
    /// A move that is left out, to see what the position is worth without it.
    pub excluded: ShortMove,
    pub killers: [ShortMove; 2],
    /// Memory for the lists of moves.
    pub lists: [Vec<Ranked>; 3],
    pub noisy: Vec<Ranked>,
    pub tried_quiets: Vec<Move>,
    pub tried_captures: Vec<Move>,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            state: State::new(shakmaty::Chess::default()),
            pv: Vec::with_capacity(MAX_PLY),
            eval: NO_EVAL,
            lasting: NO_EVAL,
            played: None,
            excluded: NO_MOVE,
            killers: [NO_MOVE; 2],
            lists: Default::default(),
            noisy: Vec::new(),
            tried_quiets: Vec::new(),
            tried_captures: Vec::new(),
        }
    }
}

impl Frame {
    pub fn forget(&mut self) {
        self.killers = [NO_MOVE; 2];
        self.pv.clear();
    }
}
