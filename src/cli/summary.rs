//! What was counted and what was not, for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use drawish::counts::{CountsFile, Shard, Wdl};
use drawish::pgn::Anomalies;
use drawish::sample::{Notices, SkipReason, Tally};
use drawish::stats::numbers::{grouped, percent};

/// The table in which games read = games counted + games skipped for each reason.
pub(super) fn text(file: &CountsFile) -> String {
    let tally = file.tally();
    let total = file.counts.total();
    let of_games = tally.positions == tally.counted();
    let mut out = games(&tally, &if of_games { results(total) } else { String::new() });
    if !of_games {
        row(&mut out, "positions", tally.positions, tally.positions, &results_of_positions(total));
    }
    let cells = file.counts.non_empty().count();
    let _ = writeln!(
        out,
        "\n{} of the {} cells of {} have games.",
        grouped(cells as u64),
        grouped(u64::from(file.counts.scheme().cells())),
        file.counts.scheme()
    );
    out + &notices(&tally, file.anomalies())
}

/// The same table where nothing else is known.
#[cfg_attr(not(feature = "frames"), expect(dead_code, reason = "only verbs on rows need it"))]
pub(super) fn tally_text(tally: &Tally, anomalies: Anomalies) -> String {
    let mut out = games(tally, "");
    if tally.positions != tally.counted() {
        row(&mut out, "positions", tally.positions, tally.positions, "of the counted games");
    }
    out + &notices(tally, anomalies)
}

/// Games read, counted and skipped.
fn games(tally: &Tally, results: &str) -> String {
    let mut out = String::new();
    let games = tally.games();
    row(&mut out, "games read", games, games, "");
    row(&mut out, "  counted", tally.counted(), games, results);
    for reason in SkipReason::ALL {
        if tally.skipped(reason) > 0 {
            let remark = remark(reason.meaning(), option_of(reason));
            row(&mut out, &format!("  skipped: {}", reason.name()), tally.skipped(reason), games, &remark);
        }
    }
    out
}

/// What a reason means, with the option that decides about it.
pub(super) fn remark(meaning: &str, option: Option<&str>) -> String {
    option.map_or(meaning.to_owned(), |option| format!("{meaning} (see {option})"))
}

fn option_of(reason: SkipReason) -> Option<&'static str> {
    match reason {
        SkipReason::Variant => Some("--variant"),
        SkipReason::StartPosition => Some("--fen-starts"),
        SkipReason::Termination => Some("--termination"),
        _ => None,
    }
}

fn notices(tally: &Tally, anomalies: Anomalies) -> String {
    let mut out = String::new();
    let noticed: Vec<_> = noticed(tally, anomalies).into_iter().filter(|(_, count, _)| *count > 0).collect();
    if !noticed.is_empty() {
        out.push_str("\nNoticed, and no reason to skip a game:\n");
        for (_, count, meaning) in noticed {
            let _ = writeln!(out, "{:>14}  {meaning}", grouped(count));
        }
    }
    out
}

pub(super) fn row(out: &mut String, label: &str, count: u64, of: u64, remark: &str) {
    let share = if of > 0 { percent(count as f64 / of as f64) } else { String::new() };
    let line = format!("{label:<26}{:>14}  {share:>7}  {remark}", grouped(count));
    let _ = writeln!(out, "{}", line.trim_end());
}

fn results(wdl: Wdl) -> String {
    match wdl.draw_rate() {
        Some(rate) => format!(
            "draws {} ({} white wins, {} draws, {} black wins)",
            percent(rate),
            grouped(wdl.wins),
            grouped(wdl.draws),
            grouped(wdl.losses)
        ),
        None => String::new(),
    }
}

fn results_of_positions(wdl: Wdl) -> String {
    format!("of the counted games; {}", results(wdl))
}

/// What was noticed beside the tally: name, how often, and what it is.
fn noticed(tally: &Tally, anomalies: Anomalies) -> [(&'static str, u64, &'static str); 7] {
    let Notices { result_token_differs, ply_count_differs } = tally.notices;
    let Anomalies { blank_line_in_game, unreadable_tags, stray_text, broken_tags, rescued_games } = anomalies;
    [
        (
            "result-token-differs",
            result_token_differs,
            "counted games whose result at the end of the moves is not the Result tag (the tag was taken)",
        ),
        (
            "ply-count-differs",
            ply_count_differs,
            "counted games whose PlyCount tag is not the number of moves read (try --replay)",
        ),
        ("blank-line-in-game", blank_line_in_game, "games with a blank line among their moves (read on)"),
        ("unreadable-tags", unreadable_tags, "tags longer than 1,024 bytes or without an end (left out)"),
        ("broken-tags", broken_tags, "places where a quote inside a tag's value broke the tags apart (put together)"),
        ("stray-text", stray_text, "places with text that belongs to no game (passed over)"),
        (
            "rescued-games",
            rescued_games,
            "games that the one before had swallowed: an unclosed comment or variation, or no result (found again)",
        ),
    ]
}

/// The same for programs.
pub(super) fn json(file: &CountsFile) -> Value {
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
        "noticed": noticed(&tally, file.anomalies()).map(|(name, count, _)| (name.to_owned(), json!(count))).into_iter().collect::<Value>(),
        "inputs": file.shards.iter().map(input).collect::<Vec<_>>(),
        "made_by": file.made_by,
    })
}

/// The tally for programs.
#[cfg_attr(not(feature = "frames"), expect(dead_code, reason = "only verbs on rows need it"))]
pub(super) fn tally_json(tally: &Tally, anomalies: Anomalies) -> Value {
    json!({
        "games": tally.games(),
        "counted": tally.counted(),
        "skipped": skipped(tally),
        "positions": tally.positions,
        "noticed": noticed(tally, anomalies).map(|(name, count, _)| (name.to_owned(), json!(count))).into_iter().collect::<Value>(),
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
    SkipReason::ALL.into_iter().map(|reason| (reason.name().to_owned(), json!(tally.skipped(reason)))).collect()
}
