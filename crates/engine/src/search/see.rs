//! Static exchange evaluation: what a series of captures on one square is worth.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, attacks};

/// Centipawns by role, from pawn to king.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

pub(super) fn value(role: Role) -> i32 {
    VALUES[role as usize - 1]
}

/// Whether a move wins at least `threshold` centipawns when both sides go on capturing on its square with the least
/// valuable piece, as long as that pays. Pins are ignored.
pub(super) fn wins_at_least(position: &Chess, m: Move, threshold: i32) -> bool {
    let Move::Normal { role, from, capture, to, promotion } = m else {
        // Castling takes nothing, en passant exchanges pawns.
        return threshold <= if m.is_en_passant() { 100 } else { 0 };
    };
    let gain = promotion.map_or(0, |promoted| value(promoted) - VALUES[0]);
    let mut balance = capture.map_or(0, value) + gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(promotion.unwrap_or(role));
    if balance >= 0 {
        return true;
    }
    let board = position.board();
    let mut occupied = board.occupied() ^ Bitboard::from_square(from) | Bitboard::from_square(to);
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = board.attacks_to(to, Color::White, occupied) | board.attacks_to(to, Color::Black, occupied);
    let mut side = position.turn();
    loop {
        side = !side;
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        if own.is_empty() {
            break;
        }
        let role =
            Role::ALL.into_iter().find(|role| (own & board.by_role(*role)).any()).expect("an attacker has a role");
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            break; // The king cannot take a defended piece.
        }
        let square = (own & board.by_role(role)).first().expect("it stands somewhere");
        occupied ^= Bitboard::from_square(square);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            return side == position.turn();
        }
    }
    // The side that had to stop has lost the exchange.
    side != position.turn()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    #[test]
    fn exchanges() {
        for (fen, m, worth) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 100 - 950),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("3rk3/8/8/8/8/8/3r4/3RK3 w - - 0 1", "d1d2", 500),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0),
            ("4k3/8/8/8/3q4/8/8/3RK3 w - - 0 1", "d1d4", 950),
        ] {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            let m = m.parse::<UciMove>().expect("a move").to_move(&position).expect("legal");
            assert!(wins_at_least(&position, m, worth), "{fen} {m} wins {worth}");
            assert!(!wins_at_least(&position, m, worth + 1), "{fen} {m} wins no more than {worth}");
        }
    }
}
