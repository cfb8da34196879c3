//! Nothing is lost in silence: games that others swallow, files in which nothing counts, runs that are gone on with, outputs
//! that would replace inputs, readers that go away.

use std::process::Stdio;

use drawish::counts::{CountsFile, Shard};
use drawish::pgn::Anomalies;
use drawish::sample::{Rule, Tally};
use drawish::wdl::WdlFile;
use drawish_core::{Pawns, Scheme};
use serde_json::json;

use crate::collect::leave_state;
use crate::run::{Place, assert_adds_up, noticed, skipped};

const LOOSE: &str = "--min-moves 0 --at 1";

/// A game without tags in which the first comment never ends, one that is closed by its own, and one more.
const SWALLOWED: &str = "[Result \"1-0\"]\n\n1. e4 {+0.30/9 1s} e5 {oops 1-0\n\n[Result \"0-1\"]\n\n1. d4 {+0.20/9 1s} d5 0-1\n\n\
    [Result \"1-0\"]\n\n1. c4 {+0.10/9 1s} 1-0\n";

#[test]
fn swallowed_games_are_found_counted_and_reported() {
    let place = Place::new();
    place.put("games.pgn", SWALLOWED);
    let said = ["games.pgn: 1 game had been swallowed", "unclosed comment", "mend the file"];
    let done = place.say(&format!("collect games.pgn -o x.counts --json {LOOSE}")).fails(1, &said);
    let summary = done.json();
    assert_adds_up(&summary);
    assert_eq!((summary["games"].as_u64(), summary["counted"].as_u64()), (Some(3), Some(2)));
    assert_eq!(skipped(&summary), [("unreadable".to_owned(), 1)]);
    assert_eq!(noticed(&summary), [("rescued-games".to_owned(), 1)]);
    assert_eq!(summary["swallowed"][0]["games"], 1);
    let summary = place.say("wdl collect games.pgn -o x.wdl --json").fails(1, &said).json();
    assert_eq!((summary["games"].as_u64(), summary["positions"].as_u64()), (Some(3), Some(3)));
    let done = place.say("relevance annotate games.pgn -o y.pgn --json").fails(0, &["without its closing brace"]);
    assert_eq!(done.json()["games"], 3);
}

#[test]
fn tags_with_any_white_space_say_what_they_say() {
    let place = Place::new();
    let moves = "1. e4 {+0.30/9 1s} 1-0\n\n";
    for (tags, reason) in [
        ("[Variant\t\"chess960\"]\n[Result \"1-0\"]", "variant"),
        ("[Variant  \"chess960\"]\n[Result  \"1-0\"]", "variant"),
        ("[ Variant \"chess960\" ] [Result \"1-0\"]", "variant"),
        ("[Event \"a\"]\n[Variant\n\"chess960\"]\n[Result \"1-0\"]", "variant"),
        // Castling that only Chess960 knows, and no tag says so.
        (
            "[Event \"a\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]\n[Result \"1-0\"]",
            "variant",
        ),
        ("[Event \"a\"]\n[FEN \t \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"1-0\"]", "start-position"),
    ] {
        place.put("games.pgn", format!("{tags}\n\n{moves}[Event \"b\"]\n[Result\t\"1-0\"]\n\n{moves}"));
        let summary = place.say(&format!("collect games.pgn -o x.counts --json {LOOSE}")).ok().json();
        assert_eq!(skipped(&summary), [(reason.to_owned(), 1)], "{tags}");
        assert_eq!(summary["counted"], 1, "{tags}");
    }
}

