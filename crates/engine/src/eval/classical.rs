//! The classical terms: mobility, passed pawns, the king, threats. Pawn structure stands in `pawns`.

use shakmaty::{Bitboard, Board, Color, Position, Role, Square, attacks};

use super::king::king;
use super::packed::{FULL_PHASE, Tapered};
use super::passed::passed;
use super::pawns::{PawnCache, Structure, ahead, pawn_attacks, step, structure};
use super::reach::Reach;
use super::state::{State, placed_index};
use super::terms::{
    BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, HANGING, KNIGHT_MOBILITY, MINOR_BEHIND_PAWN, OUTPOST, PUSH_THREAT,
    QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, SPACE, Sink, Sum, TEMPO, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN,
    THREAT_BY_ROOK, Trace,
};

/// The classical evaluation: a sum of terms, each with a weight for the middlegame and one for the endgame.
#[derive(Debug)]
pub struct Classical {
    pawns: PawnCache,
}

/// What a form reads of the classical evaluation, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub middlegame: i32,
    pub endgame: i32,
    /// Passed pawns of both sides.
    pub passed: i32,
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::new()
    }
}

impl Classical {
    /// An evaluation that has seen nothing yet.
    #[must_use]
    pub fn new() -> Classical {
        Classical { pawns: PawnCache::new() }
    }

    /// The win/loss score in centipawns from White's point of view, within ±[`LIMIT`](super::LIMIT).
    ///
    /// A side that cannot win by any series of moves has at best 0.
    pub fn win_loss(&mut self, state: &State) -> i32 {
        cap(state, self.total(state).0.taper(state.phase()))
    }

    /// Both parts of the score, before they are weighted by the phase and capped.
    pub(super) fn parts(&mut self, state: &State) -> Parts {
        let (total, structure) = self.total(state);
        let passed = (structure.passed[0] | structure.passed[1]).count_ones() as i32;
        Parts { middlegame: total.middlegame(), endgame: total.endgame(), passed }
    }

    #[inline]
    fn total(&mut self, state: &State) -> (Tapered, &Structure) {
        let board = state.position().board();
        let (pawn_score, structure) = self.pawns.get(state.pawn_key(), board);
        let mut sum = Sum::default();
        terms(state, structure, &mut sum);
        (state.placed() + pawn_score + sum.0, structure)
    }

    /// What [`win_loss`](Self::win_loss) counts, for a fit of the weights.
    #[must_use]
    pub fn trace(state: &State) -> Trace {
        let mut trace = Trace::new();
        let board = state.position().board();
        for (square, piece) in board {
            trace_piece(piece.color, piece.role, square, &mut trace);
        }
        let structure = structure(board, &mut trace);
        terms(state, &structure, &mut trace);
        trace
    }

