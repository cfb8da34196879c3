//! Experiments: played, cut short and gone on with, told, played again.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::run::Place;

/// Openings after a few moves, none of them level.
const BOOK: &str = "rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3\n\
    rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4\n\
    rnbqkbnr/pp1p1p1p/4p1p1/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4\n\
    r1bqkbnr/pppp2pp/2n2p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3\n";

const FILE: &str = r#"
title = "A trial"
question = "Is it worth anything?"
registered = "2026-11-21"
[match]
book = "book.epd"
book-xxh3 = "DIGEST"
seed = 7
nodes = 200
pairs = 4
[judgement]
margin = 3.0
level = 0.05
elo0 = 0.0
elo1 = 5.0
[baseline]
name = "none"
what = "as it is"
settings = { arm = "none", hash = 1 }
[[arm]]
name = "constant"
role = "control"
what = "must be 0"
settings = { arm = "constant", hash = 1 }
[[arm]]
name = "table"
what = "a table"
settings = { arm = "draw-table", table = "rival", taper = false, hash = 1 }
"#;

fn digest(text: &str) -> String {
    format!("{:032x}", twox_hash::XxHash3_128::oneshot(text.as_bytes()))
}

fn trial() -> Place {
    let place = Place::new();
    place.put("book.epd", BOOK);
    place.put("trial.toml", FILE.replace("DIGEST", &digest(BOOK)));
    place
}

#[test]
fn an_experiment_that_was_cut_short_ends_as_one_that_was_not() {
    let (whole, cut) = (trial(), trial());
    whole.run(["experiment", "run", "trial.toml", "-q", "-j", "1"]).ok();
    cut.run(["experiment", "run", "trial.toml", "-q", "--pairs", "1"]).ok();
    cut.run(["experiment", "run", "trial.toml", "-q", "--only", "table", "--pairs", "3"]).ok();
    // A line that was being written when the run was killed.
    let log = cut.path("trial/table.jsonl");
    let mut text = std::fs::read(&log).expect("a log");
    text.extend_from_slice(b"{\"pair\":4,\"fen\":\"rnbq");
    std::fs::write(&log, text).expect("written");
    let status = cut.run(["experiment", "status", "trial.toml"]).ok().out();
    assert!(
        status.contains("constant       1 of 4 pairs") && status.contains("table          3 of 4 pairs"),
        "{status}"
    );
    cut.run(["experiment", "run", "trial.toml"]).ok();
    for arm in ["constant", "table"] {
        let log = format!("trial/{arm}.jsonl.zst");
        assert_eq!(whole.read(&log), cut.read(&log), "{arm}");
    }
    // Nothing is left to do, and nothing is done.
    whole.run(["experiment", "run", "trial.toml", "-q"]).ok();
    let status = whole.run(["experiment", "status", "trial.toml", "--json"]).ok().json();
    assert_eq!((&status["arms"][0]["identical_pairs"], &status["arms"][0]["elo"]), (&4.into(), &0.0.into()));
    assert_eq!(status["arms"][1]["pairs"], 4);
    let again = whole.run(["experiment", "check", "trial.toml", "--pairs", "2", "-q"]).ok().out();
    assert_eq!(again, "constant: 2 pairs are the same, byte for byte\ntable: 2 pairs are the same, byte for byte\n");
}

