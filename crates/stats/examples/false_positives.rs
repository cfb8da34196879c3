//! How often tests of a match find what is not there: a difference between equal sides, and equivalence where the difference is as
//! large as the margin. For 1 to 2,000 pairs, under laws from sharp to drawish, and under some whose sides win in different ways. Fails
//! if a rate is above its level.
//!
//! ```text
//! cargo run --release -p drawish-stats --example false_positives -- 20000
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

use drawish_stats::{Equivalence, difference_p, difference_p_at_any_time, score_of_elo};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

mod simulation;

use simulation::{Law, in_parallel, results};

const PAIRS: [usize; 8] = [1, 2, 5, 10, 20, 50, 200, 2000];
const LEVEL: f64 = 0.05;
/// The smallest level that S. Holm's correction asks for if five questions are asked at the level 0.05.
const LEVEL_OF_FIVE: f64 = 0.01;
const MARGIN: f64 = 10.0;

fn main() -> ExitCode {
    let matches: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(5_000);
    let laws = laws();
    let found = in_parallel(laws.len(), |at| Rates::of(&laws[at].1, matches, at as u64));
    println!(
        "{matches} matches of each law; in percent: p < 0.05 | p < 0.01 | equivalence within {MARGIN} Elo, p < 0.05"
    );
    let head: String = PAIRS.iter().map(|pairs| format!("{pairs:>15}")).collect();
    println!("{:<28}{head}  ever, looked at after every pair", "pairs");
    let mut kept = true;
    for ((name, _), rates) in laws.iter().zip(&found) {
        let cells: String = rates.fixed.iter().map(|rates| format!("{:>15}", shown(*rates, matches))).collect();
        println!("{name:<28}{cells}  {}", shown(rates.ever, matches).trim_start());
        // Three standard errors of this simulation.
        let most = |level: f64| level + 3.0 * (level * (1.0 - level) / matches as f64).sqrt();
        let keeps = |[wrong, strict, same]: [u32; 3]| {
            [(wrong, LEVEL), (strict, LEVEL_OF_FIVE), (same, LEVEL)]
                .iter()
                .all(|&(wrong, level)| f64::from(wrong) / matches as f64 <= most(level))
        };
        kept &= rates.fixed.iter().all(|&rates| keeps(rates)) && keeps(rates.ever);
    }
    if kept {
        println!("no rate exceeds its level by more than three standard errors of the simulation");
        return ExitCode::SUCCESS;
    }
    eprintln!("a rate exceeds its level by more than three standard errors of the simulation");
    ExitCode::FAILURE
}

/// Laws of pairs with an even score.
fn laws() -> Vec<(String, Law)> {
    let mut all: Vec<(String, Law)> =
        [0.0, 0.4, 0.7, 0.9, 0.98].iter().map(|&draws| (format!("{draws} drawn"), Law::even(draws, true))).collect();
    all.push(("usual book".to_owned(), Law(vec![0.04, 0.16, 0.6, 0.16, 0.04])));
    // Half a point lost often is made good by a whole point won rarely.
    for rarely in [0.02, 0.1, 0.2] {
        all.push((format!("{rarely} won twice"), Law(vec![0.0, 2.0 * rarely, 1.0 - 3.0 * rarely, 0.0, rarely])));
    }
    all
}

/// In how many matches the p-values were below the levels.
#[derive(Default)]
struct Rates {
    /// At each number of pairs.
    fixed: [[u32; 3]; PAIRS.len()],
    /// At any time, by the tests that are made for it.
    ever: [u32; 3],
}

impl Rates {
    fn of(law: &Law, matches: usize, seed: u64) -> Rates {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let at_the_margin = law.with_score(score_of_elo(-MARGIN));
        let mut rates = Rates::default();
        for _ in 0..matches {
            let (mut even, mut worse, mut ever) = ([0; 5], [0; 5], [false; 3]);
            for played in 1..=PAIRS[PAIRS.len() - 1] {
                even[law.draw(&mut random)] += 1;
                worse[at_the_margin.draw(&mut random)] += 1;
                if let Some(place) = PAIRS.iter().position(|&pairs| pairs == played) {
                    let p = difference_p(&results(&even));
                    let same = Equivalence::of(&results(&worse), MARGIN).p();
                    for (rate, wrong) in rates.fixed[place].iter_mut().zip([p < LEVEL, p < LEVEL_OF_FIVE, same < LEVEL])
                    {
                        *rate += u32::from(wrong);
                    }
                }
                // At first every pair, then each twentieth part.
                if played < 40 || played % (played / 20) == 0 {
                    let p = difference_p_at_any_time(&results(&even));
                    let same = Equivalence::at_any_time(&results(&worse), MARGIN).p();
                    ever = [ever[0] | (p < LEVEL), ever[1] | (p < LEVEL_OF_FIVE), ever[2] | (same < LEVEL)];
                }
            }
            rates.ever.iter_mut().zip(ever).for_each(|(rate, wrong)| *rate += u32::from(wrong));
        }
        rates
    }
}

fn shown(rates: [u32; 3], matches: usize) -> String {
    rates.map(|rate| format!("{:.1}", 100.0 * f64::from(rate) / matches as f64)).join(" ")
}
