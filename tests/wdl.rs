//! `drawish wdl`: counts against scoreWDLstat, fits against independent solvers and known truths, and every bad input
//! with its outcome.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Done, Place, shared};
use drawish::wdl::WdlFile;

/// Runs `wdl collect --json` on files and checks that the account adds up.
#[track_caller]
fn collect(place: &Place, line: &str, files: &[&Path]) -> Value {
    let mut command = place.command(["wdl", "collect", "--json"]);
    command.args(files).args(line.split_whitespace());
    adds_up(Done(command.output().expect("the program runs")).ok().json())
}

#[track_caller]
fn adds_up(summary: Value) -> Value {
    let sum = |list: &Value| {
        list.as_object().expect("reasons").values().map(|count| count.as_u64().expect("a count")).sum::<u64>()
    };
    let count = |name: &str| summary[name].as_u64().expect("a count");
    assert_eq!(count("games"), count("counted") + sum(&summary["skipped"]));
    assert_eq!(count("half_moves"), count("positions") + sum(&summary["dropped"]));
    summary
}

/// The counts of a JSON file of scoreWDLstat's kind.
fn entries(bytes: &[u8]) -> Vec<(String, u64)> {
    let value: Value = serde_json::from_slice(bytes).expect("JSON");
    let object = value.as_object().into_iter().flatten();
    object.map(|(key, count)| (key.clone(), count.as_u64().expect("a count"))).collect()
}

fn positions(bytes: &[u8]) -> u64 {
    entries(bytes).iter().map(|entry| entry.1).sum()
}

const FOUR_EVALS: &str = "1. e4 {+0.35/18 1.2s} e5 {-0.30/18 1.2s} 2. Nf3 {+0.40/18 1.2s} Nc6 {-0.35/17 1.0s} 1-0\n\n";

fn game(tags: &str, moves: &str) -> String {
    format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n{tags}\n{moves}\n")
}

#[test]
fn a_small_file_cell_by_cell() {
    let place = Place::new();
    let mate = "1. e4 {+M5/18 1.2s} d5 {-#3} 2. exd5 {+0.53/9 0.1s} Qxd5 {-152.35/20 3s} 0-1\n\n";
    let text = game("", FOUR_EVALS) + &game("[TimeControl \"60+0.6\"]\n", mate);
    let file = place.put("a.pgn", text);
    let summary = collect(&place, "-o a.json -o a.wdl", &[&file]);
    assert_eq!((&summary["games"], &summary["positions"]), (&json!(2), &json!(8)));
    assert_eq!(summary["noticed"]["result-token-differs"], 1, "the tag is 1-0");
    let expected = [
        ("('L', 1, 78, -1001)", 1),
        ("('L', 1, 78, -30)", 1),
        ("('L', 2, 77, -1000)", 1),
        ("('L', 2, 78, -35)", 1),
        ("('W', 1, 78, 1001)", 1),
        ("('W', 1, 78, 35)", 1),
        ("('W', 2, 78, 40)", 1),
        ("('W', 2, 78, 55)", 1),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
    assert_eq!(entries(&place.read("a.json")), expected);
    place.say("wdl collect a.pgn -o b.json --truncate --bin-width 1 -q").ok();
    assert!(entries(&place.read("b.json")).contains(&("('W', 2, 78, 52)".to_owned(), 1)), "0.53 is cut to 52");
    // A .wdl file gives the same counts again.
    let fit = "--no-errors --material-min 1 --eval-max 4000 --move-max 200 --normalize-to-pawn-value 100 --model-fitting None";
    let of = |name: &str| place.say(&format!("wdl fit {name} {fit}")).ok().out().replace(name, "");
    assert_eq!(of("a.wdl"), of("a.json"));
}

/// Every file of scoreWDLstat's study of comment styles keeps its games, and all of its evaluations that stand beside a
/// position: games read, games counted, positions.
#[test]
fn every_comment_style() {
    let Some(directory) = shared("golden/wdl/comment-styles") else { return };
    let usual = |name: &str| match name {
        "plain" | "crlf" | "longtag" | "noblank" | "noresulttag" | "noresulttoken" | "premovecomment" => 16,
        "semicolon" => 15,
        // The token Zz9 is no move, so that its evaluation has no position.
        "promo_noeq" => 15,
        "frc_lower" | "frc_novariant" => 13,
        // One comment is text; an analyst's is of the position behind the move, where the player's own counts.
        "textcomment" | "lichesseval" => 13,
        "star" | "timeforfeit" => 12,
        "wrapped_20games" => 2_809,
        _ => 14,
    };
    let mut files = 0;
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let place = Place::new();
        let summary = collect(&place, "-o x.json", &[&path]);
        let games = if name == "wrapped_20games" { 20 } else { 4 };
        let counted = if ["star", "timeforfeit"].contains(&name.as_str()) { 3 } else { games };
        assert_eq!((&summary["games"], &summary["counted"]), (&json!(games), &json!(counted)), "{name}");
        assert_eq!(summary["positions"], usual(&name), "{name}");
        assert_eq!(positions(&place.read("x.json")), usual(&name), "{name}");
        files += 1;
        let noticed = |what: &str| summary["noticed"][what].as_u64().expect("a count");
        match name.as_str() {
            "star" => assert_eq!(summary["skipped"]["no-result"], 1),
            "timeforfeit" => assert_eq!(summary["skipped"]["termination"], 1),
            "noresulttag" => assert_eq!(noticed("result-from-token"), 1),
            "textcomment" => assert_eq!(summary["dropped"]["no-eval"], 1),
            "promo_noeq" => assert_eq!(noticed("second-evals"), 1),
            "illegal" => assert_eq!(
                summary["cut_games"],
                json!([{ "input": path.display().to_string(), "game": 2, "at": "1... e4" }])
            ),
            _ => assert_eq!(summary["dropped"]["illegal-move"], 0, "{name}"),
        }
    }
    assert_eq!(files, 32);
}

/// Positions with little material whose a has a pole between them and the anchor: the curve may be a worse one, but it has values.
#[test]
fn rational_curves_have_no_pole_before_the_anchor() {
    let place = Place::new();
    let mut counts = serde_json::Map::new();
    for material in 17..=40 {
        let (a, b) = (100.0 / (1.0 - 1.2 * f64::from(material) / 58.0), 60.0);
        for eval in (-390..=390).step_by(30) {
            let share = |distance: f64| 1.0 / (1.0 + (distance / b).exp());
            let (win, loss) = (share(a - f64::from(eval)), share(a + f64::from(eval)));
            for (result, share) in [("W", win), ("D", 1.0 - win - loss), ("L", loss)] {
                let positions = (20_000.0 * share).round() as u64;
                if positions > 0 {
                    counts.insert(format!("('{result}', 30, {material}, {eval})"), json!(positions));
                }
            }
        }
    }
    place.put("pole.json", serde_json::Value::Object(counts).to_string());
    let fit = "wdl fit pole.json --mom-type material --material-min 17 --normalize-to-pawn-value 100 --shape rational";
    let said = place.say(fit).ok();
    assert!(!said.out().contains("NaN") && !said.err().contains("NaN"), "{}{}", said.err(), said.out());
    let fitted = place.say(&format!("{fit} --json")).ok().json();
    assert!(fitted["pawn_value"].is_number() && fitted["draw_rate_at_0"].is_number(), "{fitted}");
    assert!(fitted["curve"].as_array().expect("rows").iter().all(|row| row["a"].is_number() && row["b"].is_number()));
}

/// The comments of the corpus as games: each verb that reads evaluations finds them in the same ones.
#[test]
fn the_corpus_of_comments() {
    let corpus = include_str!("../crates/games/tests/comments.tsv").lines().filter(|line| !line.starts_with("# "));
    let (mut games, mut evaluations) = (String::new(), 0);
    for line in corpus {
        let (answer, comment) =
            line.split_once('\t').and_then(|(_, rest)| rest.split_once('\t')).expect("three columns");
        let comment = comment.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
        games += &game("", &format!("1. e4 {{{comment}}} e5 1-0\n\n"));
        evaluations += u64::from(answer != "none");
    }
    let place = Place::new();
    let games = place.put("comments.pgn", games);
    assert_eq!(collect(&place, "-o x.json", &[&games])["positions"], evaluations);
    let annotated = place.say("relevance annotate comments.pgn -o out.pgn --json").ok().json();
    assert_eq!(annotated["evaluated"], evaluations);
}

/// A player's evaluation is of the position from which it has moved, an analyst's of the one that the move has reached.
#[cfg(feature = "frames")]
#[test]
fn an_analysts_evaluation_is_of_the_position_behind_the_move() {
    let place = Place::new();
    let moves = "1. e4 {[%eval 0.3]} e5 {[%eval 0.25]} 2. Qh5 {[%eval -0.3]} Nc6 {[%eval -0.4]} 3. Qxe5+ {[%eval -8.5]} Nxe5 \
        {[%eval -8.4]} 0-1\n\n";
    place.put("analysed.pgn", game("", moves).replace("1-0", "0-1"));
    let rows = "positions analysed.pgn --sample every --from 1 --min-moves 0 -o rows.csv -q";
    place.say(rows).ok();
    let rows = String::from_utf8(place.read("rows.csv")).expect("text");
    let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = header.iter().position(|name| *name == "eval_cp").expect("a column");
    let evals: Vec<&str> = lines.map(|line| line[column]).collect();
    assert_eq!(evals, ["", "30", "25", "-30", "-40", "-850"]);
    let counted = collect(&place, "-o analysed.json", &[&place.path("analysed.pgn")]);
    assert_eq!((&counted["positions"], &counted["dropped"]["no-eval"]), (&json!(5), &json!(1)), "{counted}");
    let cells: serde_json::Value = serde_json::from_slice(&place.read("analysed.json")).expect("JSON");
    let mut cells: Vec<&String> = cells.as_object().expect("cells").keys().collect();
    cells.sort();
    // White, who loses, is at -40 before the blunder; Black wins with 850 behind it.
    let expected =
        ["('L', 2, 78, 25)", "('L', 3, 78, -40)", "('W', 1, 78, -30)", "('W', 2, 78, 30)", "('W', 3, 77, 850)"];
    assert_eq!(cells, expected);
    // Where the player says something as well, that counts.
    let both = game("", "1. e4 {[%eval 0.3]} e5 {-0.10/12 1s} 2. Qh5 {+0.20/9 1s [%eval -0.3]} Nc6 1-0\n\n");
    place.put("analysed.pgn", both);
    place.say("positions analysed.pgn --sample every --from 1 --min-moves 0 -o rows.csv -q").ok();
    let rows = String::from_utf8(place.read("rows.csv")).expect("text");
    let evals: Vec<&str> = rows.lines().skip(1).map(|line| line.split(',').nth(column).expect("it")).collect();
    assert_eq!(evals, ["", "10", "20", ""]);
}

/// What scoreWDLstat says about the same games.
#[test]
fn the_golden_games_are_counted_as_scorewdlstat_counts_them() {
    let Some(games) = shared("golden/wdl/tcec_fc.pgn.gz") else { return };
    let place = Place::new();
    let cut = collect(&place, "-o cut.json --truncate", &[&games]);
    assert_eq!((&cut["positions"], &cut["counted"]), (&json!(482_864), &json!(3_775)));
    // XXH3-128 of the file that scoreWDLstat (c7756b3, g++ 12) wrote for these games: every cell and every byte.
    let (digest, length) = drawish::pgn::file_digest(&place.path("cut.json")).expect("a file");
    assert_eq!((format!("{digest:032x}").as_str(), length), (SCOREWDLSTAT_JSON, 6_867_450));
    let exact = collect(&place, "-o exact.wdl -j 1", &[&games]);
    assert_eq!(exact["positions"], 482_864);
    collect(&place, "-o replayed.wdl -j 2 --replay", &[&games]);
    assert!(place.read("exact.wdl") == place.read("replayed.wdl"), "one thread or two, tracked or replayed");
    let stockfish = collect(&place, "-o sf.json --match-engine Stockfish.*", &[&games]);
    assert_eq!(stockfish["positions"].as_u64().map(|count| count > 30_000), Some(true));
}

