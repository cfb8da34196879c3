//! Simulates sequential tests and prints how often they err, how long they take, and how often the 95 % interval after the
//! stop holds the true difference; fails if a rate is outside what is promised.
//!
//! ```text
//! cargo run --release -p drawish-stats --example sprt_simulation -- 1000
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

use drawish_stats::{
    Decision, Distribution, Model, NELO_PER_T, Pentanomial, Results, Spread, Sprt, Strength, elo_of_score, score_of_elo,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Pairs from a book of unbalanced openings: 60 % shared points, as published tests have them.
const USUAL: Pentanomial = Pentanomial { ll: 40, ld: 160, wl_dd: 600, wd: 160, ww: 40 };
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;

/// What became of many matches with the same true difference.
#[derive(Default)]
struct Tally {
    matches: u32,
    passed: u32,
    covered: u32,
    estimate_above: u32,
    pairs: u64,
    naive_sum: f64,
}

fn main() -> ExitCode {
    let matches: u32 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let (mut kept, mut row) = (true, 0);
    println!(
        "{matches} matches each; bounds in the model's Elo, truth and estimates in logistic Elo; alpha = beta = 0.05"
    );
    println!("model       bounds    truth  passed  planned  pairs  planned  covered  median above  Elo as counted");
    for (model, elo0, elo1) in [(Model::Normalized, 0.0, 20.0), (Model::Logistic, 0.0, 12.0)] {
        let sprt = Sprt::new(model, elo0, elo1, ALPHA, BETA).expect("bounds that can be tested");
        let width = elo1 - elo0;
        for truth in [elo0 - width / 2.0, elo0, 0.5 * (elo0 + elo1), elo1, elo1 + width] {
            let distribution = distribution_with(model, truth);
            let elo = elo_of_score(distribution.mean());
            let mut tally = Tally::default();
            row += 1;
            let mut rng = ChaCha8Rng::seed_from_u64(row);
            for _ in 0..matches {
                tally.add(&sprt, play(&sprt, &distribution, &mut rng), elo);
            }
            let n = f64::from(tally.matches);
            let prospect = sprt.prospect(spread_of(&distribution), elo).expect("not bayesian");
            let (passed, covered) = (f64::from(tally.passed) / n, f64::from(tally.covered) / n);
            println!(
                "{:<10} {:>4} {:>4}  {elo:>6.2}  {:>5.2}%  {:>6.2}%  {:>5.0}  {:>7.0}  {:>6.2}%  {:>11.2}%  {:>8.2}",
                model.name(),
                elo0,
                elo1,
                100.0 * passed,
                100.0 * prospect.pass,
                tally.pairs as f64 / n,
                prospect.games / 2.0,
                100.0 * covered,
                100.0 * f64::from(tally.estimate_above) / n,
                tally.naive_sum / n
            );
            // Two standard errors of the simulation itself.
            let within = |rate: f64, bound: f64| rate <= bound + 2.0 * (bound * (1.0 - bound) / n).sqrt();
            let error_kept = (truth != elo0 || within(passed, ALPHA)) && (truth != elo1 || within(1.0 - passed, BETA));
            let coverage_kept = (0.93..=0.97).contains(&covered);
            kept &= error_kept && coverage_kept;
        }
    }
    if kept {
        println!("all within the bounds: errors at most 5 % but for the error of this simulation, coverage 93 to 97 %");
        return ExitCode::SUCCESS;
    }
    eprintln!("a rate is out of bounds: errors must be at most 5 %, coverage between 93 and 97 %");
    ExitCode::FAILURE
}

/// The distribution nearest to the usual one in which the difference is exactly this.
fn distribution_with(model: Model, elo: f64) -> Distribution {
    let (_, usual) = Results::Pairs(USUAL).distribution();
    match model {
        Model::Normalized => usual.with_t(2f64.sqrt() * elo / NELO_PER_T).expect("a small difference"),
        Model::Logistic | Model::Bayesian => usual.with_mean(score_of_elo(elo)),
    }
}

fn spread_of(distribution: &Distribution) -> Spread {
    let share: Vec<u64> = distribution.iter().map(|(_, share)| (share * 1e12) as u64).collect();
    Spread::of_results(&Results::Pairs(pairs(&share))).expect("results enough")
}

fn pairs(counts: &[u64]) -> Pentanomial {
    Pentanomial { ll: counts[0], ld: counts[1], wl_dd: counts[2], wd: counts[3], ww: counts[4] }
}

/// One match, looked at after every pair.
fn play(sprt: &Sprt, distribution: &Distribution, rng: &mut impl Rng) -> Results {
    let shares: Vec<f64> = distribution.iter().map(|(_, share)| share).collect();
    let mut counts = [0; 5];
    loop {
        let mut left: f64 = rng.random();
        let at = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        counts[at.unwrap_or(4)] += 1;
        let results = Results::Pairs(pairs(&counts));
        if sprt.decide(sprt.llr(&results).expect("pairs")) != Decision::Continue {
            return results;
        }
    }
}

impl Tally {
    fn add(&mut self, sprt: &Sprt, results: Results, truth: f64) {
        self.matches += 1;
        self.passed += u32::from(sprt.decide(sprt.llr(&results).expect("pairs")) == Decision::H1);
        // A stop without a figure counts as missed.
        if let Ok(estimate) = sprt.estimate(&results).expect("pairs") {
            self.covered += u32::from(estimate.low <= truth && truth <= estimate.high);
            self.estimate_above += u32::from(estimate.elo > truth);
        }
        self.pairs += results.games() / 2;
        self.naive_sum += Strength::of(&results).elo;
    }
}
