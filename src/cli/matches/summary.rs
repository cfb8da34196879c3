//! A match that has ended, as the summary that is printed and written down.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::plan::Plan;
use crate::cli::standing::{fixed, games_line, llr_line, strength_lines};
use drawish::arena::{Book, CLASS_PLY, End, Finished, Setup, Tally};
use drawish::features::StructureClass;
use drawish::provenance;
use drawish::report::{Cause, MatchSummary, StructureResults};
use drawish::stats::{Decision, Proportion, Trinomial};

/// All that is to be said of a match.
pub(super) fn summary(ended: &Finished, plan: &Plan, book: &Book, setup: &Setup) -> MatchSummary {
    let tally = &ended.tally;
    MatchSummary {
        names: plan.engines.each_ref().map(|engine| engine.name.clone()),
        conditions: conditions(plan, book),
        standing: standing(ended, plan),
        verdict: [verdict(ended, plan), conversion(tally, plan)].concat(),
        notes: notes(tally, plan),
        games: tally.results().games(),
        adjudicated: tally.adjudicated(),
        causes: causes(&tally.drawn),
        class_move: CLASS_PLY / 2,
        structures: structures(tally),
        provenance: provenance(setup, book, plan),
    }
}

/// The lines of match runners.
fn standing(ended: &Finished, plan: &Plan) -> String {
    let tally = &ended.tally;
    let results = tally.results();
    let mut text = strength_lines(&results) + &games_line(&results, Some(&tally.games));
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
    text
}

fn verdict(ended: &Finished, plan: &Plan) -> Vec<String> {
    let Some(sprt) = &plan.sprt else { return Vec::new() };
    let [elo0, elo1] = sprt.bounds().map(fixed);
    let mut sentences = vec![match ended.decision {
        Decision::H1 => format!("H1 is accepted: rather {elo1} than {elo0} {} Elo.", sprt.model().name()),
        Decision::H0 => format!("H0 is accepted: rather {elo0} than {elo1} {} Elo.", sprt.model().name()),
        Decision::Continue => "The test is undecided.".to_owned(),
    }];
    if let Ok(Some(estimate)) = sprt.estimate(&ended.tally.results_for(sprt.model())) {
        let (elo, low, high) = (fixed(estimate.elo), fixed(estimate.low), fixed(estimate.high));
        sentences.push(format!("Elo, with account taken of the stop: {elo} (95 % interval {low} to {high})"));
    }
    sentences
}

/// How often each side wins what is better, and does not lose what is worse.
fn conversion(tally: &Tally, plan: &Plan) -> Vec<String> {
    let Some(band) = &plan.band else { return Vec::new() };
    let share = |hits: u64, games: &Trinomial| {
        Proportion::of(hits, games.wins + games.draws + games.losses).map_or("nothing".to_owned(), |found| {
            let [share, low, high] = [found.share, found.low, found.high].map(|share| 100.0 * share);
            format!("{share:.1} % ({low:.1}-{high:.1}) of {}", found.tries)
        })
    };
    let [first, second] = &tally.conversions;
    let [one, two] = plan.engines.each_ref().map(|engine| engine.name.as_str());
    vec![
        format!(
            "Better by {} to {} centipawns: {one} won {}, {two} won {}.",
            band.start(),
            band.end(),
            share(first.wins, first),
            share(second.wins, second)
        ),
        format!(
            "Worse by as much: {one} held {}, {two} held {}.",
            share(second.draws + second.losses, second),
            share(first.draws + first.losses, first)
        ),
    ]
}

fn notes(tally: &Tally, plan: &Plan) -> Vec<String> {
    let mut sentences = Vec::new();
    if tally.identical > 0 {
        sentences.push(format!(
            "Identical play: in {} of {} pairs both games have the same moves, so the difference never showed in them.",
            tally.identical,
            tally.pairs_played()
        ));
    }
    for (side, engine) in plan.engines.iter().enumerate() {
        if !tally.faults[side].is_empty() {
            let faults = tally.faults[side].iter().map(|(end, games)| format!("{games} {}", end.name()));
            let faults = faults.collect::<Vec<_>>().join(", ");
            sentences.push(format!("Lost by faults of {}: {faults}.", engine.name));
        }
        if tally.overran[side] > 0 {
            sentences.push(format!(
                "{} went far beyond its limit in {} moves: it does not keep to {}.",
                engine.name, tally.overran[side], plan.limits[side]
            ));
        }
    }
    sentences
}

fn causes(drawn: &BTreeMap<End, [u64; 2]>) -> Vec<Cause> {
    drawn.iter().map(|(end, games)| Cause { name: end.name(), games: *games }).collect()
}

fn structures(tally: &Tally) -> Vec<StructureResults> {
    let rows = StructureClass::ALL.into_iter().filter_map(|class| {
        let share = tally.structures.get(&class)?;
        Some(StructureResults {
            name: class.name(),
            meaning: class.meaning(),
            games: share.games,
            drawn: share.drawn()?,
            causes: causes(&share.draws),
        })
    });
    rows.collect()
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
        book.castling.is_chess960().then(|| "Chess960".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What it takes to play the match again.
fn provenance(setup: &Setup, book: &Book, plan: &Plan) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    for side in &setup.sides {
        let options: String = side.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let build = side.build.as_ref().map_or(String::new(), |digest| format!(", build {digest}"));
        row(&side.name, format!("{}{options}, {}{build}", side.player, side.limits));
    }
    let plies = setup.plies.map_or(String::new(), |plies| format!(", {plies} half-moves of each game"));
    row(
        "openings",
        format!(
            "{}: {} different{plies}, {} duplicates and {} unplayable ones left out, XXH3 {}",
            setup.book,
            setup.openings,
            book.duplicates,
            book.rejected.len(),
            setup.book_digest
        ),
    );
    row("seed", setup.seed.to_string());
    row("variant", if setup.chess960 { "Chess960" } else { "standard chess" }.to_owned());
    row("rules", setup.rules.clone());
    if let Some(sprt) = &plan.sprt {
        let [elo0, elo1] = sprt.bounds().map(fixed);
        row("test", format!("{} SPRT, H0 {elo0}, H1 {elo1} Elo", sprt.model().name()));
    }
    row("played by", provenance::made_by());
    rows
}
