//! What a form makes of a position: factors of both parts of the score, complexity, and the fifty-move clock.
//!
//! Sources: Stockfish 11, `evaluate.cpp` (`scale_factor`, `initiative`) and `material.cpp`. Here the clock takes from the whole score
//! by phase, after a transposition table was read, and never adds; complexity is in centipawns.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Position, Role};

use super::classical::Parts;
use super::{Classical, FULL_PHASE, State, normalisation};
use crate::form::{Control, Fixed};

/// A factor of 1: 64ths in 1/16.
const ONE: i32 = 1024;
/// Mean slopes are measured between scores so far to both sides, in centipawns.
const STEP: i32 = 50;
/// Knight, bishop, rook and queen, as Stockfish 11 counts the material of a side in its middlegame.
const VALUES: [(Role, i32); 4] = [(Role::Knight, 781), (Role::Bishop, 825), (Role::Rook, 1276), (Role::Queen, 2538)];
const BISHOP: i32 = 825;
const ROOK: i32 = 1276;

/// What the numbers of a form are about. By colour, Black first.
#[derive(Clone, Copy, Debug)]
struct Situation {
    parts: Parts,
    phase: i32,
    pawns: [i32; 2],
    /// Without pawns.
    material: [i32; 2],
    opposite_bishops: bool,
    only_queens: bool,
    both_flanks: bool,
    /// Files less ranks between the kings.
    outflanking: i32,
    infiltration: bool,
    /// 1 or -1, at random by the pawns.
    lot: i32,
}

impl Situation {
    fn of(state: &State, parts: Parts) -> Situation {
        let board = state.position().board();
        let by_color = |squares: Bitboard| {
            [Color::Black, Color::White].map(|color| (squares & board.by_color(color)).count() as i32)
        };
        let mut material = [0; 2];
        for (role, value) in VALUES {
            let counts = by_color(board.by_role(role));
            material = [material[0] + value * counts[0], material[1] + value * counts[1]];
        }
        let bishops = board.bishops();
        let shades = [bishops & Bitboard::LIGHT_SQUARES, bishops & Bitboard::DARK_SQUARES].map(by_color);
        let kings = [Color::Black, Color::White].map(|color| board.king_of(color).expect("each side has a king"));
        let files = i32::from(kings[0].file()) - i32::from(kings[1].file());
        let ranks = i32::from(kings[0].rank()) - i32::from(kings[1].rank());
        let pawns = board.pawns();
        let queenside = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
        Situation {
            parts,
            phase: state.phase(),
            pawns: by_color(pawns),
            material,
            opposite_bishops: matches!(shades, [[1, 0], [0, 1]] | [[0, 1], [1, 0]]),
            only_queens: board.queens().any()
                && (board.occupied() & !board.queens() & !pawns & !board.kings()).is_empty(),
            both_flanks: (pawns & queenside).any() && (pawns & !queenside).any(),
            outflanking: files.abs() - ranks.abs(),
            infiltration: kings[1].rank() as u32 > 3 || (kings[0].rank() as u32) < 4,
            lot: if state.pawn_key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0 { 1 } else { -1 },
        }
    }

    /// The positions over which arms are normalised: what they hold does not depend on a form.
    fn of_normalisation() -> &'static [Situation] {
        static ALL: LazyLock<Vec<Situation>> = LazyLock::new(|| {
            let mut classical = Classical::new();
            normalisation::states().iter().map(|state| Situation::of(state, classical.parts(state))).collect()
        });
        &ALL
    }
}

/// The knowledge of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge {
    numbers: Fixed,
    control: Option<Control>,
    /// At which controls mirror, over the positions by which arms are normalised.
    mean_factor: i32,
    mean_complexity: i32,
    /// What brings the mean slope to 1, in 1/1024.
    normal: i32,
}

