//! Counts of results by structure: which games they are of, and what they say of cells and positions.

use std::cmp::Reverse;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use drawish_artefact::provenance::in_comment;
use drawish_core::{Pawns, Wdl};
use drawish_games::collect::Collected;
use drawish_games::counts::{CountsFile, Shard};
use drawish_games::export::DEPENDENT;
use drawish_games::pgn::{Anomalies, Repeats};
use drawish_games::sample::{GamesAgain, Notices, Sampling, SkipReason, Tally};
use drawish_games::smooth::{Group, draw_rate, groups};
use drawish_stats::numbers::{counted, grouped, percent, percents};
use serde_json::{Value, json};

use super::ledger::{
    Noticed, REPEATED, REPEATED_LINES, add_again, add_problems, again, by_name, hinted, notices, notices_json, of_text,
    repeats_json, row,
};

/// A line of a summary about which a program may have something to say, such as an option that decides about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Line {
    /// Games skipped for this reason.
    Skipped(SkipReason),
    /// Counted games whose `PlyCount` tag is not the number of moves read.
    PlyCountDiffers,
    /// Positions of another engine than the one asked for.
    OtherEngine,
    /// Positions with an evaluation that is too large.
    LargeEval,
    /// Positions between those of which one in so many is taken.
    Between,
    /// Evaluations of several engines are mixed.
    Mixed,
    /// Counted games with the same moves as an earlier one.
    Repeated,
    /// Counted games with the same first moves as an earlier one.
    RepeatedLines,
    /// Counted games that begin from a FEN.
    FenStarts,
}

/// What a program adds to a line in brackets: `see --variant`.
pub type Hint = fn(Line) -> Option<&'static str>;

/// What a run has counted and written there, and where every game has gone.
#[must_use]
pub fn collected(path: &Path, collected: &Collected, elapsed: Duration, hint: Hint) -> String {
    let shards = collected.file.shards.len();
    let resumed = match collected.resumed {
        0 => String::new(),
        count => format!(", {count} of them by the interrupted run"),
    };
    format!(
        "{}{} from {}{resumed} in {:.1} s\n\n{}",
        path.display(),
        if collected.file.tally().counted() == 0 { ": not written, nothing counted" } else { "" },
        counted(shards as u64, "file"),
        elapsed.as_secs_f64(),
        summary_with(&collected.file, &collected.repeats, hint)
    )
}

/// The same for programs.
#[must_use]
pub fn collected_json(collected: &Collected) -> Value {
    let mut value = json(&collected.file);
    add_again(&collected.repeats, &mut value);
    add_problems(&collected.problems, &mut value);
    value["resumed_inputs"] = collected.resumed.into();
    value
}

/// The table in which games read = games counted + games skipped for each reason, and what was counted.
#[must_use]
pub fn summary(file: &CountsFile, hint: Hint) -> String {
    summary_with(file, &again_of(file), hint)
}

/// What a file of counts knows of games that came again.
fn again_of(file: &CountsFile) -> GamesAgain {
    GamesAgain { games: file.games.clone().unwrap_or_default(), ..GamesAgain::default() }
}

fn summary_with(file: &CountsFile, repeats: &GamesAgain, hint: Hint) -> String {
    let tally = file.tally();
    let total = file.counts.total();
    let of_games = tally.positions == tally.counted();
    let mut out = games(&tally, &if of_games { results(total) } else { String::new() }, hint);
    if !of_games {
        let results = format!("of the counted games; {}", results(total));
        row(&mut out, "positions", tally.positions, tally.positions, &results);
    }
    let cells = file.counts.non_empty().count();
    let _ = writeln!(
        out,
        "\n{} of the {} cells of {} {} games.",
        grouped(cells as u64),
        grouped(u64::from(file.counts.scheme().cells())),
        file.counts.scheme(),
        if cells == 1 { "has" } else { "have" }
    );
    out + &noticed_text(&tally, file.anomalies(), repeats, hint)
}

