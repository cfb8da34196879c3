//! The list of the terms: what the evaluation counts, and where each weight stands.

use super::packed::Tapered;
use super::weights::WEIGHTS;

/// Terms of one kind with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What is counted, and by what the terms of the group are told apart.
    pub name: &'static str,
    /// The number of the first term.
    pub first: usize,
    /// How many there are.
    pub len: usize,
}

impl Group {
    const fn after(before: &Group, name: &'static str, len: usize) -> Group {
        Group { name, first: before.first + before.len, len }
    }

    /// The number of the `i`-th term; what is beyond the last counts as the last.
    pub(super) fn at(&self, i: usize) -> usize {
        self.first + i.min(self.len - 1)
    }
}

macro_rules! groups {
    ($first:ident, $first_name:literal, $first_len:expr; $($name:ident, $before:ident, $text:literal, $len:expr;)+) => {
        pub(super) const $first: Group = Group { name: $first_name, first: 0, len: $first_len };
        $(pub(super) const $name: Group = Group::after(&$before, $text, $len);)+
        /// All groups in order. Each term is counted for White, less the same for Black.
        pub const GROUPS: &[Group] = &[$first, $($name),+];
    };
}

groups! {
    PLACED, "a piece on a square, by role (pawn to king) and square (a1 to h8 as its side sees it)", 6 * 64;
    KNIGHT_MOBILITY, PLACED, "knight, by the squares it may go to", 9;
    BISHOP_MOBILITY, KNIGHT_MOBILITY, "bishop, by the squares it may go to", 14;
    ROOK_MOBILITY, BISHOP_MOBILITY, "rook, by the squares it may go to", 15;
    QUEEN_MOBILITY, ROOK_MOBILITY, "queen, by the squares it may go to", 28;
    BISHOP_PAIR, QUEEN_MOBILITY, "two bishops or more", 1;
    BISHOP_PAWNS, BISHOP_PAIR, "own pawns on the colour of a bishop, each pawn", 1;
    ROOK_FILE, BISHOP_PAWNS, "rook on a file without own pawns; without any pawns", 2;
    OUTPOST, ROOK_FILE, "knight, bishop behind no enemy pawn and defended by a pawn", 2;
    MINOR_BEHIND_PAWN, OUTPOST, "knight or bishop right behind a pawn", 1;
    ISOLATED, MINOR_BEHIND_PAWN, "pawn without own pawns on the next files; the same with no enemy pawn ahead", 2;
    DOUBLED, ISOLATED, "pawn with an own pawn in front of it", 1;
    BACKWARD, DOUBLED, "pawn with no own pawn beside or behind and a stop square that a pawn attacks; the same with no enemy pawn ahead", 2;
    CONNECTED, BACKWARD, "pawn beside an own pawn or defended by one, by rank", 8;
    DEFENDED, CONNECTED, "pawn defended by a pawn, by rank", 8;
    CANDIDATE, DEFENDED, "pawn on a file without enemy pawns that is not passed but has as many helpers as guards, by rank", 8;
    PASSED, CANDIDATE, "passed pawn, by rank", 8;
    PASSED_BLOCKED, PASSED, "passed pawn with a piece of the enemy in front of it, by rank", 8;
    PASSED_SAFE, PASSED_BLOCKED, "passed pawn whose next square the enemy does not attack, by rank", 8;
    PASSED_CLEAR, PASSED_SAFE, "passed pawn with no piece on its way, by rank", 8;
    PASSED_OWN_KING, PASSED_CLEAR, "passed pawn beyond rank 3, by the distance of the own king to its next square", 8;
    PASSED_ENEMY_KING, PASSED_OWN_KING, "passed pawn beyond rank 3, by the distance of the enemy's king to its next square", 8;
    PASSED_ROOK, PASSED_ENEMY_KING, "passed pawn with an own rook behind it; with an enemy's", 2;
    SHELTER, PASSED_ROOK, "king's file, then next files: rank of the own pawn in front of the king, 0 for none", 16;
    STORM, SHELTER, "king's file, then next files: rank (its own) of the nearest enemy pawn that is not rammed, 0 for none", 16;
    KING_OPEN, STORM, "king on or beside a file without own pawns; without any pawns", 2;
    DANGER, KING_OPEN, "the king, by the units of attack on it", 48;
    THREAT_BY_PAWN, DANGER, "pawn attacks a knight, bishop, rook, queen", 4;
    THREAT_BY_MINOR, THREAT_BY_PAWN, "knight or bishop attacks an undefended pawn, a knight, bishop, rook, queen", 5;
    THREAT_BY_ROOK, THREAT_BY_MINOR, "rook attacks an undefended pawn, an undefended knight or bishop, a queen", 3;
    THREAT_BY_KING, THREAT_BY_ROOK, "king attacks an undefended piece", 1;
    HANGING, THREAT_BY_KING, "enemy piece attacked and not defended", 1;
    PUSH_THREAT, HANGING, "pawn that can safely move to attack a piece", 1;
    SPACE, PUSH_THREAT, "safe square behind or between own pawns on the four middle files", 1;
    TEMPO, SPACE, "the side to move", 1;
}

/// How many terms there are.
pub const TERMS: usize = {
    let last = GROUPS[GROUPS.len() - 1];
    last.first + last.len
};

/// The weights in the form in which they are added.
pub(super) static VALUES: [Tapered; TERMS] = {
    assert!(WEIGHTS.len() == TERMS, "weights.rs was made for other terms: make it again by examples/tune_eval.rs");
    let mut values = [Tapered::ZERO; TERMS];
    let mut i = 0;
    while i < TERMS {
        values[i] = Tapered::new(WEIGHTS[i].0, WEIGHTS[i].1);
        i += 1;
    }
    values
};

/// Takes down what the evaluation counts.
///
/// The evaluation is written once, over this trait: with `Sum` it yields the score, with `Trace` the counts that
/// a fit of the weights needs.
pub(super) trait Sink {
    /// Counts a term `times` times for the side whose turn to be counted it is.
    fn add(&mut self, term: usize, times: i32);

    /// Goes over to counting the other side.
    fn other_side(&mut self);
}

/// The score: White's sum less Black's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum(pub Tapered);

impl Sink for Sum {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.0 += VALUES[term] * times;
    }

    #[inline]
    fn other_side(&mut self) {
        self.0 = -self.0;
    }
}

/// The counts: White's less Black's for each term.
#[derive(Clone, Debug)]
pub struct Trace {
    counts: Box<[i32; TERMS]>,
    sign: i32,
}

impl Trace {
    pub(super) fn new() -> Trace {
        Trace { counts: Box::new([0; TERMS]), sign: 1 }
    }

    /// The terms that do not cancel, with their counts.
    pub fn non_zero(&self) -> impl Iterator<Item = (usize, i32)> {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count != 0)
    }
}

impl Sink for Trace {
    fn add(&mut self, term: usize, times: i32) {
        self.counts[term] += self.sign * times;
    }

    fn other_side(&mut self) {
        self.sign = -self.sign;
    }
}
