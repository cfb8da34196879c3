//! `--sprt elo0=0 elo1=5`: a test in words.

use anyhow::{Result, anyhow};

use drawish::stats::{Sprt, SprtWordsError};

/// The test of `--sprt elo0= elo1= ...`; none without words and by `none`.
pub(in crate::cli) fn sprt(words: &[String]) -> Result<Option<Sprt>> {
    if words.is_empty() || words == ["none"] {
        return Ok(None);
    }
    let sprt = Sprt::from_words(words.iter().map(String::as_str)).map_err(|error| match error {
        SprtWordsError::Sprt(error) => error.into(),
        error => anyhow!("--sprt {error}"),
    });
    sprt.map(Some)
}
