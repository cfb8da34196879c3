//! The principal variation search.

use shakmaty::{Move, Position};

use super::history::{Placed, bonus, is_noisy};
use super::moves::ShortMove;
use super::node::{Known, Node};
use super::picker::{Hints, Picker};
use super::reduction::reduction;
use super::selectivity::{Extension, Skip};
use super::table::{Bound, Found, NO_EVAL};
use super::{CLOCK_OF_SCORES, DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, NO_MOVE, Searcher};
use crate::eval::Evaluate;

impl<E: Evaluate> Searcher<E> {
    /// The score of a node for its side to move: exact within the window, a bound outside (fail soft).
    ///
    /// `PV` is whether the window is open.
    pub(super) fn alpha_beta<const PV: bool>(&mut self, node: Node) -> i32 {
        let Node { ply, mut depth, mut alpha, mut beta, cut } = node;
        if depth <= 0 {
            return self.quiescence::<PV>(ply, alpha, beta);
        }
        self.frames[ply].pv.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let in_check = self.frames[ply].state.position().is_check();
        if ply > 0 {
            if self.is_draw(ply) {
                return DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.evaluate(ply) };
            }
            // No line from here is worse than being mated now or better than mating next.
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frames[ply].excluded;
        let key = self.frames[ply].state.key();
        let found = if excluded == NO_MOVE { self.table.get(key, ply) } else { None };
        if let Some(found) = found
            && !PV
            && found.depth >= depth
            && match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score >= beta,
                Bound::Upper => found.score <= alpha,
                Bound::None => false,
            }
            // Near the fifty moves a score from another history may be wrong.
            && self.frames[ply].state.clock() < CLOCK_OF_SCORES
        {
            return found.score;
        }
        let table_move = found.and_then(|found| found.best.in_position(self.frames[ply].state.position()));

        let eval = match found {
            _ if in_check => self.no_evaluation(ply),
            // It is this node again, evaluated before.
            _ if excluded != NO_MOVE => self.frames[ply].eval,
            found => self.evaluate_knowing(ply, found),
        };
        // A score from the table is a better estimate where it bounds the right side.
        let estimate = match found {
            Some(found) if !in_check => match found.bound {
                Bound::Exact => found.score,
                Bound::Lower => found.score.max(eval),
                Bound::Upper => found.score.min(eval),
                Bound::None => eval,
            },
            _ => eval,
        };
        // By what lasts: the clock has run on, so that the evaluation itself may fall with every quiet move of the side ahead.
        let improving = !in_check && ply >= 2 && {
            let before = self.frames[ply - 2].lasting;
            let before = if before == NO_EVAL && ply >= 4 { self.frames[ply - 4].lasting } else { before };
            before != NO_EVAL && self.frames[ply].lasting > before
        };
        self.frames[ply + 1].killers = [NO_MOVE; 2];

        // Without a move to begin with, a shallower search finds one sooner.
        if depth >= 4 && table_move.is_none() && excluded == NO_MOVE && (PV || cut) {
            depth -= 1;
        }

