//! `drawish relevance` as a user runs it: the article's figures, real games, and files that are broken or odd.

use std::num::NonZero;
use std::path::Path;

use drawish::estimate::read_evaluated;
use drawish::pgn::{Style, expand_inputs};
use serde_json::{Value, json};

use crate::run::{Done, Place, shared};

const ARTICLE: &str = "--e75 2 --eplus 3 --result 0.85";

fn eval(options: &str) -> Value {
    Place::new().say(&format!("relevance eval --json {options}")).ok().json()
}

/// A number of the JSON, as the article rounds it.
fn rounded(value: &Value, name: &str, decimals: usize) -> String {
    format!("{:.decimals$}", value[name].as_f64().unwrap_or_else(|| panic!("{name} in {value}")))
}

#[test]
fn figures_of_the_article() {
    for (high, expected) in [("15", "2.64"), ("18", "2.65"), ("1000", "2.65")] {
        let white = eval(&format!("--high {high} --low 0 {ARTICLE} --side white"));
        assert_eq!(rounded(&white, "relevant_difference", 2), expected);
        assert_eq!(white["absolute_difference"], high.parse::<f64>().expect("a number"));
        let turned = eval(&format!("--high 0 --low -{high} {ARTICLE}"));
        assert_eq!(turned["relevant_difference"], white["relevant_difference"]);
        let black = eval(&format!("--high -{high} --low 0 {ARTICLE} --side black"));
        assert_eq!(black["relevant_difference"], white["relevant_difference"]);
        assert_eq!(black["optimum_rate"], white["optimum_rate"]);
    }
    let form = eval(&format!("--high 15 --low 0 {ARTICLE}"));
    assert_eq!(rounded(&form, "irrelevance_start", 3), "15.477");
    assert_eq!(form["irrelevance_start_sector"], 3);
    assert_eq!((&form["low_result_white"], &form["low_result_black"]), (&json!(0.5), &json!(0.5)));
    assert_eq!(rounded(&form, "high_result_white", 4), "0.9988");
    assert_eq!(rounded(&form, "high_result_black", 4), "0.0012");
    // 0.75 e(=0.75) is the first sector, and what is kept of it all by a move that leads to 0 is a half.
    let first = eval(&format!("--high 2 --low 0 {ARTICLE}"));
    assert_eq!(first["relevant_difference"], 1.5);
    assert_eq!((&first["high_result_white"], &first["high_result_black"]), (&json!(0.75), &json!(0.25)));
    assert_eq!(eval(&format!("--high M3 --low 0 {ARTICLE}"))["optimum_rate"], 0.5);
    // One decimal more, one place further.
    let finer = eval(&format!("--high 15 --low 0 {ARTICLE} --decimals 3"));
    let further = finer["irrelevance_start"].as_f64().expect("a number") - 15.477;
    assert!((further - 10.0_f64.ln() * 3.0 / -0.3_f64.ln()).abs() < 0.001);
}

#[test]
fn the_form_in_words() {
    let out = Place::new().say(&format!("relevance eval --high 15 --low 0 {ARTICLE} --side white")).ok().out();
    for line in [
        "absolute difference  15.00",
        "relevant difference  2.64  (49.9 % of 5.30 from minus to plus infinity)",
        "optimum rate         50.06 %",
        "irrelevance starts   at +-15.477, in sector 3, with 2 decimals",
        "move sevenths           !!      ??",
        "nine-by-result         ++-       =",
        "!!  $3            2.97      3.30",
        "??  $4            0.84      0.72",
        "nine-by-result        0.31     1.03     2.00     3.00",
    ] {
        assert!(out.lines().any(|found| found == line), "{line:?} in\n{out}");
    }
}

#[test]
fn centipawns_in_the_place_of_pawns_are_doubted() {
    let place = Place::new();
    for (line, said) in [
        ("relevance eval --high 150 --low 0", "150 is read as pawns; if these are centipawns, give 1.50"),
        ("relevance eval --high 0 --low -240", "-240 is read as pawns; if these are centipawns, give -2.40"),
        ("relevance thresholds --eval 35", "35 is read as pawns"),
    ] {
        assert!(place.say(line).ok().err().contains(said), "{line}");
    }
    for line in ["relevance eval --high 15 --low -M3", "relevance thresholds --eval 25.6"] {
        assert_eq!(place.say(line).ok().err(), "", "{line}");
    }
}

#[test]
fn thresholds_in_words_and_numbers() {
    let place = Place::new();
    let options = "--eval -0.30 --e75 1.50 --eplus 3.00 --result 0.875";
    let value = place.say(&format!("relevance thresholds {options} --json")).ok().json();
    let brilliant = |scheme: &str| {
        let row = &value["moves"]["white"][scheme][0];
        assert_eq!((&row["symbol"], &row["unicode"], &row["nag"]), (&json!("!!"), &json!("‼"), &json!(3)));
        rounded(row, "from", 2)
    };
    // What the article's equations give; its text has 1.52 and 1.62, see the test of the move symbols.
    assert_eq!((brilliant("sevenths"), brilliant("eighths")), ("1.89".to_owned(), "2.08".to_owned()));
    let clear = &value["positions"]["nine-by-result"][4];
    assert_eq!((&clear["symbol"], &clear["nag"], &clear["from"]), (&json!("+-"), &json!(18), &json!(1.5)));
    let far = place.say("relevance thresholds --eval 10 --json").ok().json();
    assert_eq!(far["moves"]["white"]["sevenths"][0]["from"], Value::Null);
    let black = place.say("relevance thresholds --eval 10 --json --side black").ok().json();
    assert_eq!(black["moves"], json!({ "black": far["moves"]["black"] }));
    let text = place.say("relevance thresholds --eval 10").ok().out();
    assert!(text.contains("!!  $3           -----     -----"), "{text}");
}

