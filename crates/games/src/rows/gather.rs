//! The run that turns files into rows, in the order of the input.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::ControlFlow;

use drawish_artefact::provenance::InputProvenance;

use super::{Judge, Rows, TakeRows};
use crate::pgn::{Anomalies, Input, InputProblems, Piece, read_in_order};
use crate::sample::{Rule, Sampler, SkipReason, Tally};

/// What a run has read; its rows went to the sink.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Every game, counted or left out.
    pub tally: Tally,
    /// What was odd.
    pub anomalies: Anomalies,
    /// The inputs that were read.
    pub inputs: Vec<InputProvenance>,
    /// What must be told of single inputs.
    pub problems: InputProblems,
}

/// Reads all inputs on several threads and hands the rows, some thousands at a time and always in the same order and
/// portions, to `sink`; `progress` is told bytes and games. With a `judge` the evaluations are its own.
///
/// # Errors
///
/// The first one of `sink`; then the run ends.
pub fn gather<E: Send>(
    inputs: Vec<Input>,
    rule: &Rule,
    judge: Option<Judge>,
    threads: NonZero<usize>,
    mut sink: impl FnMut(Rows) -> Result<(), E> + Send,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Gathered, E> {
    let mut gathered = Gathered::default();
    let inputs = gathered.problems.leave_out_copies(inputs);
    let mut failure = None;
    let mut seen = HashSet::new();
    let mut of_input = (Tally::default(), Anomalies::default());
    let mut bytes_before = 0;
    let take = |piece: Piece<(Tally, TakeRows)>| {
        match piece {
            Piece::Games { found: (tally, mut taken), anomalies, file_bytes } => {
                of_input.0 += tally;
                of_input.1 += anomalies;
                if rule.dedupe {
                    withdraw_repeated(&mut taken, &mut seen, &mut of_input.0);
                }
                if let Err(error) = sink(taken.rows) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                progress(bytes_before + file_bytes, gathered.tally.games() + of_input.0.games());
            }
            Piece::End { input, digest, file_bytes, broken, ends_whole } => {
                bytes_before += file_bytes;
                let (tally, anomalies) = std::mem::take(&mut of_input);
                gathered.tally += tally;
                gathered.anomalies += anomalies;
                let (input, games) = (&inputs[input], tally.games());
                gathered.inputs.push(InputProvenance {
                    name: input.name(),
                    xxh3_128: format!("{digest:032x}"),
                    games,
                    counted: tally.counted(),
                });
                gathered.problems.note_end(input, broken, ends_whole, games);
            }
        }
        ControlFlow::Continue(())
    };
    let sampler = || Sampler::with(rule, TakeRows::judged(judge));
    read_in_order(inputs.clone(), threads, sampler, Sampler::into_parts, take);
    failure.map_or(Ok(gathered), Err)
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
