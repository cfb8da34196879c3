//! Every export of a table, as others see it.

use std::path::Path;
use std::process::Command;

use drawish_core::{DrawTable, Scheme, StructureIndex};

use crate::run::Place;

/// A file of another kind is named, with the verb that takes it, wherever one is given by mistake.
#[test]
fn what_another_file_is_and_who_takes_it() {
    let place = Place::new();
    let sample =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst")).expect("the sample");
    place.put("games.pgn.zst", sample);
    place.say("wdl collect games.pgn.zst -o g.wdl -q").ok();
    let model = place.say("wdl fit g.wdl --json").ok().out();
    place.put("model.json", model);
    place.say("collect games.pgn.zst -o g.counts -q").ok();
    place.say("table g.counts -o g.table -o g.toml -q").ok();
    let heads = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/human.heads.toml")).expect("heads");
    place.put("human.toml", heads);
    place.put("empty", "");
    let model = "a WDL model: `drawish wdl show`";
    for (line, expected) in [
        ("verify model.json", "expected a table, counts, heads or WDL counts"),
        ("inspect model.json", "expected a table, counts, heads or WDL counts"),
        ("merge model.json model.json -o x.counts", "expected counts of structures"),
        ("table model.json -o x.table", "model.json: expected counts of structures"),
        ("wdl fit model.json", "expected WDL counts"),
        ("bench --heads model.json", "expected the .toml of heads"),
        (
            "match --engine arm=scale-table table=model.json --engine arm=none --nodes 9 --openings random:4 --pairs 1 --no-log",
            "a .table file",
        ),
        ("experiment check model.json", "expected the file of an experiment"),
    ] {
        place.say(line).fails(1, &["model.json: ", expected, model]);
    }
    let fen = "wdl show model.json --eval 10 --fen 4k3/8/8/8/8/8/4P3/4K3/w";
    place.say(fen).fails(1, &["model.json: a WDL model knows no position"]);
    for line in
        ["collect model.json -o x.counts", "relevance annotate model.json -o x.pgn", "relevance estimate model.json"]
    {
        place.say(line).fails(1, &["model.json: no game found, but", model]);
    }
    place.say("table g.table -o x.table").fails(1, &["expected counts of structures, found a table"]);
    place.say("wdl fit g.counts").fails(1, &["expected WDL counts", "`drawish table` makes a table of them"]);
    place.say("wdl show human.toml --eval 10").fails(1, &["expected a WDL model", "found the text of a draw head"]);
    place.say("verify g.toml").fails(1, &["found the provenance of a table: give the table beside it"]);
    place
        .say("experiment run human.toml")
        .fails(1, &["human.toml: expected the file of an experiment, found the text of a draw head"]);
    place
        .say("experiment run empty")
        .fails(1, &["not the file of an experiment", "`drawish experiment new` writes one"]);
    place.say("verify empty").fails(1, &["the file is empty: make it again"]);
    place.say("collect g.table -o x.counts").fails(1, &["g.table: not PGN but a table: `drawish inspect`"]);
    #[cfg(feature = "frames")]
    place
        .say("tune model.json -o x.toml")
        .fails(1, &["not a Parquet file of rows, but", model, "make rows by `drawish positions`"]);
}

