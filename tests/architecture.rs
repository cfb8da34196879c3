//! The map in ARCHITECTURE.md, held to the code: its tables say which crate uses which, which room imports which, and where
//! a dependency may be named. When a better shape shows up, change the tables and the code together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Names = BTreeSet<String>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names between backticks in a cell of a table.
fn names(cell: &str) -> Names {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of the tables whose first heading is `heading`, each as its cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let map = text("ARCHITECTURE.md");
    let mut rows = Vec::new();
    let mut inside = false;
    for line in map.lines() {
        let cells = || line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        if !line.starts_with('|') {
            inside = false;
        } else if !inside {
            inside = cells()[0] == heading;
        } else if !line.starts_with("|-") {
            rows.push(cells());
        }
    }
    assert!(!rows.is_empty(), "ARCHITECTURE.md has no table of each {heading}");
    rows
}

/// A crate of the workspace.
struct Crate {
    name: String,
    folder: PathBuf,
    licence: String,
    may_use: Names,
}

fn crates() -> Vec<Crate> {
    let of = |row: &Vec<String>| Crate {
        name: names(&row[0]).into_iter().next().expect("a name"),
        folder: names(&row[1]).into_iter().next().expect("a folder").into(),
        licence: row[2].clone(),
        may_use: names(&row[4]),
    };
    table("crate").iter().map(of).collect()
}

