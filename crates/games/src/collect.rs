//! The run that turns files into counts: threads take portions from one feed, and what they find is put together
//! in the order of the input, so that the number of threads changes nothing.
//!
//! After every finished file the state so far can be kept, and a later run goes on from it.

mod assemble;
mod checkpoint;

use std::num::NonZero;
use std::path::PathBuf;

use drawish_core::Scheme;
use thiserror::Error;

use crate::counts::{CountsError, CountsFile};
use crate::pgn::{Input, InputProblems, Piece, read_in_order};
use crate::sample::{Batch, Rule, Sampler};
use assemble::Assembly;
pub use checkpoint::partial_path;
use checkpoint::{Checkpoint, resume};

/// What to collect, and how.
pub struct Config {
    /// The inputs, as [`expand_inputs`](crate::pgn::expand_inputs) gives them.
    pub inputs: Vec<Input>,
    /// Which positions count.
    pub rule: Rule,
    /// How structures are numbered.
    pub scheme: Scheme,
    /// How many threads parse, as far as the system allows that many.
    pub threads: NonZero<usize>,
    /// The file that keeps the state after each finished input; none for a run that cannot be resumed.
    pub checkpoint: Option<PathBuf>,
    /// Begin anew even if the checkpoint file is there.
    pub fresh: bool,
}

/// What a run has found.
pub struct Collected {
    /// The counts, with a shard for each input.
    pub file: CountsFile,
    /// What must be told of single inputs.
    pub problems: InputProblems,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
}

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum CollectError {
    #[error("{path} is in the way: it should be what an interrupted run has left, but: {cause}; remove it or choose another -o", path = path.display())]
    Checkpoint { path: PathBuf, cause: CountsError },
    #[error("{path} was left by an interrupted run that {difference}; --fresh begins anew", path = path.display())]
    OtherRun { path: PathBuf, difference: String },
    #[error("the state of the run cannot be kept in {path}: {cause}", path = path.display())]
    Keep { path: PathBuf, cause: std::io::Error },
    #[error("{path} is an input and would be overwritten; choose another place for -o", path = path.display())]
    InputIsOutput { path: PathBuf },
}

/// How far a run has come: called after each portion with the bytes of files read and the games found so far.
pub type Progress<'a> = dyn Fn(u64, u64) + Sync + 'a;

/// Reads all inputs.
///
/// An input that breaks in the middle does not end the run: see [`InputProblems::broken`].
///
/// # Errors
///
/// Only if the state of an interrupted run cannot be used, or that of this one cannot be kept.
pub fn collect(config: &Config, progress: &Progress<'_>) -> Result<Collected, CollectError> {
    let inputs = || config.inputs.iter();
    if let Some(path) = &config.checkpoint
        && inputs().any(|input| input.is_same_file(path))
    {
        return Err(CollectError::InputIsOutput { path: path.clone() });
    }
    let resumed = resume(config)?;
    let remaining: Vec<Input> = inputs().filter(|input| !resumed.is_done(input)).cloned().collect();
    let checkpoint = config.checkpoint.clone().map(|path| Checkpoint::new(path, config.rule.dedupe));
    let mut assembly = Assembly::new(resumed, remaining.clone(), config.rule.dedupe, checkpoint);
    let take = |piece: Piece<Batch>| {
        let going_on = assembly.add(piece);
        let (bytes, games) = assembly.progress();
        progress(bytes, games);
        going_on
    };
    read_in_order(remaining, config.threads, || Sampler::new(&config.rule), Sampler::into_batch, take);
    assembly.finish()
}
