//! Evaluating a head in a search: what does not change with every move is remembered.
//!
//! [`features::fill`] is the one definition of the features. It is asked whenever pawns or material are new; the features of
//! the kings, of blocked passed pawns and of the clock are computed anew each time (`fast_features`), and a test holds them
//! equal to the definition.
//! Three memories stand behind each other: the numbers of the pieces; the pawns; and both together with the kings, which
//! most positions of a search share with the one before.

use drawish_core::Pawns as PawnPair;
use shakmaty::{Color, Position};

use super::fast_features::{kings, passers, stronger};
use super::heads::{Depends, HeadTerms, Part, Residual, total};
use super::pawns::step;
use super::{FULL_PHASE, State};
use drawish_heads::features::{self, Family};

/// Entries of the memories.
const MATERIAL_ENTRIES: usize = 1 << 12;
const PAWN_ENTRIES: usize = 1 << 13;
const KING_PAWN_ENTRIES: usize = 1 << 13;
/// So many values of each memory may be read by terms outside it.
const CARRIED: usize = 8;

/// The greatest state of the fifty-move clock that features tell apart.
const LAST_CLOCK: usize = 150;

/// A head with its memory.
#[derive(Debug)]
pub(super) struct HeadCache {
    constant: i32,
    shift: u32,
    pawn_terms: Terms,
    material_terms: Terms,
    king_pawn_terms: Terms,
    /// What each pawn structure adds.
    residual: Option<Residual>,
    places: Places,
    /// What the clock adds, but for what depends on the phase, too.
    clock: Box<[i32; LAST_CLOCK + 1]>,
    clock_by_phase: i32,
    /// What each blocked passed pawn adds.
    blocked: i32,
    /// What else changes with every move: pairs and bands.
    rest: Vec<Part>,
    /// The values that terms outside the memories read, and those that were needed last.
    carried_material: Vec<usize>,
    carried_pawns: Vec<usize>,
    carried: Vec<usize>,
    values: Box<[i16; features::COUNT]>,
    /// Whether all values are computed anew each time: for heads with more pairs across the families than are carried,
    /// or with features of other families than those computed here.
    plain: bool,
    /// Whether the terms of [`KingPawn`] read the numbers of the pieces.
    mixed: bool,
    material: Vec<Material>,
    pawns: Vec<Pawns>,
    king_pawn: Vec<KingPawn>,
    /// By the place of each entry of `king_pawn`: read only by the terms of `rest`.
    carried_by: Vec<[i16; CARRIED]>,
    /// Ten times the square root of each state of the clock, as the features have it.
    roots: [i16; LAST_CLOCK + 1],
}

/// Some terms of a sum. Most are linear; they are added up apart from the others, which is faster.
#[derive(Debug)]
struct Terms {
    linear: Vec<(usize, i32)>,
    other: Vec<Part>,
}

impl Terms {
    fn new(parts: Vec<Part>) -> Terms {
        let mut terms = Terms { linear: Vec::new(), other: Vec::new() };
        for part in parts {
            match part {
                Part::Linear { place, weight } => terms.linear.push((place, weight)),
                other => terms.other.push(other),
            }
        }
        terms
    }

    fn total(&self, values: &[i16]) -> i32 {
        let linear: i32 = self.linear.iter().map(|(place, weight)| weight * i32::from(values[*place])).sum();
        linear + total(&self.other, values)
    }
}

/// What is known about the pieces, in a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Material {
    key: u64,
    /// Goes into the keys of the other memories.
    stronger: u64,
    sum: i32,
    carried: [i16; CARRIED],
}

/// What is known about a pawn structure, for one of the three answers to who has more material; in a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Pawns {
    key: u64,
    passers: [u64; 2],
    sum: i32,
    one_flank: bool,
    carried: [i16; CARRIED],
}

/// What is known about pawns and kings, and if need be the pieces. Never in two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct KingPawn {
    key: u64,
    /// The squares before passed pawns.
    fronts: u64,
    sum: i32,
}

/// Where the features stand among the values.
#[derive(Clone, Copy, Debug)]
struct Places {
    both_flanks: usize,
    blocked_passers: usize,
    /// The first of seven.
    kings: usize,
    /// The clock, the clock by the phase, its root.
    clock: usize,
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
            clock: first(Family::Clock),
        }
    }
}