/// A source file: its crate, its room (the first part of its path in the crate), its path and its text.
struct Source {
    krate: String,
    room: String,
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    for Crate { name: krate, folder, .. } in crates() {
        let base = root().join(folder).join("src");
        let mut directories = vec![base.clone()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(&directory).expect("a directory").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    directories.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let inside = path.strip_prefix(&base).expect("below the root");
                    let room = inside.components().next().expect("a name").as_os_str().to_string_lossy();
                    let text = fs::read_to_string(&path).expect("text");
                    files.push(Source { krate: krate.clone(), room: room.replace(".rs", ""), path, text });
                }
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

/// The dependencies in a manifest, those for tests and builds left out.
fn dependencies(manifest: &str) -> Names {
    let mut inside = false;
    let mut found = Names::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if let Some((name, _)) = line.split_once(['.', ' ', '=']).filter(|_| inside && !line.starts_with('#')) {
            found.insert(name.to_owned());
        }
    }
    found
}

#[test]
fn crates_use_what_the_map_shows() {
    let crates = crates();
    for Crate { name, folder, licence, may_use } in &crates {
        let manifest = text(folder.join("Cargo.toml"));
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{} is not the folder of {name}", folder.display());
        assert!(manifest.contains(&format!("license = \"{licence}\"")), "{name} has another licence than {licence}");
        let ours = |name: &String| crates.iter().any(|other| other.name == *name);
        let used: Names = dependencies(&manifest).into_iter().filter(ours).collect();
        assert_eq!(used, *may_use, "{name}: left the manifest, right the map");
    }
    let members = fs::read_dir(root().join("crates")).expect("crates").flatten();
    let folders: Names = crates.iter().map(|krate| krate.folder.display().to_string()).collect();
    for member in members {
        let folder = format!("crates/{}", member.file_name().to_string_lossy());
        assert!(folders.contains(&folder), "{folder} is a crate that the map does not know");
    }
}

#[test]
fn rooms_import_only_what_the_map_shows() {
    let rows = table("room");
    let rooms: BTreeMap<String, (String, Names)> = rows
        .iter()
        .map(|row| (names(&row[0]).into_iter().next().expect("a room"), (row[1].replace('`', ""), names(&row[2]))))
        .collect();
    assert_eq!(rooms.len(), rows.len(), "two rooms have one name");
    let mut found: BTreeMap<String, Names> = BTreeMap::new();
    let sources = sources();
    let has_rooms: Names = rooms.values().map(|(krate, _)| krate.clone()).collect();
    for Source { krate, room, path, text } in sources.iter().filter(|source| source.room != "lib") {
        let name = krate.strip_prefix("drawish-").unwrap_or("drawish");
        if !has_rooms.contains(name) {
            continue;
        }
        let allowed = rooms.get(room).filter(|(owner, _)| owner == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{room} is a room of {krate} that the map does not know"));
        for import in names_after(&code(text), "crate::").filter(|import| import != room) {
            if rooms.get(import).is_some_and(|(owner, _)| owner == name) {
                assert!(allowed.contains(import), "{}: {room} must not import {import}", path.display());
                found.entry(room.clone()).or_default().insert(import.to_owned());
            }
        }
    }
    for (room, (krate, allowed)) in rooms {
        let is_there = sources.iter().any(|source| source.room == room);
        assert!(is_there, "the map has a room {room} in {krate}, the code has none");
        let used = found.remove(&room).unwrap_or_default();
        assert_eq!(used, allowed, "{room}: left what the code imports, right the map");
    }
}

#[test]
fn every_dependency_has_its_door() {
    let doors: BTreeMap<String, Names> = table("dependency")
        .iter()
        .map(|row| (names(&row[0]).into_iter().next().expect("a name"), names(&row[1])))
        .collect();
    let mut used: BTreeMap<&str, Names> = BTreeMap::new();
    for Source { krate, room, path, text } in sources() {
        let code = code(&text);
        for (dependency, doors) in &doors {
            let name = dependency.replace('-', "_");
            let is_named = code.match_indices(&name).any(|(at, found)| {
                let before = code[..at].chars().next_back();
                code[at + found.len()..].starts_with("::") && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            let door = [&room, krate.trim_start_matches("drawish-")].into_iter().find(|door| doors.contains(*door));
            if is_named {
                assert!(door.is_some(), "{}: {dependency} has no door in {room}", path.display());
                used.entry(dependency).or_default().extend(door.map(str::to_owned));
            }
        }
    }
    for (dependency, doors) in &doors {
        let used = used.remove(dependency.as_str()).unwrap_or_default();
        assert_eq!(used, *doors, "{dependency}: left where the code names it, right its doors in the map");
    }
}

#[test]
fn only_the_command_line_prints() {
    for Source { krate, room, path, text } in sources() {
        let prints = ["println!", "eprintln!", "print!(", "eprint!("].iter().any(|print| code(&text).contains(print));
        assert!(!prints || (krate == "drawish" && room == "cli"), "{} prints", path.display());
    }
}

#[test]
fn no_file_is_too_long_to_know() {
    for Source { path, text, .. } in sources() {
        let lines = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().lines().count();
        assert!(lines <= 400, "{} has {lines} lines before its tests", path.display());
    }
}

#[test]
fn the_core_depends_on_nothing() {
    assert!(dependencies(&text("core/Cargo.toml")).is_empty());
    let lib = text("core/src/lib.rs");
    assert!(lib.contains("#![no_std]") && lib.contains("#![forbid(unsafe_code)]"));
}

/// Cargo strips a program only if its package has no entry in the profile: with one, the shipped program had 12 MB of symbols.
#[test]
fn the_program_has_no_settings_of_its_own() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("a manifest");
    for profile in ["release", "dist"] {
        let packages = manifest["profile"][profile]["package"].as_table().expect("packages");
        assert!(
            !packages.contains_key("drawish"),
            "[profile.{profile}.package] has an entry for `drawish`, which keeps its symbols"
        );
    }
}

#[test]
fn what_goes_somewhere_goes_into_files_that_are_there() {
    for row in table("a new") {
        for path in names(&row[1]).iter().filter(|name| name.contains('/') && !name.contains(' ')) {
            assert!(root().join(path).exists(), "ARCHITECTURE.md sends a new {} to {path}, which is not there", row[0]);
        }
    }
}

#[test]
fn the_map_is_one_page() {
    assert!(text("ARCHITECTURE.md").lines().count() <= 200, "ARCHITECTURE.md is longer than 200 lines");
}