#[test]
fn bad_parameters_and_evaluations_are_wrong_usage() {
    let place = Place::new();
    for (options, said) in [
        ("--e75 3 --eplus 2", "e(>0.75) is 2 and e(=0.75) is 3: expected e(>0.75) to be the larger of the two"),
        ("--e75 6.27", "give all three: those left out are the defaults --e75 1.50 --eplus 3.00 --result 0.8750"),
        ("--e75 20.195714 --eplus 15.16", "e(>0.75) is 15.16 and e(=0.75) is 20.2: expected"),
        ("--e75 3 --eplus 3", "expected e(>0.75) to be the larger of the two"),
        ("--e75 0", "e(=0.75) is 0: expected more than 0"),
        ("--e75 -1", "e(=0.75) is -1: expected more than 0"),
        ("--e75 nan", "e(=0.75) is NaN: expected a finite number"),
        ("--eplus inf", "e(>0.75) is inf: expected a finite number"),
        ("--result 0.75", "the result at e(>0.75) is 0.75: expected more than 0.75 and less than 1"),
        ("--result 1", "the result at e(>0.75) is 1: expected more than 0.75 and less than 1"),
        ("--result x", "invalid value 'x' for '--result <POINTS>'"),
    ] {
        place.say(&format!("relevance eval --high 1 --low 0 {options}")).fails(2, &[said]);
        place.say(&format!("relevance thresholds {options}")).fails(2, &[said]);
    }
    for (evaluations, said) in [
        ("--high 0 --low 1", "for a move of White the low one must not be the larger one; swap them"),
        ("--high 1 --low 0 --side black", "for a move of Black the low one must not be the smaller one"),
        ("--high x --low 0", "expected pawns from White's view like 1.25 or -0.3, or a mate like M5"),
        ("--high inf --low 0", "expected pawns from White's view"),
        ("--high M --low 0", "expected pawns from White's view"),
        ("--high 1", "--low <PAWNS>"),
    ] {
        place.say(&format!("relevance eval {evaluations}")).fails(2, &[said]);
    }
    let mates = eval("--high M5 --low #-3");
    assert_eq!((&mates["high"], &mates["absolute_difference"]), (&Value::Null, &Value::Null));
    assert_eq!((&mates["high_result_white"], &mates["low_result_white"]), (&json!(1.0), &json!(0.0)));
    assert_eq!(eval("--high -M5 --low -M5")["optimum_rate"], Value::Null);
}

/// A made-up match: A has White and its own evaluations, in the style of a runner.
fn runner_game(result: &str, of_a: &str, of_b: &str) -> String {
    format!(
        "[Event \"match\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. e4 {{{of_a}}} e5 {{{of_b}}} {result}\n\n"
    )
}

