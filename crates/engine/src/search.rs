//! The search: from an evaluation and a position to a move.
//!
//! Iterative deepening with aspiration windows over a principal variation search (`alphabeta`), with quiescence at
//! its leaves. One thread, integers only: the same position, history and limits give the same move and the same count
//! of nodes on every machine, as long as no limit of time cuts the search short.
//!
//! ```
//! use drawish_engine::eval::Evaluator;
//! use drawish_engine::search::{Game, Limits, Searcher};
//!
//! let mut searcher = Searcher::new(Evaluator::default(), 16);
//! let result = searcher.search(&Game::default(), &Limits::nodes(20_000), &mut |_| {});
//! assert!(result.nodes <= 20_000);
//! assert!(result.best.is_some());
//! ```

mod alphabeta;
pub mod bench;
mod clock;
mod frame;
mod game;
mod history;
mod limits;
mod margins;
mod moves;
mod node;
mod perft;
mod picker;
mod quiescence;
mod quiet;
mod reduction;
mod report;
mod see;
mod selectivity;
mod table;

use std::sync::atomic::Ordering;
use std::time::Instant;

use shakmaty::{Move, Position};

pub use clock::{Clock, Time};
pub use game::Game;
pub use limits::{Limits, Signals};
pub use perft::perft;
pub use quiet::quiet_evaluation;
pub use report::{Certainty, Info, SearchResult, Value};

use crate::eval::{Appraisal, Evaluate, State};
use crate::form::Margins;
use frame::Frame;
use history::History;
use margins::margin;
use moves::ShortMove;
use node::Node;
use table::{Found, NO_EVAL, Table};

/// The longest line that is searched, in plies.
pub const MAX_PLY: usize = 128;
/// The greatest depth of an iteration.
pub const MAX_DEPTH: u32 = 120;
/// The score of being mated on the board, negative; a mate in n plies scores `MATE - n`.
const MATE: i32 = 32_000;
/// Scores from here on are mates.
const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
const INFINITE: i32 = 32_500;

/// A search with its memory. Nothing is shared: as many as wanted may run at the same time.
pub struct Searcher<E> {
    evaluator: E,
    table: Table,
    history: History,
    frames: Vec<Frame>,
    /// Keys of the game's positions and of the line searched, the current position last.
    keys: Vec<u64>,
    /// Where in `keys` the root stands.
    root_key: usize,
    root_moves: Vec<Move>,
    nodes: u64,
    selective_depth: usize,
    /// The ply from which null moves are tried again, while one is verified.
    no_pass_before: usize,
    stopped: bool,
    limits: Limits,
    began: Instant,
    /// On the scale of the evaluation.
    margins: Margins,
}

impl<E: Evaluate> Searcher<E> {
    /// A search with this evaluation and a transposition table of so many MiB, at least 1.
    pub fn new(evaluator: E, hash_mb: usize) -> Searcher<E> {
        Searcher {
            evaluator,
            table: Table::new(hash_mb),
            history: History::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            keys: Vec::new(),
            root_key: 0,
            root_moves: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            no_pass_before: 0,
            stopped: false,
            limits: Limits::default(),
            began: Instant::now(),
            margins: margins::usual(),
        }
    }

    /// The evaluation in use.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Takes another evaluation and forgets all scores of the last one.
    pub fn set_evaluator(&mut self, evaluator: E) {
        self.evaluator = evaluator;
        self.new_game();
    }

    /// Takes a transposition table of another size, at least 1 MiB, and forgets the old one.
    pub fn resize_hash(&mut self, megabytes: usize) {
        // The old table is given back first: both together may be more than there is.
        self.table = Table::new(1);
        self.table = Table::new(megabytes);
    }

