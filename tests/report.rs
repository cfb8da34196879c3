//! `report`: what is shown of every kind of input, and what is said of those that cannot be shown.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::Place;

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(name)
}

/// A match log with these pairs, each the results of its two games.
fn log(name: &str, pairs: &[[&str; 2]]) -> String {
    let side =
        |name: &str| json!({ "name": name, "player": name, "build": null, "options": [], "limits": "100 nodes" });
    let setup = json!({ "format": 1, "sides": [side(name), side("none")], "book": "book.epd", "book_digest": "00", "openings": 9,
        "plies": null, "seed": 1, "rules": "rules of chess; time margin 20 ms" });
    let mut text = format!("{setup}\n");
    for (number, results) in (1..).zip(pairs) {
        let game = |(place, result): (usize, &&str)| {
            let end = if *result == "1/2-1/2" { "repetition" } else { "mate" };
            let moves = ["e2e4", "d2d4"][place];
            json!({ "result": result, "end": end, "moves": moves, "said": "//" })
        };
        let games: Vec<Value> = results.iter().enumerate().map(game).collect();
        text += &format!("{}\n", json!({ "pair": number, "book": number.to_string(), "games": games }));
    }
    text
}

const WON: [&str; 2] = ["1-0", "1/2-1/2"];
const LEVEL: [&str; 2] = ["1/2-1/2", "1/2-1/2"];
const LOST: [&str; 2] = ["0-1", "1/2-1/2"];

/// 30 pairs, of which 10 are won and 5 lost.
fn pairs() -> Vec<[&'static str; 2]> {
    (0..30)
        .map(|number| {
            if number % 3 == 0 {
                WON
            } else if number % 6 == 1 {
                LOST
            } else {
                LEVEL
            }
        })
        .collect()
}

/// A WDL fit as `wdl fit --json` writes it, without errors.
fn wdl_fit() -> Value {
    let row =
        |mom: u32| json!({ "mom": mom, "a": 100.0 + f64::from(mom), "b": 50.0, "a_error": null, "b_error": null });
    json!({ "pawn_value": 158.0, "spread": 50.0, "errors": null, "mom_type": "material", "mom_target": 58.0,
        "curve": (17..79).map(row).collect::<Vec<_>>(), "retained": { "wins": 300.0, "draws": 400.0, "losses": 300.0 },
        "calibration": [{ "sides": 2000.0, "predicted_win": 0.3, "observed_win": 0.3, "predicted_draw": 0.39, "observed_draw": 0.4 }],
        "calibration_held_out": true, "held_out_log_loss": 0.61, "warnings": [], "inputs": ["games.pgn"], "made_by": "drawish 0" })
}

/// An evaluation as `evaluate --json` writes it.
fn evaluation() -> Value {
    let bins: Vec<Value> =
        (0..4).map(|bin| json!({ "count": 50, "forecast": 0.2 + 0.1 * f64::from(bin), "rate": 0.25 + 0.1 * f64::from(bin), "low": -0.02, "high": 0.12 })).collect();
    let quality = |gain: f64| {
        json!({ "target": "draw", "loss": 0.9, "gain": { "millibits": gain, "error": 2.5 }, "over": null, "brier": 0.2, "ece": [0.01, 0.0, 0.02],
            "calibration": { "ece": 0.01, "low": 0.0, "high": 0.02, "bins": bins } })
    };
    let verdict =
        |name: &str, gain: f64| json!({ "name": name, "weights": 3, "over": null, "qualities": [quality(gain)] });
    json!({ "board": { "rows": 200, "games": 200, "events": 20, "skeletons": 30, "folds": 5, "results": [60, 100, 40],
        "verdicts": [verdict("constant", 0.0), verdict("table <raw>", -86.0), verdict("material", 35.1)] } })
}

/// The JSON that a page holds.
fn data(page: &str) -> Value {
    let begin = page.split("id=\"data\">").nth(1).expect("data");
    serde_json::from_str(begin.split("</script>").next().expect("an end")).expect("JSON")
}