/// What to know of intervals, if positions may depend on each other.
#[must_use]
pub fn dependence(file: &CountsFile) -> Option<String> {
    let tally = file.tally();
    let positions = counted(tally.positions, "position");
    let of = if file.rule.sampling == Sampling::Positions {
        format!("{positions} without their games")
    } else if tally.positions > tally.counted() {
        format!("{positions} of {}", counted(tally.counted(), "game"))
    } else {
        let about = if file.games.as_ref().is_some_and(Repeats::is_exact) { "" } else { "about " };
        format!("{about}{} of {} come again", grouped(file.repeated_games()), counted(tally.counted(), "game"))
    };
    file.is_dependent().then(|| format!("{of}: {DEPENDENT}"))
}

/// That games were skipped, and why, in a line; `None` if all were used. `remedy` is what can be done about the reason for which most
/// were, as a sentence, or nothing.
#[must_use]
pub fn skipped_line(tally: &Tally, remedy: impl Fn(SkipReason) -> &'static str) -> Option<String> {
    let skipped = tally.games() - tally.counted();
    let most = reasons(tally).max_by_key(|reason| tally.skipped(*reason))?;
    let (games, remedy) = (counted(tally.games(), "game"), remedy(most));
    let end = if remedy.is_empty() { String::new() } else { format!(". {remedy}") };
    Some(format!("{} of {games} skipped: {}{end}", grouped(skipped), listed(tally, reasons(tally))))
}

/// The same table where nothing is known but a tally.
#[must_use]
pub fn tally(tally: &Tally, anomalies: Anomalies, repeats: &GamesAgain, hint: Hint) -> String {
    tally_with(tally, anomalies, repeats, hint, "")
}

/// The same with what became of the positions.
pub(super) fn tally_with(
    tally: &Tally,
    anomalies: Anomalies,
    repeats: &GamesAgain,
    hint: Hint,
    positions: &str,
) -> String {
    let mut out = games(tally, "", hint);
    if !positions.is_empty() || tally.positions != tally.counted() {
        row(&mut out, "positions", tally.positions, tally.positions, "of the counted games");
    }
    out + positions + &noticed_text(tally, anomalies, repeats, hint)
}

/// The reasons for which games were skipped.
fn reasons(tally: &Tally) -> impl Iterator<Item = SkipReason> {
    SkipReason::ALL.into_iter().filter(|reason| tally.skipped(*reason) > 0)
}

/// Reasons in a line, each with its number of games.
fn listed(tally: &Tally, reasons: impl IntoIterator<Item = SkipReason>) -> String {
    let each = reasons.into_iter().map(|reason| format!("{} {}", reason.name(), grouped(tally.skipped(reason))));
    each.collect::<Vec<_>>().join(", ")
}

/// Games read, counted and skipped.
fn games(tally: &Tally, results: &str, hint: Hint) -> String {
    let mut out = String::new();
    let games = tally.games();
    row(&mut out, "games read", games, games, "");
    row(&mut out, "  counted", tally.counted(), games, results);
    for reason in reasons(tally) {
        let remark = hinted(reason.meaning(), hint(Line::Skipped(reason)));
        row(&mut out, &format!("  skipped: {}", reason.name()), tally.skipped(reason), games, &remark);
    }
    out
}

fn results(wdl: Wdl) -> String {
    wdl.draw_rate().map_or(String::new(), |rate| format!("draws {} ({})", percent(rate), super::results(wdl)))
}

const PLY_COUNT: &str = "ply-count-differs";

/// What was noticed beside the tally.
fn noticed(tally: &Tally, anomalies: Anomalies) -> Vec<Noticed> {
    let Notices { result_token_differs, ply_count_differs } = tally.notices;
    let of_games = [
        (
            "result-token-differs",
            result_token_differs,
            "counted games whose result at the end of the moves is not the Result tag (the tag was taken)",
        ),
        (PLY_COUNT, ply_count_differs, "counted games whose PlyCount tag is not the number of moves read"),
    ];
    of_games.into_iter().chain(of_text(anomalies)).collect()
}

