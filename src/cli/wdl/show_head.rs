//! What a WDL head says of a position.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use shakmaty::fen::Fen;

use crate::cli::heads;
use crate::cli::inspect::heads as inspect;
use drawish::heads::{DECIDED, LARGEST_SHIFT, SLOPE_RANGE, THRESHOLD_RANGE, permille};
use drawish::{Kind, features};

/// The bytes of a file that begins as heads for engines do.
fn binary(path: &Path) -> Result<Option<Vec<u8>>> {
    let unreadable = || format!("{} cannot be read; check the name", path.display());
    let bytes = std::fs::read(path).with_context(unreadable)?;
    Ok((Kind::of(&bytes) == Some(Kind::EngineHeads)).then_some(bytes))
}

/// W, D and L of a position for White, as text or JSON.
pub(super) fn answer(path: &Path, fen: &str, eval: f64, as_json: bool) -> Result<String> {
    if let Some(bytes) = binary(path)? {
        let heads = inspect::open(&bytes).with_context(|| path.display().to_string())?;
        ensure!(
            heads.wdl_head().is_some(),
            "{}: expected a WDL head, found {}; make one by `drawish wdl head`",
            path.display(),
            inspect::names(&heads)
        );
        return inspect::position(&heads, fen, eval.round() as i32, as_json);
    }
    let model = heads::read_wdl(path)?.quantised().model().with_context(|| path.display().to_string())?;
    let setup: Fen = fen.parse().with_context(|| {
        format!("{fen:?} is not a FEN; expected a position in quotes like \"4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1\"")
    })?;
    let mut values = [0; features::COUNT];
    features::fill(&features::view_of_setup(setup.as_setup()), &mut values);
    let eval = eval.round() as i32;
    let wdl = model.wdl(&values, eval);
    let scores = model.scores(&values);
    let threshold = scores.threshold.clamp(THRESHOLD_RANGE.0, THRESHOLD_RANGE.1).exp();
    let slope = scores.slope.clamp(SLOPE_RANGE.0, SLOPE_RANGE.1).exp();
    let shift = scores.shift.clamp(-LARGEST_SHIFT, LARGEST_SHIFT);
    let shown = permille(wdl);
    if as_json {
        let value = json!({
            "eval": eval,
            "threshold": threshold,
            "slope": slope,
            "shift": shift,
            "win": wdl.wins,
            "draw": wdl.draws,
            "loss": wdl.losses,
            "score": wdl.wins + wdl.draws / 2.0,
            "wdl": [shown.wins, shown.draws, shown.losses],
        });
        return Ok(format!("{value:#}\n"));
    }
    let decided = if eval.abs() >= DECIDED { ", which counts as decided" } else { "" };
    Ok(format!(
        "evaluation {eval} centipawns for White{decided}\n\
         threshold {threshold:.3}, slope {slope:.3}, shift {shift:+.3} logits\n\
         W {:.2} %  D {:.2} %  L {:.2} %  score {:.2} %\n\
         an engine displays  wdl {} {} {} for White\n",
        100.0 * wdl.wins,
        100.0 * wdl.draws,
        100.0 * wdl.losses,
        100.0 * (wdl.wins + wdl.draws / 2.0),
        shown.wins,
        shown.draws,
        shown.losses,
    ))
}
