//! A position with what is followed from move to move: hash keys, piece-square sums, the phase of the game.

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square};

use super::packed::{FULL_PHASE, Tapered};
use super::terms::{PLACED, VALUES};

/// A position and the sums over its pieces, kept up to date by [`play`](Self::play).
///
/// The naive twin is [`State::new`], which walks the board; a test compares the two after every move of random games.
#[derive(Clone, Debug)]
pub struct State {
    position: Chess,
    key: u64,
    pawn_key: u64,
    material: u64,
    placed: Tapered,
    phase: i32,
    /// What en passant adds to the key.
    en_passant: u64,
    /// Passes are no moves: the position's own count goes on with them.
    clock: u32,
    since_pass: u32,
}

impl State {
    /// Counts everything anew.
    #[must_use]
    pub fn new(position: Chess) -> State {
        let mut state = State {
            position: position.clone(),
            key: 0,
            pawn_key: 0,
            material: 0,
            placed: Tapered::ZERO,
            phase: 0,
            en_passant: en_passant_key(&position),
            clock: position.halfmoves(),
            since_pass: position.halfmoves(),
        };
        for (square, piece) in position.board() {
            state.toggle(piece.color, piece.role, square, 1);
        }
        if position.turn().is_black() {
            state.key ^= TURN;
        }
        state.key ^= castling_keys(position.castles().castling_rights().0) ^ state.en_passant;
        state
    }

    /// The position itself.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The hash of the position: pieces, turn, castling rights, and the file of a pawn that can legally be taken en passant,
    /// as the rule of repetition has it. The numbers of moves are no part of it.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The state of the fifty-move clock: half-moves since the last capture or pawn move. Null moves do not count.
    #[must_use]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// How many half-moves back a position can have been the same one: those since the last capture, pawn move or null move.
    /// What stands before a null move cannot be repeated, as it led here by no moves of chess.
    pub(crate) fn reversible(&self) -> u32 {
        self.since_pass
    }

    /// The hash of the pawns alone.
    pub(super) fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// How many pieces of each kind there are, with bishops told apart by the colour of their squares: five bits each,
    /// which promotions do not fill. Kings do not count.
    pub(super) fn material(&self) -> u64 {
        self.material
    }

    /// The sum of the piece-square values, White's minus Black's.
    pub(super) fn placed(&self) -> Tapered {
        self.placed
    }

    /// 0 with pawns and kings alone on the board to [`FULL_PHASE`] with all pieces.
    #[must_use]
    pub fn phase(&self) -> i32 {
        self.phase.min(FULL_PHASE)
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, m: Move) {
        let us = self.position.turn();
        let rights = self.position.castles().castling_rights().0;
        self.key ^= self.en_passant ^ TURN;
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.toggle(us, role, from, -1);
                if let Some(captured) = capture {
                    self.toggle(!us, captured, to, -1);
                }
                self.toggle(us, promotion.unwrap_or(role), to, 1);
            }
            Move::EnPassant { from, to } => {
                self.toggle(us, Role::Pawn, from, -1);
                self.toggle(!us, Role::Pawn, Square::from_coords(to.file(), from.rank()), -1);
                self.toggle(us, Role::Pawn, to, 1);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.toggle(us, Role::King, king, -1);
                self.toggle(us, Role::Rook, rook, -1);
                self.toggle(us, Role::King, side.king_to(us), 1);
                self.toggle(us, Role::Rook, side.rook_to(us), 1);
            }
            Move::Put { .. } => unreachable!("no move of chess puts a piece on the board"),
        }
        self.position.play_unchecked(m);
        self.en_passant = en_passant_key(&self.position);
        self.key ^= castling_keys(rights ^ self.position.castles().castling_rights().0) ^ self.en_passant;
        let is_reversible = self.position.halfmoves() > 0;
        // A FEN may begin anywhere up to the greatest number.
        self.clock = if is_reversible { self.clock.saturating_add(1) } else { 0 };
        self.since_pass = if is_reversible { self.since_pass.saturating_add(1) } else { 0 };
    }

    /// Passes, as the null move of the search does. The side to move must not be in check.
    pub(crate) fn pass(&mut self) {
        self.key ^= self.en_passant ^ TURN;
        self.en_passant = 0;
        self.since_pass = 0;
        let us = self.position.us();
        let board = self.position.board();
        if let Some(square) = (us & (board.knights() | board.bishops() | board.queens())).first() {
            // A piece that moves to where it stands: turning the board over through a set-up costs as much as an
            // evaluation. A king or rook would lose its right to castle, a pawn would reset the fifty moves.
            let role = board.role_at(square).expect("a piece stands there");
            self.position.play_unchecked(Move::Normal {
                role,
                from: square,
                capture: None,
                to: square,
                promotion: None,
            });
        } else {
            self.position = self.position.clone().swap_turn().expect("the side that passes is not in check");
        }
    }

    /// Adds (`sign` 1) or removes (-1) a piece.
    fn toggle(&mut self, color: Color, role: Role, square: Square, sign: i32) {
        let index = placed_index(color, role, square);
        let key = PIECES[color as usize][index];
        self.key ^= key;
        if role == Role::Pawn {
            self.pawn_key ^= key;
        }
        let white_sign = if color.is_white() { sign } else { -sign };
        self.placed += VALUES[index] * white_sign;
        self.phase += sign * PHASE[role as usize - 1];
        if role != Role::King {
            let dark_bishop = role == Role::Bishop && square.is_dark();
            let kind = if dark_bishop { 5 } else { role as usize - 1 };
            let one = 1u64 << (5 * (color as usize * 6 + kind));
            self.material = if sign > 0 { self.material + one } else { self.material - one };
        }
    }
}

