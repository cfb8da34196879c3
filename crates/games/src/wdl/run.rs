//! The run that turns files into counts. Chunks of one big file are read by all threads.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::mem;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::counts::Counter;
use super::gather::{Batch, CountedGame, EXAMPLES, Gatherer};
use super::hash::block_of;
use super::metadata::has_metadata;
use super::partial::{Account, InputAccount};
use super::rule::Bins;
use super::{
    Cut, FileFilter, FileRefusal, Provenance, RecordedRule, Rule, RuleRecord, Tally, WdlCounts, WdlFile, test_id,
};
use crate::fan_out::all_cores;
use crate::kept::{Keeper, KeptError};
use crate::pgn::{Anomalies, Engines, Input, InputEnding, InputProblems, Progress, Repeats, Step, read_in_order};
use drawish_artefact::provenance::{InputRecord, made_by};

/// A run that counts positions with evaluations.
///
/// By default it counts everything by the default [`Rule`], on every core, and refuses inputs whose names say that they are
/// the same games twice. It keeps nothing from which it could be resumed.
pub struct Collect<'a> {
    inputs: Vec<Input>,
    files: FileFilter,
    rule: Rule,
    allow_duplicates: bool,
    threads: NonZero<usize>,
    checkpoint: Option<PathBuf>,
    fresh: bool,
    progress: &'a Progress<'a>,
}

/// After so many bytes of files the state is kept at the end of an input: a few seconds of work, against which it costs nothing that
/// all threads wait for the last one.
const STEP: u64 = 64 << 20;

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
    /// Whose evaluations were counted, where players write their own.
    pub engines: Engines,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
    /// Counted games with the same moves as an earlier one.
    pub repeats: Repeats,
}

/// Why a run cannot begin or go on.
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
    #[error(transparent)]
    Kept(#[from] KeptError),
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
            checkpoint: None,
            fresh: false,
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

    /// The file that keeps the state, now and then, when an input has ended. A run with the same file, rule and build goes on from there.
    /// The file stays when the run has ended: remove it once the counts are written.
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

    /// Reads all inputs that pass the filter.
    ///
    /// # Errors
    ///
    /// If the inputs name the same games twice, the state of an interrupted run cannot be used, or that of this one cannot be kept.
    pub fn run(self) -> Result<Collected, CollectError> {
        let step = if self.checkpoint.is_some() { STEP } else { u64::MAX };
        self.run_in_steps(step)
    }

    /// The same with the state kept after so many bytes.
    fn run_in_steps(self, step: u64) -> Result<Collected, CollectError> {
        let Collect { inputs, files: filter, rule, allow_duplicates, threads, checkpoint, fresh, progress } = self;
        let record = RuleRecord::of(&rule, &filter);
        let mut account = Account::new(&rule, record.clone());
        let (inputs, refused) = pass(inputs, &filter, allow_duplicates)?;
        let mut problems = InputProblems::default();
        let inputs = problems.leave_out_copies(inputs);
        let rules = vec![RecordedRule::Known(Box::new(record))];
        let mut collected = Collected {
            file: WdlFile {
                provenance: Provenance { made_by: vec![made_by()], rules, inputs: Vec::new() },
                counts: WdlCounts::default(),
            },
            tally: Tally::default(),
            anomalies: Anomalies::default(),
            refused,
            problems,
            cuts: Vec::new(),
            engines: Engines::default(),
            resumed: 0,
            repeats: Repeats::default(),
        };
        let mut done = HashSet::new();
        if let Some((file, finished)) = account.resume(checkpoint.as_deref(), fresh, &inputs)? {
            collected.resumed = finished.len();
            collected.file.counts = file.counts;
            for (input_account, (place, input)) in account.inputs.iter().zip(finished) {
                let InputAccount { record, anomalies, ends_whole, odd_words, .. } = input_account;
                let end = InputEnding {
                    broken: record.broken.clone(),
                    ends_whole: *ends_whole,
                    rescued: anomalies.rescued_games,
                };
                collected.problems.note_odd_words(&input, odd_words);
                collected.problems.note_end(&input, end, record.games);
                collected.take(input, input_account);
                done.insert(place);
            }
        }
        let remaining: Vec<Input> =
            inputs.into_iter().filter(|input| input.place().is_none_or(|place| !done.contains(&place))).collect();
        let mut keeper = checkpoint.map(Keeper::new);
        let mut rest = &remaining[..];
        while let Some((inputs, later)) = next_step(rest, step) {
            let before = (collected.bytes_read(), collected.tally.games());
            let progress = |bytes: u64, games: u64| progress(before.0 + bytes, before.1 + games);
            read_step(inputs, &rule, threads, &progress, &mut collected, &mut account);
            rest = later;
            if let Some(keeper) = keeper.as_mut().filter(|_| !rest.is_empty()) {
                keeper.keep(|| account.to_bytes(&collected.file))?;
            }
        }
        collected.repeats = account.repeats;
        Ok(collected)
    }
}

