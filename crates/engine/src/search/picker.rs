//! The order in which moves are tried: the best of an earlier search, captures that win something, quiet moves by what
//! they have done before, captures that lose.

use shakmaty::{Chess, Color, Move, Position};

use super::history::{History, Placed, is_noisy};
use super::moves::{ShortMove, checks_directly};
use super::see;

/// A move with the number that it is ordered by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    m: Move,
    rank: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    Generate,
    GoodCaptures,
    RankQuiets,
    Quiets,
    BadCaptures,
}

/// What the order depends on beside the histories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints {
    pub table: Option<Move>,
    pub killers: [ShortMove; 2],
    pub counter: ShortMove,
    pub before: [Option<Placed>; 2],
}

/// Yields each legal move once, best first; most are ranked only when the search gets to them.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    color: Color,
    captures: Vec<Ranked>,
    bad: Vec<Ranked>,
    quiets: Vec<Ranked>,
}

impl Picker {
    /// `lists` are emptied and used, see [`into_lists`](Self::into_lists).
    pub fn new(color: Color, hints: Hints, lists: [Vec<Ranked>; 3]) -> Picker {
        let [mut captures, mut bad, mut quiets] = lists;
        captures.clear();
        bad.clear();
        quiets.clear();
        Picker { stage: Stage::Table, hints, color, captures, bad, quiets }
    }

    /// The memory, for the next picker.
    pub fn into_lists(self) -> [Vec<Ranked>; 3] {
        [self.captures, self.bad, self.quiets]
    }

    /// Leaves out the quiet moves that do not give check: for a node that has seen enough of them.
    pub fn keep_checks(&mut self, position: &Chess) {
        self.quiets.retain(|ranked| checks_directly(position, ranked.m));
    }

    /// The next move, or `None` when all have been tried.
    pub fn next(&mut self, position: &Chess, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.hints.table.is_some() {
                        return self.hints.table;
                    }
                }
                Stage::Generate => {
                    self.generate(position, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match take_best(&mut self.captures) {
                    // A capture that has done well before may lose a little.
                    Some(ranked) if see::wins_at_least(position, ranked.m, -ranked.rank / 64) => return Some(ranked.m),
                    Some(ranked) => self.bad.push(ranked),
                    None => self.stage = Stage::RankQuiets,
                },
                Stage::RankQuiets => {
                    self.rank_quiets(history);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match take_best(&mut self.quiets) {
                    Some(ranked) => return Some(ranked.m),
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.bad.reverse();
                    }
                },
                Stage::BadCaptures => return self.bad.pop().map(|ranked| ranked.m),
            }
        }
    }

    fn generate(&mut self, position: &Chess, history: &History) {
        for m in position.legal_moves() {
            if Some(m) == self.hints.table {
                continue;
            }
            if is_noisy(m) {
                let rank = capture_rank(self.color, m, history);
                self.captures.push(Ranked { m, rank });
            } else {
                self.quiets.push(Ranked { m, rank: 0 });
            }
        }
    }

    fn rank_quiets(&mut self, history: &History) {
        let Hints { killers, counter, before, .. } = self.hints;
        for ranked in &mut self.quiets {
            let short = ShortMove::new(ranked.m);
            ranked.rank = if short == killers[0] {
                3 << 20
            } else if short == killers[1] {
                2 << 20
            } else if short == counter {
                1 << 20
            } else if ranked.m.is_promotion() {
                -(1 << 20) // To a knight, bishop or rook.
            } else {
                history.quiet(self.color, ranked.m, before)
            };
        }
    }
}

/// Most valuable victim first, moved by what the capture has done before.
pub(super) fn capture_rank(color: Color, m: Move, history: &History) -> i32 {
    let gain = m.capture().map_or(0, see::value) + m.promotion().map_or(0, see::value);
    gain * 16 + history.capture(color, m) / 4
}

/// Takes the first move of the highest rank out of the list. The rest may change places.
fn take_best(moves: &mut Vec<Ranked>) -> Option<Ranked> {
    let mut best = 0;
    for i in 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    (!moves.is_empty()).then(|| moves.swap_remove(best))
}

impl Ranked {
    pub fn new(m: Move, rank: i32) -> Ranked {
        Ranked { m, rank }
    }

    /// Takes the move of the highest rank out of the list.
    pub fn take_best(moves: &mut Vec<Ranked>) -> Option<Move> {
        take_best(moves).map(|ranked| ranked.m)
    }
}
