//! A match while it is played: its opening lines, its score after some pairs, and where it stands when it is interrupted.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Duration;

use drawish_match::arena::{
    Book, Course, Finished, MatchScore, PairRecord, Setup, Side, Syzygy, Tally, elo_lines_of_match, fixed,
    fixed_or_dash, games_line, later_text, llr_line, repeats_text,
};
use drawish_match::contest::{Event, Gathering, SelfPlayed, TestOfLog};
use drawish_stats::numbers::{counted, elo_interval, grouped, noun_for};
use drawish_stats::{Decision, NoFigure, SequentialEstimate, Sprt};
use serde_json::{Value, json};

use super::sprt::words_of_stop;
use super::tournament::capital;

/// What is played, with all that it takes to play it again: `pairs` at most, `workers` at a time, those `finished` in the log, and ended
/// by the test.
#[must_use]
pub fn opening_lines(
    setup: &Setup,
    book: &Book,
    pairs: u64,
    finished: &[PairRecord],
    sprt: Option<Sprt>,
    workers: NonZeroUsize,
) -> String {
    let [one, two] = setup.sides.each_ref().map(|side| &side.name);
    let mut text = format!(
        "{one} vs {two}: {} at most, {workers} at a time\nopenings {}: {} different, {} left out, XXH3 {}, seed {}\n",
        pairs_of(pairs),
        setup.book,
        setup.openings,
        counted(book.duplicates, "duplicate"),
        setup.book_digest,
        setup.seed
    );
    text += &chess960(setup.chess960, book);
    let judged = sprt.and_then(|sprt| Course::of(finished).judge(sprt).ok());
    text + &match judged.filter(|judged| judged.decision != Decision::Continue) {
        Some(judged) => {
            let pairs = finished.len() as u64 - judged.later;
            format!("nothing is left to play: the test is decided by {} of the log\n", pairs_of(pairs))
        }
        None => going_on(finished.len() as u64, pairs, "pair"),
    }
}

/// That Chess960 is played, if it is, and how many openings could not be played otherwise.
pub(super) fn chess960(is_played: bool, book: &Book) -> String {
    match book.chess960 {
        _ if !is_played => String::new(),
        0 => "Chess960\n".to_owned(),
        openings => format!("Chess960, as {openings} of these openings are\n"),
    }
}

/// How many of `all` the log has already; nothing of a new log.
pub(super) fn going_on(finished: u64, all: u64, noun: &str) -> String {
    match finished {
        0 => String::new(),
        finished if finished < all => format!("going on after {} of the log\n", counted(finished, noun)),
        finished => format!("nothing is left to play: the log has {}\n", counted(finished, noun)),
    }
}

fn pairs_of(count: u64) -> String {
    counted(count, "pair")
}

/// Openings that are left out are named one by one up to so many.
const SHOWN: usize = 10;

/// What is odd about openings, tables and engines, a line each.
#[must_use]
pub fn oddities(event: &Event<'_>) -> Vec<String> {
    match event {
        Event::Making(openings) => vec![format!(
            "making {} random openings before the first game, each judged by a short search; fewer pairs take less time",
            grouped(*openings)
        )],
        Event::Openings(book) => of_book(book),
        Event::Tables(syzygy) => of_tables(syzygy),
        Event::SameProgram => vec!["both sides are the same program with the same options and limits".to_owned()],
        Event::Test(test) => vec![test.to_string()],
        Event::Begins { setup, pairs, workers, .. } => of_terms(setup, &setup.sides, *pairs, *workers),
        _ => Vec::new(),
    }
}

/// What is to be said of the openings and the games at a time before so many pairs of each two of these sides.
#[must_use]
pub fn of_terms<Sides>(setup: &Setup<Sides>, sides: &[Side], pairs: u64, workers: NonZeroUsize) -> Vec<String> {
    few_openings(sides, setup.openings, pairs)
        .into_iter()
        .chain(beyond_book(setup.openings, setup.passed_over))
        .chain(of_workers(sides, workers))
        .collect()
}

/// What is to be said of so many games of these sides at a time on this machine.
#[must_use]
pub fn of_workers(sides: &[Side], workers: NonZeroUsize) -> Option<String> {
    few_cores(sides, workers.get(), thread::available_parallelism().ok()?.get())
}