/// Set by the run of scoreWDLstat named above.
const SCOREWDLSTAT_JSON: &str = "6db77232b97d7ca9f6f185fd65f4a889";

/// The board that follows moves as written, and the full replay, on every game with evaluations.
#[test]
fn the_board_and_its_twin_on_every_corpus() {
    for file in [
        "tcec-train",
        "tcec-frc",
        "tcec-season10-superfinal",
        "tcec-season12-superfinal",
        "engine-rustyrival2026-train",
        "lichess-sample",
    ] {
        let Some(path) = shared(&format!("data/{file}.pgn.zst")) else { return };
        let place = Place::new();
        let tracked = collect(&place, "-o tracked.wdl", &[&path]);
        let replayed = collect(&place, "-o replayed.wdl --replay", &[&path]);
        assert_eq!(tracked, replayed, "{file}");
        assert!(place.read("tracked.wdl") == place.read("replayed.wdl"), "{file}");
        assert_eq!(tracked["noticed"]["games-cut-at-illegal-move"], 0, "{file}");
    }
}

/// The name of an input takes one line, whatever it holds.
#[cfg(unix)]
#[test]
fn names_of_inputs_stay_in_their_line() {
    let place = Place::new();
    place.put("a\nrule b.pgn", game("", "1. d4 {0.10/9} d5 {0.20/9}"));
    place.run(["wdl", "collect", "a\nrule b.pgn", "-o", "a.wdl", "-q"]).ok();
    let out = place.say("inspect a.wdl").ok().out();
    assert!(out.contains("a\\u{a}rule b.pgn\n"), "{out}");
    place.run(["collect", "a\nrule b.pgn", "-o", "a.counts", "-q"]);
    if place.path("a.counts").exists() {
        let out = place.say("inspect a.counts").ok().out();
        assert!(out.contains("a\\u{a}rule b.pgn"), "{out}");
    }
}

#[test]
fn games_from_fens_count_with_and_without_the_option_of_the_other_verbs() {
    let place = Place::new();
    let fen = "[SetUp \"1\"]\n[FEN \"4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\"]\n";
    place.put("a.pgn", game(fen, "1. d4 {0.10/9} d5 {0.20/9}"));
    place.say("wdl collect a.pgn -o a.wdl -q").ok();
    place.say("wdl collect a.pgn -o b.wdl -q --fen-starts").ok();
    assert_eq!(place.read("a.wdl"), place.read("b.wdl"));
}

#[test]
fn variants_are_counted_together_or_apart() {
    let place = Place::new();
    let fen = "[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n";
    let from = |variant: &str| game(&format!("{variant}{fen}"), "9. Nf3 {+0.1/1 1s} 1-0\n\n");
    let text = [
        game("", FOUR_EVALS),
        game("[Variant \"Normal\"]\n", FOUR_EVALS),
        game("[Variant \"chess\"]\n", FOUR_EVALS),
        // No tag says so, but only Chess960 castles like this.
        from(""),
        from("[Variant \"fischerandom\"]\n"),
        from("[Variant \"chess960\"]\n"),
        game("[Variant \"Atomic\"]\n", FOUR_EVALS),
    ];
    let file = place.put("a.pgn", text.concat());
    for (variant, counted, positions) in [("any", 6, 15), ("standard", 3, 12), ("chess960", 3, 3)] {
        let summary = collect(&place, &format!("-o x.json --variant {variant}"), &[&file]);
        assert_eq!((&summary["counted"], &summary["positions"]), (&json!(counted), &json!(positions)), "{variant}");
        assert_eq!(summary["skipped"]["variant"], 7 - counted);
    }
}

#[test]
fn move_counters_are_repaired_from_a_list() {
    let place = Place::new();
    let position = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let with = |counters: &str| game(&format!("[FEN \"{position} {counters}\"]\n"), "1. Nf3 {+0.35/18 1.2s} 1-0\n\n");
    let other = game("[FEN \"8/8/8/8/8/8/K6P/7k w - - 0 1\"]\n", "1. h4 {+0.35/18 1.2s} 1-0\n\n");
    let file = place.put("a.pgn", with("0 1") + &with("3 20") + &other);
    place.put("book.epd", format!("{position} 0 9\n{position} 0 7\nsome other line\n"));
    let summary = collect(&place, "-o x.json --fixFENsource book.epd", &[&file]);
    assert_eq!(summary["skipped"]["fen-not-found"], 1);
    assert_eq!(summary["noticed"]["counters-repaired"], 1);
    let keys: Vec<_> = entries(&place.read("x.json")).into_iter().map(|entry| entry.0).collect();
    assert_eq!(keys, ["('W', 20, 78, 35)", "('W', 7, 78, 35)"]);
    // As Notepad writes it, and with the line ends of old programs.
    place.put("odd.epd", format!("\u{feff}{position} 0 7\r8/8/8/8/8/8/8/K1k5 w - - 0 30\r"));
    let summary = collect(&place, "-o x.json --fix-fen-source odd.epd", &[&file]);
    assert_eq!(summary["noticed"]["counters-repaired"], 1);
    place.put("none.epd", "no position\n");
    place
        .say("wdl collect a.pgn -o x.json --fix-fen-source none.epd")
        .fails(1, &["none.epd", "list of positions", "six fields"]);
}

#[test]
fn repeated_evaluations_and_engines_can_be_left_out() {
    let place = Place::new();
    let line = "1. Nf3 {+1.50/9 1s} Nf6 {0.00/9 1s} 2. Ng1 {+1.50/9 1s} Ng8 {0.00/9 1s} 3. Nf3 {+1.50/9 1s} Nf6 {0.00/9 1s} 4. Ng1 {+1.49/9 1s} Ng8 {0.00/9 1s} 1-0\n\n";
    let file = place.put("a.pgn", game("", line));
    let summary = collect(&place, "-o x.json --drop-repeated 3", &[&file]);
    assert_eq!((&summary["dropped"]["repeated-eval"], &summary["positions"]), (&json!(1), &json!(7)));
    for (pattern, positions) in [("A", 4), ("A|B", 8), ("[AB]", 8)] {
        let summary = collect(&place, &format!("-o x.json --matchEngine {pattern}"), &[&file]);
        assert_eq!(summary["positions"], positions, "{pattern}");
    }
    // A part of a name is not the name; nothing counted is a failure that is explained.
    place.put("b.pgn", game("", line).replace("\"A\"", "\"AAA\""));
    let before = place.read("x.json");
    place.say("wdl collect b.pgn -o x.json --match-engine A").fails(
        1,
        &[
            "no position was counted",
            "Names found: AAA, B",
            "--match-engine must match a White or Black tag as a whole",
        ],
    );
    assert_eq!(place.read("x.json"), before);
    // Each engine has a scale of its own.
    let mixed = "\nevaluations of 2 engines are mixed: A, B (see --match-engine)\n";
    assert!(place.say("wdl collect a.pgn -o x.json").ok().out().contains(mixed));
    assert!(!place.say("wdl collect a.pgn -o x.json --match-engine B").ok().out().contains("mixed"));
    place.say("wdl collect b.pgn -o x.json --match-engine (").fails(1, &["--match-engine (", "regular expression"]);
}

