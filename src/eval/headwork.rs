//! Evaluating a head in a search: what depends on the pawns or on the material alone is remembered.
//!
//! [`features::fill`] is the one definition of the features. It is asked whenever pawns or material are new; what changes
//! with every move, the kings and the clock, is computed here, and a test holds it equal to the definition.

use std::cmp::Ordering;

use shakmaty::{Board, Color, Position, Role};

use super::State;
use super::heads::{Depends, Part, Sum, total};
use super::pawns::{squares, step, widen};
use crate::features::{self, Family, PositionView};

/// Entries of the memories.
const PAWN_ENTRIES: usize = 1 << 12;
const MATERIAL_ENTRIES: usize = 1 << 10;
/// So many values of each memory may be read by terms outside it.
const CARRIED: usize = 8;

/// The features that are computed here: blocked passed pawns, then those of the kings and of the clock.
const DIRECT: usize = 1 + 7 + 3;

/// A head with its memory.
#[derive(Debug)]
pub(super) struct Headwork {
    sum: Sum,
    /// The rest of the sum: the weights of the features that are computed here, and the bands and pairs.
    linear: [i32; DIRECT],
    other: Vec<Part>,
    places: Places,
    /// The values that terms outside the memories read, and those that were needed last.
    carried_pawns: Vec<usize>,
    carried_material: Vec<usize>,
    values: Vec<i16>,
    /// Whether all values are computed anew each time: for heads with more pairs across the families than are carried,
    /// or with features of other families than those computed here.
    plain: bool,
    pawns: Vec<Pawns>,
    material: Vec<Material>,
    /// Ten times the square root of each state of the clock, as the features have it.
    roots: [i16; 151],
}

/// What is known about a pawn structure, for one of the three answers to who has more material.
#[derive(Clone, Copy, Debug)]
struct Pawns {
    key: u64,
    passers: [u64; 2],
    sum: i32,
    one_flank: bool,
    carried: [i16; CARRIED],
}

/// What is known about the pieces.
#[derive(Clone, Copy, Debug)]
struct Material {
    key: u64,
    /// Goes into the key of the pawns.
    stronger: u64,
    sum: i32,
    carried: [i16; CARRIED],
}

/// Where the features stand among the values.
#[derive(Clone, Copy, Debug)]
struct Places {
    both_flanks: usize,
    blocked_passers: usize,
    /// The kings' are followed by the clock's.
    kings: usize,
}

impl Places {
    fn find() -> Places {
        let all = features::all();
        let first =
            |family: Family| all.iter().position(|feature| feature.family == family).expect("each family has features");
        let place = |name: &str| features::place(name).expect("a feature of this crate");
        Places {
            both_flanks: place("both_flanks"),
            blocked_passers: place("blocked_passers"),
            kings: first(Family::Kings),
        }
    }
}

impl Headwork {
    pub fn new(sum: Sum) -> Headwork {
        let places = Places::find();
        let mut linear = [0; DIRECT];
        let mut other = Vec::new();
        for part in &sum.rest {
            match part {
                Part::Linear { place, weight } if *place == places.blocked_passers => linear[0] += weight,
                Part::Linear { place, weight } if (places.kings..places.kings + DIRECT - 1).contains(place) => {
                    linear[1 + place - places.kings] += weight;
                }
                part => other.push(part.clone()),
            }
        }
        let read_outside = |depends: Depends| {
            let mut read: Vec<usize> = sum.rest.iter().flat_map(Part::places).collect();
            read.retain(|place| Depends::of(*place) == depends);
            read.sort_unstable();
            read.dedup();
            read
        };
        let carried_pawns = read_outside(Depends::Pawns);
        let carried_material = read_outside(Depends::Material);
        let foreign = |place: usize| matches!(features::all()[place].family, Family::Counts | Family::Win);
        let plain = carried_pawns.len() > CARRIED
            || carried_material.len() > CARRIED
            || sum.rest.iter().flat_map(Part::places).any(foreign);
        // The key of no position: pawn keys hit it by chance, 12 counters of five bits end below it.
        let key = u64::MAX;
        let carried = [0; CARRIED];
        Headwork {
            linear,
            other,
            places,
            values: vec![0; features::all().len()],
            plain,
            pawns: vec![Pawns { key, passers: [0; 2], sum: 0, one_flank: false, carried }; PAWN_ENTRIES],
            material: vec![Material { key, stronger: 0, sum: 0, carried }; MATERIAL_ENTRIES],
            // Square roots are exactly rounded on every machine.
            roots: std::array::from_fn(|halfmoves| (10.0 * (halfmoves as f64).sqrt()).round() as i16),
            carried_pawns,
            carried_material,
            sum,
        }
    }

