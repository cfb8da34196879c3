//! A log goes on with the engines that it was begun with, and with no others.

use std::fs;

use crate::run::{Done, Place};

const BOOK: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nrnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n\
                    rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";

/// A place with the engine in two directories, in the second as another build.
fn place() -> Place {
    let place = Place::new();
    place.put("book.epd", BOOK);
    for (dir, more) in [("d1", ""), ("d2", "x")] {
        place.put(&format!("{dir}/eng"), []);
        fs::copy(env!("CARGO_BIN_EXE_fake-engine"), place.path(&format!("{dir}/eng"))).expect("a copy");
        build(&place, dir, more);
    }
    place
}

/// Makes another build of an engine.
fn build(place: &Place, dir: &str, more: &str) {
    let name = format!("{dir}/eng");
    let program = [&place.read(&name), more.as_bytes()].concat();
    // Written anew: it may not be running any more, but may still be open.
    let mode = fs::metadata(place.path(&name)).expect("a file").permissions();
    fs::remove_file(place.path(&name)).expect("it goes");
    place.put(&name, program);
    fs::set_permissions(place.path(&name), mode).expect("it is ours");
}

fn run(place: &Place, verb: &str, first: &str, version: &str, more: &str) -> Done {
    let line = format!(
        "{verb} --engine {first} args=plays name=a --engine cmd={} args=plays_otherwise name=b --openings book.epd --seed 1 --nodes 9 \
         --max-moves 5 -q {more}",
        env!("CARGO_BIN_EXE_fake-engine")
    );
    let mut command = place.command(line.split_whitespace());
    command.env("PATH", place.path("d1")).env("DRAWISH_TEST_VERSION", version);
    Done(command.output().expect("the program runs"))
}

#[test]
fn a_log_goes_on_with_the_program_that_was_started() {
    for verb in ["match", "tournament"] {
        let place = place();
        let amount =
            |number: u64| if verb == "match" { format!("--pairs {number}") } else { format!("--rounds {number}") };
        let play = |first: &str, version: &str, more: &str| run(&place, verb, first, version, more);
        let begin = |first: &str, log: &str| play(first, "", &format!("{} --log {log}", amount(1))).ok();
        let go_on = |first: &str, version: &str, log: &str| {
            play(first, version, &format!("{} --resume --log {log}", amount(2)))
        };
        begin("cmd=./eng dir=d1", "dir.jsonl");
        let log = String::from_utf8(place.read("dir.jsonl")).expect("text");
        assert!(log.contains(r#""dir":"d1","build":""#) && !log.contains(r#""build":null"#), "{log}");
        begin("cmd=eng", "path.jsonl");
        go_on("cmd=./eng dir=d2", "", "dir.jsonl")
            .fails(1, &["is the log of another match: ", "sides.1.dir was \"d1\""]);
        go_on("cmd=./eng dir=d1 restart=on", "", "dir.jsonl").fails(1, &["sides.1.restart was null, now it is true"]);
        for (first, log) in [("cmd=./eng dir=d1", "dir.jsonl"), ("cmd=eng", "path.jsonl")] {
            let said = go_on(first, " 2.0", log).err();
            assert!(said.contains("engines.1 was \"fake\", now it is \"fake 2.0\""), "{said}");
        }
        build(&place, "d1", "y");
        for (first, log) in [("cmd=./eng dir=d1", "dir.jsonl"), ("cmd=eng", "path.jsonl")] {
            go_on(first, "", log).fails(1, &["sides.1.build was "]);
        }
        // The same engine goes on.
        begin("cmd=./eng dir=d1", "again.jsonl");
        go_on("cmd=./eng dir=d1", "", "again.jsonl").ok();
    }
}

#[test]
fn ranges_of_other_engines_are_not_merged() {
    let place = place();
    let range = |first: &str, version: &str, range: &str, log: &str| {
        run(&place, "match", first, version, &format!("--pairs 3 --range {range} --log {log}")).ok();
    };
    range("cmd=./eng dir=d1", "", "1..1", "one.jsonl");
    range("cmd=./eng dir=d1", "", "2..2", "two.jsonl");
    range("cmd=./eng dir=d2", "", "3..3", "other.jsonl");
    range("cmd=./eng dir=d1", " 2.0", "3..3", "newer.jsonl");
    place.say("merge one.jsonl two.jsonl -o whole.jsonl").ok();
    place
        .say("merge one.jsonl two.jsonl other.jsonl -o a.jsonl")
        .fails(1, &["sides.1.dir was \"d1\", now it is \"d2\""]);
    place
        .say("merge one.jsonl two.jsonl newer.jsonl -o b.jsonl")
        .fails(1, &["engines.1 was \"fake\", now it is \"fake 2.0\""]);
}