#[test]
fn estimate_by_hand() {
    let place = Place::new();
    let draw = |of_a: &str| runner_game("1/2-1/2", of_a, "-0.10/9 1s");
    let text = [
        runner_game("1-0", "+9.00/9 1s", "-9.00/9 1s"),
        runner_game("1-0", "+8.00/9 1s", "-9.00/9 1s"),
        draw("+1.50/9 1s"),
        draw("+0.80/9 1s"),
        draw("+0.20/9 1s"),
        runner_game("0-1", "+1.00/9 1s", "+0.30/9 1s"),
    ];
    place.put("games.pgn", text.concat());
    let of_a = place.say("relevance estimate games.pgn --player ^A$ --json").ok().json();
    assert_eq!(
        ["games", "wins", "draws", "losses", "without_evaluations"].map(|name| of_a[name].as_u64().expect("a count")),
        [6, 2, 3, 1, 0]
    );
    // Two wins; 1.50 drawn and 1.00 lost: (2 + 1/2) / 4 points, corrected to 1.00 / (1 - 1/2).
    assert_eq!(
        (&of_a["e75"], &of_a["e75_corrected"], &of_a["max_without_win"]),
        (&json!(1.0), &json!(2.0), &json!(1.5))
    );
    let pair = json!({ "evaluation": 1.5, "result": 2.5 / 3.0, "without_win": 1, "losses": 0 });
    assert_eq!((&of_a["pairs"][0], &of_a["nearest_pair"]), (&pair, &pair));
    assert_eq!(of_a["pairs"][1], json!({ "evaluation": 1.0, "result": 0.625, "without_win": 2, "losses": 1 }));
    assert_eq!(of_a["players"].as_array().map(Vec::len), Some(1));
    // B's own evaluations of its draws and losses are not above 0.
    let of_b = place.say("relevance estimate games.pgn --player B --json").ok().json();
    assert_eq!((&of_b["wins"], &of_b["e75"], &of_b["max_without_win"]), (&json!(1), &Value::Null, &json!(-0.1)));
    // Everybody: both sides of each game.
    let all = place.say("relevance estimate games.pgn --json").ok().json();
    assert_eq!([&all["games"], &all["wins"], &all["draws"], &all["losses"]], [6, 3, 6, 3]);
    assert_eq!(all["e75"], 0.8);
    // One judge of all positions saw A at 8 and 9 pawns from B's moves, too, and B at -0.30 in its win.
    let judged = place.say("relevance estimate games.pgn --player A --evals analyst --json").ok().json();
    assert_eq!((&judged["max_without_win"], &judged["wins"]), (&json!(1.5), &json!(2)));
    let no_draws = place.say("relevance estimate games.pgn --bootstrap 0 --json --player A").ok().json();
    assert_eq!(no_draws["e75_interval"], Value::Null);
    // So few games would be the same ones again and again.
    let why = "2 won and 4 not won are too few, 5 of each are needed";
    assert_eq!((&of_a["e75_interval"], &of_a["no_intervals"]), (&Value::Null, &json!(why)));
    let said = place.say("relevance estimate games.pgn --player ^A$").ok().out();
    assert!(said.contains(&format!("no intervals: {why}")) && !said.contains("  ("), "{said}");
    // Parameters that so few games give are not to be trusted.
    let won = |of_a: &str| runner_game("1-0", of_a, "-9.00/9 1s");
    place.put("few.pgn", won("+9.00/9 1s") + &won("+9.10/9 1s") + &draw("+3.00/9 1s") + &draw("+1.50/9 1s"));
    let said = place.say("relevance estimate few.pgn --player ^A$").ok().out();
    let doubt =
        "parameters, not to be trusted: --e75 1.50 --eplus 3.00 --result 0.8333\n  2 won and 2 not won are too few";
    assert!(said.contains(doubt), "{said}");
    let each = place.say("relevance estimate few.pgn").ok().out();
    assert!(each.contains("1.50?") && each.contains("\n? not to be trusted: "), "{each}");
    let doubts = place.say("relevance estimate few.pgn --player ^A$ --json").ok().json();
    assert_eq!(doubts["not_to_be_trusted"], json!(["2 won and 2 not won are too few, 5 of each are needed"]));
    // The same games again are no further ones.
    place.put("again.pgn", text.concat().repeat(3));
    let again = place.say("relevance estimate again.pgn --player ^A$ --json").ok();
    assert!(
        again.err().contains("left out: 12 games with the players, moves, evaluations and result of an earlier one")
    );
    assert_eq!((&again.json()["games"], &again.json()["e75_interval"]), (&json!(6), &Value::Null));
    assert_eq!(again.json()["reading"]["left_out"]["repeated"], 12);
    let others = |depth: &str| text.clone().map(|game| game.replace("0/9 1s", &format!("{depth}/9 1s")));
    let enough = ["0", "1", "2"].map(others).concat();
    // All begin with the same moves.
    place.put("same.pgn", enough.concat());
    let same = place.say("relevance estimate same.pgn --player ^A$ --json").ok().json();
    let why =
        "6 won from 1 opening and 12 not won from 1 opening are too few, 5 of each from different openings are needed";
    assert_eq!((&same["e75_interval"], &same["no_intervals"]), (&Value::Null, &json!(why)));
    let first = "a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3".split(' ');
    let enough = enough.iter().zip(first).map(|(game, first)| game.replace("1. e4", &format!("1. {first}")));
    place.put("enough.pgn", enough.collect::<String>());
    let enough = place.say("relevance estimate enough.pgn --player ^A$ --json").ok().json();
    assert!(enough["e75_interval"]["low"].as_f64().is_some() && enough["no_intervals"].is_null(), "{enough}");
    let again = place.say("relevance estimate games.pgn --player ^A$ --json -j 1").ok().json();
    assert_eq!(again, of_a, "the seed decides, not the threads");
}

/// Who begins stands in the second field of the FEN, however far it is from the first.
#[test]
fn blanks_in_a_fen_exchange_no_colours() {
    let place = Place::new();
    let game = |gap: &str| {
        format!(
            "[Event \"e\"]\n[White \"W\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n\
             [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR{gap}b KQkq - 0 1\"]\n\n\
             1... e5 {{+PAWNS.90/20 1s}} 2. Nf3 {{-0.80/20 1s}} Nc6 {{+1.30/20 1s}} 0-1\n\n"
        )
    };
    let estimated = |gap: &str| {
        place.put("a.pgn", (0..12).map(|pawns| game(gap).replace("PAWNS", &pawns.to_string())).collect::<String>());
        let done = place.say("relevance estimate a.pgn --bootstrap 0");
        done.out() + &done.err()
    };
    let usual = estimated(" ");
    assert!(usual.contains("12"), "{usual}");
    for gap in ["  ", "\t", " \t "] {
        assert_eq!(estimated(gap), usual);
    }
}

