//! Which build of this program made a file.

/// Name, version and commit, as in `drawish 0.1.0 (git 0123456789ab)`.
#[must_use]
pub fn made_by() -> String {
    format!("drawish {} (git {})", env!("CARGO_PKG_VERSION"), env!("DRAWISH_GIT"))
}
