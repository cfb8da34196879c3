//! Tournaments by the program: tables, kills, engines that fail, and what is refused.

use std::time::Duration;

use serde_json::Value;

use crate::fake_engine::{VARIABLE, engine};
use crate::run::{Done, Place};

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\n\
                    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";

/// A tournament of engines made for tests.
fn play(place: &Place, engines: &[(&str, &str)], more: &str) -> Done {
    place.put("book.epd", BOOK);
    let words = engines.iter().flat_map(|(behaviour, name)| engine(behaviour, name));
    let more = format!("--openings book.epd --nodes 2000 --max-moves 20 --seed 4 -j 2 {more}");
    let more = more.split_whitespace().map(str::to_owned);
    let all: Vec<String> = std::iter::once("tournament".to_owned()).chain(words).chain(more).collect();
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

const THREE: [(&str, &str); 3] = [("plays", "first"), ("plays_otherwise", "second"), ("plays_by_hash", "third")];

#[test]
fn a_table_a_log_and_games() {
    let place = Place::new();
    let done = play(&place, &THREE, "--date 2026.11.22 --pgn t.pgn").ok();
    let out = done.out();
    assert!(
        out.starts_with("log tournament.jsonl\nRound robin: first, second, third\n3 pairings in 4 rounds at most"),
        "{out}"
    );
    assert!(out.contains("won-drawn-lost against") && out.contains("Elo by maximum likelihood"), "{out}");
    assert_eq!(text(&place, "tournament.jsonl").lines().count(), 13);
    let pgn = text(&place, "t.pgn");
    assert_eq!(pgn.matches("[Event \"drawish tournament, book.epd, seed 4\"]").count(), 24);
    assert_eq!(pgn.matches("[White \"third\"]").count(), 8);
    // The same table from the log; as JSON too.
    let table = place.say("sprt tournament.jsonl").ok().out();
    assert!(out.ends_with(&table) && table.contains("LOS"), "{table}");
    let json = place.say("sprt tournament.jsonl --json").ok().json();
    let points: f64 = json["engines"].as_array().expect("a list").iter().filter_map(|own| own["points"].as_f64()).sum();
    assert_eq!((points, json["pairs"].as_u64()), (24.0, Some(12)));
    place.say("sprt tournament.jsonl --elo0 0 --elo1 5").fails(2, &["of the log of a tournament the table is printed"]);
    // Two of its engines, or one against all others: the same from the log and from the games.
    for chosen in [
        "--first first --against second",
        "--first third --against all",
        "--first second --against first --against third",
    ] {
        let [log, pgn] = ["tournament.jsonl", "t.pgn"].map(|file| {
            let test = if chosen.contains("third") { "" } else { "--elo0 0 --elo1 5" };
            let mut found = place.say(&format!("sprt {file} {chosen} {test} --json")).ok().json();
            found["sources"] = Value::Null;
            found
        });
        assert_eq!(log, pgn, "{chosen}");
        assert_eq!(
            log["games"].as_u64(),
            Some(if chosen.contains("first --against second") { 8 } else { 16 }),
            "{log}"
        );
    }
    // All opponents are met from the same openings: so many pairs are fewer independent ones, and no test is made for them.
    for file in ["tournament.jsonl", "t.pgn"] {
        let all = format!("sprt {file} --first third --against all");
        let out = place.say(&all).ok().out();
        assert!(out.contains("8 pairs from 4 openings: errors by opening"), "{out}");
        place
            .say(&format!("{all} --elo0 0 --elo1 5"))
            .fails(2, &["a sequential test is of two engines", "choose one opponent", "--against NAME"]);
    }
    place
        .say("sprt tournament.jsonl --first second")
        .fails(1, &["found 3 engines", "drawish sprt tournament.jsonl --first second --against first"]);
    // Cut short it goes on; without --resume another log is begun.
    let log = text(&place, "tournament.jsonl");
    place.put("tournament.jsonl", &log[..log.len() * 2 / 3]);
    play(&place, &THREE, "--resume -q").ok();
    assert!(text(&place, "tournament.jsonl") == log);
    play(&place, &THREE, "-q --rounds 1 --anchor second").ok();
    assert_eq!(text(&place, "tournament-2.jsonl").lines().count(), 4);
    // A gauntlet leaves out what is not asked for.
    let json = play(&place, &THREE, "--seeds 1 --rounds 2 --json --no-log").ok().json();
    assert_eq!(json["meetings"].as_array().map(Vec::len), Some(2));
    assert!(!place.path("tournament-3.jsonl").exists());
    // Two that have not met have no result, 0 Elo least of all.
    play(&place, &THREE, "--seeds 1 --rounds 1 -q --log g.jsonl").ok();
    let never = "no game of \"second\" against third has a result";
    place.say("sprt g.jsonl --first second --against third").fails(2, &["--first, --against: g.jsonl: ", never]);
    place.say("sprt g.jsonl --first second --against first").ok();
}

/// They were once subtracted with the points of the other side where that was the first of the log.
#[test]
fn pairs_that_are_played_again_are_left_out_for_the_side_that_is_asked_for() {
    let place = Place::new();
    place.put("book.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\nr1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n");
    place
        .say(
            "tournament --engine arm=none name=a nodes=10 --engine arm=none name=b nodes=40 --engine arm=none name=c nodes=160 \
             --openings book.epd --pairs 8 --repeat-openings --seed 7 --log again.jsonl --pgn again.pgn -q",
        )
        .ok();
    for chosen in ["b --against a", "a --against b", "c --against b", "b --against all", "c --against all"] {
        let [log, pgn] = ["jsonl", "pgn"].map(|ending| {
            let mut found = place.say(&format!("sprt again.{ending} --first {chosen} --json")).ok().json();
            assert!(found["repeated_pairs"].as_u64() > Some(0), "{found}");
            found["sources"] = Value::Null;
            found
        });
        assert_eq!(log, pgn, "{chosen}");
    }
}

/// `report` shows what the verb prints, with a picture; other verbs say what can be done with the log.
#[test]
fn a_report_shows_the_table() {
    let place = Place::new();
    play(&place, &THREE, "-q").ok();
    let table = place.say("sprt tournament.jsonl").ok().out();
    place.say("report tournament.jsonl -o page.html -o page.md --svg pictures").ok();
    let (shown, page) = (text(&place, "page.md"), text(&place, "page.html"));
    let cells = |line: &str| {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let engines = table.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    assert_eq!(engines.clone().count(), 6, "{table}");
    for engine in engines {
        let row = format!("| {} |", cells(engine).join(" | ").replacen(" | ", ". ", 1).replace("+/-", "±"));
        // Markdown has a cell where the table of the terminal ends, or has a blank.
        assert!(shown.contains(row.trim_end_matches(" |")), "{row} is missing in {shown}");
    }
    assert!(shown.contains("Elo by maximum likelihood, the mean at 0"), "{shown}");
    assert!(shown.contains("](pictures/tournament-1.svg)") && page.contains("<section id=\"tournament\">"), "{shown}");
    assert!(text(&place, "pictures/tournament-1.svg").contains("third"));
    // Unfinished, and begun only.
    let log = text(&place, "tournament.jsonl");
    place.put("running.jsonl", &log[..log.len() - 20]);
    place.put("begun.jsonl", log.lines().next().expect("a line").to_owned() + "\n");
    let both = place.say("report running.jsonl begun.jsonl -o both.md -o both.html").ok();
    assert!(
        both.err().contains("running.jsonl: the last line has no end: the tournament is still being played"),
        "{}",
        both.err()
    );
    assert!(text(&place, "both.md").contains("No pair of games is finished: there is nothing to show yet."));
    let what = "the log of a tournament: `drawish sprt` prints its table, `drawish report` shows it";
    place.say("inspect tournament.jsonl").fails(1, &["tournament.jsonl: expected a table, counts, heads", what]);
    place.say("verify tournament.jsonl").fails(1, &[what]);
    place
        .say("merge tournament.jsonl running.jsonl -o all.jsonl")
        .fails(1, &["tournament.jsonl: the log of a tournament, which"]);
    assert!(!place.path("all.jsonl").exists());
}

#[test]
fn an_engine_that_crashes_costs_its_own_games() {
    let place = Place::new();
    let engines = [THREE[0], ("dies_in_its_fifth_move", "dies"), THREE[1]];
    let done = play(&place, &engines, "--fault-limit 100").ok();
    assert!(done.out().contains("dies lost ") && done.out().contains(" games by a fault ("), "{}", done.out());
    assert!(!done.out().contains("first: ") && !done.out().contains("NaN"), "{}", done.out());
    let done = play(&place, &engines, "--fault-limit 2 --log few.jsonl")
        .fails(1, &["dies: lost 4 games by crashing", "--fault-limit"]);
    let lines = text(&place, "few.jsonl").lines().count();
    assert!((2..13).contains(&lines), "{lines}: {}", done.err());
    // With a larger limit it goes on from there.
    play(&place, &engines, "--fault-limit 100 --log few.jsonl --resume").ok();
    assert_eq!(text(&place, "few.jsonl"), text(&place, "tournament.jsonl"));
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    let twice = [THREE[0], THREE[1], ("plays", "first")];
    play(&place, &twice, "").fails(2, &["two engines are called first", "by name="]);
    play(&place, &THREE[..1], "")
        .fails(2, &["nobody plays in a round robin with 1 engine: name more engines by --engine\n"]);
    play(&place, &THREE, "--seeds 3")
        .fails(2, &["nobody plays in a gauntlet of the first 3 engines with 3 engines: name more engines by --engine"]);
    play(&place, &THREE, "--anchor fourth")
        .fails(2, &["--anchor fourth: no engine is called so; there are first, second, third"]);
    play(&place, &THREE, "--rounds 5").fails(1, &["5 pairs are asked for, but book.epd has 4", "--repeat-openings"]);
    play(&place, &THREE, "--games 3").fails(2, &["--games must be even"]);
    play(&place, &THREE, "--log book.epd").fails(2, &["--openings and --log both name book.epd"]);
    play(&place, &THREE, "--no-log --resume").fails(2, &["--no-log"]);
    let broken = [THREE[0], THREE[1], ("is_no_engine", "none")];
    play(&place, &broken, "").fails(1, &["none (", "is it a UCI engine?"]);
    assert_eq!(std::fs::read_dir(place.path("")).expect("a directory").count(), 1, "nothing was written");
    play(&place, &THREE, "-q --rounds 1 --log t.jsonl").ok();
    play(&place, &THREE, "--log t.jsonl").fails(1, &["t.jsonl holds a match already", "by --resume"]);
    play(&place, &THREE[..2], "--log t.jsonl --resume").fails(1, &["t.jsonl is the log of another match: sides was"]);
    place.say("match --engine arm=none name=a nodes=9 --engine arm=none name=b nodes=8 --openings random:4 --pairs 1 --log t.jsonl --resume")
        .fails(1, &["t.jsonl is not the log of a match"]);
}

/// Four settings of the engine as programs, killed again and again: the log is that of a run that was left alone.
#[test]
fn killed_again_and_again() {
    let place = Place::new();
    let command = |log: &str| {
        let program = env!("CARGO_BIN_EXE_drawish");
        let engines =
            [20, 40, 60, 80].map(|nodes| format!("--engine cmd={program} args=uci name=n{nodes} nodes={nodes}"));
        let line = format!(
            "tournament {} --each option.Hash=1 --openings random:6 --rounds 6 --max-moves 30 --seed 5 -j 2 -q --date 2026.11.22 \
             --resume --log {log}.jsonl --pgn {log}.pgn",
            engines.join(" ")
        );
        let mut command = place.command(line.split_whitespace());
        command.stdout(std::process::Stdio::null());
        command
    };
    assert!(command("alone").status().expect("the program runs").success());
    let mut kills = 0;
    for round in 0..40_u64 {
        let mut child = command("killed").spawn().expect("the program runs");
        std::thread::sleep(Duration::from_millis(300 + 137 * round % 400));
        kills += u32::from(child.try_wait().expect("a status").is_none());
        let _ = child.kill();
        if child.wait().expect("a status").success() {
            break;
        }
    }
    assert!(command("killed").status().expect("the program runs").success());
    assert!(kills > 2, "killed only {kills} times");
    assert!(place.read("alone.jsonl") == place.read("killed.jsonl"));
    assert!(place.read("alone.pgn") == place.read("killed.pgn"));
    assert_eq!(text(&place, "alone.jsonl").lines().count(), 37);
}

/// A command line of fastchess with more than two engines is a tournament, resumed as its matches are.
#[test]
fn as_fastchess_has_it() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    let fake = env!("CARGO_BIN_EXE_fake-engine");
    let engines = THREE.map(|(behaviour, name)| format!("-engine cmd={fake} args={behaviour} name={name}")).join(" ");
    let run = |more: &str| {
        let line = format!(
            "fastchess {engines} -each nodes=2000 -openings file=book.epd order=random -srand 4 -rounds 4 -games 2 -repeat -recover \
             -maxmoves 20 -concurrency 2 {more}"
        );
        place.say(&line)
    };
    run("-tournament roundrobin -pgnout file=a.pgn -ratinginterval 3").ok();
    let log = text(&place, "tournament.jsonl");
    assert_eq!((log.lines().count(), text(&place, "a.pgn").matches("[Event ").count()), (13, 24));
    play(&place, &THREE, "-q --log b.jsonl --time-margin 0").ok();
    let without_date = |text: &str| {
        text.lines().skip(1).map(|line| line.split(",\"chain\"").next().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(without_date(&log), without_date(&text(&place, "b.jsonl")));
    place.put("tournament.jsonl", &log[..log.len() / 2]);
    run("-tournament roundrobin -resume").ok();
    assert!(text(&place, "tournament.jsonl") == log);
    let done = run("-tournament gauntlet -seeds 2").ok();
    assert!(
        done.out().starts_with("Gauntlet of the first 2 engines: first, second, third\n2 pairings"),
        "{}",
        done.out()
    );
}
