//! What a match prints: its opening lines, its standing while it runs, its end.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::Args;
use super::plan::Plan;
use crate::arena::{Book, End, Finished, PairRecord, Setup, Tally};
use crate::cli::output;
use crate::cli::standing::{fixed, games_line, llr_line, strength_json, strength_lines};
use crate::stats::{Decision, SequentialEstimate, Strength};

/// What is played, with all that it takes to play it again.
pub(super) fn opening_lines(
    plan: &Plan,
    book: &Book,
    seed: u64,
    pairs: u64,
    finished: usize,
    concurrency: usize,
) -> String {
    let [one, two] = &plan.engines;
    let mut text = format!(
        "{} vs {}: {pairs} pairs at most, {concurrency} at a time\nopenings {}: {} different, {} duplicates left out, XXH3 {:032x}, seed {seed}\n",
        one.name,
        two.name,
        book.name,
        book.openings.len(),
        book.duplicates,
        book.digest
    );
    if book.castling.is_chess960() {
        let _ = writeln!(text, "Chess960, as {} of these openings are", book.chess960);
    }
    if finished > 0 {
        let _ = writeln!(text, "going on after {finished} pairs of the log");
    }
    text
}

/// What is shown while a match runs: on a terminal one line that changes, elsewhere a line now and then.
pub(super) struct Live {
    json: bool,
    quiet: bool,
    terminal: bool,
    begun: Instant,
    shown: Instant,
    before: usize,
}

impl Live {
    pub(super) fn new(args: &Args, before: usize) -> Live {
        let now = Instant::now();
        Live {
            json: args.json,
            quiet: args.quiet,
            terminal: io::stderr().is_terminal(),
            begun: now,
            shown: now,
            before,
        }
    }

    pub(super) fn show(&mut self, record: &PairRecord, tally: &Tally, llr: Option<f64>) -> Result<()> {
        if self.json {
            let mut value = strength_json(&tally.results());
            value["pair"] = json!(record.pair);
            value["llr"] = json!(llr);
            return output::print(format!("{value}\n"));
        }
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        if !self.quiet && self.shown.elapsed() >= pause {
            self.shown = Instant::now();
            let strength = Strength::of(&tally.results());
            let games = 2 * (tally.pairs_played() - self.before as u64);
            let llr = llr.map_or(String::new(), |llr| format!("  LLR {}", fixed(llr)));
            let (begin, end) = if self.terminal { ("\r", "   ") } else { ("", "\n") };
            output::complain(format!(
                "{begin}{} games  Elo {} +/- {}{llr}  {:.1} games/s{end}",
                tally.results().games(),
                fixed(strength.elo),
                fixed(strength.elo_error),
                games as f64 / self.begun.elapsed().as_secs_f64()
            ));
        }
        Ok(())
    }

    pub(super) fn end(&self) {
        if self.terminal && self.shown != self.begun {
            output::complain("\n");
        }
    }
}

const RULE: &str = "--------------------------------------------------\n";

