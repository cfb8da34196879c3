//! What an interrupted run of `collect` has left: counts with a shard for each input that it has finished, and what they do not hold.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Collect;
use crate::counts::CountsFile;
use crate::kept::{self, Finished, KeptError, OtherRun};
use crate::pgn::{Input, OddWords};
use crate::sample::GamesAgain;
use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::Digest;

const MAGIC: [u8; 8] = *b"DRAWCNP\0";

/// What is to be said of finished inputs.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Account {
    pub inputs: BTreeMap<Digest, InputAccount>,
    /// Of their counted games.
    pub repeats: GamesAgain,
}

/// What is to be said of a finished input.
#[derive(Serialize, Deserialize)]
pub(super) struct InputAccount {
    pub ends_whole: bool,
    pub odd_words: OddWords,
}

impl Account {
    /// What is kept, with these counts.
    pub fn to_bytes(&self, counts: &CountsFile) -> Vec<u8> {
        kept::to_bytes(MAGIC, self, &counts.to_bytes())
    }

    fn from_bytes(bytes: &[u8]) -> Result<(Account, CountsFile), Box<dyn Error + Send + Sync>> {
        let (account, counts) = kept::parts(MAGIC, bytes)?;
        Ok((account, CountsFile::from_bytes(counts)?))
    }
}

/// What an interrupted run has left.
pub(super) struct Resumed {
    pub file: CountsFile,
    pub account: Account,
    /// The finished inputs by their places.
    pub done: BTreeMap<PathBuf, Done>,
}

/// A finished input.
pub(super) struct Done {
    pub input: Input,
    pub digest: Digest,
}

impl Resumed {
    pub fn is_done(&self, input: &Input) -> bool {
        input.place().is_some_and(|place| self.done.contains_key(&place))
    }
}

/// Whether a file holds the state of a run, or counts, as earlier builds kept them.
fn is_state(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&CountsFile::MAGIC)
}

/// The state to begin with: that of an interrupted run of the same rule and inputs, or an empty one.
pub(super) fn resume(config: &Collect<'_>) -> Result<Resumed, KeptError> {
    let empty = CountsFile::new(config.rule.clone(), config.scheme);
    let bytes = kept::read(config.checkpoint.as_deref(), &config.inputs)?;
    let Some((bytes, path)) = bytes.filter(|bytes| !(config.fresh && is_state(bytes))).zip(config.checkpoint.as_ref())
    else {
        return Ok(Resumed { file: empty, account: Account::default(), done: BTreeMap::new() });
    };
    let unusable = |cause| KeptError::Checkpoint { path: path.clone(), cause };
    let (account, mut file) = Account::from_bytes(&bytes).map_err(unusable)?;
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
    let digests = file.shards.iter().map(|shard| Digest(shard.digest));
    let done = digests.zip(inputs).map(|(digest, (place, input))| (place, Done { input, digest })).collect();
    Ok(Resumed { file, account, done })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sample::Rule;

    /// Once nothing was said any more of what an interrupted run had found, and copies of its games were no copies.
    #[test]
    fn what_is_said_of_finished_inputs_is_said_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let game = |moves: &str| format!("[Event \"a\"]\n[Result \"1-0\"]\n\n1. {moves} 1-0\n\n");
        let put = |name: &str, text: String| {
            let path = directory.path().join(name);
            fs::write(&path, text).expect("a file");
            Input::File(path)
        };
        let first = put("a.pgn", [game("e2-e4 e5"), game("d4 d5"), "1. c4 c5".to_owned()].concat());
        let second = put("b.pgn", [game("Nf3"), game("d4 d5")].concat());
        let state = directory.path().join("x.counts.partial");
        let run = |inputs: [&Input; 2]| {
            let rule = Rule { min_moves: 0, ..Rule::of_positions() };
            let inputs = inputs.map(Clone::clone).into();
            Collect::new(inputs).rule(rule).checkpoint(&state).run().expect("a run")
        };
        let whole = run([&first, &second]);
        let said = whole.problems.lines("counted");
        assert_eq!((whole.repeats.games.games(), said.len()), (1, 2), "{said:?}");
        fs::remove_file(&state).expect("a state");
        // What is kept is written before another input, which need not be there.
        run([&first, &Input::File(directory.path().join("none"))]);
        let resumed = run([&first, &second]);
        assert_eq!((resumed.resumed, resumed.problems.lines("counted")), (1, said));
        assert_eq!((resumed.file, resumed.repeats), (whole.file, whole.repeats));
    }
}
