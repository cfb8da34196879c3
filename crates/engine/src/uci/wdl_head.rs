//! The WDL head by which the engine shows win, draw and loss.

use drawish_core::expect::WdlPermille;
use drawish_core::head::MAGIC;
use drawish_core::{Board, Centipawns, Heads};
use drawish_heads::heads::{HeadError, WdlHead, open_binary};
use thiserror::Error;

/// A WDL head, checked when it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShownHead {
    name: String,
    /// A `.heads` file. It is opened anew for each line that is shown, which takes a few microseconds.
    bytes: Box<[u8]>,
}

/// Why a file is of no use for showing chances.
#[derive(Debug, Error)]
pub(super) enum ShownHeadError {
    #[error("expected {names} or the path of a file made by drawish wdl head: {0}", names = ShownHead::BUILT_IN.join(", "))]
    Unreadable(#[from] std::io::Error),
    #[error("expected a file made by drawish wdl head, found neither .heads nor text")]
    Neither,
    #[error("expected a WDL head, and there is none in the file: make one by drawish wdl head")]
    NoWdlHead,
    #[error("{0}")]
    Head(#[from] HeadError),
}

impl ShownHead {
    /// The names of the WDL heads that are part of the program.
    pub const BUILT_IN: [&'static str; 1] = ["drawish"];

    /// One that is part of the program, by its name, or a file of heads for engines or of one WDL head as text, by its path.
    pub fn read(value: &str) -> Result<ShownHead, ShownHeadError> {
        if ShownHead::BUILT_IN.contains(&value) {
            return ShownHead::from_bytes(value, drawish_tables::DRAWISH_WDL.to_vec());
        }
        let bytes = std::fs::read(value)?;
        if bytes.starts_with(&MAGIC) {
            return ShownHead::from_bytes(value, bytes);
        }
        let text = String::from_utf8(bytes).map_err(|_| ShownHeadError::Neither)?;
        ShownHead::from_bytes(value, WdlHead::from_toml(&text)?.to_binary()?)
    }

    fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<ShownHead, ShownHeadError> {
        if open_binary(&bytes).map_err(HeadError::from)?.wdl_head().is_none() {
            return Err(ShownHeadError::NoWdlHead);
        }
        Ok(ShownHead { name: name.to_owned(), bytes: bytes.into() })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The chances of the side to move, from its evaluation; mates are beyond ±10,000 centipawns.
    pub fn chances(&self, board: &Board, eval: Centipawns) -> Option<WdlPermille> {
        Heads::from_bytes(&self.bytes).ok()?.wdl(board, eval)
    }
}