fn noticed_text(tally: &Tally, anomalies: Anomalies, repeats: &GamesAgain, hint: Hint) -> String {
    let hint = |name: &str| match name {
        PLY_COUNT => hint(Line::PlyCountDiffers),
        REPEATED => hint(Line::Repeated),
        REPEATED_LINES => hint(Line::RepeatedLines),
        _ => None,
    };
    let noticed = [&again(repeats)[..], &noticed(tally, anomalies)].concat();
    notices("Noticed, and no reason to skip a game", &noticed, hint)
}

/// Why no game at all was used; `None` if some were. `used` is what becomes of games, "counted"; `remedy` what can be done about the
/// reason for which most were skipped, as a sentence, or nothing.
#[must_use]
pub fn why_nothing(tally: &Tally, used: &str, remedy: impl Fn(SkipReason) -> &'static str) -> Option<String> {
    if tally.counted() > 0 {
        return None;
    }
    let mut reasons: Vec<_> = reasons(tally).collect();
    // The first of equal ones first.
    reasons.sort_by_key(|reason| Reverse(tally.skipped(*reason)));
    let Some(first) = reasons.first() else { return Some(format!("nothing was {used}: no game was read")) };
    let read = if tally.games() == 1 {
        "1 game read, ".to_owned()
    } else {
        format!("{} games read, all ", grouped(tally.games()))
    };
    let remedy = remedy(*first);
    let blank = if remedy.is_empty() { "" } else { " " };
    Some(format!("nothing was {used}: {read}skipped: {}.{blank}{remedy}", listed(tally, reasons)))
}

/// The summary for programs.
#[must_use]
pub fn json(file: &CountsFile) -> Value {
    let tally = file.tally();
    let total = file.counts.total();
    json!({
        "games": tally.games(),
        "counted": tally.counted(),
        "skipped": skipped(&tally),
        "positions": tally.positions,
        "white_wins": total.wins,
        "draws": total.draws,
        "black_wins": total.losses,
        "draw_rate": total.draw_rate(),
        "scheme": file.counts.scheme().name(),
        "rule": file.rule.to_string(),
        "cells": file.counts.non_empty().count(),
        "noticed": notices_json(&noticed(&tally, file.anomalies())),
        "repeated_games": file.games.as_ref().map(repeats_json),
        "inputs": file.shards.iter().map(input).collect::<Vec<_>>(),
        "made_by": file.made_by,
        "content_xxh3_128": format!("{:032x}", file.digest()),
    })
}

/// A tally for programs.
#[must_use]
pub fn tally_json(tally: &Tally, anomalies: Anomalies) -> Value {
    json!({
        "games": tally.games(),
        "counted": tally.counted(),
        "skipped": skipped(tally),
        "positions": tally.positions,
        "noticed": notices_json(&noticed(tally, anomalies)),
    })
}

fn input(shard: &Shard) -> Value {
    json!({
        "name": shard.name,
        "xxh3_128": format!("{:032x}", shard.digest),
        "bytes": shard.file_bytes,
        "games": shard.tally.games(),
        "counted": shard.tally.counted(),
        "skipped": skipped(&shard.tally),
        "broken": shard.broken,
    })
}

fn skipped(tally: &Tally) -> Value {
    by_name(SkipReason::ALL.map(|reason| (reason.name(), tally.skipped(reason))))
}

