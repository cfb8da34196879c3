//! Files of drawish: written as a whole or not at all, recognised by their content, with the build and the inputs that made
//! them.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub mod identity;
mod kind;
mod lists;
pub mod outfile;
pub mod provenance;

pub use kind::{Kind, in_words, read_bounded, read_bounded_to};
pub use lists::entries;
