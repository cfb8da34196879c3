//! The state of a run over many inputs, kept in a file from which a later run goes on.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use drawish_artefact::identity::Difference;
use drawish_artefact::outfile;
use drawish_core::Scheme;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::pgn::Input;

/// Where the state of a run that will write `output` is kept.
#[must_use]
pub fn partial_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// The same of a run with these inputs, if it can be resumed: what came through a pipe cannot be had again, and beside what is no
/// file nothing is kept.
#[must_use]
pub fn partial_path_for(output: &Path, inputs: &[Input]) -> Option<PathBuf> {
    let is_file = fs::metadata(output).map_or(true, |found| found.is_file());
    (is_file && !inputs.contains(&Input::Stdin)).then(|| partial_path(output))
}

/// Removes the state when the results are written, if there is any.
///
/// # Errors
///
/// Those of removing the file.
pub fn forget(path: &Path) -> Result<(), KeptError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(KeptError::Remove { path: path.to_owned(), cause })
        }
        _ => Ok(()),
    }
}

/// Why the state of an interrupted run cannot be used, or that of this one cannot be kept.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum KeptError {
    #[error("{path} is in the way: it should be what an interrupted run has left, but: {cause}", path = path.display())]
    Checkpoint { path: PathBuf, cause: Box<dyn Error + Send + Sync> },
    #[error("{path} is the state of a run, interrupted or still going on, that {difference}", path = path.display())]
    OtherRun { path: PathBuf, difference: OtherRun },
    #[error("the state of the run cannot be kept in {path}: {cause}", path = path.display())]
    Keep { path: PathBuf, cause: io::Error },
    #[error("{path} is left over and cannot be removed: {cause}", path = path.display())]
    Remove { path: PathBuf, cause: io::Error },
    #[error("{path} is an input and would be overwritten", path = path.display())]
    InputIsOutput { path: PathBuf },
}

/// In what an interrupted run was another one.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum OtherRun {
    #[error("was made by {}", .0.join(", "))]
    Build(Vec<String>),
    #[error("counted in the scheme {found}, not in {expected}")]
    Scheme { expected: Scheme, found: Scheme },
    #[error("had another rule ({0})")]
    Rule(Difference),
    #[error("had read {0}, which is not among the inputs or has changed")]
    Input(String),
}

/// The bytes of the state that is kept there, if there is one.
pub(crate) fn read(path: Option<&Path>, inputs: &[Input]) -> Result<Option<Vec<u8>>, KeptError> {
    let Some(path) = path else { return Ok(None) };
    if inputs.iter().any(|input| input.is_same_file(path)) {
        return Err(KeptError::InputIsOutput { path: path.to_owned() });
    }
    match fs::read(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|cause| KeptError::Checkpoint { path: path.to_owned(), cause: cause.into() }),
    }
}

/// A state: what begins it, the length of the account and its CRC-32 as little-endian numbers of four bytes, the account as JSON, the
/// counts. It is read by the build that has written it alone.
pub(crate) fn to_bytes(magic: [u8; 8], account: &impl Serialize, counts: &[u8]) -> Vec<u8> {
    let account = serde_json::to_vec(account).expect("strings and numbers are JSON");
    let length = u32::try_from(account.len()).expect("four billion bytes are room for every list of inputs");
    let crc = crc32fast::hash(&account);
    [&magic[..], &length.to_le_bytes(), &crc.to_le_bytes(), &account, counts].concat()
}

/// The account and the counts of a state.
pub(crate) fn parts<A: DeserializeOwned>(
    magic: [u8; 8],
    bytes: &[u8],
) -> Result<(A, &[u8]), Box<dyn Error + Send + Sync>> {
    let rest = bytes.strip_prefix(&magic).ok_or("it was not written by this verb, or by another version of it")?;
    let (length, rest) = rest.split_first_chunk().ok_or("it is cut short")?;
    let (crc, rest) = rest.split_first_chunk().ok_or("it is cut short")?;
    let length = usize::try_from(u32::from_le_bytes(*length))?;
    let (account, counts) = rest.split_at_checked(length).ok_or("it is cut short")?;
    if crc32fast::hash(account) != u32::from_le_bytes(*crc) {
        return Err("its checksum is wrong".into());
    }
    Ok((serde_json::from_slice(account)?, counts))
}

/// What is known of an input that an interrupted run has finished.
pub(crate) struct Finished<'a> {
    pub name: &'a str,
    pub digest: u128,
    pub bytes: u64,
}

/// The inputs that an interrupted run has finished, each with its place, known by their bytes; an error says which of them is no input
/// any more.
pub(crate) fn inputs_of<'a>(
    finished: impl Iterator<Item = Finished<'a>>,
    inputs: &[Input],
) -> Result<Vec<(PathBuf, Input)>, OtherRun> {
    let mut inputs_by_size: HashMap<u64, Vec<(PathBuf, &Input)>> = HashMap::new();
    for input in inputs {
        if let (Some(place), Some(len)) = (input.place(), input.len()) {
            inputs_by_size.entry(len).or_default().push((place, input));
        }
    }
    let take = |Finished { name, digest, bytes }: Finished<'_>| {
        let same_size = inputs_by_size.entry(bytes).or_default();
        let same = same_size
            .iter()
            .position(|(_, input)| input.name() == name && input.digest().is_some_and(|(found, _)| found == digest));
        let at = same.ok_or_else(|| OtherRun::Input(name.to_owned()))?;
        let (place, input) = same_size.swap_remove(at);
        Ok((place, input.clone()))
    };
    finished.map(take).collect()
}

/// Writes the state into a file, often enough to lose little and seldom enough to cost little.
pub(crate) struct Keeper {
    path: PathBuf,
    last: Option<Instant>,
    cost: Duration,
}

impl Keeper {
    pub fn new(path: PathBuf) -> Self {
        Keeper { path, last: None, cost: Duration::ZERO }
    }

    /// Keeps this state, unless keeping would take more than a twentieth of the run's time.
    pub fn keep(&mut self, state: impl FnOnce() -> Vec<u8>) -> Result<(), KeptError> {
        if self.last.is_some_and(|last| last.elapsed() < 20 * self.cost) {
            return Ok(());
        }
        let begin = Instant::now();
        outfile::write_whole(&self.path, &state())
            .map_err(|cause| KeptError::Keep { path: self.path.clone(), cause })?;
        self.cost = begin.elapsed();
        self.last = Some(Instant::now());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is written where writing took long, a short while ago.
    #[test]
    fn the_state_is_kept_seldom_where_keeping_is_dear() {
        let place = tempfile::TempDir::new().expect("a directory");
        let path = place.path().join("state");
        let content = || fs::read_to_string(&path).expect("a state");
        let mut keeper = Keeper::new(path.clone());
        keeper.keep(|| b"first".to_vec()).expect("a state");
        assert_eq!(content(), "first");
        // An hour of writing asks for twenty of reading.
        keeper.cost = Duration::from_secs(3600);
        keeper.keep(|| panic!("nothing is to be made")).expect("nothing to do");
        keeper.last = Instant::now().checked_sub(Duration::from_secs(60)).or(keeper.last);
        keeper.keep(|| panic!("nothing is to be made")).expect("nothing to do");
        assert_eq!(content(), "first");
        keeper.cost = Duration::ZERO;
        keeper.keep(|| b"second".to_vec()).expect("a state");
        assert_eq!(content(), "second");
        assert!(keeper.last.is_some_and(|last| last.elapsed() < Duration::from_secs(60)));
    }
}
