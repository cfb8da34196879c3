//! Putting the pieces together in the order of the input, whatever the order in which threads finish them.

use std::collections::HashSet;
use std::mem;
use std::ops::ControlFlow;

use drawish_core::StructureIndex;

use super::checkpoint::{Checkpoint, Resumed};
use super::{CollectError, Collected};
use crate::counts::{Counts, CountsFile, Shard};
use crate::pgn::{Anomalies, Input, InputProblems, Piece};
use crate::sample::{Batch, SkipReason, Tally};

/// The counts in the making.
pub(super) struct Assembly {
    inputs: Vec<Input>,
    dedupe: bool,
    checkpoint: Option<Checkpoint>,
    /// Bytes of the inputs that have ended, and of the current one.
    bytes: (u64, u64),
    games: u64,
    seen: HashSet<u64>,
    current: Current,
    collected: Collected,
    failure: Option<CollectError>,
}

/// The input whose pieces are being put together. Its results are added to the others only at its end, when it is
/// known not to be a copy of another input.
struct Current {
    tally: Tally,
    anomalies: Anomalies,
    counts: Counts,
    /// The cells with results, so that clearing them does not mean walking all.
    touched: Vec<StructureIndex>,
}

impl Assembly {
    /// Goes on from what an earlier run has finished.
    pub fn new(resumed: Resumed, inputs: Vec<Input>, dedupe: bool, checkpoint: Option<Checkpoint>) -> Self {
        let Resumed { mut file, done } = resumed;
        let mut collected = Collected {
            file: CountsFile::new(String::new(), String::new(), file.counts.scheme()),
            problems: InputProblems::default(),
            resumed: done.len(),
        };
        for (path, digest) in done {
            if let Some(shard) = file.shards.iter().find(|shard| shard.digest == digest) {
                collected.problems.note_end(&Input::File(path), shard.broken.clone(), true, shard.tally.games());
            }
        }
        let seen = mem::take(&mut file.seen).into_iter().collect();
        let counts = Counts::new(file.counts.scheme());
        collected.file = file;
        Assembly {
            inputs,
            dedupe,
            checkpoint,
            bytes: (0, 0),
            games: 0,
            seen,
            current: Current { tally: Tally::default(), anomalies: Anomalies::default(), counts, touched: Vec::new() },
            collected,
            failure: None,
        }
    }

    /// Takes a piece; breaks off once the run has failed.
    pub fn add(&mut self, piece: Piece<Batch>) -> ControlFlow<()> {
        match piece {
            Piece::Games { found: batch, anomalies, file_bytes } => {
                self.bytes.1 = file_bytes;
                self.games += batch.tally.games();
                self.current.anomalies += anomalies;
                self.add_games(&batch);
            }
            Piece::End { input, digest, file_bytes, broken, ends_whole } => {
                self.bytes = (self.bytes.0 + file_bytes, 0);
                self.end_input(input, (digest, file_bytes), broken, ends_whole);
            }
        }
        if self.failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Bytes of files and games put together so far.
    pub fn progress(&self) -> (u64, u64) {
        (self.bytes.0 + self.bytes.1, self.games)
    }

    pub fn finish(self) -> Result<Collected, CollectError> {
        self.failure.map_or(Ok(self.collected), Err)
    }

    fn add_games(&mut self, batch: &Batch) {
        let current = &mut self.current;
        current.tally += batch.tally;
        let scheme = current.counts.scheme();
        for game in &batch.games {
            if self.dedupe && !self.seen.insert(game.fingerprint) {
                current.tally.withdraw(SkipReason::Duplicate, 1);
                current.tally.positions -= game.positions.len() as u64;
                continue;
            }
            for &pawns in &batch.positions[game.positions.clone()] {
                let cell = scheme.index(pawns);
                let wdl = current.counts.get_mut(cell);
                if wdl.total() == 0 {
                    current.touched.push(cell);
                }
                wdl.count(game.outcome);
            }
        }
    }

    fn end_input(&mut self, input: usize, (digest, file_bytes): (u128, u64), broken: Option<String>, ends_whole: bool) {
        let current = &mut self.current;
        let tally = mem::take(&mut current.tally);
        let anomalies = mem::take(&mut current.anomalies);
        let is_last = input + 1 == self.inputs.len();
        let input = self.inputs[input].clone();
        let file = &mut self.collected.file;
        let original = file.shard_with_digest(digest, file_bytes).map(|shard| shard.name.clone());
        for cell in current.touched.drain(..) {
            let wdl = mem::take(current.counts.get_mut(cell));
            if original.is_none() {
                *file.counts.get_mut(cell) += wdl;
            }
        }
        if let Some(original) = original {
            self.collected.problems.repeated.push((input, original));
            return;
        }
        let shard = Shard { name: input.name(), digest, file_bytes, broken, tally, anomalies };
        self.collected.problems.note_end(&input, shard.broken.clone(), ends_whole, shard.tally.games());
        let file = &mut self.collected.file;
        file.add_shard(shard);
        // After the last input the counts themselves are written.
        if !is_last
            && let Some(checkpoint) = &mut self.checkpoint
            && let Err(error) = checkpoint.keep(file, &self.seen)
        {
            self.failure = Some(error);
        }
    }
}
