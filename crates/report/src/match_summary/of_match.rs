//! The summary of a match that has been played.

use std::collections::BTreeMap;
use std::fmt::Write;

use drawish_heads::features::StructureClass;
use drawish_match::arena::{CLASS_PLY, End, Tally, elo_lines_of_match, fixed, games_line, llr_line};
use drawish_match::contest::Played;
use drawish_stats::numbers::{percent, percents};
use drawish_stats::{Proportion, Trinomial};

use super::{Cause, MatchSummary, StructureResults};
use crate::text::playing::{notes_of, verdict_of};

impl MatchSummary {
    /// All that is to be said of a match; `made_by` is the build that has played it.
    #[must_use]
    pub fn of(played: &Played, made_by: String) -> MatchSummary {
        let tally = played.tally();
        MatchSummary {
            names: played.engines.each_ref().map(|engine| engine.name.clone()),
            conditions: conditions(played),
            standing: score(played),
            verdict: [verdict(played), conversion(played)].concat(),
            notes: notes_of(tally, &played.setup.sides),
            games: tally.results().games(),
            adjudicated: tally.adjudicated(),
            causes: causes(&tally.drawn),
            class_move: CLASS_PLY / 2,
            has_repeats: tally.repeated() > 0,
            structures: structures(tally),
            provenance: provenance(played, made_by),
        }
    }
}

/// The lines of match runners.
fn score(played: &Played) -> String {
    let tally = played.tally();
    let results = tally.results();
    let mut text = elo_lines_of_match(tally) + &games_line(&results, Some(&tally.games));
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
    if let (Some(sprt), Some(llr)) = (&played.sprt, played.finished.llr) {
        text += &llr_line(sprt, llr);
    }
    text
}

fn verdict(played: &Played) -> Vec<String> {
    verdict_of(played.sprt, played.test_of_log, &played.finished, played.estimate())
}

/// How often each side wins what is better, and does not lose what is worse.
fn conversion(played: &Played) -> Vec<String> {
    let Some(band) = &played.setup.band else { return Vec::new() };
    let share = |hits: u64, games: &Trinomial| {
        Proportion::of(hits, games.wins + games.draws + games.losses).map_or("nothing".to_owned(), |found| {
            format!("{} ({}) of {}", percent(found.share), percents(found.low, found.high), found.tries)
        })
    };
    let [first, second] = &played.tally().conversions;
    let [one, two] = played.engines.each_ref().map(|engine| engine.name.as_str());
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
fn conditions(played: &Played) -> String {
    let both = |of: &dyn Fn(usize) -> Option<String>| match (of(0), of(1)) {
        (None, None) => None,
        (one, two) if one == two => one,
        (one, two) => {
            Some(format!("{} - {}", one.unwrap_or("default".to_owned()), two.unwrap_or("default".to_owned())))
        }
    };
    let option = |side: usize, name: &str, unit: &str| {
        let own = played.engines[side].options().iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        own.map(|(_, value)| format!("{value}{unit}"))
    };
    let parts = [
        both(&|side| Some(played.setup.sides[side].limits_text())),
        both(&|side| option(side, "Threads", "t")),
        both(&|side| option(side, "Hash", "MB")),
        Some(played.setup.book.clone()),
        played.setup.chess960.then(|| "Chess960".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What it takes to play the match again.
fn provenance(played: &Played, made_by: String) -> Vec<(String, String)> {
    let setup = &played.setup;
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    for side in &setup.sides {
        let options: String = side.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let build = side.build.as_ref().map_or(String::new(), |digest| format!(", build {digest}"));
        row(&side.name, format!("{}{options}, {}{build}", side.player, side.limits_text()));
    }
    let plies = setup.plies.map_or(String::new(), |plies| format!(", {plies} half-moves of each game"));
    row(
        "openings",
        format!(
            "{}: {} different{plies}, {} duplicates and {} unplayable ones left out, XXH3 {}",
            setup.book, setup.openings, played.duplicates, played.rejected, setup.book_digest
        ),
    );
    row("seed", setup.seed.to_string());
    row("variant", if setup.chess960 { "Chess960" } else { "standard chess" }.to_owned());
    row("rules", setup.rules_text());
    if let Some(sprt) = &played.sprt {
        let [elo0, elo1] = sprt.bounds().map(fixed);
        row("test", format!("{} SPRT, H0 {elo0}, H1 {elo1} Elo", sprt.model().name()));
    }
    row("played by", made_by);
    rows
}