impl Knowledge {
    pub(super) fn new(numbers: Fixed, control: Option<Control>) -> Knowledge {
        let mut new = Knowledge { numbers, control: None, mean_factor: 0, mean_complexity: 0, normal: ONE };
        let all = Situation::of_normalisation();
        let mean = |of: &dyn Fn(&Situation) -> i32| all.iter().map(of).sum::<i32>() / all.len().max(1) as i32;
        let (factor, complexity) =
            (mean(&|seen| new.factor(seen, seen.parts.endgame > 0)), mean(&|seen| new.complexity(seen)));
        (new.mean_factor, new.mean_complexity, new.control) = (factor, complexity, control);
        let rises: i32 = all.iter().map(|seen| new.uncapped(seen, STEP) - new.uncapped(seen, -STEP)).sum();
        new.normal = (i64::from(ONE) * i64::from(2 * STEP) * all.len() as i64 / i64::from(rises.max(1)))
            .clamp(i64::from(ONE / 4), i64::from(4 * ONE)) as i32;
        new
    }

    /// Whether the score depends on the fifty-move clock.
    pub(super) fn reads_clock(&self) -> bool {
        self.numbers.clock != 0
    }

    /// The score without the clock, in centipawns for White; `shift` is added to both parts before.
    pub(super) fn lasting(&self, state: &State, parts: Parts, shift: i32) -> i32 {
        super::classical::cap(state, self.uncapped(&Situation::of(state, parts), shift))
    }

    /// The score with the clock.
    pub(super) fn with_clock(&self, state: &State, lasting: i32) -> i32 {
        let beyond = 16 * state.clock().min(1000) as i32 - self.numbers.clock_from;
        if beyond <= 0 || self.numbers.clock == 0 {
            return lasting;
        }
        let counts = self.numbers.endgame * (FULL_PHASE - state.phase()) + self.numbers.middlegame * state.phase();
        let taken =
            i64::from(beyond) * i64::from(self.numbers.clock) / 16 * i64::from(counts) / i64::from(FULL_PHASE * ONE);
        let one = i64::from(ONE);
        let factor = match self.control {
            None => one - taken,
            Some(Control::Reversed) => one + taken,
            Some(Control::Noise) => one - taken * if state.pawn_key() & 1 == 0 { 1 } else { -1 },
        };
        (i64::from(lasting) * factor.clamp(0, 2 * one) / one) as i32
    }

    fn uncapped(&self, seen: &Situation, shift: i32) -> i32 {
        let (mut middlegame, mut endgame) = (seen.parts.middlegame + shift, seen.parts.endgame + shift);
        let complexity = self.mirrored(self.complexity(seen), self.mean_complexity, seen.lot) / 16;
        let takes = (complexity + self.numbers.complexity_middlegame / 16).clamp(-middlegame.abs(), 0);
        middlegame += middlegame.signum() * takes;
        endgame += endgame.signum() * complexity.max(-endgame.abs());
        // The stronger side is that of the endgame's part; where this is level, of the other.
        let is_white = if endgame == 0 { middlegame > 0 } else { endgame > 0 };
        let less = self.mirrored(self.factor(seen, is_white), self.mean_factor, seen.lot) - ONE;
        let part = |score: i32, weight: i32, counts: i32| {
            i64::from(score * weight) * i64::from((ONE + less * counts / ONE).max(0))
        };
        let sum = part(middlegame, seen.phase, self.numbers.middlegame)
            + part(endgame, FULL_PHASE - seen.phase, self.numbers.endgame);
        (sum * i64::from(self.normal) / (i64::from(FULL_PHASE) * i64::from(ONE) * i64::from(ONE))) as i32
    }

    fn mirrored(&self, value: i32, mean: i32, lot: i32) -> i32 {
        match self.control {
            None => value,
            Some(Control::Reversed) => 2 * mean - value,
            Some(Control::Noise) => mean + lot * (value - mean),
        }
    }

