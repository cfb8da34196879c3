//! `drawish sprt`: what it prints, adds up and refuses. What it computes is tested in `crates/stats/tests/results.rs`.

use std::fs;

use crate::run::{Place, shared};

/// Bounds that no normalized test can decide between are refused, by the room and on the command line.
#[test]
fn impossible_bounds_are_refused_in_words() {
    let Some(path) = shared("golden/sprt_invalid.tsv") else { return };
    let text = fs::read_to_string(path).expect("text");
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().expect("names of columns");
    let column = |name: &str| names.iter().position(|own| *own == name).expect(name);
    let place = Place::new();
    let mut rows = 0;
    for row in lines {
        rows += 1;
        let counts = ["LL", "LD", "WLDD", "WD", "WW"].map(|name| row[column(name)]);
        let [elo0, elo1] = ["elo0", "elo1"].map(|name| row[column(name)]);
        let line = format!("sprt --penta {} --elo0 {elo0} --elo1 {elo1}", counts.join(" "));
        place.say(&line).fails(2, &["cannot be tested: bounds of a normalized test must lie between -200 and 200"]);
    }
    assert_eq!(rows, 9);
}

#[test]
fn what_makes_no_test_is_refused_in_words() {
    let place = Place::new();
    for (line, said) in [
        ("--penta 1 2 3 4 5 --elo0 5 --elo1 5", "the bounds 5 and 5 leave nothing to decide: expected elo0 < elo1"),
        ("--penta 1 2 3 4 5 --elo0 5 --elo1 5.0001", "at least 0.001 apart"),
        ("--penta 1 2 3 4 9000000000000000 --elo0 0 --elo1 5", "--penta: 9000000000000000 is not a number of pairs"),
        ("--penta 1 2 3 4 5 --elo0 nan --elo1 5", "the bound NaN cannot be tested"),
        ("--penta 1 2 3 4 5 --elo0 -1000 --elo1 5 --model logistic", "must lie between -1000 and 1000"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --alpha 0", "alpha = 0 is not a probability of an error"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --beta 0.5", "beta = 0.5 is not a probability of an error"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --model bayesian", "a bayesian test cannot use pairs of games"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --equivalence -3", "--equivalence -3 is not a margin"),
        ("--penta 1 2 3 4 --elo0 0 --elo1 5", "--penta 1 2 3 4: expected 5 numbers for each run"),
        ("--penta 1 2 3 4 five", "--penta: five is not a number of pairs"),
        (
            "--wdl 1,2 --elo0 0 --elo1 5",
            "--wdl 1,2: expected 3 numbers for each run (games won, drawn and lost), found 2",
        ),
        ("--elo0 0 --elo1 5", "--penta"),
        ("", "--penta"),
        ("--wdl 1 2 3 --penta 1 2 3 4 5 --elo0 0 --elo1 5", "cannot be used with"),
        ("--wdl 1 2 3 --elo0 0", "a test needs two bounds: give both, as in --elo0 0 --elo1 3 or --sprt elo0=0 elo1=3"),
        ("--wdl 1 2 3 --elo1 3", "a test needs two bounds"),
        ("--wdl 1 2 3 --sprt elo0=0", "--sprt needs both elo0= and elo1=, as in elo0=0 elo1=3"),
        (
            "--penta 1 2 3 4 5 --elo0 -300 --elo1 5",
            "or take the logistic model (model=logistic), whose bounds reach 1000",
        ),
        (
            "missing.jsonl",
            "missing.jsonl does not exist, and is no results itself: expected a match log, PGN or a text with results",
        ),
        ("W: 1 L: 2", "W: 1 L: 2 does not exist, and is no results itself"),
        ("--penta 1 2 3 4 5 --sprt elo0=0 elo1=5 --alpha 0.1", "cannot be used with"),
        ("1 2 3", "1 2 3: line 1: three numbers may be W D L or W L D: write them as W: 1 L: 2 D: 3"),
        ("W: 1 L: 2 D: 3 Ptnml(0-2): 1 2 3 4 5 --elo0 0 --elo1 5", "15 pairs are more games than the 6"),
        ("[1,2,3,4,5] --penta 1 2 3 4 5", "cannot be used with"),
        ("--first a --penta 1 2 3 4 5", "--first: no side is called \"a\": these results name no sides"),
        ("[1,2,3,4,5] --first a", "--first: no side is called \"a\": these results name no sides"),
        ("plan --elo0 0 --elo1 5 --draw-ratio 1", "a draw ratio of 1 is not possible"),
        ("plan --elo0 0 --elo1 5 --draw-ratio 0.97 --bias 90", "openings cannot be as unbalanced as 90 Elo"),
        ("plan --elo0 0 --elo1 5 --model bayesian", "not for the bayesian one"),
        ("plan --elo0 0 --elo1 5 --elo 2000", "2000 Elo is beyond what can be planned for"),
        ("plan --elo0 0 --elo1 5 --games-per-hour 0", "expected a number above 0"),
        ("plan --elo0 0 --elo1 5 --equivalence 0", "--equivalence 0 is not a margin"),
    ] {
        place.say(&format!("sprt {line}")).fails(2, &[said]);
    }
}

