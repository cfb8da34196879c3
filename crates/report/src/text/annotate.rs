//! Annotated games: what was added, and what was wrong.

use std::fmt::Write;

use drawish_games::annotate::{Annotated, Options, Summary};
use drawish_games::pgn::{Input, Style, View, Writer};
use drawish_stats::model::relevance::{MoveSymbol, PositionSymbol, Relevance};
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::reading::by_style;

/// Broken games are named one by one up to so many: more would hide what matters.
pub(super) const SHOWN: usize = 20;

/// The symbols for which there is a NAG and that were added, in the order of the lists of symbols: symbol, NAG, how often.
fn added(found: &Summary) -> impl Iterator<Item = (&'static str, u8, u64)> {
    let moves = MoveSymbol::ALL.into_iter().map(|symbol| (symbol.text(), symbol.nag()));
    let all = moves.chain(PositionSymbol::ALL.into_iter().map(|symbol| (symbol.text(), symbol.nag())));
    all.map(|(symbol, nag)| (symbol, nag, found.nags[usize::from(nag)])).filter(|(_, _, count)| *count > 0)
}

/// What was added to the games, and by what.
#[must_use]
pub fn text(found: &Summary, options: &Options) -> String {
    let mut out = format!(
        "{}, {}, {} of them with an evaluation\n",
        counted(found.games, "game"),
        counted(found.moves, "move"),
        grouped(found.evaluated)
    );
    let Options { curve, moves, positions, writer, view, .. } = options;
    let _ = writeln!(
        out,
        "  expected score 0.75 at {:.2} pawns, {:.4} at {:.2}{}",
        curve.e75(),
        curve.result(),
        curve.e_plus(),
        if *curve == Relevance::default() { ": default parameters, not estimated from your games" } else { "" }
    );
    let (moves, positions) =
        (moves.map_or("none", |scheme| scheme.name()), positions.map_or("none", |scheme| scheme.name()));
    let _ = writeln!(out, "  symbols for moves: {moves}, for positions: {positions}");
    for (style, count) in Style::ALL.into_iter().zip(found.styles).filter(|(_, count)| *count > 0) {
        let whose = match writer.unwrap_or(style.writer_from(*view)) {
            Writer::Players => "each player's own: a move is judged by the opponent's",
            Writer::Analyst => "one analyst's",
        };
        let _ = writeln!(out, "  evaluations of style {}: {}, taken as {whose}", style.name(), grouped(count));
    }
    for (symbol, nag, count) in added(found) {
        let _ = writeln!(out, "  {symbol:<4}{:<5}{:>12}", format!("${nag}"), grouped(count));
    }
    for (what, count) in [("expected results", found.results), ("left alone, had a symbol", found.left_alone)] {
        if count > 0 {
            let _ = writeln!(out, "  {what}: {}", grouped(count));
        }
    }
    out
}

/// The same for programs.
#[must_use]
pub fn json(Annotated { summary: found, broken }: &Annotated, options: &Options) -> Value {
    let Options { curve, moves, positions, writer, view, .. } = options;
    let whose = writer.map_or("auto", |writer| match writer {
        Writer::Players => "players",
        Writer::Analyst => "analyst",
    });
    let symbols: Value =
        added(found).map(|(symbol, nag, count)| json!({ "symbol": symbol, "nag": nag, "added": count })).collect();
    let games: Value = found.broken.iter().map(|(game, what)| json!({ "game": game, "what": what })).collect();
    json!({
        "parameters": { "e75": curve.e75(), "e_plus": curve.e_plus(), "result": curve.result() },
        "parameters_are_default": *curve == Relevance::default(),
        "moves_by": moves.map(|scheme| scheme.name()),
        "positions_by": positions.map(|scheme| scheme.name()),
        "evaluations_of": whose,
        "evaluations_from": view.map_or("auto", View::name),
        "games": found.games,
        "moves": found.moves,
        "evaluated": found.evaluated,
        "evaluations": by_style(found.styles),
        "mates": found.mates,
        "symbols": symbols,
        "results": found.results,
        "left_alone": found.left_alone,
        "broken_games": games,
        "broken_games_in_all": found.broken_games,
        "broken": broken.as_ref().map(ToString::to_string),
    })
}

/// What was wrong with the games of an input, a line each. `of_styles` is what a program says where evaluations are of more than one
/// style, such as the option for it.
#[must_use]
pub fn lines(input: &Input, Annotated { summary: found, broken }: &Annotated, of_styles: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let games = found.broken.iter().take(SHOWN);
    lines.extend(
        games.map(|(game, what)| format!("game {game}: {what}; copied as it is, the next games are annotated")),
    );
    if let Some(more) = found.broken_games.checked_sub(SHOWN as u64).filter(|more| *more > 0) {
        lines.push(format!("{} more broken", counted(more, "game")));
    }
    if let Some(error) = broken {
        let after = found.games;
        lines.push(format!("{error} after game {after}; what stands before it is annotated, the rest cannot be read"));
    }
    let styles: Vec<_> = Style::ALL.iter().zip(found.styles).filter(|(_, count)| *count > 0).collect();
    if styles.len() > 1 {
        let each = styles.iter().map(|(style, count)| format!("{} of style {}", grouped(*count), style.name()));
        let each = each.collect::<Vec<_>>().join(", ");
        lines.push(format!("evaluations: {each}; each is read by its own rule{of_styles}"));
    }
    lines.extend(found.doubts.lines());
    if found.games == 0 {
        lines.push(input.why_no_game());
    } else if found.evaluated == 0 {
        lines.push(
            "no evaluation found; expected comments like {+0.35/18 1.2s}, {[%eval 0.35]} or {wv=0.35} after moves"
                .to_owned(),
        );
    }
    lines.into_iter().map(|line| format!("{input}: {line}")).collect()
}
