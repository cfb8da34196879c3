//! The run that turns files into counts: threads take portions from one feed, so that one big file uses all cores.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use thiserror::Error;

use super::counts::Counter;
use super::gather::{EXAMPLES, Gatherer};
use super::{Cut, FileFilter, FileRefusal, Provenance, Rule, Shard, Tally, WdlCounts, WdlFile, test_id};
use crate::pgn::{Anomalies, Feed, Input, Portion, PortionBuffer, file_digest, read_games};

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
    /// Inputs that could not be read to their end; what stands before the break is counted.
    pub broken: Vec<Broken>,
    /// Inputs with the bytes of another one, named second, which were therefore not read.
    pub repeated: Vec<(Input, String)>,
    /// Inputs with bytes in which no game was found.
    pub without_games: Vec<Input>,
    /// The first games that were cut at an illegal move, in the order of the inputs.
    pub cuts: Vec<(Input, Cut)>,
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
    let (inputs, repeated) = without_repeated(inputs);
    let desk = Mutex::new(Desk { feed: Feed::new(inputs.clone()), current: 0 });
    let findings = Mutex::new(Findings::new(inputs.len()));
    let work = || {
        let mut buffer = PortionBuffer::default();
        let mut braced = Vec::new();
        let mut counter = Counter::new();
        while let Some((number, input, portion)) = lock(&desk).next(&mut buffer) {
            match portion {
                Portion::Text { cut_off, file_bytes, .. } => {
                    let text = with_braces(buffer.text(), &mut braced);
                    let (gatherer, anomalies) = read_games(text, cut_off, || Gatherer::new(&config.rule));
                    let batch = gatherer.into_batch();
                    let mut first = 0;
                    for &(block, end) in &batch.games {
                        counter.add(usize::from(block), &batch.words[first..end]);
                        first = end;
                    }
                    let mut findings = lock(&findings);
                    findings.inputs[input].tally += batch.tally;
                    findings.anomalies += anomalies;
                    findings.portions.push((number, input, batch.tally.games(), batch.cuts));
                    findings.games += batch.tally.games();
                    let found = findings.read(input, file_bytes);
                    drop(findings);
                    progress(found.0, found.1);
                }
                Portion::End { digest, file_bytes, error, .. } => {
                    let mut findings = lock(&findings);
                    let ended = &mut findings.inputs[input];
                    ended.digest = digest;
                    ended.broken = error.map(|error| error.to_string());
                    findings.read(input, file_bytes);
                }
            }
        }
        lock(&findings).counts.add(counter.finish());
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
    let findings = findings.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(findings.conclude(config, inputs, refused, repeated))
}

/// A feed that knows which input its portions come from.
struct Desk {
    feed: Feed,
    current: usize,
}

impl Desk {
    fn next(&mut self, buffer: &mut PortionBuffer) -> Option<(u64, usize, Portion)> {
        let (number, portion) = self.feed.next(buffer)?;
        let input = self.current;
        self.current += usize::from(matches!(portion, Portion::End { .. }));
        Some((number, input, portion))
    }
}

#[derive(Default, Clone)]
struct PerInput {
    tally: Tally,
    digest: u128,
    file_bytes: u64,
    broken: Option<String>,
}

struct Findings {
    inputs: Vec<PerInput>,
    anomalies: Anomalies,
    counts: WdlCounts,
    /// Number, input, games and cut games of each portion.
    portions: Vec<(u64, usize, u64, Vec<Cut>)>,
    bytes: u64,
    games: u64,
}

impl Findings {
    fn new(inputs: usize) -> Findings {
        Findings {
            inputs: vec![PerInput::default(); inputs],
            anomalies: Anomalies::default(),
            counts: WdlCounts::default(),
            portions: Vec::new(),
            bytes: 0,
            games: 0,
        }
    }

    /// Takes down how far an input was read; all bytes and games so far.
    fn read(&mut self, input: usize, file_bytes: u64) -> (u64, u64) {
        let known = &mut self.inputs[input].file_bytes;
        self.bytes += file_bytes.saturating_sub(*known);
        *known = file_bytes.max(*known);
        (self.bytes, self.games)
    }

