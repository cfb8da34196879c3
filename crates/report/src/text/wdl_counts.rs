//! A run that counted positions with evaluations: where every file, game and half-move has gone.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use drawish_artefact::provenance::{InputRecord, in_comment};
use drawish_games::wdl::{Block, Cell, Collected, DropReason, FileRefusal, GameReason, Notice, WdlFile};
use drawish_stats::numbers::{counted, grouped};
use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};
use serde_json::{Value, json};

use super::ledger::{
    Noticed, add_problems, by_name, hinted, notices, notices_json, of_text, repeated, repeats_json, row,
};

/// A line about which a program may have something to say, such as an option that decides about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Line {
    /// Games skipped for this reason.
    Skipped(GameReason),
    /// Half-moves dropped for this reason.
    Dropped(DropReason),
    /// Evaluations of several engines are mixed.
    Mixed,
}

/// What a program adds to a line in brackets: `see --variant`.
pub type Hint = fn(Line) -> Option<&'static str>;

/// What was counted and written there, and where everything that was read has gone.
#[must_use]
pub fn text(outputs: &[PathBuf], collected: &Collected, elapsed: Duration, hint: Hint) -> String {
    let Collected { tally, refused, .. } = collected;
    let names: Vec<_> = outputs.iter().map(|path| path.display().to_string()).collect();
    let mut out = format!(
        "{}: {}{} from {} in {:.1} s\n\n",
        names.join(", "),
        if tally.positions == 0 { "not written, " } else { "" },
        counted(tally.positions, "position"),
        counted(tally.counted, "game"),
        elapsed.as_secs_f64()
    );
    let files = collected.file.provenance.inputs.len() as u64;
    let copies = collected.problems.repeated.len() as u64;
    let found = files + refused.len() as u64 + copies;
    row(&mut out, "files found", found, found, "");
    let [whole, in_part, not_at_all] = how_far(&collected.file.provenance.inputs);
    let earlier = match collected.resumed {
        0 => String::new(),
        count => format!("{count} of them by the interrupted run"),
    };
    row(&mut out, "  read", whole, found, &earlier);
    for (what, count, remark) in [
        ("  read in part", in_part, "broken or cut: the games before the break count"),
        ("  not read", not_at_all, "broken before the end of the first game, or not to be opened"),
    ] {
        if count > 0 {
            row(&mut out, what, count, found, remark);
        }
    }
    for (refusal, count) in refusals(refused) {
        row(&mut out, &format!("  left out: {}", refusal.name()), count, found, refusal.meaning());
    }
    if copies > 0 {
        row(&mut out, "  left out: repeated", copies, found, "the same content as another file");
    }
    let (games, half_moves) = (tally.games(), tally.half_moves());
    row(&mut out, "games read", games, games, "");
    row(&mut out, "  counted", tally.counted, games, "");
    for reason in GameReason::ALL.into_iter().filter(|reason| tally.skipped(*reason) > 0) {
        let remark = hinted(reason.meaning(), hint(Line::Skipped(reason)));
        row(&mut out, &format!("  skipped: {}", reason.name()), tally.skipped(reason), games, &remark);
    }
    row(&mut out, "half-moves", half_moves, half_moves, "of the counted games");
    row(&mut out, "  positions", tally.positions, half_moves, "");
    for reason in DropReason::ALL.into_iter().filter(|reason| tally.dropped(*reason) > 0) {
        let remark = hinted(reason.meaning(), hint(Line::Dropped(reason)));
        row(&mut out, &format!("  dropped: {}", reason.name()), tally.dropped(reason), half_moves, &remark);
    }
    if let Some(mixed) = collected.engines.mixed() {
        let _ = writeln!(out, "\n{}", hinted(&mixed, hint(Line::Mixed)));
    }
    out += &notices(
        "Noticed, and no reason to leave a game out",
        &[vec![repeated(&collected.repeats)], noticed(collected)].concat(),
        |_| None,
    );
    for (at, (input, cut)) in collected.cuts.iter().enumerate() {
        let lead = if at == 0 { "\nCut at a move that cannot be made or read, for example:\n" } else { "" };
        let _ = writeln!(out, "{lead}  {input}, game {}: {}", grouped(cut.game), cut.at);
    }
    out
}

