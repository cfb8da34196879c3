//! What every door to a match says alike: games that were played before, pairs behind the decision of a test, files that are none,
//! arguments that are missing.

use crate::run::{Done, Place};

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n";
const ENGINES: &str = "--engine arm=none name=new nodes=60 --engine arm=none name=old nodes=30 --each hash=1";

fn play(place: &Place, more: &str) -> Done {
    place.put("book.epd", BOOK);
    place.say(&format!("match {ENGINES} --openings book.epd --seed 1 {more}"))
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

#[test]
fn pairs_that_were_played_before_are_counted_and_named() {
    let place = Place::new();
    let said = "5 of 8 pairs are the same games as an earlier pair: they add no evidence, so Elo, its errors, LOS and tests leave them out";
    let done = play(&place, "--repeat-openings --pairs 8 --log a.jsonl --pgn a.pgn -q").ok();
    let ahead =
        "3 openings for 8 pairs, and no limit of time: engines may play the same games again, which adds no evidence";
    assert!(done.err().contains(ahead), "{}", done.err());
    assert!(done.out().contains(&format!("Repeated games: {said}; play more openings")), "{}", done.out());
    for file in ["a.jsonl", "a.pgn"] {
        let text = place.say(&format!("sprt {file}")).ok().out();
        assert!(text.contains(&format!("{file}: {said}")), "{text}");
        let json = place.say(&format!("sprt {file} --json")).ok().json();
        assert_eq!((&json["repeated_pairs"], &json["sources"][0]["repeated"]), (&5.into(), &5.into()), "{file}");
    }
    let json = play(&place, "--repeat-openings --pairs 8 --log a.jsonl --resume -q --json").ok().json();
    assert_eq!(json["repeated_pairs"], 5);
    place.say("report a.jsonl -o a.md").ok();
    let page = text(&place, "a.md");
    assert!(
        page.contains("What to know first") && page.contains(&format!("a.jsonl: {said}")) && page.contains("| 5 |")
    );
    let line = format!("tournament {ENGINES} --openings book.epd --seed 1 --repeat-openings --rounds 5 --log t.jsonl");
    let done = place.say(&line).ok();
    assert!(done.err().contains("3 openings for 5 pairs, and no limit of time"), "{}", done.err());
    let table = done.out();
    assert!(table.contains("2 of 5 pairs are the same games as an earlier pair"), "{table}");
    let json = place.say("sprt t.jsonl --first new --against old --json").ok().json();
    assert_eq!(json["repeated_pairs"], 2);
    // The table of a damaged log is no more to be had than the results of two of its engines.
    let log = text(&place, "t.jsonl");
    place.put("damaged.jsonl", log.replacen("\"pair\":4", "\"pair\": 4", 1));
    for more in ["", " --first new --against old"] {
        place.say(&format!("sprt damaged.jsonl{more}")).fails(1, &["damaged.jsonl: line 5 is damaged: it was changed"]);
    }
}

/// The first line of a log, by which it is known, may be long.
#[test]
fn the_table_of_a_tournament_is_printed_of_a_packed_log() {
    let place = Place::new();
    let engine = |(letter, nodes): (&str, u32)| format!("--engine arm=none name={} nodes={nodes}", letter.repeat(1500));
    let engines = [("a", 20), ("b", 30), ("c", 40)].map(engine).join(" ");
    place.say(&format!("tournament {engines} --openings random:2 --seed 1 --rounds 2 -q --log t.jsonl")).ok();
    let log = place.read("t.jsonl");
    assert!(log.iter().position(|&byte| byte == b'\n').is_some_and(|end| end > 4096));
    let table = place.say("sprt t.jsonl").ok().out();
    assert!(table.contains("95 % intervals by"), "{table}");
    place.put("packed.jsonl.zst", zstd::encode_all(&log[..], 1).expect("packed"));
    assert_eq!(place.say("sprt packed.jsonl.zst").ok().out(), table);
    // One that is cut says so, as that of a match does.
    place.put("cut.jsonl", &log[..log.len() - 9]);
    assert!(place.say("sprt cut.jsonl").ok().err().contains("cut.jsonl: the last pair is unfinished and not counted"));
}

/// A match that is given twice, whole or in part, as a log or as PGN, is not counted twice without a word.
#[test]
fn games_that_two_inputs_share_are_named() {
    let place = Place::new();
    play(&place, "--pairs 3 --log a.jsonl --pgn a.pgn -q").ok();
    let pgn = text(&place, "a.pgn");
    let second = 1 + pgn[1..].find("[Event ").expect("a second game");
    place.put("part.pgn", &pgn[..second]);
    place.put(
        "start.jsonl",
        text(&place, "a.jsonl").lines().take(3).map(|line| format!("{line}\n")).collect::<String>(),
    );
    for (files, within, games, whole) in [
        ("a.pgn a.jsonl", "a.jsonl", "all of its 6 games are", "a.pgn"),
        ("a.jsonl a.pgn", "a.pgn", "all of its 6 games are", "a.jsonl"),
        ("a.jsonl part.pgn", "part.pgn", "its only game is", "a.jsonl"),
        ("part.pgn a.pgn", "part.pgn", "its only game is", "a.pgn"),
        ("a.jsonl start.jsonl", "start.jsonl", "all of its 4 games are", "a.jsonl"),
    ] {
        let expected = format!("{within}: {games} in {whole} as well and would be counted twice; leave {within} out");
        place.say(&format!("sprt {files}")).fails(1, &[&expected]);
    }
    // The standard position is one, whether the PGN has a FEN for it or not.
    place.put("standard.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    place.say(&format!("match {ENGINES} --openings standard.epd --seed 1 -q --log s.jsonl --pgn s.pgn")).ok();
    let tag = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n";
    place.put("tagged.pgn", text(&place, "s.pgn").replace("[Result ", &format!("{tag}[Result ")));
    for file in ["s.pgn", "tagged.pgn"] {
        let expected = format!("{file}: all of its 2 games are in s.jsonl as well");
        place.say(&format!("sprt s.jsonl {file}")).fails(1, &[&expected]);
        assert!(!place.say(&format!("sprt {file}")).ok().out().contains("without a partner"), "{file}");
    }
    // Another match, of which two openings and so two pairs are those of the first.
    let other = BOOK.replace("/8/2P5/8/PP1PPPPP/", "/8/8/2P5/PP1PPPPP/");
    assert_ne!(other, BOOK);
    place.put("other.epd", &other);
    place.say(&format!("match {ENGINES} --openings other.epd --seed 1 --pairs 3 -q --log b.jsonl --pgn b.pgn")).ok();
    for files in ["a.jsonl b.jsonl", "a.pgn b.jsonl", "a.jsonl b.pgn", "a.pgn b.pgn"] {
        let first = files.split(' ').next().expect("a name");
        let said = place.say(&format!("sprt {files}")).ok().out();
        let expected = format!("4 games are in {first} as well; if both are from one match");
        assert!(said.contains(&expected), "{files}: {said}");
        let json = place.say(&format!("sprt {files} --json")).ok().json();
        assert_eq!((&json["sources"][1]["repeated"], &json["repeated_pairs"]), (&2.into(), &2.into()), "{files}");
    }
    // The same moves with another result are another game.
    place.put("lost.pgn", pgn[..second].replace("1/2-1/2", "1-0").replace("0-1", "1-0"));
    place.put("won.pgn", pgn[..second].replace("1/2-1/2", "0-1").replace("1-0", "0-1"));
    assert!(!place.say("sprt lost.pgn won.pgn").ok().out().contains("as well"));
    // Ranges of one match that repeats openings play the same games: a remark, as `merge` takes them, and no copy.
    let repeated = format!("match {ENGINES} --openings book.epd --seed 1 --pairs 6 --repeat-openings -q");
    for (range, log) in [("1..3", "r1.jsonl"), ("4..6", "r2.jsonl")] {
        place.say(&format!("{repeated} --range {range} --log {log}")).ok();
    }
    let said = place.say("sprt r1.jsonl r2.jsonl").ok().out();
    assert!(said.contains("6 games are in r1.jsonl as well") && said.contains("Games: 12"), "{said}");
    let last = place.read("r2.jsonl");
    place.put("r2.jsonl.zst", zstd::encode_all(&last[..last.len() - 5], 3).expect("packed"));
    let merged = place.say("merge r1.jsonl r2.jsonl.zst -o merged.jsonl").ok();
    assert!(merged.out().contains("5 pairs"), "{}", merged.out());
    assert!(merged.err().contains("pair 6 is not written to its end"), "{}", merged.err());
    place.say("report a.jsonl b.jsonl -o both.md").ok();
    assert!(text(&place, "both.md").contains("2 of 3 pairs are in a.jsonl as well"), "{}", text(&place, "both.md"));
    let said = place.say("sprt b.jsonl").ok().out();
    assert!(!said.contains("as well") && !said.contains("same games"), "{said}");
}

/// An opening whose clocks, moves or FEN are written otherwise is the same, and a game that is cut short is the one that goes on.
#[test]
fn copies_of_games_are_known_however_they_are_written() {
    let place = Place::new();
    play(&place, "--pairs 3 --log a.jsonl --pgn a.pgn -q").ok();
    let play = |name: &str, book: &str, more: &str| {
        let line = format!("match {ENGINES} --openings {book} --seed 1 --log {name}.jsonl --pgn {name}.pgn -q {more}");
        place.say(&line).ok();
    };
    place.put("clocks.epd", BOOK.replace("0 1\n", "0 7\n"));
    play("clocks", "clocks.epd", "--pairs 3");
    play("cut", "book.epd", "--pairs 3 --max-moves 12");
    // One position by two ways, and as a FEN.
    for (name, moves) in [("one", "1. e4 e6 2. d4 d5"), ("two", "1. d4 d5 2. e4 e6")] {
        place.put(&format!("{name}-book.pgn"), format!("[Event \"book\"]\n\n{moves} *\n"));
        play(name, &format!("{name}-book.pgn"), "");
    }
    place.put("fen.epd", "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3\n");
    play("fen", "fen.epd", "");
    for (one, other, games) in [
        ("a", "clocks", 6),
        ("a", "cut", 6),
        ("cut", "clocks", 6),
        ("one", "two", 2),
        ("one", "fen", 2),
        ("fen", "two", 2),
    ] {
        for [first, second] in [["jsonl", "jsonl"], ["pgn", "jsonl"], ["jsonl", "pgn"], ["pgn", "pgn"]] {
            let expected = format!("all of its {games} games are in");
            place.say(&format!("sprt {one}.{first} {other}.{second}")).fails(1, &[&expected]);
        }
    }
    // In one PGN they are pairs that add nothing.
    place.put("both.pgn", text(&place, "cut.pgn") + &text(&place, "a.pgn"));
    let json = place.say("sprt both.pgn --json").ok().json();
    assert_eq!(json["repeated_pairs"], 3, "{json}");
}

/// A log that another test has carried on is judged by its own test alike in every door: up to the pair that decides it.
#[test]
fn a_test_ends_with_the_pair_that_decides_it() {
    let place = Place::new();
    let line = format!("match {ENGINES} --openings random:6 --seed 1 --pairs 30 -q --log m.jsonl");
    place.say(&format!("{line} --sprt elo0=0 elo1=80 alpha=0.1 beta=0.1")).ok();
    let pairs = text(&place, "m.jsonl").lines().count() - 1;
    let before = place.say("sprt m.jsonl --json").ok().json();
    assert_eq!((before["decision"].as_str(), before["pairs_after_decision"].as_u64()), (Some("H1"), Some(0)));
    place.say(&format!("{line} --resume --sprt none")).ok();
    let later = 30 - pairs as u64;
    assert!(later > 1, "the test ends the match early");
    let said = format!("Decided after {pairs} pairs; {later} more pairs were played. LLR, verdict and");
    let own = place.say(&format!("{line} --resume")).ok().out();
    let judged = place.say("sprt m.jsonl").ok().out();
    for text in [&own, &judged] {
        assert!(text.contains(&said) && text.contains("H1 is accepted") && text.contains("Games: 60,"), "{text}");
    }
    let line_of = |text: &str, begin: &str| text.lines().find(|line| line.starts_with(begin)).map(str::to_owned);
    for begin in ["Elo: ", "LOS: ", "LLR: ", "Elo, corrected for the stop: "] {
        assert!(line_of(&own, begin).is_some());
        assert_eq!(line_of(&own, begin), line_of(&judged, begin));
    }
    let after = place.say("sprt m.jsonl --json").ok().json();
    assert_eq!((&after["llr"], &after["sequential"]), (&before["llr"], &before["sequential"]));
    assert_eq!(after["pairs_after_decision"], later);
    let resumed = place.say(&format!("{line} --resume --json")).ok().json();
    for name in ["llr", "decision", "sequential", "pairs_after_decision", "elo", "games"] {
        assert_eq!(resumed[name], after[name], "{name}");
    }
    place.say("report m.jsonl -o m.md").ok();
    let row = format!("| pairs up to the decision of the test, and after it | {pairs}, {later} |");
    assert!(text(&place, "m.md").contains(&row), "{row}");
}

#[test]
fn a_test_is_given_as_for_a_match() {
    let place = Place::new();
    let results = |more: &[&str]| place.run([["sprt", "[50, 287, 610, 387, 73]"].as_slice(), more].concat());
    let one = results(&["--sprt", "elo0=0", "elo1=5", "alpha=0.1"]).ok().out();
    assert_eq!(one, results(&["--elo0", "0", "--elo1", "5", "--alpha", "0.1"]).ok().out());
    assert!(!one.contains("If the match was stopped"), "{one}");
    results(&["elo0=0", "elo1=5"]).fails(2, &["elo0=0 is a test, not results: give it as --sprt elo0=0 elo1=5"]);
    results(&["--sprt", "elo0=0"]).fails(2, &["--sprt needs both elo0= and elo1="]);
    results(&["--sprt", "elo0=0", "elo1=5", "--elo0", "0", "--elo1", "5"]).fails(2, &["cannot be used with"]);
    let margin = results(&["--equivalence", "200"]).ok().out();
    assert!(margin.contains("shown at the 5 % level (p < 0.0001)"), "{margin}");
}

#[test]
fn quiet_json_is_the_result_alone() {
    let place = Place::new();
    let result = play(&place, "--pairs 3 --no-log -q --json").ok();
    assert_eq!((result.out().lines().count(), result.err()), (1, String::new()));
    assert_eq!(result.json()["games"], 6);
    let all = play(&place, "--pairs 3 --no-log --json").ok();
    assert_eq!(all.out().lines().count(), 4, "{}", all.out());
}

#[test]
fn directories_and_absent_files_are_named_without_codes() {
    let place = Place::new();
    place.put("dir/file", "");
    place.put("games.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
    place.put("third", "");
    place.put("numbers.txt", "per_pawn, float, 7, 0, 16, 1, 0.02\n");
    let arms = format!("{ENGINES} --pairs 2 --seed 1");
    place.say("form -o form.toml").ok();
    let form = "spsa --engine arm=form form=form.toml --openings random:4 --nodes 10 --pairs 2";
    for (line, said) in [
        ("sprt dir".to_owned(), "dir: a directory, expected a file; check that it is a match log, PGN or text"),
        ("report dir -o a.html".to_owned(), "dir: none of the files in this directory can be shown"),
        ("report absent.jsonl -o a.html".to_owned(), "absent.jsonl: cannot be read: no such file or directory"),
        ("merge dir absent -o a".to_owned(), "dir cannot be read; check the name: a directory, expected a file"),
        ("merge absent dir -o a".to_owned(), "absent cannot be read; check the name: no such file or directory"),
        (format!("match {arms} --openings dir"), "dir: a directory, expected a file; check the name"),
        (
            format!("match {arms} --openings random:4 --syzygy absent"),
            "absent: no directory of Syzygy tables: no such file or directory",
        ),
        (
            format!("match {arms} --openings games.pgn"),
            "whole games: take the first half-moves of each, as by --plies 16",
        ),
        (
            "match --engine arm=none name=old --engine cmd=third --openings random:4 --nodes 10 --pairs 2 --seed 1"
                .to_owned(),
            "the file is in this directory: write cmd=./third",
        ),
        (format!("match {arms} --openings absent"), "absent: no such file or directory; check the name"),
        (format!("match {arms} --openings random:4 --log dir"), "dir: a directory, expected a file; choose a place"),
        (format!("match {arms} --openings random:4 --no-log --pgn dir"), "dir cannot be written: a directory"),
        (format!("tournament {arms} --openings random:4 --log dir"), "dir: a directory, expected a file; choose"),
        (format!("{form} --parameters dir"), "expected a file with a line for each parameter: a directory"),
        (format!("{form} --parameters numbers.txt --log dir"), "dir: a directory, expected a file; choose a place"),
        ("experiment run dir".to_owned(), "dir: expected the file of an experiment: a directory, expected a file"),
        ("inspect dir".to_owned(), "dir cannot be read; check the name: a directory, expected a file"),
    ] {
        let done = place.say(&line);
        assert!(done.code() != 0 && done.err().contains(said), "{line}: {}", done.err());
        assert!(!done.err().contains("os error"), "{line}: {}", done.err());
    }
}

#[test]
fn verbs_without_arguments_give_an_example() {
    let place = Place::new();
    for verb in
        ["match", "sprt", "spsa", "fastchess", "tournament", "gauntlet", "experiment run", "report", "merge", "collect"]
    {
        let done = place.say(verb);
        let first = verb.split(' ').next().expect("a verb");
        let err = done.err();
        assert_eq!(done.code(), 2, "{verb}");
        let (before, example) = err.split_once("\nExample").unwrap_or_else(|| panic!("{verb}: {err}"));
        assert!(before.contains("required arguments were not provided"), "{before}");
        assert!(example.contains(&format!("  drawish {first} ")), "{example}");
    }
    // What is wrong with an argument is said alone.
    let wrong = place.say("match --pairs x").fails(2, &["--pairs"]);
    assert!(!wrong.err().contains("Example"), "{}", wrong.err());
}

#[test]
fn games_of_an_earlier_run_say_how_to_resume() {
    let place = Place::new();
    play(&place, "--pairs 3 --pgn a.pgn -q").ok();
    let said = "a.pgn holds other games already: choose another file for the games, or resume the match that has written them, by";
    play(&place, "--pairs 3 --pgn a.pgn -q").fails(1, &[&format!("{said} --resume, or append to it by --pgn-append")]);
    play(&place, "--pairs 3 --pgn a.pgn -q --resume").ok();
}

/// Every verb that plays says what a command line in the place of a program needs, and drawish without its argument; before that it
/// prints nothing.
#[test]
fn a_program_that_is_no_engine_is_told_from_its_arguments() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    place.put("p.txt", "Hash, int, 16, 1, 64, 8, 0.002\n");
    let drawish = place.path(&format!("drawish{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_fake-engine"), &drawish).expect("a copy");
    let drawish = drawish.display().to_string();
    let bare = "is drawish, which speaks UCI with the argument uci only; needs args=uci";
    let line = "cannot be started: ";
    let verbs = |engine: &str| {
        let words = |line: String| line.split(' ').map(|word| word.replace("CMD", engine)).collect::<Vec<_>>();
        let two =
            "--engine cmd=CMD args=is_no_engine name=a --engine cmd=CMD args=is_no_engine name=b --nodes 9 --pairs 1";
        let cute =
            "-engine cmd=CMD args=is_no_engine name=a -engine cmd=CMD args=is_no_engine name=b -each nodes=9 -rounds 1";
        let one = "--engine cmd=CMD args=is_no_engine --parameters p.txt --nodes 9 --pairs 1";
        [
            words(format!("match {two} --openings book.epd")),
            words(format!("tournament {two} --openings book.epd")),
            words(format!("spsa {one} --openings book.epd")),
            words(format!("fastchess {cute} -openings file=book.epd")),
        ]
    };
    for words in verbs(&drawish) {
        let done = place.run(&words).fails(1, &[bare]);
        assert_eq!((done.out().as_str(), done.err().contains("log ")), ("", false), "{words:?}: {}", done.err());
    }
    for words in verbs(&format!("{drawish} uci")) {
        let done =
            place.run(&words).fails(1, &[line, "; check the path: cmd= names one program; arguments go into args="]);
        assert_eq!((done.out().as_str(), done.err().contains("log ")), ("", false), "{words:?}: {}", done.err());
    }
}

/// More pairs of random openings are other openings, which no digest alone says.
#[test]
fn a_resumed_match_says_why_its_random_openings_are_others() {
    let place = Place::new();
    let line = |pairs: u32| format!("match {ENGINES} --openings random:4 --seed 1 --log a.jsonl -q --pairs {pairs}");
    place.say(&line(2)).ok();
    let said = "openings are others: a book must stay as it was, random ones are made for a seed and a number of pairs; repeat the match";
    place
        .say(&format!("{} --resume", line(3)))
        .fails(1, &["openings was 2, now it is 3, as the openings are others", said]);
}