    /// The head's score of a position in 2^-shift logit.
    pub fn score(&mut self, state: &State) -> i32 {
        let material_key = state.material();
        let slot = (material_key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % MATERIAL_ENTRIES;
        if self.material[slot].key != material_key {
            self.material[slot] = self.learn_material(state);
        }
        let material = self.material[slot];
        let pawn_key = state.pawn_key() ^ material.stronger;
        let slot = pawn_key as usize % PAWN_ENTRIES;
        if self.pawns[slot].key != pawn_key {
            self.pawns[slot] = self.learn_pawns(state, pawn_key);
        }
        let pawns = self.pawns[slot];
        let known = self.sum.constant + material.sum + pawns.sum;
        if self.sum.rest.is_empty() {
            return known;
        }
        if self.plain {
            features::fill(&PositionView::of(state.position()), &mut self.values);
            return known + total(&self.sum.rest, &self.values);
        }
        let direct = self.direct(state, &pawns);
        let linear: i32 = self.linear.iter().zip(&direct).map(|(weight, value)| weight * i32::from(*value)).sum();
        if self.other.is_empty() {
            return known + linear;
        }
        for (places, values) in [(&self.carried_pawns, &pawns.carried), (&self.carried_material, &material.carried)] {
            for (place, value) in places.iter().zip(values) {
                self.values[*place] = *value;
            }
        }
        let Places { blocked_passers, kings, .. } = self.places;
        self.values[blocked_passers] = direct[0];
        self.values[kings..kings + DIRECT - 1].copy_from_slice(&direct[1..]);
        known + linear + total(&self.other, &self.values)
    }

    /// The features that change with every move.
    fn direct(&self, state: &State, pawns: &Pawns) -> [i16; DIRECT] {
        let position = state.position();
        let board = position.board();
        let rule50 = position.halfmoves().min(150);
        let [outflanking, infiltration, distance, defence, support, unwinnable, central] =
            kings(board, pawns.passers, pawns.one_flank);
        [
            blocked(board, pawns.passers),
            outflanking,
            infiltration,
            distance,
            defence,
            support,
            unwinnable,
            central,
            rule50 as i16,
            (rule50 as i32 * state.phase() / 24) as i16,
            self.roots[rule50 as usize],
        ]
    }

    fn learn_material(&mut self, state: &State) -> Material {
        let view = PositionView::of(state.position());
        for family in [Family::Material, Family::Endings] {
            features::fill_family(family, &view, &mut self.values);
        }
        Material {
            key: state.material(),
            stronger: stronger(state.position().board()),
            sum: total(&self.sum.material, &self.values),
            carried: carried(&self.carried_material, &self.values),
        }
    }

    fn learn_pawns(&mut self, state: &State, key: u64) -> Pawns {
        let view = PositionView::of(state.position());
        for family in [Family::Files, Family::Ranks] {
            features::fill_family(family, &view, &mut self.values);
        }
        Pawns {
            key,
            passers: passers(state.position().board()),
            sum: total(&self.sum.pawns, &self.values),
            one_flank: self.values[self.places.both_flanks] == 0,
            carried: carried(&self.carried_pawns, &self.values),
        }
    }
}

fn carried(places: &[usize], values: &[i16]) -> [i16; CARRIED] {
    let mut carried = [0; CARRIED];
    for (place, value) in places.iter().zip(&mut carried) {
        *value = values[*place];
    }
    carried
}

/// A number for which side has more material: features of pawns ask for the stronger side.
fn stronger(board: &Board) -> u64 {
    let worth = |color: Color| {
        let own = board.by_color(color);
        let count = |role: Role| (own & board.by_role(role)).count();
        count(Role::Pawn)
            + 3 * (count(Role::Knight) + count(Role::Bishop))
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    match worth(Color::White).cmp(&worth(Color::Black)) {
        Ordering::Equal => 0,
        Ordering::Greater => 0x5bd1_e995_7b93_8d4f,
        Ordering::Less => 0xc2b2_ae3d_27d4_eb4f,
    }
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
fn kings(board: &Board, passers: [u64; 2], one_flank: bool) -> [i16; 7] {
    let place = |color: Color| {
        let king = board.king_of(color).expect("each side has a king");
        (king.file() as i16, king.rank() as i16)
    };
    let ((wf, wr), (bf, br)) = (place(Color::White), place(Color::Black));
    let outflanking = (wf - bf).abs() + wr - br;
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
    let central = |(file, rank): (i16, i16)| (2 * file - 7).abs() / 2 + (2 * rank - 7).abs() / 2;
    [
        outflanking,
        i16::from(wr > 3 || br < 4),
        (wf - bf).abs().max((wr - br).abs()),
        defence.1,
        support,
        i16::from(one_flank && outflanking < 0 && passers == [0; 2]),
        central((wf, wr)) + central((bf, br)),
    ]
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use shakmaty::Chess;

    use super::*;
    use crate::eval::heads::some_heads;

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
