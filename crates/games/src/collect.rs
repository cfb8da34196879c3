//! The run that turns files into counts: threads take chunks from one feed, and what they find is put together
//! in the order of the input, so that the number of threads changes nothing.
//!
//! After every finished file the state so far can be kept, and a later run goes on from it.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod assemble;
mod checkpoint;

use std::num::NonZero;
use std::path::PathBuf;

use drawish_core::Scheme;

use crate::counts::CountsFile;
use crate::fan_out::all_cores;
use crate::kept::{Keeper, KeptError};
use crate::pgn::{Input, InputProblems, Progress, read_in_order};
use crate::sample::{GamesAgain, Rule, Sampler};
use assemble::Assembly;
use checkpoint::resume;

/// A run that counts results per structure.
///
/// By default it counts by the rule of the article (see [`Rule`]) in the scheme `bg`, works on every core, and keeps nothing
/// from which it could be resumed.
///
/// ```no_run
/// use drawish_games::collect::Collect;
/// use drawish_games::pgn::expand_inputs;
///
/// let inputs = expand_inputs(&["games.pgn".into()])?;
/// let collected = Collect::new(inputs).run()?;
/// std::fs::write("games.counts", collected.file.to_bytes())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Collect<'a> {
    inputs: Vec<Input>,
    rule: Rule,
    scheme: Scheme,
    threads: NonZero<usize>,
    checkpoint: Option<PathBuf>,
    fresh: bool,
    progress: &'a Progress<'a>,
}

/// What a run has found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Collected {
    /// The counts, with a shard for each input.
    pub file: CountsFile,
    /// What must be reported of single inputs.
    pub problems: InputProblems,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
    /// Counted games with the same moves as an earlier one; none with [`dedupe`](Rule::dedupe), which skips them.
    pub repeats: GamesAgain,
}

impl<'a> Collect<'a> {
    /// Counts these inputs, as [`expand_inputs`](crate::pgn::expand_inputs) gives them.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Collect<'a> {
        Collect {
            inputs,
            rule: Rule::default(),
            scheme: Scheme::Bg,
            threads: all_cores(),
            checkpoint: None,
            fresh: false,
            progress: &|_, _| {},
        }
    }

    /// Which positions count.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Collect { rule, ..self }
    }

    /// How structures are numbered.
    #[must_use]
    pub fn scheme(self, scheme: Scheme) -> Self {
        Collect { scheme, ..self }
    }

    /// How many threads parse, as far as the system allows that many. They change nothing in the counts.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Collect { threads, ..self }
    }

    /// The file that keeps the state after each finished input. A run with the same file, rule, scheme and build goes on from
    /// there. The file stays when the run has ended: remove it once the counts are written.
    #[must_use]
    pub fn checkpoint(self, path: impl Into<PathBuf>) -> Self {
        Collect { checkpoint: Some(path.into()), ..self }
    }

    /// Whether to begin anew even if the checkpoint file is there.
    #[must_use]
    pub fn fresh(self, fresh: bool) -> Self {
        Collect { fresh, ..self }
    }

    /// Called after each chunk with the bytes of files read and the games found so far.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Collect { progress, ..self }
    }

    /// Reads all inputs.
    ///
    /// An input that breaks in the middle does not end the run: see [`InputProblems::broken`].
    ///
    /// # Errors
    ///
    /// Only if the state of an interrupted run cannot be used, or that of this one cannot be kept.
    pub fn run(self) -> Result<Collected, KeptError> {
        let resumed = resume(&self)?;
        let remaining: Vec<Input> = self.inputs.iter().filter(|input| !resumed.is_done(input)).cloned().collect();
        let Collect { rule, threads, progress, .. } = self;
        let mut assembly = Assembly::new(resumed, rule.dedupe, self.checkpoint.map(Keeper::new));
        let condense = |sampler: Sampler<'_>| {
            let batch = sampler.into_batch();
            (batch.tally, batch)
        };
        read_in_order(&remaining, threads, progress, || Sampler::new(&rule), condense, |step| assembly.add(step))?;
        Ok(assembly.finish())
    }
}