/// That more engines think at a time than there are cores, and by the clock.
fn few_cores(sides: &[Side], workers: usize, cores: usize) -> Option<String> {
    let by_time = sides.iter().any(|side| side.limits.by_time());
    let thinking = workers.saturating_mul(1 + usize::from(sides.iter().any(|side| side.ponder)));
    (by_time && thinking > cores).then(|| {
        format!(
            "{} think at a time on {}, and time limits them: they wait for each other and may lose on time; play fewer games at a time",
            counted(thinking as u64, "engine"),
            counted(cores as u64, "core"),
        )
    })
}

/// That the first opening is beyond the book, which begins with it again, as in other runners.
fn beyond_book(openings: u64, passed_over: u64) -> Option<String> {
    (openings > 0 && passed_over >= openings).then(|| {
        format!(
            "the first opening to play is number {}, and the book has {} without duplicates: it begins again, here with number {}",
            grouped(passed_over.saturating_add(1)),
            grouped(openings),
            grouped(passed_over % openings + 1)
        )
    })
}

/// That openings come again in games that no clock makes differ.
fn few_openings(sides: &[Side], openings: u64, pairs: u64) -> Option<String> {
    let is_fixed = !sides.iter().any(|side| side.limits.by_time());
    (is_fixed && pairs > openings).then(|| {
        format!(
            "{} for {}, and no limit of time: engines may play the same games again, which adds no evidence; take more \
             openings or fewer pairs",
            counted(openings, "opening"),
            pairs_of(pairs)
        )
    })
}

fn of_book(book: &Book) -> Vec<String> {
    let name = &book.name;
    let shown = book.rejected.iter().take(SHOWN);
    let mut lines: Vec<_> =
        shown.map(|rejected| format!("{name}, opening {} is left out: {}", rejected.place, rejected.why)).collect();
    let more = book.rejected.len().saturating_sub(SHOWN);
    lines.extend((more > 0).then(|| {
        let is = if more == 1 { "is" } else { "are" };
        format!("{name}: {more} more {} {is} left out", noun_for(more as u64, "opening"))
    }));
    let all = book.openings.len() as u64;
    // Of all openings, or where it is asked for, it is no surprise.
    lines.extend((book.rule.castling.is_none() && (1..all).contains(&book.chess960)).then(|| {
        let are = if book.chess960 == 1 { "is" } else { "are" };
        format!(
            "{name}: {} of {} {are} of Chess960, by a tag or by castling rights that standard chess does not have, so all games are played as \
             Chess960; for standard chess leave them out, or correct their castling rights",
            grouped(book.chess960),
            counted(all, "opening")
        )
    }));
    let odd = &book.odd_words;
    lines.extend((odd.count > 0).then(|| {
        let others = if odd.count > 1 { format!(" and {} more", grouped(odd.count - 1)) } else { String::new() };
        format!(
            "{name}: {:?}{others}: no moves as the standard writes them, so they are passed over and openings may be others than meant: \
             rewrite the book, for example with pgn-extract",
            odd.first
        )
    }));
    lines.extend(book.eval_doubts.lines().into_iter().map(|line| format!("{name}: {line}")));
    lines
}

/// What tables lack: games that reach it are played on.
fn of_tables(syzygy: &Syzygy) -> Vec<String> {
    let (tables, missing) = (syzygy.tables(), syzygy.missing());
    let first = missing.first().map(|first| {
        let missing = missing.len();
        let is = if missing == 1 { "is" } else { "are" };
        format!("{tables}: {missing} {is} missing, the first {first}; games that reach what is missing are played on")
    });
    let distances = syzygy.lacks_distances().then(|| {
        format!("{tables}: without all distances (rtbz) some games are played on to the next capture or pawn's move")
    });
    first.into_iter().chain(distances).collect()
}

/// Games of an engine against itself, `path` being where they are.
#[must_use]
pub fn selfplay(engine: &str, path: &Path, played: &SelfPlayed, elapsed: Duration) -> String {
    let (games, drawn) = (played.games, played.drawn);
    let faults = if played.faults > 0 { format!(", {} ended by a fault", played.faults) } else { String::new() };
    let (path, seconds) = (path.display(), elapsed.as_secs_f64());
    format!("{path}: {} of {engine} against itself, {drawn} drawn{faults}, in {seconds:.1} s\n", counted(games, "game"))
}

/// The same for programs.
#[must_use]
pub fn selfplay_json(played: &SelfPlayed, elapsed: Duration) -> Value {
    let SelfPlayed { games, drawn, faults, seed, .. } = played;
    json!({ "games": games, "drawn": drawn, "faults": faults, "seed": seed, "seconds": elapsed.as_secs_f64() })
}