/// The ways in which a file can hide the FEN of its games: all count from it, and none as two games.
#[test]
fn a_fen_behind_comments_or_odd_line_ends_is_read() {
    let game = |n: u32| {
        format!(
            "[Event \"{n}\"]\n[Variant \"From Position\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n\
             1. e4 {{+0.30/9 1s}} e5 {{-0.20/9 1s}} 1-0\n\n"
        )
    };
    let games: String = (0..3).map(game).collect();
    let before_result = |comment: &str| games.replace("[Result", &format!("{comment}\n[Result"));
    let cr = games.replace('\n', "\r");
    let texts = [
        games.clone(),
        before_result("; by X"),
        before_result("{by\nX}"),
        before_result("% X"),
        cr.clone(),
        cr.clone() + "\n",
        games.replace('\n', "\r\r\n").replace("1. e4 ", "1. e4\r\r\n"),
        cr.replace("\r\r1.", "\n\n1."),
        games.replace("[Result", "\r[Result"),
    ];
    for text in texts {
        let place = Place::new();
        place.put("games.pgn", &text);
        let standard = place.say(&format!("collect games.pgn -o x.counts --json {LOOSE}"));
        assert_eq!(skipped(&standard.fails(1, &[]).json()), [("start-position".to_owned(), 3)], "{text:?}");
        let found = place.say("wdl collect games.pgn -o x.json --json").ok().json();
        assert_eq!((&found["games"], &found["positions"]), (&json!(3), &json!(6)), "{text:?}");
        assert_eq!(found["noticed"]["fen-starts"], 3, "{text:?}");
    }
}

/// An unclosed comment of a skipped game is not looked into, and without Event tags its games are not counted by these.
#[test]
fn games_that_a_skipped_game_swallows_are_found() {
    let place = Place::new();
    let from_fen = |moves: &str| {
        format!("[White \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]\n[Result \"1-0\"]\n\n40. {moves} 1-0\n\n")
    };
    let standard = "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 {b} e5 2. Nf3 Nc6 1-0\n\n".replace("{b} ", "");
    let games = [
        from_fen("e4 {open"),
        standard.repeat(3),
        from_fen("e4 {c} Kd7"),
        standard.repeat(2),
        from_fen("e4 Kd7").repeat(3),
    ];
    place.put("games.pgn", games.concat());
    let summary = place.say(&format!("collect games.pgn -o x.counts --json {LOOSE}")).fails(1, &["swallowed"]).json();
    assert_eq!((&summary["games"], &summary["counted"]), (&10.into(), &5.into()), "{summary}");
    assert_eq!(summary["swallowed"][0]["games"], 4);
}

#[test]
fn one_game_does_not_spoil_a_file_of_counts() {
    let place = Place::new();
    let comment = "{+0.30/9 1s}";
    let odd = |fen: &str| {
        format!(
            "[Event \"a\"]\n[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n1... Kd7 {comment} 2. Kd2 {comment} Kd6 {comment} 1-0\n\n"
        )
    };
    let games = [
        odd("4k3/8/8/8/8/8/4P3/4K3 b - - 0 4294967295"),
        odd("4k3/8/8/8/8/8/4P3/4K3 b - - 4294967295 4294967294"),
        odd("4k3/8/8/8/8/8/4P3/4K3 b - - 0 200"),
        odd("4k3/8/8/8/8/8/4P3/4K3 b - - 0 99999999999999999999"),
        odd("4k3/8/8/8/8/8/4P3/4K3 b - - 0 0"),
    ];
    place.put("games.pgn", games.concat());
    let summary = place.say("wdl collect games.pgn -o x.wdl -o x.json --json").ok().json();
    assert_eq!(summary["games"], 5);
    let positions = summary["positions"].as_u64().expect("a count");
    assert_eq!(summary["dropped"]["beyond-move-200"].as_u64().expect("a count") + positions, 15, "{summary}");
    let file = WdlFile::from_bytes(&place.read("x.wdl")).expect("a whole file");
    assert_eq!(file.counts.positions(), positions);
    let summary = place.say("collect games.pgn -o x.counts --json --fen-starts --min-moves 0 --at 201").ok().json();
    assert_adds_up(&summary);
}

