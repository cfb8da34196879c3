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
    /// Inputs that could not be read to their end. Their games before the break are counted.
    pub broken: Vec<Broken>,
    /// Inputs with the bytes of another one, named second, which were therefore not counted again.
    pub repeated: Vec<(Input, String)>,
    /// Inputs with bytes in which no game was found.
    pub without_games: Vec<Input>,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
}

/// An input that could not be read to its end.
pub struct Broken {
    /// Which one.
    pub input: Input,
    /// Why.
    pub reason: String,
    /// How many games stand before the break.
    pub games: u64,
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
/// An input that breaks in the middle does not end the run: see [`Collected::broken`].
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
    let feed = Mutex::new(Feed::new(remaining.clone()));
    let assembly = Mutex::new(Assembly::new(resumed, remaining, config.rule.dedupe, checkpoint));
    let work = || {
        let mut buffer = PortionBuffer::default();
        loop {
            let Some((number, portion)) = lock(&feed).next(&mut buffer) else { return };
            let piece = match portion {
                Portion::Text { cut_off, file_bytes, .. } => {
                    let new_sampler = || Sampler::new(&config.rule);
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
            // Where the system gives no more threads, those that are there do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    assembly.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
