//! The pages of the documentation: their commands run as they stand there, their links lead somewhere.
//!
//! A fence of `console` holds commands behind `$ `, which continue over lines that end in `\`, and below them what they print. Each page
//! begins in a directory with `games.pgn.zst`, the games of the demo, and `tables/human.table`; its commands run in their order. What is printed is compared
//! where the page shows anything; a line `...` stands for any lines. After a wanted change `DRAWISH_UPDATE=1 cargo test guides` writes
//! what is printed now into the pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::Place;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");

/// A part of a page.
#[derive(Debug)]
enum Part {
    Text(String),
    /// A command as it is written, the same in one line, and what the page shows below it.
    Step {
        written: Vec<String>,
        command: String,
        shown: Vec<String>,
    },
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut in_console, mut goes_on) = (false, false);
    for line in page.lines() {
        let is_mark = line.starts_with("```");
        if is_mark || !in_console {
            in_console = is_mark && !in_console && line == "```console";
            parts.push(Part::Text(line.to_owned()));
            continue;
        }
        let (text, more) = line.strip_suffix('\\').map_or((line, false), |text| (text, true));
        match (text.strip_prefix("$ "), parts.last_mut()) {
            (Some(text), _) => {
                parts.push(Part::Step { written: vec![line.to_owned()], command: text.to_owned(), shown: Vec::new() });
            }
            (None, Some(Part::Step { written, command, .. })) if goes_on => {
                written.push(line.to_owned());
                command.push_str(text);
            }
            (None, Some(Part::Step { shown, .. })) => shown.push(line.to_owned()),
            (None, _) => panic!("a fence of console begins with `$ `, not with {line}"),
        }
        goes_on = more;
    }
    parts
}

/// Whether lines are those that a page shows, in which `...` stands for any.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "..." => (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..])),
        Some((line, rest)) => {
            printed.split_first().is_some_and(|(first, others)| line == first && agrees(rest, others))
        }
    }
}

/// Whether this build has the verb of a command.
fn is_there(command: &str) -> bool {
    cfg!(feature = "frames")
        || !["positions", "tune", "evaluate", "parquet", "heads."].iter().any(|word| command.contains(word))
}

fn run_page(path: &Path) {
    let page = fs::read_to_string(path).expect("the page");
    let place = Place::new();
    place.put("games.pgn.zst", fs::read(GAMES).expect("the shipped games"));
    place.put("tables/human.table", fs::read(Path::new(ROOT).join("tables/human.table")).expect("a shipped table"));
    let program = Path::new(env!("CARGO_BIN_EXE_drawish")).parent().expect("a directory");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let search = std::env::join_paths(std::iter::once(program.to_owned()).chain(std::env::split_paths(&others)));
    let search = search.expect("a path");
    let update = std::env::var_os("DRAWISH_UPDATE").is_some();
    let mut now = Vec::new();
    for part in parts(&page) {
        let (written, command, shown) = match part {
            Part::Text(line) => {
                now.push(line);
                continue;
            }
            Part::Step { written, command, shown } => (written, command, shown),
        };
        now.extend(written);
        if !is_there(&command) {
            now.extend(shown);
            continue;
        }
        let done = Command::new("sh").args(["-c", &command]).current_dir(place.path("")).env("PATH", &search).output();
        let done = done.expect("a shell");
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        let here = format!("{}: $ {command}", path.strip_prefix(ROOT).unwrap_or(path).display());
        // The verdicts of matches are exit codes.
        assert!(matches!(done.status.code(), Some(0 | 3 | 4)), "{here}\n{out}{err}");
        let printed: Vec<String> = out.lines().map(|line| line.trim_end().to_owned()).collect();
        if shown.is_empty() {
            continue;
        }
        if !update {
            assert!(agrees(&shown, &printed), "{here}\nprints\n{out}\nand the page shows\n{}", shown.join("\n"));
        }
        // Times differ from run to run.
        let timed = |line: String| if line.ends_with(" s") && line.contains(" in ") { "...".to_owned() } else { line };
        now.extend(if agrees(&shown, &printed) { shown } else { printed.into_iter().map(timed).collect() });
    }
    if update {
        fs::write(path, now.join("\n") + "\n").expect("the page is written");
    }
}

/// The pages of a directory and of those below it.
fn pages_in(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("the documentation").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(pages_in(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn pages() -> Vec<PathBuf> {
    let mut pages = pages_in(&Path::new(ROOT).join("docs"));
    pages.push(Path::new(ROOT).join("README.md"));
    pages
}

#[cfg(unix)]
#[test]
fn every_command_of_the_pages_runs() {
    std::thread::scope(|scope| {
        for page in pages() {
            scope.spawn(move || run_page(&page));
        }
    });
}

/// Who types all pages in one directory would be refused a log that another page has written.
#[test]
fn no_two_pages_write_the_same_log() {
    let mut writers = std::collections::HashMap::new();
    for path in pages() {
        for part in parts(&fs::read_to_string(&path).expect("the page")) {
            let Part::Step { command, .. } = part else { continue };
            for option in ["--log ", "--pgn "] {
                let Some((_, rest)) = command.split_once(option) else { continue };
                let file = rest.split(' ').next().unwrap_or_default().to_owned();
                let writer = writers.entry(file.clone()).or_insert_with(|| path.clone());
                assert!(*writer == path, "{} and {} write {file}", writer.display(), path.display());
            }
        }
    }
    assert!(writers.len() > 4, "{writers:?}");
}

#[test]
fn every_link_leads_to_a_file() {
    for page in pages() {
        let text = fs::read_to_string(&page).expect("the page");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            let file = target.split('#').next().unwrap_or_default();
            let is_local = !file.is_empty() && !file.contains("://");
            assert!(
                !is_local || page.parent().expect("a directory").join(file).exists(),
                "{}: {target} is not there",
                page.display()
            );
        }
    }
}

#[test]
fn the_book_lists_every_page_and_the_readme_is_short() {
    let docs = Path::new(ROOT).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary");
    for page in pages_in(&docs) {
        let name = page.strip_prefix(&docs).expect("below it").display().to_string();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "docs/SUMMARY.md does not list {name}");
    }
    let readme = fs::metadata(Path::new(ROOT).join("README.md")).expect("the README").len();
    assert!(readme <= 8_192, "the README has {readme} bytes; what is more than 8 kB belongs into docs");
}
