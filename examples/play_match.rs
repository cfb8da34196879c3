//! Plays a match between two arms of the engine until a test is decided, and prints its verdict. A program that speaks UCI plays
//! as `Engine::program("./engine")`.
//!
//! ```text
//! cargo run --release --no-default-features --example play_match
//! ```

#![expect(clippy::print_stdout, reason = "a program for the command line")]

use std::error::Error;
use std::ops::ControlFlow;

use drawish::contest::{ArmSettings, Contest, Engine, Openings};
use drawish::stats::{Model, Sprt};

fn main() -> Result<(), Box<dyn Error>> {
    let table = Engine::from(ArmSettings::from_pairs([("arm", "draw-table"), ("table", "tcec")])?).named("table");
    let plain = Engine::from(ArmSettings::from_pairs([("arm", "none")])?).named("plain");
    let sprt = Sprt::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05)?;
    let contest = Contest::new(table, plain, Openings::Random(8)).pairs(50).nodes(500).seed(1).sprt(sprt);
    let played = contest.run(|_| ControlFlow::Continue(()))?;
    let score = played.score();
    let error = score.elo_error.map_or("?".to_owned(), |error| format!("{error:.1}"));
    println!("Elo {:.1} +/- {error}: {}", score.elo, played.finished.decision.name());
    Ok(())
}
