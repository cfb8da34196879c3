//! From bytes to games: opening files of every usual packing, cutting them into pieces at game boundaries, and
//! reading the games in a piece with the traps of real PGN files repaired.
//!
//! This room knows tags, moves in SAN and comments; it knows no positions. It is the only one that imports
//! `pgn_reader`.

mod borders;
mod chunk;
mod evals;
mod feed;
mod games;
mod in_order;
mod input;
mod problems;
mod semicolon;
mod tags;

pub use chunk::{Chunks, PortionBuffer};
pub use evals::{Eval, EvalValue, Style, View, Writer, eval_in_comment};
pub use feed::{Feed, Portion};
pub use games::{Anomalies, GameEnd, GameHandler, Interest, ResultToken, read_games};
pub use in_order::{Piece, read_in_order};
pub use input::{Input, InputError, OpenInput, Packing, expand_inputs, file_digest, has_pgn_name};
pub use problems::{BrokenInput, InputProblems};
pub use tags::{TagName, Tags};