/// As Fritz writes them: the style is that of match runners, the view is White's. Nothing is guessed, but every verb that reads
/// evaluations warns.
#[test]
fn evaluations_from_the_other_view_are_warned_of() {
    let place = Place::new();
    let moves = "1. e4 {2.50/20 384} e5 {2.60/24 400 (Nf3)} 2. Nf3 {2.71/20 12} Nc6 {2.70/21 9} 3. Bb5 {2.80/20 31} a6 {2.90/22 5} \
                 4. Ba4 {2.95/20 8} Nf6 {3.01/21 17} 5. O-O {3.11/20 7} Be7 {3.20/22 8} 6. Re1 {3.30/20 6} b5 {3.33/19 5} 1-0\n";
    place.put("fritz.pgn", format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves}"));
    // The same with Black's signs turned round.
    let turned = moves
        .split(" {")
        .enumerate()
        .map(|(at, part)| if at > 0 && at % 2 == 0 { format!("-{part}") } else { part.to_owned() });
    let turned = turned.collect::<Vec<_>>().join(" {");
    place.put("turned.pgn", format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{turned}"));
    let warning = "fritz.pgn: 11 of 11 pairs of successive evaluations beyond a pawn, in style runner, contradict each other from the view \
                   of the side that moved, as which they are read: it is probably White's, as Fritz and annotators write them, and those \
                   behind Black's moves have the wrong sign; name that view (docs/guides/wdl.md says how) and start again, or leave \
                   the file out";
    for verb in [
        "wdl collect fritz.pgn turned.pgn -o x.json",
        "wdl head fritz.pgn turned.pgn -o head.toml",
        "relevance estimate fritz.pgn turned.pgn",
        "relevance annotate fritz.pgn -o annotated.pgn",
    ] {
        let said = place.say(verb);
        assert!(said.err().contains(warning) && !said.err().contains("turned.pgn: "), "{verb}: {}", said.err());
    }
    let summary = place.say("wdl collect fritz.pgn turned.pgn -o x.json --json").json();
    let pairs = |at: usize| summary["evaluation_evidence"][at]["pairs"]["runner"].clone();
    assert_eq!(
        (pairs(0), pairs(1)),
        (json!({ "contradict": 11, "agree": 0 }), json!({ "contradict": 0, "agree": 11 }))
    );
    // Read from White's view they are what the turned ones are from that of the side that moved.
    let read = |verb: &str, begin: &str| {
        [("fritz.pgn", "white"), ("turned.pgn", "auto"), ("turned.pgn", "mover")].map(|(games, view)| {
            let said = place.say(&format!("{} --eval-view {view}", verb.replace('@', games)));
            assert!(!said.err().contains("contradict"), "{verb}: {}", said.err());
            let out = if verb.contains("json") { "out.json" } else { "out.pgn" };
            let found = String::from_utf8(place.read(out)).expect("text");
            found.split(begin).skip(1).map(|part| part[..12].to_owned()).collect::<Vec<_>>()
        })
    };
    for (verb, begin) in
        [("relevance annotate @ -o out.pgn --results", "[%expected "), ("wdl collect @ -o out.json", "('")]
    {
        let [white, auto, mover] = read(verb, begin);
        assert!(white.len() == 12 && white == auto && white == mover, "{verb}: {white:?}, {auto:?}, {mover:?}");
    }
    // An analyst's are of the position that was reached, and here Black moves first.
    let lines = |signs: [&str; 2]| {
        let moves = ["1... e5", "2. Nf3", "2... Nc6", "3. Bb5", "3... a6", "4. Ba4", "4... Nf6"];
        let said = |(at, one): (usize, &&str)| format!("{one} {{[%eval {}{}.{at}]}} ", signs[at % 2], 1 + at % 3);
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let moves: String = moves.iter().enumerate().map(said).collect();
        format!("[FEN \"{fen}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves}1-0\n")
    };
    place.put("white.pgn", lines(["", ""]));
    place.put("mover.pgn", lines(["-", ""]));
    for (verb, kind, begin) in [
        ("wdl collect", "json", "('"),
        ("relevance annotate --results", "pgn", "[%expected "),
        ("relevance annotate", "annotated.pgn", "$"),
    ] {
        let views = [("white.pgn", "auto"), ("white.pgn", "white"), ("mover.pgn", "mover")];
        let [auto, white, mover] = views.map(|(games, view)| {
            let out = format!("{view}-out.{kind}");
            place.say(&format!("{verb} {games} --eval-view {view} -o {out}")).ok();
            let found = String::from_utf8(place.read(&out)).expect("text");
            found.split(begin).skip(1).map(|part| part[..5].to_owned()).collect::<Vec<_>>()
        });
        assert!(auto.len() > 2 && auto == white && white == mover, "{verb}: {auto:?}, {white:?} and {mover:?}");
    }
    for (games, view, out) in [("fritz.pgn", "white", "one.wdl"), ("turned.pgn", "auto", "two.wdl")] {
        place.say(&format!("wdl collect {games} -o {out} --eval-view {view}")).ok();
    }
    place.say("merge one.wdl two.wdl -o both.wdl").ok();
    let both = place.say("inspect both.wdl").ok().out();
    assert!(both.contains("rule     --bin-width 5 --eval-view auto,white\n"), "{both}");
    place.put("a.binpack", "");
    place
        .say("wdl collect a.binpack -o x.json --eval-view white")
        .fails(1, &["--eval-view cannot be applied to a.binpack: its format says"]);
}

/// Players that write their own evaluations as an analyst does: those of the opponent count for the engine asked for.
#[test]
fn evaluations_in_directives_are_counted_where_one_engine_is_asked_for() {
    let place = Place::new();
    let moves = "1. c4 {[%eval 0.16/16]} Nc6 {[%eval 0.47/16]} 2. Nf3 {[%eval 0.05/15]} Nf6 {[%eval 0.45/12]} 1-0\n";
    let file = place.put("a.pgn", format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves}"));
    let noticed = |options: &str| collect(&place, options, &[&file])["noticed"]["analyst-evals"].clone();
    assert_eq!((noticed("-o x.json"), noticed("-o x.json --match-engine A")), (json!(0), json!(1)));
}

/// Each of these makes scoreWDLstat drop the rest of the file and all files behind it, without a word. Here it costs what
/// it says; the games behind it are counted.
#[test]
fn what_stops_scorewdlstat_costs_only_itself() {
    let moves = |text: &str| game("", text);
    let four = |first: &str| moves(&FOUR_EVALS.replacen("{+0.35/18 1.2s}", first, 1));
    let long_tag = game(&format!("[Event2 \"{}\"]\n", "x".repeat(300)), FOUR_EVALS);
    let wrapped = FOUR_EVALS.replace(" {", "\n{").replace(" 1.2s", "\n1.2s");
    let traps: [(&str, String, u64); 16] = [
        ("text", four("{a nice move}"), 3),
        ("text with a slash", four("{and/or}"), 3),
        // Of the position behind the move, of which the player says something too.
        ("lichess", four("{[%eval 0.35]}"), 3),
        ("a leading blank", four("{ +0.35/18 1.2s}"), 4),
        ("an unsigned mate", four("{M5/18 1.2s}"), 4),
        ("no blank before", FOUR_EVALS.replace(" {", "{"), 4),
        ("a comment before the moves", format!("{{a book line}} {FOUR_EVALS}"), 4),
        ("a semicolon", four("; +0.35/18 1.2s\n"), 4),
        ("a stray semicolon", moves(&FOUR_EVALS.replace("2. Nf3", ";\n2. Nf3")), 4),
        ("a line break before comments", moves(&wrapped), 4),
        ("a variation on its own line", moves(&FOUR_EVALS.replace("2. Nf3", "\n(1... c5 {+0.9/1 1s})\n2. Nf3")), 4),
        ("an unreadable move", moves(&FOUR_EVALS.replace("Nf3", "Zz9")), 2),
        ("an illegal move", moves(&FOUR_EVALS.replace("Nf3", "Ke3")), 3),
        ("a long tag", long_tag, 4),
        ("no blank and no depth", moves("1. e4 {+0.35} e5 {-0.30} 2. Nf3 {0.00} Nc6 {book} 1-0\n\n"), 3),
        ("a comma", moves("1. e4 {+1.16/8, 0.004s} e5 {-1.18/8, 0.1s} 1-0\n\n"), 2),
    ];
    for (what, text, expected) in traps {
        let place = Place::new();
        let text = if text.starts_with('[') { text } else { moves(&text) };
        let trap = place.put("a.pgn", text + &game("", FOUR_EVALS));
        let behind = place.put("b.pgn", game("[Site \"b\"]\n", FOUR_EVALS));
        let summary = collect(&place, "-o x.json -j 1", &[&trap, &behind]);
        assert_eq!((&summary["counted"], &summary["positions"]), (&json!(3), &json!(expected + 8)), "{what}");
    }
}

/// Section 4 of the study of scoreWDLstat: what else it loses in silence.
#[test]
fn bad_files_cost_only_themselves_and_are_named() {
    let place = Place::new();
    let good = game("", FOUR_EVALS);
    place.put("good.pgn", &good);
    // A truncated gzip file counts up to the break, and fails.
    let mut packed = Vec::new();
    let many = good.repeat(3000);
    std::io::Write::write_all(
        &mut flate2::write::GzEncoder::new(&mut packed, flate2::Compression::default()),
        many.as_bytes(),
    )
    .expect("memory");
    place.put("cut.pgn.gz", &packed[..packed.len() / 2]);
    let done = place.say("wdl collect cut.pgn.gz good.pgn -o x.json --json");
    assert_eq!(done.0.status.code(), Some(1));
    let error = String::from_utf8_lossy(&done.0.stderr).into_owned();
    assert!(error.contains("cut.pgn.gz") && error.contains("what stands before it is counted"), "{error}");
    let summary = adds_up(serde_json::from_slice(&done.0.stdout).expect("JSON"));
    assert!(summary["games"].as_u64() > Some(100), "{summary}");
    // Packed data under any name are read.
    place.put("named.pgn", &packed);
    place.say("wdl collect named.pgn -o x.json").ok();
    assert_eq!(positions(&place.read("x.json")), 12_000);
    // One illegal move in the middle of a file costs the rest of its game.
    let illegal = game("", "1. e4 {+0.35/18 1.2s} e5 {0.00/3 1s} 2. Ke3 {+1.0/1 1s} Nc6 {-0.3/1 1s} 1-0\n\n");
    place.put("illegal.pgn", good.repeat(2) + &illegal + &good);
    let done = place.say("wdl collect illegal.pgn good.pgn -o x.json").ok();
    assert!(done.out().contains("illegal.pgn, game 3: 2. Ke3"), "{}", done.out());
    assert_eq!(positions(&place.read("x.json")), 4 * 4 + 3);
    // No games, nothing at all, nothing there.
    place.put("text.pgn", "this is no game at all");
    place.say("wdl collect text.pgn -o x.json").fails(1, &["text.pgn", "no game found", "no position was counted"]);
    place.put("empty.pgn", "");
    place.say("wdl collect empty.pgn -o x.json").fails(1, &["empty.pgn", "the file is empty"]);
    place.say("wdl collect absent.pgn -o x.json").fails(1, &["absent.pgn", "check the name"]);
    place.say("wdl collect --dir absent -o x.json").fails(1, &["--dir absent", "check the name"]);
    place.say("wdl collect -o x.json").fails(1, &["nothing to read"]);
    // Options.
    place.say("wdl collect good.pgn -o x.json --concurrency 0").fails(2, &["0 is not in 1..=1024"]);
    place.say("wdl collect good.pgn -o x.json --binWidth 0").fails(2, &["0 is not in 1..=500"]);
    place.say("wdl collect good.pgn -o x.json --matchEngin A").fails(2, &["unexpected argument", "--matchEngin"]);
    place.say("wdl collect good.pgn -o x.csv").fails(1, &["x.csv", ".json, .wdl or .parquet"]);
    place.say("wdl collect good.pgn -o absent/x.json").fails(1, &["absent/x.json", "cannot be written"]);
    place.say("wdl collect good.pgn -o good.pgn").fails(1, &["good.pgn"]);
}

#[test]
fn the_same_games_are_not_counted_twice() {
    let place = Place::new();
    let good = game("", FOUR_EVALS);
    place.put("d/a.pgn", &good);
    place.put("d/a.pgn.gz", "x");
    place.say("wdl collect --dir d -o x.json").fails(1, &["a.pgn", "a.pgn.gz", "--allow-duplicates"]);
    place.put("e/one.pgn", &good);
    place.put("e/two.pgn", &good);
    let done = place.say("wdl collect --dir e -o x.json").ok();
    assert!(String::from_utf8_lossy(&done.0.stderr).contains("the same content as"));
    assert_eq!(positions(&place.read("x.json")), 4);
    place.put("e/three.pgn.zst", zstd::encode_all(good.as_bytes(), 3).expect("packed"));
    place.put("e/four.pgn.zst", zstd::encode_all(good.as_bytes(), 19).expect("packed"));
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(good.len() as u64);
    archive.append_data(&mut header, "five.pgn", good.as_bytes()).expect("a member");
    place.put("e/x.tar", archive.into_inner().expect("an archive"));
    place.put("e/other.pgn", good.replace("1-0", "0-1"));
    let done = place.say("wdl collect --dir e e/x.tar -o x.json").ok();
    for copy in ["one.pgn", "three.pgn.zst", "two.pgn"] {
        assert!(done.err().contains(&format!("e/{copy}: the same content as")), "{}", done.err());
    }
    assert!(done.err().contains("e/x.tar: five.pgn: the same content as e/four.pgn.zst"), "{}", done.err());
    assert_eq!(positions(&place.read("x.json")), 8);
    // What comes through a pipe is known only when it has been read.
    let mut piped = place.command(["wdl", "collect", "-", "e/three.pgn.zst", "-o", "x.json", "--json"]);
    piped.stdin(fs::File::open(place.path("e/one.pgn")).expect("games"));
    let done = Done(piped.output().expect("the program runs"));
    let said =
        done.fails(1, &["the same content as standard input, so that its games are counted twice: give it once"]);
    assert_eq!(said.json()["used_twice"][0]["same_as"], "standard input");
    place.say("wdl collect e/one.pgn -o plain.wdl -q").ok();
    place.say("wdl collect e/three.pgn.zst -o packed.wdl -q").ok();
    place.say("wdl fit plain.wdl packed.wdl").fails(1, &["three.pgn.zst", "counted twice"]);
    place.say("merge plain.wdl packed.wdl -o x.wdl").fails(1, &["three.pgn.zst", "already in it as one.pgn"]);
    for day in ["one", "two"] {
        place.put(&format!("t/{day}/abc-1.pgn"), good.replace("1-0", if day == "one" { "1-0" } else { "0-1" }));
        place.put(&format!("t/{day}/abc.json"), "{}");
    }
    place.say("wdl collect --dir t -r -o x.json").fails(1, &["test abc", "two directories"]);
    place.say("wdl collect --dir t -r -o x.json --allowDuplicates").ok();
    assert_eq!(positions(&place.read("x.json")), 8);
    place.say("wdl collect e/one.pgn -o one.wdl -q").ok();
    place.say("wdl fit one.wdl one.wdl").fails(1, &["one.pgn", "counted twice"]);
}

/// What fishtest knows of a test lies beside its games, and the name of counts as JSON is at hand.
#[test]
fn counts_do_not_replace_metadata() {
    let place = Place::new();
    place.put("t1-1.pgn", game("", FOUR_EVALS));
    let metadata = json!({ "_id": "t1", "args": { "tc": "60+0.6" } }).to_string();
    place.put("t1.json", &metadata);
    let said = "t1.json is an input and would be overwritten";
    place.run("wdl collect t1-1.pgn -o t1.json".split_whitespace()).fails(1, &[said]);
    place.run("wdl collect t1-1.pgn -o t1.json --match-threads 1".split_whitespace()).fails(1, &[said]);
    assert_eq!(place.read("t1.json"), metadata.as_bytes());
    // Counts of the same name may be made again.
    place.put("t1.json", "null");
    for _ in 0..2 {
        place.run("wdl collect t1-1.pgn -o t1.json".split_whitespace()).ok();
    }
    assert_eq!(positions(&place.read("t1.json")), 4);
}

/// Engines that play from few positions repeat themselves, and games part only near their ends: such games are one observation.
#[test]
fn games_that_part_late_are_in_one_block() {
    let place = Place::new();
    let shuffle = |moves: usize| -> String {
        let four = [("Nf3", "Nf6"), ("Ng1", "Ng8"), ("Nc3", "Nc6"), ("Nb1", "Nb8")];
        let play = |number: usize| {
            let (white, black) = four[number % 4];
            format!("{}. {white} {{+0.10/9 1s}} {black} {{-0.10/9 1s}}\n", number + 1)
        };
        (0..moves).map(play).collect()
    };
    let blocks = |name: &str, games: &mut dyn Iterator<Item = String>| {
        let text: String = games.map(|moves| game("", &(moves + "1-0\n\n"))).collect();
        let file = place.put(&format!("{name}.pgn"), text);
        collect(&place, &format!("-o {name}.wdl"), &[&file]);
        let file = WdlFile::from_bytes(&place.read(&format!("{name}.wdl"))).expect("counts");
        file.counts.blocks.iter().filter(|block| !block.is_empty()).count()
    };
    // The same 16 moves, and then anything.
    assert_eq!(blocks("late", &mut (16..60).map(shuffle)), 1);
    // Games that end or part before are others.
    assert!(blocks("early", &mut (1..16).map(shuffle)) > 5);
    let openings = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"];
    let mut parted = openings.iter().map(|first| format!("1. {first} {{+0.10/9 1s}} a6 {{-0.10/9 1s}}\n"));
    assert!(blocks("parted", &mut parted) > 5);
}

#[test]
fn files_are_filtered_by_their_metadata() {
    let place = Place::new();
    let tests = [
        (
            "a",
            json!({ "args": { "book": "UHO.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1, "resolved_new": "abc", "resolved_base": "def", "sprt": {} }, "results": { "pentanomial": [5, 100, 300, 100, 6] } }),
        ),
        (
            "b",
            json!({ "args": { "book": "8moves.pgn", "tc": "10+0.1", "new_tc": "10+0.1", "threads": 8, "resolved_new": "xyz" }, "results": { "pentanomial": [5, 100, 300, 200, 60] } }),
        ),
    ];
    for (name, metadata) in &tests {
        place.put(
            &format!("pgns/{name}-1.pgn"),
            game(&format!("[Site \"{name}\"]\n"), FOUR_EVALS)
                .replace("\"A\"", &format!("\"Stockfish-{}\"", if *name == "a" { "abc" } else { "xyz" })),
        );
        place.put(&format!("pgns/{name}.json"), metadata.to_string());
    }
    place.put("pgns/c.pgn", game("[Site \"c\"]\n", FOUR_EVALS));
    place.put("pgns/d.pgn", game("[Site \"d\"]\n", FOUR_EVALS));
    place.put("pgns/d.json", "no json");
    for (options, positions, refused) in [
        ("", 16, json!({})),
        ("--matchBook UHO.*", 4, json!({ "book": 1, "no-metadata": 1, "bad-metadata": 1 })),
        ("--matchBook UHO.* --matchBookInvert", 4, json!({ "book": 1, "no-metadata": 1, "bad-metadata": 1 })),
        ("--matchTC 60\\+0.6", 4, json!({ "time-control": 1, "no-metadata": 1, "bad-metadata": 1 })),
        ("--matchThreads 8", 4, json!({ "threads": 1, "no-metadata": 1, "bad-metadata": 1 })),
        ("--SPRTonly", 4, json!({ "not-sprt": 1, "no-metadata": 1, "bad-metadata": 1 })),
        ("--EloDiffMax 5", 4, json!({ "elo": 1, "no-metadata": 1, "bad-metadata": 1 })),
        // The engine is the revision's: White only.
        ("--matchRev .*abc", 2, json!({ "revision": 1, "no-metadata": 1, "bad-metadata": 1 })),
    ] {
        let mut command = place.command(["wdl", "collect", "--dir", "pgns", "-o", "x.json", "--json"]);
        command.args(options.split_whitespace());
        let summary = adds_up(Done(command.output().expect("the program runs")).ok().json());
        assert_eq!((&summary["positions"], &summary["files_refused"]), (&json!(positions), &refused), "{options}");
    }
    place
        .say("wdl collect --dir pgns -o x.json --match-threads 3")
        .fails(1, &["every file was left out", "d.pgn", "metadata"]);
}

#[test]
fn what_pipes_bring_and_take() {
    let place = Place::new();
    place.put("a.pgn", game("", FOUR_EVALS));
    let counts = place.say("wdl collect a.pgn -o - -q").ok().out();
    assert_eq!(positions(counts.as_bytes()), 4);
    place.put("c.json", counts);
    place.say("wdl fit c.json --normalize-to-pawn-value 100").fails(1, &["expected at least 4", "material"]);
    place.put("bad.json", "{\"('W', 1, 78, 35)\": x}");
    place.say("wdl fit bad.json").fails(1, &["bad.json", "byte 21", "expected a count", "found 'x'"]);
    place.put("null.json", "null");
    place.say("wdl fit null.json").fails(1, &["no position is left"]);
    place.say("wdl fit").fails(1, &["scoreWDLstat.json"]);
}

/// Without wins, draws or losses the best a or b is infinite, or has no meaning.
#[test]
fn positions_without_one_of_the_results_are_not_fitted() {
    let place = Place::new();
    let all: Vec<String> = (20..60)
        .step_by(10)
        .flat_map(|material| {
            [("W", 80), ("W", 20), ("D", 30), ("D", -20), ("L", -90), ("L", 5)]
                .map(|(letter, eval)| format!("\"('{letter}', 20, {material}, {eval})\": 500"))
        })
        .collect();
    place.put("all.json", format!("{{{}}}", all.join(",")));
    place.say("wdl fit all.json --normalize-to-pawn-value 100").ok();
    for (letter, said) in [('W', "was won"), ('D', "was drawn"), ('L', "was lost")] {
        let some: Vec<_> = all.iter().filter(|entry| !entry.contains(letter)).cloned().collect();
        place.put("some.json", format!("{{{}}}", some.join(",")));
        for method in ["optimizeProbability", "optimizeScore", "fitDensity"] {
            let line =
                format!("wdl fit some.json --normalize-to-pawn-value 100 --model-fitting {method} -o model.json");
            let done = place.say(&line).fails(1, &[said, "expected wins, draws and losses", "collect more games"]);
            assert!(done.out().is_empty() && !place.path("model.json").exists(), "{}", done.out());
        }
        place.say("wdl fit some.json --normalize-to-pawn-value 100 --model-fitting None").ok();
    }
}

/// A file of counts in which each evaluation has exactly the shares that a model gives it.
pub fn exact_counts(model: &drawish::model::wdl::WdlModel) -> String {
    let mut lines = Vec::new();
    for material in (17..=78).step_by(3) {
        for eval in (-400..=400).step_by(10) {
            let rates = model.curve(f64::from(material)).rates(f64::from(eval));
            for (letter, rate) in [('W', rates.win), ('D', rates.draw), ('L', rates.loss)] {
                let count = (1e7 * rate).round() as u64;
                if count > 0 {
                    lines.push(format!("\"('{letter}', 30, {material}, {eval})\": {count}"));
                }
            }
        }
    }
    format!("{{{}}}", lines.join(","))
}

#[test]
fn a_known_model_is_found_again_by_every_method_and_shape() {
    use drawish::model::wdl::{Cubic, Mom, WdlModel};
    let (a, b) = ([-60.0, 150.0, -180.0, 190.0], [10.0, -30.0, 40.0, 25.0]);
    let model = WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a: Cubic(a), b: Cubic(b) };
    let place = Place::new();
    place.put("c.json", exact_counts(&model));
    for method in ["fitDensity", "optimizeProbability", "optimizeScore"] {
        let line = format!("wdl fit c.json --NormalizeToPawnValue 100 --modelFitting {method} --json");
        let fit = place.say(&line).ok().json();
        assert_eq!((&fit["format"], &fit["version"]), (&json!("wdl-model"), &json!(1)), "{method}");
        assert!(
            (fit["pawn_value"].as_f64().expect("a number") - 100.0).abs() < 1e-3,
            "{method}: {}",
            fit["pawn_value"]
        );
        assert!((fit["spread"].as_f64().expect("a number") - 45.0).abs() < 1e-3, "{method}: {}", fit["spread"]);
        for (name, expected) in [("as", a), ("bs", b)] {
            for (found, expected) in fit[name].as_array().expect("a list").iter().zip(expected) {
                assert!((found.as_f64().expect("a number") - expected).abs() < 0.05, "{method} {name}: {}", fit[name]);
            }
        }
        assert_eq!((&fit["converged"], &fit["errors"]), (&json!(true), &Value::Null), "{method}");
    }
    for shape in ["rational", "spline --smoothing 1e-7"] {
        let fit = place.say(&format!("wdl fit c.json --NormalizeToPawnValue 100 --shape {shape} --json")).ok().json();
        for point in fit["curve"].as_array().expect("a list") {
            let at = point["mom"].as_f64().expect("a number");
            // Between the material counts that there are, and for shapes that do not hold this model.
            let expected = model.curve(at).a;
            assert!(
                (point["a"].as_f64().expect("a number") - expected).abs() < 0.06 * expected,
                "{shape} at {at}: {}",
                point["a"]
            );
        }
    }
    // Exact evaluations of an engine with another scale come back to the same model.
    let scaled = place.say("wdl fit c.json --normalize-to-pawn-value 200 --eval-max 200 --json").ok().json();
    let halved = place.say("wdl fit c.json --normalize-to-pawn-value 100 --eval-max 200 --json").ok().json();
    let ratio = scaled["pawn_value"].as_f64().expect("a number") / halved["pawn_value"].as_f64().expect("a number");
    assert!((ratio - 2.0).abs() < 1e-3, "{ratio}");
}

/// The limit of evaluations holds in internal units: that many centipawns at the anchor, fewer where a pawn is worth more.
#[test]
fn evaluations_are_limited_at_the_anchor() {
    let place = Place::new();
    // A pawn is 385 internal units at the anchor, so that 1540 is the limit; 100 centipawns are 385.5 at 58 and 388.2 at 17.
    let cells =
        [(58, 399, true), (58, 400, false), (17, 396, true), (17, 397, false), (58, -399, true), (58, 1001, false)];
    for (material, eval, within) in cells {
        place.put("c.json", format!("{{\"('W', 30, {material}, {eval})\": 7, \"('W', 30, 58, 0)\": 1}}"));
        let fit = place.say("wdl fit c.json --model-fitting None --json").ok().json();
        assert_eq!(fit["retained"]["wins"].as_f64(), Some(if within { 8.0 } else { 1.0 }), "{material} {eval}");
        let reason = if eval == 1001 { "mates" } else { "eval" };
        assert_eq!(fit["left_out"][reason], if within { 0 } else { 7 }, "{material} {eval}");
    }
}

/// Curves that cross zero where there are data are told.
#[test]
fn curves_without_meaning_are_warned_of() {
    use drawish::model::wdl::{Cubic, Mom, WdlModel};
    for (a, b, warning) in [
        ([0.0, 0.0, 150.0, -50.0], [0.0, 0.0, 0.0, 45.0], "a is -"),
        ([0.0, 0.0, 0.0, 100.0], [0.0, 0.0, 45.0, -12.0], "b nears zero: "),
    ] {
        let model = WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a: Cubic(a), b: Cubic(b) };
        let place = Place::new();
        place.put("c.json", exact_counts(&model));
        let done = place.say("wdl fit c.json --NormalizeToPawnValue 100").ok();
        assert!(done.err().contains(warning) && done.err().contains("at material 17"), "{}", done.err());
    }
}

/// The true optimum of ../shared/golden/wdl/true_opt_material.txt, by another solver on scoreWDLstat's counts.
#[test]
fn the_true_optimum_of_the_golden_games() {
    let Some(games) = shared("golden/wdl/tcec_fc.pgn.gz") else { return };
    let place = Place::new();
    collect(&place, "-o c.json -o c.wdl --truncate", &[&games]);
    for (method, objective, pawn, spread) in
        [("optimizeProbability", 0.647_316_279_0, 92.734, 47.144), ("optimizeScore", 0.242_317_771_0, 90.365, 51.020)]
    {
        let line = format!(
            "wdl fit c.json --NormalizeToPawnValue 100 --momType material --momTarget 58 --modelFitting {method} --json"
        );
        let fit = place.say(&line).ok().json();
        let number = |name: &str| fit[name].as_f64().expect("a number");
        assert!(number("objective") <= objective + 1e-9, "{method}: {}", number("objective"));
        assert!((number("pawn_value") - pawn).abs() < 0.01 && (number("spread") - spread).abs() < 0.01, "{method}");
        let retained = &fit["retained"];
        assert_eq!(
            [&retained["wins"], &retained["draws"], &retained["losses"]],
            [69_728.0, 229_494.0, 77_070.0].map(|n| json!(n)).each_ref()
        );
        assert_eq!(fit["searches"].as_array().map(Vec::len), Some(3));
        // The same positions from our own file, with errors.
        let with_errors = place.say(&line.replace("c.json", "c.wdl")).ok().json();
        assert!((with_errors["pawn_value"].as_f64().expect("a number") - number("pawn_value")).abs() < 1e-6);
        let shapes = place.say(&format!("{} --compare-shapes", line.replace("c.json", "c.wdl"))).ok().json();
        let losses: Vec<f64> = shapes["shapes"]
            .as_array()
            .expect("shapes")
            .iter()
            .map(|shape| shape["held_out_log_loss"].as_f64().expect("a loss"))
            .collect();
        assert!(losses.len() == 3 && losses.iter().all(|loss| (0.64..0.80).contains(loss)), "{losses:?}");
        assert_eq!(json!(losses[0]), with_errors["held_out_log_loss"], "{method}");
        let error = with_errors["errors"]["pawn_value"].as_f64().expect("an error");
        assert!((1.0..8.0).contains(&error), "{error}");
        assert!(with_errors["held_out_log_loss"].as_f64() > Some(0.6473), "{}", with_errors["held_out_log_loss"]);
    }
}

/// scoreWDL.py's own figures, ../shared/golden/wdl/material_*.log.
#[test]
fn the_way_of_scorewdl() {
    let Some(games) = shared("golden/wdl/tcec_fc.pgn.gz") else { return };
    let place = Place::new();
    collect(&place, "-o c.json --truncate", &[&games]);
    for (method, objective, start, pawn, a0) in [
        ("optimizeProbability", 0.647_611_142_6, 0.647_631_989_9, 93.954, -99.754),
        ("optimizeScore", 0.242_405_427_9, 0.242_558_782_4, 86.519, 6.704),
        ("fitDensity", f64::NAN, f64::NAN, 110.050, -197.676),
    ] {
        let fit = place
            .say(&format!("wdl fit c.json --NormalizeToPawnValue 100 --modelFitting {method} --parity --json"))
            .ok()
            .json();
        let near = |name: &Value, expected: f64, by: f64| {
            let found = name.as_f64().expect("a number");
            assert!(expected.is_nan() || (found - expected).abs() < by, "{method}: {found} for {expected}");
        };
        near(&fit["objective"], objective, 2e-8);
        near(&fit["initial_objective"], start, 2e-8);
        near(&fit["pawn_value"], pawn, 0.01);
        near(&fit["as"][0], a0, 0.02);
    }
    place.say("wdl fit c.json --parity --shape rational").fails(1, &["--parity", "cubics"]);
    place.say("wdl fit c.json --smoothing 1").fails(1, &["about splines", "--shape spline"]);
    place.say("wdl fit c.json --segments 4 --shape rational").fails(1, &["about splines"]);
}

#[test]
fn little_data_are_said_to_be_little() {
    let place = Place::new();
    let games: String = (0..40)
        .map(|i| {
            // Who wins has some 0.8 pawns more, so that the model is one.
            let eval = |ply: i32| format!("{{{:+.2}/9 1s}}", f64::from((i * 7 + ply * 13) % 60 - 30) / 10.0);
            let moves = format!(
                "1. e4 {} d5 {} 2. exd5 {} Qxd5 {} 3. Nc3 {} Qxd2+ {} 4. Qxd2 {} Nc6 {}",
                eval(0),
                eval(1),
                eval(2),
                eval(3),
                eval(4),
                eval(5),
                eval(6),
                eval(7)
            );
            let result = ["1-0", "0-1", "1/2-1/2"][i as usize % 3];
            format!("[White \"{i}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
        })
        .collect();
    place.put("a.pgn", games);
    place.say("wdl collect a.pgn -o a.wdl -q").ok();
    let done = place.say("wdl fit a.wdl --normalize-to-pawn-value 100 --win-min 100").ok();
    let error = String::from_utf8_lossy(&done.0.stderr).into_owned();
    assert!(error.contains("thin data: fewer than 100 wins at material"), "{error}");
    // Random evaluations are no model that an engine could have.
    let refused = "wdl fit a.wdl --normalize-to-pawn-value 100 --win-min 100 -o m.h";
    place.say(refused).fails(1, &["the model has a pawn value of", "no code for an engine"]);
    // What the fit warns of, each form of the model says, and whoever shows it.
    place.say("wdl fit a.wdl --normalize-to-pawn-value 100 --win-min 100 -o m.json").ok();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst");
    collect(&place, "-o s.wdl", &[&sample]);
    place.say("wdl fit s.wdl --normalize-to-pawn-value 100 --win-min 2000 -o m.h -o m.rs -q").ok();
    for file in ["m.h", "m.rs"] {
        let code = String::from_utf8(place.read(file)).expect("text");
        assert!(code.contains("Beware: thin data: fewer than 2000 wins at material"), "{code}");
    }
    for line in ["wdl show m.json", "wdl show m.json --eval 50", "wdl show m.json --json"] {
        let said = place.say(line).ok().err();
        let is_in_full = said.contains("beware of this model: thin data: fewer than 100 wins at material ");
        assert_eq!(is_in_full, !line.contains("--eval"), "{line}: {said}");
        // At one of many questions they are a line.
        if !is_in_full {
            let (bewares, others): (Vec<_>, Vec<_>) =
                said.lines().partition(|line| line.contains("beware of this model"));
            assert!(bewares.len() == 1 && bewares[0].contains("thin data"), "{said}");
            assert!(others.iter().all(|line| line.contains("where a model needs one above 0")), "{said}");
        }
    }
    let units = "read with 100.0 internal units to the pawn at the anchor; a, b and v are in these units";
    for file in ["m.h", "m.rs"] {
        let code = String::from_utf8(place.read(file)).expect("text");
        assert!(code.contains(units), "{code}");
    }
    // Nothing but doubts and, asked for, the figures.
    let quiet = place.say("wdl fit a.wdl --normalize-to-pawn-value 100 -o q.json -q").ok();
    assert!(quiet.out().is_empty() && place.path("q.json").exists(), "{}", quiet.out());
    assert!(place.say("wdl fit a.wdl --normalize-to-pawn-value 100 -q --json").ok().json()["pawn_value"].is_number());
    assert!(place.say("report m.json -o r.html -q").ok().out().is_empty());
    let beyond = place.say("wdl show m.json --material 10").ok().err();
    assert!(beyond.contains("material 10 is taken as 17: the model was fitted to material 17 to 78"), "{beyond}");
    let rows = place.say("wdl show m.json").ok().out();
    let places =
        rows.lines().skip(2).map(|line| line.split_whitespace().next().and_then(|word| word.parse::<u32>().ok()));
    assert!(places.clone().all(|place| place.is_some_and(|place| (17..=78).contains(&place))), "{rows}");
    place.say("wdl fit").fails(1, &["scoreWDLstat.json is not there", "drawish wdl fit games.wdl"]);
    place.say("wdl fit a.wdl --win-min 1000 --model-fitting fitDensity").fails(1, &["1000 wins", "--win-min"]);
    place.say("wdl fit a.wdl --material-min 60 --material-max 50").fails(1, &["60 to 50", "material"]);
    place.say("wdl fit a.wdl --mom-type mov").fails(2, &["possible values: move, material"]);
    place.say("wdl fit a.wdl --normalize-data {}").fails(2, &["--normalize-data", "\"as\""]);
    place.say("wdl fit a.wdl --normalize-to-pawn-value 0").fails(2, &["a number above 0"]);
}

/// The expected score is the same for a and -a: where there are hardly any draws, a is near 0 and cannot be told by scores.
#[test]
fn scores_that_do_not_tell_the_pawn_value_are_warned_of() {
    let place = Place::new();
    let mut games = String::new();
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for white in ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3"] {
        for black in ["a6", "h6", "g6", "b6", "c6", "d6", "e6", "Nf6"] {
            for next in ["h3", "h4"] {
                // Nothing is fitted without a draw; with one, a is near 0.
                let (result, lead) = match random(2) {
                    _ if games.is_empty() => ("1/2-1/2", 0),
                    0 => ("1-0", 60),
                    _ => ("0-1", -60),
                };
                let mut line = String::new();
                for (number, pair) in (1..).zip([[white, black], [next, "h5"], ["a4", "a5"], ["Ra3", "Ra6"]]) {
                    let noise = (0..3).map(|_| random(200) as i32).sum::<i32>() - 300;
                    let eval = f64::from(lead + noise) / 100.0;
                    let _ =
                        write!(line, "{number}. {} {{{eval:+.2}/9 1s}} {} {{{:+.2}/9 1s}} ", pair[0], pair[1], -eval);
                }
                let tags = format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]");
                let _ = write!(games, "{tags}\n\n{line}{result}\n\n");
            }
        }
    }
    place.put("a.pgn", games);
    place.say("wdl collect a.pgn -o a.wdl -q").ok();
    let line =
        "wdl fit a.wdl --normalize-to-pawn-value 100 --mom-type move --mom-target 2 --move-max 4 --model-fitting";
    let warning = "with optimizeScore the expected score is symmetric in a";
    let scores = place.say(&format!("{line} optimizeScore")).ok().err();
    assert!(scores.contains(warning), "{scores}");
    let probabilities = place.say(&format!("{line} optimizeProbability")).ok().err();
    assert!(!probabilities.contains(warning), "{probabilities}");
}

#[test]
fn a_model_is_shown_in_both_directions() {
    let place = Place::new();
    let line = "wdl show --as 9.09147769,97.91418464,-280.44738841,266.17524859 --bs 66.07854357,-104.89345678,36.72622844,49.23234720 --material 40 --json";
    let at = |question: &str| place.say(&format!("{line} {question}")).ok().json();
    let number = |value: &Value| value.as_f64().expect("a number");
    let even = at("--eval 100");
    assert!((number(&even["win"]) - 0.5).abs() < 1e-12, "100 centipawns are an even chance to win");
    let some = at("--internal 150");
    let sum: f64 = ["win", "draw", "loss"].iter().map(|name| number(&some[name])).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    for name in ["win", "score", "draw"] {
        let back = at(&format!("--{name} {}", some[name]));
        assert!((number(&back["internal"]) - 150.0).abs() < 1e-6, "{name}: {}", back["internal"]);
    }
    let shown = number(&some["cp"]);
    assert!((number(&at(&format!("--eval {shown}"))["internal"]) - 150.0).abs() < 1e-9);
    let shown = number(&some["cp_static"]);
    assert!((number(&at(&format!("--static --eval {shown}"))["internal"]) - 150.0).abs() < 1e-9);
    assert!((number(&at("--shown-by 300 --eval 50")["internal"]) - 150.0).abs() < 1e-9);
    place.say(&format!("{line} --win 1.5")).fails(1, &["a win rate of 1.5", "between 0 and 1"]);
    assert!(place.say(line).ok().json().as_array().is_some_and(|shown| shown.len() == 5), "without a question");
    place.say("wdl show absent.json --eval 1").fails(1, &["absent.json", "check the name"]);
    place.put("x.json", "{}");
    place.say("wdl show x.json --eval 0.8").fails(2, &["--eval", "expected centipawns, 80 for 0.8 pawns"]);
    place.say("wdl show x.json --eval 1").fails(1, &["x.json: expected a WDL model", "`drawish wdl fit -o`"]);
}

/// A curve whose a is not above 0 gives no distribution, and that is said wherever it is asked.
#[test]
fn a_model_without_draws_is_named_where_it_is_asked() {
    let place = Place::new();
    let show = |question: &str| place.say(&format!("wdl show --as=0,0,100,-50 --bs=0,0,0,50 {question}")).ok();
    assert!(!show("--internal 0 --material 58").err().contains("needs one above 0"));
    // -50 + 100 17 / 58 = -20.7
    for question in ["--internal 0 --material 17", "--material 17", "--eval 100 --material 17 --json"] {
        let said = show(question).err();
        assert!(said.contains("a is -20.69 at material 17, where a model needs one above 0"), "{question}: {said}");
    }
}

#[test]
fn a_fitted_model_is_shown_from_its_file() {
    use drawish::model::wdl::{Cubic, Mom, WdlModel};
    let (a, b) = (Cubic([-60.0, 150.0, -180.0, 190.0]), Cubic([10.0, -30.0, 40.0, 25.0]));
    let model = WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a, b };
    let place = Place::new();
    place.put("c.json", exact_counts(&model));
    for shape in ["cubic", "rational", "spline --smoothing 1e-7"] {
        let line = format!("wdl fit c.json --NormalizeToPawnValue 100 --shape {shape} --json");
        place.put("m.json", place.say(&line).ok().out());
        let file = drawish::wdl::Model::load(&place.path("m.json")).expect("a model");
        for material in [17.0, 47.0, 78.0] {
            let shown = place.say(&format!("wdl show m.json --material {material} --internal 50 --json")).ok().json();
            let point = file.curve.iter().find(|point| point.mom == material).expect("a point");
            let near = |name: &str, expected: f64| (shown[name].as_f64().expect("a number") - expected).abs() < 1e-9;
            assert!(near("a", point.a) && near("b", point.b), "{shape} at {material}: {shown}");
            assert!(near("win", file.wdl(material, 50.0).win) && near("cp", file.to_cp(material, 50.0)), "{shown}");
        }
        place.say("wdl show m.json --move 20 --eval 1").fails(1, &["depends on material, not on move"]);
        // Without a question, some evaluations at some counts.
        let bare = place.say("wdl show m.json").ok().out();
        assert!(bare.starts_with("W, D and L in % by material; the anchor is material 58\n"), "{bare}");
        assert_eq!(bare.lines().count(), 7, "{bare}");
        let one = place.say("wdl show m.json --material 47 --json").ok().json();
        assert_eq!((one.as_array().map(Vec::len), one[2]["mom"].as_f64()), (Some(5), Some(47.0)), "{one}");
        assert!((one[2]["win"].as_f64().expect("a rate") - 0.5).abs() < 1e-9, "{one}");
    }
    // A model knows no position, whatever was meant by one.
    for fen in ["100", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
        let said = "m.json: a WDL model knows no position: leave out what was given as a FEN, and give --eval with --material or --move";
        place.run(["wdl", "show", "m.json", fen]).fails(1, &[said]);
    }
    // A header comes with the word that links it; of evaluations with the wrong sign that is said.
    let said = place.say("wdl fit c.json --NormalizeToPawnValue 100 -o m.h").ok().out();
    assert!(said.contains("m.h and link with -lm"), "{said}");
    let reversed = exact_counts(&model).replace("'W'", "'?'").replace("'L'", "'W'").replace("'?'", "'L'");
    place.put("reversed.json", reversed);
    let said = place.say("wdl fit reversed.json --NormalizeToPawnValue 100").ok().err();
    assert!(
        said.contains("the sign of the evaluations is reversed: the higher they are, the worse the side to move did"),
        "{said}"
    );
    let newer = place.read("m.json");
    place.put("m.json", String::from_utf8(newer).expect("text").replacen("\"version\": 1", "\"version\": 9", 1));
    place.say("wdl show m.json --eval 1").fails(1, &["m.json", "version 9 of the format"]);
}

