//! Tuning by games: where it stands while it runs, and what it has found.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use drawish_match::arena::Book;
use drawish_match::spsa::{Best, Found, Sameness, SpsaPlayed, SpsaSetup};
use serde_json::{Value, json};

use super::columns;
use super::playing::span;

/// So many parameters are shown in a line.
const SHOWN: usize = 4;

/// What is tuned, from which openings, `workers` steps at a time, and how many steps are there already.
#[must_use]
pub fn opening_lines(setup: &SpsaSetup, book: &Book, workers: NonZeroUsize, finished: u64) -> String {
    let mut text = format!(
        "{}: {} parameters, {} steps of {} pairs, {workers} at a time\nopenings {}: {} different, {} duplicates left out, seed {}\n",
        setup.games.sides[0].name,
        setup.parameters.len(),
        setup.steps,
        setup.pairs_per_step,
        book.name,
        book.openings.len(),
        book.duplicates,
        setup.games.seed
    );
    if finished > 0 {
        let _ = writeln!(text, "going on after {finished} steps of the log");
    }
    text
}

/// Steps, games, speed, time left, and values with their averages. `played` steps took `elapsed`.
#[must_use]
pub fn line(setup: &SpsaSetup, step: u64, played: u64, elapsed: Duration, values: &[f64], averages: &[f64]) -> String {
    let per_step = 2 * setup.pairs_per_step;
    let speed = played as f64 / elapsed.as_secs_f64();
    let games = step * per_step;
    let mut text = format!("{step} of {} steps  {games} games  {:.1} games/s", setup.steps, speed * per_step as f64);
    if let Ok(left) = Duration::try_from_secs_f64((setup.steps - step) as f64 / speed) {
        let _ = write!(text, "  {} left", span(left));
    }
    for ((parameter, value), average) in setup.parameters.iter().zip(values).zip(averages).take(SHOWN) {
        let _ = write!(text, "  {} {value:.2} ({average:.2})", parameter.name);
    }
    if setup.parameters.len() > SHOWN {
        text += " ...";
    }
    text
}

/// What to do where both sides of each pair play the same games, whatever their values.
#[must_use]
pub fn without_effect(setup: &SpsaSetup, sameness: Sameness) -> String {
    let names: Vec<_> = setup.parameters.iter().take(SHOWN).map(|parameter| parameter.name.as_str()).collect();
    let more = if setup.parameters.len() > SHOWN { ", ..." } else { "" };
    format!(
        "{}{more}: no effect so far: in {} of {} pairs, among them the last twenty, both games had the same moves, so nothing can be \
         learnt from them; raise c_end, give more nodes, or check that the engine heeds what it is set to",
        names.join(", "),
        sameness.identical,
        sameness.pairs
    )
}

/// What was found for each parameter, as a table.
#[must_use]
pub fn text(played: &SpsaPlayed) -> String {
    let mut rows = vec![["parameter", "was", "value", "average", "best by all results", ""].map(str::to_owned)];
    for found in played.found() {
        let Found { parameter, value, average, best } = found;
        let interval = best.map_or_else(|| "-".to_owned(), with_interval);
        let remark = if found.has_moved() == Some(false) { "moved less than its noise" } else { "" };
        let was = parameter.in_words(parameter.value);
        rows.push([parameter.name.clone(), was, short(value), short(average.mean), interval, remark.to_owned()]);
    }
    let rest = if played.at_rest { ", stopped at rest" } else { "" };
    let faults = match played.faults {
        0 => "no faults".to_owned(),
        faults => format!("{faults} games ended by a fault and were played again"),
    };
    let same = match played.sameness {
        Sameness { identical: 0, .. } => String::new(),
        Sameness { pairs, identical, .. } => {
            format!(
                "{identical} of {pairs} pairs had the same moves in both games: the values made no difference there\n"
            )
        }
    };
    format!(
        "{} of {} steps, {} games{rest}, {faults}\n{same}{}average: mean over the second half of the steps\n\
         best by all results: where the results of all steps say that it is best, with its 95 % interval; - where they do not say it \
         clearly\n",
        played.path.steps(),
        played.setup.steps,
        played.games(),
        columns(&rows, &[0, 5])
    )
}

/// The best value with its 95 % interval.
pub(crate) fn with_interval(best: Best) -> String {
    let (low, high) = (best.value - best.error, best.value + best.error);
    format!("{} ({} to {})", short(best.value), short(low), short(high))
}

/// Four significant digits or more, as they are needed.
pub(crate) fn short(value: f64) -> String {
    let decimals = if value.abs() >= 1000.0 {
        0
    } else if value.abs() >= 10.0 {
        2
    } else {
        4
    };
    format!("{value:.decimals$}")
}

/// All of it for programs.
#[must_use]
pub fn json(played: &SpsaPlayed) -> Value {
    let found = played.found().map(|found| {
        let Found { parameter, value, average, best } = found;
        json!({
            "name": parameter.name, "was": parameter.value, "value": value, "average": average.mean,
            "average_error": average.error, "best": best.map(|best| best.value),
            "low": best.map(|best| best.value - best.error), "high": best.map(|best| best.value + best.error),
            "moved": found.has_moved(),
        })
    });
    json!({
        "steps": played.path.steps(), "games": played.games(), "faults": played.faults, "at_rest": played.at_rest,
        "identical_pairs": (played.sameness.pairs > 0).then_some(played.sameness.identical),
        "seed": played.setup.games.seed, "parameters": found.collect::<Vec<_>>(),
    })
}
