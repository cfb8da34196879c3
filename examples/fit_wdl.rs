//! From games with evaluations to a WDL model: a and b with their errors, saved, loaded and asked.
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
    let path = std::env::temp_dir().join(format!("fit_wdl-{}.json", std::process::id()));
    Model::new(&fit, &counts.provenance)?.save(&path)?;
    let model = Model::load(&path)?;
    std::fs::remove_file(&path)?;

    let (material, evaluation) = (58.0, 150.0);
    let (curve, rates) = (model.win_rate_params(material), model.wdl(material, evaluation));
    let errors = model.errors.as_ref().ok_or("the games stand in one block")?;
    println!("a = {:.1} +- {:.1}, b = {:.1} +- {:.1}", curve.a, errors.pawn_value, curve.b, errors.spread);
    println!("{evaluation}: W {:.3} D {:.3} L {:.3}", rates.win, rates.draw, rates.loss);
    print!("{}", model.constants());
    Ok(())
}