/// Pictures are whole SVG, hold what they shall, and survive little data.
#[test]
fn pictures_are_drawn_of_much_and_of_little() {
    use drawish::model::wdl::{Cubic, Mom, WdlModel};
    let (a, b) = (Cubic([-60.0, 150.0, -180.0, 190.0]), Cubic([10.0, -30.0, 40.0, 25.0]));
    let model = WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a, b };
    let place = Place::new();
    place.put("c.json", exact_counts(&model));
    place.say("wdl fit c.json --NormalizeToPawnValue 100 --plot save --pngName s.svg --pngNameDistro d.svg --momPlotTarget 56").ok();
    let text = |name: &str| String::from_utf8(place.read(name)).expect("text");
    let summary = text("s.svg");
    for title in ["at material 56", "a and b", "Observed share of wins", "Modelled share of draws", "pawns"] {
        assert!(summary.contains(title), "{title}");
    }
    assert!(summary.ends_with("</svg>\n") && !summary.contains("NaN") && !summary.contains("inf"));
    let drawn = text("d.svg");
    let bars: usize =
        drawn.lines().filter(|line| line.starts_with("<path")).map(|line| line.matches('M').count()).sum();
    assert!(bars >= 3 * 21, "three parts for each of 21 material counts: {bars}");
    // Four material counts, a position with each result.
    let of_each = |material: i32| {
        let entry = |(letter, eval): (char, i32)| format!("\"('{letter}', 1, {material}, {eval})\": 1");
        [('W', 50), ('D', 0), ('L', -50)].map(entry).join(",")
    };
    let few: Vec<_> = (0..4).map(|i| of_each(20 + 10 * i)).collect();
    place.put("few.json", format!("{{{}}}", few.join(",")));
    place.say("wdl fit few.json --NormalizeToPawnValue 100 --png-name few.svg --model-fitting None").ok();
    let done = place.say("wdl fit few.json --NormalizeToPawnValue 100 --png-name few2.svg");
    assert_eq!(done.0.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.0.stderr));
    assert!(String::from_utf8_lossy(&done.0.stderr).contains("thin data"));
    for name in ["few.svg", "few2.svg"] {
        assert!(!text(name).contains("NaN"), "{name}");
    }
    place.say("wdl fit c.json --png-name s.bmp").fails(1, &["s.bmp", ".svg"]);
    let line = "wdl fit c.json --NormalizeToPawnValue 100 --png-name s.png --png-name-distro d.PNG";
    if cfg!(feature = "png") {
        place.say(line).ok();
        for (name, width, height) in [("s.png", 1488_u32, 2180_u32), ("d.PNG", 1488, 880)] {
            let bytes = place.read(name);
            assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
            assert_eq!(
                (&bytes[16..20], &bytes[20..24]),
                (&width.to_be_bytes()[..], &height.to_be_bytes()[..]),
                "{name}"
            );
        }
    } else {
        place.say(line).fails(1, &["s.png", "built without PNG"]);
    }
    place.say("wdl fit c.json --plot maybe").fails(2, &["possible values"]);
}

