//! Files that are whole: what each is, and how much it holds.

use drawish_games::export::Opened;
use drawish_stats::numbers::grouped;

use super::heads::names;

/// What a file holds that has been found whole, in some words.
#[must_use]
pub fn text(file: &Opened<'_>) -> String {
    match file {
        Opened::Counts(counts) => format!(
            "good counts of scheme {}, {} games counted of {} read",
            counts.counts.scheme(),
            grouped(counts.tally().counted()),
            grouped(counts.tally().games())
        ),
        Opened::Table(table) => {
            format!("good table of scheme {}, {} positions", table.scheme(), grouped(table.positions()))
        }
        Opened::WdlCounts(file) => format!("good WDL counts, {} positions", grouped(file.counts.positions())),
        Opened::Heads(heads) => {
            format!("good heads ({}), fitted to {} rows", names(heads), grouped(heads.rows()))
        }
    }
}