/// How fast a match goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Pairs that an earlier run has played.
    pub before: u64,
    /// Pairs to play at most.
    pub pairs: u64,
    /// The time since the first of this run.
    pub elapsed: Duration,
}

/// The score, the LLR with the bounds of the test, the speed, and how long it will take to play all that is left.
#[must_use]
pub fn line(tally: &Tally, sprt: Option<Sprt>, llr: Option<f64>, pace: Pace) -> String {
    let score = MatchScore::of_match(tally);
    let mut text = format!(
        "{} of {} games  Elo {} +/- {}",
        score.games,
        2 * pace.pairs,
        fixed(score.elo),
        fixed_or_dash(score.elo_error)
    );
    if let Some((sprt, llr)) = sprt.zip(llr) {
        let _ = write!(text, "  LLR {} ({}, {})", fixed(llr), fixed(sprt.lower()), fixed(sprt.upper()));
    }
    let speed = (tally.pairs_played() - pace.before) as f64 / pace.elapsed.as_secs_f64();
    let left = pace.pairs.saturating_sub(tally.pairs_played()) as f64 / speed;
    let _ = write!(text, "  {:.1} games/s", 2.0 * speed);
    if let Ok(left) = Duration::try_from_secs_f64(left) {
        let at_most = if sprt.is_some() { " at most" } else { "" };
        let _ = write!(text, "  {} left{at_most}", span(left));
    }
    text
}

/// Where a match between these stands, for whoever interrupts it: Elo, games, the LLR of its test, and what is odd about its games.
#[must_use]
pub fn stand(tally: &Tally, sides: &[Side; 2], test: Option<(Sprt, f64)>) -> String {
    let llr = test.map_or(String::new(), |(sprt, llr)| llr_line(&sprt, llr));
    let notes: String = notes_of(tally, sides).iter().map(|note| format!("{note}\n")).collect();
    format!("{}{}{llr}{notes}", elo_lines_of_match(tally), games_line(&tally.results(), None))
}

/// What is odd about the games of a match: those that are the same as others, and how often a side has lost by its faults or broken its limits.
pub(crate) fn notes_of(tally: &Tally, sides: &[Side; 2]) -> Vec<String> {
    let mut sentences = Vec::new();
    if tally.identical > 0 {
        sentences.push(format!(
            "Identical play: in {} of {} both games have the same moves, so the difference never showed in them.",
            tally.identical,
            pairs_of(tally.pairs_played())
        ));
    }
    let repeats = repeats_text(tally.repeated(), tally.pairs_played(), "pair");
    sentences.extend(repeats.map(|text| format!("Repeated games: {text}.")));
    for (at, side) in sides.iter().enumerate() {
        if !tally.faults[at].is_empty() {
            let faults = tally.faults[at].iter().map(|(end, games)| format!("{games} {}", end.name()));
            let faults = faults.collect::<Vec<_>>().join(", ");
            sentences.push(format!("Lost by faults of {}: {faults}.", side.name));
        }
        if tally.overran[at] > 0 {
            sentences.push(format!(
                "{} went far beyond its limit in {}: it does not keep to {}.",
                side.name,
                counted(tally.overran[at], "move"),
                side.limits
            ));
        }
    }
    sentences
}

/// What a test says of a match, and Elo corrected for its stop.
pub(crate) fn verdict_of(
    sprt: Option<Sprt>,
    of_log: Option<TestOfLog>,
    finished: &Finished,
    estimate: Option<Result<SequentialEstimate, NoFigure>>,
) -> Vec<String> {
    let of_log = of_log.and_then(TestOfLog::caveat).map(|caveat| capital(&caveat) + ".");
    let Some(sprt) = sprt else { return of_log.into_iter().collect() };
    let [elo0, elo1] = sprt.bounds().map(fixed);
    let mut sentences = vec![match finished.decision {
        Decision::H1 => format!("H1 is accepted: rather {elo1} than {elo0} {} Elo.", sprt.model().name()),
        Decision::H0 => format!("H0 is accepted: rather {elo0} than {elo1} {} Elo.", sprt.model().name()),
        Decision::Continue => "The test is undecided.".to_owned(),
    }];
    sentences.extend(sprt.model().caveat().map(str::to_owned));
    sentences.extend(of_log);
    let later = finished.later();
    sentences.extend(later_text(finished.tally.pairs_played() - later, later));
    let stop = words_of_stop(finished.decision);
    sentences.extend(estimate.map(|estimate| match estimate {
        Ok(SequentialEstimate { elo, low, high }) => {
            format!("Elo, {stop}: {} (95 % interval {})", fixed(elo), elo_interval(low, high, fixed))
        }
        Err(why) => format!("Elo, {stop}: not known, {why}."),
    }));
    if finished.decision != Decision::Continue {
        sentences.push("Elo, nElo and LOS above are as if the number of games had been fixed.".to_owned());
    }
    sentences
}