    fn conclude(
        mut self,
        config: &Config,
        inputs: Vec<Input>,
        refused: Vec<(PathBuf, FileRefusal)>,
        repeated: Vec<(Input, String)>,
    ) -> Collected {
        self.portions.sort_unstable_by_key(|portion| portion.0);
        let mut games_before = vec![0; inputs.len()];
        let mut cuts = Vec::new();
        for (_, input, games, portion_cuts) in self.portions {
            for cut in portion_cuts.into_iter().take(EXAMPLES - cuts.len().min(EXAMPLES)) {
                cuts.push((inputs[input].clone(), Cut { game: cut.game + games_before[input], ..cut }));
            }
            games_before[input] += games;
        }
        let mut collected = Collected {
            file: WdlFile {
                provenance: Provenance {
                    made_by: vec![crate::provenance::made_by()],
                    rule: config.rule_text.clone(),
                    shards: Vec::new(),
                },
                counts: self.counts,
            },
            tally: Tally::default(),
            anomalies: self.anomalies,
            refused,
            broken: Vec::new(),
            repeated,
            without_games: Vec::new(),
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
            if let Some(reason) = found.broken {
                collected.broken.push(Broken { input, reason, games: found.tally.games() });
            } else if found.tally.games() == 0 {
                collected.without_games.push(input);
            }
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

/// Leaves out files with the same bytes as one before. Only files of equal length are read for that.
fn without_repeated(inputs: Vec<Input>) -> (Vec<Input>, Vec<(Input, String)>) {
    let mut by_length: HashMap<u64, u32> = HashMap::new();
    for length in inputs.iter().filter_map(Input::len) {
        *by_length.entry(length).or_default() += 1;
    }
    let mut seen: HashMap<(u128, u64), String> = HashMap::new();
    let (mut kept, mut repeated) = (Vec::new(), Vec::new());
    for input in inputs {
        let digest = match &input {
            Input::File(path) if input.len().is_some_and(|len| len > 0 && by_length[&len] > 1) => {
                file_digest(path).ok()
            }
            _ => None,
        };
        match digest.and_then(|digest| seen.get(&digest).cloned()) {
            Some(original) => repeated.push((input, original)),
            None => {
                if let Some(digest) = digest {
                    seen.insert(digest, input.to_string());
                }
                kept.push(input);
            }
        }
    }
    (kept, repeated)
}

/// The text with comments from `;` to the end of the line written in braces, which the reader hands on; mostly there are
/// none, and it is the text itself.
fn with_braces<'a>(text: &'a [u8], memory: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr::memchr(b';', text).is_none() {
        return text;
    }
    memory.clear();
    let mut rest = text;
    let mut line_begins = true;
    while let [first, ..] = rest {
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let len = match first {
            // Tags and escaped lines are not moves.
            b'[' | b'%' if line_begins => line,
            b'{' => memchr::memchr(b'}', rest).map_or(rest.len(), |end| end + 1),
            b';' => {
                memory.push(b'{');
                // A brace inside would end the comment early.
                memory.extend(rest[1..line].iter().map(|byte| if *byte == b'}' { b' ' } else { *byte }));
                memory.push(b'}');
                rest = &rest[line..];
                continue;
            }
            _ => 1,
        };
        memory.extend_from_slice(&rest[..len]);
        line_begins = rest[len - 1] == b'\n';
        rest = &rest[len..];
    }
    memory
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_become_braces_outside_of_tags_and_comments() {
        let braces = |text: &str| {
            let mut memory = Vec::new();
            String::from_utf8(with_braces(text.as_bytes(), &mut memory).to_vec()).expect("text")
        };
        for (text, expected) in [
            ("1. e4 e5 *", "1. e4 e5 *"),
            ("1. e4 ; +0.35/18 1.2s\ne5 *", "1. e4 { +0.35/18 1.2s}\ne5 *"),
            ("1. e4 {a;b} e5 ;c}d\n*", "1. e4 {a;b} e5 {c d}\n*"),
            (";x\n[Site \"x;y\"]\n", "{x}\n[Site \"x;y\"]\n"),
            ("[Site \"x;y\"]\n[A \"b\"]\n\n1. e4 ;end", "[Site \"x;y\"]\n[A \"b\"]\n\n1. e4 {end}"),
            ("%a;b\n1. e4 {open;", "%a;b\n1. e4 {open;"),
        ] {
            assert_eq!(braces(text), expected);
        }
    }
}
