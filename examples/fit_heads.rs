//! From games to a draw head and a gain head, as a C header for an engine.
//!
//! ```text
//! cargo run --no-default-features --example fit_heads -- games.pgn > heads.h
//! ```

use std::error::Error;
use std::io::{Write, stderr, stdout};

use drawish::fit::{Tune, export::HeadsFormat};
use drawish::pgn::expand_inputs;
use drawish::rows::{Gather, MemoryRows, RowSet};
use drawish::sample::{Rule, Sampling};

/// Games that this project's engine played against itself.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).unwrap_or(SAMPLE.to_owned());
    let rule = Rule { sampling: Sampling::OneRandomPly { from: 8 }, min_moves: 0, ..Rule::default() };
    let (rows, _) = MemoryRows::gather(Gather::new(expand_inputs(&[games.into()])?).rule(rule));
    let tuned = Tune::new(&RowSet::new([rows])?).residual(true).run()?;
    tuned.remarks.iter().try_for_each(|remark| writeln!(stderr(), "beware: {remark}"))?;
    Ok(stdout().write_all(&HeadsFormat::C.bytes(&tuned.heads, "heads")?)?)
}
