//! Rows, heads and evaluations through the program, on the sample that it ships.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::Place;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst")
}

/// A place with rows of the sample.
fn with_rows() -> Place {
    let place = Place::new();
    let path = sample();
    place.run(["positions", path.to_str().expect("a path"), "-o", "rows.parquet", "-q"]).ok();
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn rows_do_not_depend_on_threads_and_add_up() {
    let place = with_rows();
    let path = sample();
    let path = path.to_str().expect("a path");
    let done = place.run(["positions", path, "-o", "two.parquet", "-j", "2", "--json"]).ok();
    assert!(place.read("rows.parquet") == place.read("two.parquet"));
    let said = json(&done.out());
    let skipped: u64 = said["skipped"].as_object().expect("reasons").values().filter_map(Value::as_u64).sum();
    assert_eq!(said["counted"].as_u64().expect("a count") + skipped, said["games"].as_u64().expect("a count"));
    assert_eq!(said["positions"], said["counted"]);
    let every = place.run(["positions", path, "-o", "e.parquet", "--sample", "every", "--from", "55", "--json"]).ok();
    assert!(json(&every.out())["positions"].as_u64() > said["positions"].as_u64());
}

/// Rows that say where they stand are read as others are.
#[test]
fn rows_with_places_tune_the_same() {
    let place = with_rows();
    let path = sample();
    place.run(["positions", path.to_str().expect("a path"), "-o", "placed.parquet", "-q", "--places"]).ok();
    for name in ["rows", "placed"] {
        place.say(&format!("tune {name}.parquet -o {name}.heads -q")).ok();
    }
    assert!(place.read("rows.parquet").len() < place.read("placed.parquet").len());
    assert!(place.read("rows.heads").len() > 1000);
    let weights = |name: &str| place.read(name)[64..].to_vec();
    assert!(weights("rows.heads") == weights("placed.heads"));
}

#[test]
fn tune_and_evaluate_overwrite_nothing_that_they_read() {
    let place = with_rows();
    place.put("mine.toml", "npm\n");
    place.put("gain.toml", "npm\n");
    for line in [
        "tune rows.parquet --terms mine.toml -o mine.toml",
        "tune rows.parquet --gain-terms gain.toml -o x.toml -o ./gain.toml",
        "tune rows.parquet --terms mine.toml -o x.toml -o x.toml",
    ] {
        let refused = place.say(line);
        let said = if line.ends_with(" x.toml") {
            "x.toml is named for two outputs"
        } else {
            "is an input and would be overwritten"
        };
        refused.fails(1, &[said, "choose another place for -o"]);
        assert_eq!((place.read("mine.toml"), place.read("gain.toml")), (b"npm\n".to_vec(), b"npm\n".to_vec()));
    }
    std::fs::create_dir(place.path("out")).expect("a directory");
    std::fs::rename(place.path("rows.parquet"), place.path("out/evaluation.parquet")).expect("renamed");
    place.say("evaluate out/evaluation.parquet --report out").fails(1, &["is an input and would be overwritten"]);
}

/// The page of formats knows every column that is written.
#[test]
fn columns_are_described() {
    let place = with_rows();
    let path = sample();
    let path = path.to_str().expect("a path");
    place.run(["collect", path, "-o", "games.counts", "-q"]).ok();
    place.run(["table", "games.counts", "-o", "table.parquet", "-q"]).ok();
    place.run(["wdl", "collect", path, "-o", "wdl.parquet", "-q"]).ok();
    place.say("evaluate rows.parquet --folds 2 --json --report out").ok();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let page = std::fs::read_to_string(page).expect("docs/formats.md");
    let features: Vec<&str> = drawish::features::all().iter().map(|feature| feature.name).collect();
    for name in ["table.parquet", "wdl.parquet", "rows.parquet", "out/evaluation.parquet"] {
        let frame = drawish::frames::from_parquet(&place.read(name)).expect(name);
        let columns: Vec<&str> = frame.names().filter(|column| !features.contains(column)).collect();
        assert!(columns.len() >= 7, "{name}: {columns:?}");
        for column in columns.iter().filter(|column| !column.starts_with("cell_")) {
            assert!(page.contains(&format!("`{column}`")), "{name}: {column} is not described");
        }
    }
}

/// The same rows as text, for what has no reader of Parquet; and Parquet of types that old readers know.
#[test]
fn rows_are_written_as_csv() {
    let place = with_rows();
    let path = sample();
    let path = path.to_str().expect("a path");
    place.run(["positions", path, "-o", "rows.csv", "-q"]).ok();
    let frame = drawish::frames::from_parquet(&place.read("rows.parquet")).expect("rows");
    let text = String::from_utf8(place.read("rows.csv")).expect("text");
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().expect("names").split(',').collect();
    assert_eq!(names, frame.names().collect::<Vec<_>>());
    let plies = frame.values::<i32>("ply").expect("a column");
    let place_of_ply = names.iter().position(|name| *name == "ply").expect("a column");
    // Of the texts only the event, which stands before the numbers, may have a comma.
    let of_text: Vec<_> = lines
        .map(|line| line.rsplit(',').nth(names.len() - 1 - place_of_ply).and_then(|ply| ply.parse().ok()))
        .collect();
    assert_eq!(of_text, plies);
    assert!(!String::from_utf8_lossy(&place.read("rows.parquet")).contains("ARROW:schema"));
    let said = "rows.csv: not a Parquet file (rows as CSV are for other programs); make rows by `drawish positions`";
    place.say("tune rows.csv -o x.toml").fails(1, &[said]);
    place.say("evaluate rows.csv").fails(1, &[said]);
    place
        .run(["positions", path, "-o", "rows.txt"])
        .fails(1, &["rows.txt: rows are written as Parquet or CSV", ".csv"]);
    // Without a row there is no file.
    place.put("none.pgn", "[Result \"1-0\"]\n\n1. e4 1-0\n");
    for name in ["none.parquet", "none.csv"] {
        let none = place.run(["positions", "none.pgn", "-o", name]).fails(1, &["nothing was used"]);
        assert!(none.out().starts_with(&format!("{name}: not written, 0 rows of ")), "{}", none.out());
        assert!(!place.path(name).exists());
    }
    // A directory is no file, and games are no rows.
    std::fs::create_dir(place.path("dir")).expect("a directory");
    place.say("tune dir -o x.toml").fails(1, &["dir: a directory, expected a file"]);
    place.say("wdl fit dir").fails(1, &["dir: a directory, expected a file; give a .wdl file"]);
    place.say("evaluate none.pgn").fails(1, &["none.pgn: games, expected a Parquet file of rows: `drawish positions`"]);
}

#[test]
fn features_are_listed() {
    let list = Place::new().run(["positions", "--list-features"]).ok().out();
    for name in ["strong_pawns", "both_flanks", "rams_6", "outflanking", "rule50", "opposite_bishops_pure"] {
        assert!(list.contains(name), "{name}");
    }
}

#[test]
fn heads_are_the_same_with_any_number_of_threads() {
    let place = with_rows();
    place.say("tune rows.parquet -o one.toml -o one.rs -o one.h -q -j 1 --residual").ok();
    place.say("tune rows.parquet -o two.toml -q -j 2 --residual").ok();
    assert!(place.read("one.toml") == place.read("two.toml"));
    let text = String::from_utf8(place.read("one.toml")).expect("text");
    let heads = drawish::heads::HeadsFile::from_toml(&text).expect("heads");
    assert!(heads.draw.kappa.is_some_and(f64::is_finite) && heads.draw.residual.is_none());
    assert!(heads.gain.residual.is_some(), "the head that has a place for it in a .heads file");
    assert!(heads.draw.quantised_loss - heads.draw.loss < 1e-4 && heads.gain.quantised_loss - heads.gain.loss < 1e-4);
}

#[test]
fn the_same_games_in_two_row_files_are_refused() {
    let place = with_rows();
    place.put("copy.parquet", place.read("rows.parquet"));
    for verb in ["tune rows.parquet copy.parquet -o h.toml", "evaluate rows.parquet copy.parquet"] {
        place.say(verb).fails(1, &["rows.parquet and copy.parquet both contain the games of", "name one of them"]);
    }
    let missing = place.say("evaluate nowhere.parquet").fails(1, &["nowhere.parquet: ", "check the name"]);
    assert_eq!(missing.err().matches("no such file").count(), 1, "{}", missing.err());
}

/// A row file holds the rows that games in memory make, and fits to both are the same.
#[test]
fn heads_need_no_file() {
    let place = with_rows();
    place.say("tune rows.parquet -o h.toml -q --residual").ok();
    let text = String::from_utf8(place.read("h.toml")).expect("text");
    let by_file = drawish::heads::HeadsFile::from_toml(&text).expect("heads");
    let inputs = drawish::pgn::expand_inputs(&[sample()]).expect("the sample");
    let threads = std::num::NonZero::new(2).expect("two");
    let rule = drawish::sample::Rule::default();
    let (rows, gathered) =
        drawish::rows::MemoryRows::gather(drawish::rows::Gather::new(inputs).rule(rule.clone()).threads(threads));
    assert_eq!(rows.rows().len() as u64, gathered.tally.counted());
    let reader = drawish::frames::RowsReader::open(&place.path("rows.parquet")).expect("rows");
    let mut read = drawish::rows::Rows::new();
    let all = drawish::rows::Wanted::all();
    drawish::rows::RowSource::read(&reader, &all, &mut |some| read.append(&mut some.into_owned())).expect("rows");
    assert!(read == *rows.rows(), "each column of the file holds what was written");
    let set = drawish::rows::RowSet::new([rows]).expect("one source");
    let heard = std::sync::Mutex::new(Vec::new());
    let progress = |what: &str, done: u64, of: u64| heard.lock().expect("a list").push((what.to_owned(), done, of));
    let tune = drawish::fit::Tune::new(&set).residual(true).threads(threads).progress(&progress);
    let tuned = tune.run().expect("heads");
    let heard = heard.into_inner().expect("a list");
    assert_eq!(
        heard.iter().map(|(_, done, of)| (*done, *of)).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|done| (done, 9))
    );
    assert!(heard[1].0 == "draw head: fit" && heard[5].0 == "gain head: fit", "{heard:?}");
    let drawish::fit::Tuned { heads, .. } = tuned;
    assert_eq!((heads.draw, heads.gain), (by_file.draw, by_file.gain));
    assert_eq!((heads.rules, heads.inputs), (by_file.rules, by_file.inputs));
}