#[test]
fn estimate_tells_what_is_missing_or_odd() {
    let place = Place::new();
    place.put("games.pgn", runner_game("1-0", "+9.00/9 1s", "-M3/9 1s") + &runner_game("*", "0.1/9", "0.1/9"));
    place
        .say("relevance estimate games.pgn --player C")
        .fails(1, &["no player's name matches C; among the names are A, B"]);
    place.say("relevance estimate games.pgn --event open").fails(1, &["an event that matches open"]);
    place.say("relevance estimate games.pgn --player (").fails(2, &["--player <REGEX>"]);
    place.say("relevance estimate none.pgn").fails(1, &["none.pgn", "check the name"]);
    let out = place.say("relevance estimate games.pgn --player A").ok().out();
    assert!(out.contains("no parameters: 1 win and 0 games without a win"), "{out}");
    assert!(out.contains("until then `drawish relevance annotate` takes the default parameters"), "{out}");
    place
        .say("relevance games.pgn -o x.pgn")
        .fails(2, &["unrecognized subcommand", "drawish relevance annotate games.pgn"]);
    assert!(out.contains("Left out: 1 game without a result."), "{out}");
    place.put("bare.pgn", "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n");
    place.say("relevance estimate bare.pgn").fails(1, &["no evaluation of these players", "{[%eval 0.35]}"]);
    // Two styles, an open brace in the middle, and a game behind it that is still found; a mate not won.
    let lichess =
        "[Event \"b\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. e4 { [%eval #3] } e5 1/2-1/2\n\n";
    let open = "[Event \"c\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.50/9 1s} e5 {open 1-0\n\n";
    place.put("odd.pgn", runner_game("1-0", "+1.00/9", "0.00/9") + open + lichess);
    let odd =
        place.say("relevance estimate odd.pgn --player A --json").fails(1, &["odd.pgn: 1 game had been swallowed"]);
    assert!(odd.err().contains("odd.pgn: game 2: a comment without a closing brace"), "{}", odd.err());
    assert!(odd.err().contains("odd.pgn: evaluations of more than one style"), "{}", odd.err());
    let value = odd.json();
    assert_eq!([&value["games"], &value["wins"], &value["draws"]], [3, 2, 1]);
    assert_eq!((&value["max_without_win"], &value["max_without_win_is_mate"]), (&Value::Null, &json!(true)));
    assert_eq!(value["reading"]["evaluations"], json!({ "runner": 3, "lichess": 1, "tcec": 0 }));
    // Broken in the middle: what stands before it is used.
    let packed = zstd::encode_all(runner_game("1-0", "+1.00/9", "0.00/9").repeat(400).as_bytes(), 3).expect("packed");
    place.put("cut.pgn.zst", &packed[..packed.len() - 9]);
    place.say("relevance estimate cut.pgn.zst --player A").fails(1, &["cut.pgn.zst: ", "none of it is used"]);
}

/// The article's table: superfinal of season 12, Stockfish, 29 wins, 1.48 and 0.52; of season 10, Houdini, 15 and 2.00.
/// Its 0.66 for Houdini is neither the counted 0.61 nor the corrected 0.65, and its text has 0.57 for the same games.
#[test]
fn superfinals() {
    let estimate = |path: &Path, player: &str| {
        let place = Place::new();
        let mut command = place.command(["relevance", "estimate", "--json", "--player", player]);
        Done(command.arg(path).output().expect("the program runs")).ok().json()
    };
    let Some(season12) = shared("data/tcec-season12-superfinal.pgn.zst") else { return };
    let stockfish = estimate(&season12, "Stockfish");
    assert_eq!(
        ["games", "wins", "draws", "losses"].map(|name| stockfish[name].as_u64().expect("a count")),
        [100, 29, 62, 9]
    );
    assert_eq!((&stockfish["max_without_win"], &stockfish["e75"]), (&json!(1.48), &json!(0.52)));
    let Some(season10) = shared("data/tcec-season10-superfinal.pgn.zst") else { return };
    let houdini = estimate(&season10, "Houdini");
    assert_eq!((&houdini["wins"], &houdini["max_without_win"]), (&json!(15), &json!(2.0)));
    assert_eq!((&houdini["e75"], rounded(&houdini, "e75_corrected", 2)), (&json!(0.61), "0.65".to_owned()));
}

/// The text without what the annotator adds.
fn without_additions(text: &[u8]) -> Vec<u8> {
    let added = regex::bytes::Regex::new(r"(?-u) \$(?:[1-6]|1[0-9]|2[01])\b| \{\[%expected [01]\.\d{3}\]\}")
        .expect("a pattern");
    added.replace_all(text, &b""[..]).into_owned()
}

const EVERYTHING: &str = "--positions nine-equal --results";

/// Comments behind a semicolon end with their line, so that what is added to them begins the next one, which may be escaped or a tag.
#[test]
fn no_line_loses_the_sign_that_begins_it() {
    let place = Place::new();
    let text =
        "[Event \"a\"]\n\n1. e4 ; +0.30/12\n% 1... c5 {\ne5 ; -0.30/12\n2. Nf3 ; +0.31/12\n[Event \"b\"]\n\n1. d4 *\n";
    place.put("in.pgn", text);
    let out = place.say("relevance annotate in.pgn -o - --results -q --moves none").ok().out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(out.matches("[%expected").count(), 3, "{out}");
    for line in ["% 1... c5 {", "[Event \"b\"]"] {
        assert!(lines.contains(&line), "{line}: {out}");
    }
    assert!(lines.contains(&"2. Nf3 ; +0.31/12"), "{out}");
}

