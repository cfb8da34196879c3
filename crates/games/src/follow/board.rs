//! The pieces of a game in progress, followed from the moves as written: what material needs, and no more. Several
//! times faster than the full replay, its twin.
//!
//! A move is taken if its piece can reach the square, is the only one that can without exposing its king to a line
//! piece, and captures just where it says so. Not looked at: whether a king walks into check, whether castling is
//! allowed, whether a lone candidate is pinned. None of these changes the material on the board.

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Chess, Color, EnPassantMode, File, Position, Rank, Role, Square, attacks};

/// The pieces on the board and what they are worth.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// By colour and role, pawns first.
    pieces: [[Bitboard; 6]; 2],
    occupied: [Bitboard; 2],
    /// The role on each square, [`NOTHING`] on empty ones.
    roles: [u8; 64],
    turn: Color,
    /// The square that the last double step passed over.
    en_passant: Option<Square>,
    /// Where the rooks of each colour stand that may castle: king's side, queen's side.
    castling_rooks: [[Square; 2]; 2],
    material: u32,
}

const NOTHING: u8 = 6;
/// By role: pawn, knight, bishop, rook, queen, king.
const VALUES: [u32; 6] = [1, 3, 3, 5, 9, 0];

/// Reach on an empty board. Candidates are few, so that looking at the squares between is cheaper than the large tables
/// of attacks on an occupied board, which would push the text out of the cache.
static DIAGONALS: [Bitboard; 64] = {
    let mut reach = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        reach[square as usize] = attacks::bishop_attacks(Square::new(square), Bitboard::EMPTY);
        square += 1;
    }
    reach
};
static LINES: [Bitboard; 64] = {
    let mut reach = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        reach[square as usize] = attacks::rook_attacks(Square::new(square), Bitboard::EMPTY);
        square += 1;
    }
    reach
};

const fn place(role: Role) -> usize {
    role as usize - 1
}

/// A role in `roles`.
const fn code(role: Role) -> u8 {
    role as u8 - 1
}

/// Squares of this file and rank, as far as they are given.
#[inline]
fn within(squares: Bitboard, file: Option<File>, rank: Option<Rank>) -> Bitboard {
    let squares = file.map_or(squares, |file| squares & Bitboard::from_file(file));
    rank.map_or(squares, |rank| squares & Bitboard::from_rank(rank))
}

impl Board {
    /// The pieces of a position.
    pub(crate) fn new(position: &Chess) -> Board {
        let board = position.board();
        let mut roles = [NOTHING; 64];
        let mut material = 0;
        for (square, piece) in board.clone() {
            roles[usize::from(square)] = code(piece.role);
            material += VALUES[place(piece.role)];
        }
        let of = |color: Color| Role::ALL.map(|role| board.by_piece(role.of(color)));
        let rooks = |color: Color| {
            let rank = color.fold_wb(Rank::First, Rank::Eighth);
            [(CastlingSide::KingSide, File::H), (CastlingSide::QueenSide, File::A)]
                .map(|(side, usual)| position.castles().rook(color, side).unwrap_or(Square::from_coords(usual, rank)))
        };
        Board {
            pieces: [of(Color::White), of(Color::Black)],
            occupied: [board.by_color(Color::White), board.by_color(Color::Black)],
            roles,
            turn: position.turn(),
            en_passant: position.ep_square(EnPassantMode::PseudoLegal),
            castling_rooks: [rooks(Color::White), rooks(Color::Black)],
            material,
        }
    }

    /// 9 Q + 5 R + 3 B + 3 N + P of both sides.
    pub(crate) fn material(&self) -> u32 {
        self.material
    }

    /// What White has more than Black, in pawns.
    pub(crate) fn advantage(&self) -> i32 {
        let of = |pieces: &[Bitboard; 6]| {
            pieces
                .iter()
                .zip(VALUES)
                .map(|(one, value)| u32::try_from(one.count()).unwrap_or_default() * value)
                .sum::<u32>()
        };
        let [white, black] = [0, 1].map(|side| i32::try_from(of(&self.pieces[side])).unwrap_or_default());
        white - black
    }

    /// Number of men on the board.
    pub(crate) fn men(&self) -> usize {
        (self.occupied[0] | self.occupied[1]).count()
    }

    /// Who is to move.
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    /// Makes a move; `false` if it cannot be made, which leaves the board as it was.
    #[inline]
    pub(crate) fn play(&mut self, san: San) -> bool {
        let passed = self.en_passant;
        let made = match san {
            San::Normal { role: Role::Pawn, file, rank, capture, to, promotion } => {
                self.move_pawn(file, rank, capture, to, promotion)
            }
            San::Normal { role, file, rank, capture, to, promotion: None } => {
                self.move_piece(role, file, rank, capture, to)
            }
            San::Castle(side) => self.castle(side),
            _ => false,
        };
        if made {
            if self.en_passant == passed {
                self.en_passant = None;
            }
            self.turn = !self.turn;
        }
        made
    }

