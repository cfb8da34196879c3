//! Names of logs that nobody has named, and the seed that a log has.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The seed of a match that has been logged, if it can be read.
pub(crate) fn seed_of(log: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(log).ok()?;
    serde_json::from_str::<Value>(text.lines().next()?).ok()?["seed"].as_u64()
}

/// `stem.jsonl` where the program runs, or with the first number from 2 whose file is not there; the last file that is there for
/// what is resumed.
pub(crate) fn free_log(stem: &str, resume: bool) -> PathBuf {
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{stem}.jsonl")),
        _ => PathBuf::from(format!("{stem}-{number}.jsonl")),
    };
    let free = (1..).find(|&number| !Path::exists(&name(number))).unwrap_or(1);
    name(if resume { (free - 1).max(1) } else { free })
}
