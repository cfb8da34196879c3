//! From games to the table of draw probabilities that an engine includes.
//!
//! ```text
//! cargo run --no-default-features --example collect_table -- games.pgn
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use drawish::collect::Collect;
use drawish::core::{DrawTable, Pawns};
use drawish::export::{Evidence, Format, Table};
use drawish::pgn::expand_inputs;
use drawish::smooth::{Estimator, estimate};

/// Games that this project's engine played against itself.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).unwrap_or(SAMPLE.to_owned());
    let counts = Collect::new(expand_inputs(&[games.into()])?).run()?.file;
    let estimates = estimate(&counts.counts, Estimator::EmpiricalBayesSymmetric)?;
    let bytes = Table::new(&estimates, &counts).to_bytes(Format::Table, Evidence::Kept);
    let open_e_file = Pawns { white: 0x0000_0000_0000_ef00, black: 0x00ef_0000_0000_0000 };
    let draw = DrawTable::from_bytes(&bytes)?.cell(open_e_file).probability;
    Ok(writeln!(stdout(), "{} games; without e-pawns {:.1} % draws", counts.tally().games(), 100.0 * draw.to_f64())?)
}
