//! Outputs against inputs, before any work: the one place that compares them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{check_writable, directory_of, is_special, target};

/// Why files cannot be written as asked.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum OutputError {
    #[error("{path} is an input and would be overwritten", path = path.display())]
    IsInput { path: PathBuf },
    #[error("{path} is named for two outputs, of which only the last would stay", path = path.display())]
    Twice { path: PathBuf },
    #[error("{path} cannot be written", path = path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Makes sure, before the work, that each output can be written, is none of the inputs, and is named once. `inputs` is everything
/// that the work reads.
///
/// # Errors
///
/// See [`OutputError`].
pub fn check_outputs<O: AsRef<Path>, I: AsRef<Path>>(
    outputs: impl IntoIterator<Item = O>,
    inputs: impl IntoIterator<Item = I>,
) -> Result<(), OutputError> {
    let inputs: HashSet<PathBuf> = inputs.into_iter().filter_map(|input| place_of(input.as_ref())).collect();
    let mut named = HashSet::new();
    for output in outputs {
        let path = output.as_ref();
        let place = place_of(path);
        if place.as_ref().is_some_and(|place| inputs.contains(place)) {
            return Err(OutputError::IsInput { path: path.to_owned() });
        }
        check_writable(path).map_err(|source| OutputError::Write { path: path.to_owned(), source })?;
        // Devices and pipes take any number of outputs.
        if place.is_some_and(|place| !is_special(path) && !named.insert(place)) {
            return Err(OutputError::Twice { path: path.to_owned() });
        }
    }
    Ok(())
}

/// Two of what is named lead to one file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{one} and {other} both name {path}: each needs a file of its own", path = path.display())]
pub struct NamedTwice {
    /// What named it first, such as an option.
    pub one: &'static str,
    /// What named it again.
    pub other: &'static str,
    /// By which path.
    pub path: PathBuf,
}

/// Makes sure that no two of these lead to the same file, which need not exist yet: each with what names it, such as an option.
///
/// # Errors
///
/// The first two that do.
pub fn check_named<'a>(named: impl IntoIterator<Item = (&'static str, &'a PathBuf)>) -> Result<(), NamedTwice> {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let mut before: Vec<(&'static str, &PathBuf, Option<PathBuf>)> = Vec::new();
    for (other, path) in named {
        let own = real(path);
        let is_same = |(_, known, its): &&(&'static str, &PathBuf, Option<PathBuf>)| {
            *known == path || (own.is_some() && *its == own)
        };
        if let Some(&(one, ..)) = before.iter().find(is_same) {
            return Err(NamedTwice { one, other, path: path.clone() });
        }
        before.push((other, path, own));
    }
    Ok(())
}

/// What tells a file from all others, also one that is not there yet; `None` for a path that leads nowhere.
fn place_of(path: &Path) -> Option<PathBuf> {
    let path = target(path).ok()?;
    match fs::canonicalize(&path) {
        Ok(place) => Some(place),
        Err(_) => Some(fs::canonicalize(directory_of(&path)).ok()?.join(path.file_name()?)),
    }
}