    /// The score of a trace: the naive twin of [`win_loss`](Self::win_loss), with any weights.
    ///
    /// # Panics
    ///
    /// When there are fewer than [`TERMS`](super::TERMS) weights.
    #[must_use]
    pub fn score_trace(state: &State, trace: &Trace, weights: &[(i16, i16)]) -> i32 {
        let (middlegame, endgame) = trace.non_zero().fold((0, 0), |(middlegame, endgame), (term, count)| {
            (middlegame + i32::from(weights[term].0) * count, endgame + i32::from(weights[term].1) * count)
        });
        let phase = state.phase();
        cap(state, (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE)
    }
}

/// Keeps the score within its limits and a side without the means to mate from being ahead.
pub(super) fn cap(state: &State, score: i32) -> i32 {
    let board = state.position().board();
    let heavy = board.pawns() | board.rooks_and_queens();
    let limit = |color: Color| {
        // Lone knights, also two of them, and a lone bishop force nothing against a bare king; against more they do
        // not win either but by the opponent's help.
        let own = board.by_color(color);
        let light = own & !heavy;
        let no_mate = (own & heavy).is_empty()
            && (light.count() <= 2 || (light.count() == 3 && (light & board.bishops()).is_empty()));
        if no_mate { 0 } else { super::LIMIT }
    };
    score.clamp(-limit(Color::Black), limit(Color::White))
}

fn trace_piece(color: Color, role: Role, square: Square, trace: &mut Trace) {
    let term = placed_index(color, role, square);
    if color.is_white() {
        trace.add(term, 1);
    } else {
        trace.add(term, -1);
    }
}

/// Everything but pawn structure and piece-square values.
fn terms<S: Sink>(state: &State, structure: &Structure, sink: &mut S) {
    let position = state.position();
    let board = position.board();
    let mut reach = Reach::of_pawns_and_kings(board, structure);
    for color in [Color::White, Color::Black] {
        pieces(board, color, structure, &mut reach, sink);
        sink.other_side();
    }
    for color in [Color::White, Color::Black] {
        king(board, color, &reach, sink);
        passed(board, color, structure, &reach, sink);
        threats(board, color, structure, &reach, sink);
        sink.other_side();
    }
    sink.add(TEMPO.first, if position.turn().is_white() { 1 } else { -1 });
}

/// Units of attack on a king for a piece that attacks its zone: a lone attack by a queen is worth five pawns' worth of
/// trouble, one by a minor piece two.
const ATTACK_UNITS: [i32; 6] = [0, 2, 2, 3, 5, 0];

fn pieces<S: Sink>(board: &Board, color: Color, structure: &Structure, reach: &mut Reach, sink: &mut S) {
    let (us, them) = (color as usize, !color as usize);
    let own = board.by_color(color).0;
    let pawns = board.pawns().0;
    let own_pawns = pawns & own;
    let occupied = board.occupied();
    let diagonal_blockers = occupied ^ (board.queens() & Bitboard(own));
    let straight_blockers = occupied ^ (board.rooks_and_queens() & Bitboard(own));
    // A pawn that cannot move, or stands at home, is in the way for good; so is the king.
    let stuck = own_pawns & (step(!color, occupied.0) | if color.is_white() { 0xff00 } else { 0xff_0000_0000_0000 });
    let area = !(stuck | structure.attacks[them] | (board.kings().0 & own));
    let zone = reach.king_zone[them];

    for (role, mobility) in [
        (Role::Knight, KNIGHT_MOBILITY),
        (Role::Bishop, BISHOP_MOBILITY),
        (Role::Rook, ROOK_MOBILITY),
        (Role::Queen, QUEEN_MOBILITY),
    ] {
        for square in board.by_role(role) & Bitboard(own) {
            let attacked = match role {
                Role::Knight => attacks::knight_attacks(square),
                Role::Bishop => attacks::bishop_attacks(square, diagonal_blockers),
                Role::Rook => attacks::rook_attacks(square, straight_blockers),
                _ => attacks::queen_attacks(square, occupied),
            }
            .0;
            reach.twice[us] |= reach.all[us] & attacked;
            reach.all[us] |= attacked;
            reach.by_role[us][role as usize - 1] |= attacked;
            sink.add(mobility.at((attacked & area).count_ones() as usize), 1);
            if attacked & zone != 0 {
                reach.attackers[us] += 1;
                reach.units[us] += ATTACK_UNITS[role as usize - 1] + (attacked & zone).count_ones() as i32;
            }
            let bit = 1u64 << square.to_usize();
            match role {
                Role::Knight | Role::Bishop => {
                    let minor = usize::from(role == Role::Bishop);
                    if structure.attacks[us] & !structure.attack_span[them] & bit != 0 {
                        sink.add(OUTPOST.at(minor), 1);
                    }
                    if step(color, bit) & pawns != 0 {
                        sink.add(MINOR_BEHIND_PAWN.first, 1);
                    }
                    if role == Role::Bishop {
                        let shade = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
                        sink.add(BISHOP_PAWNS.first, (own_pawns & shade.0).count_ones() as i32);
                    }
                }
                Role::Rook => {
                    let file = Bitboard::from_file(square.file()).0;
                    if file & own_pawns == 0 {
                        sink.add(ROOK_FILE.at(usize::from(file & pawns == 0)), 1);
                    }
                }
                _ => {}
            }
        }
    }
    if (board.bishops().0 & own).count_ones() >= 2 {
        sink.add(BISHOP_PAIR.first, 1);
    }
    let home = if color.is_white() { 0x0000_0000_3c3c_3c00 } else { 0x003c_3c3c_0000_0000 };
    let safe = home & !own_pawns & !structure.attacks[them];
    let behind = ahead(!color, own_pawns);
    sink.add(SPACE.first, (safe.count_ones() + (safe & behind).count_ones()) as i32);
}

fn threats<S: Sink>(board: &Board, color: Color, structure: &Structure, reach: &Reach, sink: &mut S) {
    let (us, them) = (color as usize, !color as usize);
    let enemy = board.by_color(!color).0;
    let count = |squares: u64| squares.count_ones() as i32;
    let by_role = |role: Role| board.by_role(role).0 & enemy;
    let minors = by_role(Role::Knight) | by_role(Role::Bishop);
    let weak = enemy & !structure.attacks[them] & (!reach.twice[them] | reach.twice[us]);

    let pawns = structure.attacks[us];
    for (i, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
        sink.add(THREAT_BY_PAWN.at(i), count(by_role(role) & pawns));
    }
    let minor = reach.by_role[us][1] | reach.by_role[us][2];
    sink.add(THREAT_BY_MINOR.at(0), count(by_role(Role::Pawn) & weak & minor));
    for (i, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
        sink.add(THREAT_BY_MINOR.at(i + 1), count(by_role(role) & minor));
    }
    let rook = reach.by_role[us][3];
    sink.add(THREAT_BY_ROOK.at(0), count(by_role(Role::Pawn) & weak & rook));
    sink.add(THREAT_BY_ROOK.at(1), count(minors & weak & rook));
    sink.add(THREAT_BY_ROOK.at(2), count(by_role(Role::Queen) & rook));
    let not_king = enemy & !board.kings().0;
    sink.add(THREAT_BY_KING.first, count(not_king & weak & reach.by_role[us][5]));
    sink.add(HANGING.first, count(not_king & reach.all[us] & !reach.all[them]));

    let empty = !board.occupied().0;
    let own_pawns = (board.pawns() & board.by_color(color)).0;
    let third = if color.is_white() { 0xff_0000 } else { 0xff00_0000_0000 };
    let once = step(color, own_pawns) & empty;
    let pushed = once | (step(color, once & third) & empty);
    let safe = pushed & !structure.attacks[them] & (reach.all[us] | !reach.all[them]);
    let pieces = not_king & !board.pawns().0;
    sink.add(PUSH_THREAT.first, count(pawn_attacks(color, safe) & pieces & !pawns));
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use shakmaty::{CastlingMode, Chess, EnPassantMode};

    use super::*;
    use crate::eval::WEIGHTS;

    /// The fit sees what the search plays with, and neither side is favoured.
    #[test]
    fn the_trace_adds_up_to_the_score_and_colours_are_equal() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut classical = Classical::new();
        for _ in 0..100 {
            let mut state = State::new(Chess::default());
            for _ in 0..160 {
                let moves = state.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                state.play(moves[rng.random_range(0..moves.len())]);
                let score = classical.win_loss(&state);
                assert_eq!(score, Classical::score_trace(&state, &Classical::trace(&state), WEIGHTS));
                let mut setup = state.position().to_setup(EnPassantMode::Legal);
                setup.mirror();
                let mirrored = State::new(setup.position(CastlingMode::Standard).expect("legal as before"));
                assert_eq!(classical.win_loss(&mirrored), -score);
            }
        }
    }

    #[test]
    fn who_cannot_mate_is_not_ahead() {
        let mut classical = Classical::new();
        for fen in
            ["8/8/4k3/8/8/3NN3/8/4K3 w - - 0 1", "8/8/4k3/8/8/3B4/8/4K3 w - - 0 1", "8/8/4k3/8/4p3/3B4/8/4K3 w - - 0 1"]
        {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            let state = State::new(fen.into_position(CastlingMode::Standard).expect("legal"));
            assert!(classical.win_loss(&state) <= 0);
        }
    }
}