    /// In centipawns, in 1/16.
    fn complexity(&self, seen: &Situation) -> i32 {
        let numbers = &self.numbers;
        let if_so = |holds: bool, number: i32| if holds { number } else { 0 };
        let unwinnable = seen.parts.passed == 0 && seen.outflanking < 0 && !seen.both_flanks;
        numbers.complexity
            + numbers.complexity_passed * seen.parts.passed
            + numbers.complexity_pawn * (seen.pawns[0] + seen.pawns[1])
            + numbers.complexity_outflanking * seen.outflanking
            + if_so(seen.infiltration, numbers.complexity_infiltration)
            + if_so(seen.both_flanks, numbers.complexity_both_flanks)
            + if_so(seen.material == [0; 2], numbers.complexity_pawn_ending)
            + if_so(unwinnable, numbers.complexity_unwinnable)
    }

    /// The factor of a position in which this side is the stronger.
    fn factor(&self, seen: &Situation, is_white: bool) -> i32 {
        let numbers = &self.numbers;
        let (own, other) = (usize::from(is_white), usize::from(!is_white));
        let (pawns, material) = (seen.pawns[own], seen.material);
        let mut factor = if pawns == 0 && material[own] - material[other] <= BISHOP {
            match () {
                () if material[own] < ROOK => numbers.pawnless_light,
                () if material[other] <= BISHOP => numbers.pawnless_minor,
                () => numbers.pawnless_rook,
            }
        } else if seen.opposite_bishops && material == [BISHOP; 2] {
            numbers.opposite_pure + numbers.opposite_pure_passed * seen.parts.passed
        } else if seen.opposite_bishops {
            numbers.opposite_base + numbers.opposite_per_pawn * pawns
        } else {
            numbers.base + numbers.per_pawn * pawns
        };
        if seen.pawns != [0; 2] && !seen.both_flanks {
            factor += numbers.one_flank;
        }
        if material == [0; 2] {
            factor += numbers.pawn_ending;
        } else if seen.only_queens {
            factor += numbers.queen_ending;
        }
        factor.clamp(0, ONE)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::form::Form;

    fn state(fen: &str) -> State {
        State::new(fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal"))
    }

    fn knowledge(changes: &[(&str, f64)], control: Option<Control>) -> Knowledge {
        let mut form = Form::default();
        changes.iter().for_each(|(name, value)| form.set(name, *value).expect("a number"));
        let form = control.map_or(form.clone(), |control| form.as_control(control));
        let (numbers, control) = form.fixed().expect("numbers");
        Knowledge::new(numbers, control)
    }

    fn factor(fen: &str) -> f64 {
        let state = state(fen);
        let parts = Classical::new().parts(&state);
        let seen = Situation::of(&state, parts);
        f64::from(knowledge(&[], None).factor(&seen, parts.endgame > 0)) / 16.0
    }

    #[test]
    fn factors_are_those_of_stockfish_11() {
        // 36 + 7 for each pawn of the stronger side, at most 64.
        assert_eq!(factor("4k3/5p2/8/8/8/8/5P2/R3K3 w - - 0 1"), 43.0);
        assert_eq!(factor("4k3/8/8/8/8/8/1PPPPP2/R3K3 w - - 0 1"), 64.0);
        // Opposite bishops alone, and with rooks; on one colour they are like others.
        assert_eq!(factor("4k3/8/3b4/8/8/3B4/4PPP1/4K3 w - - 0 1"), 22.0);
        assert_eq!(factor("r3k3/8/3b4/8/8/3B4/4PPP1/R3K3 w - - 0 1"), 42.0);
        assert_eq!(factor("4k3/8/4b3/8/8/3B4/4PPP1/4K3 w - - 0 1"), 57.0);
        // Without pawns: a rook against a bishop, rook and knight against a rook, a bishop.
        assert_eq!(factor("4k3/8/3b4/8/8/8/8/R3K3 w - - 0 1"), 4.0);
        assert_eq!(factor("r3k3/8/8/8/8/8/8/RN2K3 w - - 0 1"), 14.0);
        assert_eq!(factor("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), 0.0);
        assert_eq!(factor("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), 36.0);
    }

    #[test]
    fn complexity_is_that_of_stockfish_11() {
        // By hand in its units, where a pawn is 213: 9 passed, 11 pawns, 9 outflanking, 12 infiltration, 21 both flanks, 51, -43, -100.
        for (fen, expected) in [
            ("4k3/5p2/8/8/8/8/5P2/R3K3 w - - 0 1", 11 * 2 + 9 * -7 - 43 - 100),
            ("4k3/p4p2/8/3K4/8/8/P4P2/8 w - - 0 1", 11 * 4 + 9 * (1 - 3) + 12 + 21 + 51 - 100),
            ("7k/8/8/8/8/8/P7/K7 w - - 0 1", 9 + 11 + 51 - 100),
        ] {
            let state = state(fen);
            let seen = Situation::of(&state, Classical::new().parts(&state));
            let found = f64::from(knowledge(&[], None).complexity(&seen)) / 16.0;
            let expected = f64::from(expected) * 100.0 / 213.0;
            // The numbers of the form have one decimal.
            assert!((found - expected).abs() < 1.0, "{fen}: {found}, {expected}");
        }
    }

    #[test]
    fn the_clock_takes_from_the_twelfth_half_move_on() {
        let (early, late) = (state("4k3/8/8/8/8/8/4P3/R3K3 w - - 12 40"), state("4k3/8/8/8/8/8/4P3/R3K3 w - - 76 80"));
        let of = |changes: &[(&str, f64)], control| {
            let knowledge = knowledge(changes, control);
            [&early, &late].map(|state| knowledge.with_clock(state, 640))
        };
        // 64 half-moves take 16 of 64 in an ending with a phase of 2 of 24.
        assert_eq!(of(&[], None), [640, 640 - 640 / 4 * 22 / 24 - 1]);
        assert_eq!(of(&[("clock", 0.0)], None), [640, 640]);
        assert_eq!(of(&[("clock_from", 0.0), ("clock", 0.5), ("endgame", 0.0)], None), [640, 640]);
        assert!(of(&[], Some(Control::Reversed))[1] > 640);
    }

    /// Controls spread as much as what they are controls of, in factors and in complexity.
    #[test]
    fn controls_mirror_at_the_mean() {
        let all = Situation::of_normalisation();
        let plain = knowledge(&[], None);
        let spread = |control| {
            let knowledge = knowledge(&[], control);
            let of = |seen: &Situation| knowledge.mirrored(plain.factor(seen, true), knowledge.mean_factor, seen.lot);
            all.iter().map(|seen| f64::from(of(seen) - knowledge.mean_factor).powi(2)).sum::<f64>()
        };
        let expected = spread(None);
        assert!(expected > 0.0);
        assert_eq!([spread(Some(Control::Reversed)), spread(Some(Control::Noise))], [expected; 2]);
        let lots: i32 = all.iter().map(|seen| seen.lot).sum();
        assert!(lots.unsigned_abs() < all.len() as u32 / 10, "{lots}");
    }

    /// What makes no difference is no knowledge: the plain score in another way.
    #[test]
    fn without_effect_the_score_is_the_plain_one() {
        let mut changes: Vec<(String, f64)> =
            Form::names().filter(|name| name.starts_with("complexity")).map(|name| (name, 0.0)).collect();
        changes.push(("endgame".to_owned(), 0.0));
        let changes: Vec<_> = changes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let (knowledge, mut classical) = (knowledge(&changes, None), Classical::new());
        for state in normalisation::states().iter().step_by(10) {
            let parts = classical.parts(state);
            let (found, plain) = (knowledge.lasting(state, parts, 0), classical.win_loss(state));
            assert!((found - plain).abs() <= 1 + plain.abs() / 100, "{found} {plain}");
        }
    }
}