/// A match whose log was put together from those of its ranges.
#[must_use]
pub fn merged(gathering: &Gathering) -> String {
    let (sprt, finished) = (gathering.sprt(), gathering.finished());
    let sides = &gathering.setup().sides;
    let [one, two] = sides.each_ref().map(|side| &side.name);
    let stand = stand(&finished.tally, sides, sprt.zip(finished.llr));
    let verdict = verdict_of(sprt, gathering.test_of_log(), finished, gathering.estimate());
    format!(
        "{one} vs {two}: {}\n{stand}{}",
        pairs_of(finished.tally.pairs_played()),
        verdict.iter().map(|line| format!("{line}\n")).collect::<String>()
    )
}

/// A time in its two largest units.
#[must_use]
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match (hours / 24, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, ..) => format!("{hours} h {} min", minutes % 60),
        (days, ..) => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_match::arena::Limits;
    use drawish_stats::Model;

    /// Games that both end with White's win, except each third pair, of which the first side wins both.
    fn tally(moves: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for (pair, moves) in (1..).zip(moves) {
            let second = if pair % 3 == 0 { "0-1" } else { "1-0" };
            let game = |result| format!(r#"{{"result":"{result}","end":"mate","moves":"{moves}","said":"/"}}"#);
            let line = format!(r#"{{"pair":{pair},"games":[{},{}]}}"#, game("1-0"), game(second));
            tally.add(&serde_json::from_str(&line).expect("a pair"));
        }
        tally
    }

    fn sides() -> [Side; 2] {
        ["a", "b"].map(|name| {
            let side = format!(r#"{{"name":"{name}","player":"x","build":null,"options":[],"limits":"50 nodes"}}"#);
            serde_json::from_str(&side).expect("a side")
        })
    }

    #[test]
    fn an_interrupted_match_says_where_it_stands() {
        let results = tally(&["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3"]);
        let text = stand(&results, &sides(), Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).ok().zip(Some(1.5)));
        assert!(text.starts_with("Elo: 120.28") && text.contains("Games: 12, Points: 8.0 (66.67 %)"), "{text}");
        let rest = "LLR: 1.50 (50.9%) (-2.94, 2.94) [0.00, 5.00] normalized Elo\nIdentical play: in 4 of 6 pairs both";
        assert!(text.contains(rest), "{text}");
        assert!(!stand(&results, &sides(), None).contains("LLR"), "no test");
        // Elo is that of the first three pairs (with a thousandth for each empty slot, as above), the points those of all.
        let repeated = stand(&tally(&["a2a3", "b2b3", "c2c3", "a2a3", "b2b3"]), &sides(), None);
        assert!(repeated.starts_with("Elo: 120.15") && repeated.contains("Games: 10, Points: 6.0"), "{repeated}");
        assert!(repeated.contains("Repeated games: 2 of 5 pairs"), "{repeated}");
    }

    #[test]
    fn more_engines_than_cores_by_the_clock_are_warned_of() {
        let mut sides = sides();
        assert_eq!(few_cores(&sides, 9, 2), None, "no clock");
        sides[1].limits = Limits { movetime: Some(Duration::from_secs(1)), ..sides[1].limits };
        assert_eq!(few_cores(&sides, 2, 2), None);
        assert!(few_cores(&sides, 3, 2).is_some_and(|said| said.starts_with("3 engines think at a time on 2 cores")));
        sides[0].ponder = true;
        assert!(few_cores(&sides, 1, 1).is_some_and(|said| said.starts_with("2 engines think at a time on 1 core,")));
    }

    #[test]
    fn times_are_shown_in_two_units() {
        for (seconds, shown) in [(59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h 0 min"), (90_061, "1 d 1 h")] {
            assert_eq!(span(Duration::from_secs(seconds)), shown);
        }
    }
}
