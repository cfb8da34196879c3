//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shakmaty::Move;

use super::Time;

/// When a search ends. Without any limit it goes on until it is stopped or has reached the greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Ends before more than this many nodes have been visited; a node is a move made.
    pub nodes: Option<u64>,
    /// The last iteration.
    pub depth: Option<u32>,
    /// How long it may take.
    pub time: Option<Time>,
    /// Ends when a mate in this many moves or fewer is found.
    pub mate: Option<u32>,
    /// Only these moves are looked at in the root position; all if empty.
    pub moves: Vec<Move>,
    /// How another thread ends the search.
    pub signals: Option<Arc<Signals>>,
}

impl Limits {
    /// A fixed number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A fixed depth.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }
}

/// How another thread reaches a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// End now, with the best move found so far.
    pub stop: AtomicBool,
    /// The opponent is still to move: limits of time do not count yet.
    pub pondering: AtomicBool,
}
