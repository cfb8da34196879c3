//! What a match is played by besides its engines: the variant, and tables that end games.

use std::ffi::OsStr;

use anyhow::Result;
use shakmaty::CastlingMode;

use crate::cli::output;
use drawish::arena::Syzygy;

/// What `--variant` takes.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum VariantArg {
    Auto,
    Standard,
    Chess960,
}

impl VariantArg {
    /// The variant if it is told.
    pub(super) fn castling(self) -> Option<CastlingMode> {
        match self {
            VariantArg::Auto => None,
            VariantArg::Standard => Some(CastlingMode::Standard),
            VariantArg::Chess960 => Some(CastlingMode::Chess960),
        }
    }
}

/// Opens tables, and says what they lack: games that reach it are played on.
pub(super) fn tables(directories: &OsStr) -> Result<Syzygy> {
    let syzygy = Syzygy::open(&std::env::split_paths(directories).collect::<Vec<_>>())?;
    let missing = syzygy.missing();
    if let [first, ..] = missing {
        output::complain(format!(
            "drawish: {syzygy}: {} are missing, the first {first}; games that reach them are played on\n",
            missing.len()
        ));
    }
    if syzygy.lacks_distances() {
        output::complain(format!(
            "drawish: {syzygy}: without all distances (rtbz) some games are played on to the next capture or pawn's move\n"
        ));
    }
    Ok(syzygy)
}
