//! Files of drawish: written as a whole or not at all, recognised by their content, with the build and the inputs that made
//! them.

pub mod identity;
mod kind;
mod lists;
pub mod outfile;
pub mod provenance;

pub use kind::{Kind, in_words, read_bounded, read_bounded_to};
pub use lists::entries;
