//! Names of logs that nobody has named.

use std::path::{Path, PathBuf};

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
