//! What was counted and what was not, for people and for programs.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::summary::{remark, row};
use crate::cli::{output, problems};
use drawish::pgn::Anomalies;
use drawish::stats::numbers::grouped;
use drawish::wdl::{Collected, DropReason, FileRefusal, GameReason, Notice};

/// Says on standard error what went wrong with single inputs; `true` if that is a failure.
pub(super) fn report_problems(collected: &Collected) -> bool {
    let mut failed = problems::complain(&collected.problems, "counted");
    for (path, refusal) in &collected.refused {
        if let FileRefusal::BadMetadata(reason) = refusal {
            output::complain(format!("drawish: {}: left out, its metadata cannot be read: {reason}\n", path.display()));
        }
    }
    if collected.tally.positions == 0 {
        failed = true;
        output::complain(format!("drawish: no position was counted: {}\n", why_nothing(collected)));
    }
    failed
}

/// Why no position was counted, and what to do.
fn why_nothing(collected: &Collected) -> String {
    let tally = &collected.tally;
    if collected.file.provenance.inputs.is_empty() {
        return "every file was left out by the filters on metadata".to_owned();
    }
    if tally.games() == 0 {
        return "no games were read".to_owned();
    }
    let list = |each: Vec<(&str, u64)>| {
        let named: Vec<_> = each.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
        named.join(", ")
    };
    if tally.counted == 0 {
        let skipped = GameReason::ALL.into_iter().filter(|reason| tally.skipped(*reason) > 0);
        let reasons: Vec<_> = skipped.map(|reason| (reason.name(), tally.skipped(reason))).collect();
        let remedy = match GameReason::ALL.into_iter().max_by_key(|reason| tally.skipped(*reason)) {
            Some(GameReason::Variant) => ". They are of another variant: see --variant",
            Some(GameReason::Engine) => ". Check --match-engine",
            Some(GameReason::FenNotFound) => ". Check --fix-fen-source",
            _ => "",
        };
        return format!("{} games read, all skipped: {}{remedy}", grouped(tally.games()), list(reasons));
    }
    let dropped = DropReason::ALL.into_iter().filter(|reason| tally.dropped(*reason) > 0);
    let reasons = dropped.map(|reason| (reason.name(), tally.dropped(reason))).collect();
    format!(
        "{} half-moves read, none with an evaluation to count: {}. Expected comments behind moves like {{+0.35/18 1.2s}} or {{[%eval 0.35]}}; see --match-engine for whose count",
        grouped(tally.half_moves()),
        list(reasons)
    )
}

/// For people: where everything that was read has gone.
pub(super) fn text(outputs: &[PathBuf], collected: &Collected, elapsed: Duration) -> String {
    let Collected { tally, refused, .. } = collected;
    let files = collected.file.provenance.inputs.len() as u64;
    let names: Vec<_> = outputs.iter().map(|path| path.display().to_string()).collect();
    let mut out = format!(
        "{}: {} positions from {} games in {:.1} s\n\n",
        names.join(", "),
        grouped(tally.positions),
        grouped(tally.counted),
        elapsed.as_secs_f64()
    );
    let found = files + (refused.len() + collected.problems.repeated.len()) as u64;
    row(&mut out, "files found", found, found, "");
    row(&mut out, "  read", files, found, "");
    for (refusal, count) in refusals(refused) {
        row(&mut out, &format!("  left out: {}", refusal.name()), count, found, refusal.meaning());
    }
    if !collected.problems.repeated.is_empty() {
        row(
            &mut out,
            "  left out: repeated",
            collected.problems.repeated.len() as u64,
            found,
            "the same bytes as another file",
        );
    }
    row(&mut out, "games read", tally.games(), tally.games(), "");
    row(&mut out, "  counted", tally.counted, tally.games(), "");
    for reason in GameReason::ALL.into_iter().filter(|reason| tally.skipped(*reason) > 0) {
        let label = format!("  skipped: {}", reason.name());
        row(&mut out, &label, tally.skipped(reason), tally.games(), &remark(reason.meaning(), option_of_game(reason)));
    }
    row(&mut out, "half-moves", tally.half_moves(), tally.half_moves(), "of the counted games");
    row(&mut out, "  positions", tally.positions, tally.half_moves(), "");
    for reason in DropReason::ALL.into_iter().filter(|reason| tally.dropped(*reason) > 0) {
        let label = format!("  dropped: {}", reason.name());
        row(
            &mut out,
            &label,
            tally.dropped(reason),
            tally.half_moves(),
            &remark(reason.meaning(), option_of_half_move(reason)),
        );
    }
    let noticed: Vec<_> = noticed(collected).into_iter().filter(|(_, count, _)| *count > 0).collect();
    if !noticed.is_empty() {
        out.push_str("\nNoticed, and no reason to leave a game out:\n");
        for (_, count, meaning) in noticed {
            let _ = writeln!(out, "{:>14}  {meaning}", grouped(count));
        }
    }
    for (at, (input, cut)) in collected.cuts.iter().enumerate() {
        let lead = if at == 0 { "\nCut at a move that cannot be made or read, for example:\n" } else { "" };
        let _ = writeln!(out, "{lead}  {input}, game {}: {}", grouped(cut.game), cut.at);
    }
    out
}

