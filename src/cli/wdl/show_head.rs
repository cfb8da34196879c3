//! What a WDL head says of a position.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::cli::inspect::{UNASKED, board_of, print_opinion};
use crate::cli::output::{self, print_as};
use drawish::Kind;
use drawish::features::View;
use drawish::heads::{WdlHead, open_binary};
use drawish::report::text::heads::{WdlOpinion, names};

/// Prints W, D and L of a position for White.
pub(super) fn print(path: &Path, fen: &str, eval: Option<f64>, as_json: bool) -> Result<()> {
    let (eval, name) = (eval.map(|eval| eval.round() as i32), path.display().to_string());
    let bytes = output::read_bytes(path)?;
    if Kind::of(&bytes) == Some(Kind::EngineHeads) {
        let heads = open_binary(&bytes).context(name.clone())?;
        let found = names(&heads);
        ensure!(
            heads.wdl_head().is_some(),
            "{name}: expected a WDL head, found {found}; make one by `drawish wdl head`"
        );
        return print_opinion(&heads, fen, eval, as_json);
    }
    let ask = "leave out what was given as a FEN, and give --eval with --material or --move";
    ensure!(Kind::of(&bytes) != Some(Kind::WdlModel), "{name}: a WDL model knows no position: {ask}");
    let head = WdlHead::from_toml(&String::from_utf8_lossy(&bytes)).context(name.clone())?;
    let model = head.quantised().model().context(name)?;
    let opinion = WdlOpinion::of(&model, &View::new(&board_of(fen)?), eval);
    print_as(as_json, || opinion.json(), || opinion.text(UNASKED))
}