/// Files that are written for other programs, given to verbs that read: each says what it is, and what to give in its place.
#[test]
fn exported_files_say_what_to_give_in_their_place() {
    use drawish::Kind;
    let place = Place::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (from, to) in [
        ("src/cli/demo/sample.pgn.zst", "games.pgn.zst"),
        ("tables/human.counts", "human.counts"),
        ("tables/human.heads.toml", "human.toml"),
        ("tables/drawish.wdl.toml", "wdl.toml"),
    ] {
        place.put(to, std::fs::read(root.join(from)).expect("a shipped file"));
    }
    place.say("wdl collect games.pgn.zst -o g.wdl -q").ok();
    place.say("wdl fit g.wdl --no-errors -o model.json -o model.h -o model.rs").ok();
    place.say("table human.counts -q -o t.table -o t.h -o t.rs -o t.json -o t.csv").ok();
    // What `tune` writes is there only where `tune` is.
    let tuned = ["human.heads", "heads.h", "heads.rs"];
    let is_built = |file: &&str| cfg!(feature = "frames") || !tuned.contains(file);
    if cfg!(feature = "frames") {
        place.say("tune human.toml -o human.heads -o heads.h -o heads.rs").ok();
    }
    place.say("wdl head wdl.toml -o wdl.heads -o wdl.h -o wdl.rs").ok();
    let exported = ["model.h", "model.rs", "t.h", "t.rs", "t.json", "t.csv", "heads.h", "heads.rs", "wdl.h", "wdl.rs"];
    let own = [
        "human.counts",
        "t.table",
        "g.wdl",
        "model.json",
        "human.toml",
        "human.heads",
        "wdl.toml",
        "wdl.heads",
        "games.pgn.zst",
    ];
    for file in exported.into_iter().filter(is_built) {
        let uses = Kind::of(&place.read(file)).expect("a known kind").uses();
        for verb in [
            "verify @",
            "inspect @",
            "table @ -o x.table",
            "wdl show @",
            "wdl fit @",
            "report @ -o x.md",
            "collect @ -o x.counts",
        ] {
            place.say(&verb.replace('@', file)).fails(1, &[file, uses]);
        }
    }
    // Each verb with all files of ours: it works, or names the file, what it is and a verb that takes it.
    for file in own.into_iter().filter(is_built) {
        for verb in
            ["verify @", "inspect @", "table @ -o x.table", "wdl show @", "wdl fit @ --no-errors", "report @ -o x.md"]
        {
            let done = place.say(&verb.replace('@', file));
            let said = done.err();
            let is_told = said.contains(file)
                && (said.contains("drawish ") || said.contains("give --fen"))
                && !said.contains("something else");
            assert!(done.code() == 0 || is_told, "{verb} of {file}: {said}");
        }
    }
    place
        .say("wdl show g.wdl")
        .fails(1, &["g.wdl: expected a WDL model", "found WDL counts: `drawish wdl fit` fits a model"]);
    place.say("wdl show wdl.heads").fails(1, &["a WDL head is asked about a position: give --fen"]);
    let asked = |more: &str| {
        place.run(
            ["wdl", "show", "wdl.heads", "--fen", "8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60", more]
                .into_iter()
                .filter(|word| !word.is_empty()),
        )
    };
    let without = asked("").ok().out();
    assert!(without.contains("evaluation 0 centipawns for White (default; give --eval)"), "{without}");
    assert_eq!(without.replace(" (default; give --eval)", ""), asked("--eval=0").ok().out());
}

