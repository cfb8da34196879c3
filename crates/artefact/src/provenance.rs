//! Which build made a file.

use std::sync::OnceLock;

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Sets the commit that [`made_by`] names. A program calls it once, when it starts; only the first call counts.
///
/// The commit comes from the program, not from this crate, so that a new commit rebuilds the program and nothing else.
pub fn set_commit(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

/// Name, version and commit, as in `drawish 0.1.0 (git 0123456789ab)`; the commit is `unknown` where no program has set it.
#[must_use]
pub fn made_by() -> String {
    format!("drawish {} (git {})", env!("CARGO_PKG_VERSION"), COMMIT.get().unwrap_or(&"unknown"))
}

/// An input from which a file was made.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct InputProvenance {
    /// The name of the file.
    pub name: String,
    /// XXH3-128 of the file, packed as it is, in hexadecimal digits.
    pub xxh3_128: String,
    /// Games read.
    pub games: u64,
    /// Games with rows.
    pub counted: u64,
}
