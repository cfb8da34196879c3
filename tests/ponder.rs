//! Engines that think in their opponent's time: hits and misses, and engines that get it wrong.

use std::time::{Duration, Instant};

use drawish::arena::{GameRecord, Logged};

use crate::fake_engine::{VARIABLE, engine};
use crate::run::{Done, Place};

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";

/// Engines of these behaviours in a match; the first ponders.
fn play(place: &Place, [first, second]: [&str; 2], more: &str) -> Done {
    place.put("book.epd", BOOK);
    let first = engine(first, "first").into_iter().chain(["ponder=on".to_owned()]);
    let words = first.chain(engine(second, "second"));
    let more = format!("--openings book.epd --seed 1 -j 2 --patience 1 --json {more}");
    let more = more.split_whitespace().map(str::to_owned);
    let all: Vec<String> = std::iter::once("match".to_owned()).chain(words).chain(more).collect();
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

/// The faults of the first engine.
fn faults(done: &Done) -> serde_json::Value {
    let last: serde_json::Value = serde_json::from_str(done.out().lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["faults"][1], serde_json::json!({}), "{last}");
    last["faults"][0].clone()
}

fn games(place: &Place, log: &str) -> Vec<GameRecord> {
    Logged::read(&place.read(log)).expect("a log").pairs.into_iter().flat_map(|pair| pair.games).collect()
}

/// The moves are those of a match without pondering; every second answer is one to `ponderhit`.
#[test]
fn hits_and_misses() {
    let place = Place::new();
    let more = "--tc 30+0.1 --max-moves 12";
    let done = play(&place, ["ponders", "plays_otherwise"], &format!("{more} --log a.jsonl --pgn a.pgn")).ok();
    assert_eq!(faults(&done), serde_json::json!({}));
    let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
    let plain = format!("{more} --openings book.epd --seed 1 --log b.jsonl");
    let plain = plain.split_whitespace().map(str::to_owned);
    let all: Vec<String> = std::iter::once("match".to_owned()).chain(words).chain(plain).collect();
    Done(place.command(all).output().expect("the program runs")).ok();
    let (pondered, plain) = (games(&place, "a.jsonl"), games(&place, "b.jsonl"));
    assert_eq!(pondered.len(), 4);
    for (one, other) in pondered.iter().zip(&plain) {
        assert_eq!((&one.moves, one.end), (&other.moves, other.end));
        // The first answer of a game expects the right move or the wrong one, whichever comes next in this process.
        let depths = one.said.split(' ').filter_map(|said| said.split('/').nth(1)).collect::<Vec<_>>();
        assert!(!depths.contains(&"9"), "{}", one.said);
        let hits = depths.iter().filter(|depth| **depth == "7").count();
        assert!((4..=7).contains(&hits), "{hits} hits in {}", one.said);
    }
    let log = String::from_utf8(place.read("a.jsonl")).expect("text");
    assert!(log.lines().next().expect("a setup").contains("\"ponder\":true"), "{log}");
    // A match goes on only as itself.
    let other = format!("{more} --log b.jsonl --resume");
    play(&place, ["ponders", "plays_otherwise"], &other).fails(1, &["another match: sides.1."]);
}

/// Nothing is pondered on without a legal move; an early answer is taken for what it answers, and hinders nobody.
#[test]
fn odd_engines_that_lose_nothing() {
    let place = Place::new();
    for behaviour in ["ponders_nothing", "ponders_illegally", "ponders_early"] {
        let done = play(&place, [behaviour, "plays_otherwise"], "--tc 30+0.1 --max-moves 12 --no-log").ok();
        assert_eq!(faults(&done), serde_json::json!({}), "{behaviour}");
    }
}

/// Who dies or hangs while it ponders loses the game when it is to move; a game that is over is not waited for for long.
#[test]
fn engines_that_fail_in_their_opponents_time() {
    let place = Place::new();
    let begun = Instant::now();
    // The opponent plays what is expected, or something else.
    for (behaviour, opponent, end) in [
        ("ponders_for_ever", "plays_otherwise", "stall"),
        ("ponders_for_ever", "plays", "stall"),
        ("dies_in_ponder", "plays_otherwise", "crash"),
    ] {
        let more = "--tc 0.5+0.1 --max-moves 12 --pairs 2 --no-log";
        let done = play(&place, [behaviour, opponent], more).ok();
        assert_eq!(faults(&done), serde_json::json!({ end: 4 }), "{behaviour}");
    }
    // One move of each side: in one game of a pair it is over while this engine ponders, and the next begins with a fresh process.
    let done = play(&place, ["ponders_for_ever", "plays_otherwise"], "--tc 9+0.1 --max-moves 1 --no-log").ok();
    assert_eq!(faults(&done), serde_json::json!({}));
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// The engine of this program ponders, too.
#[test]
fn our_own_engine_ponders() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let program = env!("CARGO_BIN_EXE_drawish");
    let line = format!(
        "match --each cmd={program} args=uci ponder=on option.Hash=1 --engine name=one --engine name=two --openings book.epd --seed 1 \
         --tc 1+0.02 --time-margin 2000 --max-moves 8 -j 1 --json --log a.jsonl"
    );
    let done = place.say(&line).ok();
    assert_eq!(faults(&done), serde_json::json!({}));
    assert_eq!(games(&place, "a.jsonl").len(), 4);
}

#[test]
fn pondering_that_cannot_be_done_is_refused_by_name() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let no_clock = &["first is to think in its opponent's time, which needs a clock", "--tc"];
    for limits in ["--nodes 2000", "--depth 3", "--movetime 0.1", "--tc 5+0.1 --nodes 9"] {
        play(&place, ["ponders", "plays"], &format!("{limits} --no-log")).fails(2, no_clock);
    }
    play(&place, ["plays", "plays_otherwise"], "--tc 5+0.1 --no-log")
        .fails(1, &["has no option Ponder, so it cannot think in its opponent's time", "ponder=on"]);
    let line = "match --engine arm=none ponder=on --engine arm=constant --openings book.epd --tc 5+0.1 --no-log";
    place.say(line).fails(2, &["an arm does not think in its opponent's time", "cmd=drawish args=uci"]);
    let line = "match --engine cmd=x ponder=maybe --engine cmd=y --openings book.epd --tc 5+0.1 --no-log";
    place.say(line).fails(2, &["expected ponder=on or ponder=off"]);
}
