//! What is not searched, and what is searched more deeply.

use shakmaty::Move;

use super::history::{is_noisy, pieces};
use super::moves::{ShortMove, checks_directly};
use super::node::{Known, Node};
use super::table::Bound;
use super::{DRAW, MATE_BOUND, MAX_PLY, NO_MOVE, Searcher, margin, see};
use crate::eval::Evaluate;

impl<E: Evaluate> Searcher<E> {
    /// Ends a node that is far outside the window without looking at its moves.
    pub(super) fn prune(&mut self, node: &Node, known: &Known) -> Option<i32> {
        let Node { ply, depth, alpha, beta, cut } = *node;
        let Known { estimate, improving, .. } = *known;
        // Reverse futility: so far above the window that no quiet reply will bring it back.
        if depth <= 8 && estimate - self.margins.reverse_futility * (depth - i32::from(improving)) >= beta {
            return Some((estimate + beta) / 2);
        }
        // Razoring: so far below that only captures could help.
        if depth <= 3 && estimate + self.margins.razor * depth + self.margins.razor_base <= alpha {
            let score = self.quiescence::<false>(ply, alpha, alpha + 1);
            if score <= alpha {
                return Some(score);
            }
        }
        // Null move: if passing holds the window, a move will too. Not without pieces, where passing may be best.
        let passed = ply > 0 && self.frames[ply - 1].played.is_none();
        let pieces = pieces(self.frames[ply].state.position());
        if depth >= 3 && estimate >= beta && !passed && (cut || depth < 8) && pieces > 0 && ply >= self.no_pass_before {
            let reduced = depth - 4 - depth / 4 - ((estimate - beta) / self.margins.null_move).min(3);
            self.pass(ply);
            let after = Node { ply: ply + 1, depth: reduced, alpha: -beta, beta: 1 - beta, cut: !cut };
            let score = -self.alpha_beta::<false>(after);
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= beta {
                let score = if score >= MATE_BOUND { beta } else { score };
                // With a single piece every move may be worse than none: see whether a real one holds, too.
                if pieces > 1 || depth < 5 || self.no_pass_before > 0 {
                    return Some(score);
                }
                self.no_pass_before = ply + 3 * reduced.max(1) as usize / 4 + 1;
                let real = self.alpha_beta::<false>(node.at_least(beta, reduced.max(1), false));
                self.no_pass_before = 0;
                if real >= beta && !self.stopped {
                    return Some(score);
                }
            }
        }
        None
    }

    /// Whether a move is not worth a search at this depth.
    ///
    /// `number` counts the moves of the node from 1, `history` is how well the move has done before.
    pub(super) fn skips(&self, node: &Node, known: &Known, m: Move, number: usize, history: i32) -> Skip {
        let Node { ply, depth, alpha, .. } = *node;
        let position = self.frames[ply].state.position();
        if is_noisy(m) {
            let losing = depth <= 7 && !see::wins_at_least(position, m, -90 * depth);
            return if losing { Skip::Move } else { Skip::No };
        }
        // Late: so many moves before it were no better. Futile: no quiet move will lift the score into the window. A
        // check is neither: it may be mate.
        let late = depth <= 8 && number as i32 > (4 + depth * depth) / if known.improving { 1 } else { 2 };
        let futile = !known.in_check
            && depth <= 7
            && known.estimate + self.margins.futility_base + self.margins.futility * depth + margin(history / 256)
                <= alpha;
        if late || futile {
            return if checks_directly(position, m) { Skip::No } else { Skip::Quiets };
        }
        if depth <= 4 && history < -4500 * depth {
            return Skip::Move;
        }
        if depth <= 8 && !see::wins_at_least(position, m, -35 * depth - 10 * depth * depth / 2) {
            return Skip::Move;
        }
        Skip::No
    }

    /// Looks at the move of the table more deeply if all others are clearly worse.
    pub(super) fn extension(&mut self, node: &Node, known: &Known, m: Move) -> Extension {
        let Node { ply, depth, beta, cut, .. } = *node;
        let Some(found) = known.found else { return Extension::By(0) };
        if ply == 0
            || depth < 7
            || Some(m) != known.table_move
            || known.excluded != NO_MOVE
            || found.depth < depth - 3
            || found.bound == Bound::Upper
            || found.score.abs() >= MATE_BOUND
            || ply > 2 * MAX_PLY / 3
        {
            return Extension::By(0);
        }
        let below = found.score - margin(2) * depth;
        self.frames[ply].excluded = ShortMove::new(m);
        // The lists of this ply are in use by the picker of this node: the search without the move makes its own.
        let (quiets, captures) = {
            let frame = &mut self.frames[ply];
            (std::mem::take(&mut frame.tried_quiets), std::mem::take(&mut frame.tried_captures))
        };
        let score = self.alpha_beta::<false>(node.at_least(below, (depth - 1) / 2, cut));
        let frame = &mut self.frames[ply];
        frame.excluded = NO_MOVE;
        frame.tried_quiets = quiets;
        frame.tried_captures = captures;
        if self.stopped {
            return Extension::Return(DRAW);
        }
        if score < below {
            Extension::By(1)
        } else if below >= beta {
            Extension::Return(below)
        } else if found.score >= beta {
            Extension::By(-1)
        } else {
            Extension::By(0)
        }
    }
}

/// Whether a move is left out.
pub(super) enum Skip {
    No,
    /// This move.
    Move,
    /// This and all other quiet moves but checks.
    Quiets,
}

/// By how many plies a move is searched more deeply.
pub(super) enum Extension {
    By(i32),
    /// The node is done.
    Return(i32),
}
