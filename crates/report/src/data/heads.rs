//! Heads, read from their file.

use drawish_core::Heads;
use drawish_heads::heads::{HeadError, HeadsFile, MoveTable};

/// Fitted heads with the name of their file.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct HeadsData {
    /// The name of the file.
    pub name: String,
    /// What it holds.
    pub file: HeadsFile,
    /// By how much kinds of moves change what the heads say; the error is why an engine cannot ask them.
    pub moves: Result<MoveTable, String>,
}

impl HeadsData {
    /// Heads of a file, with what moves change.
    #[must_use]
    pub fn new(name: &str, file: HeadsFile) -> HeadsData {
        let moves = file.to_binary().and_then(|bytes| Ok::<_, HeadError>(MoveTable::of(&Heads::from_bytes(&bytes)?)));
        HeadsData { name: name.to_owned(), file, moves: moves.map_err(|error| error.to_string()) }
    }
}
