//! Keeping the state of a run after each finished input, and going on from it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Collect, CollectError, OtherRun};
use crate::counts::CountsFile;
use crate::pgn::{self, Input};
use drawish_artefact::identity::Difference;
use drawish_artefact::outfile;

/// Where the state of a run that will write `output` is kept.
#[must_use]
pub fn partial_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// Writes the state into a file, often enough to lose little and seldom enough to cost little.
pub(super) struct Checkpoint {
    path: PathBuf,
    dedupe: bool,
    last: Option<Instant>,
    cost: Duration,
}

impl Checkpoint {
    pub fn new(path: PathBuf, dedupe: bool) -> Self {
        Checkpoint { path, dedupe, last: None, cost: Duration::ZERO }
    }

    /// Keeps this state, unless keeping would take more than a twentieth of the run's time.
    pub fn keep(&mut self, file: &CountsFile, seen: &HashSet<u64>) -> Result<(), CollectError> {
        if self.last.is_some_and(|last| last.elapsed() < 20 * self.cost) {
            return Ok(());
        }
        let begin = Instant::now();
        let bytes = if self.dedupe {
            let mut with_seen = file.clone();
            with_seen.seen = seen.iter().copied().collect();
            with_seen.seen.sort_unstable();
            with_seen.to_bytes()
        } else {
            file.to_bytes()
        };
        outfile::write_whole(&self.path, &bytes)
            .map_err(|cause| CollectError::Keep { path: self.path.clone(), cause })?;
        self.cost = begin.elapsed();
        self.last = Some(Instant::now());
        Ok(())
    }
}

/// What an interrupted run has left.
pub(super) struct Resumed {
    pub file: CountsFile,
    /// The finished inputs by their places.
    pub done: BTreeMap<PathBuf, Done>,
}

/// A finished input.
pub(super) struct Done {
    pub input: Input,
    pub digest: u128,
    /// See [`ReadInput::ends_whole`](crate::pgn::ReadInput::ends_whole). Counts do not say it, so the text is looked at again.
    pub ends_whole: bool,
}

impl Resumed {
    pub fn is_done(&self, input: &Input) -> bool {
        input.place().is_some_and(|place| self.done.contains_key(&place))
    }
}

/// The state to begin with: that of an interrupted run of the same rule and inputs, or an empty one.
pub(super) fn resume(config: &Collect<'_>) -> Result<Resumed, CollectError> {
    let empty = CountsFile::new(config.rule.clone(), config.scheme);
    let Some(path) = config.checkpoint.as_ref().filter(|path| path.exists()) else {
        return Ok(Resumed { file: empty, done: BTreeMap::new() });
    };
    let unusable = |cause| CollectError::Checkpoint { path: path.clone(), cause };
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|error| unusable(error.into()))?;
    if config.fresh && bytes.starts_with(&CountsFile::MAGIC) {
        return Ok(Resumed { file: empty, done: BTreeMap::new() });
    }
    let mut file = CountsFile::from_bytes(&bytes).map_err(unusable)?;
    // What could not be opened has given nothing, and is tried again.
    file.shards.retain(|shard| shard.broken.is_none() || shard.tally.games() > 0);
    let other_run = |difference| CollectError::OtherRun { path: path.clone(), difference };
    let (expected, found) = (config.scheme, file.counts.scheme());
    if file.made_by != empty.made_by {
        return Err(other_run(OtherRun::Build(file.made_by)));
    }
    if found != expected {
        return Err(other_run(OtherRun::Scheme { expected, found }));
    }
    if let Some(difference) = Difference::between(&empty.rule, &file.rule) {
        return Err(other_run(OtherRun::Rule(difference)));
    }
    let done = finished_inputs(config, &file).map_err(other_run)?;
    Ok(Resumed { file, done })
}

/// Which inputs stand among the shards, known by their bytes; an error says which shard has no input any more.
fn finished_inputs(config: &Collect<'_>, file: &CountsFile) -> Result<BTreeMap<PathBuf, Done>, OtherRun> {
    let mut inputs_by_size: HashMap<u64, Vec<(PathBuf, &Input)>> = HashMap::new();
    for input in &config.inputs {
        if let (Some(place), Some(len)) = (input.place(), input.len()) {
            inputs_by_size.entry(len).or_default().push((place, input));
        }
    }
    let mut done = BTreeMap::new();
    for shard in &file.shards {
        let same_size = inputs_by_size.get(&shard.file_bytes).map_or(&[][..], Vec::as_slice);
        let same = same_size.iter().filter(|(_, input)| input.name() == shard.name).find(|(place, input)| {
            !done.contains_key(place) && input.digest().is_some_and(|(found, _)| found == shard.digest)
        });
        match same {
            Some((place, input)) => {
                let ends_whole = shard.broken.is_some() || pgn::text_ends_whole(input);
                let input = (*input).clone();
                done.insert(place.clone(), Done { input, digest: shard.digest, ends_whole })
            }
            None => return Err(OtherRun::Input(shard.name.clone())),
        };
    }
    Ok(done)
}
