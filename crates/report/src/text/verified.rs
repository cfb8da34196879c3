//! Files that are whole: what each is, and how much it holds.

use std::path::Path;

use drawish_games::export::{Inconsistency, Opened, check_consistency};
use drawish_stats::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::confirm::quoted;
use super::heads::names;

/// What a file holds that has been found whole, in some words.
///
/// # Errors
///
/// If it is a table whose values do not fit each other.
pub fn text(file: &Opened<'_>) -> Result<String, Inconsistency> {
    Ok(match file {
        Opened::Counts(counts) => format!(
            "good counts of scheme {}, {} counted of {} read",
            counts.counts.scheme(),
            counted(counts.tally().counted(), "game"),
            grouped(counts.tally().games())
        ),
        Opened::Table(table) => {
            check_consistency(table)?;
            format!("good table of scheme {}, {}", table.scheme(), counted(table.positions(), "position"))
        }
        Opened::WdlCounts(file) => format!("good WDL counts, {}", counted(file.counts.positions(), "position")),
        Opened::Heads(heads) => {
            format!("good heads ({}), fitted to {}", names(heads), counted(heads.rows(), "row"))
        }
    })
}

/// A file with what it holds, or why it fails.
pub type Verified<'a> = (&'a Path, Result<String, String>);

/// The files that are whole, a line each; below a single one, how to look at it.
#[must_use]
pub fn lines(verified: &[Verified<'_>]) -> String {
    let line = |(path, found): &Verified<'_>| Some(format!("{}: {}\n", path.display(), found.as_ref().ok()?));
    let lines: String = verified.iter().filter_map(line).collect();
    match verified {
        [(path, Ok(_))] if *path != Path::new("-") => {
            format!("{lines}\nnext: drawish inspect {}\n", quoted(&path.display().to_string()))
        }
        _ => lines,
    }
}

/// All files for programs: what each holds, or why it fails.
#[must_use]
pub fn json(verified: &[Verified<'_>]) -> Value {
    let of = |(path, found): &Verified<'_>| {
        let (Ok(what) | Err(what)) = found;
        json!({ "file": path, "good": found.is_ok(), "what": what })
    };
    verified.iter().map(of).collect()
}