/// A published result, in the lines that its author has pasted: LLR 2.97, 18.04 +- 8.23.
#[test]
fn the_block_that_people_paste() {
    let place = Place::new();
    let text = place.say("sprt --penta 50 287 610 387 73 --elo0 0 --elo1 5").ok().out();
    assert!(
        text.starts_with(
            "Elo: 18.04 +/- 8.23, nElo: 28.19 +/- 12.93\n\
             LOS: 100.00 %, DrawRatio: 43.35 %, PairsRatio: 1.36\n\
             Games: 2814, Points: 1480.0 (52.59 %)\n\
             Ptnml(0-2): [50, 287, 610, 387, 73]\n\
             LLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00] normalized Elo\n\n\
             H1 is accepted: "
        ),
        "{text}"
    );
    let json = place.say("sprt --penta 50 287 610 387 73 --elo0 0 --elo1 5 --json").ok().json();
    assert!((json["llr"].as_f64().expect("a number") - 2.965_941_903).abs() < 1e-6, "{json}");
    assert_eq!(json["decision"], "H1");
    for name in ["lower", "upper", "elo", "elo_error", "nelo", "nelo_error", "los"] {
        assert!(json[name].is_f64(), "{name}");
    }
}

#[test]
fn runs_are_added_and_compared() {
    let place = Place::new();
    let once = place.say("sprt --wdl 500 600 450 --elo0 0 --elo1 5 --json").ok().json();
    let twice = place.say("sprt --wdl 200 350 190 --wdl 300 250 260 --elo0 0 --elo1 5 --json").ok().json();
    assert_eq!(once["llr"], twice["llr"]);
    assert_eq!(twice["runs"], 2);
    assert!(twice["same_match"].as_f64().expect("a probability") > 0.1);
    let text = place.say("sprt --wdl 300 250 190 --wdl 190 250 300 --elo0 0 --elo1 5").ok().out();
    // The `DrawRatio` of match runners is of pairs.
    assert!(text.contains(", Drawn games: 33.78 %\n") && !text.contains("DrawRatio"), "{text}");
    assert!(text.contains("2 runs added: they do not look like the same match"), "{text}");
}

/// All ways to give the same results.
#[test]
fn pasted_results_and_blocks_are_read() {
    let place = Place::new();
    place.put("fishtest.txt", "LLR: 2.97\nTotal: 2814 W: 780 L: 634 D: 1400\nPtnml(0-2): 50, 287, 610, 387, 73\n");
    place.put("penta.txt", "Penta | [50, 287, 610, 387, 73]\r\n");
    let json =
        |args: &[&str]| place.run(["sprt", "--json", "--elo0", "0", "--elo1", "5"].iter().chain(args)).ok().json();
    let expected = json(&["--penta", "50", "287", "610", "387", "73"]);
    for args in [
        &["[50, 287, 610, 387, 73]"][..],
        &["[50,", "287,", "610,", "387,", "73]"],
        &["Ptnml(0-2): 50, 287, 610, 387, 73"],
        &["fishtest.txt"],
        &["penta.txt"],
        &["--penta", "50,287,610,387,73"],
        &["--penta", "[50, 287, 610, 387, 73]"],
    ] {
        let found = json(args);
        assert_eq!((&found["counts"], &found["llr"]), (&expected["counts"], &expected["llr"]), "{args:?}");
    }
    let wdl = json(&["W: 716 L: 591 D: 2163"]);
    assert_eq!(wdl["llr"], json(&["--wdl", "716", "2163", "591"])["llr"]);
    assert_eq!(wdl["llr"], json(&["W:", "716", "L:", "591", "D:", "2163"])["llr"]);
    let two = json(&["[1, 2, 30, 4, 5]", "[5, 4, 30, 2, 1]", "penta.txt"]);
    assert_eq!((&two["runs"], &two["counts"]), (&serde_json::json!(3), &serde_json::json!([56, 293, 670, 393, 79])));
    // A bayesian test looks at the games of the same block.
    let games = place.say("sprt fishtest.txt --elo0 0 --elo1 5 --model bayesian --json").ok().json();
    assert_eq!(games["counts"], serde_json::json!([634, 1400, 780]));
}

