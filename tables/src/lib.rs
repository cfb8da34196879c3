//! The shipped tables and heads as bytes, for engines that do not make their own: from games of masters (`human`), of the Top Chess
//! Engine Championship (`tcec`) and of one family of engines (`rival`).
//!
//! ```
//! use drawish_core::{Board, DrawTable, Heads};
//!
//! static TABLE: DrawTable<'static> = DrawTable::embed(drawish_tables::HUMAN_TABLE);
//! static HEADS: Heads<'static> = Heads::embed(drawish_tables::POOLED_HEADS);
//!
//! let board = Board::from_fen("8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60")?;
//! assert!(TABLE.cell(board.pawns()).probability.to_f64() > 0.3);
//! assert!(HEADS.draw_score(&board).is_some());
//! # Ok::<(), drawish_core::board::BoardError>(())
//! ```
//!
//! What they were counted and fitted from, and how far to trust them, is in the README of this crate. They are free of rights (CC0).

#![no_std]

/// Draw probabilities of the 4,096 structures, from 65,106 games of masters.
pub const HUMAN_TABLE: &[u8] = include_bytes!("../human.table");
/// The same from 9,671 games of TCEC.
pub const TCEC_TABLE: &[u8] = include_bytes!("../tcec.table");
/// The same from 21,961 games of Rusty Rival.
pub const RIVAL_TABLE: &[u8] = include_bytes!("../rival.table");

/// Draw head and gain head of the games of masters.
pub const HUMAN_HEADS: &[u8] = include_bytes!("../human.heads");
/// Draw head and gain head of the games of TCEC.
pub const TCEC_HEADS: &[u8] = include_bytes!("../tcec.heads");
/// Draw head and gain head of the games of Rusty Rival.
pub const RIVAL_HEADS: &[u8] = include_bytes!("../rival.heads");
/// Draw head and gain head of all three.
pub const POOLED_HEADS: &[u8] = include_bytes!("../pooled.heads");
/// The WDL head for the evaluations of the engine of drawish.
pub const DRAWISH_WDL: &[u8] = include_bytes!("../drawish.heads");

/// [`HUMAN_HEADS`] as text, with the standard error of each weight and the digests of the games.
pub const HUMAN_HEADS_TEXT: &str = include_str!("../human.heads.toml");
/// [`TCEC_HEADS`] as text.
pub const TCEC_HEADS_TEXT: &str = include_str!("../tcec.heads.toml");
/// [`RIVAL_HEADS`] as text.
pub const RIVAL_HEADS_TEXT: &str = include_str!("../rival.heads.toml");
/// [`POOLED_HEADS`] as text.
pub const POOLED_HEADS_TEXT: &str = include_str!("../pooled.heads.toml");
/// The counts that [`HUMAN_TABLE`] was made of.
pub const HUMAN_COUNTS: &[u8] = include_bytes!("../human.counts");

/// What is shipped for programs to read, by the names of the files.
pub const SHIPPED: [(&str, &[u8]); 9] = [
    ("human.table", HUMAN_TABLE),
    ("tcec.table", TCEC_TABLE),
    ("rival.table", RIVAL_TABLE),
    ("human.heads", HUMAN_HEADS),
    ("tcec.heads", TCEC_HEADS),
    ("rival.heads", RIVAL_HEADS),
    ("pooled.heads", POOLED_HEADS),
    ("drawish.heads", DRAWISH_WDL),
    ("human.counts", HUMAN_COUNTS),
];