impl HeadCache {
    pub fn new(mut sum: HeadTerms, residual: Option<Residual>) -> HeadCache {
        let places = Places::find();
        let read = |parts: &[&[Part]], depends: &[Depends]| {
            let mut read: Vec<usize> = parts.iter().copied().flatten().flat_map(Part::places).collect();
            read.retain(|place| depends.contains(&Depends::of(*place)));
            read.sort_unstable();
            read.dedup();
            read
        };
        let outside = [&sum.king_pawn[..], &sum.rest[..]];
        let carried_material = read(&outside, &[Depends::Material]);
        let carried_pawns = read(&outside, &[Depends::Pawns]);
        let carried = read(&outside[1..], &[Depends::Material, Depends::Pawns, Depends::Kings]);
        let foreign = |place: usize| matches!(features::all()[place].family, Family::Counts | Family::Win);
        let plain = [&carried_material, &carried_pawns, &carried].iter().any(|places| places.len() > CARRIED)
            || sum.rest.iter().flat_map(Part::places).any(foreign);

        let (mut blocked, mut by_clock, mut rest) = (0, [0; 3], Vec::new());
        if plain {
            rest.append(&mut sum.king_pawn);
            rest.append(&mut sum.rest);
        }
        for part in std::mem::take(&mut sum.rest) {
            match part {
                Part::Linear { place, weight } if place == places.blocked_passers => blocked += weight,
                Part::Linear { place, weight } if (places.clock..places.clock + 3).contains(&place) => {
                    by_clock[place - places.clock] += weight;
                }
                part => rest.push(part),
            }
        }
        // Square roots are exactly rounded on every machine.
        let roots: [i16; LAST_CLOCK + 1] =
            std::array::from_fn(|halfmoves| (10.0 * (halfmoves as f64).sqrt()).round() as i16);
        let clock = |halfmoves: usize| by_clock[0] * halfmoves as i32 + by_clock[2] * i32::from(roots[halfmoves]);
        // The key of no position: others hit it by chance, 12 counters of five bits end below it.
        let key = u64::MAX;
        let nothing = [0; CARRIED];
        HeadCache {
            mixed: !read(&[&sum.king_pawn, &rest], &[Depends::Material]).is_empty(),
            residual,
            places,
            clock: Box::new(std::array::from_fn(clock)),
            clock_by_phase: by_clock[1],
            blocked,
            values: Box::new([0; features::COUNT]),
            plain,
            material: vec![Material { key, stronger: 0, sum: 0, carried: nothing }; MATERIAL_ENTRIES],
            pawns: vec![Pawns { key, passers: [0; 2], sum: 0, one_flank: false, carried: nothing }; PAWN_ENTRIES],
            king_pawn: vec![KingPawn { key, fronts: 0, sum: 0 }; KING_PAWN_ENTRIES],
            carried_by: vec![nothing; if rest.is_empty() { 0 } else { KING_PAWN_ENTRIES }],
            rest,
            roots,
            carried_material,
            carried_pawns,
            carried,
            constant: sum.constant,
            shift: sum.shift,
            pawn_terms: Terms::new(sum.pawns),
            material_terms: Terms::new(sum.material),
            king_pawn_terms: Terms::new(sum.king_pawn),
        }
    }

    /// Whether the score depends on the fifty-move clock.
    pub fn reads_clock(&self) -> bool {
        let places = self.places.clock..self.places.clock + 3;
        self.clock.iter().any(|added| *added != self.clock[0])
            || self.clock_by_phase != 0
            || self.rest.iter().flat_map(Part::places).any(|place| places.contains(&place))
    }

    /// The head's score of a position in 2^-shift logit.
    pub fn score(&mut self, state: &State) -> i32 {
        let board = state.position().board();
        let material_key = state.material();
        let spread = material_key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let material_slot = (spread >> 52) as usize % MATERIAL_ENTRIES;
        if self.material[material_slot].key != material_key {
            self.material[material_slot] = self.learn_material(state);
        }
        let Material { stronger, sum, .. } = self.material[material_slot];
        let pawn_key = state.pawn_key() ^ stronger;
        let kings =
            [Color::White, Color::Black].map(|color| (board.kings() & board.by_color(color)).0.trailing_zeros());
        let mut key = pawn_key ^ u64::from(kings[0] << 6 | kings[1]).wrapping_mul(0xd6e8_feb8_6659_fd93);
        if self.mixed {
            key ^= spread.rotate_left(14);
        }
        let slot = key as usize % KING_PAWN_ENTRIES;
        if self.king_pawn[slot].key != key {
            self.king_pawn[slot] = self.learn_king_pawn(state, material_slot, pawn_key, slot, key);
        }
        let king_pawn = self.king_pawn[slot];

        let blocked = (king_pawn.fronts & board.occupied().0).count_ones() as i32;
        let clock = (state.clock() as usize).min(LAST_CLOCK);
        let clock_by_phase = clock as i32 * state.phase() / FULL_PHASE;
        let known =
            sum + king_pawn.sum + self.blocked * blocked + self.clock[clock] + self.clock_by_phase * clock_by_phase;
        if self.rest.is_empty() {
            return known;
        }
        let places = self.places;
        if self.plain {
            features::fill(&features::view(state.position()), &mut self.values);
        } else {
            for (place, value) in self.carried.iter().zip(&self.carried_by[slot]) {
                self.values[*place] = *value;
            }
            self.values[places.blocked_passers] = blocked as i16;
        }
        // The clock of the position itself also counts null moves.
        self.values[places.clock..places.clock + 3].copy_from_slice(&[
            clock as i16,
            clock_by_phase as i16,
            self.roots[clock],
        ]);
        known + total(&self.rest, &self.values[..])
    }