#[test]
fn nothing_counted_is_a_failure_that_says_why() {
    let place = Place::new();
    let game = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    place.put("games.pgn", game.repeat(3));
    place.put("empty.pgn", "");
    place.put("good.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/9 1s} 1-0\n");
    let collect = |files: &str| place.say(&format!("collect {files} -o x.counts {LOOSE}"));
    collect("games.pgn")
        .fails(1, &["nothing was counted: 3 games read, all skipped: start-position 3", "add --fen-starts"]);
    // No file is left behind, and one that is there stays as it is.
    assert!(!place.path("x.counts").exists());
    place.say("collect games.pgn -o x.counts").fails(1, &["nothing was counted"]);
    assert!(collect("games.pgn").out().starts_with("x.counts: not written, nothing counted from 1 file in "));
    collect("games.pgn --fen-starts").ok();
    let before = place.read("x.counts");
    collect("games.pgn").fails(1, &["nothing was counted"]);
    assert_eq!(place.read("x.counts"), before);
    // A part of a larger run keeps its account.
    place.say("collect games.pgn -o part.counts --keep-empty").fails(1, &["nothing was counted"]);
    let part = CountsFile::from_bytes(&place.read("part.counts")).expect("counts");
    assert_eq!((part.tally().games(), part.tally().counted()), (3, 0));
    let wdl = |files: &str| place.say(&format!("wdl collect {files} -o x.wdl"));
    wdl("games.pgn").fails(1, &["no position was counted: 3 half-moves read", "no-comment 3", "{+0.35/18 1.2s}"]);
    assert!(!place.path("x.wdl").exists());
    wdl("games.pgn --keep-empty").fails(1, &["no position was counted"]);
    assert!(place.path("x.wdl").exists());
    // An empty file is named, and no failure beside one that holds something.
    collect("empty.pgn").fails(1, &["the file is empty", "nothing was counted: no game was read"]);
    wdl("empty.pgn").fails(1, &["the file is empty", "no position was counted: no games were read"]);
    collect("empty.pgn good.pgn").fails(0, &["the file is empty"]);
    wdl("empty.pgn good.pgn").fails(0, &["the file is empty"]);
}

