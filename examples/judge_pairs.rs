//! Judges the pairs of a match that was played elsewhere: Elo, the decision of a test, and Elo corrected for the stop.
//!
//! ```text
//! cargo run --no-default-features --example judge_pairs
//! ```

#![expect(clippy::print_stdout, reason = "a program for the command line")]

use std::error::Error;

use drawish::stats::{Analysis, Model, Pentanomial, Results, Sprt};

fn main() -> Result<(), Box<dyn Error>> {
    let pairs = Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 });
    let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?;
    let found = Analysis::of(&[pairs], Some(sprt), None)?;
    let error = found.strength.elo_error.map_or("?".to_owned(), |error| format!("{error:.2}"));
    println!("Elo {:.2} +/- {error}", found.strength.elo);
    if let Some(test) = found.test {
        println!("LLR {:.2}: {}", test.llr, test.decision.name());
        match test.estimate {
            Ok(estimate) => println!(
                "corrected for the stop: Elo {:.2} ({:.2} to {:.2})",
                estimate.elo, estimate.low, estimate.high
            ),
            Err(why) => println!("corrected for the stop: not known, {why}"),
        }
    }
    Ok(())
}