impl Collected {
    /// Takes what an input has given, but for its counts.
    fn take(&mut self, input: Input, account: &InputAccount) {
        self.file.provenance.inputs.push(account.record.clone());
        self.tally += account.tally;
        self.anomalies += account.anomalies;
        self.engines.add(&account.engines);
        self.problems.note_evals(&input, account.tally.evals);
        let room = EXAMPLES.saturating_sub(self.cuts.len());
        self.cuts.extend(account.cuts.iter().take(room).map(|cut| (input.clone(), cut.clone())));
    }

    /// Bytes of the inputs that were read to their end.
    fn bytes_read(&self) -> u64 {
        self.file.provenance.inputs.iter().filter_map(|input| input.bytes).sum()
    }
}

/// The first inputs that have so many bytes together, and the others; `None` without any.
fn next_step(inputs: &[Input], step: u64) -> Option<(&[Input], &[Input])> {
    let mut bytes = 0_u64;
    let last = inputs.iter().position(|input| {
        bytes = bytes.saturating_add(input.len().unwrap_or_default());
        bytes >= step
    });
    let end = last.map_or(inputs.len(), |last| last + 1);
    Some(inputs.split_at(end)).filter(|(first, _)| !first.is_empty())
}

/// What a chunk gives beside its counts: cut games, whose evaluations, and the counted games.
type Found = (Vec<Cut>, Engines, Vec<CountedGame>);