#[test]
fn annotate_by_hand() {
    let place = Place::new();
    // An analyst: after 1... f6 White's advantage goes from 0.3 to 1.0 and with 2... g5 to mate.
    let text = "[Event \"a\"]\r\n\r\n1. e4 {[%eval 0.3]} f6 ( 1... e5 {[%eval 0.3]} ) {[%eval 1.0]}\r\n2. d4! {[%eval 9.0]} g5 $14 {[%eval #1]} 3. Qh5# 1-0\r\n";
    place.put("in.pgn", text);
    place.say("relevance annotate in.pgn -o out.pgn --positions nine-by-result --results").ok();
    assert_eq!(
        String::from_utf8_lossy(&place.read("out.pgn")),
        "[Event \"a\"]\r\n\r\n1. e4 $14 {[%eval 0.3]} {[%expected 0.550]} f6 $6 $16 ( 1... e5 {[%eval 0.3]} ) {[%eval 1.0]} {[%expected 0.667]}\r\n\
         2. d4! $20 {[%eval 9.0]} {[%expected 0.992]} g5 $14 {[%eval #1]} {[%expected 1.000]} 3. Qh5# 1-0\r\n"
    );
    // The players: Black's move is judged by White's evaluations around it, White's by Black's. After 1... f6 White
    // goes from 0.3 to 2.0; after 2. d4 Black goes, from its own side, from -1.0 to +1.0.
    let text = "1. e4 {+0.30/9 1s} f6 {-1.00/9 1s} 2. d4 {+2.00/9 1s} g5 {+1.00/9 1s} 3. Qh5# 1-0\n";
    place.put("in.pgn", text);
    std::fs::remove_file(place.path("out.pgn")).expect("an output");
    place.say("relevance annotate in.pgn -o out.pgn").ok();
    assert_eq!(
        String::from_utf8_lossy(&place.read("out.pgn")),
        "1. e4 {+0.30/9 1s} f6 $2 {-1.00/9 1s} 2. d4 $4 {+2.00/9 1s} g5 $3 {+1.00/9 1s} 3. Qh5# 1-0\n"
    );
    // The same by eighths, of which the mistake misses the second.
    place.say("relevance annotate in.pgn -o out.pgn --moves eighths").ok();
    assert!(String::from_utf8_lossy(&place.read("out.pgn")).contains("f6 $6 {"));
    let summary = place.say("relevance annotate in.pgn -o out.pgn --json").ok().json();
    assert_eq!(summary["parameters_are_default"], true);
    for (options, are_default) in [("", true), ("--e75 1.4", false)] {
        let said = place.say(&format!("relevance annotate in.pgn -o out.pgn {options}")).ok().out();
        assert_eq!(said.contains(" 3.00: default parameters, not estimated from your games\n"), are_default, "{said}");
    }
    assert_eq!([&summary["games"], &summary["moves"], &summary["evaluated"]], [1, 5, 4]);
    assert_eq!(summary["parameters"], json!({ "e75": 1.5, "e_plus": 3.0, "result": 0.875 }));
    assert_eq!([&summary["moves_by"], &summary["evaluations_of"]], ["sevenths", "auto"]);
    let by_analyst = place.say("relevance annotate in.pgn -o out.pgn --e75 2 --evals analyst").ok().out();
    assert!(
        by_analyst.contains("at 2.00 pawns") && by_analyst.contains("style runner: 4, taken as one analyst's"),
        "{by_analyst}"
    );
    assert_eq!(
        summary["symbols"],
        json!([{ "symbol": "!!", "nag": 3, "added": 1 }, { "symbol": "?", "nag": 2, "added": 1 }, { "symbol": "??", "nag": 4, "added": 1 }])
    );
    // To standard output, with the summary beside it.
    let piped = place.say("relevance annotate in.pgn --moves none").ok();
    assert_eq!(
        (piped.out().as_str(), piped.err().as_str()),
        (
            text,
            "1 game, 5 moves, 4 of them with an evaluation\n  expected score 0.75 at 1.50 pawns, 0.8750 at 3.00: default parameters, \
             not estimated from your games\n  \
             symbols for moves: none, for positions: none\n  \
             evaluations of style runner: 4, taken as each player's own: a move is judged by the opponent's\n"
        )
    );
}

/// Runners write an evaluation of 0.00 where an engine says nothing, and a move seems to lose all, the next to win it back.
#[test]
fn annotate_judges_no_move_by_placeholders() {
    let place = Place::new();
    for placeholder in ["{0.00/0 0.000s}", "{0.00/1 0.01s}", "{ev=0.00, d=1, mt=00:00:00, wv=0.00,}"] {
        let game = |comment: &str| {
            format!(
                "1. e4 {{+3.10/20 1s}} e5 {{-3.00/20 1s}} 2. Nf3 {{+3.10/20 1s}} Nc6 {comment} 3. Bb5 {{+3.10/20 1s}} a6 {{-3.00/20 1s}} 1-0\n"
            )
        };
        place.put("in.pgn", game(placeholder));
        assert_eq!(place.say("relevance annotate in.pgn -q").ok().out(), game(placeholder));
        place.put("in.pgn", game(placeholder).repeat(10));
        let said = place.say("relevance annotate in.pgn").ok().err();
        assert!(said.contains("10 evaluations are 0.00 at depth 0 or 1"), "{said}");
        // A search that ends with 0.00 is judged.
        place.put("in.pgn", game("{0.00/9 1s}"));
        assert!(place.say("relevance annotate in.pgn -q").ok().out().contains('$'));
    }
}

#[test]
fn annotating_twice_changes_nothing() {
    let Some(games) = shared("data/lichess-sample.pgn.zst") else { return };
    let place = Place::new();
    let run = |from: &Path, to: &str| {
        let mut command = place.command(["relevance", "annotate", "-q", "-o", to]);
        Done(command.arg(from).args(EVERYTHING.split(' ')).output().expect("the program runs")).ok();
        place.read(to)
    };
    let once = run(&games, "once.pgn");
    assert_eq!(run(&place.path("once.pgn"), "twice.pgn"), once);
    let original = zstd::decode_all(&std::fs::read(&games).expect("the file")[..]).expect("unpacked");
    assert!(once.len() > original.len());
}