#[test]
fn the_report_tells_what_is_known_and_what_is_missing() {
    let place = trial();
    let early = place.run(["experiment", "report", "trial.toml", "-o", "-"]).ok();
    assert!(early.out().contains("nothing is known, no game has been played"), "{}", early.out());
    place.run(["experiment", "run", "trial.toml", "-q", "--only", "constant"]).ok();
    let done = place.run(["experiment", "report", "trial.toml", "-o", "r.md", "-o", "r.html"]).ok();
    assert!(
        done.err().contains("table: no game has been played; `drawish experiment run` plays them"),
        "{}",
        done.err()
    );
    let text = String::from_utf8(place.read("r.md")).expect("text");
    for part in [
        "# A trial",
        "Is it worth anything?",
        "| constant | holds | +0.0 |",
        "4 (100.0 %)",
        "| 1.000 |",
        "table: nothing is known",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(place.read("r.html").starts_with(b"<!"));
    // An arm that is not finished is judged in one way, wherever it stands.
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "2"]).ok();
    place.run(["experiment", "report", "trial.toml", "-o", "r.md"]).ok();
    let text = String::from_utf8(place.read("r.md")).expect("text");
    let cells = |begin: &str| {
        let head = text.lines().find(|line| line.starts_with(begin)).expect("a head");
        let column = head.split('|').position(|cell| cell.trim() == "p of equivalence").expect("a column");
        let rows = text.lines().skip_while(|line| *line != head).skip(2).take_while(|line| line.starts_with('|'));
        let names = rows.filter(|row| row.contains("table"));
        names.map(|row| row.split('|').nth(column).expect("a cell").trim().to_owned()).collect::<Vec<_>>()
    };
    let (known, compared) = (cells("| arm | verdict"), cells("| match "));
    assert!(known.len() == 1 && known == compared, "{known:?} {compared:?}\n{text}");
    // A damaged log: what stands before the damage counts, the rest is named.
    let log = place.path("trial/table.jsonl");
    let text = std::fs::read_to_string(&log).expect("a log").replace("\"pair\":2", "\"pair\":9");
    std::fs::write(&log, text).expect("written");
    place.run(["experiment", "report", "trial.toml", "-o", "r.md"]).code();
    let status = place.run(["experiment", "status", "trial.toml"]).ok().out();
    assert!(status.contains("the log is damaged from line 3 on: expected pair 2, found pair 9"), "{status}");
}

#[test]
fn what_was_registered_cannot_be_changed_after_the_first_game() {
    let place = trial();
    let file = FILE.replace("DIGEST", &digest(BOOK));
    // Before the first game anything may be changed, also when a run has begun; afterwards texts.
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "0"]).ok();
    std::fs::create_dir_all(place.path("trial")).expect("a directory");
    place.put("trial/registered.toml", &file);
    place.put("trial.toml", file.replace("margin = 3.0", "margin = 2.0"));
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "1"]).ok();
    place.put("trial.toml", file.replace("margin = 3.0", "margin = 2.0").replace("A trial", "The trial"));
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "2"]).ok();
    place.put("trial.toml", file.replace("margin = 3.0", "margin = 20.0").replace("pairs = 4", "pairs = 2"));
    place.run(["experiment", "run", "trial.toml", "-q"]).fails(
        1,
        &[
            "trial.toml has been changed since the first game",
            "margin was 2 and is 20",
            "a question of 4 pairs",
            "ask the new question in a file of its own",
        ],
    );
    let status = place.run(["experiment", "status", "trial.toml"]).ok().out();
    assert!(status.contains("changed since the first game: margin was 2 and is 20"), "{status}");
    let said = "changed since the first game: margin was 2 and is 20";
    let report = place.run(["experiment", "report", "trial.toml", "-o", "-"]).fails(1, &[said]);
    assert!(report.out().contains(said), "{}", report.out());
}

