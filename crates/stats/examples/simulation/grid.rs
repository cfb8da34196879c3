//! The grid on which the estimate after a stop is tried: lengths, draw ratios, models, bounds, truths.

#![allow(dead_code, reason = "each program uses a part")]

use drawish_stats::{Model, NELO_PER_T, SequentialEstimate, Sprt, elo_of_score, score_of_elo};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::simulation::{Law, play, results};

/// Pairs that a match takes, or is cut at.
pub const LENGTHS: [u64; 8] = [5, 10, 20, 40, 100, 200, 800, 2000];
/// Shares of drawn games between equal sides.
pub const DRAWS: [f64; 5] = [0.0, 0.4, 0.7, 0.9, 0.98];

/// One sort of match.
#[derive(Clone, Debug)]
pub struct Cell {
    pub model: Model,
    pub draws: f64,
    pub pairs: u64,
    /// Bounds so far apart that the test takes about this many pairs; else so near that it is mostly cut there, undecided.
    pub wide: bool,
    /// Whether the upper hypothesis is true; else the middle of both.
    pub upper: bool,
    sprt: Sprt,
    law: Law,
    score: f64,
}

/// What came of many matches of a sort.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub matches: u32,
    pub figures: u32,
    pub covered: u32,
    /// Estimates above the truth.
    pub above: u32,
}

impl Tally {
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            matches: self.matches + other.matches,
            figures: self.figures + other.figures,
            covered: self.covered + other.covered,
            above: self.above + other.above,
        }
    }

    /// The share of the intervals that hold the truth.
    pub fn coverage(&self) -> Option<f64> {
        (self.figures > 0).then(|| f64::from(self.covered) / f64::from(self.figures))
    }
}

/// All sorts of matches of these lengths.
pub fn cells(lengths: &[u64]) -> Vec<Cell> {
    let mut all = Vec::new();
    for &pairs in lengths {
        for model in Model::ALL {
            for draws in DRAWS {
                for (wide, upper) in [(true, false), (true, true), (false, false), (false, true)] {
                    all.push(Cell::new(model, draws, pairs, wide, upper));
                }
            }
        }
    }
    all
}

impl Cell {
    fn new(model: Model, draws: f64, pairs: u64, wide: bool, upper: bool) -> Cell {
        let even = Law::even(draws, model != Model::Bayesian);
        let games_each = if model == Model::Bayesian { 1.0 } else { 2.0 };
        // A test with errors of 5 % takes 5.3 / t^2 results if a hypothesis is true, t being the distance of both in deviations.
        let longer = if wide { 1.0 } else { 6.0 };
        let t = (5.3 / (longer * pairs as f64 * 2.0 / games_each)).sqrt();
        let distance = (t * even.distribution().moment(2).sqrt()).min(0.45);
        let (elo1, score1) = match model {
            Model::Normalized => {
                let nelo = (t * NELO_PER_T / 2f64.sqrt()).min(199.0);
                let law =
                    even.distribution().with_t(2f64.sqrt() * nelo / NELO_PER_T).expect("bounds that can be tested");
                (nelo, law.mean())
            }
            Model::Logistic => (elo_of_score(0.5 + distance), 0.5 + distance),
            Model::Bayesian => (bayesian_elo(even.0[2], distance), 0.5 + distance),
        };
        let score = 0.5 + (score1 - 0.5) * if upper { 1.0 } else { 0.5 };
        let sprt = Sprt::new(model, 0.0, elo1.min(999.0), 0.05, 0.05).expect("bounds that can be tested");
        Cell { model, draws, pairs, wide, upper, sprt, law: even.with_score(score), score }
    }

    /// Plays matches; the same for the same seed.
    pub fn play(&self, matches: u32, seed: u64) -> Tally {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let results_each = if self.model == Model::Bayesian { 2 } else { 1 };
        let most = results_each * if self.wide { 50 * self.pairs + 1000 } else { self.pairs };
        let mut tally = Tally { matches, ..Tally::default() };
        for _ in 0..matches {
            let counts = play(&self.sprt, &self.law, most, &mut random);
            if let Ok(SequentialEstimate { elo, low, high }) = self.sprt.estimate(&results(&counts)).expect("a test") {
                tally.figures += 1;
                tally.covered += u32::from(score_of_elo(low) <= self.score && self.score <= score_of_elo(high));
                tally.above += u32::from(score_of_elo(elo) > self.score);
            }
        }
        tally
    }
}

/// The BayesElo at which the expected score is this far above one half, if equal sides win so many games each.
fn bayesian_elo(wins: f64, distance: f64) -> f64 {
    let wins = wins.min(0.4999);
    let drawelo = 400.0 * ((1.0 - wins) / wins).log10();
    let score = |elo: f64| 0.5 * (score_of_elo(elo - drawelo) - score_of_elo(-elo - drawelo));
    drawish_stats::numeric::bisect(0.0, 2000.0, |elo| score(elo) < distance).0
}