/// What is not added is as it was, byte by byte, in every file of the corpora: nasty ones, real ones, made ones.
#[test]
fn nothing_but_additions() {
    let place = Place::new();
    let mut texts = vec![
        b"[Event \"a\"]\r\r1. e4 {+0.30/9} e5 {-0.30/9} 2. d4 {+1.30/9} *\r".to_vec(),
        b"\xef\xbb\xbf[Event \"a\"]\n\n1. e4 {0.30/9 \xfc} e5{0.30/9}2.d4{9.30/9}*".to_vec(),
        b"{".to_vec(),
        b"1. e4 {+0.30/9".to_vec(),
        // Bytes that are no text are refused at the beginning only.
        [&b"{"[..], &[b'x'; 600], b"} \0\0 1. e4 } ) {+0.3/9} e5 {-0.3/9} \0"].concat(),
    ];
    // Bare carriage returns are not mended, nor are games lost where the text is cut.
    texts.push(b"[Event \"a\"]\r\r1. e4 {+0.30/9} e5 {-0.30/9} 2. d4 {+1.30/9} *\r\r".repeat(20_000));
    for name in ["data/hard-pgn", "data/tcec-season12-superfinal.pgn.zst", "data/engine-rustyrival2026-train.pgn.zst"] {
        let Some(path) = shared(name) else { continue };
        let files: Vec<_> = if path.is_dir() {
            path.read_dir().expect("a directory").flatten().map(|entry| entry.path()).collect()
        } else {
            vec![path]
        };
        for file in files {
            let bytes = std::fs::read(&file).expect("the file");
            let is_packed = file.extension().is_some_and(|ending| ending == "zst");
            texts.push(if is_packed { zstd::decode_all(&bytes[..]).expect("unpacked") } else { bytes });
        }
    }
    for text in texts {
        place.put("in.pgn", &text);
        let _ = std::fs::remove_file(place.path("out.pgn")); // Of the text before.
        let mut command = place.command(["relevance", "annotate", "in.pgn", "-q", "-o", "out.pgn"]);
        let done = Done(command.args(EVERYTHING.split(' ')).output().expect("the program runs"));
        // Only what is no PGN at all ends with an error, and that is copied, too.
        assert!(done.code() == 0 || done.err().contains("no game found") || text.is_empty(), "{}", done.err());
        let out = place.read("out.pgn");
        let beginning = text[..text.len().min(80)].escape_ascii().to_string();
        assert!(without_additions(&out) == without_additions(&text), "{beginning}");
    }
}

/// The annotator's own scanner of bytes finds the games and evaluations that the reader of all other rooms finds.
#[test]
fn the_scanner_and_the_reader_agree() {
    for (name, games) in [
        ("tcec-frc", 5_350),
        ("engine-rustyrival2026-train", 1_277),
        ("lichess-sample", 438),
        ("twic1599-sample", 1_110),
        ("tcec-season10-superfinal", 100),
    ] {
        let Some(path) = shared(&format!("data/{name}.pgn.zst")) else { return };
        let place = Place::new();
        let mut command = place.command(["relevance", "annotate", "-o", "out.pgn", "--json"]);
        let scanned = Done(command.arg(&path).output().expect("the program runs")).ok().json();
        let inputs = expand_inputs(&[path]).expect("the file");
        let reading = read_evaluated(inputs, None, NonZero::<usize>::MIN, |_| true, |_, _| {}, &|_bytes, _games| {});
        assert_eq!((&scanned["games"], reading.games), (&json!(games), games), "{name}");
        assert_eq!(scanned["evaluated"], reading.styles.iter().sum::<u64>(), "{name}");
        let styles = Style::ALL.map(|style| scanned["evaluations"][style.name()].as_u64().expect("a count"));
        assert_eq!((styles, &scanned["mates"]), (reading.styles, &json!(reading.mates)), "{name}");
        assert_eq!((&scanned["broken_games"], reading.open_comments.len()), (&json!([]), 0), "{name}");
    }
}

#[test]
fn annotate_goes_on_behind_what_is_broken() {
    let place = Place::new();
    let game = |event: &str, tail: &str| {
        format!("[Event \"{event}\"]\n\n1. e4 {{[%eval 0.3]}} f6 {{[%eval 3.0]}} 2. d4 {{[%eval 0.0]{tail} *\n\n")
    };
    place.put("in.pgn", game("a", "}") + &game("b", "") + &game("c", "} ( 2. d3") + &game("d", "}"));
    let done = place.say("relevance annotate in.pgn -o out.pgn").ok();
    for said in
        ["in.pgn: game 2: a comment without its closing brace", "game 3: a variation without its closing parenthesis"]
    {
        assert!(done.err().contains(said), "{}", done.err());
    }
    let out = String::from_utf8_lossy(&place.read("out.pgn")).into_owned();
    // The symbol of f6 needs only what stands before the break.
    assert_eq!((out.matches("f6 $").count(), out.matches("d4 $").count()), (4, 3), "{out}");
    // Mixed styles and absent evaluations.
    place.put("mixed.pgn", "1. e4 {[%eval 0.3]} e5 {-#0} 2. d4 {+0.3/9} d5 {wv=0.1} *\n");
    let mixed = place.say("relevance annotate mixed.pgn -o mixed-out.pgn").ok();
    assert!(
        mixed.err().contains(
            "evaluations: 1 of style runner, 1 of style lichess, 1 of style tcec; each is read by its own rule"
        ),
        "{}",
        mixed.err()
    );
    // In pawns, since the one before the first move has decimals.
    place.put("whole.pgn", "[Event \"a\"]\n\n{[%eval 0.2]} 1. e4 {[%eval 3]} e5 {[%eval 3]} *\n");
    place.put("decimal.pgn", "[Event \"a\"]\n\n1. e4 {[%eval 3.0]} e5 {[%eval 3.0]} *\n");
    let annotated = ["whole", "decimal"].map(|name| {
        place.say(&format!("relevance annotate {name}.pgn -o {name}-out.pgn --results -q")).ok();
        let text = String::from_utf8_lossy(&place.read(&format!("{name}-out.pgn"))).replace("3.0]", "3]");
        text.replace("{[%eval 0.2]} ", "")
    });
    assert_eq!(annotated[0], annotated[1]);
    place.put("bare.pgn", "1. e4 e5 *\n");
    assert!(place.say("relevance annotate bare.pgn -o bare-out.pgn").ok().err().contains("no evaluation found"));
    // Cut off in the middle: the part that is there is annotated, the exit code tells.
    let packed = zstd::encode_all(game("a", "}").repeat(400).as_bytes(), 3).expect("packed");
    place.put("cut.pgn.zst", &packed[..packed.len() - 9]);
    place
        .say("relevance annotate cut.pgn.zst -o cut-out.pgn")
        .fails(1, &["cut.pgn.zst", "what stands before it is annotated"]);
}

