//! Training data of neural networks, from bytes to games and positions: what there is where there is no PGN.
//!
//! - bullet's boards (`.bullet`, `.data`): 32 bytes a position, without games;
//! - Stockfish's binpacks (`.binpack`): chains of moves with scores, a chain being a game or what was kept of one;
//! - viridithas' games (`.viri`, `.vf`): a start position and moves with scores.
//!
//! A format has a file here. Each record is checked before it is used, so that a cut or foreign file ends in a `Damage` with
//! its byte. Files are read in chunks of whole records, see `Chunks`, which any thread can decode by `read`; whoever wants
//! what is in them is a `Receive`.
//!
//! The readers are the house's own. The formats are short and fixed, and the crates of their authors trust their input: those
//! are the twins in the tests, and write the test data.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod binpack;
#[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "parts of numbers are taken on purpose"))]
mod bits;
mod bullet;
mod chunks;
#[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "parts of numbers are taken on purpose"))]
mod men;
mod moves;
#[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "parts of numbers are taken on purpose"))]
mod places;
mod viri;

use std::path::Path;

use drawish_core::Outcome;
use shakmaty::{Chess, Move, Setup};
use thiserror::Error;

pub(crate) use binpack::first_chains;
pub use bullet::LooseBoard;
pub(crate) use chunks::{Chunks, Cut};

/// A format of training data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// bullet's boards: positions without games, colours and move numbers.
    Bullet,
    /// Stockfish's binpacks.
    Binpack,
    /// viridithas' games.
    Viri,
}

impl Format {
    /// All.
    pub const ALL: [Format; 3] = [Format::Bullet, Format::Binpack, Format::Viri];

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Bullet => "bullet",
            Format::Binpack => "binpack",
            Format::Viri => "viriformat",
        }
    }

    /// How files of this format are called.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Bullet => &["bullet", "data"],
            Format::Binpack => &["binpack"],
            Format::Viri => &["viri", "vf"],
        }
    }

    /// Whether it holds games, so that a game can count once.
    #[must_use]
    pub const fn has_games(self) -> bool {
        !matches!(self, Format::Bullet)
    }

    /// The format of a file by its name, compressed or not.
    #[must_use]
    pub fn of(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let plain = [".gz", ".zst", ".bz2"].iter().find_map(|packing| name.strip_suffix(packing)).unwrap_or(&name);
        let ending = plain.rsplit_once('.')?.1;
        Format::ALL.into_iter().find(|format| format.endings().contains(&ending))
    }
}

/// Where a game begins.
pub(crate) struct Start {
    /// As the file has it, not checked to be a position.
    pub setup: Setup,
    /// How the game ended.
    pub outcome: Outcome,
}

/// Receives the games, `begin`, `play`s and `end`, and the positions of a chunk.
pub(crate) trait Receive {
    /// A game begins: the position that it is played from, or `None` if there can be no such position.
    fn begin(&mut self, start: Start) -> Option<Chess>;
    /// Whether the moves of the game are wanted; if not, they may come none the less.
    fn wants_moves(&self) -> bool;
    /// A move, with the position before it and its evaluation there in the units of the file, for the side to move.
    fn play(&mut self, before: &Chess, played: Move, eval: Option<i16>);
    /// The game is over. `after` is where its moves led; `None` for games that [`begin`](Self::begin) has none for, and those
    /// whose moves are not wanted.
    fn end(&mut self, after: Option<&Chess>);
    /// A position without a game.
    fn board(&mut self, board: &LooseBoard);
}

/// What no file of this format can hold, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no {} at byte {at}: {cause}; the file is damaged, or of another format", .format.name())]
pub(crate) struct Damage {
    format: Format,
    /// Bytes of the unpacked file before it.
    at: u64,
    cause: &'static str,
}

/// Hands what a chunk holds to `receiver`. The chunk begins `offset` bytes into the unpacked file.
///
/// # Errors
///
/// At the first record that cannot be one; what stands before it has been handed over.
pub(crate) fn read<R: Receive>(format: Format, chunk: &[u8], offset: u64, receiver: &mut R) -> Result<(), Damage> {
    let read = match format {
        Format::Bullet => bullet::read(chunk, receiver),
        Format::Binpack => binpack::read(chunk, receiver),
        Format::Viri => viri::read(chunk, receiver),
    };
    read.map_err(|Wrong { at, cause }| Damage { format, at: offset + at as u64, cause })
}

/// A record of a chunk that cannot be one.
struct Wrong {
    /// Bytes of the chunk before it.
    at: usize,
    cause: &'static str,
}