/// The block that people paste, and what it leaves out.
pub(super) fn end_text(ended: &Finished, plan: &Plan, book: &Book) -> String {
    let tally = &ended.tally;
    let results = tally.results();
    let [one, two] = &plan.engines;
    let conditions = conditions(plan, book);
    let mut text = format!("{RULE}Results of {} vs {} ({conditions}):\n", one.name, two.name);
    text += &strength_lines(&results);
    text += &games_line(&results, Some(&tally.games));
    let pairs = tally.pairs;
    let ratio = (tally.two_draws > 0).then(|| tally.win_loss as f64 / tally.two_draws as f64);
    let _ = writeln!(
        text,
        "Ptnml(0-2): [{}, {}, {}, {}, {}], WL/DD Ratio: {}",
        pairs.ll,
        pairs.ld,
        pairs.wl_dd,
        pairs.wd,
        pairs.ww,
        ratio.map_or("-".to_owned(), fixed)
    );
    if let (Some(sprt), Some(llr)) = (&plan.sprt, ended.llr) {
        text += &llr_line(sprt, llr);
    }
    text += RULE;
    if let Some(sprt) = &plan.sprt {
        let [elo0, elo1] = sprt.bounds().map(fixed);
        let verdict = match ended.decision {
            Decision::H1 => format!("H1 is accepted: rather {elo1} than {elo0} {} Elo.", sprt.model().name()),
            Decision::H0 => format!("H0 is accepted: rather {elo0} than {elo1} {} Elo.", sprt.model().name()),
            Decision::Continue => "The test is undecided.".to_owned(),
        };
        let _ = writeln!(text, "{verdict}");
        if let Ok(Some(estimate)) = sprt.estimate(&tally.results_for(sprt.model())) {
            let (elo, low, high) = (fixed(estimate.elo), fixed(estimate.low), fixed(estimate.high));
            let _ = writeln!(text, "Elo, with account taken of the stop: {elo} (95 % interval {low} to {high})");
        }
    }
    let games = results.games();
    let draws: Vec<_> = tally.draws().map(|(end, games)| format!("{games} {}", end.name())).collect();
    let of = if draws.is_empty() { String::new() } else { format!(" ({})", draws.join(", ")) };
    let _ = writeln!(
        text,
        "Drawn games: {} of {games}{of}; adjudicated games: {}.",
        tally.games.draws,
        tally.adjudicated()
    );
    if tally.identical > 0 {
        let _ = writeln!(
            text,
            "Identical play: in {} of {} pairs both games have the same moves, so the difference never showed in them.",
            tally.identical,
            tally.pairs_played()
        );
    }
    for (side, engine) in plan.engines.iter().enumerate() {
        if !tally.faults[side].is_empty() {
            let faults = tally.faults[side].iter().map(|(end, games)| format!("{games} {}", end.name()));
            let _ = writeln!(text, "Lost by faults of {}: {}.", engine.name, faults.collect::<Vec<_>>().join(", "));
        }
        if tally.overran[side] > 0 {
            let _ = writeln!(
                text,
                "{} went far beyond its limit in {} moves: it does not keep to {}.",
                engine.name, tally.overran[side], plan.limits[side]
            );
        }
    }
    text
}

/// Limits, threads, hash and book, as runners head their results.
fn conditions(plan: &Plan, book: &Book) -> String {
    let both = |of: &dyn Fn(usize) -> Option<String>| match (of(0), of(1)) {
        (None, None) => None,
        (one, two) if one == two => one,
        (one, two) => {
            Some(format!("{} - {}", one.unwrap_or("default".to_owned()), two.unwrap_or("default".to_owned())))
        }
    };
    let option = |side: usize, name: &str, unit: &str| {
        let own = plan.engines[side].options.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        own.map(|(_, value)| format!("{value}{unit}"))
    };
    let parts = [
        both(&|side| Some(plan.limits[side].to_string())),
        both(&|side| option(side, "Threads", "t")),
        both(&|side| option(side, "Hash", "MB")),
        Some(book.name.clone()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The same for programs.
pub(super) fn end_json(ended: &Finished, plan: &Plan, setup: &Setup) -> Value {
    let tally = &ended.tally;
    let mut value = strength_json(&tally.results());
    let count = |ends: &BTreeMap<End, u64>| -> Value {
        ends.iter().map(|(end, games)| (end.name().to_owned(), json!(games))).collect::<serde_json::Map<_, _>>().into()
    };
    let more = json!({
        "finished": true,
        "setup": setup,
        "pentanomial": tally.results().counts(),
        "wins": tally.games.wins,
        "draws": tally.games.draws,
        "losses": tally.games.losses,
        "wl_pairs": tally.win_loss,
        "dd_pairs": tally.two_draws,
        "llr": ended.llr,
        "lower": plan.sprt.map(|sprt| sprt.lower()),
        "upper": plan.sprt.map(|sprt| sprt.upper()),
        "decision": plan.sprt.map(|_| ended.decision.name()),
        "sequential": plan.sprt.and_then(|sprt| sprt.estimate(&tally.results_for(sprt.model())).ok().flatten()).map(
            |SequentialEstimate { elo, low, high }| json!({ "elo": elo, "low": low, "high": high }),
        ),
        "ends": count(&tally.ends),
        "adjudicated": tally.adjudicated(),
        "identical_pairs": tally.identical,
        "faults": tally.faults.each_ref().map(count),
        "overran": tally.overran,
        "plies": tally.plies,
    });
    for (name, figure) in more.as_object().into_iter().flatten() {
        value[name] = figure.clone();
    }
    value
}