    /// A move as the PGN standard spells it, with no more of its origin than tells it from other moves: some programs write more, for
    /// example where the other piece is pinned. As it is if it cannot be made.
    #[inline]
    pub(crate) fn spelled(&self, san: San) -> San {
        match san {
            // `xc5` of a writer that leaves the file out.
            San::Normal { role: Role::Pawn, file: None, capture: true, to, promotion, .. } => {
                let pawns = attacks::pawn_attacks(!self.turn, to) & self.pieces[self.us()][place(Role::Pawn)];
                let Some(from) = self.only(pawns, to) else { return san };
                San::Normal { role: Role::Pawn, file: Some(from.file()), rank: None, capture: true, to, promotion }
            }
            San::Normal { role: Role::Pawn, file, capture, to, promotion, .. } => {
                San::Normal { role: Role::Pawn, file: file.filter(|_| capture), rank: None, capture, to, promotion }
            }
            San::Normal { file: None, rank: None, .. } => san,
            San::Normal { role, file, rank, capture, to, promotion } => {
                let reaching = self.reaching(role, to);
                let Some(from) = self.only(within(reaching, file, rank), to) else { return san };
                let others = self.free(reaching, to).without(from);
                let (on_file, on_rank) = (Bitboard::from_file(from.file()), Bitboard::from_rank(from.rank()));
                let by_file = others.any() && ((others & on_file).is_empty() || (others & on_rank).any());
                let by_rank = (others & on_file).any();
                let (file, rank) = (by_file.then(|| from.file()), by_rank.then(|| from.rank()));
                San::Normal { role, file, rank, capture, to, promotion }
            }
            _ => san,
        }
    }

    fn us(&self) -> usize {
        usize::from(self.turn.is_black())
    }