        let node = Node { ply, depth, alpha, beta, cut };
        let known = Known { in_check, found, table_move, estimate, improving, excluded };
        if !PV && !in_check && excluded == NO_MOVE && beta.abs() < MATE_BOUND {
            if let Some(score) = self.prune(&node, &known) {
                return score;
            }
            if self.stopped {
                return DRAW;
            }
        }
        self.moves::<PV>(node, &known)
    }

    pub(super) fn pass(&mut self, ply: usize) {
        let (before, after) = self.frames.split_at_mut(ply + 1);
        let state = &mut after[0].state;
        state.clone_from(&before[ply].state);
        state.pass();
        before[ply].played = None;
        self.keys.push(state.key());
        self.nodes += 1;
    }

    /// What was played one and two plies before.
    fn before(&self, ply: usize) -> [Option<Placed>; 2] {
        [1, 2].map(|back| if ply >= back { self.frames[ply - back].played } else { None })
    }

    /// Tries the moves of a node, best first.
    fn moves<const PV: bool>(&mut self, mut node: Node, known: &Known) -> i32 {
        let Node { ply, depth, alpha: old_alpha, beta, cut } = node;
        let root = ply == 0;
        let color = self.frames[ply].state.position().turn();
        let before = self.before(ply);
        let hints = Hints {
            table: known.table_move,
            killers: self.frames[ply].killers,
            counter: self.history.counter(before[0]),
            before,
        };
        let lists = std::mem::take(&mut self.frames[ply].lists);
        let mut picker = Picker::new(color, hints, lists);
        self.frames[ply].tried_quiets.clear();
        self.frames[ply].tried_captures.clear();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;

        while let Some(m) = picker.next(self.frames[ply].state.position(), &self.history) {
            if ShortMove::new(m) == known.excluded || (root && !self.root_moves.contains(&m)) {
                continue;
            }
            let noisy = is_noisy(m);
            number += 1;
            let quiet_history = if noisy { 0 } else { self.history.quiet(color, m, before) };
            if !root && best > -MATE_BOUND {
                match self.skips(&node, known, m, number, quiet_history) {
                    Skip::No => {}
                    Skip::Move => continue,
                    Skip::Quiets => {
                        picker.keep_checks(self.frames[ply].state.position());
                        continue;
                    }
                }
            }
            let extension = match self.extension(&node, known, m) {
                Extension::By(plies) => plies,
                Extension::Return(score) => {
                    self.frames[ply].lists = picker.into_lists();
                    return score;
                }
            };
            let placed = Placed::new(color, m);
            self.frames[ply].played = Some(placed);
            let new_depth = depth - 1 + extension;
            self.make(ply, m);
            let gives_check = self.frames[ply + 1].state.position().is_check();
            // Checks are looked at more deeply, unless the line has been stretched enough or the move has done badly.
            let check = gives_check && extension == 0 && depth <= 6 && ply < 2 * MAX_PLY / 3;
            let new_depth = new_depth + i32::from(check && (noisy || quiet_history > -4000));

            let mut score = 0;
            let late = number > 1 + usize::from(PV) && depth >= 2;
            let mut full = !PV || number > 1;
            if late {
                let mut less = if noisy { 0 } else { reduction(depth, number) };
                if !noisy {
                    less +=
                        if PV { -1024 } else { 0 } + if cut { 1400 } else { 0 } + if known.improving { 0 } else { 700 };
                    less -= quiet_history / 10;
                    less -= if gives_check || known.in_check { 1024 } else { 0 };
                } else if cut {
                    less += 512;
                }
                let reduced = (new_depth - less / 1024).clamp(1, new_depth.max(1));
                if reduced < new_depth || full {
                    score = -self.alpha_beta::<false>(node.child_above_alpha(reduced, true));
                    full = score > node.alpha && reduced < new_depth;
                }
            }
            if full {
                score = -self.alpha_beta::<false>(node.child_above_alpha(new_depth, !cut));
            }
            if PV && (number == 1 || score > node.alpha) {
                score = -self.alpha_beta::<true>(node.child(new_depth, false));
            }
            self.unmake();
            if self.stopped {
                self.frames[ply].lists = picker.into_lists();
                return DRAW;
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(m);
                    if PV {
                        let (here, below) = self.frames.split_at_mut(ply + 1);
                        here[ply].pv.clear();
                        here[ply].pv.push(m);
                        here[ply].pv.extend_from_slice(&below[0].pv);
                    }
                    if score >= beta {
                        break;
                    }
                    node.alpha = score;
                }
            }
            let frame = &mut self.frames[ply];
            if noisy { &mut frame.tried_captures } else { &mut frame.tried_quiets }.push(m);
        }
        self.frames[ply].lists = picker.into_lists();
        if number == 0 {
            // With a move left out there is nothing to say; else it is mate or stalemate.
            return if known.excluded != NO_MOVE {
                old_alpha
            } else if known.in_check {
                ply as i32 - MATE
            } else {
                DRAW
            };
        }
        if let Some(m) = best_move
            && best >= beta
        {
            self.reward(ply, depth, color, before, m);
        }
        if known.excluded == NO_MOVE && (!root || self.limits.moves.is_empty()) {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > old_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let best_move = best_move.map_or(NO_MOVE, ShortMove::new);
            let found = Found { best: best_move, score: best, lasting: self.frames[ply].lasting, depth, bound };
            self.table.put(self.frames[ply].state.key(), ply, found);
        }
        best
    }

    /// Remembers a move that was too good to be allowed, and those tried before it that were not.
    fn reward(&mut self, ply: usize, depth: i32, color: shakmaty::Color, before: [Option<Placed>; 2], m: Move) {
        let bonus = bonus(depth);
        let frame = &mut self.frames[ply];
        if is_noisy(m) {
            self.history.reward_capture(color, m, bonus);
        } else {
            let short = ShortMove::new(m);
            if frame.killers[0] != short {
                frame.killers = [short, frame.killers[0]];
            }
            self.history.set_counter(before[0], m);
            self.history.reward_quiet(color, m, before, bonus);
            for tried in &frame.tried_quiets {
                self.history.reward_quiet(color, *tried, before, -bonus);
            }
        }
        for tried in &frame.tried_captures {
            self.history.reward_capture(color, *tried, -bonus);
        }
    }
}