/// Without bounds there is no test, but Elo with its interval.
#[test]
fn elo_needs_no_bounds() {
    let place = Place::new();
    place.put("block.txt", "Games | N: 2814 W: 780 L: 634 D: 1400\nPenta | [50, 287, 610, 387, 73]");
    let text = place.say("sprt block.txt").ok().out();
    assert_eq!(
        text,
        "Elo: 18.04 +/- 8.23, nElo: 28.19 +/- 12.93\n\
         LOS: 100.00 %, DrawRatio: 43.35 %, PairsRatio: 1.36\n\
         Games: 2814, Wins: 780, Losses: 634, Draws: 1400, Points: 1480.0 (52.59 %)\n\
         Ptnml(0-2): [50, 287, 610, 387, 73]\n\n\
         Elo, as if the number of games had been fixed: 18.04 (95 % interval 9.80 to 26.28)\n\
         If the match was stopped by a test, give its --elo0 and --elo1: its Elo is too far from 0 without.\n"
    );
    let json = place.say("sprt block.txt --json").ok().json();
    for name in ["llr", "decision", "elo0", "sequential", "sequential_absent"] {
        assert!(json[name].is_null(), "{name}");
    }
    assert!(json["elo_low"].is_f64());
}

/// The bounds that stand in a block need not be typed again.
#[test]
fn the_test_is_that_of_the_block() {
    let place = Place::new();
    let counts = "Games | N: 2814 W: 780 L: 634 D: 1400\nPenta | [50, 287, 610, 387, 73]";
    place.put("block.txt", format!("LLR   | 2.97 (-2.94, 2.94) [0.00, 5.00]\n{counts}"));
    place.put("other.txt", format!("LLR   | 2.97 (-2.25, 2.89) [1.00, 3.00]\n{counts}\n"));
    let given = place.say("sprt block.txt --elo0 0 --elo1 5").ok().out();
    let read = place.say("sprt block.txt").ok().out();
    assert_eq!(
        read,
        given
            + "The test is the one printed with the results, in the scale that is named or gives the printed LLR, or \
               else in normalized Elo; --elo0 and --elo1 give another \
               test.\n"
    );
    // What this program prints is read as it was meant.
    place.put("counts.txt", counts);
    let logistic = place.say("sprt counts.txt --elo0 0 --elo1 5 --model logistic").ok().out();
    place.put("own.txt", &logistic);
    assert!(place.say("sprt own.txt").ok().out().starts_with(&logistic), "{logistic}");
    let json = place.say("sprt other.txt --json").ok().json();
    assert_eq!((&json["elo0"], &json["elo1"]), (&1.0.into(), &3.0.into()));
    let bound = |name: &str| json[name].as_f64().expect("a number");
    assert!((bound("lower") + 2.2513).abs() < 1e-3 && (bound("upper") - 2.8904).abs() < 1e-3, "{json}");
    // With small errors too; what cannot be used is said.
    for error in ["0.0015", "0.0004"] {
        let line = "sprt --penta 50 287 610 550 73 --elo0 0 --elo1 5";
        let own = place.say(&format!("{line} --alpha {error} --beta {error}")).ok().out();
        place.put("own.txt", &own);
        assert!(place.say("sprt own.txt").ok().out().starts_with(&own), "{own}");
    }
    place.put("odd.txt", format!("LLR   | 0.10 (-0.10, 900.00) [0.00, 5.00]\n{counts}\n"));
    let said = place.say("sprt odd.txt").ok().out();
    assert!(
        said.starts_with("odd.txt: the test that is printed beside these results is not used: alpha = 0 is no"),
        "{said}"
    );
    // Of several tests nobody knows which one is meant, but it is said that there are some.
    let tests = "LLR: 1.10 (-2.94, 2.94) [0.00, 5.00]\nLLR: 2.95 (-2.94, 2.94) [0.00, 3.00]\n";
    place.put("several.txt", format!("{tests}{counts}\n"));
    let several =
        "several.txt: lines 1 and 2 hold different tests, and neither is used: give the test of these results yourself";
    let said = place.say("sprt several.txt").ok().out();
    assert!(said.starts_with(several) && !said.contains("\nLLR"), "{said}");
    let json = place.say("sprt several.txt --json").ok().json();
    assert!(json["llr"].is_null() && json.to_string().contains("lines 1 and 2 hold different tests"), "{json}");
    assert!(place.say("sprt several.txt --elo0 0 --elo1 3").ok().out().contains("\nLLR"));
    place.put("unread.txt", format!("LLR: 2.95 (-2.94; 2.94) [0.00, 5.00]\n{counts}\n"));
    let said = place.say("sprt unread.txt").ok().out();
    assert!(said.starts_with("unread.txt: line 1 begins like a test, but its bounds cannot be read"), "{said}");
    // Runs that were each stopped by a test are no test together.
    let two = place.say("sprt block.txt other.txt --json").ok().json();
    assert!(two["llr"].is_null() && two["runs"] == 2, "{two}");
}

