//! The run that turns files into counts. Portions of one big file are read by all threads.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::counts::Counter;
use super::gather::{Batch, EXAMPLES, Gatherer};
use super::{Cut, FileFilter, FileRefusal, Provenance, Rule, Shard, Tally, WdlCounts, WdlFile, test_id};
use crate::pgn::{Anomalies, Input, InputProblems, Piece, read_in_order};

/// What to collect, and how.
pub struct Config {
    /// The inputs, as [`expand_inputs`](crate::pgn::expand_inputs) gives them.
    pub inputs: Vec<Input>,
    /// What the metadata beside files must say.
    pub filter: FileFilter,
    /// What is counted.
    pub rule: Rule,
    /// The rule as options of the command line.
    pub rule_text: String,
    /// Read the same test in two directories, and a file beside its packed form.
    pub allow_duplicates: bool,
    /// How many threads parse, as far as the system allows that many.
    pub threads: NonZero<usize>,
}

/// What a run has found.
pub struct Collected {
    /// The counts.
    pub file: WdlFile,
    /// Every game and half-move.
    pub tally: Tally,
    /// What was odd in the text.
    pub anomalies: Anomalies,
    /// Files that their metadata left out.
    pub refused: Vec<(PathBuf, FileRefusal)>,
    /// What must be told of single inputs.
    pub problems: InputProblems,
    /// The first games that were cut at an illegal move, in the order of the inputs.
    pub cuts: Vec<(Input, Cut)>,
}

/// Why a run cannot begin.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum RunError {
    #[error(
        "{first} and {second} look like the same games, packed and not; leave one out, or --allow-duplicates reads both",
        first = first.display(),
        second = second.display()
    )]
    PackedTwin { first: PathBuf, second: PathBuf },
    #[error(
        "test {id} is in two directories: {first} and {second}; leave one out, or --allow-duplicates reads both",
        first = first.display(),
        second = second.display()
    )]
    DuplicateTest { id: String, first: PathBuf, second: PathBuf },
}

/// How far a run has come: called after each portion with the bytes of files read and the games found so far.
pub type Progress<'a> = dyn Fn(u64, u64) + Sync + 'a;

/// Reads all inputs that pass the filter.
///
/// # Errors
///
/// Only if the inputs name the same games twice.
pub fn collect(config: &Config, progress: &Progress<'_>) -> Result<Collected, RunError> {
    let mut files = Vec::new();
    let mut inputs = Vec::new();
    for input in &config.inputs {
        match input {
            Input::Stdin => inputs.push(Input::Stdin),
            Input::File(path) => files.push(path.clone()),
        }
    }
    if !config.allow_duplicates {
        refuse_duplicates(&files)?;
    }
    let (files, refused) = config.filter.divide(files);
    inputs.extend(files.into_iter().map(Input::File));
    let mut problems = InputProblems::default();
    let inputs = problems.leave_out_copies(inputs);
    let mut findings = Findings::new(inputs.len());
    // A thread counts what it has read in whatever counter is free: counts are the same in any order.
    let counters = Mutex::new(Vec::<Counter>::new());
    let count = |gatherer: Gatherer<'_>| {
        let Batch { tally, words, games, cuts } = gatherer.into_batch();
        let mut counter = lock(&counters).pop().unwrap_or_else(Counter::new);
        let mut first = 0;
        for (block, end) in games {
            counter.add(usize::from(block), &words[first..end]);
            first = end;
        }
        lock(&counters).push(counter);
        (tally, cuts)
    };
    let take = |piece| {
        let (bytes, games) = findings.add(piece);
        progress(bytes, games);
        ControlFlow::Continue(())
    };
    read_in_order(inputs.clone(), config.threads, || Gatherer::new(&config.rule), count, take);
    for counter in counters.into_inner().unwrap_or_else(PoisonError::into_inner) {
        findings.counts.add(counter.finish());
    }
    Ok(findings.conclude(config, inputs, refused, problems))
}

#[derive(Default, Clone)]
struct PerInput {
    tally: Tally,
    digest: u128,
    file_bytes: u64,
    broken: Option<String>,
    ends_whole: bool,
}

