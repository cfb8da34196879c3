//! What the pieces attack: counted once, read by the terms of the king, of passed pawns and of threats.

use shakmaty::{Board, Color, attacks};

use super::pawns::{Structure, step};

/// What each side attacks, and how its pieces bear on the enemy's king; by colour.
pub(super) struct Reach {
    /// By role, from pawn 0 to king 5.
    pub by_role: [[u64; 6]; 2],
    pub all: [u64; 2],
    pub twice: [u64; 2],
    /// The king's square and those around it, with one row more in front.
    pub king_zone: [u64; 2],
    /// Units of attack on the enemy's king by the pieces, and how many pieces take part.
    pub units: [i32; 2],
    pub attackers: [i32; 2],
}

impl Reach {
    /// Only pawns and kings: the other pieces are added while their mobility is counted.
    #[inline]
    pub fn of_pawns_and_kings(board: &Board, structure: &Structure) -> Reach {
        let mut reach = Reach {
            by_role: [[0; 6]; 2],
            all: [0; 2],
            twice: [0; 2],
            king_zone: [0; 2],
            units: [0; 2],
            attackers: [0; 2],
        };
        for color in [Color::Black, Color::White] {
            let us = color as usize;
            let king = board.king_of(color).expect("each side has a king");
            let around = attacks::king_attacks(king).0;
            reach.by_role[us][0] = structure.attacks[us];
            reach.by_role[us][5] = around;
            reach.all[us] = structure.attacks[us] | around;
            reach.twice[us] = structure.attacks[us] & around;
            reach.king_zone[us] = around | step(color, around) | 1 << king.to_usize();
        }
        reach
    }
}
