//! Where the pawns stand, from the moves as written alone.
//!
//! A pawn move names its target square, a capture also its file, and any move to a square with an enemy pawn
//! takes it: so the pawns can be followed without pieces, kings or legality, at a fraction of the cost of a
//! replay. The twin is [`replay`](super::replay); both agree on every game without illegal piece moves.

use std::ops::Range;

use drawish_core::Pawns;
use shakmaty::san::San;
use shakmaty::{Chess, Color, EnPassantMode, File, Position, Rank, Role, Square};

use super::replay::pawns_of;

/// Appends the pawns of the positions in `wanted`, position 0 being the one before the first move; `false` after a
/// move that no pawn can have made. The game begins in the standard position if no other is given.
pub(super) fn follow(start: Option<&Chess>, moves: &[San], wanted: Range<usize>, positions: &mut Vec<Pawns>) -> bool {
    let mut tracker = match start {
        None => PawnTracker::new(Pawns::START, Color::White, None),
        Some(start) => PawnTracker::new(pawns_of(start), start.turn(), start.ep_square(EnPassantMode::PseudoLegal)),
    };
    let (before, within) = moves[..wanted.end - 1].split_at(wanted.start);
    if !before.iter().all(|&san| tracker.play(san)) {
        return false;
    }
    positions.push(tracker.pawns);
    within.iter().all(|&san| {
        let possible = tracker.play(san);
        positions.push(tracker.pawns);
        possible
    })
}

/// The pawns of a game in progress.
#[derive(Clone, Copy, Debug)]
struct PawnTracker {
    pawns: Pawns,
    turn: Color,
    /// The square that the last double step passed over, as a bitboard; 0 if there was none.
    en_passant: u64,
}

impl PawnTracker {
    /// A game that begins with these pawns.
    fn new(pawns: Pawns, turn: Color, en_passant: Option<Square>) -> Self {
        PawnTracker { pawns, turn, en_passant: en_passant.map_or(0, bit) }
    }

    /// Makes a move; `false` if the pawns show that it cannot have been made.
    fn play(&mut self, san: San) -> bool {
        let made = match san {
            San::Normal { role: Role::Pawn, file, rank, capture, to, promotion } => {
                self.move_pawn(file, rank, capture, to, promotion.is_some())
            }
            San::Normal { to, capture, .. } => {
                self.en_passant = 0;
                self.move_piece(bit(to), capture)
            }
            San::Castle(_) => {
                self.en_passant = 0;
                true
            }
            San::Put { .. } | San::Null => false,
        };
        self.turn = !self.turn;
        made
    }

    /// The pawns of the side to move, and those of the other side.
    fn sides(&mut self) -> (&mut u64, &mut u64) {
        match self.turn {
            Color::White => (&mut self.pawns.white, &mut self.pawns.black),
            Color::Black => (&mut self.pawns.black, &mut self.pawns.white),
        }
    }

    fn move_piece(&mut self, target: u64, capture: bool) -> bool {
        let (ours, theirs) = self.sides();
        let possible = *ours & target == 0 && (capture || *theirs & target == 0);
        *theirs &= !target;
        possible
    }

    fn move_pawn(&mut self, file: Option<File>, rank: Option<Rank>, capture: bool, to: Square, promotes: bool) -> bool {
        let turn = self.turn;
        let passed = std::mem::take(&mut self.en_passant);
        let target = bit(to);
        let behind = |squares: u64, ranks: u32| turn.fold_wb(squares >> (8 * ranks), squares << (8 * ranks));
        let (ours, theirs) = self.sides();
        let last_rank = turn.fold_wb(Rank::Eighth, Rank::First);
        if promotes != (to.rank() == last_rank) || *ours & target != 0 {
            return false;
        }
        let source;
        let mut skipped = 0;
        if capture {
            let from_files = file.map_or(neighbours(to.file()), file_bits) & neighbours(to.file());
            source = *ours & from_files & behind(rank_bits(to.rank()), 1);
            if source.count_ones() != 1 {
                return false;
            }
            // The passed square is empty, so a capture on it takes the pawn that passed.
            *theirs &= !if target == passed { behind(target, 1) } else { target };
        } else {
            if *theirs & target != 0 {
                return false;
            }
            let single = behind(target, 1);
            let double = behind(target, 2);
            if *ours & single != 0 {
                source = single;
            } else if *ours & double != 0
                && *theirs & single == 0
                && to.rank() == turn.fold_wb(Rank::Fourth, Rank::Fifth)
            {
                source = double;
                skipped = single;
            } else {
                return false;
            }
            if file.is_some_and(|file| file != to.file()) {
                return false;
            }
        }
        if rank.is_some_and(|rank| rank_bits(rank) & source == 0) {
            return false;
        }
        *ours &= !source;
        if !promotes {
            *ours |= target;
        }
        self.en_passant = skipped;
        true
    }
}

fn bit(square: Square) -> u64 {
    1 << u32::from(square)
}

fn file_bits(file: File) -> u64 {
    0x0101_0101_0101_0101 << u32::from(file)
}

fn rank_bits(rank: Rank) -> u64 {
    0xff << (8 * u32::from(rank))
}

/// The files beside a file.
fn neighbours(file: File) -> u64 {
    let beside = |delta| file.offset(delta).map_or(0, file_bits);
    beside(-1) | beside(1)
}
