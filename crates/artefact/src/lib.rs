//! Files of drawish: written as a whole or not at all, with the build that made them.

pub mod outfile;
pub mod provenance;