/// The number of the term for a piece on a square, seen from its own side: rank 1 is where it began.
pub(super) fn placed_index(color: Color, role: Role, square: Square) -> usize {
    let seen = if color.is_white() { square } else { square.flip_vertical() };
    PLACED.first + (role as usize - 1) * 64 + seen.to_usize()
}

/// What each role counts in the phase of the game.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

fn castling_keys(mut rooks: u64) -> u64 {
    let mut key = 0;
    while rooks != 0 {
        key ^= CASTLING[rooks.trailing_zeros() as usize];
        rooks &= rooks - 1;
    }
    key
}

/// Only a capture that is legal makes the position another one, for the rule of repetition and so for whoever counts it.
fn en_passant_key(position: &Chess) -> u64 {
    position.ep_square(EnPassantMode::Legal).map_or(0, |square| EN_PASSANT[square.file().to_usize()])
}

/// Numbers without a pattern, the same in each build: SplitMix64 (S. Vigna).
const fn random<const N: usize>(mut seed: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[i] = z ^ (z >> 31);
        i += 1;
    }
    numbers
}

static PIECES: [[u64; 384]; 2] = [random(1), random(2)];
static CASTLING: [u64; 64] = random(3);
static EN_PASSANT: [u64; 8] = random(4);
const TURN: u64 = random::<1>(5)[0];

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The key is another where shakmaty's is, which counts repetitions in games: an en passant capture by a pinned pawn is none.
    #[test]
    fn keys_tell_apart_what_the_rules_do() {
        let read = |fen: &str| {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            State::new(fen.into_position(shakmaty::CastlingMode::Standard).expect("a legal position"))
        };
        for [before, pushed] in [
            // On its rank, with the pawn that it would take; on the file of the king; on the diagonal.
            ["8/3p4/8/K3P2r/8/8/8/7k b - - 0 1", "8/8/8/K2pP2r/8/8/8/7k w - - 0 2"],
            ["4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 2"],
            ["7k/3p3b/8/4P3/8/8/1K6/8 b - - 0 1", "7k/7b/8/3pP3/8/8/1K6/8 w - - 0 2"],
        ] {
            let mut played = read(before);
            let push = shakmaty::uci::UciMove::from_ascii(b"d7d5").expect("a move");
            played.play(push.to_move(played.position()).expect("legal"));
            let is_legal = played.position().legal_moves().iter().any(|m| m.is_en_passant());
            assert_eq!(played.key() == read(pushed).key(), !is_legal, "{before}");
        }
    }

    #[test]
    fn passes_stop_no_clock_and_hide_what_was_before() {
        let mut state = State::new(Chess::default());
        let play = |state: &mut State, text: &str| {
            let m = shakmaty::uci::UciMove::from_ascii(text.as_bytes()).expect("a move");
            state.play(m.to_move(state.position()).expect("legal"));
            (state.clock(), state.reversible())
        };
        assert_eq!(play(&mut state, "g1f3"), (1, 1));
        state.pass();
        assert_eq!((state.clock(), state.reversible()), (1, 0));
        assert_eq!(play(&mut state, "f3g1"), (2, 1));
        assert_eq!(play(&mut state, "e7e5"), (0, 0));
    }

    /// Follows a random game of standard chess or Chess960 and compares with counting anew after each move.
    fn follow(start: Chess, rng: &mut ChaCha8Rng) {
        let mut state = State::new(start);
        for _ in 0..200 {
            let moves = state.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if !state.position.is_check() {
                let mut passed = state.clone();
                passed.pass();
                let anew = State::new(state.position.clone().swap_turn().expect("not in check"));
                assert_eq!((passed.key, passed.pawn_key, passed.placed), (anew.key, anew.pawn_key, anew.placed));
                assert_eq!(passed.position, anew.position);
            }
            state.play(moves[rng.random_range(0..moves.len())]);
            let anew = State::new(state.position.clone());
            assert_eq!(
                (state.key, state.pawn_key, state.material, state.placed, state.phase, state.en_passant, state.clock),
                (anew.key, anew.pawn_key, anew.material, anew.placed, anew.phase, anew.en_passant, anew.clock)
            );
        }
    }

    #[test]
    fn following_moves_is_counting_anew() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..60 {
            follow(Chess::default(), &mut rng);
        }
        for number in (0..960).step_by(16) {
            let setup = shakmaty::Setup {
                board: shakmaty::Board::chess960(number),
                castling_rights: shakmaty::Board::chess960(number).rooks(),
                ..shakmaty::Setup::initial()
            };
            let start = setup.position(shakmaty::CastlingMode::Chess960).expect("a legal start position");
            follow(start, &mut rng);
        }
    }
}