/// Games in which structures differ by chance alone: whoever shows a structure says so, and no interval is as narrow as the prior.
#[test]
fn what_does_not_tell_structures_apart_says_so() {
    let place = Place::new();
    // Five pawn structures, each with the same results.
    let starts = ["P1PPPPPP", "PP1PPPPP", "PPP1PPPP", "PPPP1PPP", "PPPPP1PP"];
    let games: String = (0..400)
        .map(|game| {
            let result = ["1-0", "1/2-1/2", "0-1", "0-1", "1-0"][(game / 5) % 5];
            let (white, black) = (starts[game % 5], starts[game % 5].to_lowercase());
            let fen = format!("rnbqkbnr/{black}/8/8/8/8/{white}/RNBQKBNR w KQkq - 0 1");
            let moves = "1. Nh3 Nh6 2. Ng1 Ng8 ".repeat(1 + game % 3);
            format!("[Event \"e{game}\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n")
        })
        .collect();
    place.put("games.pgn", games);
    let counted = place.say("collect games.pgn -o g.counts --scheme ah --at 1 --min-moves 0 --fen-starts").ok();
    assert!(counted.out().contains("5 of the 65,536 cells of ah have games."), "{}", counted.out());
    let said = place.say("table g.counts -o t.table -o t.h -o t.rs -o t.json -o t.toml").ok().out();
    let sentence = "these games do not tell structures apart";
    assert!(said.contains(&format!("beware: {sentence}")), "{said}");
    assert!(!said.contains("most drawish:") && !said.contains("least drawish:"), "{said}");
    for file in ["t.h", "t.rs", "t.json", "t.toml"] {
        let text = String::from_utf8(place.read(file)).expect("text");
        assert!(text.contains(sentence), "{file}");
    }
    let shown = place.say("inspect t.table").ok().out();
    assert!(
        shown.contains("this table does not tell structures apart: no interval leaves out the base rate"),
        "{shown}"
    );
    assert!(place.say("inspect t.table --json").ok().json()["beware"].is_string());
    let table = serde_json::from_slice::<serde_json::Value>(&place.read("t.json")).expect("JSON");
    let cells = table["cells"].as_array().expect("cells").iter().filter(|cell| cell["positions"] != 0);
    let number = |cell: &serde_json::Value, name: &str| cell[name].as_f64().expect("a number");
    let narrowest = cells.map(|cell| number(cell, "high") - number(cell, "low")).fold(1.0, f64::min);
    assert!(narrowest > 0.02, "{narrowest}");
    place.say("collect games.pgn -o bg.counts -q --at 1 --min-moves 0 --fen-starts").ok();
    place.say("report bg.counts -o page.md").ok();
    let page = String::from_utf8(place.read("page.md")).expect("text");
    let said_in = |title| {
        let section = page.split("\n## ").find(|section| section.starts_with(title));
        section.unwrap_or_else(|| panic!("{title}: {page}")).contains(sentence)
    };
    // Before all, and at the boards; the section below them does not say it again.
    assert!(said_in("What to know first") && said_in("Structures") && !said_in("How much of it is chance"), "{page}");
    assert!(!place.say("inspect human.table").ok().out().contains("beware"), "it tells structures apart");
}

/// A place with counts of random games in each scheme.
fn place_with_counts() -> Place {
    let place = Place::new();
    // Results by the number of the game, so that draws, wins and losses are there.
    let games: String = (0..3000)
        .map(|i| {
            let result = ["1-0", "0-1", "1/2-1/2"][(i % 7 % 3) as usize];
            crate::twins::random_game(i, None).0.replace("1/2-1/2", result)
        })
        .collect();
    place.put("games.pgn", games);
    for scheme in Scheme::ALL {
        place
            .say(&format!(
                "collect games.pgn -o {scheme}.counts --scheme {scheme} --min-moves 0 --sample every --from 5 -q"
            ))
            .ok();
    }
    place
}

