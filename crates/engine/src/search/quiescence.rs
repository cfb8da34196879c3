//! Quiescence: captures are played out before a position is evaluated.

use shakmaty::{Move, Position};

use super::moves::{ShortMove, is_safe, noisy_moves};
use super::picker::{Ranked, capture_rank};
use super::table::{Bound, Found};
use super::{CLOCK_OF_SCORES, DRAW, MATE, MAX_PLY, NO_MOVE, Searcher, margin, see};
use crate::eval::Evaluate;

/// A capture that brings the score no nearer than this to the window, in centipawns, is not tried.
const MARGIN: i32 = 140;

impl<E: Evaluate> Searcher<E> {
    pub(super) fn quiescence<const PV: bool>(&mut self, ply: usize, alpha: i32, beta: i32) -> i32 {
        self.frames[ply].pv.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if self.is_draw(ply) {
            return DRAW;
        }
        let in_check = self.frames[ply].state.position().is_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(ply) };
        }
        let key = self.frames[ply].state.key();
        let found = self.table.get(key, ply);
        if let Some(found) = found
            && !PV
            && match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score >= beta,
                Bound::Upper => found.score <= alpha,
                Bound::None => false,
            }
            && self.frames[ply].state.clock() < CLOCK_OF_SCORES
        {
            return found.score;
        }

        let mut best = if in_check {
            self.no_evaluation(ply);
            ply as i32 - MATE
        } else {
            let eval = self.evaluate_knowing(ply, found);
            match found {
                Some(found) if found.bound == Bound::Exact => found.score,
                Some(found) if found.bound == Bound::Lower => found.score.max(eval),
                Some(found) if found.bound == Bound::Upper => found.score.min(eval),
                _ => eval,
            }
        };
        let lasting = self.frames[ply].lasting;
        if best >= beta {
            if found.is_none() {
                let found = Found { best: NO_MOVE, score: best, lasting, depth: 0, bound: Bound::Lower };
                self.table.put(key, ply, found);
            }
            return best;
        }
        let old_alpha = alpha;
        let mut alpha = alpha.max(best);
        let futility = best + margin(MARGIN);
        let mut best_move = None;

        let table_move = found.map_or(NO_MOVE, |found| found.best);
        let mut moves = self.ranked(ply, in_check, table_move);
        while let Some(m) = Ranked::take_best(&mut moves) {
            if !in_check {
                let position = self.frames[ply].state.position();
                let gain = margin(m.capture().map_or(0, see::value) + m.promotion().map_or(0, see::value));
                if futility + gain <= alpha {
                    best = best.max(futility + gain);
                    continue;
                }
                if !see::wins_at_least(position, m, 0) {
                    continue;
                }
            } else if best > -MATE + MAX_PLY as i32 && !m.is_capture() {
                // An evasion that holds is enough; the others cost more than they tell.
                continue;
            }
            self.make(ply, m);
            if !in_check && !is_safe(self.frames[ply + 1].state.position()) {
                self.nodes -= 1;
                self.unmake();
                continue;
            }
            let score = -self.quiescence::<PV>(ply + 1, -beta, -alpha);
            self.unmake();
            if self.stopped {
                self.frames[ply].noisy = moves;
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
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
                    alpha = score;
                }
            }
        }
        self.frames[ply].noisy = moves;
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > old_alpha && PV => Bound::Exact,
            _ => Bound::Upper,
        };
        let best_move = best_move.map_or(NO_MOVE, ShortMove::new);
        self.table.put(key, ply, Found { best: best_move, score: best, lasting, depth: 0, bound });
        best
    }

    /// All moves out of check, or the captures; ranked. The list belongs to the frame and goes back there.
    fn ranked(&mut self, ply: usize, in_check: bool, table_move: ShortMove) -> Vec<Ranked> {
        let mut moves = std::mem::take(&mut self.frames[ply].noisy);
        moves.clear();
        let position = self.frames[ply].state.position();
        let color = position.turn();
        let mut add = |m: Move| {
            let first = if ShortMove::new(m) == table_move { 1 << 24 } else { 0 };
            moves.push(Ranked::new(m, first + capture_rank(color, m, &self.history)));
        };
        if in_check {
            position.legal_moves().into_iter().for_each(&mut add);
        } else {
            noisy_moves(position, add);
        }
        moves
    }
}