    /// Forgets everything: the next search is that of a new `Searcher`.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
        for frame in &mut self.frames {
            frame.forget();
        }
    }

    /// Searches a position and reports each iteration to `info`.
    pub fn search(&mut self, game: &Game, limits: &Limits, info: &mut dyn FnMut(&Info<'_>)) -> SearchResult {
        self.began = Instant::now();
        self.limits = limits.clone();
        self.nodes = 0;
        self.no_pass_before = 0;
        self.stopped = false;
        self.keys.clear();
        self.keys.extend_from_slice(game.keys());
        self.root_key = self.keys.len() - 1;
        self.frames[0].state = game.state().clone();
        if self.evaluator.begin(game.position().turn()) {
            self.table.clear();
        }
        self.table.age();

        let legal = game.position().legal_moves();
        let allowed = |m: &&Move| limits.moves.is_empty() || limits.moves.contains(m);
        self.root_moves = legal.iter().filter(allowed).copied().collect();
        if self.root_moves.is_empty() {
            let score = if game.position().is_check() { Value::Mate(0) } else { Value::Centipawns(0) };
            return SearchResult { best: None, score, depth: 0, nodes: 0, pv: Vec::new() };
        }

        // Should the limit come before the first move is searched, any legal move is better than none, and the score of the position
        // as it stands better than that of a draw.
        let mut result = SearchResult {
            best: Some(self.root_moves[0]),
            score: Value::from_score(self.evaluate(0)),
            depth: 0,
            nodes: 0,
            pv: vec![self.root_moves[0]],
        };
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut score = 0;
        for depth in 1..=last {
            self.selective_depth = 0;
            let found = self.aspire(depth, score, &mut result.pv, info);
            result.best = result.pv.first().copied();
            let Some(found) = found else { break };
            score = found;
            result.score = Value::from_score(score);
            result.depth = depth;
            self.report(depth, score, Certainty::Exact, info);
            let mated =
                limits.mate.is_some_and(|moves| matches!(result.score, Value::Mate(n) if n > 0 && n as u32 <= moves));
            if mated || self.out_of_time(score) {
                break;
            }
        }
        result.nodes = self.nodes;
        result
    }

    /// The score for the side to move when captures and checks are played out as at the leaves of a search. It depends on
    /// nothing that was searched before. `None` if they are not played out within 100,000 nodes, as between dozens of queens.
    pub fn quiescence_score(&mut self, game: &Game) -> Option<i32> {
        const MOST_NODES: u64 = 100_000;
        self.new_game();
        self.limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        (self.nodes, self.stopped) = (0, false);
        self.keys.clear();
        self.keys.extend_from_slice(game.keys());
        self.root_key = self.keys.len() - 1;
        self.frames[0].state = game.state().clone();
        let score = self.quiescence::<true>(0, -INFINITE, INFINITE);
        (!self.stopped).then_some(score)
    }

    /// One iteration with a window around the score of the last. `None` when it was cut short; `best` then still becomes the
    /// best line that was found: also that of a move above the window, which the search for its true score did not get to confirm.
    fn aspire(&mut self, depth: u32, last: i32, best: &mut Vec<Move>, info: &mut dyn FnMut(&Info<'_>)) -> Option<i32> {
        let mut width = margin(18);
        let (mut alpha, mut beta) = if depth >= 5 {
            ((last - width).max(-INFINITE), (last + width).min(INFINITE))
        } else {
            (-INFINITE, INFINITE)
        };
        let mut reduced = 0;
        loop {
            let at = (depth as i32 - reduced).max(1);
            let score = self.alpha_beta::<true>(Node { ply: 0, depth: at, alpha, beta, cut: false });
            if !self.frames[0].pv.is_empty() {
                best.clone_from(&self.frames[0].pv);
            }
            if self.stopped {
                return None;
            }
            if score <= alpha {
                self.report(depth, score, Certainty::AtMost, info);
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                reduced = 0;
            } else if score >= beta {
                self.report(depth, score, Certainty::AtLeast, info);
                beta = (score + width).min(INFINITE);
                reduced = (reduced + 1).min(3);
            } else {
                return Some(score);
            }
            width = if width > margin(600) { 2 * INFINITE } else { width * 2 };
        }
    }

    fn report(&self, depth: u32, score: i32, certainty: Certainty, info: &mut dyn FnMut(&Info<'_>)) {
        info(&Info {
            depth,
            selective_depth: self.selective_depth as u32,
            value: Value::from_score(score),
            certainty,
            nodes: self.nodes,
            elapsed: self.began.elapsed(),
            hash_fill: self.table.fill(),
            pv: &self.frames[0].pv,
        });
    }

    /// Whether another iteration should not be begun.
    fn out_of_time(&self, score: i32) -> bool {
        if self.pondering() {
            return false;
        }
        let Some(time) = self.limits.time else { return false };
        let forced = self.root_moves.len() == 1 && score.abs() < MATE_BOUND && time.soft < time.hard;
        forced || self.began.elapsed() >= time.soft
    }

    fn pondering(&self) -> bool {
        self.limits.signals.as_ref().is_some_and(|signals| signals.pondering.load(Ordering::Relaxed))
    }

    /// Whether the search must end now. Asked at every node; looks at the clock at every thousandth, but not before the first,
    /// so that a search that was stopped before it began has something to say.
    fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            self.stopped = true;
        } else if self.nodes > 0 && self.nodes.is_multiple_of(1024) {
            let signalled = self.limits.signals.as_ref().is_some_and(|signals| signals.stop.load(Ordering::Relaxed));
            let late = self.limits.time.is_some_and(|time| self.began.elapsed() >= time.hard) && !self.pondering();
            self.stopped = signalled || late;
        }
        self.stopped
    }

    /// The static evaluation for the side to move.
    fn evaluate(&mut self, ply: usize) -> i32 {
        self.evaluate_knowing(ply, None)
    }

    /// The same, from what the table has kept if it has: the clock may be another than then. The frame keeps both parts.
    fn evaluate_knowing(&mut self, ply: usize, found: Option<Found>) -> i32 {
        let frame = &mut self.frames[ply];
        let sign = if frame.state.position().turn().is_white() { 1 } else { -1 };
        let appraisal = match found {
            Some(Found { lasting, .. }) if lasting != NO_EVAL => {
                let lasting = sign * lasting;
                Appraisal { centipawns: self.evaluator.appraise_again(&frame.state, lasting), lasting }
            }
            _ => self.evaluator.appraise(&frame.state),
        };
        (frame.eval, frame.lasting) = (sign * appraisal.centipawns, sign * appraisal.lasting);
        frame.eval
    }

    /// In check there is nothing to evaluate.
    fn no_evaluation(&mut self, ply: usize) -> i32 {
        let frame = &mut self.frames[ply];
        (frame.eval, frame.lasting) = (NO_EVAL, NO_EVAL);
        NO_EVAL
    }

    /// Makes a move from the position at `ply`.
    fn make(&mut self, ply: usize, m: Move) {
        let (before, after) = self.frames.split_at_mut(ply + 1);
        let state = &mut after[0].state;
        state.clone_from(&before[ply].state);
        state.play(m);
        self.keys.push(state.key());
        self.nodes += 1;
    }

    fn unmake(&mut self) {
        self.keys.pop();
    }

    /// Whether the position at `ply` is a draw by repetition, the fifty moves or for lack of material.
    ///
    /// Once is enough for a repetition within the line searched: who can repeat once can do so again. Positions of
    /// the game before the root must have stood there twice. What stands before a null move cannot come again.
    fn is_draw(&self, ply: usize) -> bool {
        let state: &State = &self.frames[ply].state;
        let position = state.position();
        if state.clock() >= 100 {
            // Mate on the hundredth ply counts.
            return !position.is_check() || !position.legal_moves().is_empty();
        }
        if position.is_insufficient_material() {
            return true;
        }
        let here = self.keys.len() - 1;
        let oldest = here.saturating_sub(state.reversible() as usize);
        let mut earlier = 0;
        let mut i = here;
        while i >= oldest + 2 {
            i -= 2;
            if self.keys[i] == state.key() {
                earlier += 1;
                if i > self.root_key || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }
}

impl<E> std::fmt::Debug for Searcher<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// From this state of the fifty-move clock on, scores that were found with another state of it end no search.
const CLOCK_OF_SCORES: u32 = 90;

/// The value of a draw.
const DRAW: i32 = 0;

/// No move: see [`ShortMove::NONE`].
const NO_MOVE: ShortMove = ShortMove::NONE;

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::eval::Evaluator;

    #[test]
    fn null_moves_lead_to_no_repetition() {
        let mut searcher = Searcher::new(Evaluator::default(), 1);
        let mut after = |line: &[&str]| {
            searcher.frames[0].state = State::new(shakmaty::Chess::default());
            searcher.keys = vec![searcher.frames[0].state.key()];
            for (ply, text) in line.iter().enumerate() {
                if *text == "pass" {
                    searcher.pass(ply);
                } else {
                    let played: UciMove = text.parse().expect("a move");
                    let played = played.to_move(searcher.frames[ply].state.position()).expect("legal");
                    searcher.make(ply, played);
                }
            }
            searcher.is_draw(line.len())
        };
        assert!(after(&["a2a3", "g8f6", "g1f3", "f6g8", "f3g1"]));
        // The same position, but White has twice not moved at all.
        assert!(!after(&["a2a3", "g8f6", "pass", "f6g8", "pass"]));
        // After a null move moves can be repeated as ever.
        assert!(after(&["a2a3", "pass", "g1f3", "g8f6", "f3g1", "f6g8"]));
    }
}
