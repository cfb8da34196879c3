//! What a match prints: its opening lines, its standing while it runs, its end for programs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::Args;
use super::plan::Plan;
use crate::cli::output;
use crate::cli::standing::{fixed, strength_json};
use drawish::arena::{Book, CLASS_PLY, End, Finished, PairRecord, Setup, Tally};
use drawish::stats::{Proportion, SequentialEstimate, Strength, Trinomial};

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

/// Drawn games by their end: those in which the first side had White, and those in which the second had.
fn causes(drawn: &BTreeMap<End, [u64; 2]>) -> Value {
    drawn.iter().map(|(end, games)| (end.name().to_owned(), json!(games))).collect::<serde_json::Map<_, _>>().into()
}

/// Games of each side with the better position, and the shares that it won; the other side held the rest.
fn conversion(tally: &Tally, band: &RangeInclusive<i32>) -> Value {
    let sides = tally.conversions.iter().map(|games| {
        let won = Proportion::of(games.wins, games.wins + games.draws + games.losses);
        json!({
            "wins": games.wins, "draws": games.draws, "losses": games.losses,
            "won": won.map(|won| won.share), "won_low": won.map(|won| won.low), "won_high": won.map(|won| won.high),
        })
    });
    json!({ "from": band.start(), "to": band.end(), "better": sides.collect::<Vec<_>>() })
}

/// Games of the first side by the class of their pawns.
fn structures(tally: &Tally) -> Value {
    let rows = tally.structures.iter().map(|(class, share)| {
        let Trinomial { wins, draws, losses } = share.games;
        let rate = share.drawn();
        json!({
            "class": class.name(), "wins": wins, "draws": draws, "losses": losses,
            "draw_rate": rate.map(|rate| rate.share), "draw_low": rate.map(|rate| rate.low),
            "draw_high": rate.map(|rate| rate.high), "drawn": causes(&share.draws),
        })
    });
    rows.collect()
}

/// How a match has ended, for programs.
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
        "drawn": causes(&tally.drawn),
        "conversion": plan.band.as_ref().map(|band| conversion(tally, band)),
        "class_move": CLASS_PLY / 2,
        "structures": structures(tally),
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