/// A match by its log, by its PGN, and by what it prints.
/// Once they were added whatever their sides: 0 Elo from two matches that the same engine won.
#[test]
fn printed_results_are_those_of_the_sides_that_they_name() {
    let place = Place::new();
    let of = |sides: [&str; 2], counts: &str| format!("Score of {} vs {}: {counts}", sides[0], sides[1]);
    place.put("one.txt", of(["new", "old"], "75 - 55 - 270 [0.525] 400"));
    place.put("turned.txt", of(["old", "new"], "60 - 80 - 260 [0.475] 400"));
    place.put("other.txt", of(["new", "newer"], "60 - 80 - 260 [0.475] 400"));
    place.put("nameless.txt", "W: 80 L: 60 D: 260");
    let counts = |line: &str| place.say(&format!("sprt {line} --json")).ok().json()["counts"].to_string();
    assert_eq!(counts("one.txt turned.txt"), "[115,530,155]");
    assert_eq!(counts("turned.txt one.txt"), "[155,530,115]");
    assert_eq!(counts("turned.txt one.txt --first new"), "[115,530,155]");
    assert_eq!(counts("one.txt nameless.txt"), "[115,530,155]");
    place
        .say("sprt one.txt other.txt")
        .fails(1, &["other.txt is a match of new and newer", "one.txt one of new and old"]);
    place.say("sprt one.txt --first other").fails(2, &["has no side \"other\""]);
    let texts = ["one.txt", "other.txt"].map(|name| String::from_utf8(place.read(name)).expect("text"));
    place
        .run(["sprt", &texts[0], &texts[1]])
        .fails(1, &["result 2 is a match of new and newer, result 1 one of new and old"]);
}

