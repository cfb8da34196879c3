//! What is not concluded: from games that no test has stopped, that another test has stopped, or that are a part of a match.

use std::path::{Path, PathBuf};

use crate::run::{Done, Place};

const ENGINES: &str = "--engine arm=none name=new nodes=100 --engine arm=none name=old nodes=60 --each hash=1";

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn counts(found: &serde_json::Value) -> String {
    found["counts"].as_array().expect("counts").iter().map(|count| format!("{count} ")).collect()
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

/// The number of games of an experiment is fixed, so nothing is corrected for a stop; what its test would have accepted is what `sprt` says
/// of the same log.
#[test]
fn an_experiment_is_not_corrected_for_a_stop_that_was_none() {
    for (name, elo1) in [("pilot", 5), ("record", 3)] {
        let place = Place::new();
        let mut command = place.command(["experiment", "report", "-o", "report.md"]);
        Done(command.arg(root(&format!("experiments/{name}.toml"))).output().expect("the program runs")).ok();
        let report = text(&place, "report.md");
        assert!(!report.contains("corrected for the stop"), "{name}");
        let mut accepted = 0;
        for row in report.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 8) {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let (arm, llr) = (cells[0], cells[8]);
            if !llr.starts_with(['-', '0', '1', '2', '3']) || llr.contains("---") {
                continue;
            }
            let log = root(&format!("experiments/{name}/{arm}.jsonl.zst"));
            let mut command = place.command(["sprt", "--json", "--elo0", "0", "--elo1", &elo1.to_string()]);
            let Ok(done) = command.arg(&log).output() else { continue };
            let found = Done(done).ok().json();
            let pairs =
                found["games"].as_u64().expect("games") / 2 - found["pairs_after_decision"].as_u64().expect("pairs");
            let grouped = if pairs > 999 { format!("{},{:03}", pairs / 1000, pairs % 1000) } else { pairs.to_string() };
            let decision = found["decision"].as_str().expect("a decision");
            match decision {
                "continue" => assert!(!llr.contains('('), "{name} {arm}: {llr}"),
                _ => {
                    assert!(
                        llr.ends_with(&format!("({decision}, {grouped})")),
                        "{name} {arm}: {llr}, not after {grouped}"
                    );
                    let row = format!(
                        "| decision of the test, had it been watched; it stopped nothing | {decision} is accepted after {grouped} pairs |"
                    );
                    assert!(report.contains(&row), "{row}");
                    accepted += 1;
                }
            }
        }
        assert!(accepted > 0, "{name}");
    }
}

/// The log of a match, its PGN, and what is printed of it, say the same of a stop: by its test, by another, of a range, and with more
/// games than its test has looked at.
#[test]
fn every_door_knows_what_stopped_the_games() {
    let place = Place::new();
    let line = format!("match {ENGINES} --openings random:6 --seed 1 --pairs 60 -q");
    place.say(&format!("{line} --sprt elo0=0 elo1=60 --log m.jsonl --pgn m.pgn")).ok();
    place.put("m.txt", place.say("sprt m.jsonl").ok().out());
    let of = |file: &str, more: &str| place.say(&format!("sprt {file} --json {more}")).ok().json();
    let own = "--sprt elo0=0 elo1=60";
    let log = of("m.jsonl", "");
    assert!(log["sequential"].is_object() && log["decision"] == "H1", "{log}");
    for found in [of("m.pgn", own), of("m.txt", ""), of("m.txt", own)] {
        for name in ["llr", "decision", "sequential", "elo", "games", "counts"] {
            assert_eq!(found[name], log[name], "{name}");
        }
    }
    // Another test did not stop them.
    let other = "--sprt elo0=0 elo1=65";
    for file in ["m.jsonl", "m.txt"] {
        let found = of(file, other);
        assert!(found["sequential"].is_null(), "{file}: {found}");
        assert!(found["sequential_absent"].as_str().is_some_and(|why| why.contains("another test")), "{file}: {found}");
    }
    // Nor did it for having been printed.
    place.put("other.txt", place.say(&format!("sprt m.txt {other}")).ok().out());
    let found = of("other.txt", "");
    assert!(
        found["elo1"] == 65.0 && found["sequential"].is_null() && found["sequential_absent"].is_string(),
        "{found}"
    );
    // More pairs than the test has looked at.
    place.say(&format!("{line} --sprt none --resume --log m.jsonl --pgn all.pgn")).ok();
    let (log, pgn) = (of("m.jsonl", ""), of("all.pgn", own));
    assert!(log["pairs_after_decision"].as_u64().is_some_and(|later| later > 1), "{log}");
    for name in ["llr", "decision", "sequential", "pairs_after_decision", "elo", "games"] {
        assert_eq!(pgn[name], log[name], "{name}");
    }
    place.put("all.txt", place.say("sprt m.jsonl").ok().out());
    let printed = of("all.txt", "");
    assert!(printed["sequential"].is_null(), "{printed}");
    // A range has no beginning.
    place.say(&format!("{line} --range 11..30 --log r.jsonl --pgn r.pgn")).ok();
    let (log, pgn) = (of("r.jsonl", own), of("r.pgn", own));
    for name in ["llr", "decision", "sequential", "sequential_absent", "pairs_after_decision", "elo", "games"] {
        assert_eq!(pgn[name], log[name], "{name}");
    }
    assert!(log["sequential"].is_null() && log["sequential_absent"].is_string(), "{log}");
}

