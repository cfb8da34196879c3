//! The run that turns files into counts: threads take portions from one feed, and what they find is put together
//! in the order of the input, so that the number of threads changes nothing.
//!
//! After every finished file the state so far can be kept, and a later run goes on from it.

mod assemble;
mod checkpoint;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;

use drawish_core::Scheme;
use thiserror::Error;

use crate::counts::{CountsError, CountsFile};
use crate::pgn::{Feed, Input, Portion, PortionBuffer, read_games};
use crate::sample::{Rule, Sampler};
use assemble::{Assembly, Piece};
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
    /// Learn the pawns from a full replay instead of the tracker.
    pub replay: bool,
    /// How many threads parse.
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
    /// Inputs that could not be read to their end, with the reason. Their games before it are counted.
    pub broken: Vec<(Input, String)>,
    /// Inputs with the bytes of another one, named second, which were therefore not counted again.
    pub repeated: Vec<(Input, String)>,
    /// Inputs with bytes in which no game was found.
    pub without_games: Vec<Input>,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
}

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum CollectError {
    #[error("{path}, left by an interrupted run, cannot be used: {source}; --fresh begins anew", path = path.display())]
    Checkpoint { path: PathBuf, source: CountsError },
    #[error("{path} was left by an interrupted run that {difference}; --fresh begins anew", path = path.display())]
    OtherRun { path: PathBuf, difference: String },
    #[error("the state of the run cannot be kept in {path}: {source}", path = path.display())]
    Keep { path: PathBuf, source: std::io::Error },
}

/// How far a run has come: called after each portion with the bytes of files read and the games found so far.
pub type Progress<'a> = dyn Fn(u64, u64) + Sync + 'a;

/// Reads all inputs.
///
/// An input that breaks in the middle does not end the run: see [`Collected::broken`].
///
/// # Errors
///
/// Only if the state of an interrupted run cannot be used, or that of this one cannot be kept.
pub fn collect(config: &Config, progress: &Progress<'_>) -> Result<Collected, CollectError> {
    let resumed = resume(config)?;
    let remaining: Vec<Input> = config.inputs.iter().filter(|input| !resumed.is_done(input)).cloned().collect();
    let done = config.inputs.len() - remaining.len();
    let checkpoint = config.checkpoint.clone().map(|path| Checkpoint::new(path, config.rule.dedupe));
    let feed = Mutex::new(Feed::new(remaining.clone()));
    let assembly = Mutex::new(Assembly::new(resumed.file, remaining, config.rule.dedupe, checkpoint));
    let work = || {
        let mut buffer = PortionBuffer::default();
        loop {
            let Some((number, portion)) = lock(&feed).next(&mut buffer) else { return };
            let piece = match portion {
                Portion::Text { cut_off, file_bytes, .. } => {
                    let new_sampler = || Sampler::new(&config.rule, config.replay);
                    let (sampler, anomalies) = read_games(buffer.text(), cut_off, new_sampler);
                    Piece::Games { batch: sampler.into_batch(), anomalies, file_bytes }
                }
                Portion::End { input, digest, file_bytes, error } => {
                    Piece::End { input, digest, file_bytes, broken: error.map(|error| error.to_string()) }
                }
            };
            let mut assembly = lock(&assembly);
            if !assembly.add(number, piece) {
                return;
            }
            let (bytes, games) = assembly.progress();
            drop(assembly);
            progress(bytes, games);
        }
    };
    thread::scope(|scope| {
        for _ in 1..config.threads.get() {
            scope.spawn(work);
        }
        work();
    });
    let mut collected = assembly.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    collected.resumed = done;
    Ok(collected)
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
