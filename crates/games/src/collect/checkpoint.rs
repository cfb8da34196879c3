//! What an interrupted run of `collect` has left: counts with a shard for each input that it has finished.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Collect;
use crate::counts::CountsFile;
use crate::kept::{self, Finished, KeptError, OtherRun};
use crate::pgn::{self, Input};
use drawish_artefact::identity::Difference;

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
pub(super) fn resume(config: &Collect<'_>) -> Result<Resumed, KeptError> {
    let empty = CountsFile::new(config.rule.clone(), config.scheme);
    let bytes = kept::read(config.checkpoint.as_deref(), &config.inputs)?;
    let Some((bytes, path)) =
        bytes.filter(|bytes| !(config.fresh && bytes.starts_with(&CountsFile::MAGIC))).zip(config.checkpoint.as_ref())
    else {
        return Ok(Resumed { file: empty, done: BTreeMap::new() });
    };
    let unusable = |cause| KeptError::Checkpoint { path: path.clone(), cause: Box::new(cause) };
    let mut file = CountsFile::from_bytes(&bytes).map_err(unusable)?;
    // What could not be opened has given nothing, and is tried again.
    file.shards.retain(|shard| shard.broken.is_none() || shard.tally.games() > 0);
    let other_run = |difference| KeptError::OtherRun { path: path.clone(), difference };
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
    let finished =
        file.shards.iter().map(|shard| Finished { name: &shard.name, digest: shard.digest, bytes: shard.file_bytes });
    let inputs = kept::inputs_of(finished, &config.inputs).map_err(other_run)?;
    let done = file.shards.iter().zip(inputs).map(|(shard, (place, input))| {
        let ends_whole = shard.broken.is_some() || pgn::text_ends_whole(&input);
        (place, Done { input, digest: shard.digest, ends_whole })
    });
    let done = done.collect();
    Ok(Resumed { file, done })
}
