//! What has worked before: the tables by which quiet moves and captures are ordered.

use shakmaty::{Color, Move, Position};

use super::moves::ShortMove;

/// Entries stay within ±this.
const MAX: i32 = 16_384;

/// A piece and the square it has gone to: the index into continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed(u16);

impl Placed {
    const COUNT: usize = 2 * 6 * 64;

    pub fn new(color: Color, m: Move) -> Placed {
        Placed(((color as usize * 6 + m.role() as usize - 1) * 64 + m.to().to_usize()) as u16)
    }
}

/// An entry pulled towards `bonus`, the more the further it is from it.
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX) as i16;
}

/// How much a cutoff at this depth changes the tables.
pub(super) fn bonus(depth: i32) -> i32 {
    (8 * depth * depth + 120 * depth - 60).clamp(0, 1600)
}

pub(super) struct History {
    /// By colour, from, to.
    quiet: Box<[i16]>,
    /// By what was played one or two plies before, and what is played now.
    continuation: Box<[i16]>,
    /// By colour and piece, to, and the captured role.
    capture: Box<[i16]>,
    /// The answer that refuted a move.
    counter: Box<[ShortMove]>,
}

impl History {
    pub fn new() -> History {
        let zeros = |n: usize| vec![0; n].into_boxed_slice();
        History {
            quiet: zeros(2 * 64 * 64),
            continuation: zeros(Placed::COUNT * Placed::COUNT),
            capture: zeros(Placed::COUNT * 7),
            counter: vec![ShortMove::NONE; Placed::COUNT].into_boxed_slice(),
        }
    }

    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.capture.fill(0);
        self.counter.fill(ShortMove::NONE);
    }

    fn quiet_index(color: Color, m: Move) -> usize {
        (color as usize * 64 + m.from().map_or(0, |from| from.to_usize())) * 64 + m.to().to_usize()
    }

    fn capture_index(color: Color, m: Move) -> usize {
        usize::from(Placed::new(color, m).0) * 7 + m.capture().map_or(0, |role| role as usize)
    }

    /// How well a quiet move has done, from about -49,000 to 49,000.
    pub fn quiet(&self, color: Color, m: Move, before: [Option<Placed>; 2]) -> i32 {
        let placed = usize::from(Placed::new(color, m).0);
        let continuations = before.into_iter().flatten();
        i32::from(self.quiet[Self::quiet_index(color, m)])
            + continuations
                .map(|before| i32::from(self.continuation[usize::from(before.0) * Placed::COUNT + placed]))
                .sum::<i32>()
    }

    /// How well a capture has done, within ±16,384.
    pub fn capture(&self, color: Color, m: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(color, m)])
    }

    pub fn counter(&self, before: Option<Placed>) -> ShortMove {
        before.map_or(ShortMove::NONE, |before| self.counter[usize::from(before.0)])
    }

    pub fn reward_quiet(&mut self, color: Color, m: Move, before: [Option<Placed>; 2], bonus: i32) {
        update(&mut self.quiet[Self::quiet_index(color, m)], bonus);
        let placed = usize::from(Placed::new(color, m).0);
        for before in before.into_iter().flatten() {
            update(&mut self.continuation[usize::from(before.0) * Placed::COUNT + placed], bonus);
        }
    }

    pub fn reward_capture(&mut self, color: Color, m: Move, bonus: i32) {
        update(&mut self.capture[Self::capture_index(color, m)], bonus);
    }

    pub fn set_counter(&mut self, before: Option<Placed>, answer: Move) {
        if let Some(before) = before {
            self.counter[usize::from(before.0)] = ShortMove::new(answer);
        }
    }
}

/// Whether a move is ordered as a capture: it takes something or promotes to a queen.
pub(super) fn is_noisy(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(shakmaty::Role::Queen)
}

/// How many pieces the side to move has, pawns and the king not counted: without any, passing may be better than every move.
pub(super) fn pieces<P: Position>(position: &P) -> usize {
    let board = position.board();
    (position.us() & !(board.pawns() | board.kings())).count()
}
