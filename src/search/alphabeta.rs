//! The principal variation search.

use shakmaty::{Move, Position};

use super::history::{Placed, bonus, has_officers, is_noisy};
use super::moves::ShortMove;
use super::picker::{Hints, Picker, Ranked};
use super::table::{Bound, Found, NO_EVAL};
use super::{DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, NO_MOVE, Searcher, margin, see};
use crate::eval::{Evaluate, State};

/// What the search keeps for each ply of the line it looks at.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub state: State,
    /// The best line from here on.
    pub pv: Vec<Move>,
    pub eval: i32,
    /// What was played from here; `None` for a pass.
    played: Option<Placed>,
    /// A move that is left out, to see what the position is worth without it.
    excluded: ShortMove,
    killers: [ShortMove; 2],
    /// Memory for the lists of moves.
    lists: [Vec<Ranked>; 3],
    pub noisy: Vec<Ranked>,
    tried_quiets: Vec<Move>,
    tried_captures: Vec<Move>,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            state: State::new(shakmaty::Chess::default()),
            pv: Vec::with_capacity(MAX_PLY),
            eval: NO_EVAL,
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

/// log2 in 1/256, straight between powers of two: the same on every machine.
const fn log2_256(n: u32) -> i32 {
    let whole = n.ilog2();
    ((whole << 8) + ((n << 8) >> whole) - 256) as i32
}

/// How many plies a late quiet move is searched less, in 1/1024: grows with the logarithms of depth and number.
const fn reduction(depth: i32, number: usize) -> i32 {
    let depth = if depth > 63 { 63 } else { depth };
    let number = if number > 63 { 63 } else { number };
    REDUCTIONS[depth as usize][number]
}

static REDUCTIONS: [[i32; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut number = 1;
        while number < 64 {
            // 0.8 + log2(d) log2(n) / 4.8 = 0.8 + ln(d) ln(n) / 2.3
            table[depth][number] = 820 + log2_256(depth as u32) * log2_256(number as u32) / 64 * 10 / 48;
            number += 1;
        }
        depth += 1;
    }
    table
};

