//! Evaluating a head in a search: what depends on the pawns or on the material alone is remembered.
//!
//! [`features::fill`] is the one definition of the features. It is asked whenever pawns or material are new; what changes
//! with every move, the kings and the clock, is computed here, and a test holds it equal to the definition.

use shakmaty::{Board, Color, Position, Role};

use super::State;
use super::heads::{Sum, total};
use super::pawns::{squares, step, widen};
use crate::features::{self, Family, PositionView};

/// Entries of each memory.
const ENTRIES: usize = 1 << 13;

/// A head with its memory.
#[derive(Debug)]
pub(super) struct Headwork {
    sum: Sum,
    places: Places,
    values: Vec<i16>,
    pawns: Vec<Remembered>,
    material: Vec<Remembered>,
    /// Ten times the square root of each state of the clock, as the features have it.
    roots: [i16; 151],
}

/// A part of the sum, and the values that other parts may want.
#[derive(Clone, Debug)]
struct Remembered {
    key: u64,
    sum: i32,
    passers: [u64; 2],
    values: [i16; 40],
}

/// Where the features stand among the values.
#[derive(Clone, Copy, Debug)]
struct Places {
    material: (usize, usize),
    pawns: (usize, usize),
    both_flanks: usize,
    blocked_passers: usize,
    kings: usize,
    clock: usize,
}

impl Places {
    fn find() -> Places {
        let all = features::all();
        let first =
            |family: Family| all.iter().position(|feature| feature.family == family).expect("each family has features");
        let place = |name: &str| features::place(name).expect("a feature of this crate");
        Places {
            material: (first(Family::Material), first(Family::Files)),
            pawns: (first(Family::Files), first(Family::Kings)),
            both_flanks: place("both_flanks"),
            blocked_passers: place("blocked_passers"),
            kings: first(Family::Kings),
            clock: first(Family::Clock),
        }
    }
}

impl Headwork {
    pub fn new(sum: Sum) -> Headwork {
        let places = Places::find();
        // No key of a position is this one: the bits of a material key end below it, and pawn keys hit it by chance.
        let nothing = Remembered { key: u64::MAX, sum: 0, passers: [0; 2], values: [0; 40] };
        Headwork {
            sum,
            places,
            values: vec![0; features::all().len()],
            pawns: vec![nothing.clone(); ENTRIES],
            material: vec![nothing; ENTRIES],
            // Square roots are exactly rounded on every machine.
            roots: std::array::from_fn(|halfmoves| (10.0 * (halfmoves as f64).sqrt()).round() as i16),
        }
    }

    /// The head's score of a position in 2^-shift logit.
    pub fn score(&mut self, state: &State) -> i32 {
        let position = state.position();
        let board = position.board();
        let (material_key, stronger) = material_key(board);
        let pawn_key = state.pawn_key() ^ stronger;
        let material_slot = (material_key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize % ENTRIES;
        let pawn_slot = pawn_key as usize % ENTRIES;
        if self.material[material_slot].key != material_key || self.pawns[pawn_slot].key != pawn_key {
            self.learn(state, (material_slot, material_key), (pawn_slot, pawn_key));
        }
        let (material, pawns) = (&self.material[material_slot], &self.pawns[pawn_slot]);
        let known = self.sum.constant + material.sum + pawns.sum;
        if self.sum.rest.is_empty() {
            return known;
        }
        let places = self.places;
        let (begin, end) = places.material;
        self.values[begin..end].copy_from_slice(&material.values[..end - begin]);
        let (begin, end) = places.pawns;
        self.values[begin..end].copy_from_slice(&pawns.values[..end - begin]);
        let passers = pawns.passers;
        self.values[places.blocked_passers] = blocked(board, passers);
        let one_flank = self.values[places.both_flanks] == 0;
        kings(board, passers, one_flank, &mut self.values[places.kings..]);
        let rule50 = position.halfmoves().min(150);
        let clock = &mut self.values[places.clock..];
        clock[0] = rule50 as i16;
        clock[1] = (rule50 as i32 * state.phase() / 24) as i16;
        clock[2] = self.roots[rule50 as usize];
        known + total(&self.sum.rest, &self.values)
    }

    /// Computes all features and keeps what may come again.
    fn learn(&mut self, state: &State, material: (usize, u64), pawns: (usize, u64)) {
        features::fill(&PositionView::of(state.position()), &mut self.values);
        let keep = |(begin, end): (usize, usize), key: u64, sum: i32, values: &[i16]| {
            let mut kept = [0; 40];
            kept[..end - begin].copy_from_slice(&values[begin..end]);
            Remembered { key, sum, passers: [0; 2], values: kept }
        };
        let sum = total(&self.sum.material, &self.values);
        self.material[material.0] = keep(self.places.material, material.1, sum, &self.values);
        let sum = total(&self.sum.pawns, &self.values);
        let mut kept = keep(self.places.pawns, pawns.1, sum, &self.values);
        kept.passers = passers(state.position().board());
        self.pawns[pawns.0] = kept;
    }
}

/// A number for the pieces that both sides have and the shades of their bishops, and one for who has more.
fn material_key(board: &Board) -> (u64, u64) {
    let mut key = 0;
    let mut ahead = 0;
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let own = board.by_color(color);
        for (role, worth) in [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        {
            let count = (own & board.by_role(role)).count();
            key = key << 5 | count as u64;
            ahead += sign * worth * count as i32;
        }
        let dark = own & board.bishops() & shakmaty::Bitboard::DARK_SQUARES;
        key = key << 1 | u64::from(dark.any());
    }
    let stronger = match ahead.signum() {
        0 => 0,
        1 => 0x5bd1_e995_7b93_8d4f,
        _ => 0xc2b2_ae3d_27d4_eb4f,
    };
    (key, stronger)
}

/// Pawns without an enemy pawn before them on their own and the next files, Black's first.
fn passers(board: &Board) -> [u64; 2] {
    [Color::Black, Color::White].map(|color| {
        let enemy = (board.pawns() & board.by_color(!color)).0;
        // What the enemy's pawns hold up, seen from their side.
        let mut held = widen(step(!color, enemy));
        for _ in 0..5 {
            held |= step(!color, held);
        }
        (board.pawns() & board.by_color(color)).0 & !held
    })
}

fn blocked(board: &Board, passers: [u64; 2]) -> i16 {
    let before = step(Color::White, passers[1]) & board.occupied().0;
    let before_black = step(Color::Black, passers[0]) & board.occupied().0;
    (before.count_ones() + before_black.count_ones()) as i16
}

/// The features of the kings, in their order.
fn kings(board: &Board, passers: [u64; 2], one_flank: bool, values: &mut [i16]) {
    let place = |color: Color| {
        let king = board.king_of(color).expect("each side has a king");
        (king.file() as i16, king.rank() as i16)
    };
    let ((wf, wr), (bf, br)) = (place(Color::White), place(Color::Black));
    let outflanking = (wf - bf).abs() + wr - br;
    values[0] = outflanking;
    values[1] = i16::from(wr > 3 || br < 4);
    values[2] = (wf - bf).abs().max((wr - br).abs());
    // Of each side's passed pawns the one furthest on, of equal ones that which the enemy's king is furthest from.
    let race = |color: Color, own: (i16, i16), enemy: (i16, i16)| {
        let found = squares(passers[color as usize]).map(|pawn| {
            let (file, rank) = ((pawn % 8) as i16, (pawn / 8) as i16);
            let (rank, before) = if color.is_white() { (rank, rank + 1) } else { (7 - rank, rank - 1) };
            let moves = |king: (i16, i16)| (king.0 - file).abs().max((king.1 - before).abs());
            ((-rank, moves(enemy)), moves(own))
        });
        found.min_by_key(|&((rank, defence), support)| (rank, -defence, support)).unwrap_or(((0, 7), 7))
    };
    let (defence, support) = race(Color::White, (wf, wr), (bf, br)).min(race(Color::Black, (bf, br), (wf, wr)));
    values[3] = defence.1;
    values[4] = support;
    values[5] = i16::from(one_flank && outflanking < 0 && passers == [0; 2]);
    values[6] =
        [(wf, wr), (bf, br)].map(|(file, rank)| (2 * file - 7).abs() / 2 + (2 * rank - 7).abs() / 2).iter().sum();
}

#[cfg(test)]
pub(super) mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use shakmaty::Chess;

