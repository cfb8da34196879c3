//! What a file of this program contains, whichever kind it is, and what to do next with it.

use std::path::Path;

use drawish_games::export::Opened;
use serde_json::Value;

use super::confirm::quoted;
use super::{counts, heads, table, wdl_counts};

/// A position to ask about: pawns of both sides and the kings.
const PAWNS: &str = "\"8/pp3kpp/2p1p3/3p4/3P4/2P1P3/PP3KPP/8 w - - 0 40\"";
/// One with a bishop each and an extra pawn.
const ENDING: &str = "\"5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1\"";

/// All that a file says of itself, with the warnings of its [fit](drawish_games::export::OwnFile::warnings), and the most natural next
/// command.
#[must_use]
pub fn text(path: &Path, file: &Opened<'_>, warnings: &[String]) -> String {
    let contents = match file {
        Opened::Counts(file) => counts::contents(file, |_| None),
        Opened::Table(file) => table::contents(file, Some("drawish table --slim")),
        Opened::WdlCounts(file) => wdl_counts::contents(file),
        Opened::Heads(file) => heads::contents(file),
    };
    let beware: String = warnings.iter().map(|warning| format!("beware: {warning}\n")).collect();
    let gap = if beware.is_empty() { "" } else { "\n" };
    contents + gap + &beware + &next(path, file)
}

/// What a file says of itself, for programs.
#[must_use]
pub fn json(file: &Opened<'_>, warnings: &[String]) -> Value {
    let mut value = match file {
        Opened::Counts(file) => counts::contents_json(file),
        Opened::Table(file) => table::contents_json(file),
        Opened::WdlCounts(file) => wdl_counts::contents_json(file),
        Opened::Heads(file) => heads::contents_json(file),
    };
    if !warnings.is_empty() {
        value["warnings"] = warnings.into();
    }
    value
}

/// The command in a line below all else; nothing for standard input.
fn next(path: &Path, file: &Opened<'_>) -> String {
    if path == Path::new("-") {
        return String::new();
    }
    let named = |path: &Path| quoted(&path.display().to_string());
    let (name, with) = (named(path), |ending: &str| named(&path.with_extension(ending)));
    let command = match file {
        Opened::Counts(_) if path.exists() => format!("table {name} -o {}", with("table")),
        Opened::WdlCounts(_) => format!("wdl fit {name} -o {}", with("json")),
        // Also counts that are part of the program and lie nowhere.
        Opened::Counts(_) | Opened::Table(_) => format!("inspect {name} {PAWNS}"),
        Opened::Heads(_) => format!("inspect {name} {ENDING} --eval 100"),
    };
    format!("\nnext: drawish {command}\n")
}
