//! Says how many of the tests that ran before were skipped, and why: the last word of the integration tests.
//!
//! The harness shows nothing of what a test says that passes, so `run::shared` makes notes.

#![expect(clippy::print_stdout, reason = "a report")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn main() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
    let notes = fs::read_to_string(&file).unwrap_or_default();
    // Each run is reported once.
    let _ = fs::remove_file(&file);
    if let Some(report) = report(&notes, Path::new(env!("CARGO_MANIFEST_DIR"))) {
        println!("{report}");
    }
}

fn report(notes: &str, root: &Path) -> Option<String> {
    let (mut tests, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for (test, path) in notes.lines().filter_map(|line| line.split_once('\t')) {
        tests.insert(test);
        paths.insert(format!("../shared/{path}"));
    }
    let absent = match paths.iter().next() {
        None => return None,
        Some(_) if !root.join("../shared").exists() => "../shared is absent".to_owned(),
        Some(path) if paths.len() == 1 => format!("{path} is absent"),
        Some(_) => format!("{} are absent", paths.into_iter().collect::<Vec<_>>().join(", ")),
    };
    let tests = if tests.len() == 1 { "1 test".to_owned() } else { format!("{} tests", tests.len()) };
    Some(format!("{tests} skipped, wholly or in part: {absent}"))
}