/// All that a file of counts says of itself: scheme, rule, inputs, the summary, and draw rates of groups of structures.
#[must_use]
pub fn contents(file: &CountsFile, hint: Hint) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "counts of scheme {}: {}", file.counts.scheme(), file.counts.scheme().summary());
    let _ = writeln!(out, "rule     {}", file.rule);
    let _ = writeln!(out, "made by  {}", file.made_by.join("\n         "));
    let _ = writeln!(out, "content  {:032x} (XXH3-128 of rule, inputs and results)", file.digest());
    let _ = writeln!(out, "inputs   {}", file.shards.len());
    for shard in &file.shards {
        let _ = writeln!(
            out,
            "  {:032x}  {:>12} bytes  {:>10} of {:>10} games  {}{}",
            shard.digest,
            grouped(shard.file_bytes),
            grouped(shard.tally.counted()),
            grouped(shard.tally.games()),
            in_comment(&shard.name),
            shard.broken.as_ref().map_or(String::new(), |reason| format!("  (broken: {reason})"))
        );
    }
    out + "\n" + &summary(file, hint) + &groups_text(file) + &beware(file)
}

/// The same for programs.
#[must_use]
pub fn contents_json(file: &CountsFile) -> Value {
    let mut value = json(file);
    let groups = groups(&file.counts).into_iter().map(|Group { name, results, rate, .. }| {
        let (rate, low, high) =
            rate.map_or((None, None, None), |(rate, low, high)| (Some(rate), Some(low), Some(high)));
        (name.to_owned(), json!({ "results": results.total(), "draw_rate": rate, "low": low, "high": high }))
    });
    value["groups"] = groups.collect();
    value["beware"] = dependence(file).into();
    value
}

/// What to know of intervals, as a line of its own.
fn beware(file: &CountsFile) -> String {
    dependence(file).map_or(String::new(), |remark| format!("beware: {remark}\n"))
}

/// The draw rates by which the article of 2013 describes its table.
fn groups_text(file: &CountsFile) -> String {
    let mut out = String::new();
    for Group { meaning, results, rate, .. } in groups(&file.counts) {
        let rate =
            rate.map_or("-".to_owned(), |(rate, low, high)| format!("{:>7}  ({})", percent(rate), percents(low, high)));
        let _ = writeln!(out, "{meaning:<46}{:>10}  {rate}", grouped(results.total()));
    }
    if out.is_empty() {
        out
    } else {
        format!("\nDraw rates of groups of structures, with the 90 % interval (Jeffreys):\n{out}")
    }
}

/// The cells with games as CSV: `cell,white_wins,draws,black_wins`.
#[must_use]
pub fn csv(file: &CountsFile) -> String {
    let mut out = "cell,white_wins,draws,black_wins\n".to_owned();
    for (cell, wdl) in file.counts.non_empty() {
        let _ = writeln!(out, "{},{},{},{}", cell.0, wdl.wins, wdl.draws, wdl.losses);
    }
    out
}

/// What was counted with these pawns.
#[must_use]
pub fn structure(file: &CountsFile, pawns: Pawns) -> String {
    let scheme = file.counts.scheme();
    let cell = scheme.index(pawns);
    let wdl = file.counts.get(cell);
    let rate = draw_rate(wdl).map_or("no games".to_owned(), |(rate, low, high)| {
        let these = if dependence(file).is_some() { "positions" } else { "games" };
        format!("{} draws (90 % interval {}, of these {these} alone)", percent(rate), percents(low, high))
    });
    format!("cell {} of {scheme}: {}\n{}: {rate}\n", cell.0, scheme.describe(cell), super::results(wdl)) + &beware(file)
}

/// The same for programs.
#[must_use]
pub fn structure_json(file: &CountsFile, pawns: Pawns) -> Value {
    let cell = file.counts.scheme().index(pawns);
    let wdl = file.counts.get(cell);
    let rate = draw_rate(wdl);
    json!({
        "cell": cell.0, "white_wins": wdl.wins, "draws": wdl.draws, "black_wins": wdl.losses,
        "draw_rate": rate.map(|rate| rate.0), "low": rate.map(|rate| rate.1), "high": rate.map(|rate| rate.2),
        "beware": dependence(file),
    })
}
