//! Matches between arms of this program's engine, within one process.

use std::process::Stdio;
use std::time::Instant;

use crate::run::Place;

/// Openings after a few moves, none of them level.
const BOOK: &str = "rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3\n\
    rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4\n\
    rnbqkbnr/pp1p1p1p/4p1p1/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4\n\
    r1bqkbnr/pppp2pp/2n2p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3\n";

#[test]
fn arms_play_the_same_games_whatever_the_workers() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let play = |options: &str| {
        let arms = "match --engine arm=draw-table table=rival --engine arm=none hash=1 --openings book.epd --nodes 300";
        place.run(format!("{arms} {options}").split(' ')).ok()
    };
    play("--seed 4 -j 1 --log one.jsonl --pgn one.pgn");
    play("--seed 4 -j 3 --log three.jsonl");
    assert_eq!(place.read("one.jsonl"), place.read("three.jsonl"));
    play("--seed 4 -j 2 --log some.jsonl --pairs 1");
    play("-j 2 --log some.jsonl --resume");
    assert_eq!(place.read("one.jsonl"), place.read("some.jsonl"));
    let pgn = String::from_utf8(place.read("one.pgn")).expect("text");
    assert_eq!(pgn.matches("[White \"draw-table\"]").count(), 4);
    // Another seed, another order.
    play("--log other.jsonl --seed 5");
    assert_ne!(place.read("one.jsonl"), place.read("other.jsonl"));
}

#[test]
fn arms_that_search_alike_are_refused_unless_wanted() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let constant = "match --engine arm=constant --engine arm=none --openings book.epd --nodes 300";
    place.run(constant.split(' ')).fails(1, &["constant and none search alike in every position", "--allow-equal"]);
    let played = place.run(format!("{constant} --allow-equal --json").split(' ')).ok().out();
    let end: serde_json::Value = serde_json::from_str(played.lines().last().expect("a line")).expect("JSON");
    assert_eq!((end["identical_pairs"].as_u64(), end["elo"].as_f64()), (Some(4), Some(0.0)));
    assert_eq!(end["setup"]["sides"][0]["build"], end["setup"]["sides"][1]["build"]);
}

#[test]
fn arms_in_wrong_words_are_told_so() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    for (words, expected) in [
        ("arm=gain-head", "needs heads, and none are given"),
        ("arm=gain-head heads=no.toml", "no.toml: expected one of human, tcec, rival, pooled, or a .toml of heads"),
        ("arm=draw-table table=mine", "mine: expected one of human, tcec, rival, or a .table file"),
        ("arm=draw-table table=book.epd", "book.epd"),
    ] {
        let arms = format!("match --engine name=x {words} --engine arm=none --openings book.epd --nodes 9");
        place.run(arms.split(' ')).fails(1, &[expected]);
    }
    for (words, expected) in [
        ("arm=none cmd=./x", "say cmd= or arm=, not both"),
        ("heads=x.toml", "settings of an arm without arm="),
        ("arm=none option.Hash=3", "an arm has no UCI options"),
        ("arm=none hash=lots", "expected a whole number"),
        ("arm=best", "no arm is called \"best\"; there are none, scale-table"),
        ("arm=none contempt=1000", "contempt is at most 420"),
        ("arm=none hash=0", "hash is from 1 to 4096"),
    ] {
        let arms = format!("match --engine name=x {words} --engine arm=none --openings book.epd --nodes 9");
        place.run(arms.split(' ')).fails(2, &[expected]);
    }
}

/// Killed at random moments and gone on with, a match within one process leaves the log and the games of one left alone.
fn killed(pairs: u32, wanted: u32) {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let run = |log: &str| {
        let line = format!(
            "match --engine arm=draw-table table=rival --engine arm=none --openings book.epd --repeat-openings --pairs {pairs} \
             --seed 4 --nodes 150 -j 2 -q --resume --log {log}.jsonl --pgn {log}.pgn"
        );
        let mut command = place.command(line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let timed = |log: &str| {
        let began = Instant::now();
        assert!(run(log).status().expect("the program runs").success());
        began.elapsed()
    };
    let whole = timed("alone");
    // Nothing is left to play: what a start takes.
    let start = timed("alone");
    let between = whole.saturating_sub(start) / wanted;
    let mut random = 1_u64;
    let mut kills = 0;
    for _ in 0..20 * wanted {
        let mut child = run("killed").spawn().expect("the program runs");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (random >> 40) as f64 / f64::from(1 << 24);
        std::thread::sleep(start.mul_f64(0.5) + between.mul_f64(2.0 * share));
        let was_running = child.try_wait().expect("a status").is_none();
        let _ = child.kill();
        kills += u32::from(was_running);
        if child.wait().expect("a status").success() || kills == wanted {
            break;
        }
    }
    assert!(run("killed").status().expect("the program runs").success());
    eprintln!("{kills} kills, {whole:?} alone, {start:?} of it to start");
    assert!(kills >= wanted / 2, "killed only {kills} times");
    assert!(place.read("alone.jsonl") == place.read("killed.jsonl"));
    assert!(place.read("alone.pgn") == place.read("killed.pgn"));
}

#[test]
fn kills_lose_nothing() {
    killed(60, 8);
}

#[test]
#[ignore = "takes minutes: cargo test --release fifty_kills -- --ignored"]
fn fifty_kills_lose_nothing() {
    killed(400, 50);
}