/// The forms for engines are those of the text, which can be written in them later as well.
#[test]
fn heads_are_written_in_every_form() {
    let place = with_rows();
    place.say("tune rows.parquet -o heads.toml -o heads.heads -o heads.h -o heads.rs -q").ok();
    let text = String::from_utf8(place.read("heads.toml")).expect("text");
    let heads = drawish::heads::HeadsFile::from_toml(&text).expect("heads");
    let bytes = place.read("heads.heads");
    assert_eq!(bytes, heads.to_binary().expect("a file"));
    assert_eq!(drawish_core::Heads::from_bytes(&bytes).and_then(|heads| heads.verify()), Ok(()));
    place.say("tune heads.toml -o again.heads -o heads2.h").ok();
    assert_eq!(place.read("again.heads"), bytes);
    let module = String::from_utf8(place.read("heads.rs")).expect("text");
    assert!(module.contains("pub static HEADS: drawish_core::Heads<'static>"), "{module}");
    let header = String::from_utf8(place.read("heads2.h")).expect("text");
    assert!(header.contains("drawish_data_heads2[DRAWISH_DATA_HEADS2_LENGTH] = {"), "its bytes");
    place.say("tune heads.toml -o no.heads --residual").fails(1, &["leave out what is about the fit"]);
    place.say("tune heads.toml -o no.heads --prior 0.2").fails(1, &["leave out what is about the fit"]);
    // Before the fit, which would take a while.
    place.say("tune rows.parquet -o no.toml -o no.heads --ratings").fails(1, &["an engine knows no ratings"]);
    assert!(!place.path("no.toml").exists());
}