/// Comments to the end of the line are comments; what is added stands behind their line, not in it.
#[test]
fn annotate_reads_comments_to_the_end_of_the_line() {
    let place = Place::new();
    let head = "[Event \"a\"]\n[Result \"1-0\"]\n\n";
    let braces =
        format!("{head}1. e4 {{+0.30/20 1s}} e5 {{-0.10/20 1s}}\n2. Nf3 {{+5.10/11 2s}}\nNc6 {{-5.10/11 2s}}\n1-0\n");
    let lines = braces.replace("3 {+5.10/11 2s}", "3 ; +5.10/11 2s").replace("6 {-5.10/11 2s}", "6 ; -5.10/11 2s");
    let annotated = |text: &str, ending: &str| {
        place.put("in.pgn", text.replace('\n', ending));
        place.put("out.pgn", "");
        // The second time in the place of the first.
        for _ in 0..2 {
            let done = place.say("relevance annotate in.pgn -o out.pgn --results --json").ok().json();
            assert_eq!(done["evaluated"], 4, "{done}");
        }
        let out = String::from_utf8(place.read("out.pgn")).expect("text");
        for line in out.lines().filter(|line| line.contains("; ")) {
            assert!(line.ends_with("2s"), "{line}");
        }
        out.replace(ending, "\n")
    };
    let without = |text: &str| text.replace(['{', '}', ';', ' ', '\n'], "");
    let (one, other) = (annotated(&braces, "\n"), annotated(&lines, "\n"));
    assert_eq!(without(&one), without(&other));
    assert_eq!(other.matches("[%expected").count(), 4, "{other}");
    assert_eq!(annotated(&lines, "\r\n"), other);
}

/// An earlier annotation of the same games is replaced, any other file is not.
#[test]
fn annotate_keeps_other_files() {
    let place = Place::new();
    let game = |event: &str| {
        format!("[Event \"{event}\"]\n[Result \"1-0\"]\n\n1. e4 {{+0.30/9 1s}} e5 {{-0.30/9 1s}} 1-0\n\n")
    };
    place.put("in.pgn", game("a") + &game("b"));
    place.put("other.pgn", game("b"));
    place.put("notes.txt", "read me");
    place.put("dense.pgn", "1.e4{+0.30/9}e5{-0.30/9}2.Nf3{+5.00/9}1-0\n");
    for _ in 0..2 {
        place.say("relevance annotate dense.pgn -o dense-out.pgn --results -q").ok();
    }
    place.say("relevance annotate dense.pgn -o OUT.PGN.GZ").fails(1, &["the output is not compressed"]);
    place.put("empty.pgn", "");
    for to in ["out.pgn", "out.pgn", "empty.pgn"] {
        place.say(&format!("relevance annotate in.pgn -o {to} --results -q")).ok();
        assert!(String::from_utf8(place.read(to)).expect("text").contains("%expected"), "{to}");
    }
    // Less than a whole input takes the place of nothing.
    let before = place.read("out.pgn");
    place.put("nothing.pgn", "");
    let packed = zstd::encode_all(game("a").repeat(400).as_bytes(), 3).expect("packed");
    place.put("cut.pgn.zst", &packed[..packed.len() - 9]);
    place.put("whole.pgn", game("a").repeat(400));
    place.say("relevance annotate whole.pgn -o out-of-whole.pgn --results -q").ok();
    let whole = place.read("out-of-whole.pgn");
    for (from, to) in [("nothing.pgn", "out.pgn"), ("cut.pgn.zst", "out-of-whole.pgn")] {
        place
            .say(&format!("relevance annotate {from} -o {to}"))
            .fails(1, &["it holds an earlier annotation, and the input is cut"]);
    }
    assert!(place.read("out.pgn") == before && place.read("out-of-whole.pgn") == whole);
    // A file of original games, of which the input has the first ones.
    place.put("original.pgn", (0..400).map(|number| game(&number.to_string())).collect::<String>());
    place.put("first.pgn", (0..390).map(|number| game(&number.to_string())).collect::<String>());
    let original = place.read("original.pgn");
    place.say("relevance annotate first.pgn -o original.pgn").fails(1, &["it holds other games beside the first ones"]);
    assert!(place.read("original.pgn") == original);
    // The same tags, other moves.
    place.put("moves.pgn", game("a").replace("e5", "c5"));
    for to in ["other.pgn", "notes.txt", "moves.pgn"] {
        let before = place.read(to);
        let said =
            format!("{to} cannot be written: it holds something else, which is not replaced: choose another name");
        place.say(&format!("relevance annotate in.pgn -o {to}")).fails(1, &[&said]);
        assert_eq!(place.read(to), before);
    }
}

