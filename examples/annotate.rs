//! Symbols for moves and expected results in a PGN file, from the evaluations in its comments.
//!
//! ```text
//! cargo run --no-default-features --example annotate -- games.pgn > annotated.pgn
//! ```

use std::error::Error;
use std::io::{Read, Write, stderr, stdout};

use drawish::annotate::{Annotator, Options};
use drawish::model::relevance::{MoveScheme, Relevance};
use drawish::pgn::Input;

/// Games that this project's engine played against itself.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).unwrap_or(SAMPLE.to_owned());
    let (mut text, mut annotated) = (Vec::new(), Vec::new());
    Input::File(games.into()).open()?.read_to_end(&mut text)?;
    let (curve, moves) = (Relevance::new(1.5, 3.0, 0.875)?, Some(MoveScheme::Sevenths));
    let mut annotator =
        Annotator::new(Options { curve, moves, positions: None, results: true, writer: None, view: None });
    annotator.annotate(&text, &mut annotated);
    stdout().write_all(&annotated)?;
    let summary = annotator.summary();
    Ok(writeln!(stderr(), "{} of {} moves have an expected result", summary.results, summary.moves)?)
}