struct Findings {
    inputs: Vec<PerInput>,
    /// The input that is being read.
    current: usize,
    anomalies: Anomalies,
    counts: WdlCounts,
    /// The first cut games, each with its input.
    cuts: Vec<(usize, Cut)>,
    /// Bytes of the inputs that have ended.
    bytes: u64,
    games: u64,
}

impl Findings {
    fn new(inputs: usize) -> Findings {
        Findings {
            inputs: vec![PerInput::default(); inputs],
            current: 0,
            anomalies: Anomalies::default(),
            counts: WdlCounts::default(),
            cuts: Vec::new(),
            bytes: 0,
            games: 0,
        }
    }

    /// Takes what comes next in the order of the inputs; all bytes and games so far.
    fn add(&mut self, piece: Piece<(Tally, Vec<Cut>)>) -> (u64, u64) {
        match piece {
            Piece::Games { found: (tally, cuts), anomalies, file_bytes } => {
                let input = &mut self.inputs[self.current];
                let before = input.tally.games();
                let room = EXAMPLES - self.cuts.len().min(EXAMPLES);
                let placed = cuts.into_iter().map(|cut| (self.current, Cut { game: cut.game + before, ..cut }));
                self.cuts.extend(placed.take(room));
                self.games += tally.games();
                input.tally += tally;
                self.anomalies += anomalies;
                (self.bytes + file_bytes, self.games)
            }
            Piece::End { input, digest, file_bytes, broken, ends_whole } => {
                let ended = &mut self.inputs[input];
                (ended.digest, ended.file_bytes) = (digest, file_bytes);
                (ended.broken, ended.ends_whole) = (broken, ends_whole);
                self.current = input + 1;
                self.bytes += file_bytes;
                (self.bytes, self.games)
            }
        }
    }

    fn conclude(
        self,
        config: &Config,
        inputs: Vec<Input>,
        refused: Vec<(PathBuf, FileRefusal)>,
        problems: InputProblems,
    ) -> Collected {
        let cuts = self.cuts.into_iter().map(|(input, cut)| (inputs[input].clone(), cut)).collect();
        let mut collected = Collected {
            file: WdlFile {
                provenance: Provenance {
                    made_by: vec![drawish_artefact::provenance::made_by()],
                    rule: config.rule_text.clone(),
                    shards: Vec::new(),
                },
                counts: self.counts,
            },
            tally: Tally::default(),
            anomalies: self.anomalies,
            refused,
            problems,
            cuts,
        };
        for (input, found) in inputs.into_iter().zip(self.inputs) {
            collected.tally += found.tally;
            collected.file.provenance.shards.push(Shard {
                name: input.name(),
                xxh3_128: format!("{:032x}", found.digest),
                bytes: found.file_bytes,
                games: found.tally.counted,
                positions: found.tally.positions,
                broken: found.broken.clone(),
            });
            collected.problems.note_end(&input, found.broken, found.ends_whole, found.tally.games());
        }
        collected
    }
}

/// Names that show the same games twice: `a.pgn` beside `a.pgn.gz`, and files of one fishtest test in two directories.
fn refuse_duplicates(files: &[PathBuf]) -> Result<(), RunError> {
    let mut stems: HashMap<PathBuf, &Path> = HashMap::new();
    let mut tests: HashMap<String, &Path> = HashMap::new();
    for file in files {
        let packed = file.extension().is_some_and(|ending| ending == "gz" || ending == "zst" || ending == "bz2");
        let stem = if packed { file.with_extension("") } else { file.clone() };
        if let Some(first) = stems.insert(stem, file) {
            return Err(RunError::PackedTwin { first: first.to_owned(), second: file.clone() });
        }
        // Only where fishtest's metadata is beside the file does its name tell a test.
        let id = test_id(file);
        if file.with_file_name(id.clone() + ".json").exists()
            && let Some(first) = tests.insert(id.clone(), file)
            && first.parent() != file.parent()
        {
            return Err(RunError::DuplicateTest { id, first: first.to_owned(), second: file.clone() });
        }
    }
    Ok(())
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