#[test]
fn a_new_experiment_runs_as_it_is_written() {
    let place = trial();
    let arm = ["--arm", "name=table", "arm=draw-table", "table=rival", "hash=1"];
    let new = ["experiment", "new", "mine.toml", "--book", "book.epd", "--nodes", "100", "--pairs", "2"];
    let said = place.run(new.iter().chain(&arm)).ok().out();
    assert!(said.ends_with("then: drawish experiment run mine.toml\n"), "{said}");
    place.run(["experiment", "run", "mine.toml", "-q"]).ok();
    let status = place.run(["experiment", "status", "mine.toml", "--json"]).ok().json();
    assert_eq!((&status["title"], &status["arms"][0]["identical_pairs"]), (&"mine".into(), &2.into()));
    assert_eq!((&status["arms"][1]["arm"], &status["arms"][1]["pairs"]), (&"table".into(), &2.into()));
    place.run(new).fails(1, &["mine.toml is there already"]);
    let other = ["experiment", "new", "other.toml", "--book", "book.epd"];
    place.run(other).fails(1, &["500 pairs are asked for, but the book has 4 openings"]);
    let with = |words: &[&'static str]| [&other[..], &["--pairs", "2", "--arm"], words].concat();
    place.run(with(&["arm=draw-tables"])).fails(1, &["no arm is called \"draw-tables\""]);
    place.run(with(&["name=a/b", "arm=constant"])).fails(1, &["\"a/b\" is not a file name"]);
    place.run(with(&["draw-table"])).fails(1, &["expected key=value"]);
    place.run(with(&["arm=draw-head", "heads=none.toml"])).fails(1, &["none.toml"]);
    assert!(!place.path("other.toml").exists());
}

#[test]
fn an_experiment_that_cannot_be_carried_out_says_why() {
    let place = trial();
    let file = FILE.replace("DIGEST", &digest(BOOK));
    let run = |text: &str, more: &str| {
        place.put("bad.toml", text);
        place.run(format!("experiment run bad.toml -q{more}").split(' '))
    };
    run(&file.replace("book.epd", "no.epd"), "").fails(1, &["no.epd is not there", "say where it is by --books"]);
    run(FILE, "").fails(1, &["written for a book with XXH3 DIGEST, this one has"]);
    run(&file.replace("pairs = 4", "pairs = 9"), "").fails(1, &["9 pairs are asked for, but the book has 4 openings"]);
    run(&file, " --only tabel").fails(1, &["--only: there is no arm tabel; there are constant, table"]);
    run(&file.replace("table = \"rival\"", "tabel = \"rival\""), "")
        .fails(1, &["arm table: an arm has no setting \"tabel\""]);
    run(&file.replace("\"rival\"", "\"no.table\""), "")
        .fails(1, &["no.table: expected one of human, tcec, rival, or a .table file"]);
    run("title = 3", "").fails(1, &["bad.toml"]);
    place.run(["experiment", "status", "none.toml"]).fails(1, &["none.toml: expected the file of an experiment"]);
    // The log of another experiment with the same name.
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "1"]).ok();
    place.put("trial.toml", file.replace("seed = 7", "seed = 8"));
    std::fs::remove_file(place.path("trial/registered.toml")).expect("removed");
    place
        .run(["experiment", "run", "trial.toml", "-q"])
        .fails(1, &["expected the log of arm constant, found another match: seed is 7, not 8"]);
}

