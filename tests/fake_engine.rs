//! Engines that behave well or badly, for the matches of other tests: the program `fake-engine` in `tests/fake_engine/`, which
//! cargo builds for tests alone.

mod choose;

pub use choose::choose;

/// Set for the players of a match, which the program no longer asks for.
pub const VARIABLE: &str = "DRAWISH_TEST_ENGINE";

/// `--engine` words for the engine that behaves like this.
pub fn engine(behaviour: &str, name: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_fake-engine");
    vec!["--engine".to_owned(), format!("cmd={program}"), format!("args={behaviour}"), format!("name={name}")]
}
