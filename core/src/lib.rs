//! The engine's side of `drawish`: from two pawn bitboards to what a draw table knows about the structure.
//!
//! # Scope
//!
//! What an engine runs inside its search, and nothing else: the [index schemes](index) that number pawn
//! structures, the [`DrawTable`] that is read in place from the bytes of a `.table` file, the units that
//! its values carry, and the [draw model](expect) that turns a win/loss score and a drawScore into one score.
//! Counting games, smoothing, fitting and writing tables is the work of the `drawish` package.
//! The crate is `no_std`, allocates nothing, has no dependency and no unsafe code.
//!
//! # Example
//!
//! The table is checked while the engine is compiled: a file that is cut, of another version or not a table
//! at all fails the build, not the game.
//!
//! ```
//! use drawish_core::{DrawTable, Pawns};
//!
//! static TABLE: DrawTable<'static> =
//!     DrawTable::embed(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pawns.table")));
//!
//! // White pawns a2 b2 c2, black pawns a7 b7 d7; a1 is bit 0.
//! let pawns = Pawns { white: 0x0700, black: 0x0b << 48 };
//! let cell = TABLE.cell(pawns);
//! let score = cell.scale.apply(120); // the engine's score in centipawns, pulled towards 0 where draws are likely
//! assert!(score > 100 && score < 140);
//! ```
//!
//! # Stability
//!
//! The number that a scheme gives to a structure and the layout of the `.table` file are part of this crate's
//! interface: they change only together with [`table::VERSION`] and a line in the changelog.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std; // the tests compare with f64

/// `drawish.h`: this crate in C and C++, one header for boards, features, heads and tables.
pub const C_HEADER: &str = include_str!("../include/drawish.h");

pub mod board;
mod bytes;
pub mod expect;
pub mod features;
pub mod head;
pub mod index;
pub mod pawns;
pub mod score;
pub mod table;

pub use board::{Board, BoardError, Color};
pub use head::{Heads, HeadsError};
pub use index::{Scheme, StructureIndex};
pub use pawns::Pawns;
pub use score::{Centipawns, DrawScore, Outcome, Probability, ScaleFactor, Wdl};
pub use table::{Cell, DrawTable, TableError};
