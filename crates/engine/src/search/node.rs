//! A node of the search tree: what is asked of it, and what is known before its moves are tried.

use shakmaty::Move;

use super::moves::ShortMove;
use super::table::Found;

/// What is asked of a node: its place in the line, the depth left and the window. Scores are for its side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Distance to the root in plies.
    pub ply: usize,
    /// Plies still to be searched; at 0 and below only captures are.
    pub depth: i32,
    /// Scores at or below this are as good as this.
    pub alpha: i32,
    /// Scores at or above this are as good as this.
    pub beta: i32,
    /// Whether a score of at least `beta` is expected.
    pub cut: bool,
}

impl Node {
    /// The child after a move, with this node's window seen from its other side.
    #[inline]
    pub fn child(&self, depth: i32, cut: bool) -> Node {
        Node { ply: self.ply + 1, depth, alpha: -self.beta, beta: -self.alpha, cut }
    }

    /// The child after a move, asked only whether the move is better than `alpha`.
    #[inline]
    pub fn child_above_alpha(&self, depth: i32, cut: bool) -> Node {
        Node { ply: self.ply + 1, depth, alpha: -self.alpha - 1, beta: -self.alpha, cut }
    }

    /// This node again, asked only whether it is worth at least `beta`.
    #[inline]
    pub fn at_least(&self, beta: i32, depth: i32, cut: bool) -> Node {
        Node { ply: self.ply, depth, alpha: beta - 1, beta, cut }
    }
}

/// What is known about a node before its moves are tried.
#[derive(Debug)]
pub(super) struct Known {
    pub in_check: bool,
    /// What the table has.
    pub found: Option<Found>,
    /// The table's move, if it is legal here.
    pub table_move: Option<Move>,
    /// The static evaluation, or the table's score where that bounds the right side.
    pub estimate: i32,
    /// Whether the static evaluation has risen since the side's last move.
    pub improving: bool,
    /// A move that is left out, to see what the node is worth without it.
    pub excluded: ShortMove,
}
