//! What Stockfish's sources say about its evaluations, from a git clone.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::fit::Normalization;
use drawish_stats::model::wdl::Mom;

/// A git clone of Stockfish.
#[derive(Clone, Debug)]
pub struct Stockfish {
    clone: PathBuf,
}

/// Some revisions of Stockfish that show evaluations by the same normalization.
#[derive(Clone, PartialEq, Debug)]
pub struct Revisions {
    /// Their names, from the last to the first.
    pub names: Vec<String>,
    /// The normalization of all of them.
    pub normalization: Normalization,
}

/// Why a clone does not tell what was asked.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum StockfishError {
    #[error("git cannot be run ({0}); install it")]
    NoGit(io::Error),
    #[error("git {command} in {clone}: {said}", clone = clone.display())]
    Git { command: String, clone: PathBuf, said: String },
    #[error("{clone}: no revisions from {first} to {last}", clone = clone.display())]
    NoRevisions { clone: PathBuf, first: String, last: String },
    #[error(
        "revision {revision} has another normalization than {first}: {found} instead of {expected}; choose a range in which it does not change"
    )]
    Differs { revision: String, first: String, found: Box<Normalization>, expected: Box<Normalization> },
    #[error(
        "{clone} at {revision}: no NormalizeToPawnValue in src/uci.h or src/uci.cpp and no as[] with its clamp in src/uci.cpp",
        clone = clone.display()
    )]
    NoNormalization { clone: PathBuf, revision: String },
}

impl Stockfish {
    /// The clone in this directory; nothing is read yet.
    #[must_use]
    pub fn new(clone: &Path) -> Stockfish {
        Stockfish { clone: clone.to_owned() }
    }

    /// The revisions from the first to the last, both included, if they share a normalization.
    ///
    /// # Errors
    ///
    /// If git fails, or there is no revision, or one has another normalization or none.
    pub fn revisions(&self, first: &str, last: &str) -> Result<Revisions, StockfishError> {
        let names = self.git(&["rev-list", &format!("{first}^..{last}")])?;
        let names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        if names.is_empty() {
            let (clone, first, last) = (self.clone.clone(), first.to_owned(), last.to_owned());
            return Err(StockfishError::NoRevisions { clone, first, last });
        }
        let normalization = self.normalization(first)?;
        for revision in &names {
            let found = self.normalization(revision)?;
            if found != normalization {
                return Err(StockfishError::Differs {
                    revision: revision.clone(),
                    first: first.to_owned(),
                    found: Box::new(found),
                    expected: Box::new(normalization),
                });
            }
        }
        Ok(Revisions { names, normalization })
    }

    /// The normalization in the sources of a revision.
    ///
    /// # Errors
    ///
    /// If git fails, or the sources have none of a known form.
    pub fn normalization(&self, revision: &str) -> Result<Normalization, StockfishError> {
        // The header has gone with the constant in it.
        let header = self.git(&["show", &format!("{revision}:src/uci.h")]).unwrap_or_default();
        let source = self.git(&["show", &format!("{revision}:src/uci.cpp")])?;
        Normalization::of_sources(&header, &source)
            .ok_or_else(|| StockfishError::NoNormalization { clone: self.clone.clone(), revision: revision.to_owned() })
    }

    fn git(&self, words: &[&str]) -> Result<String, StockfishError> {
        let run = Command::new("git").arg("-C").arg(&self.clone).args(words).output().map_err(StockfishError::NoGit)?;
        if run.status.success() {
            return Ok(String::from_utf8_lossy(&run.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        Err(StockfishError::Git { command: words.join(" "), clone: self.clone.clone(), said })
    }
}

impl Revisions {
    /// A regular expression that matches names of engines, and values of metadata, that end in one of them.
    #[must_use]
    pub fn pattern(&self) -> String {
        let each: Vec<_> = self.names.iter().map(|name| format!(".*{name}")).collect();
        each.join("|")
    }
}

impl Normalization {
    /// What Stockfish's `uci.h` and `uci.cpp` say: a constant pawn value, or the limits and coefficients of p_a.
    #[must_use]
    pub fn of_sources(header: &str, source: &str) -> Option<Normalization> {
        let after = |text: &str, mark: &str| text.split_once(mark).map(|(_, rest)| rest.trim_start().to_owned());
        let constants = [header, source].into_iter().filter_map(|text| after(text, "NormalizeToPawnValue ="));
        let digits = |text: String| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        if let Some(value) = constants.filter_map(|rest| digits(rest).parse().ok()).next() {
            return Some(Normalization::Static(value));
        }
        // double m = std::clamp(material, 17, 78) / 58.0;
        let clamp = after(source, "std::clamp(material,")?;
        let (limits, rest) = clamp.split_once(')')?;
        let (min, max) = limits.split_once(',')?;
        let target: String = after(rest, "/")?.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let list = after(source, "as[] = {")?;
        let (list, _) = list.split_once('}')?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let coefficients: Vec<f64> = list.split(',').map(number).collect::<Option<_>>()?;
        let a = <[f64; 4]>::try_from(coefficients).ok()?;
        let (min, max, target) = (number(min)?, number(max)?, number(&target)?);
        Some(Normalization::Dynamic { mom: Mom::Material, min, max, target, a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizations_of_each_time() {
        let header = "const int NormalizeToPawnValue = 328;\n";
        assert_eq!(Normalization::of_sources(header, ""), Some(Normalization::Static(328.0)));
        let source = "constexpr int  NormalizeToPawnValue = 345;";
        assert_eq!(Normalization::of_sources("", source), Some(Normalization::Static(345.0)));
        let dynamic = "double m = std::clamp(material, 17, 78) / 58.0;\n\n    constexpr double as[] = {-72.32565836, 185.93832038, -144.58862193, 416.44950446};\n";
        assert_eq!(Normalization::of_sources("", dynamic), Some(Normalization::DEFAULT));
        assert_eq!(Normalization::of_sources("", "nothing of it"), None);
    }
}