    /// Our pieces of a kind, other than pawns, that reach a square, pinned or not.
    #[inline]
    fn reaching(&self, role: Role, to: Square) -> Bitboard {
        let all = self.occupied[0] | self.occupied[1];
        let reach = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => DIAGONALS[usize::from(to)],
            Role::Rook => LINES[usize::from(to)],
            Role::Queen => DIAGONALS[usize::from(to)] | LINES[usize::from(to)],
            Role::King => attacks::king_attacks(to),
            Role::Pawn => Bitboard::EMPTY,
        };
        let candidates = reach & self.pieces[self.us()][place(role)];
        match role {
            Role::Bishop | Role::Rook | Role::Queen => {
                candidates.into_iter().filter(|&from| (attacks::between(from, to) & all).is_empty()).collect()
            }
            _ => candidates,
        }
    }

    /// The one of some candidates that can go `to`, if there is only one.
    #[inline]
    fn only(&self, candidates: Bitboard, to: Square) -> Option<Square> {
        candidates.single_square().or_else(|| self.free(candidates, to).single_square())
    }

    fn move_piece(&mut self, role: Role, file: Option<File>, rank: Option<Rank>, capture: bool, to: Square) -> bool {
        let us = self.us();
        if self.occupied[us].contains(to) || self.occupied[1 - us].contains(to) != capture {
            return false;
        }
        let candidates = within(self.reaching(role, to), file, rank);
        let Some(from) = self.only(candidates, to) else { return false };
        self.take(1 - us, to);
        self.shift(us, role, from, to);
        true
    }

    /// Those of several candidates that do not expose their king to a line piece by going `to`.
    #[cold]
    fn free(&self, candidates: Bitboard, to: Square) -> Bitboard {
        let us = self.us();
        let Some(king) = self.pieces[us][place(Role::King)].first() else { return candidates };
        let theirs = |role| self.pieces[1 - us][place(role)].without(to);
        let all = self.occupied[0] | self.occupied[1];
        let is_free = |from: Square| {
            let after = all.without(from).with(to);
            let lines = attacks::rook_attacks(king, after) & (theirs(Role::Rook) | theirs(Role::Queen));
            let diagonals = attacks::bishop_attacks(king, after) & (theirs(Role::Bishop) | theirs(Role::Queen));
            (lines | diagonals).is_empty()
        };
        candidates.into_iter().filter(|&from| is_free(from)).collect()
    }

    fn move_pawn(
        &mut self,
        file: Option<File>,
        rank: Option<Rank>,
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    ) -> bool {
        let us = self.us();
        let pawns = self.pieces[us][place(Role::Pawn)];
        let all = self.occupied[0] | self.occupied[1];
        let last_rank = self.turn.fold_wb(Rank::Eighth, Rank::First);
        if promotion.is_some() != (to.rank() == last_rank) || matches!(promotion, Some(Role::Pawn | Role::King)) {
            return false;
        }
        let back = self.turn.fold_wb(-8, 8);
        let mut passed = None;
        let from;
        if capture {
            let mut candidates = attacks::pawn_attacks(!self.turn, to) & pawns;
            if let Some(file) = file {
                candidates &= Bitboard::from_file(file);
            }
            let Some(only) = self.only(candidates, to) else { return false };
            from = only;
            if self.occupied[1 - us].contains(to) {
                if rank.is_some_and(|rank| rank != from.rank()) {
                    return false;
                }
                self.take(1 - us, to);
            } else if self.en_passant == Some(to) && rank.is_none_or(|rank| rank == from.rank()) {
                let Some(behind) = to.offset(back) else { return false };
                self.take(1 - us, behind);
            } else {
                return false;
            }
        } else {
            if all.contains(to) || file.is_some_and(|file| file != to.file()) {
                return false;
            }
            let Some(single) = to.offset(back) else { return false };
            let double = single.offset(back);
            from = match double {
                _ if pawns.contains(single) => single,
                Some(double)
                    if pawns.contains(double)
                        && !all.contains(single)
                        && to.rank() == self.turn.fold_wb(Rank::Fourth, Rank::Fifth) =>
                {
                    passed = Some(single);
                    double
                }
                _ => return false,
            };
            if rank.is_some_and(|rank| rank != from.rank()) {
                return false;
            }
        }
        self.en_passant = passed;
        self.shift(us, Role::Pawn, from, to);
        if let Some(role) = promotion {
            self.pieces[us][place(Role::Pawn)].toggle(to);
            self.pieces[us][place(role)].toggle(to);
            self.roles[usize::from(to)] = code(role);
            self.material += VALUES[place(role)] - VALUES[place(Role::Pawn)];
        }
        true
    }

    fn castle(&mut self, side: CastlingSide) -> bool {
        let us = self.us();
        let rook_from = self.castling_rooks[us][usize::from(side == CastlingSide::QueenSide)];
        let Some(king_from) = self.pieces[us][place(Role::King)].first() else { return false };
        let rank = self.turn.fold_wb(Rank::First, Rank::Eighth);
        if !self.pieces[us][place(Role::Rook)].contains(rook_from) || king_from.rank() != rank {
            return false;
        }
        let (king_to, rook_to) = match side {
            CastlingSide::KingSide => (File::G, File::F),
            CastlingSide::QueenSide => (File::C, File::D),
        };
        let (king_to, rook_to) = (Square::from_coords(king_to, rank), Square::from_coords(rook_to, rank));
        let others = (self.occupied[0] | self.occupied[1]).without(king_from).without(rook_from);
        if others.contains(king_to) || others.contains(rook_to) {
            return false;
        }
        // Both leave before both arrive: in Chess960 one may go where the other stood.
        for (role, from) in [(Role::King, king_from), (Role::Rook, rook_from)] {
            self.pieces[us][place(role)].discard(from);
            self.occupied[us].discard(from);
            self.roles[usize::from(from)] = NOTHING;
        }
        for (role, to) in [(Role::King, king_to), (Role::Rook, rook_to)] {
            self.pieces[us][place(role)].add(to);
            self.occupied[us].add(to);
            self.roles[usize::from(to)] = code(role);
        }
        true
    }

    /// Takes away what stands on a square, if anything does.
    #[inline]
    fn take(&mut self, them: usize, square: Square) {
        let role = std::mem::replace(&mut self.roles[usize::from(square)], NOTHING);
        if role != NOTHING {
            self.pieces[them][usize::from(role)].discard(square);
            self.occupied[them].discard(square);
            self.material -= VALUES[usize::from(role)];
        }
    }

    #[inline]
    fn shift(&mut self, us: usize, role: Role, from: Square, to: Square) {
        let both = Bitboard::from_square(from).with(to);
        self.pieces[us][place(role)] ^= both;
        self.occupied[us] ^= both;
        self.roles[usize::from(from)] = NOTHING;
        self.roles[usize::from(to)] = code(role);
    }

    /// The pieces, for tests to compare.
    #[cfg(test)]
    pub(crate) fn pieces_as_text(&self) -> String {
        format!("{:?} {:?} {:?} {}", self.pieces, self.occupied, self.roles, self.material)
    }
}
