//! Engines in processes of their own, by the Universal Chess Interface.

mod engine;
mod line;
mod process;

pub use engine::{EngineSpec, UciPlayer};
pub use process::Watchdog;