#[test]
fn evaluations_hold_out_and_report() {
    let place = with_rows();
    let done = place.say("evaluate rows.parquet --folds 2 --json --report out").ok();
    let said = json(&done.out());
    let verdicts = said["board"]["verdicts"].as_array().expect("models");
    assert_eq!(verdicts[0]["name"], "constant");
    for verdict in verdicts {
        for quality in verdict["qualities"].as_array().expect("targets") {
            let loss = quality["loss"].as_f64().expect("a number");
            assert!(loss.is_finite() && loss > 0.0, "{verdict}");
        }
    }
    for file in [
        "evaluation.json",
        "evaluation.parquet",
        "evaluation.html",
        "pictures/gains-1-draw.svg",
        "pictures/calibration-1-1.svg",
    ] {
        assert!(!place.read(&format!("out/{file}")).is_empty(), "{file}");
    }
    for file in
        ["pictures/gains-1-draw.png", "pictures/calibration-1-1.png"].into_iter().filter(|_| cfg!(feature = "png"))
    {
        assert!(place.read(&format!("out/{file}")).starts_with(b"\x89PNG"), "{file}");
    }
    assert_eq!(json(&String::from_utf8(place.read("out/evaluation.json")).expect("text")), said);
    // Again with other threads: the same figures.
    let again = place.say("evaluate rows.parquet --folds 2 --json -j 1").ok();
    assert_eq!(json(&again.out()), said);
    // Heads judged on the rows of their own fit are told so.
    place.say("tune rows.parquet -o heads.toml -q").ok();
    let judged = place.say("evaluate rows.parquet --heads heads.toml --json").ok();
    assert!(judged.err().contains("flatter"), "{}", judged.err());
    let games = zstd::decode_all(&std::fs::read(sample()).expect("games")[..]).expect("text");
    let renamed = String::from_utf8(games).expect("text").replace("[Event \"", "[Event \"of ");
    place.put("renamed.pgn", &renamed);
    place.say("positions renamed.pgn -o renamed.parquet -q").ok();
    let judged_again = place.say("evaluate renamed.parquet --heads heads.toml").ok().err();
    assert!(judged_again.contains("games of the fit are among these: "), "{judged_again}");
    let (one, other) =
        renamed.split_at(renamed[renamed.len() / 2..].find("[Event ").expect("a game") + renamed.len() / 2);
    for (name, half) in [("one", one), ("other", other)] {
        place.put(&format!("{name}.pgn"), half);
        place.say(&format!("positions {name}.pgn -o {name}.parquet -q --dedupe=lines")).ok();
    }
    place.say("tune one.parquet -o one.toml -q").ok();
    let judged_others = place.say("evaluate other.parquet --heads one.toml").ok().err();
    assert!(!judged_others.contains("of the fit"), "{judged_others}");
    place.say("evaluate rows.parquet --heads heads.toml --folds 2").fails(2, &["--folds", "--heads"]);
    assert!(json(&judged.out())["heads"]["verdicts"].as_array().expect("heads").len() == 5);
    // What structures add is judged as the file has it.
    place.say("tune rows.parquet -o shifted.toml -q --residual").ok();
    let text = String::from_utf8(place.read("shifted.toml")).expect("text");
    let mut heads = drawish::heads::HeadsFile::from_toml(&text).expect("heads");
    let loss = |name: &str| {
        let judged = json(&place.run(["evaluate", "rows.parquet", "--heads", name, "--json"]).ok().out());
        let verdicts = judged["heads"]["verdicts"].as_array().expect("heads").clone();
        assert_eq!(verdicts.len(), 6);
        assert_eq!(
            (&verdicts[5]["name"], &verdicts[5]["over"]),
            (&"gain head, with its residual".into(), &"gain head".into())
        );
        verdicts[5]["qualities"][0]["loss"].as_f64().expect("a loss")
    };
    let fitted = loss("shifted.toml");
    heads.gain.residual.as_mut().expect("a residual").shifts.fill(127);
    place.put("wild.toml", heads.to_toml().expect("text"));
    assert!(loss("wild.toml") > fitted + 0.01, "{fitted}");
}