#[test]
fn a_match_is_judged_from_its_log_and_its_games() {
    let place = Place::new();
    let line = "match --engine arm=none name=new nodes=60 --engine arm=none name=old nodes=20 --openings random:6 --seed 1 \
                --games 20 --log m.jsonl --pgn m.pgn -q";
    let printed = place.say(line).ok().out();
    place.put("printed.txt", &printed);
    let json = |line: &str| place.say(&format!("sprt {line} --json")).ok().json();
    let log = json("m.jsonl");
    let (pgn, text) = (json("m.pgn"), json("printed.txt"));
    assert_eq!((&log["games"], &log["sources"][0]["sides"]), (&20.into(), &serde_json::json!(["new", "old"])));
    assert_eq!((&log["counts"], &log["sources"][0]["games"]), (&pgn["counts"], &pgn["sources"][0]["games"]));
    assert_eq!((&log["counts"], &log["sources"][0]["games"]), (&text["counts"], &text["sources"][0]["games"]));
    assert_eq!(text["sources"][0]["sides"], log["sources"][0]["sides"]);
    assert_eq!(json("printed.txt --first old")["counts"], json("m.pgn --first old")["counts"]);
    let said = place.say("sprt m.pgn").ok().out();
    assert!(said.starts_with("new against old\nm.pgn: 10 pairs by round and opening\nElo: "), "{said}");
    for file in ["m.jsonl", "m.pgn"] {
        for more in ["", "--against old"] {
            let itself = format!("sprt {file} --first new --against new {more}");
            place.say(&itself).fails(1, &["\"new\" is chosen for both sides", "choose another opponent"]);
        }
    }
    // Packed, from the other side, cut, and a game without its partner.
    let packed = zstd::encode_all(&place.read("m.jsonl")[..], 1).expect("packed");
    place.put("packed", &packed);
    assert_eq!(json("packed")["counts"], log["counts"]);
    let reversed = json("m.pgn --first old");
    let mut counts: Vec<_> = log["counts"].as_array().expect("counts").clone();
    counts.reverse();
    assert_eq!(reversed["counts"], serde_json::Value::from(counts));
    let bytes = place.read("m.jsonl");
    place.put("cut.jsonl", &bytes[..bytes.len() - 20]);
    let cut = json("cut.jsonl");
    assert_eq!(
        (&cut["games"], &cut["sources"][0]["remarks"][0]),
        (&18.into(), &"the last pair is unfinished and not counted".into())
    );
    let games = String::from_utf8(place.read("m.pgn")).expect("text");
    let second = games[1..].find("[Event ").expect("a second game") + 1;
    place.put("alone.pgn", &games[second..]);
    let alone = json("alone.pgn");
    assert_eq!(alone["games"], 18);
    let remarks = &alone["sources"][0]["remarks"];
    assert_eq!(remarks[2], "1 game left out, without a partner: game 1 (round 1.2)");
    // The first game of all is missing, in which the other side had White.
    assert!(remarks[0].as_str().is_some_and(|remark| remark.contains("old is taken for the first side")), "{remarks}");
    // What must not be added.
    place.put("copy.jsonl", &bytes);
    place
        .say("sprt m.jsonl copy.jsonl")
        .fails(1, &["copy.jsonl holds the same as m.jsonl: its games would be counted twice"]);
    place.put("packed.pgn.gz", crate::collect::gzip(games.as_bytes()));
    place.say("sprt m.pgn packed.pgn.gz").fails(1, &["packed.pgn.gz holds the same as m.pgn"]);
    // Whatever its length, what is no results is told so soon and in little memory.
    for (name, byte) in [("blanks.zst", b' '), ("digits.zst", b'7')] {
        let endless = std::io::Read::take(std::io::repeat(byte), (128 << 20) + 1);
        place.put(name, zstd::encode_all(endless, 1).expect("packed"));
        place
            .say(&format!("sprt {name}"))
            .fails(1, &[&format!("{name}: longer than 128 MiB, and no PGN"), "give its last lines"]);
    }
    place.put("other.pgn", games.replace("\"old\"", "\"older\""));
    place
        .say("sprt m.jsonl other.pgn")
        .fails(1, &["other.pgn is a match of new and older, m.jsonl one of new and old"]);
    place
        .say("sprt m.pgn --first older")
        .fails(2, &["--first: m.pgn has no side \"older\"; it has \"new\" and \"old\""]);
    place.put("three.pgn", games.replacen("\"old\"", "\"older\"", 1));
    place.say("sprt three.pgn").fails(
        1,
        &[
            "three.pgn: expected the games of two engines, found 3 engines",
            "  drawish sprt three.pgn --first new --against old\n  drawish sprt three.pgn --first new --against all",
        ],
    );
    // Of the two whom "new" meets, "old" has more games; "old" and "older" have none.
    place.say("sprt three.pgn --first older").fails(1, &["drawish sprt three.pgn --first older --against new\n"]);
    place.say("sprt three.pgn --first old").fails(1, &["drawish sprt three.pgn --first old --against new\n"]);
    place
        .say("sprt three.pgn --first new --against olde")
        .fails(2, &["--against: three.pgn: no engine is called \"olde\""]);
    place.say("sprt three.pgn --against old").fails(2, &["--first"]);
    let all = place.say("sprt three.pgn --first new --against all").ok().out();
    assert!(all.starts_with("new against all others\nthree.pgn: taken together: old ("), "{all}");
    place
        .say("sprt m.jsonl --first new --against older")
        .fails(2, &["--first, --against: m.jsonl has no side \"older\""]);
    let text = String::from_utf8(bytes).expect("text");
    place.put("damaged.jsonl", text.replacen("1-0", "0-1", 1));
    place
        .say("sprt damaged.jsonl")
        .fails(1, &["damaged.jsonl: line ", "is damaged", "remove it and all lines after it"]);
    place.put("demo.counts", b"DRAWCNT\0");
    place.say("sprt demo.counts").fails(1, &["demo.counts: "]);
    place.put("empty.txt", "");
    place.say("sprt empty.txt").fails(1, &["empty.txt: no results found"]);
    place.put("bad.txt", "one\nPtnml(0-2): [1, 2, 3]\n");
    place.say("sprt bad.txt").fails(1, &["bad.txt: line 2: expected five counts of pairs"]);
}