/// How many inputs were read whole, in part, and not at all.
fn how_far(inputs: &[InputRecord]) -> [u64; 3] {
    let mut counts = [0; 3];
    for input in inputs {
        let place = match (&input.broken, input.games) {
            (None, _) => 0,
            (Some(_), 1..) => 1,
            (Some(_), 0) => 2,
        };
        counts[place] += 1;
    }
    counts
}

/// The same for programs.
#[must_use]
pub fn json(collected: &Collected) -> Value {
    let Collected { tally, refused, .. } = collected;
    let [whole, in_part, not_at_all] = how_far(&collected.file.provenance.inputs);
    let cuts = collected.cuts.iter();
    let cuts = cuts.map(|(input, cut)| json!({ "input": input.to_string(), "game": cut.game, "at": cut.at }));
    let mut summary = json!({
        "games": tally.games(),
        "counted": tally.counted,
        "skipped": by_name(GameReason::ALL.map(|reason| (reason.name(), tally.skipped(reason)))),
        "half_moves": tally.half_moves(),
        "positions": tally.positions,
        "dropped": by_name(DropReason::ALL.map(|reason| (reason.name(), tally.dropped(reason)))),
        "noticed": notices_json(&noticed(collected)),
        "files_read": { "whole": whole, "in_part": in_part, "not": not_at_all },
        "files_refused": by_name(refusals(refused).into_iter().map(|(refusal, count)| (refusal.name(), count))),
        "engines": collected.engines.used().collect::<Vec<_>>(),
        "cut_games": cuts.collect::<Vec<_>>(),
        "inputs": collected.file.provenance.inputs,
        "rule": collected.file.provenance.rule_line(),
        "made_by": collected.file.provenance.made_by,
    });
    add_problems(&collected.problems, &mut summary);
    summary["repeated_games"] = repeats_json(&collected.repeats);
    summary["resumed_inputs"] = collected.resumed.into();
    summary
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

fn noticed(collected: &Collected) -> Vec<Noticed> {
    let of_games = Notice::ALL.map(|notice| (notice.name(), collected.tally.noticed(notice), notice.meaning()));
    of_games.into_iter().chain(of_text(collected.anomalies)).collect()
}

/// Why no position was counted; `None` if some were. `remedy` is what can be done about the reason for which most games were skipped,
/// or half-moves dropped, as the end of the sentence.
#[must_use]
pub fn why_nothing(collected: &Collected, remedy: impl Fn(Line) -> &'static str) -> Option<String> {
    let tally = &collected.tally;
    if tally.positions > 0 {
        return None;
    }
    if collected.file.provenance.inputs.is_empty() {
        return Some("every file was left out by the filters on metadata".to_owned());
    }
    if tally.games() == 0 {
        return Some("no games were read".to_owned());
    }
    let list = |each: Vec<(&str, u64)>| {
        let named =
            each.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {}", grouped(count)));
        named.collect::<Vec<_>>().join(", ")
    };
    if tally.counted == 0 {
        let reasons = list(GameReason::ALL.map(|reason| (reason.name(), tally.skipped(reason))).to_vec());
        let most = GameReason::ALL.into_iter().max_by_key(|reason| tally.skipped(*reason));
        let remedy = most.map_or("", |reason| remedy(Line::Skipped(reason)));
        let others = collected.engines.others().map_or(String::new(), |names| format!(". Names found: {names}"));
        let read = counted(tally.games(), "game");
        return Some(format!("{read} read, all skipped: {reasons}{others}{remedy}"));
    }
    let reasons = list(DropReason::ALL.map(|reason| (reason.name(), tally.dropped(reason))).to_vec());
    let most = DropReason::ALL.into_iter().max_by_key(|reason| tally.dropped(*reason));
    let remedy = most.map_or("", |reason| remedy(Line::Dropped(reason)));
    Some(format!(
        "{} read, none with an evaluation to count: {reasons}. Expected comments behind moves like {{+0.35/18 1.2s}} or {{[%eval 0.35]}}{remedy}",
        counted(tally.half_moves(), "half-move"),
    ))
}

/// What a file of counts holds, such as the sum of several.
#[must_use]
pub fn summary(file: &WdlFile) -> String {
    let (games, used) = totals(file);
    let mut text = String::new();
    let [_, in_part, not_at_all] = how_far(&file.provenance.inputs);
    let mut inputs = format!("in {}", counted(file.provenance.inputs.len() as u64, "input"));
    for (count, what) in [(in_part, "read in part"), (not_at_all, "not read")] {
        if count > 0 {
            let _ = write!(inputs, ", {} of them {what}", grouped(count));
        }
    }
    row(&mut text, "games read", games, games, &inputs);
    let positions = counted(file.counts.positions(), "position") + " with evaluations";
    row(&mut text, "  counted", used, games, &positions);
    text
}

/// The same for programs.
#[must_use]
pub fn summary_json(file: &WdlFile) -> Value {
    let (games, counted) = totals(file);
    let (inputs, rule) = (&file.provenance.inputs, file.provenance.rule_line());
    json!({ "inputs": inputs, "games": games, "counted": counted, "positions": file.counts.positions(), "rule": rule })
}

/// What a file of counts holds: positions by the results of their games, the rule, and every input.
#[must_use]
pub fn contents(file: &WdlFile) -> String {
    let (provenance, total) = (&file.provenance, file.counts.total());
    let mut out = format!("WDL counts of {}\n", counted(total.len() as u64, "different position"));
    let rules = if provenance.rules.is_empty() { "not known".to_owned() } else { provenance.rule_line() };
    let _ = writeln!(out, "rule     {rules}");
    let _ = writeln!(out, "made by  {}", provenance.made_by.join("\n         "));
    let _ = writeln!(out, "inputs   {}", provenance.inputs.len());
    for input in &provenance.inputs {
        let bytes = input.bytes.map_or_else(|| "?".to_owned(), grouped);
        let (counted, games, digest) = (grouped(input.counted), grouped(input.games), input.xxh3_128);
        let broken = input.broken.as_ref().map_or_else(String::new, |reason| format!("  (broken: {reason})"));
        let _ = writeln!(
            out,
            "  {digest}  {bytes:>12} bytes  {counted:>10} of {games:>10} games  {}{broken}",
            in_comment(&input.name)
        );
    }
    out += "\n";
    out += &summary(file);
    let positions = file.counts.positions();
    row(&mut out, "positions", positions, positions, "by the result for the side to move");
    for (result, count) in results(&total) {
        row(&mut out, &format!("  {result}"), count, positions, "");
    }
    out + "\n" + &errors_of_fits(file) + "\n"
}

/// Whether `wdl fit` can estimate errors, and if not, why.
fn errors_of_fits(file: &WdlFile) -> String {
    let (counts, with_games) = (&file.counts, file.counts.blocks.iter().filter(|block| !block.is_empty()).count());
    if !counts.has_blocks() {
        return "They are not kept in blocks of games, so `wdl fit` cannot estimate errors.".to_owned();
    }
    if counts.blocks_tell_errors() {
        return "They are kept in blocks of games, so `wdl fit` can estimate errors.".to_owned();
    }
    format!(
        "They lie in {with_games} of {} blocks of games, which is too few for `wdl fit` to estimate errors: it needs {FEWEST_EVENTS} blocks \
         that are worth {LEAST_WORTH} of equal size.",
        counts.blocks.len()
    )
}

/// The same for programs.
#[must_use]
pub fn contents_json(file: &WdlFile) -> Value {
    let total = file.counts.total();
    let mut value = summary_json(file);
    value["made_by"] = json!(file.provenance.made_by);
    value["kinds"] = json!(total.len());
    value["blocks"] = json!(file.counts.blocks.len());
    value["results"] = by_name(results(&total));
    value
}

/// Positions by the results of their games for the side to move.
fn results(total: &Block) -> [(&'static str, u64); 3] {
    let mut results = [("won", 0), ("drawn", 0), ("lost", 0)];
    for (cell, count) in total.iter().filter_map(|(word, count)| Some((Cell::unpack(word)?, count))) {
        results[cell.result as usize].1 += count;
    }
    results
}

/// Games read and counted of all inputs.
fn totals(file: &WdlFile) -> (u64, u64) {
    let inputs = file.provenance.inputs.iter();
    inputs.fold((0, 0), |(games, counted), input| (games + input.games, counted + input.counted))
}
