//! Tuning by games: where it stands while it runs, and what it has found.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use drawish_match::arena::Book;
use drawish_match::spsa::{Best, Found, Kind, Parameter, Sameness, SpsaPlayed, SpsaSetup};
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::columns;
use super::playing::{going_on, span};

/// So many parameters are shown in a line.
const SHOWN: usize = 4;

/// What is tuned, from which openings, `workers` steps at a time, and how many steps are there already.
#[must_use]
pub fn opening_lines(setup: &SpsaSetup, book: &Book, workers: NonZeroUsize, finished: u64) -> String {
    let text = format!(
        "{}: {}, {} of {}, {workers} at a time\nopenings {}: {} different, {} left out, seed {}\n",
        setup.games.sides[0].name,
        counted(setup.parameters.len() as u64, "parameter"),
        counted(setup.steps, "step"),
        counted(setup.pairs_per_step, "pair"),
        book.name,
        book.openings.len(),
        counted(book.duplicates, "duplicate"),
        setup.games.seed
    );
    text + &going_on(finished, setup.steps, "step")
}

/// Steps, games, speed, time left, and values with their averages. `played` steps took `elapsed`.
#[must_use]
pub fn line(setup: &SpsaSetup, step: u64, played: u64, elapsed: Duration, values: &[f64], averages: &[f64]) -> String {
    let per_step = 2 * setup.pairs_per_step;
    let speed = played as f64 / elapsed.as_secs_f64();
    let games = step * per_step;
    let mut text =
        format!("{step} of {}  {games} games  {:.1} games/s", counted(setup.steps, "step"), speed * per_step as f64);
    if let Ok(left) = Duration::try_from_secs_f64((setup.steps - step) as f64 / speed) {
        let _ = write!(text, "  {} left", span(left));
    }
    for ((parameter, value), average) in setup.parameters.iter().zip(values).zip(averages).take(SHOWN) {
        let decimals = parameter.decimals().max(2);
        let _ = write!(text, "  {} {value:.decimals$} ({average:.decimals$})", parameter.name);
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
        let Found { parameter, value, average, best, .. } = found;
        let interval = best.map_or_else(|| "-".to_owned(), |best| with_interval(parameter, best));
        let remark = if found.is_within_noise() { "moved less than its noise" } else { "" };
        let was = parameter.in_words(parameter.value);
        let [value, mean] = [value, average].map(|value| with_sent(parameter, value));
        rows.push([parameter.name.clone(), was, value, mean, interval, remark.to_owned()]);
    }
    let rest = if played.at_rest { ", stopped at rest" } else { "" };
    let faults = match played.faults {
        0 => "no faults".to_owned(),
        1 => "1 game ended by a fault and its pair was played again".to_owned(),
        faults => format!("{} ended by a fault and their pairs were played again", counted(faults, "game")),
    };
    let same = same_games(played.sameness).map_or_else(String::new, |same| same + "\n");
    let again = repeated_openings(played).map_or_else(String::new, |again| again + "\n");
    let sent = sent_note(played);
    let apart = apart_note(played).map_or_else(String::new, |apart| format!(", {apart}"));
    format!(
        "{} of {}, {} games{rest}, {faults}\n{same}{again}{}average: mean over the second half of the steps\n{sent}\
         best by all results: where the results of all steps say that it is best, with its 95 % interval{apart}; - where they do \
         not say it clearly\n",
        played.path.steps(),
        counted(played.setup.steps, "step"),
        played.games(),
        columns(&rows, &[0, 5])
    )
}

/// On what the best values depend, without a full stop, if there are several.
pub(crate) fn apart_note(played: &SpsaPlayed) -> Option<&'static str> {
    (played.setup.parameters.len() > 1).then_some("as long as no parameter changes which value of another is best")
}

/// In how many pairs the values made no difference, if in any, without a full stop.
pub(crate) fn same_games(Sameness { pairs, identical, .. }: Sameness) -> Option<String> {
    let pairs = counted(pairs, "pair");
    let same = || {
        format!(
            "{} of {pairs} had the same moves in both games: the values made no difference there",
            grouped(identical)
        )
    };
    (identical > 0).then(same)
}

/// That openings were played again, if any was, without a full stop: nothing tells then which steps have the same games.
pub(crate) fn repeated_openings(played: &SpsaPlayed) -> Option<String> {
    let (pairs, openings) = (played.pairs(), played.setup.games.openings);
    (pairs > openings).then(|| {
        format!(
            "{} from {}: an engine without a limit of time may have played the same games again, which the intervals of best values \
             count as new",
            counted(pairs, "pair"),
            counted(openings, "opening")
        )
    })
}