#[test]
fn wrong_inputs_are_named() {
    let place = with_rows();
    place.put("text.parquet", "no rows");
    place.say("tune text.parquet -o h.toml").fails(1, &["text.parquet", "not a Parquet file"]);
    place.say("tune none.parquet -o h.toml").fails(1, &["none.parquet"]);
    place.say("tune rows.parquet -o h.xyz").fails(1, &["h.xyz", ".toml"]);
    place.say("tune rows.parquet -o h.toml --kappa=-3").fails(2, &["kappa"]);
    place.say("tune rows.parquet -o h.toml --prior 0").fails(2, &["--prior"]);
    place.put("my.terms", "rams\nramz @ 1\n");
    place.say("tune rows.parquet -o h.toml --terms my.terms").fails(1, &["my.terms: line 2", "ramz"]);
    place.put("odd.terms", "pawn_mg\n");
    place.say("tune rows.parquet -o h.toml --terms odd.terms").fails(1, &["odd.terms", "pawn_mg", "sign"]);
    place.put("h.toml", "format = \"heads\"\nversion = 99\n");
    place.say("evaluate rows.parquet --heads h.toml").fails(1, &["h.toml", "version 99"]);
    // A Parquet file that is not of rows.
    let counts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/human.counts");
    place.run(["table", "-q", "-o", "table.parquet", counts.to_str().expect("a path")]).ok();
    place.say("tune table.parquet -o h.toml").fails(1, &["table.parquet", "not of rows"]);
}

