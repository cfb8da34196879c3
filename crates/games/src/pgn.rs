//! From bytes to games: opening files of every usual packing, cutting them into chunks of whole games, and
//! reading the games in a chunk with the traps of real PGN files repaired.
//!
//! This room knows tags, moves in SAN, comments and where games begin; what happens on the board is for others. It is the
//! only one that imports `pgn_reader`.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod archive;
mod borders;
mod chunk;
mod coded;
mod comments;
mod endings;
mod engines;
mod evals;
mod expand;
mod feed;
mod foreign;
mod games;
mod handler;
mod input;
mod lucas_chess;
mod named;
mod odd_words;
mod pattern;
mod prefix;
mod problems;
mod promotions;
mod reading;
mod repeats;
mod semicolon;
mod signs;
mod slice;
mod start;
mod tag_pair;
mod tag_value;
mod tags;
mod unquoted;
mod within_line;

pub use archive::Member;
pub(crate) use borders::{
    NextBrace, begins_again, begins_with_first_move, first_game_within, is_separated, line_ends, tags_above,
};
pub use chunk::{ChunkBuffer, Chunks};
pub use engines::Engines;
pub use evals::{Eval, EvalDoubts, EvalReader, EvalValue, Style, View, Writer, eval_in_comment};
pub use expand::{InputError, expand_inputs, files_in, has_name_of_no_counts};
pub use games::read_games;
pub use handler::{Anomalies, GameEnd, GameHandler, Interest, ReadGame, ResultToken};
pub use input::{Input, OpenInput, Packing, file_digest};
pub(crate) use named::named;
pub use odd_words::OddWords;
pub use pattern::{Pattern, PatternError};
pub(crate) use problems::InputEnding;
pub use problems::{BrokenInput, InputProblems};
pub use reading::{Account, Progress, ReadInput, Step, read_in_order};
pub use repeats::Repeats;
pub(crate) use repeats::{mixed, rank_of_event};
pub use start::{Variant, VariantChoice, castling_of, fen_of, position_of, setup_of};
pub(crate) use start::{black_begins, start_epd, start_fen};
pub(crate) use tag_pair::{TagPair, heads_tags, is_of_game, is_of_next_game, tag_pair};
pub(crate) use tag_value::on_line;
pub(crate) use tags::is_dash;
pub use tags::{ResultTag, TagName, Tags, tag_text};
pub(crate) use unquoted::unquoted_pair;