    use super::*;
    use crate::eval::heads::Heads;

    /// Heads with a weight for every even feature, for bands and for pairs across all families.
    pub(in crate::eval) fn some_heads() -> Heads {
        let mut random = 1u64;
        let mut weight = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((random >> 40) as u32) / f64::from(1 << 24) - 0.5
        };
        let even = features::all().iter().filter(|feature| feature.parity == features::Parity::Even);
        let mut terms: Vec<(String, usize)> = even.map(|feature| (feature.name.to_owned(), 1)).collect();
        for (term, count) in [
            ("rams @ 1,2,4", 4),
            ("npm @ 6,14,30", 4),
            ("rule50 @ 20,60", 3),
            ("strong_pawns @ 1,2,3,4 * npm_diff @ 1,3,5", 20),
            ("passers @ 1,2 * king_distance @ 3,5", 9),
            ("pawns @ 4,8 * phase @ 6,14", 9),
        ] {
            terms.push((term.to_owned(), count));
        }
        let mut head = |kappa: &str, scale: f64| {
            let mut text = format!("{kappa}constant = 0.25\nloss = 1.0\nquantised_loss = 1.0\nshift = 12\nwin = []\n");
            let weighted = terms.iter().map(|(term, count)| {
                let weights: Vec<String> = (0..*count).map(|_| format!("{:.6}", scale * weight())).collect();
                format!("{{ term = {term:?}, weights = [{}], errors = [] }}", weights.join(", "))
            });
            text.push_str(&format!("score = [{}]\n", weighted.collect::<Vec<_>>().join(", ")));
            text
        };
        let (draw, gain) = (head("kappa = 1.5\n", 0.2), head("", 0.004));
        let shifts: Vec<String> = (0..4096).map(|cell| (cell % 41 - 20).to_string()).collect();
        let text = format!(
            "format = \"heads\"\nversion = 1\nmade_by = \"a test\"\nrows = 1\nevents = 1\nresults = [1, 1, 1]\n\
             rules = []\ninputs = []\n[draw]\n{draw}[gain]\n{gain}[gain.residual]\nscheme = \"bg\"\n\
             variance = 0.02\nshifts = [{}]\n",
            shifts.join(", ")
        );
        Heads::from_toml("some", &text).expect("a heads file")
    }

    /// The fast way and the definition: all features filled, all terms added.
    #[test]
    fn what_is_remembered_is_what_is_computed() {
        let heads = some_heads();
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        for sum in [&heads.draw, &heads.gain] {
            let mut work = Headwork::new(sum.clone());
            let mut values = vec![0; features::all().len()];
            for _ in 0..60 {
                let mut state = State::new(Chess::default());
                for _ in 0..200 {
                    let moves = state.position().legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    state.play(moves[rng.random_range(0..moves.len())]);
                    features::fill(&PositionView::of(state.position()), &mut values);
                    let parts = sum.pawns.iter().chain(&sum.material).chain(&sum.rest);
                    let naive = sum.constant + parts.map(|part| part.of(&values)).sum::<i32>();
                    assert_eq!(work.score(&state), naive);
                }
            }
        }
    }
}