#[test]
fn a_page_of_every_kind_is_whole_by_itself() {
    let place = Place::new();
    place.put("gain.jsonl", log("gain", &pairs()));
    place.put("draw.jsonl", log("draw", &pairs()[..9]));
    place.put("model.json", wdl_fit().to_string());
    place.put("evaluation.json", evaluation().to_string());
    let counts = shipped("human.counts");
    let tcec = shipped("tcec.table");
    let heads = shipped("human.heads.toml");
    let inputs = [&counts, &tcec, &heads].map(|path| path.display().to_string());
    let words = "report gain.jsonl draw.jsonl model.json evaluation.json --sprt elo0=0 elo1=20 -o page.html -o page.md --svg pictures";
    place
        .run(
            words
                .split(' ')
                .map(str::to_owned)
                .chain(["--title".to_owned(), "A </script> & B".to_owned()])
                .chain(inputs),
        )
        .ok();
    let page = String::from_utf8(place.read("page.html")).expect("text");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(page.contains("<title>A &lt;/script&gt; &amp; B</title>") && !page.contains("A </script>"));
    for id in [
        "structures",
        "heat",
        "funnel",
        "classes",
        "gains",
        "calibration",
        "heads",
        "wdl",
        "comparison",
        "matches",
        "provenance",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id} is missing");
    }
    assert!(!page.contains("<section id=\"missing\">"), "nothing is missing");
    // What moves change stands there as `inspect --moves` prints it, with the same four decimals.
    let moves = place.run([Path::new("inspect"), &heads, Path::new("--moves")]).ok().out();
    let quiet: Vec<&str> = moves.lines().find(|line| line.starts_with("quiet")).expect("a line").split("  ").collect();
    let quiet: Vec<&str> = quiet.into_iter().map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(quiet.len(), 8, "{quiet:?}");
    for cell in quiet {
        assert!(page.contains(&format!(">{cell}<")), "{cell} is missing");
    }
    // Nothing is loaded: no sources, links to other places, imports.
    let own = page.split("<script>").next().expect("a beginning");
    for loads in [" src=", "<link", "@import", "url(", "http-equiv=\"refresh\""] {
        assert!(!own.contains(loads), "{loads}");
    }
    assert!(own.contains("default-src 'none'; script-src 'sha256-") && !own.contains("unsafe-eval"));
    // Every figure with a specification has its still picture, and the other way round but for the boards.
    let data = data(&page);
    let figures = data["figures"].as_object().expect("figures");
    for name in figures.keys() {
        assert!(page.contains(&format!("data-figure=\"{name}\"")), "{name}");
    }
    assert_eq!(page.matches("<div class=\"still\"><svg").count(), page.matches("<figure id=").count());
    assert_eq!(
        figures.len() + 2,
        page.matches("<figure id=").count(),
        "all but the boards of both sources have specifications"
    );
    let human = &data["structures"][0];
    assert_eq!(
        (human["p"].as_array().map(Vec::len), human["n"][0].as_u64(), human["draws"][0].as_u64()),
        (Some(4096), Some(364), Some(211))
    );
    assert_eq!(data["structures"][1]["draws"], Value::Null, "a table keeps no results");
    // The pictures of the directory are those of the page, and Markdown links to them.
    let files = std::fs::read_dir(place.path("pictures")).expect("pictures").count();
    assert_eq!(files, page.matches("<figure id=").count());
    let text = String::from_utf8(place.read("page.md")).expect("text");
    assert!(text.contains("](pictures/heat-1.svg)") && text.contains("table \\<raw\\>"), "{text}");
}

/// `table` and the page fit one prior to the same cells, and both say to which.
#[test]
fn table_and_report_agree_on_the_prior() {
    let place = Place::new();
    let counts = shipped("human.counts");
    let estimated =
        |words: &str| place.run(words.split(' ').map(str::to_owned).chain([counts.display().to_string()])).ok().out();
    let mut said = Vec::new();
    for estimate in ["eb", "eb-sym"] {
        let printed = estimated(&format!("table --estimate {estimate} -o p.table"));
        let mut lines = printed.lines().skip_while(|line| !line.starts_with("prior: "));
        let prior = lines.next().expect("a prior").trim_start_matches("prior: ").trim_end_matches(',').to_owned();
        let basis = lines.next().expect("its cells").trim().to_owned();
        estimated(&format!("report --estimate {estimate} -o page.md"));
        let page = String::from_utf8(place.read("page.md")).expect("text");
        assert!(page.contains(&prior) && page.contains(&basis), "{prior}, {basis}: {page}");
        said.push((prior, basis));
    }
    assert!(said[0].0 != said[1].0 && said[0].1 != said[1].1, "{said:?}");
}