/// The option that decides about a reason to skip a game, if one does.
fn option_of_game(reason: GameReason) -> Option<&'static str> {
    match reason {
        GameReason::Variant => Some("--variant"),
        GameReason::FenNotFound => Some("--fix-fen-source"),
        GameReason::Engine => Some("--match-engine"),
        GameReason::BadFen | GameReason::NoResult | GameReason::Termination | GameReason::NoMoves => None,
    }
}

/// The same of a half-move.
fn option_of_half_move(reason: DropReason) -> Option<&'static str> {
    match reason {
        DropReason::OtherEngine => Some("--match-engine"),
        DropReason::RepeatedEval => Some("--drop-repeated"),
        _ => None,
    }
}

/// How often each reason left out a file.
fn refusals(refused: &[(PathBuf, FileRefusal)]) -> Vec<(&FileRefusal, u64)> {
    let mut counts: Vec<(&FileRefusal, u64)> = Vec::new();
    for (_, refusal) in refused {
        match counts.iter_mut().find(|(known, _)| known.name() == refusal.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((refusal, 1)),
        }
    }
    counts.sort_by_key(|(refusal, _)| (*refusal).clone());
    counts
}

/// What was noticed: name, how often, and what it is.
fn noticed(collected: &Collected) -> Vec<(&'static str, u64, &'static str)> {
    let Anomalies { blank_line_in_game, unreadable_tags, stray_text, broken_tags, rescued_games } = collected.anomalies;
    let of_games = Notice::ALL.map(|notice| (notice.name(), collected.tally.noticed(notice), notice.meaning()));
    let of_text = [
        ("blank-line-in-game", blank_line_in_game, "games with a blank line among their moves (read on)"),
        ("unreadable-tags", unreadable_tags, "tags longer than 1,024 bytes or without an end (left out)"),
        ("broken-tags", broken_tags, "places where a quote inside a tag's value broke the tags apart (put together)"),
        ("stray-text", stray_text, "places with text that belongs to no game (passed over)"),
        (
            "rescued-games",
            rescued_games,
            "games that the one before had swallowed: an unclosed comment or variation, or no result (found again)",
        ),
    ];
    of_games.into_iter().chain(of_text).collect()
}

/// The same for programs.
pub(super) fn json(collected: &Collected) -> Value {
    let Collected { tally, refused, .. } = collected;
    let by_name = |pairs: Vec<(&'static str, u64)>| {
        pairs.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect::<Value>()
    };
    let mut summary = json!({
        "games": tally.games(),
        "counted": tally.counted,
        "skipped": by_name(GameReason::ALL.map(|reason| (reason.name(), tally.skipped(reason))).to_vec()),
        "half_moves": tally.half_moves(),
        "positions": tally.positions,
        "dropped": by_name(DropReason::ALL.map(|reason| (reason.name(), tally.dropped(reason))).to_vec()),
        "noticed": by_name(noticed(collected).into_iter().map(|(name, count, _)| (name, count)).collect()),
        "files_refused": by_name(refusals(refused).into_iter().map(|(refusal, count)| (refusal.name(), count)).collect()),
        "cut_games": collected.cuts.iter().map(|(input, cut)| json!({ "input": input.to_string(), "game": cut.game, "at": cut.at })).collect::<Vec<_>>(),
        "inputs": collected.file.provenance.inputs,
        "rule": collected.file.provenance.rule_line(),
        "made_by": collected.file.provenance.made_by,
    });
    problems::add_to_json(&collected.problems, &mut summary);
    summary
}
