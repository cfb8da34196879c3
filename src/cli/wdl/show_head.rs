//! What a WDL head says of a position.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::cli::heads;
use crate::cli::inspect::print_opinion;
use crate::cli::output::print_as;
use drawish::heads::open_binary;
use drawish::report::text::heads::{WdlOpinion, names};
use drawish::{Kind, features};

/// The bytes of a file that begins as heads for engines do.
fn binary(path: &Path) -> Result<Option<Vec<u8>>> {
    let unreadable = || format!("{} cannot be read; check the name", path.display());
    let bytes = std::fs::read(path).map_err(drawish::in_words).with_context(unreadable)?;
    Ok((Kind::of(&bytes) == Some(Kind::EngineHeads)).then_some(bytes))
}

/// Prints W, D and L of a position for White.
pub(super) fn print(path: &Path, fen: &str, eval: f64, as_json: bool) -> Result<()> {
    let eval = eval.round() as i32;
    if let Some(bytes) = binary(path)? {
        let heads = open_binary(&bytes).with_context(|| path.display().to_string())?;
        ensure!(
            heads.wdl_head().is_some(),
            "{}: expected a WDL head, found {}; make one by `drawish wdl head`",
            path.display(),
            names(&heads)
        );
        return print_opinion(&heads, fen, eval, as_json);
    }
    let model = heads::read_wdl(path)?.quantised().model().with_context(|| path.display().to_string())?;
    let opinion = WdlOpinion::of(&model, &features::view_of_setup(&features::setup_of_fen(fen)?), eval);
    print_as(as_json, || opinion.json(), || opinion.text())
}
