//! What heads for engines hold, and what they say of a position.

use std::fmt::Write;

use anyhow::{Context, Result};
use drawish_core::expect::WdlPermille;
use drawish_core::features::Family;
use drawish_core::head::{Sum, values};
use drawish_core::{Board, Centipawns, Color, Heads};
use serde_json::{Value, json};

use drawish::stats::numbers::grouped;

/// Opens heads and compares their checksum.
pub(in crate::cli) fn open(bytes: &[u8]) -> Result<Heads<'_>> {
    let heads = Heads::from_bytes(bytes)?;
    heads.verify()?;
    Ok(heads)
}

/// The heads of a file by name.
pub(in crate::cli) fn names(heads: &Heads<'_>) -> String {
    let all = [
        ("draw head", heads.draw().is_some()),
        ("gain head", heads.gain_head().is_some()),
        ("WDL head", heads.wdl_head().is_some()),
    ];
    let present: Vec<_> = all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
    if present.is_empty() { "none".to_owned() } else { present.join(", ") }
}

/// The sums of a file, each with the name of its head and of itself.
fn sums<'a>(heads: &'a Heads<'a>) -> Vec<(&'static str, &'static str, &'a Sum<'a>)> {
    let draw = heads.draw().map(|draw| ("draw head", "drawScore", draw.sum()));
    let gain = heads.gain_head().map(|gain| ("gain head", "logarithm of the gain", gain.score()));
    let wdl = heads.wdl_head().map(|wdl| {
        let [threshold, slope, shift] = wdl.sums();
        [("WDL head", "threshold", threshold), ("WDL head", "slope", slope), ("WDL head", "shift", shift)]
    });
    draw.into_iter().chain(gain).chain(wdl.into_iter().flatten()).collect()
}

fn families(sum: &Sum<'_>) -> Vec<&'static str> {
    Family::ALL.into_iter().filter(|family| sum.reads(*family)).map(Family::name).collect()
}

/// What a file holds.
pub(super) fn header(heads: &Heads<'_>, as_json: bool) -> String {
    let sums = sums(heads);
    let line: Vec<_> = heads.wdl_head().map(|head| head.knots().collect()).unwrap_or_default();
    if as_json {
        let sums: Vec<_> = sums
            .iter()
            .map(|(head, name, sum)| {
                json!({
                    "head": head, "sum": name, "weights": sum.weights(), "unit": 1_u32 << sum.shift(),
                    "families": families(sum),
                })
            })
            .collect();
        let line: Vec<_> = line.iter().map(|(knot, value)| json!([knot, f64::from(*value) / 1024.0])).collect();
        let value = json!({
            "version": drawish_core::head::VERSION,
            "heads": names(heads).split(", ").filter(|name| *name != "none").collect::<Vec<_>>(),
            "rows": heads.rows(),
            "bytes": heads.size(),
            "sums": sums,
            "line": line,
            "text_xxh3_128": format!("{:032x}", heads.source_digest()),
        });
        return format!("{value:#}\n");
    }
    let mut out = format!(
        "heads for engines, format version {}: {}\nfitted to  {} rows\nsize       {} bytes\nmade from  {:032x} (XXH3-128 of the text)\n",
        drawish_core::head::VERSION,
        names(heads),
        grouped(heads.rows()),
        grouped(heads.size() as u64),
        heads.source_digest()
    );
    for (head, name, sum) in &sums {
        let _ = writeln!(
            out,
            "{head}: {name}, {} weights in 1/{} logit; reads {}",
            sum.weights(),
            1_u32 << sum.shift(),
            families(sum).join(", ")
        );
    }
    if let (Some((first, _)), Some((last, _))) = (line.first(), line.last()) {
        let _ = writeln!(out, "WDL head: line of {} knots, {first} to {last} centipawns", line.len());
    }
    out
}

/// What heads say of a position; `eval` is White's.
pub(in crate::cli) fn position(heads: &Heads<'_>, fen: &str, eval: i32, as_json: bool) -> Result<String> {
    let board = Board::from_fen(fen).with_context(|| {
        format!("{fen:?}: expected the FEN of a position in quotes, like \"4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1\"")
    })?;

    let own = Centipawns(if board.turn() == Color::White { eval } else { eval.saturating_neg() });
    let draw = heads.draw_score(&board);
    let expected = heads.expected(&board, own).map(|expected| match board.turn() {
        Color::White => expected.to_f64(),
        Color::Black => expected.flip().to_f64(),
    });
    let gain = heads.gain(&board);
    let wdl = heads.wdl(&board, own).map(|wdl| match board.turn() {
        Color::White => wdl,
        Color::Black => WdlPermille { win: wdl.loss, draw: wdl.draw, loss: wdl.win },
    });
    let scores = heads.wdl_head().map(|head| {
        let values = values(&board, head.sums());
        head.sums().map(|sum| sum.raw(&values) as f64 / f64::from(1_u32 << sum.shift()))
    });
    if as_json {
        let value = json!({
            "eval": eval,
            "draw_score": draw.map(|score| score.0),
            "expected": expected,
            "gain": gain.map(|gain| f64::from(gain.gain) / f64::from(gain.mean)),
            "gain_eval": gain.map(|gain| gain.apply(Centipawns(eval)).0),
            "threshold": scores.map(|[threshold, _, _]| threshold),
            "slope": scores.map(|[_, slope, _]| slope),
            "shift": scores.map(|[_, _, shift]| shift),
            "wdl": wdl.map_or(Value::Null, |wdl| json!([wdl.win, wdl.draw, wdl.loss])),
        });
        return Ok(format!("{value:#}\n"));
    }
    let mut out = format!("evaluation {eval} centipawns for White\n");
    if let (Some(score), Some(expected)) = (draw, expected) {
        let _ = writeln!(
            out,
            "draw head  drawScore {:+.3} logit ({} / 256), expected score {:.1} % for White",
            score.to_logit(),
            score.0,
            100.0 * expected
        );
    }
    if let Some(gain) = gain {
        let _ = writeln!(
            out,
            "gain head  {:.3} times its mean: the evaluation becomes {}",
            f64::from(gain.gain) / f64::from(gain.mean.max(1)),
            gain.apply(Centipawns(eval)).0
        );
    }
    if let (Some(wdl), Some([threshold, slope, shift])) = (wdl, scores) {
        let _ = writeln!(out, "WDL head   wdl {} {} {} for White", wdl.win, wdl.draw, wdl.loss);
        let _ =
            writeln!(out, "           sums: threshold {threshold:+.3}, slope {slope:+.3}, shift {shift:+.3} logits");
    }
    Ok(out)
}
