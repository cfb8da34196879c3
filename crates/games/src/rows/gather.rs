//! The run that turns files into rows, in the order of the input.

use std::collections::HashSet;
use std::num::NonZero;

use drawish_artefact::provenance::{InputRecord, made_by};

use super::{Judge, Rows, RowsProvenance, TakeRows, VERSION};
use crate::fan_out::all_cores;
use crate::pgn::{Anomalies, Input, InputProblems, Progress, Step, read_in_order};
use crate::sample::{Rule, Sampler, SkipReason, Tally};

/// A run that turns files into rows.
///
/// By default every core works, and the evaluations are those in the comments.
pub struct Gather<'a> {
    inputs: Vec<Input>,
    rule: Rule,
    judge: Option<Judge>,
    threads: NonZero<usize>,
    progress: &'a Progress<'a>,
}

/// What a run has read; its rows went to the sink.
#[derive(Debug)]
#[non_exhaustive]
pub struct Gathered {
    /// Every game, counted or left out.
    pub tally: Tally,
    /// What was odd.
    pub anomalies: Anomalies,
    /// What a file of these rows records of its making.
    pub provenance: RowsProvenance,
    /// What must be reported of single inputs.
    pub problems: InputProblems,
}

impl<'a> Gather<'a> {
    /// Rows of these inputs by the default rule.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Gather<'a> {
        Gather { inputs, rule: Rule::default(), judge: None, threads: all_cores(), progress: &|_, _| {} }
    }

    /// Which positions count.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Gather { rule, ..self }
    }

    /// Evaluations by a judge, in the place of those in comments.
    #[must_use]
    pub fn judge(self, judge: Option<Judge>) -> Self {
        Gather { judge, ..self }
    }

    /// How many threads parse, as far as the system allows that many. They change nothing in the rows.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Gather { threads, ..self }
    }

    /// Called with the bytes and games read so far.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Gather { progress, ..self }
    }

    /// Reads all inputs and hands the rows, some thousands at a time and always in the same order and chunks, to `sink`.
    ///
    /// # Errors
    ///
    /// The first one of `sink`; then the run ends.
    pub fn run<E: Send>(self, mut sink: impl FnMut(Rows) -> Result<(), E> + Send) -> Result<Gathered, E> {
        let Gather { inputs, rule, judge, threads, progress } = self;
        // The line of the rule, and after it what tells the judge's evaluations from those in comments.
        let line = if judge.is_some() { format!("{rule} --static") } else { rule.to_string() };
        let mut problems = InputProblems::default();
        let inputs = problems.leave_out_copies(inputs);
        let mut gathered = Gathered {
            tally: Tally::default(),
            anomalies: Anomalies::default(),
            provenance: RowsProvenance { version: VERSION, made_by: made_by(), rule: line, inputs: Vec::new() },
            problems,
        };
        let mut seen = HashSet::new();
        let take = |step: Step<'_, Tally, TakeRows>| {
            match step {
                Step::Chunk { found: mut taken, account: tally, .. } => {
                    if rule.dedupe {
                        withdraw_repeated(&mut taken, &mut seen, tally);
                    }
                    sink(taken.rows)?;
                }
                Step::End(read) => {
                    gathered.problems.note(&read);
                    gathered.tally += read.account;
                    gathered.anomalies += read.anomalies;
                    let record: InputRecord = read.record(read.account.counted());
                    gathered.provenance.inputs.push(record);
                }
            }
            Ok(())
        };
        let sampler = || Sampler::with(&rule, TakeRows::judged(judge));
        read_in_order(&inputs, threads, progress, sampler, Sampler::into_parts, take)?;
        if rule.dedupe {
            // The games of a copy were withdrawn one by one.
            gathered.problems.used_twice.clear();
        }
        Ok(gathered)
    }
}

/// Takes the rows of games that were seen before out again.
fn withdraw_repeated(taken: &mut TakeRows, seen: &mut HashSet<u64>, tally: &mut Tally) {
    let mut keep = Vec::with_capacity(taken.rows.len());
    for &(fingerprint, rows) in &taken.games {
        let is_new = seen.insert(fingerprint);
        keep.extend(std::iter::repeat_n(is_new, rows));
        if !is_new {
            tally.withdraw(SkipReason::Duplicate, 1);
            tally.positions -= rows as u64;
        }
    }
    if keep.contains(&false) {
        taken.rows.retain(&keep);
    }
}