/// Two opponents met from the same openings, in one file or each in one of its own: text, JSON and errors are those of dependent pairs.
#[test]
fn opponents_in_files_of_their_own_share_their_openings() {
    let place = Place::new();
    let game = |white: &str, black: &str, round: &str, fen: &str, result: &str, moves: &str| {
        format!(
            "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n\
             1. {moves} {result}\n\n"
        )
    };
    let (mut one, mut two) = (String::new(), String::new());
    for number in 0..40_u32 {
        let fen = format!("4k3/pppppppp/8/8/{}P{}/8/8/4K3 w - - 0 1", number % 7 + 1, 6 - number % 7)
            .replace("P0/", "P/")
            .replace("8/8/4K3", &format!("8/{}/4K3", ["8", "N7", "1N6", "2N5", "3N4", "5N2"][number as usize / 7]));
        // What an opening gives it gives against both.
        let [first, second] = if number % 3 == 0 { ["0-1", "1-0"] } else { ["1-0", "0-1"] };
        for (text, other, moves) in [(&mut one, "b", "Kd1"), (&mut two, "c", "Kf1")] {
            *text += &game("a", other, &format!("{}.1", number + 1), &fen, first, moves);
            *text += &game(other, "a", &format!("{}.2", number + 1), &fen, second, moves);
        }
    }
    place.put("one.pgn", &one);
    place.put("two.pgn", &two);
    place.put("both.pgn", one + &two);
    let all = |files: &str| format!("sprt {files} --first a --against all --equivalence 300");
    let [apart, whole] =
        ["one.pgn two.pgn", "both.pgn"].map(|files| place.say(&format!("{} --json", all(files))).json());
    for figure in ["counts", "elo", "elo_error", "elo_low", "elo_high", "nelo_error", "los", "equivalence"] {
        assert_eq!(apart[figure], whole[figure], "{figure}");
    }
    let pooled = place.say("sprt --penta 28 0 0 0 52 --json").json();
    let ratio = apart["elo_error"].as_f64().zip(pooled["elo_error"].as_f64()).map(|(own, other)| own / other);
    assert!(ratio.is_some_and(|ratio| (1.45..1.6).contains(&ratio)), "{ratio:?} of two pairs an opening");
    let out = place.say(&all("one.pgn two.pgn")).ok().out();
    let (error, low) = (apart["elo_error"].as_f64().expect("a number"), apart["elo_low"].as_f64().expect("a number"));
    for said in [
        "two.pgn: with the sources before it 80 pairs from 40 openings: errors by opening",
        &format!(" +/- {error:.2}, nElo"),
        &format!("(95 % interval {low:.2} to "),
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    place
        .say(&format!("{} --elo0 0 --elo1 5", all("one.pgn two.pgn")))
        .fails(2, &["a sequential test is of two engines", "choose one opponent"]);
}

#[test]
fn a_plan_is_made_in_both_scales_and_in_hours() {
    let place = Place::new();
    let line = "sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60 --elo 0 2 --games-per-hour 1000 --equivalence 3";
    let text = place.say(line).ok().out();
    assert!(
        text.starts_with("[0.00, 5.00] normalized Elo, [0.00, 3.04] logistic Elo; the bounds are normalized\n"),
        "{text}"
    );
    assert!(text.contains("hours)"), "{text}");
    let json = place.say(&format!("{line} --json")).ok().json();
    let figure = |name: &str| json["prospects"][1][name].as_f64().expect(name);
    assert!((figure("expected_hours") * 1000.0 / figure("expected_games") - 1.0).abs() < 1e-12);
    // The two scales agree: the ratio of the true difference to the upper bound is the same in both, near equality.
    let upper = |name: &str| json[name][1].as_f64().expect(name);
    assert!((figure("nelo") / upper("normalized") - figure("elo") / upper("logistic")).abs() < 1e-4, "{json}");
    let logistic =
        place.say("sprt plan --elo0 0 --elo1 3 --model logistic --draw-ratio 0.6 --bias 60 --json").ok().json();
    assert_eq!(logistic["logistic"], serde_json::json!([0.0, 3.0]));
    assert!((logistic["normalized"][1].as_f64().expect("a bound") - 4.97).abs() < 0.05, "{logistic}");
    assert!(logistic["prospects"][0]["expected_hours"].is_null());
}

/// Games that one side has lost on time were once evidence without a word, and of a pipe the beginning was lost.
#[cfg(unix)]
#[test]
fn faults_are_named_and_pipes_are_read_from_their_beginning() {
    let place = Place::new();
    let game = |round: u32, players: [&str; 2], result: &str| {
        let [white, black] = players;
        let line = ["1. e4 e5", "1. d4 d5", "1. c4 c5"][round as usize % 3];
        format!(
            "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [Termination \"time forfeit\"]\n\n{line} {{{}}} {result}\n\n",
            "x".repeat(1000)
        )
    };
    let pair = |round| game(round, ["new", "old"], "1-0") + &game(round, ["old", "new"], "0-1");
    place.put("games.pgn", (1..=10).map(pair).collect::<String>());
    let of_file = place.say("sprt games.pgn").ok().out();
    let said =
        "games.pgn: old lost 20 of 20 games by a fault (time, a crash or an illegal move), which count like any other";
    assert!(of_file.contains(said), "{of_file}");
    let mut command = place.command(["sprt", "/dev/stdin"]);
    let mut child =
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().expect("a child");
    let mut pipe = child.stdin.take().expect("a pipe");
    let games = place.read("games.pgn");
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &games));
    let output = child.wait_with_output().expect("an output");
    writer.join().expect("a writer").expect("written");
    let of_pipe = String::from_utf8_lossy(&output.stdout).replace("/dev/stdin", "games.pgn");
    assert_eq!(of_pipe, of_file);
}