/// A value; of an int also what the engine is sent for it, if that is another number: `5.9031 (6)`.
pub(crate) fn with_sent(parameter: &Parameter, value: f64) -> String {
    match parameter.kind {
        Kind::Int if value.fract() != 0.0 => format!("{} ({})", short(parameter, value), parameter.in_words(value)),
        Kind::Int => parameter.in_words(value),
        Kind::Float => short(parameter, value),
    }
}

/// What the brackets of [`with_sent`] are, as a line, if there are any.
pub(crate) fn sent_note(played: &SpsaPlayed) -> &'static str {
    let has_any = played
        .found()
        .any(|found| [found.value, found.average].iter().any(|&value| with_sent(found.parameter, value).contains('(')));
    if has_any { "in brackets behind the value of an int: the whole number that the engine is sent\n" } else { "" }
}

/// The best value with its 95 % interval.
pub(crate) fn with_interval(parameter: &Parameter, best: Best) -> String {
    let [value, low, high] = [best.value, best.low, best.high].map(|value| short(parameter, value));
    format!("{value} ({low} to {high})")
}

/// Four significant digits or more, as they are needed, and never fewer than show the changes of this parameter.
pub(crate) fn short(parameter: &Parameter, value: f64) -> String {
    let decimals = if value.abs() >= 1000.0 {
        0
    } else if value.abs() >= 10.0 {
        2
    } else {
        4
    };
    let decimals = if parameter.c_end < 0.01 { decimals.max(parameter.decimals()) } else { decimals };
    format!("{value:.decimals$}")
}

/// All of it for programs.
#[must_use]
pub fn json(played: &SpsaPlayed) -> Value {
    let found = played.found().map(|found| {
        let Found { parameter, value, average, by_chance, best } = found;
        json!({
            "name": parameter.name, "was": parameter.value, "value": value, "average": average,
            "average_by_chance": by_chance, "best": best.map(|best| best.value),
            "low": best.map(|best| best.low), "high": best.map(|best| best.high),
            "moved": found.has_moved(),
        })
    });
    let remarks = [
        same_games(played.sameness),
        repeated_openings(played),
        apart_note(played).map(|note| format!("best values hold {note}")),
    ];
    json!({
        "remarks": remarks.into_iter().flatten().collect::<Vec<_>>(),
        "steps": played.path.steps(), "games": played.games(), "faults": played.faults, "at_rest": played.at_rest,
        "identical_pairs": (played.sameness.pairs > 0).then_some(played.sameness.identical),
        "seed": played.setup.games.seed, "parameters": found.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_int_is_shown_as_the_engine_is_sent_it() {
        let read = Parameter::read("a, int, 6, 0, 99, 2, 0.002\nb, float, 6, 0, 99, 2, 0.002\n").expect("parameters");
        let shown = |at: usize, value| with_sent(&read[at], value);
        assert_eq!([shown(0, 5.9031), shown(0, 6.0), shown(1, 5.9031)], ["5.9031 (6)", "6", "5.9031"]);
    }

    #[test]
    fn small_floats_are_shown_with_the_digits_that_change() {
        let read = Parameter::read("a, float, 0.00005, 0, 0.0002, 0.00001, 0.002\n").expect("a parameter");
        assert_eq!(with_sent(&read[0], 0.00005), "0.0000500");
        let best = Best { value: 0.000_061_2, low: 0.000_057_2, high: 0.000_065_2 };
        assert_eq!(with_interval(&read[0], best), "0.0000612 (0.0000572 to 0.0000652)");
        let setup = SpsaSetup { parameters: read, ..setup() };
        let line = line(&setup, 1, 1, Duration::from_secs(1), &[0.00005], &[0.00006]);
        assert!(line.ends_with("a 0.0000500 (0.0000600)"), "{line}");
    }

    fn setup() -> SpsaSetup {
        let side = r#"{"name":"a","player":"a","build":null,"options":[],"limits":"10 nodes"}"#;
        let games =
            r#""book":"book","book_digest":"00","openings":3,"plies":null,"seed":1,"rules":{"time_margin_ms":20}"#;
        let text =
            format!(r#"{{"parameters":[],"steps":9,"pairs_per_step":1,"lag":1,"sides":[{side},{side}],{games}}}"#);
        serde_json::from_str(&text).expect("a setup")
    }
}