#[test]
fn markdown_of_a_match() {
    let place = Place::new();
    place.put("gain.jsonl", log("gain", &pairs()));
    place.put("level.jsonl", log("level", &[LEVEL; 12]));
    place.put("begun.jsonl", log("begun", &[]));
    let text =
        place.say("report gain.jsonl level.jsonl begun.jsonl --sprt elo0=0 elo1=20 --title Pilot -o -").ok().out();
    let stable: Vec<&str> = text.lines().filter(|line| !line.contains("drawish 0.")).collect();
    insta::assert_snapshot!("report_of_matches", stable.join("\n"));
    let own_title = place.say("report gain.jsonl -o -").ok().out();
    assert!(own_title.starts_with("# Games between engines\n"), "{own_title}");
}

/// What `wdl head --compare --json` says is shown with every step and its gain, and a file of another form is named with its remedy.
#[test]
fn a_comparison_of_wdl_heads_is_shown() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst");
    let line = format!("wdl head {} --compare --steps --every 200 --folds 2 --json", sample.display());
    let compared = place.say(&line).ok().json();
    place.put("compared.json", compared.to_string());
    place.say("report compared.json -o page.html -o page.md --svg pictures").ok();
    let text = String::from_utf8(place.read("page.md")).expect("text");
    let verdicts = compared["verdicts"].as_array().expect("verdicts");
    assert!(verdicts.len() > 3, "{compared}");
    for verdict in verdicts {
        let row = format!("| {} |", verdict["name"].as_str().expect("a name"));
        assert!(text.contains(&row), "{row} in {text}");
    }
    assert!(text.contains("sample.pgn.zst") && text.contains("rule --sample every --from 8"), "{text}");
    assert!(text.starts_with("# Draws and structures\n"), "{text}");
    for picture in ["wdl-heads-1-gains.svg", "wdl-heads-1-reliability.svg"] {
        assert!(place.path("pictures").join(picture).exists(), "{picture}");
    }
    place.put("old.json", r#"{"largest_eval": 600, "verdicts": []}"#);
    place.say("report old.json -o page.html").fails(1, &["old.json: a comparison that this version does not read"]);
}

/// A WDL head is shown from its text and from the file for engines, with the same curves, and what it stands on as far as it is recorded.
#[test]
fn wdl_heads_are_shown() {
    let place = Place::new();
    let shipped =
        |name: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(name)).expect("a head");
    place.put("drawish.wdl.toml", shipped("drawish.wdl.toml"));
    place.say("wdl head drawish.wdl.toml -o head.heads").ok();
    let done = place.say("report drawish.wdl.toml head.heads -o page.html -o page.md --svg pictures").ok();
    assert_eq!(done.out(), "page.html, page.md, pictures written: 2 of 2 inputs shown\n");
    let (page, text) = (place.read("page.html"), String::from_utf8(place.read("page.md")).expect("text"));
    let page = String::from_utf8(page).expect("text");
    assert!(page.contains("<section id=\"wdl-head\">") && !page.contains("<section id=\"missing\">"));
    let figures = |head: usize| (1..=6).map(move |board| format!("wdl-head-{head}-board-{board}"));
    let data = data(&page);
    for (one, other) in figures(1).zip(figures(2)) {
        let picture = |name: &str| place.read(&format!("pictures/{name}.svg"));
        assert_eq!(picture(&one), picture(&other), "the same head");
        let rows = data["figures"][&one]["data"]["values"].as_array().expect("rows").clone();
        // Rates add up to 1 at every evaluation, to the digits that are shown.
        let rate = |row: &Value| row["rate"].as_f64().expect("a rate");
        assert_eq!(rows.len(), 3 * 49, "{one}");
        assert!(rows.chunks(3).all(|row| (row.iter().map(rate).sum::<f64>() - 1.0).abs() < 2e-3), "{one}");
    }
    let level = text.lines().filter(|line| line.starts_with("| opposite-coloured bishops")).collect::<Vec<_>>();
    assert_eq!(level.len(), 2, "{text}");
    assert_eq!(level[0], level[1]);
    for part in
        ["| evaluations of | all players |", "W = sigmoid(", "the file does not say", "A file for engines, fitted to"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    // Only the WDL head of a file with several is shown; a file without one says so.
    place.put("pooled.heads", shipped("pooled.heads"));
    let done = place.say("report pooled.heads drawish.wdl.toml -o page.html").ok();
    assert!(
        done.err().contains("pooled.heads: no page shows heads for engines without a WDL head; give the .toml"),
        "{}",
        done.err()
    );
    assert_eq!(done.out(), "page.html written: 1 of 2 inputs shown; left out: pooled.heads\n");
    let quiet = place.say("report pooled.heads drawish.wdl.toml -o page.html -q").ok();
    assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()));
}