/// One game drawn or won, played over and over with other players and openings enough to be told apart.
fn games(results: &[&str], event: &str) -> String {
    let moves: String = (0..60)
        .map(|number| {
            let (white, black) = if number % 2 == 0 { ("Nf3", "Nf6") } else { ("Ng1", "Ng8") };
            format!("{}. {white} {black} ", number + 1)
        })
        .collect();
    results.iter().map(|result| format!("[Event \"{event}\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n")).collect()
}

#[test]
fn rows_that_say_nothing() {
    let place = Place::new();
    let rows = |name: &str, text: String| {
        place.put("games.pgn", text);
        place.run(["positions", "games.pgn", "-o", name, "-q"]).ok();
    };
    rows("wins.parquet", games(&["1-0"; 6], "a"));
    place.say("tune wins.parquet -o h.toml").fails(1, &["none of the games was drawn"]);
    rows("draws.parquet", games(&["1/2-1/2"; 6], "a"));
    place.say("evaluate draws.parquet").fails(1, &["all games were drawn"]);
    place.put("games.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    place.say("positions games.pgn -o none.parquet -q").fails(1, &["nothing was used", "too-short 1"]);
    assert!(!place.path("none.parquet").exists());
    // One event, one position: all features are constant, and still there are finite heads.
    rows("same.parquet", games(&["1-0", "0-1", "1/2-1/2", "1/2-1/2"], "?"));
    let done = place.say("tune same.parquet -o h.toml").ok();
    for part in ["name neither", "one event", "the same in all rows", "4 rows for"] {
        assert!(done.err().contains(part), "{part}: {}", done.err());
    }
    // Reading them back refuses weights that are no numbers.
    drawish::heads::HeadsFile::from_toml(&String::from_utf8(place.read("h.toml")).expect("text")).expect("heads");
    place.say("evaluate same.parquet").ok();
}

/// Of the sample few roots and few nodes: the way from games to heads, not their worth.
fn within(more: &str) -> String {
    format!("tune --within {} --roots 90 --nodes 200 {more}", sample().display())
}

/// Truncated copies once passed as further games: with them too few games had intervals.
#[test]
fn roots_of_games_that_begin_alike_are_of_one_game() {
    let place = Place::new();
    let text = zstd::decode_all(std::fs::File::open(sample()).expect("the sample")).expect("text");
    let text = String::from_utf8(text).expect("text");
    // Long ones, of which a copy is cut behind what tells that they are the same.
    let long = |game: &&str| game.matches(" {").count() > 100;
    let games: Vec<String> =
        text.split("[Event ").skip(1).filter(long).take(40).map(|game| format!("[Event {game}")).collect();
    let cut = |game: &String, moves: usize| {
        let (game, result) = game.trim_end().rsplit_once(' ').expect("a result");
        let end = game.rmatch_indices('{').nth(moves).expect("moves").0;
        let end = game[..end].trim_end().rfind(char::is_whitespace).expect("a move");
        format!("{} {result}\n\n", game[..end].replacen("[Event \"", "[Event \"again ", 1))
    };
    let copies = (0..5).flat_map(|moves| games.iter().map(move |game| cut(game, moves))).collect::<String>();
    place.put("once.pgn", games.concat());
    place.put("copies.pgn", games.concat() + &copies);
    let of = |file: &str| {
        let fit = format!("tune --within {file} --roots 400 --nodes 50 -o {file}.toml --json");
        let said = json(&place.say(&fit).ok().out());
        (said["roots"]["compared"].as_u64(), said["games_compared"].as_u64())
    };
    let (once, copied) = (of("once.pgn"), of("copies.pgn"));
    assert!(copied.0 > once.0.map(|roots| 2 * roots) && copied.1.is_some(), "{once:?} {copied:?}");
    assert!(copied.1 <= Some(40), "{once:?} {copied:?}");
}

/// Roots that the tables know, whatever the number of nodes; a run without tables, or with others, has other labels.
#[test]
fn endgame_tables_label_moves_within_roots() {
    let Some(path) = crate::arena::syzygy_tables() else { return };
    let place = Place::new();
    let fit = |more: &str| format!("tune --within {} {more}", sample().display());
    let tables = format!("--syzygy {}", path.display());
    let said = json(&place.say(&fit(&format!("{tables} --labels l.jsonl -o one.toml --json --nodes 50"))).ok().out());
    let moves = |name: &str| said["moves"]["compared_roots"][name].as_u64().expect("a count");
    assert!(moves("labelled") > 1000, "{said}");
    assert!(said["roots"]["compared"].as_u64() > Some(100));
    let men = |root: &str| root.chars().take_while(|c| *c != ' ').filter(char::is_ascii_alphabetic).count();
    let labels = String::from_utf8(place.read("l.jsonl")).expect("UTF-8");
    let roots: Vec<Value> = labels.lines().skip(1).map(json).collect();
    assert!(roots.iter().all(|root| men(root["root"].as_str().expect("a FEN")) <= 4));
    let scores = roots.iter().flat_map(|root| root["children"].as_array().expect("moves"));
    assert!(scores.filter(|child| child[2] == 0).count() > 100, "draws");
    assert!(
        String::from_utf8_lossy(&place.read("one.toml")).contains("Syzygy tables of up to 4 men (35 rtbw, 35 rtbz)")
    );
    let repeat = fit("--labels l.jsonl -o two.toml --nodes 50");
    place.say(&repeat).fails(1, &["l.jsonl holds labels of another run: "]);
    for name in ["KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbw"] {
        place.put(&format!("few/{name}"), std::fs::read(path.join(name)).expect("a table"));
    }
    place.say(&format!("{repeat} --syzygy few")).fails(1, &["l.jsonl holds labels of another run: syzygy"]);
    place.say(&fit("--syzygy nowhere -o two.toml")).fails(1, &["nowhere: no directory of Syzygy tables"]);
    place.say(&fit("--syzygy nowhere -o two.toml").replace("--within", "")).fails(2, &["--within"]);
    assert!(!place.path("two.toml").exists());
}

#[test]
fn heads_within_roots_depend_on_neither_threads_nor_interruption() {
    let place = Place::new();
    let done = place.say(&within("--labels one.jsonl -o one.toml -o one.heads -j 1 --json")).ok();
    let said = json(&done.out());
    let roots = &said["roots"];
    let skipped: u64 = roots["skipped"].as_object().expect("reasons").values().filter_map(Value::as_u64).sum();
    let count = |name: &str| roots[name].as_u64().expect("a count");
    assert_eq!(count("sampled"), count("compared") + count("not_drawn") + count("repeated") + skipped);
    assert_eq!(count("compared") + skipped, 90);
    assert_eq!(said["positions"].as_u64(), Some(count("sampled")));
    place.say(&within("--labels two.jsonl -o two.toml -q -j 2")).ok();
    assert!(place.read("one.toml") == place.read("two.toml") && place.read("one.jsonl") == place.read("two.jsonl"));
    place.say(&within("-o none.toml -q -j 2")).ok();
    assert!(place.read("one.toml") == place.read("none.toml"));
    // A run that was killed while it wrote a line.
    let whole = place.read("one.jsonl");
    place.put("two.jsonl", &whole[..whole.len() / 2]);
    place.say(&within("--labels two.jsonl -o again.toml -q")).ok();
    assert!(place.read("two.jsonl") == whole && place.read("again.toml") == place.read("one.toml"));
    // Fewer roots are the first of more.
    let lines = |name: &str| place.read(name).iter().filter(|byte| **byte == b'\n').count();
    place.say(&within("--labels few.jsonl -o few.toml -q").replace("--roots 90", "--roots 70")).ok();
    place.say(&within("--labels one.jsonl -o first.toml -q").replace("--roots 90", "--roots 70")).ok();
    assert!(place.read("few.toml") == place.read("first.toml") && lines("few.jsonl") == 71 && lines("one.jsonl") == 91);
    place.say(&within("--labels few.jsonl -o more.toml -q")).ok();
    assert!(place.read("few.jsonl") == whole && place.read("more.toml") == place.read("one.toml"));
    // Arms and inspect take the heads like any others.
    let table = place.say("inspect one.heads --moves").ok().out();
    assert!(table.contains("quiet") && table.contains("drawScore"), "{table}");
    place.say("bench --depth 3 --arm gain-head --heads one.toml").ok();
    place.say("bench --depth 3 --arm draw-head --heads one.toml").ok();
}

#[test]
fn a_form_is_fitted_to_the_same_labels() {
    let place = Place::new();
    place.say(&within("--labels labels.jsonl -o heads.toml -q")).ok();
    let labels = place.read("labels.jsonl");
    place.say("form -o form.toml").ok();
    let fit = within("--labels labels.jsonl --form form.toml -o fitted.toml");
    let said = json(&place.say(&format!("{fit} --json")).ok().out());
    assert!(place.read("labels.jsonl") == labels, "nothing was searched again");
    let numbers = said["numbers"].as_array().expect("numbers");
    let per_pawn = numbers.iter().find(|number| number["name"] == "per_pawn").expect("a number");
    assert_eq!(per_pawn["before"], 7.0);
    let fitted = String::from_utf8(place.read("fitted.toml")).expect("text");
    assert!(fitted.contains(&format!("per_pawn = {}", per_pawn["value"])), "{per_pawn}: {fitted}");
    place.say("bench --depth 3 --arm form --form fitted.toml").ok();
    place.put("none.toml", "form = \"none\"\n");
    place
        .say(&fit.replace("form.toml", "none.toml"))
        .fails(1, &["no number that changes an evaluation", "drawish form"]);
    place.say(&format!("{fit} --prior 0.3")).fails(2, &["--prior"]);
    place.say(&fit.replace("-o fitted.toml", "-o form.toml")).fails(1, &["is an input and would be overwritten"]);
}

#[test]
fn labels_of_something_else_are_refused() {
    let place = Place::new();
    place.say(&within("--labels labels.jsonl -o heads.toml -q")).ok();
    let labels = String::from_utf8(place.read("labels.jsonl")).expect("text");
    let again = within("--labels labels.jsonl -o heads.toml -q");
    place.say(&format!("{again} --window 60")).fails(1, &["labels of another run", "window: expected 60, found 150"]);
    let engine = labels.split("\"engine\":\"").nth(1).expect("a checksum")[..32].to_owned();
    place.put("labels.jsonl", labels.replace(&engine, &"0".repeat(32)));
    place.say(&again).fails(1, &["labels of another engine", &engine]);
    place.put("labels.jsonl", labels.replacen("\"moves\"", "\"Moves\"", 1));
    place.say(&again).fails(1, &["line 2 is damaged"]);
    place.put("labels.jsonl", "{\"sides\":1}\n");
    place.say(&again).fails(1, &["holds no labels of moves"]);
    place.put("labels.jsonl", labels.replacen("{\"within\":1", "{\"within\":2", 1));
    place.say(&again).fails(1, &["expected format 1, found 2"]);
}

#[test]
fn games_without_usable_roots_are_refused() {
    let place = Place::new();
    place.put("short.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    place.say("tune --within short.pgn -o h.toml -q").fails(1, &["not-reached"]);
    place.put("empty.pgn", "");
    place.say("tune --within empty.pgn -o h.toml -q").fails(1, &["empty.pgn"]);
    let moves =
        "1. Nf3 Nf6 2. Nc3 Nc6 3. e4 e5 4. Bc4 Bc5 5. d3 d6 6. h3 h6 7. a3 a6 8. O-O O-O 9. Re1 Re8 10. Be3 Be6";
    place.put("one.pgn", format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n"));
    let said = ["in 1 positions of 1 games, expected 10 games or more", "--window"];
    place.say("tune --within one.pgn --nodes 50 -o h.toml -q").fails(1, &said);
    place.say("tune --within one.pgn --nodes 0 -o h.toml").fails(2, &["--nodes"]);
    place.say("tune one.pgn --nodes 10 -o h.toml").fails(2, &["--within"]);
    place.say("tune --within one.pgn --residual -o h.toml").fails(2, &["--residual"]);
    place.say("tune --within one.pgn --labels h.toml -o h.toml").fails(1, &["-o and --labels both name h.toml"]);
    place.put("odd.terms", "pawn_mg\n");
    place.say("tune --within one.pgn --gain-terms odd.terms -o h.toml").fails(1, &["odd.terms", "sign"]);
    place.put("game.terms", "eval_size\n");
    place.say("tune --within one.pgn --gain-terms game.terms -o h.toml").fails(1, &["eval_size", "reads the game"]);
}