/// Counts what some inputs hold.
fn read_step(
    inputs: &[Input],
    rule: &Rule,
    threads: NonZero<usize>,
    progress: &Progress<'_>,
    collected: &mut Collected,
    account: &mut Account,
) {
    // A thread counts what it has read in whatever counter is free: counts are the same in any order.
    let counters = Mutex::new(Vec::<Counter>::new());
    let count = |gatherer: Gatherer<'_>| {
        let Batch { tally, words, games, cuts, engines } = gatherer.into_batch();
        let mut counter = lock(&counters).pop().unwrap_or_else(Counter::new);
        let mut first = 0;
        for &CountedGame { line, end, .. } in &games {
            counter.add(block_of(line), &words[first..end]);
            first = end;
        }
        lock(&counters).push(counter);
        (tally, (cuts, engines, games))
    };
    let (mut cuts_of_input, mut engines_of_input) = (Vec::new(), Engines::default());
    let take = |step: Step<'_, Tally, Found>| {
        match step {
            Step::Chunk { found: (cuts, engines, games), games_before, .. } => {
                games.iter().for_each(|game| account.repeats.add(game.moves));
                engines_of_input.add(&engines);
                let room = EXAMPLES.saturating_sub(cuts_of_input.len());
                let placed = cuts.into_iter().map(|cut| Cut { game: cut.game + games_before, ..cut });
                cuts_of_input.extend(placed.take(room));
            }
            Step::End(read) => {
                collected.problems.note(&read);
                let input = InputAccount {
                    record: InputRecord {
                        positions: Some(read.account.positions),
                        ..read.record(read.account.counted)
                    },
                    tally: read.account,
                    anomalies: read.anomalies,
                    ends_whole: read.ends_whole,
                    odd_words: *read.odd_words,
                    cuts: mem::take(&mut cuts_of_input),
                    engines: mem::take(&mut engines_of_input),
                };
                collected.take(read.input, &input);
                account.inputs.push(input);
            }
        }
        Ok::<_, Infallible>(())
    };
    let bins = Bins::new(rule);
    let Ok(()) = read_in_order(inputs, threads, progress, || Gatherer::new(rule, &bins), count, take);
    for counter in mem::take(&mut *lock(&counters)) {
        collected.file.counts.add(counter.finish());
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::ops::RangeInclusive;

    use super::super::{FenCounters, Notice};
    use crate::kept::OtherRun;

    /// Games with evaluations, an illegal move in each third one, and other moves in each file.
    fn games(numbers: RangeInclusive<u32>) -> String {
        let game = |number: u32| {
            let eval = f64::from(number) / 100.0;
            let third = if number.is_multiple_of(3) { "Ke5" } else { "Nf3" };
            format!(
                "[Event \"{number}\"]\n[Result \"1-0\"]\n\n1. e4 {{{eval:+.2}/9 1s}} e5 {{-0.10/9 1s}} 2. {third} {{+0.30/9 1s}} 1-0\n\n"
            )
        };
        numbers.map(game).collect()
    }

    fn run<'a>(inputs: &[Input], checkpoint: &PathBuf) -> Collect<'a> {
        Collect::new(inputs.to_vec()).threads(NonZero::<usize>::MIN).checkpoint(checkpoint)
    }

    /// A run that a later one goes on from is as good as one that is not interrupted, in counts and in the account, wherever it ended.
    #[test]
    fn a_run_goes_on_from_what_was_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let state = directory.path().join("x.wdl.partial");
        let inputs: Vec<Input> = [1..=7, 6..=9, 10..=30]
            .into_iter()
            .enumerate()
            .map(|(number, games_of)| {
                let path = directory.path().join(format!("{number}.pgn"));
                let text = games(games_of);
                let text = match number {
                    // No move by the standard.
                    0 => text.replacen("1. e4", "1. e2-e4", 1),
                    // The last game is cut off.
                    1 => text[..text.len() - 30].to_owned(),
                    _ => text,
                };
                fs::write(&path, text).expect("a file");
                Input::File(path)
            })
            .collect();
        let whole = Collect::new(inputs.clone()).run().expect("a run");
        let problems = &whole.problems;
        let is_something_said = !whole.cuts.is_empty() && !problems.unfinished.is_empty();
        assert!(is_something_said && !problems.odd_words.is_empty() && whole.repeats.games() > 0, "nothing to lose");
        for (done, step) in [(1, 1), (2, 1), (2, 600)] {
            // The state after the first inputs is that of a run that was ended behind them.
            let first = run(&inputs[..=done], &state).run_in_steps(step).expect("a run");
            assert_eq!(first.resumed, 0);
            let resumed = run(&inputs, &state).run_in_steps(step).expect("a run");
            assert!((1..=done).contains(&resumed.resumed), "{}", resumed.resumed);
            assert_eq!(resumed.file, whole.file);
            assert_eq!((resumed.tally, resumed.anomalies), (whole.tally, whole.anomalies));
            assert_eq!(resumed.repeats, whole.repeats);
            assert_eq!(resumed.problems.lines("counted"), whole.problems.lines("counted"));
            let cuts = |run: &Collected| -> Vec<_> {
                run.cuts.iter().map(|(input, cut)| (input.to_string(), cut.clone())).collect()
            };
            assert_eq!(cuts(&resumed), cuts(&whole));
            fs::remove_file(&state).expect("a state");
        }
    }

    /// No line of the list says that it is of Chess960.
    #[test]
    fn lists_of_starts_hold_those_of_chess960() {
        const FEN: &str = "qrnbknbr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/QRNBKNBR w KQkq - 0";
        let directory = tempfile::tempdir().expect("a directory");
        let [list, path] = ["book.fen", "games.pgn"].map(|name| directory.path().join(name));
        fs::write(&list, format!("{FEN} 2\n")).expect("a file");
        let game = format!(
            "[Event \"e\"]\n[Result \"1-0\"]\n[Variant \"Chess960\"]\n[FEN \"{FEN} 1\"]\n\n2. Ne3 {{+0.10/9 1s}} 1-0\n\n"
        );
        fs::write(&path, game).expect("a file");
        let rule = Rule { fens: Some(FenCounters::read(&list).expect("a list")), ..Rule::default() };
        let found = Collect::new(vec![Input::File(path)]).rule(rule).run().expect("a run");
        assert_eq!((found.tally.counted, found.tally.noticed(Notice::CountersRepaired)), (1, 1));
    }

    /// What is counted of games from one position, and the list that repairs its counters, do not depend on how the FEN is spelled.
    #[test]
    fn starts_are_the_same_however_they_are_spelled() {
        const PLACES: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let directory = tempfile::tempdir().expect("a directory");
        let list = directory.path().join("book.fen");
        fs::write(&list, format!("{PLACES} w KQkq e6 0 7\n")).expect("a file");
        let rule = Rule { fens: Some(FenCounters::read(&list).expect("a list")), ..Rule::default() };
        let of = |fens: &[&str], rule: &Rule| {
            let game = |fen: &&str| {
                format!("[Event \"e\"]\n[Result \"1-0\"]\n[FEN \"{PLACES} {fen}\"]\n\n2. Nf3 {{+0.10/9 1s}} 1-0\n\n")
            };
            let path = directory.path().join("games.pgn");
            fs::write(&path, fens.iter().map(game).collect::<String>()).expect("a file");
            let one = NonZero::<usize>::MIN;
            Collect::new(vec![Input::File(path)]).threads(one).rule(rule.clone()).run().expect("a run")
        };
        let spellings = [
            "w KQkq - 0 1",
            "w KQkq e6 0 1",
            "w KQkq -",
            "w  KQkq -  0 1",
            "w\tKQkq - 0 1",
            "w QKqk - 0 1",
            "w HAha - 0 0",
        ];
        let found = of(&spellings, &Rule::default());
        assert_eq!((found.tally.counted, found.repeats.games()), (7, 6));
        let found = of(&spellings, &rule);
        assert_eq!((found.tally.counted, found.tally.noticed(Notice::CountersRepaired)), (7, 7));
        let found = of(&["w KQkq - 0 2", "w KQkq - 4 9"], &rule);
        assert_eq!((found.tally.counted, found.tally.noticed(Notice::CountersRepaired)), (2, 0));
    }

    #[test]
    fn the_state_of_another_run_is_refused_by_name() {
        let directory = tempfile::tempdir().expect("a directory");
        let state = directory.path().join("x.wdl.partial");
        let paths = ["a.pgn", "b.pgn"].map(|name| directory.path().join(name));
        fs::write(&paths[0], games(1..=5)).expect("a file");
        fs::write(&paths[1], games(6..=9)).expect("a file");
        let inputs = paths.clone().map(Input::File).to_vec();
        run(&inputs, &state).run_in_steps(1).expect("a run");
        let error = |run: Collect<'_>| run.run().map(|_| ()).expect_err("another run");
        let other = Rule { bin_width: 10, ..Rule::default() };
        let said = error(run(&inputs, &state).rule(other)).to_string();
        assert!(said.contains("bin_width: expected 10, found 5"), "{said}");
        let said = error(run(&inputs, &state).rule(Rule { replay: true, ..Rule::default() })).to_string();
        assert!(said.contains("replay"), "{said}");
        assert!(run(&inputs, &state).rule(Rule { replay: true, ..Rule::default() }).fresh(true).run().is_ok());
        let kept = fs::read(&state).expect("a state");
        for at in 0..kept.len() {
            let mut damaged = kept.clone();
            damaged[at] ^= 1;
            fs::write(&state, &damaged).expect("a file");
            let found = error(run(&inputs, &state));
            assert!(matches!(found, CollectError::Kept(KeptError::Checkpoint { .. })), "byte {at}: {found}");
        }
        fs::write(&state, &kept).expect("a file");
        fs::write(&paths[0], games(1..=6)).expect("a file");
        let found = error(run(&inputs, &state));
        let is_other = matches!(&found, CollectError::Kept(KeptError::OtherRun { difference: OtherRun::Input(name), .. }) if name == "a.pgn");
        assert!(is_other, "{found}");
        fs::write(&state, games(1..=2)).expect("a file");
        assert!(matches!(error(run(&inputs, &state).fresh(true)), CollectError::Kept(KeptError::Checkpoint { .. })));
        let said = error(Collect::new(vec![Input::File(state.clone())]).checkpoint(&state)).to_string();
        assert!(said.contains("is an input"), "{said}");
    }
}
