//! From games to heads fitted to what searches say of the moves of one position.
//!
//! ```text
//! cargo run --release --no-default-features --example fit_within -- games.pgn labels.jsonl 10000 > heads.toml
//! ```

use std::error::Error;
use std::io::{Write, stderr, stdout};

use drawish::pgn::expand_inputs;
use drawish::report::text::within::text;
use drawish::within::Within;

/// Games that this project's engine played against itself.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().unwrap_or(SAMPLE.to_owned());
    let mut within = Within::new(expand_inputs(&[games.into()])?);
    if let Some(labels) = arguments.next() {
        within = within.labels(labels);
    }
    if let Some(roots) = arguments.next() {
        within = within.roots(roots.parse()?);
    }
    let fitted = within.run(|_| {})?;
    fitted.remarks.iter().try_for_each(|remark| writeln!(stderr(), "beware: {remark}"))?;
    write!(stderr(), "{}", text(&fitted, |_| None))?;
    Ok(stdout().write_all(fitted.heads.to_toml()?.as_bytes())?)
}
