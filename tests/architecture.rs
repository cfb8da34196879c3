//! Which room may import which, and which dependency has which door. The map is in ARCHITECTURE.md; when a better
//! shape shows up, change both.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Room: the rooms that it imports.
const ARROWS: [(&str, &[&str]); 26] = [
    ("pgn", &[]),
    ("annotate", &["model", "pgn"]),
    ("sample", &["pgn"]),
    ("counts", &["pgn", "sample"]),
    ("collect", &["counts", "outfile", "pgn", "provenance", "sample"]),
    ("smooth", &["counts"]),
    ("estimate", &["model", "pgn"]),
    ("export", &["counts", "smooth"]),
    ("frames", &["export", "features", "fit", "rows", "wdl"]),
    ("eval", &["features", "fit"]),
    ("search", &["eval"]),
    ("model", &[]),
    ("stats", &[]),
    ("features", &[]),
    ("rows", &["features", "pgn", "sample"]),
    ("fit", &["counts", "features", "model", "rows", "smooth", "stats"]),
    ("findings", &["arena", "counts", "fit", "model", "pgn", "rows", "smooth", "stats"]),
    ("experiment", &["stats"]),
    ("report", &["experiment", "findings", "fit", "model", "wdl"]),
    ("arena", &["eval", "features", "pgn", "sample", "search", "stats"]),
    ("wdl", &["model", "pgn", "provenance", "sample"]),
    ("download", &["outfile", "pgn"]),
    ("outfile", &[]),
    ("provenance", &[]),
    (
        "cli",
        &[
            "annotate",
            "arena",
            "collect",
            "counts",
            "download",
            "estimate",
            "eval",
            "experiment",
            "export",
            "features",
            "findings",
            "fit",
            "frames",
            "model",
            "outfile",
            "pgn",
            "provenance",
            "report",
            "rows",
            "sample",
            "search",
            "smooth",
            "stats",
            "wdl",
        ],
    ),
    ("main", &["cli"]),
];

/// Dependency: the rooms that may name it.
const DOORS: [(&str, &[&str]); 21] = [
    ("polars", &["frames"]),
    ("polars_io", &["frames"]),
    ("bincode", &["counts"]),
    ("pgn_reader", &["pgn"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli"]),
    ("indicatif", &["cli"]),
    ("shakmaty", &["pgn", "sample", "rows", "features", "cli", "estimate", "arena", "eval", "search", "wdl"]),
    ("shakmaty_syzygy", &["arena"]),
    ("rand", &["estimate"]),
    ("rand_chacha", &["estimate"]),
    ("statrs", &["smooth", "stats", "wdl"]),
    ("flate2", &["pgn"]),
    ("zstd", &["outfile", "pgn"]),
    ("bzip2", &["pgn"]),
    ("tempfile", &["outfile"]),
    ("rustix", &["arena"]),
    ("ureq", &["download"]),
    ("resvg", &["report"]),
    ("epaint_default_fonts", &["report"]),
    ("regex", &["sample", "cli", "wdl"]),
];

/// Every source file by its room, the first part of its path.
fn sources() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut directories = vec![root.clone()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inside = path.strip_prefix(&root).expect("below the root");
                let room = inside.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "");
                files.push((room, path.clone(), fs::read_to_string(&path).expect("text")));
            }
        }
    }
    files
}

/// The code of a file without its unit tests and comments: what the rules are about.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    before_tests.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The names that follow `prefix::`, also within a list in braces.
fn names_after<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(prefix).flat_map(move |(at, _)| {
        let rest = &code[at + prefix.len()..];
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or_default());
        let names = if rest.starts_with('{') { list.split(',').collect() } else { vec![rest] };
        names
            .into_iter()
            .map(|name| name.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
    })
}

#[test]
fn rooms_import_only_what_the_map_shows() {
    let arrows: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let sources = sources();
    for (room, path, text) in sources.iter().filter(|(room, ..)| room != "lib") {
        let allowed =
            arrows.get(room.as_str()).unwrap_or_else(|| panic!("{room} is a room that the map does not know"));
        let code = code(text);
        for name in names_after(&code, "crate::").chain(names_after(&code, "drawish::")) {
            if name == room || !arrows.contains_key(name) {
                continue;
            }
            assert!(allowed.contains(&name), "{}: {room} must not import {name}", path.display());
            found.entry(arrows.get_key_value(room.as_str()).expect("a room").0).or_default().insert(name.to_owned());
        }
    }
    for (room, allowed) in ARROWS {
        let used = found.remove(room).unwrap_or_default();
        let unused: Vec<_> = allowed.iter().filter(|name| !used.contains(**name)).collect();
        assert!(unused.is_empty(), "the map has arrows that the code does not: {room} <- {unused:?}");
    }
}

#[test]
fn every_dependency_has_its_door() {
    for (room, path, text) in sources() {
        for (dependency, doors) in DOORS {
            let mentions = code(&text).match_indices(dependency).any(|(at, found)| {
                let text = code(&text);
                let before = text[..at].chars().next_back();
                let after = text[at + found.len()..].starts_with("::");
                after && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            assert!(
                !mentions || doors.contains(&room.as_str()),
                "{}: {dependency} has no door in {room}",
                path.display()
            );
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    for (room, path, text) in sources() {
        let prints = ["println!", "eprintln!", "print!(", "eprint!("].iter().any(|print| code(&text).contains(print));
        assert!(!prints || room == "cli", "{} prints", path.display());
    }
}

#[test]
fn no_file_is_too_long_to_know() {
    for (_, path, text) in sources() {
        let lines = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().lines().count();
        assert!(lines <= 400, "{} has {lines} lines before its tests", path.display());
    }
}

#[test]
fn the_core_depends_on_nothing() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("core/Cargo.toml")).expect("text");
    let dependencies = manifest.split("[dependencies]").nth(1).expect("the section");
    assert_eq!(dependencies.split('[').next().map(str::trim), Some(""));
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("core/src/lib.rs")).expect("text");
    assert!(lib.contains("#![no_std]") && lib.contains("#![forbid(unsafe_code)]"));
}

#[test]
fn the_map_is_drawn() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    assert!(text.lines().count() <= 150, "ARCHITECTURE.md is longer than 150 lines");
    for (room, _) in ARROWS {
        assert!(text.contains(&format!("`{room}`")), "ARCHITECTURE.md does not name the room {room}");
    }
}