#[test]
fn a_run_goes_on_behind_an_input_that_could_not_be_opened() {
    let place = Place::new();
    let game = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    place.put("a.pgn", b"\0\0binary");
    place.put("b.pgn", format!("{game}[Event \"cut\"]\n\n1. e4 e"));
    place.put("c.pgn", game);
    // As a run leaves it that was killed behind the second file.
    place.say(&format!("collect a.pgn b.pgn -o ab.counts -q {LOOSE}")).fails(1, &["a.pgn"]);
    leave_state(&place, "ab.counts", false);
    let said = ["a.pgn: not PGN", "b.pgn: the text ends in the middle of a game"];
    let resumed = place.say(&format!("collect a.pgn b.pgn c.pgn -o x.counts --json {LOOSE}")).fails(1, &said).json();
    assert_eq!(resumed["resumed_inputs"], 1);
    let at_once = place.say(&format!("collect a.pgn b.pgn c.pgn -o y.counts --json {LOOSE}")).fails(1, &said).json();
    assert!(place.read("x.counts") == place.read("y.counts"));
    assert_eq!(resumed["unfinished"], at_once["unfinished"]);
    // It may be readable by now.
    place.say(&format!("collect a.pgn c.pgn -o ac.counts -q {LOOSE}")).fails(1, &["a.pgn"]);
    leave_state(&place, "ac.counts", true);
    place.put("a.pgn", game.replace('e', "d"));
    place.put("a.pgn", "[Event \"d\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n");
    place.say(&format!("collect a.pgn c.pgn -o x.counts {LOOSE}")).ok();
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    place.put("games.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/9 1s} 1-0\n");
    place.say(&format!("collect games.pgn -o x.counts -q {LOOSE}")).ok();
    place.put("both.pgn", "[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n");
    place.say(&format!("collect both.pgn -o both.counts -q {LOOSE}")).ok();
    for line in [
        "wdl collect games.pgn -o -",
        &format!("collect games.pgn -o - {LOOSE}"),
        "merge x.counts -o -",
        "inspect x.counts --csv",
        "verify x.counts",
        "relevance annotate games.pgn",
        "report both.counts -o -",
        "inspect both.counts",
        "sprt --penta 1 2 3 2 1 --elo0 0 --elo1 5",
    ] {
        let mut child = place
            .command(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(done.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn no_verb_overwrites_what_it_reads() {
    let place = Place::new();
    let game = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/9 1s} 1-0\n";
    place.put("games.pgn", game);
    place.put("fens.json", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    place.put("tree/t.pgn", game);
    place.put("tree/t.json", "{\"args\": {\"book\": \"a\"}}");
    place.say(&format!("collect games.pgn -o x.counts -q {LOOSE}")).ok();
    for (line, input) in [
        (format!("collect games.pgn -o ./games.pgn {LOOSE}"), "games.pgn"),
        ("merge x.counts -o x.counts".to_owned(), "x.counts"),
        ("wdl collect games.pgn -o fens.json --fix-fen-source fens.json".to_owned(), "fens.json"),
        ("wdl collect tree/t.pgn -o tree/t.json --match-book a".to_owned(), "tree/t.json"),
        ("wdl collect tree/t.pgn -o tree/t.json".to_owned(), "tree/t.json"),
        ("relevance annotate games.pgn -o games.pgn".to_owned(), "games.pgn"),
    ] {
        let before = place.read(input);
        place.say(&line).fails(1, &["is an input and would be overwritten", "-o"]);
        assert!(place.read(input) == before, "{line}");
    }
    place.say("wdl collect games.pgn -o x.wdl -o ./x.wdl").fails(1, &["x.wdl is named for two outputs"]);
    // The same name is free where it is not that of metadata, also for the counts of a second run.
    std::fs::remove_file(place.path("tree/t.json")).expect("metadata");
    for _ in 0..2 {
        place.say("wdl collect tree/t.pgn -o tree/t.json -q").ok();
    }
}

#[test]
fn a_table_of_more_positions_in_a_cell_than_it_can_tell_is_good() {
    let place = Place::new();
    let mut file = CountsFile::new(Rule::default(), Scheme::Bg);
    let many = u64::from(u32::MAX) + 1000;
    let mut tally = Tally::default();
    tally.count_many(2 * many + 10);
    tally.positions = 2 * many + 10;
    let shard = Shard {
        unpacked_digest: None,
        name: "large.pgn".to_owned(),
        digest: 1,
        file_bytes: 9,
        broken: None,
        tally,
        anomalies: Anomalies::default(),
    };
    file.add_shard(shard);
    let start = file.counts.get_mut(Scheme::Bg.index(Pawns::START));
    (start.draws, start.wins) = (many, many);
    file.counts.get_mut(Scheme::Bg.index(Pawns { white: 0xff00, black: 0 })).losses = 10;
    place.put("x.counts", file.to_bytes());
    place.say("table x.counts -o x.table -q").ok();
    assert!(place.say("verify x.table").ok().out().contains("good table"));
}

/// Words that look like moves and are none shift all that stands behind them, so they are named.
#[test]
fn words_that_are_no_moves_are_named() {
    let place = Place::new();
    let game = |word: &str| format!("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {word} 2. Nf3 Nc6 1-0\n\n");
    place.put("good.pgn", game("e5").repeat(30));
    place.put("bad.pgn", game("e7-e5").repeat(30));
    let collect = |file: &str| {
        place.say(&format!("collect {file} -o {file}.counts --json --sample every --from 1 --min-moves 0")).ok()
    };
    let done = collect("bad.pgn");
    assert!(
        done.err().contains("bad.pgn: \"e7-e5\" and 29 more in the 2 kB that were looked through"),
        "{}",
        done.err()
    );
    let odd = &done.json()["odd_words"][0];
    assert_eq!(
        (&odd["input"], &odd["words"], &odd["first"]),
        (&"bad.pgn".into(), &30.into(), &"e7-e5".into()),
        "{odd}"
    );
    let done = collect("good.pgn");
    assert!(
        !done.err().contains("looked through") && done.json()["odd_words"] == serde_json::json!([]),
        "{}",
        done.err()
    );
}