#[test]
fn what_is_missing_old_or_unfinished_is_said_and_the_rest_is_shown() {
    let place = Place::new();
    let whole = log("gain", &pairs());
    place.put("running.jsonl", &whole[..whole.len() - 20]);
    place.put("old.jsonl", whole.replacen("\"format\":1", "\"format\":0", 1));
    place.put("damaged.jsonl", whole.replacen("\"pair\":7,", "\"pair\":8,", 1));
    place.put("begun.jsonl", log("begun", &[]));
    place.put("old.json", json!({ "pawn_value": 1.0 }).to_string());
    place.put("cut.json", &evaluation().to_string()[..90]);
    place.put("empty.counts", "");
    place.put("games.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    place.put("picture.png", b"\x89PNG\r\n\x1a\n");
    let mut old = evaluation();
    for verdict in old["board"]["verdicts"].as_array_mut().expect("verdicts") {
        verdict["qualities"][0].as_object_mut().expect("a quality").remove("calibration");
    }
    place.put("plain.json", old.to_string());
    let mut counts = std::fs::read(shipped("tcec.counts")).expect("counts");
    counts[8] = 9;
    place.put("later.counts", counts);
    let inputs = "running.jsonl old.jsonl damaged.jsonl begun.jsonl old.json cut.json empty.counts games.pgn picture.png plain.json \
                  later.counts absent.table";
    let done = place.say(&format!("report {inputs} -o page.md -o page.html"));
    let said = [
        "running.jsonl: the last line has no end: the match is still being played, or was broken off; it is left out; shown: 29 finished pairs",
        "old.jsonl: expected a match log of a format from 1 to 3, found 0",
        "damaged.jsonl: line 8 of the log is damaged (expected pair 7, found pair 8); what stands before it is shown: 6 pairs",
        "damaged.jsonl: 6 of 6 pairs are in running.jsonl as well",
        "begun.jsonl: no pair of games between begun and none is finished",
        "old.json: a WDL fit that this version does not read (missing field",
        "cut.json: JSON that breaks off or is damaged",
        "empty.counts: the file is empty",
        "games.pgn: no page shows games; count them by `drawish collect",
        "picture.png: expected counts, a table, heads, a WDL fit",
        "plain.json: an evaluation of an earlier version, without the bins of calibration",
        "later.counts: expected counts format version 1 to 4, found 9",
        "absent.table: cannot be read: no such file",
    ];
    let done = done.fails(1, &said);
    let lines = done.err().lines().count();
    assert_eq!(lines, said.len(), "each is said once: {}", done.err());
    let page = String::from_utf8(place.read("page.html")).expect("text");
    let text = String::from_utf8(place.read("page.md")).expect("text");
    for part in ["running.jsonl: the last line", "absent.table: cannot be read", "later.counts: expected"] {
        assert!(page.contains(part) && text.contains(part), "{part}");
    }
    for id in ["missing", "gains", "matches", "comparison"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(!page.contains("<section id=\"calibration\">"));
}

/// A directory stands for the results in it; what no page shows is named in one line.
#[test]
fn a_directory_gives_its_results() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("results/empty")).expect("directories");
    place.put("results/match.jsonl", log("gain", &pairs()));
    place.put("results/gains.json", evaluation().to_string());
    place.put("results/games.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    place.put("results/notes.txt", "nothing");
    place.put("results/page.png", b"\x89PNG\r\n\x1a\n");
    place.put("results/rows.csv", "game,skeleton,event,result\n1,2,3,1\n");
    let counts = shipped("human.counts");
    place.run(["table".as_ref(), "-q".as_ref(), "-o".as_ref(), "results/pawns.h".as_ref(), counts.as_os_str()]).ok();
    let done = place.say("report results -o page.md").ok();
    assert_eq!(done.err().lines().count(), 1, "{}", done.err());
    let left_out =
        "results: left out, as no page shows them: 5 files (games.pgn, notes.txt, page.png, pawns.h, rows.csv)";
    assert!(done.err().contains(left_out), "{}", done.err());
    place
        .say("report results/rows.csv -o x.md")
        .fails(1, &["rows.csv: no page shows rows as CSV; write rows as .parquet"]);
    let page = String::from_utf8(place.read("page.md")).expect("text");
    assert!(page.contains("match.jsonl") && page.contains("gains.json"), "{page}");
    place.say("report results/empty -o page.md").fails(1, &["a directory without files; name results"]);
    place.put("results/empty/a.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    place.say("report results/empty -o page.md").fails(1, &["none of the files in this directory can be shown"]);
    // A file that is named as well is shown once, at its place; files of the same name are called by their paths.
    let alone = place.say("report results/empty/../match.jsonl results -o twice.md").ok();
    assert_eq!(alone.err(), done.err());
    let twice = String::from_utf8(place.read("twice.md")).expect("text");
    assert_eq!(twice.matches("match.jsonl").count(), page.matches("match.jsonl").count(), "{twice}");
    place.put("results/empty/match.jsonl", log("gain", &pairs()));
    for line in ["results results/empty", "results/match.jsonl results/empty/match.jsonl"] {
        let done = place.say(&format!("report {line} -o both.md")).ok();
        let said = "results/empty/match.jsonl: 30 of 30 pairs are in results/match.jsonl as well";
        assert!(done.err().contains(said), "{}", done.err());
    }
    let named_twice = place.say("report results/match.jsonl results/./match.jsonl -o both.md").ok();
    assert!(named_twice.err().contains("match.jsonl: named twice; it is shown once"), "{}", named_twice.err());
    // A damaged file fails the call, as it does where it is named.
    place.put("results/empty/cut.json", &evaluation().to_string()[..90]);
    place.say("report results/empty -o both.md").fails(1, &["cut.json: JSON that breaks off or is damaged"]);
    // Commands stay code in Markdown.
    place.say("report results/match.jsonl results/games.pgn -o page.md").ok();
    let page = String::from_utf8(place.read("page.md")).expect("text");
    assert!(page.contains("count them by `drawish collect FILE -o games.counts`"), "{page}");
}

/// Files of gigabytes that no verb knows, or that begin as one that is known, are refused by their beginning and their length.
#[cfg(unix)]
#[test]
fn huge_files_are_not_read_as_a_whole() {
    let place = Place::new();
    let begin = std::time::Instant::now();
    for (name, head) in [
        ("blanks", ""),
        ("toml", "format = \"heads\"\n"),
        ("json", "{\"a\":"),
        ("text", "format  "),
        ("x.counts", "DRAWCNT\0"),
    ] {
        place.put(name, head);
        let file = std::fs::File::options().write(true).open(place.path(name)).expect("a file");
        // 6 GB that take no room on the disk.
        if file.set_len(6_000_000_000).is_err() {
            continue;
        }
        place
            .say(&format!("report {name} -o page.html"))
            .fails(1, &[&format!("{name}: cannot be read: longer than "), "expected counts, a table"]);
        for verb in ["inspect", "verify", "merge -o all.counts"] {
            place.say(&format!("{verb} {name}")).fails(1, &[name]);
        }
    }
    place.put("huge.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    let file = std::fs::File::options().write(true).open(place.path("huge.pgn")).expect("a file");
    if file.set_len(6_000_000_000).is_ok() {
        place.say("report huge.pgn -o page.html").fails(1, &["no page shows games"]);
    }
    // Reading one of them takes seconds, and its memory.
    assert!(begin.elapsed() < std::time::Duration::from_secs(120), "{:?}", begin.elapsed());
}

/// Of how many games its rows are is not known then, and each is a position at least.
#[test]
fn evaluations_of_earlier_versions_claim_no_games() {
    let place = Place::new();
    let mut old = evaluation();
    place.put("new.json", old.to_string());
    old["board"].as_object_mut().expect("an object").remove("games");
    place.put("old.json", old.to_string());
    let said = place.say("report old.json -o page.md").ok().err();
    assert!(
        said.contains("old.json: an evaluation of an earlier version, which records neither of how many games"),
        "{said}"
    );
    let [old, new] = ["old", "new"].map(|name| {
        place.say(&format!("report {name}.json -o page.md -q")).ok();
        String::from_utf8(place.read("page.md")).expect("text")
    });
    assert!(old.contains("200 positions held out by 30 openings and 20 events: "), "{old}");
    assert!(new.contains("200 games held out by 30 openings and 20 events: ") && !new.contains("earlier"), "{new}");
    assert!(new.contains("tenth of the games held out") && !old.contains("tenth of the games"), "{old}");
}

#[test]
fn tables_of_other_schemes_are_left_out_in_words() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst").display().to_string();
    place.run(["collect", &sample, "--scheme", "ah", "-o", "ah.counts", "-q"]).ok();
    place.say("table ah.counts -o ah.table -q").ok();
    let human = shipped("human.counts").display().to_string();
    let done = place.run(["report", "ah.counts", "ah.table", &human, "-o", "page.html"]).ok();
    for name in ["ah.counts", "ah.table"] {
        assert!(done.err().contains(&format!("{name}: its scheme is ah, ")), "{}", done.err());
    }
    let page = String::from_utf8(place.read("page.html")).expect("text");
    assert_eq!(data(&page)["structures"].as_array().map(Vec::len), Some(1));
    assert!(page.contains("ah.table: its scheme is ah"));
    place.say("report ah.table -o alone.html").fails(1, &["none of the inputs can be shown, so no report is made"]);
    assert!(!place.path("alone.html").exists());
}

#[test]
fn packed_logs_are_read_and_wrong_words_are_usage() {
    let place = Place::new();
    let packed = zstd::encode_all(log("gain", &pairs()).as_bytes(), 3).expect("memory");
    place.put("gain.jsonl.zst", packed);
    let whole = place.say("report gain.jsonl.zst -o -").ok().out();
    assert!(whole.contains("| pairs of games | 30 |"), "{whole}");
    // Of packed files whole blocks can be read, so there must be more than one.
    let many: Vec<_> = std::iter::repeat_n(pairs(), 100).flatten().collect();
    let packed = zstd::encode_all(log("gain", &many).as_bytes(), 3).expect("memory");
    place.put("cut.jsonl.zst", &packed[..packed.len() - 4]);
    let cut = place.say("report cut.jsonl.zst -o -").ok();
    assert!(cut.err().contains("the compressed file is truncated"), "{}", cut.err());
    let as_png = place.say("report gain.jsonl.zst --png drawn");
    if cfg!(feature = "png") {
        let drawn: Vec<_> = std::fs::read_dir(place.path("drawn")).expect("a directory").flatten().collect();
        assert!(
            !drawn.is_empty() && drawn.iter().all(|file| file.path().extension().is_some_and(|ending| ending == "png"))
        );
    } else {
        as_png.fails(1, &["built without PNG"]);
    }
    place.say("report gain.jsonl.zst -o report.pdf").fails(1, &["report.pdf", "neither .html nor .md", "--svg"]);
    let said = place.say("report gain.jsonl.zst -o report.pdf").fails(1, &[]).err();
    assert_eq!(said.matches("neither .html nor .md").count(), 1, "{said}");
    place.say("report gain.jsonl.zst -o - --sprt elo0=5").fails(2, &["--sprt needs both elo0= and elo1="]);
    place.say("report gain.jsonl.zst -o - --margin 0").fails(2, &["--margin 0", "above 0"]);
    place.say("report gain.jsonl.zst").fails(2, &["--output"]);
    place.say("report gain.jsonl.zst -o gain.jsonl.zst").fails(1, &["gain.jsonl.zst"]);
}

#[test]
fn a_page_stays_small() {
    let place = Place::new();
    let counts = std::fs::read(shipped("human.counts")).expect("counts");
    let names: Vec<String> = (1..=7).map(|number| format!("{number}.counts")).collect();
    for name in &names {
        place.put(name, &counts);
    }
    let words = ["report", "-o", "page.html", "1.counts"].into_iter().chain(names.iter().map(String::as_str));
    let done = place.run(words).ok();
    assert!(done.err().contains("1.counts: named twice; it is shown once"), "{}", done.err());
    assert!(done.err().contains("7.counts: structures of 6 inputs fill a page"), "{}", done.err());
    let page = place.read("page.html");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}