    fn learn_material(&mut self, state: &State) -> Material {
        let view = features::view(state.position());
        for family in [Family::Material, Family::Endings] {
            features::fill_family(family, &view, &mut self.values);
        }
        Material {
            key: state.material(),
            stronger: stronger(state.position().board()),
            sum: self.material_terms.total(&self.values[..]),
            carried: carried(&self.carried_material, &self.values[..]),
        }
    }

    fn learn_pawns(&mut self, state: &State, key: u64) -> Pawns {
        let board = state.position().board();
        let view = features::view(state.position());
        for family in [Family::Files, Family::Ranks] {
            features::fill_family(family, &view, &mut self.values);
        }
        // In 1/256 logit, which the sum is at least as fine as.
        let residual = self.residual.as_ref().map_or(0, |residual| {
            let pawns = board.pawns();
            let pawns = PawnPair { white: (pawns & board.white()).0, black: (pawns & board.black()).0 };
            residual.at(residual.scheme.index(pawns)) << (self.shift - 8)
        });
        Pawns {
            key,
            passers: passers(board),
            sum: self.constant + self.pawn_terms.total(&self.values[..]) + residual,
            one_flank: self.values[self.places.both_flanks] == 0,
            carried: carried(&self.carried_pawns, &self.values[..]),
        }
    }

    fn learn_king_pawn(
        &mut self,
        state: &State,
        material_slot: usize,
        pawn_key: u64,
        slot: usize,
        key: u64,
    ) -> KingPawn {
        let pawn_slot = pawn_key as usize % PAWN_ENTRIES;
        if self.pawns[pawn_slot].key != pawn_key {
            self.pawns[pawn_slot] = self.learn_pawns(state, pawn_key);
        }
        let pawns = &self.pawns[pawn_slot];
        let known =
            [(&self.carried_pawns, &pawns.carried), (&self.carried_material, &self.material[material_slot].carried)];
        for (places, values) in known {
            for (place, value) in places.iter().zip(values) {
                self.values[*place] = *value;
            }
        }
        let kings = kings(state.position().board(), pawns.passers, pawns.one_flank);
        self.values[self.places.kings..self.places.kings + kings.len()].copy_from_slice(&kings);
        if let Some(by) = self.carried_by.get_mut(slot) {
            *by = carried(&self.carried, &self.values[..]);
        }
        KingPawn {
            key,
            // No square lies before passed pawns of both sides: they would stand in each other's way.
            fronts: step(Color::White, pawns.passers[1]) | step(Color::Black, pawns.passers[0]),
            sum: pawns.sum + self.king_pawn_terms.total(&self.values[..]),
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use shakmaty::Chess;

    use super::*;
    use crate::eval::heads::{Heads, some_heads};
    use drawish_heads::heads::{Bands, Input};

    /// The fast way and the definition: all features filled, all terms added.
    fn agrees(sum: &HeadTerms, residual: Option<&Residual>, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut work = HeadCache::new(sum.clone(), residual.cloned());
        let mut values = [0; features::COUNT];
        for _ in 0..60 {
            let mut state = State::new(Chess::default());
            for _ in 0..200 {
                let moves = state.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                state.play(moves[rng.random_range(0..moves.len())]);
                features::fill(&features::view(state.position()), &mut values);
                let parts = [&sum.pawns, &sum.material, &sum.king_pawn, &sum.rest];
                let naive = sum.constant + parts.into_iter().flatten().map(|part| part.of(&values)).sum::<i32>();
                let board = state.position().board();
                let shift = residual.map_or(0, |residual| {
                    let side = |color: Color| (board.pawns() & board.by_color(color)).0;
                    let pawns = PawnPair { white: side(Color::White), black: side(Color::Black) };
                    residual.at(residual.scheme.index(pawns))
                });
                let score = work.score(&state);
                assert_eq!(score >> (sum.shift - 8), (naive >> (sum.shift - 8)) + shift);
                assert!(residual.is_some() || score == naive, "{score}, not {naive}");
            }
        }
    }

    #[test]
    fn what_is_remembered_is_what_is_computed() {
        let heads = some_heads();
        agrees(&heads.draw, None, 21);
        agrees(&heads.gain, None, 22);
        agrees(&heads.gain, heads.residual.as_ref(), 23);
        let shipped = Heads::from_toml("pooled", drawish_tables::POOLED_HEADS_TEXT).expect("heads");
        agrees(&shipped.draw, None, 24);
        agrees(&shipped.gain, None, 25);
    }

    /// A head that reads more than the memories carry is computed anew each time, and comes to the same.
    #[test]
    fn heads_that_read_too_much_are_computed_anew() {
        let mut sum = some_heads().draw;
        let kings = Places::find().kings;
        for place in 0..features::all().len() {
            if Depends::of(place) == Depends::Pawns {
                let bands = || Bands { input: Input::Feature(place), starts: vec![1] };
                let weights = [1, 2, 3, 4].into();
                sum.king_pawn.push(Part::Pair { places: [place, kings], bands: [bands(), bands()], weights });
            }
        }
        assert!(HeadCache::new(sum.clone(), None).plain);
        agrees(&sum, None, 26);
    }
}
