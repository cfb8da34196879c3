//! One engine against several opponents who are met from the same openings: how often its intervals hold the truth.

#![allow(dead_code, reason = "each program uses a part")]

use drawish_stats::{Clustered, Equivalence, NELO_PER_T, Results, Strength, design_effect, elo_of_score, score_of_elo};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::simulation::{Law, results};

/// Which openings an opponent is met from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Meeting {
    All,
    /// All, half, a fourth and an eighth of them, in turn.
    Some,
    /// As many of its own.
    Own,
}

/// A kind of match.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub opponents: u32,
    pub openings: u32,
    /// Elo of the engine against each opponent in turn.
    pub elos: &'static [f64],
    /// The share of the points that an opening gives or takes.
    pub luck: f64,
    pub meeting: Meeting,
}

/// How many intervals hold the truth, and how many tests find what is not there.
#[derive(Clone, Copy, Default, Debug)]
pub struct Found {
    pub matches: u32,
    pub error: u32,
    pub interval: u32,
    pub nelo: u32,
    pub wrong_los: u32,
    pub equivalent: u32,
    pub as_one_stratum: u32,
    pub width: f64,
}

const ALIKE: [f64; 1] = [0.0];
const STRONGER: [f64; 1] = [40.0];
const UNLIKE: [f64; 3] = [300.0, 0.0, -300.0];
const UNEVEN: [f64; 2] = [300.0, -100.0];

impl Found {
    /// The shares in which the error of Elo and its interval hold the truth.
    pub fn holds(&self) -> [f64; 2] {
        [self.error, self.interval].map(|count| f64::from(count) / f64::from(self.matches))
    }
}

impl Cell {
    /// The opponents in words.
    pub fn field(&self) -> &'static str {
        match self.elos {
            [0.0] => "alike",
            [_] => "+40",
            [_, _] => "+300, -100",
            _ => "+300, 0, -300",
        }
    }
}

/// All kinds.
pub fn cells() -> Vec<Cell> {
    let mut all = Vec::new();
    for opponents in [2, 3, 10] {
        for elos in [&ALIKE[..], &STRONGER, &UNLIKE, &UNEVEN] {
            for openings in [20, 50, 200] {
                for luck in [0.0, 0.12] {
                    all.push(Cell { opponents, openings, elos, luck, meeting: Meeting::All });
                }
            }
        }
        for elos in [&ALIKE[..], &UNLIKE] {
            for (openings, meeting) in
                [(40, Meeting::Some), (200, Meeting::Some), (20, Meeting::Own), (50, Meeting::Own)]
            {
                all.push(Cell { opponents, openings, elos, luck: 0.12, meeting });
            }
        }
    }
    all
}

impl Cell {
    fn elo(&self, opponent: u32) -> f64 {
        self.elos[opponent as usize % self.elos.len()]
    }

    fn met(&self, opponent: u32) -> u32 {
        if self.meeting == Meeting::Some { self.openings >> (opponent % 4) } else { self.openings }
    }

    /// The law of a pair from an opening that gives or takes its share.
    fn law(&self, opponent: u32, is_lucky: bool) -> Law {
        let score = score_of_elo(self.elo(opponent)) + if is_lucky { self.luck } else { -self.luck };
        let draw = 1.2 * score.min(1.0 - score);
        let win = score - draw / 2.0;
        let loss = 1.0 - win - draw;
        Law(vec![loss * loss, 2.0 * loss * draw, 2.0 * win * loss + draw * draw, 2.0 * win * draw, win * win])
    }

    /// The shares of all pairs by their points.
    fn shares(&self) -> [f64; 5] {
        let all: u32 = (0..self.opponents).map(|opponent| self.met(opponent)).sum();
        let mut shares = [0.0; 5];
        for opponent in 0..self.opponents {
            let weight = f64::from(self.met(opponent)) / f64::from(all) / 2.0;
            for law in [true, false].map(|is_lucky| self.law(opponent, is_lucky)) {
                shares.iter_mut().zip(law.0).for_each(|(share, own)| *share += weight * own);
            }
        }
        shares
    }

    /// Elo by the score that is expected.
    pub fn truth(&self) -> f64 {
        elo_of_score(mean(&self.shares()))
    }

    fn nelo(&self) -> f64 {
        let shares = self.shares();
        let mean = mean(&shares);
        let variance: f64 =
            shares.iter().zip(0..).map(|(share, at)| share * (f64::from(at) / 4.0 - mean).powi(2)).sum();
        NELO_PER_T * (mean - 0.5) / (2.0 * variance).sqrt()
    }

    /// Plays so many matches.
    pub fn play(&self, matches: u32, seed: u64) -> Found {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (truth, nelo) = (self.truth(), self.nelo());
        let mut found = Found { matches, ..Found::default() };
        let laws: Vec<[Law; 2]> =
            (0..self.opponents).map(|opponent| [false, true].map(|is_lucky| self.law(opponent, is_lucky))).collect();
        for _ in 0..matches {
            let (all, clustered) = self.once(&laws, &mut random);
            let effect = design_effect(&clustered, &[], &all);
            let strength = Strength::of_dependent(&all, effect);
            let off = (strength.elo - truth).abs();
            let error = strength.elo_error.expect("results vary");
            found.error += u32::from(off < error);
            found.width += error;
            found.interval += u32::from(strength.elo_low < truth && truth < strength.elo_high);
            let both = strength.nelo.zip(strength.nelo_error).expect("results vary");
            found.nelo += u32::from((both.0 - nelo).abs() < both.1);
            let los = strength.los.expect("results");
            found.wrong_los += u32::from(!(0.025..=0.975).contains(&los));
            if truth > 1.0 {
                found.equivalent += u32::from(Equivalence::of_dependent(&all, effect, truth).p() < 0.05);
            }
            let one: Vec<Clustered> = clustered.iter().map(|result| Clustered { stratum: 0, ..*result }).collect();
            let one = Strength::of_dependent(&all, design_effect(&one, &[], &all).max(1.0));
            found.as_one_stratum += u32::from(off < one.elo_error.expect("results vary"));
        }
        found
    }

    fn once(&self, laws: &[[Law; 2]], random: &mut ChaCha8Rng) -> (Results, Vec<Clustered>) {
        let luck: Vec<bool> = (0..self.openings).map(|_| random.random_bool(0.5)).collect();
        let (mut counts, mut clustered) = (vec![0; 5], Vec::new());
        for stratum in 0..self.opponents {
            for opening in 0..self.met(stratum) {
                let is_own = self.meeting == Meeting::Own;
                let is_lucky = if is_own { random.random_bool(0.5) } else { luck[opening as usize] };
                let halves = laws[stratum as usize][usize::from(is_lucky)].draw(random);
                counts[halves] += 1;
                let cluster = if is_own { stratum * self.openings + opening } else { opening };
                clustered.push(Clustered { value: halves as f64 / 4.0, weight: 1.0, stratum, cluster });
            }
        }
        (results(&counts), clustered)
    }
}

fn mean(shares: &[f64; 5]) -> f64 {
    shares.iter().zip(0..).map(|(share, at)| share * f64::from(at) / 4.0).sum()
}
