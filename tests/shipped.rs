//! What the project ships agrees with the program that ships it.

use std::path::{Path, PathBuf};

use drawish::counts::CountsFile;
use drawish_core::DrawTable;

use crate::run::Place;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const TABLES: [&str; 3] = ["human", "tcec", "rival"];

#[test]
fn the_tables_are_what_their_counts_give() {
    let place = Place::new();
    for name in TABLES {
        let counts = root(&format!("tables/{name}.counts"));
        let mut command = place.command(["table", "-q", "-o", "again.table", "-o", "again.toml"]);
        crate::run::Done(command.arg(&counts).output().expect("the program runs")).ok();
        let shipped = std::fs::read(root(&format!("tables/{name}.table"))).expect("a table");
        assert!(place.read("again.table") == shipped, "tables/{name}.table is not what tables/{name}.counts gives");
        // The provenance differs only in the build that made it.
        let without_build =
            |text: &str| text.lines().filter(|line| !line.starts_with("made_by")).collect::<Vec<_>>().join("\n");
        let again = String::from_utf8(place.read("again.toml")).expect("text");
        assert_eq!(without_build(&again), without_build(&text(&format!("tables/{name}.toml"))), "{name}");
    }
}

/// Counted again from the corpora, where they are.
#[test]
fn the_counts_are_what_the_corpora_give() {
    for (name, corpus) in [("human", "human-train"), ("tcec", "tcec-train"), ("rival", "engine-rival2022-train")] {
        let Some(path) = crate::run::shared(&format!("data/{corpus}.pgn.zst")) else { return };
        let place = Place::new();
        let mut command = place.command(["collect", "-q", "-o", "again.counts"]);
        crate::run::Done(command.arg(path).output().expect("the program runs")).ok();
        let again = CountsFile::from_bytes(&place.read("again.counts")).expect("counts");
        let shipped = std::fs::read(root(&format!("tables/{name}.counts"))).expect("counts");
        let shipped = CountsFile::from_bytes(&shipped).expect("counts");
        assert_eq!(again.digest(), shipped.digest(), "{name}");
        assert_eq!(again.counts, shipped.counts, "{name}");
    }
}

#[test]
fn the_table_of_the_core_is_the_human_one() {
    let place = Place::new();
    let mut command = place.command(["table", "-q", "--slim", "-o", "slim.table"]);
    crate::run::Done(command.arg(root("tables/human.counts")).output().expect("the program runs")).ok();
    assert!(place.read("slim.table") == std::fs::read(root("core/examples/pawns.table")).expect("a table"));
}

#[test]
fn the_readme_tells_the_figures_of_the_tables() {
    let readme = text("README.md");
    let place = Place::new();
    for name in TABLES {
        let mut command = place.command(["inspect", "--json"]);
        let inspected = command.arg(root(&format!("tables/{name}.counts"))).output().expect("the program runs");
        let groups = crate::run::Done(inspected).ok().json()["groups"].clone();
        for group in ["all", "empty", "symmetric", "open-sicilian"] {
            let value = |field: &str| 100.0 * groups[group][field].as_f64().expect("a rate");
            let figure = format!(
                "{:.1} % ({:.1}-{:.1}, n = {})",
                value("draw_rate"),
                value("low"),
                value("high"),
                grouped(groups[group]["results"].as_u64().expect("a count"))
            );
            assert!(readme.contains(&figure), "README.md does not tell {name} {group}: {figure}");
        }
        let bytes = std::fs::read(root(&format!("tables/{name}.table"))).expect("a table");
        assert_eq!(DrawTable::from_bytes(&bytes).map(|table| table.verify()), Ok(Ok(())));
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    parts.join(",")
}

/// The demo's games are legal from the first move to the last, and end as their Result tag says.
#[test]
fn the_sample_is_sound() {
    let place = Place::new();
    let mut command =
        place.command("collect -o x.counts --json --replay --sample every --from 1 --min-moves 0 --dedupe".split(' '));
    let done =
        crate::run::Done(command.arg(root("src/cli/demo/sample.pgn.zst")).output().expect("the program runs")).ok();
    let summary = done.json();
    assert_eq!(summary["games"], summary["counted"]);
    assert!(summary["games"].as_u64() >= Some(800));
    assert_eq!(crate::run::noticed(&summary), []);
}

#[test]
fn the_demo_walks_the_whole_road() {
    let place = Place::new();
    let done = place.say("demo").ok();
    for said in [
        "$ drawish collect drawish-demo/sample.pgn.zst -o drawish-demo/sample.counts",
        "games read",
        "$ drawish table",
        "base draw rate",
        "cell 3963 of bg",
        "good table of scheme bg",
        "$ drawish match --engine arm=",
        "Games: 200",
        "Open drawish-demo/demo.html in a browser",
    ] {
        assert!(done.out().contains(said), "{said:?} is not in {}", done.out());
    }
    place.say("verify drawish-demo/pawns.table drawish-demo/sample.counts").ok();
    assert!(place.path("drawish-demo/pawns.h").exists());
    let log = place.read("drawish-demo/match.jsonl");
    let page = String::from_utf8(place.read("drawish-demo/demo.html")).expect("text");
    assert!(page.starts_with("<!") && page.len() < 2_000_000, "{} bytes", page.len());
    assert_eq!(cfg!(feature = "frames"), place.path("drawish-demo/heads.toml").exists());
    // It can be walked again, and is the same road.
    place.say("demo").ok();
    assert!(place.read("drawish-demo/match.jsonl") == log, "another match");
    place.put("file", "");
    place.say("demo -o file").fails(1, &["file cannot be made", "choose another place"]);
}

/// The heads can be read, and say which games they were fitted to.
#[test]
fn the_heads_are_whole() {
    for name in ["human", "rival", "tcec", "pooled"] {
        let heads = drawish::heads::HeadsFile::from_toml(&text(&format!("tables/{name}.heads.toml"))).expect(name);
        assert!(heads.inputs.iter().all(|input| input.xxh3_128.len() == 32 && input.counted > 0), "{name}");
        assert_eq!(heads.results.total(), heads.rows as u64, "{name}");
        assert!(heads.draw.kappa.is_some_and(|kappa| (0.3..3.0).contains(&kappa)), "{name}");
    }
}

/// The logs of the pilot are complete, the README and the report tell what they say.
#[test]
fn the_pilot_is_complete_and_told() {
    let place = Place::new();
    let mut command = place.command(["experiment", "status", "--json"]);
    let done = crate::run::Done(command.arg(root("experiments/pilot.toml")).output().expect("the program runs")).ok();
    let said = done.json();
    let (readme, report) = (text("README.md"), text("experiments/pilot.md"));
    let arms = said["arms"].as_array().expect("arms");
    assert_eq!(arms.len(), 7);
    for arm in arms {
        assert_eq!((&arm["pairs"], &arm["damage"]), (&said["pairs"], &serde_json::Value::Null), "{arm}");
        let [elo, low, high] =
            ["elo", "elo_low", "elo_high"].map(|name| format!("{:+.1}", arm[name].as_f64().expect("a number")));
        let name = arm["arm"].as_str().expect("a name");
        let of_arm = |line: &&str| line.starts_with(&format!("| {name} |"));
        assert!(
            report.lines().filter(of_arm).any(|line| line.contains(&format!("| {elo} | {low} to {high} |"))),
            "{name}"
        );
        let told = format!("| {} ({low} to {high}) |", if name == "constant" { "0.0" } else { &elo });
        assert!(readme.contains(&told), "{name}: the README has no {told:?}");
    }
}