#[test]
fn annotate_refuses_what_would_lose_something() {
    let place = Place::new();
    place.put("in.pgn", "1. e4 *\n");
    place.say("relevance annotate in.pgn -o in.pgn").fails(1, &["in.pgn is an input and would be overwritten"]);
    place.say("relevance annotate in.pgn -o out.pgn.zst").fails(1, &["the output is not compressed"]);
    place.say("relevance annotate in.pgn -o no/out.pgn").fails(1, &["no/out.pgn cannot be written"]);
    place.say("relevance annotate none.pgn -o out.pgn").fails(1, &["none.pgn", "check the name"]);
    place.say("relevance annotate in.pgn -o out.pgn --e75 4").fails(2, &["expected e(>0.75) to be the larger"]);
    assert!(!place.path("out.pgn").exists());
}

/// What the article claims, that its three parameters tell results better than one sigmoid, holds on TCEC games, by
/// little; the draw model may be better by less. Its way of counting the parameters is far from the best ones.
#[test]
fn compare_on_real_games() {
    let Some(games) = shared("data/tcec-train.pgn.zst") else { return };
    let place = Place::new();
    let compare = |threads: &str| {
        let mut command = place.command(["relevance", "compare", "--json", "-j", threads]);
        Done(command.arg(&games).output().expect("the program runs")).ok().json()
    };
    let value = compare("1");
    assert_eq!(
        (&value["games"], &value["grouped_by"], &value["groups"]),
        (&json!(17_452), &json!("events"), &json!(548))
    );
    let of = |name: &str| {
        let forms = value["forms"].as_array().expect("a list").iter();
        forms.clone().find(|form| form["name"] == name).unwrap_or_else(|| panic!("{name}"))
    };
    let number = |name: &str, field: &str| of(name)[field].as_f64().expect("a number");
    assert!(number("pawn-advantage", "difference_low") > 0.0005 && number("pawn-advantage", "difference_high") < 0.005);
    assert!(number("draw-model", "difference_bits") < 0.0 && number("draw-model", "difference_low") > -0.003);
    assert!(number("draw-model", "difference_high") < 0.001);
    assert!(number("relevance-counted", "difference_low") > 0.005);
    for name in ["pawn-advantage", "wdl", "draw-model", "wdl-by-outcomes", "relevance-counted"] {
        let difference = number(name, "log_loss_bits") - number("relevance", "log_loss_bits");
        assert!((difference - number(name, "difference_bits")).abs() < 1e-9, "{name}");
    }
    assert!(number("relevance", "calibration_error") < 0.01);
    let positions: u64 = of("relevance")["calibration"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|bin| bin["positions"].as_u64())
        .sum();
    assert_eq!(value["positions"], positions);
    // A sixth of the evaluations of this corpus are mates or beyond ten pawns, or belong to games without a result.
    let reading = &value["reading"];
    assert_eq!(reading["left_out"]["termination"], 180);
    let all: u64 = reading["evaluations"].as_object().expect("a map").values().filter_map(Value::as_u64).sum();
    assert!(positions + value["left_out"].as_u64().expect("a count") <= all);
    assert_eq!(compare("2"), value, "threads change nothing");
}

#[test]
fn compare_tells_what_is_missing() {
    let place = Place::new();
    place.put("games.pgn", runner_game("1-0", "+9.00/9 1s", "-M3/9 1s"));
    place.say("relevance compare games.pgn").fails(1, &["1 games with evaluations make 1 groups: expected at least 5"]);
    place.say("relevance compare games.pgn --folds 1").fails(2, &["--folds <N>"]);
    place.say("relevance compare games.pgn --limit 0").fails(2, &["--limit <PAWNS>"]);
    // No draws and no losses of those who are ahead: the article's counting tells nothing and is left out.
    // Each by another move, since games with the same ones are one group.
    let first = "a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4 Na3 Nc3 Nf3".split(' ');
    let wins = first.zip(1..).map(|(san, pawns)| {
        let game = runner_game("1-0", &format!("+{pawns}.00/9 1s"), &format!("-{pawns}.00/9 1s"));
        game.replace("1. e4", &format!("1. {san}"))
    });
    place.put("wins.pgn", wins.collect::<String>());
    let value = place.say("relevance compare wins.pgn --group game --json").ok().json();
    let names: Vec<_> =
        value["forms"].as_array().expect("a list").iter().filter_map(|form| form["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "relevance",
            "pawn-advantage",
            "pawn-advantage-k4",
            "wdl",
            "wdl-by-outcomes",
            "draw-model",
            "draw-model-by-outcomes"
        ]
    );
    // Of A alone only its own evaluations count; an analyst's all.
    let of_a = place.say("relevance compare wins.pgn --group game --player ^A$ --json").ok().json();
    assert_eq!((&value["positions"], &of_a["positions"]), (&json!(20), &json!(10)));
    let judged = place.say("relevance compare wins.pgn --group game --player A --evals analyst --json").ok().json();
    assert_eq!(judged["positions"], value["positions"]);
    place.say("relevance compare wins.pgn --player C").fails(1, &["0 games with evaluations"]);
    let text = place.say("relevance compare wins.pgn --group game").ok().out();
    assert!(
        text.starts_with(
            "20 evaluations of 10 games, 5 folds of 10 games; 18 evaluations beyond 10 pawns or mates left out"
        ),
        "{text}"
    );
}
