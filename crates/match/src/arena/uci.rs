//! Engines in processes of their own, by the Universal Chess Interface.

mod engine;
mod engine_log;
pub mod line;
mod named;
mod ponder;
mod process;
mod program;
mod question;

pub(super) use engine::{CHESS960, PONDER};
pub use engine::{EngineSpec, UciPlayer};
pub use engine_log::{EngineLog, OnFailure};
pub(super) use line::printable;
pub use process::Watchdog;
pub(crate) use program::EngineFiles;