/// A log that has no pair yet says nothing, wherever it stands among the others.
#[test]
fn the_order_of_logs_does_not_count() {
    let place = Place::new();
    let line = format!("match {ENGINES} --openings random:6 --seed 1 --pairs 30 -q");
    for (range, name) in [("1..20", "a.jsonl"), ("21..30", "b.jsonl")] {
        place.say(&format!("{line} --range {range} --log {name}")).ok();
    }
    for (of, name) in [("a.jsonl", "a0.jsonl"), ("b.jsonl", "b0.jsonl")] {
        let log = String::from_utf8(place.read(of)).expect("text");
        place.put(name, format!("{}\n", log.lines().next().expect("a first line")));
    }
    let found = |files: &str| {
        let mut json = place.say(&format!("sprt {files} --sprt elo0=0 elo1=60 --json")).ok().json();
        json["sources"].take();
        json["runs"].take();
        json
    };
    let whole = found("a.jsonl b.jsonl");
    assert!(whole["sequential"].is_object(), "{whole}");
    for files in
        ["a.jsonl a0.jsonl b.jsonl", "a0.jsonl b.jsonl a.jsonl", "b0.jsonl a.jsonl b.jsonl", "b.jsonl a.jsonl b0.jsonl"]
    {
        assert_eq!(found(files), whole, "{files}");
    }
}

/// The same games again and again accept no hypothesis by any door, and end no match.
#[test]
fn the_same_games_are_evidence_once() {
    let place = Place::new();
    place.put("book.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n");
    let line = format!(
        "match {ENGINES} --openings book.epd --repeat-openings --seed 1 --pairs 60 -q --log m.jsonl --pgn m.pgn"
    );
    let own = "--sprt elo0=0 elo1=60";
    let played = place.say(&format!("{line} {own} --json"));
    assert_eq!(played.code(), 4, "undecided: {}", played.err());
    let played = played.json();
    assert_eq!(
        (&played["games"], &played["repeated_pairs"], &played["decision"]),
        (&120.into(), &58.into(), &"continue".into())
    );
    // Shares are those of the games beside them.
    let classes = played["structures"].as_array().expect("classes");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a number");
    for row in classes {
        let (draws, games) =
            (number(row, "draws"), ["wins", "draws", "losses"].map(|name| number(row, name)).iter().sum::<f64>());
        assert!(games <= 4.0 && (number(row, "draw_rate") - draws / games).abs() < 1e-9, "{row}");
    }
    assert!(!classes.is_empty());
    assert!(place.say(&format!("{line} {own} --resume")).out().contains("Pawns at move 40, without repeats "));
    for file in ["m.jsonl", "m.pgn"] {
        let found = place.say(&format!("sprt {file} {own} --json")).ok().json();
        for name in ["games", "llr", "decision", "repeated_pairs", "pairs_after_decision"] {
            assert_eq!(found[name], played[name], "{file}: {name}");
        }
        // Elo and all that says how sure it is are those of the two pairs, however often they were played.
        assert_eq!(found["distinct_counts"], played["distinct_pentanomial"], "{file}");
        let counts: Vec<u64> = serde_json::from_value(found["distinct_counts"].clone()).expect("counts");
        assert_eq!(counts.iter().sum::<u64>(), 2, "{file}: {counts:?}");
        let penta: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let two = place.say(&format!("sprt --penta {} --equivalence 3 --json", penta.join(" "))).ok().json();
        let found = place.say(&format!("sprt {file} --sprt none --equivalence 3 --json")).ok().json();
        for name in ["elo", "elo_low", "elo_high", "elo_error", "nelo", "los", "not_yet", "equivalence"] {
            assert_eq!(found[name], two[name], "{file}: {name}");
            assert!(name == "equivalence" || played[name] == two[name], "{file}: {name}");
        }
        let said = place.say(&format!("sprt {file} {own}")).ok().out();
        assert!(
            said.contains("58 of 60 pairs are the same games as an earlier pair: they add no evidence")
                && said.contains("tests leave them out"),
            "{said}"
        );
    }
    place.say("report m.jsonl -o m.md").ok();
    assert!(text(&place, "m.md").contains("| decision of the test | undecided |"));
    // A tournament of the two, and of one more.
    for (more, name) in [("", "t.jsonl"), ("--engine arm=none name=third nodes=45", "u.jsonl")] {
        let line = format!(
            "tournament {ENGINES} {more} --openings book.epd --repeat-openings --seed 1 --rounds 60 -q --log {name}"
        );
        place.say(&line).ok();
        let json = place.say(&format!("sprt {name} --json")).ok().json();
        let engines = json["engines"].as_array().expect("engines");
        assert!(engines.iter().all(|engine| engine["elo_error"].is_null()), "two rounds tell no error: {json}");
        let against = place.say(&format!("sprt {name} --first new --against all --json")).ok().json();
        assert!(against["elo_error"].is_null() && against["repeated_pairs"].as_u64() >= Some(58), "{against}");
    }
    // Games that two sources share are evidence once, too.
    let range = |range: &str, log: &str| {
        place
            .say(&format!("match {ENGINES} --openings random:6 --seed 1 --pairs 30 -q --range {range} --log {log}"))
            .ok();
    };
    [("1..20", "a.jsonl"), ("11..30", "b.jsonl"), ("21..30", "c.jsonl")]
        .into_iter()
        .for_each(|(pairs, log)| range(pairs, log));
    let sum = |logs: &str| place.say(&format!("sprt {logs} {own} --json")).ok().json();
    let (twice, once) = (sum("a.jsonl b.jsonl"), sum("a.jsonl c.jsonl"));
    let of_all = |value: &serde_json::Value| value["llr"].as_f64().expect("a ratio");
    assert_eq!((&twice["repeated_pairs"], &once["repeated_pairs"]), (&10.into(), &0.into()));
    let fixed = place.say(&format!("sprt --json --penta {} {own}", counts(&once))).ok().json();
    assert!((of_all(&twice) - of_all(&fixed)).abs() < 1e-9, "{twice} {fixed}");
}
