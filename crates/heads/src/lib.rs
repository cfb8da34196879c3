//! Features of chess positions and the heads fitted to them: what fitting and playing share.

pub mod features;
pub mod heads;