impl<E: Evaluate> Searcher<E> {
    /// The score of the position at `ply` for the side to move: exact within the window, a bound outside (fail soft).
    ///
    /// `PV` is whether the window is open; `cut` whether a score above it is expected.
    pub(super) fn alpha_beta<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiescence::<PV>(ply, alpha, beta);
        }
        self.frames[ply].pv.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let in_check = self.frames[ply].state.position().is_check();
        let (mut alpha, mut beta) = (alpha, beta);
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
            && self.frames[ply].state.position().halfmoves() < 90
        {
            return found.score;
        }
        let table_move = found.and_then(|found| found.best.in_position(self.frames[ply].state.position()));

        let eval = match found {
            _ if in_check => NO_EVAL,
            Some(found) if found.eval != NO_EVAL => found.eval,
            _ if excluded != NO_MOVE => self.frames[ply].eval,
            _ => self.evaluate(ply),
        };
        self.frames[ply].eval = eval;
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
        let improving = !in_check && ply >= 2 && {
            let before = self.frames[ply - 2].eval;
            let before = if before == NO_EVAL && ply >= 4 { self.frames[ply - 4].eval } else { before };
            before != NO_EVAL && eval > before
        };
        self.frames[ply + 1].killers = [NO_MOVE; 2];

        let mut depth = depth;
        // Without a move to begin with, a shallower search finds one sooner.
        if depth >= 4 && table_move.is_none() && excluded == NO_MOVE && (PV || cut) {
            depth -= 1;
        }

        if !PV && !in_check && excluded == NO_MOVE && beta.abs() < MATE_BOUND {
            if let Some(score) = self.prune(ply, depth, alpha, beta, estimate, improving, cut) {
                return score;
            }
            if self.stopped {
                return DRAW;
            }
        }
        self.moves::<PV>(
            ply,
            depth,
            alpha,
            beta,
            cut,
            &Node { in_check, found, table_move, estimate, improving, excluded },
        )
    }

    /// Ends a node that is far outside the window without looking at its moves.
    #[expect(clippy::too_many_arguments, reason = "the state of a node")]
    fn prune(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        estimate: i32,
        improving: bool,
        cut: bool,
    ) -> Option<i32> {
        // Reverse futility: so far above the window that no quiet reply will bring it back.
        if depth <= 8 && estimate - margin(75) * (depth - i32::from(improving)) >= beta {
            return Some((estimate + beta) / 2);
        }
        // Razoring: so far below that only captures could help.
        if depth <= 3 && estimate + margin(220) * depth + margin(60) <= alpha {
            let score = self.quiescence::<false>(ply, alpha, alpha + 1);
            if score <= alpha {
                return Some(score);
            }
        }
        // Null move: if passing holds the window, a move will too. Not without officers, where passing may be best.
        let passed = ply > 0 && self.frames[ply - 1].played.is_none();
        if depth >= 3
            && estimate >= beta
            && !passed
            && (cut || depth < 8)
            && has_officers(self.frames[ply].state.position())
        {
            let reduced = depth - 4 - depth / 4 - ((estimate - beta) / margin(180)).min(3);
            self.pass(ply);
            let score = -self.alpha_beta::<false>(ply + 1, reduced, -beta, 1 - beta, !cut);
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= beta {
                return Some(if score >= MATE_BOUND { beta } else { score });
            }
        }
        None
    }

    fn pass(&mut self, ply: usize) {
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

    fn moves<const PV: bool>(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, cut: bool, node: &Node) -> i32 {
        let root = ply == 0;
        let (old_alpha, mut alpha) = (alpha, alpha);
        let color = self.frames[ply].state.position().turn();
        let before = self.before(ply);
        let hints = Hints {
            table: node.table_move,
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
        let mut skip_quiets = false;

        while let Some(m) = picker.next(self.frames[ply].state.position(), &self.history) {
            if ShortMove::new(m) == node.excluded || (root && !self.root_moves.contains(&m)) {
                continue;
            }
            let noisy = is_noisy(m);
            if skip_quiets && !noisy {
                continue;
            }
            number += 1;
            let quiet_history = if noisy { 0 } else { self.history.quiet(color, m, before) };
            if !root && best > -MATE_BOUND {
                match self.skips(ply, depth, alpha, node, m, number, quiet_history) {
                    Skip::No => {}
                    Skip::Move => continue,
                    Skip::Quiets => {
                        skip_quiets = true;
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let extension = match self.extension(ply, depth, beta, cut, node, m) {
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
            // Checks are looked at more deeply, unless the line has been stretched enough.
            let new_depth = new_depth
                + i32::from(
                    gives_check
                        && extension == 0
                        && depth <= 6
                        && ply < 2 * MAX_PLY / 3
                        && !self.stopped
                        && see_of_check(noisy, quiet_history),
                );

            let mut score = 0;
            let late = number > 1 + usize::from(PV) && depth >= 2;
            let mut full = !PV || number > 1;
            if late {
                let mut less = if noisy { 0 } else { reduction(depth, number) };
                if !noisy {
                    less +=
                        if PV { -1024 } else { 0 } + if cut { 1400 } else { 0 } + if node.improving { 0 } else { 700 };
                    less -= quiet_history / 10;
                    less -= if gives_check || node.in_check { 1024 } else { 0 };
                } else if cut {
                    less += 512;
                }
                let reduced = (new_depth - less / 1024).clamp(1, new_depth.max(1));
                if reduced < new_depth || full {
                    score = -self.alpha_beta::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
                    full = score > alpha && reduced < new_depth;
                }
            }
            if full {
                score = -self.alpha_beta::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut);
            }
            if PV && (number == 1 || score > alpha) {
                score = -self.alpha_beta::<true>(ply + 1, new_depth, -beta, -alpha, false);
            }
            self.unmake();
            if self.stopped {
                self.frames[ply].lists = picker.into_lists();
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
            let frame = &mut self.frames[ply];
            if noisy { &mut frame.tried_captures } else { &mut frame.tried_quiets }.push(m);
        }
        self.frames[ply].lists = picker.into_lists();
        if number == 0 {
            // With a move left out there is nothing to say; else it is mate or stalemate.
            return if node.excluded != NO_MOVE {
                old_alpha
            } else if node.in_check {
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
        if node.excluded == NO_MOVE && !(root && !self.limits.moves.is_empty()) {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > old_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let best_move = best_move.map_or(NO_MOVE, ShortMove::new);
            let found = Found { best: best_move, score: best, eval: self.frames[ply].eval, depth, bound };
            self.table.put(self.frames[ply].state.key(), ply, found);
        }
        best
    }

    /// Whether a move is not worth a search at this depth.
    #[expect(clippy::too_many_arguments, reason = "the state of a node and of a move")]
    fn skips(&self, ply: usize, depth: i32, alpha: i32, node: &Node, m: Move, number: usize, history: i32) -> Skip {
        let position = self.frames[ply].state.position();
        if is_noisy(m) {
            let losing = depth <= 7 && !see::wins_at_least(position, m, -90 * depth);
            return if losing { Skip::Move } else { Skip::No };
        }
        // Late: so many moves before it were no better.
        if depth <= 8 && number as i32 > (4 + depth * depth) / if node.improving { 1 } else { 2 } {
            return Skip::Quiets;
        }
        // Futile: a quiet move will not lift the score into the window.
        if !node.in_check && depth <= 7 && node.estimate + margin(90) + margin(85) * depth + margin(history / 256) <= alpha {
            return Skip::Quiets;
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
    fn extension(&mut self, ply: usize, depth: i32, beta: i32, cut: bool, node: &Node, m: Move) -> Extension {
        let Some(found) = node.found else { return Extension::By(0) };
        if ply == 0
            || depth < 7
            || Some(m) != node.table_move
            || node.excluded != NO_MOVE
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
        let score = self.alpha_beta::<false>(ply, (depth - 1) / 2, below - 1, below, cut);
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

/// Checks by moves that have done badly are not stretched.
fn see_of_check(noisy: bool, history: i32) -> bool {
    noisy || history > -4000
}

/// What is known about a node before its moves.
struct Node {
    in_check: bool,
    found: Option<Found>,
    table_move: Option<Move>,
    estimate: i32,
    improving: bool,
    excluded: ShortMove,
}

enum Skip {
    No,
    /// This move.
    Move,
    /// This and all other quiet moves.
    Quiets,
}

enum Extension {
    By(i32),
    /// The node is done.
    Return(i32),
}
