//! What the project ships agrees with the program that ships it.

use std::path::{Path, PathBuf};

use drawish::counts::CountsFile;
use drawish::sample::SkipReason;
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
        let Some(path) = crate::run::shared(&format!("data/{corpus}.pgn.zst")) else { continue };
        let place = Place::new();
        let mut command = place.command(["collect", "-q", "-o", "again.counts"]);
        crate::run::Done(command.arg(path).output().expect("the program runs")).ok();
        let again = CountsFile::from_bytes(&place.read("again.counts")).expect("counts");
        let shipped = std::fs::read(root(&format!("tables/{name}.counts"))).expect("counts");
        let shipped = CountsFile::from_bytes(&shipped).expect("counts");
        assert_eq!(again.counts, shipped.counts, "{name}");
        // A game of TCEC that is too short was not known to be lost on time as well when its table was made.
        if name == "tcec" {
            let tallies = [&again, &shipped].map(|file| {
                let tally = file.tally();
                (
                    tally.games(),
                    tally.counted(),
                    tally.skipped(SkipReason::Termination),
                    tally.skipped(SkipReason::TooShort),
                )
            });
            assert_eq!(tallies, [(17_751, 9_671, 180, 7_875), (17_751, 9_671, 179, 7_876)]);
        } else {
            assert_eq!(again.digest(), shipped.digest(), "{name}");
        }
    }
}

#[test]
fn the_table_of_the_core_is_the_human_one() {
    let place = Place::new();
    let mut command = place.command(["table", "-q", "--slim", "-o", "slim.table"]);
    crate::run::Done(command.arg(root("tables/human.counts")).output().expect("the program runs")).ok();
    assert!(place.read("slim.table") == std::fs::read(root("core/examples/pawns.table")).expect("a table"));
}

/// The Markdown files in which the project reports its figures, wherever in them.
fn pages() -> Vec<String> {
    let mut pages = vec![text("README.md")];
    let mut directories = vec![root("docs"), root("experiments"), root("tables")];
    while let Some(directory) = directories.pop() {
        for path in std::fs::read_dir(&directory).expect("a directory").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(std::fs::read_to_string(path).expect("text"));
            }
        }
    }
    pages
}

/// The numbers of a line in their order; commas within them group digits. A hyphen after a digit is that of a range.
fn numbers(line: &str) -> Vec<f64> {
    let mut numbers = Vec::new();
    let mut word = String::new();
    for c in line.chars().chain([' ']) {
        match c {
            '0'..='9' => word.push(c),
            '.' | ',' if word.ends_with(|last: char| last.is_ascii_digit()) => word.push(c),
            '-' | '\u{2212}' if word.is_empty() => word.push('-'),
            _ => {
                numbers.extend(word.replace(',', "").trim_end_matches('.').parse::<f64>());
                word.clear();
            }
        }
    }
    numbers
}

/// Whether a line of a page that holds all of `words` has these numbers next to each other.
fn is_told(page: &str, words: &[&str], figures: &[f64]) -> bool {
    let holds = |line: &&str| words.iter().all(|word| line.contains(word));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    let has = |line: &str| numbers(line).windows(figures.len()).any(|found| found.iter().zip(figures).all(close));
    page.lines().filter(holds).any(has)
}

#[test]
fn numbers_are_read_from_lines() {
    assert_eq!(
        numbers("| 37.3 % (37.0-37.6, n = 65,106) | +4.5 | -0.3 to +1.2 |."),
        [37.3, 37.0, 37.6, 65_106.0, 4.5, -0.3, 1.2]
    );
    assert!(is_told("| a | 1.0 | 2.5 |", &["a"], &[1.0, 2.5]));
    assert!(!is_told("| a | 1.0 | 3.0 | 2.5 |\n| b | 1.0 | 2.5 |", &["a"], &[1.0, 2.5]));
}

/// Rounded as figures are printed.
fn rounded(number: f64) -> f64 {
    format!("{number:.1}").parse().expect("a number")
}

#[test]
fn the_figures_of_the_tables_are_reported() {
    let pages = pages();
    let place = Place::new();
    for name in TABLES {
        let mut command = place.command(["inspect", "--json"]);
        let inspected = command.arg(root(&format!("tables/{name}.counts"))).output().expect("the program runs");
        let groups = crate::run::Done(inspected).ok().json()["groups"].clone();
        for group in ["all", "empty", "symmetric", "open-sicilian"] {
            let percent = |field: &str| rounded(100.0 * groups[group][field].as_f64().expect("a rate"));
            let results = groups[group]["results"].as_f64().expect("a count");
            let figures = [percent("draw_rate"), percent("low"), percent("high"), results];
            assert!(
                pages.iter().any(|page| is_told(page, &[], &figures)),
                "no page reports {name} {group}: {figures:?}"
            );
        }
        let bytes = std::fs::read(root(&format!("tables/{name}.table"))).expect("a table");
        assert_eq!(DrawTable::from_bytes(&bytes).map(|table| table.verify()), Ok(Ok(())));
    }
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
    assert_eq!(summary["games"], 3_000);
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
        "$ drawish wdl fit",
        "$ drawish match --engine arm=none name=1000-nodes",
        "H1 is accepted",
        "in 60 of 60 pairs both games have the same moves",
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
    place.put("other/match.jsonl", &log);
    place.say("demo -o other").fails(1, &["other/match.jsonl is there, and of no walk", "-o"]);
    assert!(place.read("other/match.jsonl") == log && !place.path("other/sample.pgn.zst").exists());
    // Nothing else replaces the log of a match either.
    place.say("collect drawish-demo/sample.pgn.zst -o other/match.jsonl -q").fails(1, &["holds a match log", "-o"]);
    place.say("merge drawish-demo/sample.counts -o other/match.jsonl").fails(1, &["holds a match log", "-o"]);
    place.say("report drawish-demo/model.json -o other/match.jsonl").fails(1, &["neither .html nor .md"]);
    assert!(place.read("other/match.jsonl") == log);
    place.put("file", "");
    place.say("demo -o file").fails(1, &["file cannot be made", "choose another place"]);
}

