//! What the ending of an output's name asks for: a format of the library, or Parquet, for which a build needs data frames.

use std::path::Path;

use anyhow::Result;

/// The format of an output.
pub(super) enum Target<F> {
    Own(F),
    #[cfg(feature = "frames")]
    Parquet,
}

impl<F> Target<F> {
    /// The format of this name; `own` reads what does not end in `.parquet`, `instead` are the endings that every build writes.
    #[cfg_attr(feature = "frames", expect(unused_variables, reason = "builds with data frames refuse no Parquet"))]
    pub(super) fn of(path: &Path, instead: &str, own: impl FnOnce(&Path) -> Result<F>) -> Result<Target<F>> {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
            return own(path).map(Target::Own);
        }
        #[cfg(feature = "frames")]
        return Ok(Target::Parquet);
        #[cfg(not(feature = "frames"))]
        anyhow::bail!(
            "{}: this drawish was built without the feature `frames`, which Parquet needs; write {instead} instead",
            path.display()
        );
    }
}