/// A log that keeps the moves of some pairs says of the others how long they were and whether they are the same again.
/// Two questions that play the same games would be corrected for, and told, as two; how they are spelled says nothing of that.
#[test]
fn a_question_is_asked_once() {
    let place = trial();
    let file = String::from_utf8(place.read("trial.toml")).expect("text");
    let said = |settings: &str| {
        let arm = format!("[[arm]]\nname = \"again\"\nwhat = \"\"\nsettings = {settings}\n");
        place.put("again.toml", file.clone() + &arm);
        place.run(["experiment", "run", "again.toml", "-q", "--pairs", "1"])
    };
    let table = r#"{ arm = "draw-table", table = "rival", taper = false, contempt = 0, hash = 1 }"#;
    said(table).fails(1, &["table and again play the same games", "make it a control"]);
    said(r#"{ arm = "none", taper = true, hash = 1 }"#).fails(1, &["none and again play the same games"]);
    said(r#"{ arm = "draw-table", table = "rival", taper = false, hash = 2 }"#).ok();
    // Whichever arms are played.
    said(table).fails(1, &["table and again play the same games"]);
    let only = place.run(["experiment", "run", "again.toml", "-q", "--pairs", "1", "--only", "again"]);
    only.fails(1, &["again and table play the same games"]);
}

/// What only the games show: so few nodes fill no table of positions.
#[test]
fn questions_that_have_played_the_same_games_are_named() {
    let place = trial();
    // Without the pawn on a7, or on a2.
    let without = |pawn: &'static str| {
        BOOK.lines().map(move |line| line.replacen(pawn, &pawn.replacen(['p', 'P'], "1", 1), 1) + "\n")
    };
    let book = BOOK.to_owned() + &without("/p").collect::<String>() + &without("/PP").collect::<String>();
    place.put("book.epd", &book);
    let file = FILE.replace("DIGEST", &digest(&book)).replace("pairs = 4", "pairs = 12");
    let arm = "[[arm]]\nname = \"again\"\nwhat = \"\"\nsettings = { arm = \"draw-table\", table = \"rival\", taper = false, hash = 2 }\n";
    place.put("trial.toml", file + arm);
    let report = |pairs: &str| {
        place.run(["experiment", "run", "trial.toml", "-q", "--pairs", pairs]).ok();
        place.run(["experiment", "report", "trial.toml", "-o", "-"]).ok().out()
    };
    assert!(!report("9").contains("plays the same games"));
    let whole = report("12");
    assert!(whole.contains("plays the same games as table in all 12 pairs: they are one question"), "{whole}");
}

#[test]
fn a_log_may_keep_few_moves() {
    let place = trial();
    let file = FILE.replace("DIGEST", &digest(BOOK));
    place.run(["experiment", "run", "trial.toml", "-q"]).ok();
    let whole = place.run(["experiment", "status", "trial.toml", "--json"]).ok().json();
    let short = file.replace("pairs = 4", "pairs = 4\nmoves-of-every = 3");
    place.put("short.toml", short.replace("what = \"a table\"", "what = \"a table\"\npairs = 2"));
    place.run(["experiment", "run", "short.toml", "-q", "--pairs", "1"]).ok();
    place.run(["experiment", "run", "short.toml", "-q", "-j", "1"]).ok();
    let log = zstd::decode_all(&place.read("short/constant.jsonl.zst")[..]).expect("a packed log");
    let log = String::from_utf8(log).expect("text");
    let with_moves: Vec<bool> = log.lines().skip(1).map(|line| !line.contains("\"moves\":\"\"")).collect();
    assert_eq!(with_moves, [true, false, false, true], "{log}");
    assert!(log.lines().nth(2).is_some_and(|line| line.contains("\"left_out\":{\"plies\":")), "{log}");
    let status = place.run(["experiment", "status", "short.toml", "--json"]).ok().json();
    for name in ["elo", "pentanomial", "identical_pairs"] {
        assert_eq!(status["arms"][0][name], whole["arms"][0][name], "{name}");
    }
    assert_eq!((&status["arms"][1]["pairs"], &status["arms"][1]["wanted_pairs"]), (&2.into(), &2.into()));
    let again = place.run(["experiment", "check", "short.toml", "-q"]).ok().out();
    assert_eq!(again, "constant: 4 pairs are the same, byte for byte\ntable: 2 pairs are the same, byte for byte\n");
    let report = place.run(["experiment", "report", "short.toml", "-o", "-"]).ok();
    assert!(report.out().contains("4 pairs of games for each arm (2 for table) at 200 nodes"), "{}", report.out());
}

/// Openings that tuning has used can be left to it: what is played begins behind them, and does not come back to them.
#[test]
fn an_experiment_may_begin_behind_used_openings() {
    let place = trial();
    let file = FILE.replace("DIGEST", &digest(BOOK)).replace("pairs = 4", "pairs = 2\nmoves-of-every = 1");
    let fens = |name: &str| -> Vec<String> {
        let log = zstd::decode_all(&place.read(&format!("{name}/table.jsonl.zst"))[..]).expect("a packed log");
        let log = String::from_utf8(log).expect("text");
        let pairs = log.lines().skip(1).map(|line| serde_json::from_str(line).expect("a pair"));
        pairs.map(|pair: serde_json::Value| pair["fen"].to_string()).collect()
    };
    let openings = BOOK.lines().count();
    for (name, start) in [("first", 1), ("last", openings - 1)] {
        place.put(&format!("{name}.toml"), file.replace("nodes = ", &format!("start = {start}\nnodes = ")));
        place.run(["experiment", "run", &format!("{name}.toml"), "-q"]).ok();
    }
    let (first, last) = (fens("first"), fens("last"));
    assert_eq!((first.len(), last.len()), (2, 2));
    assert!(first.iter().all(|opening| opening != "null" && !last.contains(opening)), "{first:?} {last:?}");
    // The same games where an arm is played by other means, as range by range.
    let layout = drawish::experiment::Layout::open(&place.path("last.toml")).expect("an experiment");
    let ready = layout.contest("table", None).expect("a match").ready(|_| ControlFlow::Continue(())).expect("a match");
    let range = place.path("range.jsonl");
    ready.play_range(1..=2, &range, NonZeroUsize::MIN, |_| ControlFlow::Continue(())).expect("a range");
    let packed = zstd::decode_all(&place.read("last/table.jsonl.zst")[..]).expect("a packed log");
    assert_eq!(String::from_utf8(place.read("range.jsonl")), String::from_utf8(packed));
    place.put("beyond.toml", file.replace("nodes = ", &format!("start = {openings}\nnodes = ")));
    place.run(["experiment", "run", "beyond.toml", "-q"]).fails(
        1,
        &["2 pairs are asked for, but the book has 1 opening from number", "take a larger book, or fewer pairs"],
    );
}

/// Another engine plays other games: that is said of the engine, not of the first line in which they differ.
#[test]
fn an_experiment_names_the_engine_that_it_is_for() {
    let place = trial();
    place.run(["experiment", "run", "trial.toml", "-q", "--pairs", "1"]).ok();
    let log = String::from_utf8(place.read("trial/table.jsonl")).expect("text");
    let header: serde_json::Value = serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
    let checksum = header["sides"][1]["build"].as_str().expect("a checksum of the baseline").to_owned();
    let with_engine = |checksum: &str| {
        let engine = format!("[engine]\nbuild = \"git 0123abc\"\nchecksum = \"{checksum}\"\n[match]");
        place.put("trial.toml", FILE.replace("DIGEST", &digest(BOOK)).replace("[match]", &engine));
    };
    with_engine(&checksum);
    place.run(["experiment", "check", "trial.toml", "-q"]).ok();
    with_engine("00");
    for task in ["run", "check"] {
        let said = [
            "registered for the engine of git 0123abc",
            "checksum 00;",
            &checksum,
            "plays other games: use that build",
        ];
        place.run(["experiment", task, "trial.toml", "-q"]).fails(1, &said);
    }
    place.run(["experiment", "status", "trial.toml"]).ok();
}

/// The file that the guide shows can be played as it stands, but for its book and build.
#[test]
fn the_example_of_the_guide_is_an_experiment() {
    let guide = include_str!("../docs/guides/experiments.md");
    let (_, after) = guide.split_once("```toml\n").expect("an example");
    let (example, _) = after.split_once("```").expect("its end");
    let place = Place::new();
    place.put("openings.epd", BOOK);
    let (before, engine) = example.split_once("[engine]").expect("an engine");
    let (_, games) = engine.split_once("[match]").expect("games");
    let example = format!("{before}[match]{games}").replace("837dfa32def8dadf217229bdbe1a9ebb", &digest(BOOK));
    place.put("guide.toml", example.replace("plies = ", "# ").replace("pairs = ", "pairs = 1 # "));
    place.run(["experiment", "run", "guide.toml", "-q"]).ok();
    assert!(place.path("guide/constant.jsonl.zst").exists() && place.path("guide/table.jsonl.zst").exists());
}