/// The heads can be read, and say which games they were fitted to.
#[test]
fn the_heads_are_whole() {
    for name in ["human", "rival", "tcec", "pooled"] {
        let heads = drawish::heads::HeadsFile::from_toml(&text(&format!("tables/{name}.heads.toml"))).expect(name);
        assert!(heads.inputs.iter().all(|input| input.xxh3_128.0 != 0 && input.counted > 0), "{name}");
        assert_eq!(heads.results.total(), heads.rows as u64, "{name}");
        assert!(heads.draw.kappa.is_some_and(|kappa| (0.3..3.0).contains(&kappa)), "{name}");
    }
}

/// The logs of the experiments are complete; their reports and a page for readers report what they say.
#[test]
fn the_experiments_are_complete_and_reported() {
    for (name, of) in [
        ("pilot", 7),
        ("record", 4),
        ("endgames", 4),
        ("balanced", 4),
        ("tuned", 3),
        ("tuned-sprt", 1),
        ("retuned-sprt", 1),
    ] {
        let place = Place::new();
        let mut command = place.command(["experiment", "status", "--json"]);
        let file = root(&format!("experiments/{name}.toml"));
        let said = crate::run::Done(command.arg(file).output().expect("the program runs")).ok().json();
        let report = text(&format!("experiments/{name}.md"));
        let pages: Vec<String> = pages().into_iter().filter(|page| *page != report).collect();
        let arms = said["arms"].as_array().expect("arms");
        assert_eq!(arms.len(), of, "{name}");
        for arm in arms {
            assert_eq!((&arm["pairs"], &arm["damage"]), (&arm["wanted_pairs"], &serde_json::Value::Null), "{arm}");
            let figures = ["elo", "elo_low", "elo_high"].map(|name| rounded(arm[name].as_f64().expect("a number")));
            let arm = arm["arm"].as_str().expect("a name");
            assert!(is_told(&report, &[arm], &figures), "{name}.md does not report {arm}: {figures:?}");
            assert!(pages.iter().any(|page| is_told(page, &[], &figures)), "no page reports {arm}: {figures:?}");
        }
    }
}

/// The reports are those that the program makes of the logs, but for the build that they name. With `DRAWISH_UPDATE=1` they are
/// made again.
#[test]
fn the_reports_of_the_experiments_are_those_of_the_program() {
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with("Made by ")).map(str::to_owned).collect();
    for name in ["pilot", "record", "endgames", "balanced", "tuned", "tuned-sprt", "retuned-sprt"] {
        let place = Place::new();
        let file = root(&format!("experiments/{name}.toml"));
        let mut command = place.command(["experiment", "report", "-o", "report.md"]);
        crate::run::Done(command.arg(file).output().expect("the program runs")).ok();
        let made = String::from_utf8(place.read("report.md")).expect("text");
        let kept = root(&format!("experiments/{name}.md"));
        let [made_lines, kept_lines]: [Vec<String>; 2] =
            [lines(&made), lines(&text(&format!("experiments/{name}.md")))];
        if made_lines != kept_lines && std::env::var_os("DRAWISH_UPDATE").is_some() {
            std::fs::write(&kept, made).expect("the report is written");
            continue;
        }
        let other = made_lines.iter().zip(&kept_lines).find(|(made, kept)| made != kept);
        assert_eq!(other, None, "{name}.md: left what the program makes; DRAWISH_UPDATE=1 makes it again");
        assert_eq!(made_lines.len(), kept_lines.len(), "{name}.md");
        // Games are still needed only where equivalence is open.
        for row in kept_lines.iter().filter(|line| line.starts_with("| ") && line.contains(" - none |")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let (interval, p, needed) = (numbers(cells[4]), cells[7], cells[8]);
            let is_shown = p.parse().unwrap_or(0.0) < 0.05;
            let is_excluded = interval.iter().all(|&end| end < -3.0) || interval.iter().all(|&end| end > 3.0);
            match (is_shown, is_excluded) {
                (true, _) => assert_eq!(needed, "none, equivalent", "{row}"),
                (_, true) => assert_eq!(needed, "none, not equivalent", "{row}"),
                // Of a control that always plays the same moves nothing says how many.
                _ if row.contains("(100.0 %)") => assert_eq!(needed, "-", "{row}"),
                _ => assert!(needed.starts_with(|first: char| first.is_ascii_digit()), "{row}"),
            }
        }
    }
}

/// Whoever takes `--games` for an input loses nothing.
#[test]
fn the_sample_replaces_no_file() {
    let place = Place::new();
    place.put("mine.pgn", "my games");
    place.say("demo --games mine.pgn").fails(1, &["mine.pgn", "is not replaced"]);
    assert_eq!(place.read("mine.pgn"), b"my games");
    place.say("demo --games sample.pgn.zst").ok();
    place.say("demo --games sample.pgn.zst").ok();
    assert_eq!(place.read("sample.pgn.zst"), std::fs::read(root("src/cli/demo/sample.pgn.zst")).expect("the sample"));
}
