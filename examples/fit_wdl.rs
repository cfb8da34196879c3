//! From games with evaluations to a WDL model: the chances of an evaluation, and the constants for an engine.
//!
//! ```text
//! cargo run --release --no-default-features --example fit_wdl
//! ```
#![expect(clippy::print_stdout, reason = "the figures are its purpose")]

use drawish::pgn::expand_inputs;
use drawish::wdl::fit::{Normalization, Options, fit};
use drawish::wdl::{Collect, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");
    let counts = Collect::new(expand_inputs(&[sample.into()])?).run()?.file;
    // 100 centipawns in these games are 100 of the engine's own units.
    let fit = fit(&counts.counts, &Options { normalization: Normalization::Static(100.0), ..Options::default() })?;
    let model = Model::new(&fit, &counts.provenance)?; // model.save(path) keeps it, Model::load(path) reads it
    let rates = model.wdl(58.0, 150.0);
    println!("an evaluation of 150: W {:.3} D {:.3} L {:.3}\n{}", rates.win, rates.draw, rates.loss, model.constants());
    Ok(())
}
