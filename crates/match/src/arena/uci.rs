//! Engines in processes of their own, by the Universal Chess Interface.

mod engine;
pub mod line;
mod process;

pub(super) use engine::CHESS960;
pub use engine::{EngineSpec, UciPlayer};
pub(super) use line::printable;
pub use process::Watchdog;