#[test]
fn a_c_compiler_sees_the_same_cells() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let place = place_with_counts();
    place.put("probe.c", include_str!("../core/examples/probe.c"));
    for scheme in Scheme::ALL {
        place.say(&format!("table {scheme}.counts -o pawns.table -o pawns.h -q")).ok();
        let compiled = Command::new("cc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "probe.c", "-o", "probe"])
            .current_dir(place.path("."))
            .output()
            .expect("cc runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let bytes = place.read("pawns.table");
        let table = DrawTable::from_bytes(&bytes).expect("a table");
        let cells = Command::new(place.path("probe")).output().expect("the C program runs");
        let expected: String = (0..scheme.cells())
            .filter_map(|cell| table.get(StructureIndex(cell)))
            .zip(0..)
            .map(|(cell, i)| format!("{i} {} {} {}\n", cell.probability.0, cell.draw_score.0, cell.scale.0))
            .collect();
        assert_eq!(String::from_utf8_lossy(&cells.stdout), expected, "{scheme}");
        // Pawns given as two bitboards find the same place.
        for (white, black) in
            [(0xff00u64, 0xff_u64 << 48), (0x1000_e700, 0x00f3_0800_0000_0000), (0, 0), (1 << 27, 1 << 35)]
        {
            let probed = Command::new(place.path("probe")).args([format!("{white:x}"), format!("{black:x}")]).output();
            let index = scheme.index(drawish_core::Pawns { white, black });
            assert_eq!(String::from_utf8_lossy(&probed.expect("it runs").stdout), format!("{}\n", index.0), "{scheme}");
        }
    }
}

/// Both have the same names.
#[test]
fn two_tables_in_one_source_file_are_refused() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let place = Place::new();
    for name in ["human", "tcec"] {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tables/{name}.counts"));
        place
            .run(["table".as_ref(), table.as_os_str(), "-o".as_ref(), format!("{name}.h").as_ref(), "-q".as_ref()])
            .ok();
    }
    let compiled = |headers: [&str; 2]| {
        let text = headers.map(|name| format!("#include \"{name}.h\"\n")).concat()
            + "int main(void) { return drawish_scale[0] == 0; }\n";
        place.put("two.c", text);
        Command::new("cc")
            .args(["-std=c99", "-fsyntax-only", "two.c"])
            .current_dir(place.path("."))
            .output()
            .expect("cc runs")
    };
    assert!(compiled(["human", "human"]).status.success());
    let refused = compiled(["human", "tcec"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("another table of drawish"), "{said}");
}

#[test]
fn rust_source_compiles_and_holds_the_same_numbers() {
    let place = place_with_counts();
    place.say("table bg.counts -o table.rs -o pawns.u16 -o pawns.i16 -o pawns.u8 -q").ok();
    place.put(
        "main.rs",
        "mod table;
        fn main() {
            use std::io::Write;
            let mut out = std::io::stdout().lock();
            table::PROBABILITY.iter().for_each(|value| out.write_all(&value.to_le_bytes()).unwrap());
            table::DRAW_SCORE.iter().for_each(|value| out.write_all(&value.to_le_bytes()).unwrap());
            out.write_all(&table::SCALE).unwrap();
            assert!(table::BASE > 0);
        }",
    );
    let compiled = Command::new("rustc")
        .args(["--edition", "2021", "main.rs"])
        .current_dir(place.path("."))
        .output()
        .expect("rustc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = Command::new(place.path("main")).output().expect("the program runs").stdout;
    assert_eq!(printed, [place.read("pawns.u16"), place.read("pawns.i16"), place.read("pawns.u8")].concat());
}

#[test]
fn every_format_tells_the_same() {
    let place = place_with_counts();
    for scheme in Scheme::ALL {
        for estimate in ["raw", "laplace", "eb", "eb-sym"] {
            let outputs = "-o p.table -o p.json -o p.csv -o p.u16 -o p.i16 -o p.u8 -o p.toml";
            place.say(&format!("table {scheme}.counts {outputs} --estimate {estimate} -q")).ok();
            place.say("verify p.table").ok();
            let bytes = place.read("p.table");
            let table = DrawTable::from_bytes(&bytes).expect("a table");
            assert_eq!(table.scheme(), *scheme);
            let cells: Vec<_> =
                (0..scheme.cells()).map(|cell| table.get(StructureIndex(cell)).expect("a cell")).collect();
            let little = |values: Vec<[u8; 2]>| values.concat();
            assert_eq!(
                place.read("p.u16"),
                little(cells.iter().map(|cell| cell.probability.0.to_le_bytes()).collect())
            );
            assert_eq!(place.read("p.i16"), little(cells.iter().map(|cell| cell.draw_score.0.to_le_bytes()).collect()));
            assert_eq!(place.read("p.u8"), cells.iter().map(|cell| cell.scale.0).collect::<Vec<_>>());
            let json: serde_json::Value = serde_json::from_slice(&place.read("p.json")).expect("JSON");
            assert_eq!(json["scheme"], scheme.name());
            assert_eq!(json["estimator"], estimate);
            let listed = json["cells"].as_array().expect("a list");
            let csv = String::from_utf8(place.read("p.csv")).expect("text");
            assert_eq!((listed.len(), csv.lines().count()), (cells.len(), cells.len() + 1));
            for (index, ((cell, object), line)) in cells.iter().zip(listed).zip(csv.lines().skip(1)).enumerate() {
                let fields: Vec<_> = line.split(',').collect();
                let evidence = table.evidence(StructureIndex(index as u32)).expect("evidence");
                assert_eq!(fields[0], index.to_string());
                assert_eq!(fields[3], evidence.positions.to_string());
                assert_eq!(fields[5], format!("{:.6}", cell.probability.to_f64()));
                assert_eq!((fields[8], fields[9]), (&*cell.draw_score.0.to_string(), &*cell.scale.0.to_string()));
                assert_eq!(object["draw_score"], cell.draw_score.0);
                assert_eq!(object["positions"], evidence.positions);
            }
            let toml: toml::Table = String::from_utf8(place.read("p.toml")).expect("text").parse().expect("TOML");
            assert_eq!(toml["positions"].as_integer(), Some(table.positions() as i64));
            assert_eq!(toml["counts_xxh3_128"].as_str(), Some(&*format!("{:032x}", table.source_digest())));
        }
    }
}

#[cfg(feature = "frames")]
#[test]
fn a_data_frame_reads_the_parquet_file() {
    let place = place_with_counts();
    place.say("table bg.counts -o p.parquet -o p.table -q").ok();
    let frame = drawish::frames::from_parquet(&place.read("p.parquet")).expect("Parquet");
    assert_eq!(frame.height(), 4096);
    let bytes = place.read("p.table");
    let table = DrawTable::from_bytes(&bytes).expect("a table");
    let positions: u64 = frame.values::<u32>("positions").expect("u32").into_iter().flatten().map(u64::from).sum();
    assert_eq!(positions, table.positions());
    let scales = frame.values::<u32>("scale").expect("u32");
    let probabilities = frame.values::<f64>("probability").expect("f64");
    for index in 0..4096u32 {
        let cell = table.get(StructureIndex(index)).expect("a cell");
        assert_eq!(scales[index as usize], Some(u32::from(cell.scale.0)));
        assert_eq!(probabilities[index as usize], Some(cell.probability.to_f64()));
    }
    let files = frame.values::<&str>("white_files").expect("text")[0b111_101_111_011];
    assert_eq!(files, Some("bcefg"));
}

#[cfg(not(feature = "frames"))]
#[test]
fn parquet_needs_its_feature() {
    let place = place_with_counts();
    place.say("table bg.counts -o p.parquet").fails(1, &["built without the feature `frames`", "write .csv or .json"]);
}

#[test]
fn slim_tables_know_the_same_without_evidence() {
    let place = place_with_counts();
    place.say("table bg.counts -o full.table -q").ok();
    place.say("table bg.counts -o slim.table --slim -q").ok();
    assert_eq!((place.read("full.table").len(), place.read("slim.table").len()), (64 + 13 * 4096, 64 + 5 * 4096));
    assert_eq!(place.read("full.table")[64..64 + 5 * 4096], place.read("slim.table")[64..]);
    place.say("verify full.table slim.table").ok();
    place.say("table bg.counts -o slim.csv --slim -q").fails(1, &["--slim is about .table"]);
    let fen = "rnbqkbnr/pp1ppppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3";
    let full = place.run(["inspect", "full.table", fen]).ok().out();
    let slim = place.run(["inspect", "slim.table", fen]).ok().out();
    assert!(full.contains("cell 3963 of bg: white pawns b c e f g, black pawns b d e f g"), "{full}");
    assert!(full.contains("90 % interval") && !slim.contains("interval"), "{slim}");
    let value = place.run(["inspect", "full.table", fen, "--json"]).ok().json();
    assert_eq!(value["cell"], 3963);
    assert!(
        value["low"].as_f64() < value["probability"].as_f64() && value["probability"].as_f64() < value["high"].as_f64()
    );
    assert!(place.say("inspect slim.table --csv").ok().out().lines().nth(1).expect("a line").contains(",,"));
    place.run(["inspect", "full.table", "no fen"]).fails(1, &["\"no fen\" is not a FEN", "in quotes"]);
}

#[test]
fn a_table_does_not_depend_on_who_made_the_counts() {
    let place = place_with_counts();
    let mut counts = drawish::counts::CountsFile::from_bytes(&place.read("bg.counts")).expect("counts");
    counts.made_by = vec!["drawish 9.9.9 (git ffffffffffff)".to_owned()];
    place.put("later.counts", counts.to_bytes());
    place.say("table bg.counts -o a.table -q").ok();
    place.say("table later.counts -o b.table -q").ok();
    assert_eq!(place.read("a.table"), place.read("b.table"));
}

#[test]
fn heads_and_evaluations_are_verified() {
    let place = Place::new();
    let heads = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/human.heads")).expect("shipped heads");
    place.put("good.heads", &heads);
    place.put("games.pgn", "[Result \"1-0\"]\n\n1. e4 {+0.20/9 1s} e5 {-0.10/9 1s} 1-0\n");
    place.say("wdl collect games.pgn -o good.wdl -q").ok();
    let counts = place.read("good.wdl");
    let changed = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 4;
        bytes
    };
    assert_eq!(
        place.say("verify good.heads good.wdl").ok().out(),
        "good.heads: good heads (draw head, gain head), fitted to 65,106 rows\ngood.wdl: good WDL counts, 2 positions\n"
    );
    for (name, bytes, said) in [
        ("bit.heads", changed(&heads, heads.len() - 1), "checksum"),
        ("cut.heads", heads[..heads.len() - 4].to_vec(), "cut"),
        ("bit.wdl", changed(&counts, counts.len() - 1), "checksum"),
        ("text.wdl", b"hello, world".to_vec(), "expected a table, counts, heads or WDL counts"),
    ] {
        place.put(name, bytes);
        place.run(["verify", name]).fails(1, &[name, said]);
    }
    let both = place.say("verify good.wdl cut.heads --json").fails(1, &["cut.heads"]).json();
    assert_eq!(
        both[0],
        serde_json::json!({ "file": "good.wdl", "good": true, "what": "good WDL counts, 2 positions" })
    );
    assert!(both[1]["good"] == false && both[1]["what"].as_str().is_some_and(|what| what.contains("cut")), "{both}");
}

#[test]
fn damaged_files_are_named() {
    let place = place_with_counts();
    place.say("table bg.counts -o good.table -q").ok();
    let table = place.read("good.table");
    let counts = place.read("bg.counts");
    let change = |bytes: &[u8], at: usize, with: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    for (name, bytes, said) in [
        ("cut.table", table[..1000].to_vec(), "found 1000: the file is cut"),
        ("short.table", table[..10].to_vec(), "found 10 bytes"),
        ("version.table", change(&table, 8, &[9, 0]), "expected table format version 1, found 9"),
        ("scheme.table", change(&table, 12, &[77, 0]), "index scheme number 77 is not known"),
        ("other.table", change(&table, 12, &[3, 0]), "expected 65536 cells for the table's index scheme, found 4096"),
        ("bit.table", change(&table, 20_000, &[table[20_000] ^ 4]), "the file was changed"),
        ("cut.counts", counts[..counts.len() - 1].to_vec(), "the file is cut"),
        ("version.counts", change(&counts, 8, &[9, 0, 0, 0]), "expected counts format version 1 to 4, found 9"),
        ("bit.counts", change(&counts, 5_000, &[counts[5_000] ^ 1]), "the file was changed"),
        ("empty.table", Vec::new(), "expected a table, counts, heads or WDL counts"),
    ] {
        place.put(name, bytes);
        place.run(["verify", name]).fails(1, &[name, said]);
        place.run(["inspect", name]).fails(1, &[name]);
    }
    place.say("table good.table -o x.table").fails(1, &["good.table: expected counts of structures, found a table"]);
    place.say("table cut.counts -o x.table").fails(1, &["cut.counts"]);
    place.say("merge bit.counts -o x.counts").fails(1, &["bit.counts"]);
    place.put("some.txt", "hello");
    place
        .say("inspect some.txt")
        .fails(1, &["some.txt: expected a table, counts, heads or WDL counts", "drawish collect"]);
    place.say("inspect nowhere.table").fails(1, &["nowhere.table is not there", "take what is shipped: human.table, "]);
    // What is shipped needs no file, to be looked at; whoever verifies a file means the file.
    assert!(place.say("inspect human.table").ok().out().contains("4,096"));
    assert!(place.say("inspect pooled.heads --json").ok().json().is_object());
    place.say("table human.counts -o human.u8 -q").ok();
    place.say("verify human.table").fails(1, &["human.table cannot be read"]);
    place.put("human.table", "no table");
    place.say("inspect human.table").fails(1, &["human.table: expected a table, counts, heads"]);
    place
        .say("table bg.counts -o x.docx")
        .fails(1, &["x.docx", ".table .u16 .i16 .u8 .h .rs .json .csv .parquet .toml"]);
    place.say("table bg.counts -o nowhere/x.table").fails(1, &["nowhere/x.table cannot be written"]);
    assert!(!place.path("x.table").exists());
}

#[test]
fn nothing_to_estimate_is_said() {
    let place = Place::new();
    place.put("none.pgn", "");
    place.say("collect none.pgn -o none.counts -q").fails(1, &["nothing was counted"]);
    place.say("table none.counts -o x.table").fails(1, &["none.counts cannot be read", "check the name"]);
    place.put("one.pgn", crate::twins::random_game(1, None).0);
    place.say("collect one.pgn -o one.counts -q --min-moves 0 --at 1").ok();
    place.say("table one.counts -o x.table").fails(1, &["one.counts", "of 1 results 1 are draws"]);
}

/// A list of the most drawish structures has none that is drawn less often than the mean.
#[test]
fn extremes_are_on_their_side_of_the_base_rate() {
    let place = place_with_counts();
    let said = place.say("table bg.counts -o x.table").ok().out();
    let percent = |line: &str| line.trim_start().split(' ').next().and_then(|word| word.parse::<f64>().ok());
    let base =
        said.lines().next().and_then(|line| percent(line.trim_start_matches("base draw rate "))).expect("a rate");
    let (most, least) = said.split_once("most drawish:\n").expect(&said).1.split_once("least drawish:\n").expect(&said);
    assert!(most.lines().filter_map(percent).all(|rate| rate >= base), "{said}");
    assert!(least.lines().filter_map(percent).all(|rate| rate <= base), "{said}");
}

/// Intervals of several positions a game are too narrow, which every door says.
#[test]
fn positions_that_depend_on_each_other_are_named() {
    let place = Place::new();
    let game = |moves: &str, result: &str| format!("[Event \"a\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6";
    place.put("one.pgn", game(moves, "1/2-1/2") + &game("1. Nf3 Nh6 2. Ng1 Ng8 3. Nf3 Nh6", "1-0"));
    place.say("collect one.pgn -o every.counts --sample every --from 1 --min-moves 0 -q").ok();
    place.say("collect one.pgn -o one.counts --at 1 --min-moves 0 -q").ok();
    place.say("table every.counts -o every.table -q").ok();
    place.say("table one.counts -o one.table -q").ok();
    let said = "so they are too narrow";
    for (file, is_said) in [("every.counts", true), ("one.counts", false), ("every.table", true), ("one.table", false)]
    {
        place.run(["report", file, "-o", "page.md"]);
        let page = String::from_utf8(place.read("page.md")).expect("text");
        assert_eq!(page.contains(said), is_said, "{page}");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for words in [vec!["inspect", file], vec!["inspect", file, start]] {
            assert_eq!(place.run(&words).ok().out().contains(said), is_said, "{words:?}");
            let json = place.run(words.iter().copied().chain(["--json"])).ok().json();
            let beware = json["beware"].as_str().is_some_and(|beware| beware.contains(said));
            assert_eq!(json["dependent"].as_bool().unwrap_or(beware), is_said, "{json}");
        }
    }
    place.say("table every.counts -o every.h -o every.json -q").ok();
    let text = |name: &str| String::from_utf8(place.read(name)).expect("text");
    assert!(text("every.h").contains(said) && text("every.json").contains("\"dependent\""), "{}", text("every.h"));
}
