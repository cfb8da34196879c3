//! Pawn structure: what depends on the pawns alone, remembered by their hash key.

use shakmaty::{Board, Color};

use super::packed::Tapered;
use super::terms::{BACKWARD, CANDIDATE, CONNECTED, DEFENDED, DOUBLED, ISOLATED, PASSED, Sink, Sum};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// All squares of the board's columns that a bitboard touches, one column wider on both sides.
pub(super) const fn widen(squares: u64) -> u64 {
    squares | ((squares & !FILE_A) >> 1) | ((squares & !FILE_H) << 1)
}

/// All squares in front of these, as `color` sees it, without themselves.
pub(super) const fn ahead(color: Color, mut squares: u64) -> u64 {
    if color.is_white() {
        squares <<= 8;
        squares |= squares << 8;
        squares |= squares << 16;
        squares | squares << 32
    } else {
        squares >>= 8;
        squares |= squares >> 8;
        squares |= squares >> 16;
        squares | squares >> 32
    }
}

/// The squares one step in front of these.
pub(super) const fn step(color: Color, squares: u64) -> u64 {
    if color.is_white() { squares << 8 } else { squares >> 8 }
}

/// The squares that pawns on these attack.
pub(super) const fn pawn_attacks(color: Color, pawns: u64) -> u64 {
    let stepped = step(color, pawns);
    ((stepped & !FILE_A) >> 1) | ((stepped & !FILE_H) << 1)
}

/// The rank of a square as `color` sees it: 0 for the one where its pieces began.
pub(super) const fn rank_of(color: Color, square: usize) -> usize {
    if color.is_white() { square / 8 } else { 7 - square / 8 }
}

/// The squares of a bitboard, from a1 on.
pub(super) fn squares(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let square = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(square)
    })
}

/// What the other terms need to know about the pawns, by colour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    pub passed: [u64; 2],
    /// Squares that pawns attack.
    pub attacks: [u64; 2],
    /// Squares that pawns attack or may attack after moving forward.
    pub attack_span: [u64; 2],
}

/// Counts the terms of the pawn structure and finds the passed pawns.
pub(super) fn structure<S: Sink>(board: &Board, sink: &mut S) -> Structure {
    let pawns = [Color::Black, Color::White].map(|color| (board.pawns() & board.by_color(color)).0);
    let mut found = Structure::default();
    for color in [Color::Black, Color::White] {
        let own = pawns[color as usize];
        let attacks = pawn_attacks(color, own);
        found.attacks[color as usize] = attacks;
        found.attack_span[color as usize] = attacks | ahead(color, attacks);
    }
    for color in [Color::White, Color::Black] {
        found.passed[color as usize] = side(color, pawns, &found, sink);
        sink.other_side();
    }
    found
}

fn side<S: Sink>(color: Color, pawns: [u64; 2], found: &Structure, sink: &mut S) -> u64 {
    let (us, them) = (color as usize, !color as usize);
    let (own, enemy) = (pawns[us], pawns[them]);
    let mut passed = 0;
    for square in squares(own) {
        let pawn = 1 << square;
        let rank = rank_of(color, square);
        let front = ahead(color, pawn);
        let file = front | ahead(!color, pawn) | pawn;
        let next_files = widen(file) & !file;
        let open = usize::from(front & enemy == 0);
        let defended = found.attacks[us] & pawn != 0;

        if front & own != 0 {
            sink.add(DOUBLED.first, 1);
        }
        if next_files & own == 0 {
            sink.add(ISOLATED.at(open), 1);
        } else if next_files & own & !ahead(color, widen(pawn)) == 0 && found.attacks[them] & step(color, pawn) != 0 {
            sink.add(BACKWARD.at(open), 1);
        }
        if defended {
            sink.add(DEFENDED.at(rank), 1);
        }
        if defended || widen(pawn) & !pawn & own != 0 {
            sink.add(CONNECTED.at(rank), 1);
        }
        if (front | widen(front)) & enemy == 0 {
            // Of two pawns on a file only the first is passed.
            if front & own == 0 {
                passed |= pawn;
                sink.add(PASSED.at(rank), 1);
            }
        } else if open == 1 {
            let helpers = next_files & own & !ahead(color, widen(pawn));
            let guards = next_files & enemy & ahead(color, widen(pawn));
            if helpers.count_ones() >= guards.count_ones() {
                sink.add(CANDIDATE.at(rank), 1);
            }
        }
    }
    passed
}

/// Pawn structures evaluated before, one for each value of the lower bits of the key.
#[derive(Debug)]
pub(super) struct PawnCache(Vec<(u64, Tapered, Structure)>);

const ENTRIES: usize = 1 << 13;

impl PawnCache {
    pub fn new() -> PawnCache {
        // No position has this key but by a chance of 2^-64; the structure without pawns has the key 0.
        PawnCache(vec![(u64::MAX, Tapered::ZERO, Structure::default()); ENTRIES])
    }

    /// The score and the structure of the pawns on the board, whose key is given.
    pub fn get(&mut self, key: u64, board: &Board) -> (Tapered, &Structure) {
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.0 != key {
            let mut sum = Sum::default();
            let structure = structure(board, &mut sum);
            *entry = (key, sum.0, structure);
        }
        (entry.1, &entry.2)
    }
}