#[test]
fn an_update_goes_from_downloads_to_a_verdict() {
    let place = Place::new();
    let metadata = |revision: &str| {
        json!({ "args": { "book": "UHO_Lichess_4852_v1.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1, "resolved_new": revision, "resolved_base": "base" }, "results": { "pentanomial": [5, 100, 300, 101, 5] } }).to_string()
    };
    let games: String = (0..300_i64)
        .map(|i| {
            let result = ["1-0", "1/2-1/2", "0-1", "1/2-1/2"][i as usize % 4];
            let sign = [1.0, 0.0, -1.0, 0.0][i as usize % 4];
            let eval = |ply: i64| {
                let noise = f64::from(u32::try_from((i * 7919 + ply * 104_729) % 201).expect("small")) - 100.0;
                let white = (70.0 * sign + 1.2 * noise) / 100.0;
                format!("{{{:+.2}/9 1s}}", if ply % 2 == 0 { white } else { -white })
            };
            // Games with the same moves stand in one block: sixteen different ones.
            let first = [["a3", "b3", "g3", "h3"][i as usize / 4 % 4], ["a6", "b6", "g6", "h6"][i as usize / 16 % 4]];
            let rest = [
                "e4", "d5", "exd5", "Qxd5", "Nc3", "Qxd2+", "Qxd2", "Nc6", "Nf3", "Bg4", "Be2", "Bxf3", "Bxf3", "Nd4",
                "Qxd4", "Rd8",
            ];
            let sans = first.into_iter().chain(rest);
            let moves: Vec<_> = sans.enumerate().map(|(ply, san)| format!("{san} {}", eval(ply as i64))).collect();
            format!(
                "[Event \"{i}\"]\n[White \"New-abc\"]\n[Black \"New-abc\"]\n[Result \"{result}\"]\n\n{} {result}\n\n",
                moves.join(" ")
            )
        })
        .collect();
    place.put("pgns/day/t1/t1.pgn", &games);
    place.put("pgns/day/t1/t1.json", metadata("abc"));
    place.put("pgns/day/t2/t2.pgn", games.replace("New-abc", "New-xyz"));
    place.put("pgns/day/t2/t2.json", metadata("xyz"));
    let done = place.say("wdl update pgns --match-rev .*abc --old-pawn-value 377 --material-min 40 -o new").ok();
    let out = done.out();
    assert!(
        out.contains("left out: revision")
            && out.contains("from 300 games, NormalizeToPawnValue should change from 377 to "),
        "{out}"
    );
    assert!(out.contains(", standard error "), "the error stands beside: {out}");
    // Not where the games do not tell it from the old value, or are too few for an error.
    let of_first = |count: usize| {
        place.put("pgns/day/t1/t1.pgn", games.split_inclusive("[Event ").take(count + 1).collect::<String>());
        place.say("wdl update pgns --match-rev .*abc --old-pawn-value 377 --material-min 40 -o other").ok().out()
    };
    let near = of_first(64);
    assert!(near.contains(" in the place of 377, but these games do not tell the two apart"), "{near}");
    let few = of_first(4);
    assert!(few.contains(" in the place of 377, but no error is known"), "{few}");
    for file in ["new.wdl", "new.svg", "newdistro.svg"] {
        assert!(place.path(file).exists(), "{file}");
    }
    // What an earlier run has counted stays.
    let counts = place.read("new.wdl");
    place.say("wdl update pgns --match-rev .*none --old-pawn-value 377 -o new").fails(1, &["every file was left out"]);
    assert!(place.read("new.wdl") == counts);
    place.say("wdl update pgns").fails(2, &["--stockfish"]);
    place.say("wdl update pgns --stockfish absent --firstrev a").fails(1, &["git rev-list", "absent"]);
}

#[test]
fn the_score_by_pawns_ahead() {
    let place = Place::new();
    place.put("a.pgn", game("", FOUR_EVALS));
    place.say("wdl pawn-advantage a.pgn").fails(1, &["no scale can be fitted", "more games"]);
    place.say("wdl pawn-advantage absent.pgn").fails(1, &["absent.pgn", "check the name"]);
    // Equal material once a game, from both sides: a position each. A game twice is said so, and one lost on time is no game of material.
    let ahead = |tags: &str, moves: &str| format!("[Result \"1-0\"]\n{tags}\n{moves} 1-0\n\n");
    let games = [
        ahead("", "1. e4 d5 2. a3 a6 3. h3 h6 4. exd5 Nf6 5. b3 b6 6. c3 c6").repeat(2),
        ahead("", "1. d4 e5 2. a3 a6 3. h3 h6 4. dxe5 Nf6 5. b3 b6 6. c3 c6"),
        ahead("[Termination \"time forfeit\"]\n", "1. a3 a6 2. b3 b6 3. c3 c6"),
        ahead("", "1. d4 e5 2. a3 a6 3. h3 h6 4. h4 exd4 5. b3 b6 6. c3 c6 7. g3"),
    ];
    place.put("few.pgn", games.concat());
    let few = place.say("wdl pawn-advantage few.pgn").ok();
    for part in [
        "4 games counted, 1 skipped (no result, an abnormal ending",
        "1: counted games with the same moves",
        "    0              4 ",
        "no interval: it needs 10 blocks of games that are worth 5 of equal size, and these 3 are worth 2.7; give more games",
    ] {
        assert!(few.out().contains(part), "{}", few.out());
    }
    let few = place.say("wdl pawn-advantage few.pgn --json").ok().json();
    assert_eq!(few["repeated_games"]["games"], 1);
    assert!(["error", "low", "high"].iter().all(|name| few[name].is_null()), "{few}");
    let Some(games) = shared("data/twic1599-sample.pgn.zst") else { return };
    let done = place.run(["wdl".as_ref(), "pawn-advantage".as_ref(), games.as_os_str(), "--json".as_ref()]).ok();
    let found = done.json();
    assert_eq!(
        found["games"].as_u64().zip(found["skipped"].as_u64()).map(|(counted, skipped)| counted + skipped),
        Some(1_110)
    );
    let (k, error) = (found["k"].as_f64().expect("a number"), found["error"].as_f64().expect("a number"));
    assert!((1.0..8.0).contains(&k) && (0.01..1.0).contains(&error), "{k} +- {error}");
    // Equal material is seen from both sides: as many wins as losses.
    assert_eq!(found["advantages"][0]["wins"], found["advantages"][0]["losses"]);
}

#[cfg(feature = "frames")]
#[test]
fn a_data_frame_reads_the_counts() {
    let place = Place::new();
    place.put("a.pgn", game("", FOUR_EVALS));
    place.say("wdl collect a.pgn -o p.parquet -q").ok();
    let frame = drawish::frames::from_parquet(&place.read("p.parquet")).expect("Parquet");
    assert_eq!(frame.height(), 4);
    let counts: u64 = frame.values::<u64>("count").expect("u64").into_iter().flatten().sum();
    assert_eq!(counts, 4);
    let mut evals: Vec<i32> = frame.values::<i32>("eval").expect("i32").into_iter().flatten().collect();
    evals.sort_unstable();
    assert_eq!(evals, [-35, -30, 35, 40]);
    place.say("wdl fit p.parquet").fails(1, &["Parquet is written, not read", ".wdl"]);
}

#[cfg(not(feature = "frames"))]
#[test]
fn parquet_needs_its_feature() {
    let place = Place::new();
    place.put("a.pgn", game("", FOUR_EVALS));
    place.say("wdl collect a.pgn -o p.parquet").fails(1, &["built without the feature `frames`"]);
}

/// From games to a head, to what it says of a position, and to another engine's head.
#[test]
fn a_head_from_games_says_what_a_position_is_worth() {
    let place = Place::new();
    let moves = "1. e4 {+EVAL/9} e5 {-EVAL/9} 2. Nf3 {+EVAL/9} Nc6 {-EVAL/9}";
    let game = |number: usize| {
        let (result, eval) = [("1-0", "1.35"), ("1/2-1/2", "0.04"), ("0-1", "-0.90"), ("1/2-1/2", "0.50")][number % 4];
        let moves = moves.replace("+EVAL", eval).replace("-EVAL", &format!("-{eval}").replace("--", ""));
        let tags = format!("[Event \"{}\"]\n[Round \"{number}\"]\n[Result \"{result}\"]\n", number % 7);
        format!("{tags}\n{moves} {result}\n\n")
    };
    place.put("games.pgn", (0..80).map(game).collect::<String>());
    place.put("few.terms", "opposite_bishops_pure\nrams @ 2,4\n");
    // Every position has its line, and the evaluations of one engine can be taken alone.
    let two = String::from_utf8(place.read("games.pgn")).expect("text");
    place.put(
        "two.pgn",
        two.replace("0.50/", "1.50/")
            .replace("1.35/", "0.85/")
            .replace("[Round", "[White \"A 1\"]\n[Black \"B\"]\n[Round"),
    );
    let line = "wdl head two.pgn -o x.toml --from 1 --terms few.terms --max-eval 100 --every 2";
    let words = |line: &str| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let said = place.say(line).ok().out();
    let said: Vec<_> = said.lines().map(words).collect();
    let has = |line: &str| assert!(said.iter().any(|said| said.starts_with(line)), "{line}: {said:?}");
    let number = |line: &str| -> u64 {
        let found = said.iter().find(|said| said.starts_with(line)).unwrap_or_else(|| panic!("{line}: {said:?}"));
        found.split(' ').find_map(|word| word.replace(',', "").parse().ok()).expect("a number")
    };
    assert_eq!(number("positions"), number("fitted") + number("dropped: large-eval") + number("dropped: between"));
    has("dropped: large-eval 80 25.0");
    let said = place.say(line).ok().out();
    assert!(said.contains("evaluations of 2 engines are mixed: A 1, B (see --match-engine)"), "{said}");
    assert!(said.contains("an evaluation beyond 100 centipawns (see --max-eval)"), "{said}");
    let mut command = place.command(line.replace(" --every 2", "").split(' ').chain(["--match-engine", "A .*"]));
    let alone = Done(command.output().expect("the program runs")).ok();
    assert!(alone.out().contains("dropped: other-engine"), "{}", alone.out());
    assert!(!alone.out().contains("mixed") && !alone.err().contains("folds"), "{} {}", alone.out(), alone.err());
    let nobody = place.say("wdl head two.pgn -o x.toml --from 1 --match-engine C");
    nobody.fails(1, &["no player has the name of the engine asked for; names found: A 1, B; check --match-engine"]);
    place.say("wdl head games.pgn -o x.toml --match-engine (").fails(1, &["--match-engine (", "regular expression"]);
    place.say("wdl head games.pgn -o head.toml --from 1 --terms few.terms").ok();
    let fen = "8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60";
    let asked = |eval: &str| {
        let mut command = place.command(["wdl", "show", "head.toml", "--json", "--fen", fen, "--eval", eval]);
        let said = Done(command.output().expect("the program runs")).ok().json();
        ["win", "draw", "loss"].map(|name| said[name].as_f64().expect("a number"))
    };
    let bare = place.run(["wdl", "show", "head.toml", fen, "--eval", "150", "--json"]).ok().json();
    assert_eq!(bare["win"].as_f64(), Some(asked("150")[0]), "a FEN without --fen");
    place.say("wdl show head.toml").fails(1, &["head.toml: a WDL head is asked about a position: give --fen"]);
    let shown = |eval| place.run(["wdl", "show", "head.toml", fen, "--eval", eval]).ok().out();
    assert!(shown("5000").contains(", which counts as 1000: the head does not tell larger ones apart"));
    assert!(shown("-5000").contains(", which counts as -1000:") && !shown("1000").contains("counts as"));
    place.run(["wdl", "show", "head.toml", "8/8/8/8/8/8/8/8 w - - 0 1"]).fails(1, &["White has 0 kings, expected 1"]);
    let (level, ahead, mate) = (asked("0"), asked("150"), asked("30000"));
    assert!(level[0] < ahead[0] && level[2] > ahead[2] && mate == [1.0, 0.0, 0.0], "{level:?} {ahead:?}");
    let done = place.say("wdl head games.pgn --of head.toml -o mine.toml --from 1").ok();
    let said = done.out();
    assert!(
        said.contains("what evaluations are worth counts ") && fs::metadata(place.path("mine.toml")).is_ok(),
        "{said}"
    );
    // Neither of these is worth much on the games that the head has seen, compressed or not; of others nothing is said.
    let known = "the head of --of was fitted to games of this file";
    assert!(done.err().contains(&format!("games.pgn: {known}: its scale on them is its own")), "{}", done.err());
    place.put("packed.pgn.zst", zstd::encode_all(&place.read("games.pgn")[..], 3).expect("packed"));
    let line = "wdl head packed.pgn.zst --of head.toml --compare --folds 2 --from 1";
    let said = place.say(line).ok().err();
    assert!(said.contains(&format!("packed.pgn.zst: {known}: these figures flatter it")), "{said}");
    let renamed = String::from_utf8(place.read("games.pgn")).expect("text").replace("[Event \"", "[Event \"of ");
    place.put("renamed.pgn", &renamed);
    let among = "games of the fit are among these: ";
    let said = place.say("wdl head renamed.pgn --of head.toml -o other.toml --from 1").ok().err();
    assert!(!said.contains(known) && said.contains(&format!("--of: {among}")), "{said}");
    let said = place.say("wdl head renamed.pgn --towards head.toml -o other.toml --from 1").ok().err();
    assert!(said.contains(&format!("--towards: {among}")), "{said}");
    let inputs = String::from_utf8(place.read("mine.toml")).expect("text").matches("name = \"games.pgn\"").count();
    assert_eq!(inputs, 1, "an input stands there once");
    place.put("others.pgn", (1..81).map(game).collect::<String>());
    let said = place.say("wdl head others.pgn --of head.toml -o mine.toml --from 1").ok().err();
    assert!(!said.contains(known), "{said}");
    let mut command = place.command(["wdl", "show", "few.terms", "--fen", fen, "--eval", "0"]);
    Done(command.output().expect("the program runs")).fails(1, &["few.terms", "not a heads file"]);
    place.put("none.pgn", self::game("", "1. e4 e5 1-0"));
    place.say("wdl head none.pgn -o x.toml --from 1").fails(1, &["has an evaluation of at most 1000 centipawns"]);
    place.put(
        "from-fen.pgn",
        self::game("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"]\n", FOUR_EVALS),
    );
    let unused = ["nothing was used: 1 game read, skipped: start-position 1.", "nothing to fit"];
    place.say("wdl head from-fen.pgn -o x.toml --no-fen-starts").fails(1, &unused);
    place.say("wdl head from-fen.pgn -o x.toml --no-fen-starts --fen-starts").fails(2, &["cannot be used with"]);
    // They count, as in `wdl collect`, and both say how many there are.
    let line = "wdl head games.pgn from-fen.pgn -o head.toml --from 1 --terms few.terms";
    let both = place.say(line).ok().out();
    let begins = "1 counted game begins from a FEN, such as an opening of a book (see --no-fen-starts)";
    assert!(!both.contains("skipped: start-position") && both.contains(begins), "{both}");
    assert_eq!(place.say(&format!("{line} --fen-starts")).ok().out(), both, "as by default");
    let counted = place.say("wdl collect games.pgn from-fen.pgn -o x.wdl --json").ok().json();
    assert_eq!(counted["noticed"]["fen-starts"], 1);
    let without = place.say(&format!("{line} --no-fen-starts")).ok().out();
    assert!(without.contains("skipped: start-position") && without.contains("(see --fen-starts)"), "{without}");
    let quiet = place.say(&format!("{line} --no-fen-starts -q")).ok();
    let skipped = "1 of 81 games skipped: start-position 1. They begin from FENs";
    assert!(quiet.err().contains(skipped), "{}", quiet.err());
    place.put(
        "mixed.pgn",
        self::game("", FOUR_EVALS)
            + &self::game("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"]\n", FOUR_EVALS),
    );
    place
        .say("wdl head mixed.pgn -o x.toml --from 1 --no-fen-starts")
        .fails(1, &["1 of 2 games skipped: start-position 1", "--fen-starts"]);
    // What the file is, where another was asked for.
    place
        .say("wdl show head.toml --eval 90")
        .fails(1, &["head.toml: a WDL head is asked about a position: give --fen"]);
    place.say("wdl show few.terms --eval 90").fails(1, &["few.terms: expected a WDL model"]);
}

/// Files collected apart give what one run gives, in any order; what was counted twice or otherwise is refused.
#[test]
fn files_are_merged() {
    let place = Place::new();
    place.put("a.pgn", game("", FOUR_EVALS));
    place.put("b.pgn", game("", &FOUR_EVALS.replace("0.35", "0.75")).repeat(2));
    for line in [
        "a.pgn -o a.wdl",
        "b.pgn -o b.wdl",
        "a.pgn b.pgn -o ab.wdl",
        "a.pgn b.pgn -o ab.json",
        "b.pgn --bin-width 1 -o fine.wdl",
    ] {
        place.say(&format!("wdl collect {line} -q")).ok();
    }
    let said = place.say("merge a.wdl b.wdl -o m.wdl").ok().out();
    assert!(said.contains("games read") && said.contains("in 2 inputs") && said.contains("12 positions"), "{said}");
    place.say("merge b.wdl a.wdl -o n.wdl").ok();
    assert_eq!(place.read("m.wdl"), place.read("n.wdl"));
    let shown = place.say("inspect m.wdl").ok().out();
    for part in [
        "of          2 games  b.pgn",
        "rule     ",
        "\npositions                             12  100.0 %  by the result",
        "blocks of games, which is too few for `wdl fit` to estimate errors: it needs 10 blocks",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let value = place.say("inspect m.wdl --json").ok().json();
    let inputs: Vec<_> = [0, 1].map(|at| (&value["inputs"][at]["name"], &value["inputs"][at]["positions"])).to_vec();
    assert_eq!(inputs, [(&json!("b.pgn"), &json!(8)), (&json!("a.pgn"), &json!(4))]);
    assert_eq!((&value["games"], &value["counted"], &value["positions"]), (&json!(3), &json!(3), &json!(12)));
    // White has won every game and moved first.
    assert_eq!(value["results"], json!({ "won": 6, "drawn": 0, "lost": 6 }));
    place
        .say("inspect m.wdl --csv")
        .fails(1, &["WDL counts have no cells to print", "`drawish merge` writes them as .json"]);
    place.say("merge m.wdl -o m.json").ok();
    assert!(place.path("m.json").exists());
    place.say("inspect m.wdl --eval 5 8/8").fails(1, &["only heads take an evaluation"]);
    place.say("inspect m.wdl 8/8").fails(
        1,
        &["m.wdl: WDL counts say nothing of one position: `drawish wdl fit` fits a model to them, and `drawish wdl show` asks it"],
    );
    assert_eq!(place.read("m.wdl"), place.read("ab.wdl"));
    // A file without positions, such as a part of a file in which no game begins, changes no other. The verb writes none.
    place.put("unevaluated.pgn", game("", "1. e4 e5"));
    place.say("wdl collect unevaluated.pgn -o unevaluated.wdl -q").fails(1, &["no position was counted"]);
    drawish::provenance::set_commit(drawish::COMMIT);
    let part = drawish::pgn::expand_inputs(&[place.path("unevaluated.pgn")]).expect("an input");
    let part = drawish::wdl::Collect::new(part).run().expect("counts");
    place.put("unevaluated.wdl", part.file.to_bytes());
    place.say("wdl collect a.pgn b.pgn unevaluated.pgn -o with.wdl -q").ok();
    for files in ["unevaluated.wdl a.wdl b.wdl", "a.wdl unevaluated.wdl b.wdl", "a.wdl b.wdl unevaluated.wdl"] {
        place.say(&format!("merge {files} -o m-with.wdl")).ok();
        assert!(place.read("m-with.wdl") == place.read("with.wdl"), "{files}");
    }
    // In one of the two orders names and digests contradict each other.
    for (name, from) in [("y.pgn", "a.pgn"), ("x.pgn", "b.pgn")] {
        place.put(name, place.read(from));
        place.say(&format!("wdl collect {name} -o {name}.wdl -q")).ok();
    }
    place.say("wdl collect x.pgn y.pgn -o xy.wdl -q").ok();
    place.say("merge x.pgn.wdl y.pgn.wdl -o m.xy.wdl").ok();
    assert_eq!(place.read("m.xy.wdl"), place.read("xy.wdl"));
    place.say("merge m.wdl -o m.json").ok();
    assert_eq!(place.read("m.json"), place.read("ab.json"));
    let json = place.say("merge a.wdl b.wdl -o m.wdl --json").ok().json();
    assert_eq!((&json["games"], &json["positions"]), (&json!(3), &json!(12)));
    place.put("copy.pgn", place.read("a.pgn"));
    place.say("wdl collect copy.pgn -o copy.wdl -q").ok();
    let before = place.read("m.wdl");
    for (line, said) in [
        ("a.wdl m.wdl -o x.wdl", "m.wdl: a.pgn (XXH3-128 "),
        (
            "a.wdl copy.wdl -o x.wdl",
            "is already in it as a.pgn: its games would be counted twice; leave one of the files out",
        ),
        ("a.wdl a.wdl -o x.wdl", "counted twice"),
        (
            "a.wdl fine.wdl -o x.wdl",
            "fine.wdl: counted by another rule: bin_width: expected 5, found 1; collect both with the same options",
        ),
        ("a.wdl ab.json -o x.wdl", "ab.json: expected WDL counts as a.wdl has"),
        ("a.wdl a.pgn -o x.wdl", "a.pgn: expected WDL counts as a.wdl has"),
        ("a.wdl ab.json -o x.counts", "ab.json: expected WDL counts as a.wdl has"),
        ("a.wdl none.wdl -o x.wdl", "none.wdl"),
        ("a.wdl m.wdl -o m.wdl", "m.wdl is an input and would be overwritten"),
        ("a.wdl b.wdl -o x.counts", "x.counts: a format is chosen by its ending"),
    ] {
        place.say(&format!("merge {line}")).fails(1, &[said]);
    }
    assert!(!place.path("x.wdl").exists());
    assert_eq!(place.read("m.wdl"), before);
    // A fit adds counts under the same condition.
    let rules = "fine.wdl: counted by another rule: bin_width: expected 5, found 1; collect both with the same options";
    place.say("wdl fit a.wdl fine.wdl").fails(1, &[rules]);
}

/// On few games the denominator of a rational curve is hardly determined; the errors of what is determined are no smaller for that.
#[test]
fn rational_curves_have_honest_errors() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst");
    collect(&place, "-o s.wdl", &[&sample]);
    let fit =
        |shape: &str| place.say(&format!("wdl fit s.wdl --normalize-to-pawn-value 100 --shape {shape} --json")).ok();
    let (cubic, rational) = (fit("cubic").json(), fit("rational").json());
    let error = |model: &Value| model["errors"]["pawn_value"].as_f64().expect("an error");
    let ratio = error(&rational) / error(&cubic);
    assert!(
        (0.3..3.0).contains(&ratio),
        "{} +- {} and {} +- {}",
        rational["pawn_value"],
        error(&rational),
        cubic["pawn_value"],
        error(&cubic)
    );
    let largest = ["as", "bs"]
        .iter()
        .flat_map(|name| rational[name].as_array().expect("a list"))
        .map(|coefficient| coefficient.as_f64().expect("a number").abs())
        .fold(0.0, f64::max);
    let warned =
        rational["warnings"].to_string().contains("the coefficients of the rational curves are not determined");
    assert!(warned || largest < 1e7, "{largest:e}: {}", rational["warnings"]);
}

/// A curve with a pole where there is no material at all: it is found, its coefficients are not.
#[test]
fn coefficients_without_bounds_are_warned_of() {
    let place = Place::new();
    let mut counts = serde_json::Map::new();
    for material in (17..=78).step_by(3) {
        let (a, b) = (60.0 + 40.0 * 58.0 / f64::from(material), 60.0);
        for eval in (-390..=390).step_by(30) {
            let share = |distance: f64| 1.0 / (1.0 + (distance / b).exp());
            let (win, loss) = (share(a - f64::from(eval)), share(a + f64::from(eval)));
            for (result, share) in [("W", win), ("D", 1.0 - win - loss), ("L", loss)] {
                counts.insert(format!("('{result}', 30, {material}, {eval})"), json!((1e9 * share).round() as u64));
            }
        }
    }
    place.put("pole.json", serde_json::Value::Object(counts).to_string());
    let fit = place.say("wdl fit pole.json --normalize-to-pawn-value 100 --shape rational --json").ok().json();
    assert!((fit["pawn_value"].as_f64().expect("a number") - 100.0).abs() < 0.01, "{}", fit["pawn_value"]);
    let warnings = fit["warnings"].to_string();
    assert!(
        warnings.contains("the coefficients of the rational curves are not determined"),
        "{warnings} {}",
        fit["as"]
    );
}