/// Results against several opponents differ by choice: what is between them is neither an error nor another match.
#[test]
fn runs_against_several_opponents_are_compared_within_each() {
    let place = Place::new();
    for (name, opponent, score) in [
        ("weak.txt", "weak", "70 - 10 - 40"),
        ("again.txt", "weak", "64 - 14 - 42"),
        ("strong.txt", "strong", "14 - 70 - 36"),
        ("short.txt", "strong", "1 - 1 - 2"),
        ("other.txt", "strong", "70 - 14 - 36"),
    ] {
        place.put(name, format!("Score of new vs {opponent}: {score}\n"));
    }
    let say = |files: &str| place.say(&format!("sprt {files} --first new --against all")).ok().out();
    let two = say("weak.txt strong.txt");
    assert!(two.starts_with("new against all others\n") && !two.contains("runs added"), "{two}");
    let three = say("weak.txt strong.txt again.txt");
    assert!(three.contains("3 runs added, compared within each opponent: no sign that they differ (p ="), "{three}");
    let short = say("weak.txt strong.txt short.txt");
    let unknown =
        "3 runs added, compared within each opponent: whether they fit together is not known, they are too short";
    assert!(short.contains(unknown), "{short}");
    let four = say("weak.txt strong.txt again.txt short.txt");
    assert!(
        four.contains("4 runs added, compared within each opponent, 1 result too short to tell: no sign"),
        "{four}"
    );
    let other = say("weak.txt strong.txt other.txt");
    assert!(
        other.contains("compared within each opponent: they do not look like the same match (p < 0.0001"),
        "{other}"
    );
    let json = |line: &str| place.say(&format!("sprt {line} --json")).ok().json();
    let together = json("weak.txt strong.txt --first new --against all");
    assert!(together["same_match"].is_null() && together["too_short_runs"] == 0, "{together}");
    // The error of two means of independent games, by the slope of Elo at an even score less than 0.004 off.
    let [error, as_one] =
        [&together, &json("--wdl 84 76 80")].map(|json| json["elo_error"].as_f64().expect("an error"));
    assert!(error < 0.87 * as_one && error > 0.7 * as_one, "{error} {as_one}");
    place
        .say("sprt weak.txt strong.txt --first new --against all --elo0 0 --elo1 5")
        .fails(2, &["choose one opponent, or leave out the test"]);
}
