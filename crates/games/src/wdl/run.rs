//! The run that turns files into counts. Chunks of one big file are read by all threads.

use std::collections::HashMap;
use std::convert::Infallible;
use std::mem;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::counts::Counter;
use super::gather::{Batch, EXAMPLES, Gatherer};
use super::metadata::has_metadata;
use super::{
    Cut, FileFilter, FileRefusal, Provenance, RecordedRule, Rule, RuleRecord, Tally, WdlCounts, WdlFile, test_id,
};
use crate::fan_out::all_cores;
use crate::pgn::{Anomalies, Input, InputProblems, Progress, Step, read_in_order};
use drawish_artefact::provenance::{InputRecord, made_by};

/// A run that counts positions with evaluations.
///
/// By default it counts everything by the default [`Rule`], on every core, and refuses inputs whose names say that they are
/// the same games twice.
pub struct Collect<'a> {
    inputs: Vec<Input>,
    files: FileFilter,
    rule: Rule,
    allow_duplicates: bool,
    threads: NonZero<usize>,
    progress: &'a Progress<'a>,
}

/// What a run has found.
#[non_exhaustive]
pub struct Collected {
    /// The counts.
    pub file: WdlFile,
    /// Every game and half-move.
    pub tally: Tally,
    /// What was odd in the text.
    pub anomalies: Anomalies,
    /// Files that their metadata left out.
    pub refused: Vec<(PathBuf, FileRefusal)>,
    /// What must be reported of single inputs.
    pub problems: InputProblems,
    /// The first games that were cut at an illegal move, in the order of the inputs.
    pub cuts: Vec<(Input, Cut)>,
}

/// Why a run cannot begin.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum CollectError {
    #[error(
        "{first} and {second} look like the same games, compressed and not; leave one out",
        first = first.display(),
        second = second.display()
    )]
    PackedTwin { first: PathBuf, second: PathBuf },
    #[error(
        "test {id} is in two directories: {first} and {second}; leave one out",
        first = first.display(),
        second = second.display()
    )]
    DuplicateTest { id: String, first: PathBuf, second: PathBuf },
}

impl<'a> Collect<'a> {
    /// Counts these inputs, as [`expand_inputs`](crate::pgn::expand_inputs) gives them.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Collect<'a> {
        Collect {
            inputs,
            files: FileFilter::default(),
            rule: Rule::default(),
            allow_duplicates: false,
            threads: all_cores(),
            progress: &|_, _| {},
        }
    }

    /// What is counted.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Collect { rule, ..self }
    }

    /// What the metadata beside files must say.
    #[must_use]
    pub fn files(self, files: FileFilter) -> Self {
        Collect { files, ..self }
    }

    /// Whether to read the same test in two directories, and a file beside its packed form.
    #[must_use]
    pub fn allow_duplicates(self, allow_duplicates: bool) -> Self {
        Collect { allow_duplicates, ..self }
    }

    /// How many threads parse, as far as the system allows that many. They change nothing in the counts.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Collect { threads, ..self }
    }

    /// Called after each chunk with the bytes of files read and the games found so far.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Collect { progress, ..self }
    }

    /// Reads all inputs that pass the filter.
    ///
    /// # Errors
    ///
    /// Only if the inputs name the same games twice.
    pub fn run(self) -> Result<Collected, CollectError> {
        let Collect { inputs, files: filter, rule, allow_duplicates, threads, progress } = self;
        let record = RecordedRule::Known(Box::new(RuleRecord::of(&rule, &filter)));
        let (inputs, refused) = pass(inputs, &filter, allow_duplicates)?;
        let mut problems = InputProblems::default();
        let inputs = problems.leave_out_copies(inputs);
        let mut collected = Collected {
            file: WdlFile {
                provenance: Provenance { made_by: vec![made_by()], rules: vec![record], inputs: Vec::new() },
                counts: WdlCounts::default(),
            },
            tally: Tally::default(),
            anomalies: Anomalies::default(),
            refused,
            problems,
            cuts: Vec::new(),
        };
        // A thread counts what it has read in whatever counter is free: counts are the same in any order.
        let counters = Mutex::new(Vec::<Counter>::new());
        let count = |gatherer: Gatherer<'_>| {
            let Batch { tally, words, games, cuts } = gatherer.into_batch();
            let mut counter = lock(&counters).pop().unwrap_or_else(Counter::new);
            let mut first = 0;
            for (block, end) in games {
                counter.add(block, &words[first..end]);
                first = end;
            }
            lock(&counters).push(counter);
            (tally, cuts)
        };
        let take = |step: Step<'_, Tally, Vec<Cut>>| {
            match step {
                Step::Chunk { found: cuts, input, games_before, .. } => {
                    let room = EXAMPLES.saturating_sub(collected.cuts.len());
                    let placed = cuts.into_iter().map(|cut| Cut { game: cut.game + games_before, ..cut });
                    collected.cuts.extend(placed.take(room).map(|cut| (input.clone(), cut)));
                }
                Step::End(read) => {
                    collected.problems.note(&read);
                    let positions = Some(read.account.positions);
                    let record = InputRecord { positions, ..read.record(read.account.counted) };
                    collected.file.provenance.inputs.push(record);
                    collected.tally += read.account;
                    collected.anomalies += read.anomalies;
                }
            }
            Ok::<_, Infallible>(())
        };
        let Ok(()) = read_in_order(&inputs, threads, progress, || Gatherer::new(&rule), count, take);
        for counter in mem::take(&mut *lock(&counters)) {
            collected.file.counts.add(counter.finish());
        }
        Ok(collected)
    }
}

/// Files that their metadata left out.
type Refused = Vec<(PathBuf, FileRefusal)>;

/// The inputs that pass the filter, and those that do not.
fn pass(
    inputs: Vec<Input>,
    filter: &FileFilter,
    allow_duplicates: bool,
) -> Result<(Vec<Input>, Refused), CollectError> {
    if !allow_duplicates {
        refuse_duplicates(&inputs)?;
    }
    Ok(filter.divide(inputs))
}

/// Names that show the same games twice: `a.pgn` beside `a.pgn.gz`, and files of one fishtest test in two directories.
fn refuse_duplicates(inputs: &[Input]) -> Result<(), CollectError> {
    let mut stems: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut tests: HashMap<String, PathBuf> = HashMap::new();
    for input in inputs {
        let Some(file) = input.place() else { continue };
        let packed = file.extension().is_some_and(|ending| ending == "gz" || ending == "zst" || ending == "bz2");
        let stem = if packed { file.with_extension("") } else { file.clone() };
        if let Some(first) = stems.insert(stem, file.clone()) {
            return Err(CollectError::PackedTwin { first, second: file });
        }
        // Only where fishtest's metadata is beside the file does its name tell a test.
        let id = test_id(&file);
        if has_metadata(input)
            && let Some(first) = tests.insert(id.clone(), file.clone())
            && first.parent() != file.parent()
        {
            return Err(CollectError::DuplicateTest { id, first, second: file });
        }
    }
    Ok(())
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
