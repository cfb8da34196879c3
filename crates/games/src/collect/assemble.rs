//! Putting chunks together in the order of the input, whatever the order in which threads finish them.

use std::collections::HashSet;
use std::mem;

use drawish_core::StructureIndex;

use super::Collected;
use super::checkpoint::{Account, Done, InputAccount, Resumed};
use crate::counts::{Contents, Counts, CountsFile, SAMPLE, Shard};
use crate::kept::{Keeper, KeptError};
use crate::pgn::{InputEnding, InputProblems, ReadInput, Step};
use crate::sample::{Batch, Dedupe, GamesAgain, SkipReason, Tally};

/// The counts in the making.
pub(super) struct Assembly {
    dedupe: Dedupe,
    keeper: Option<Keeper>,
    seen: HashSet<u64>,
    /// Of the input that is being read, as with `current`.
    repeats: GamesAgain,
    /// Results of the input that is being read. They are added to the others only at its end, when it is known not to be a
    /// copy of another input.
    current: Counts,
    /// The cells with results, so that clearing them does not mean walking all.
    touched: Vec<StructureIndex>,
    account: Account,
    collected: Collected,
    /// Of the inputs that have ended.
    contents: Contents,
}

impl Assembly {
    /// Goes on from what an earlier run has finished.
    pub fn new(resumed: Resumed, dedupe: Dedupe, keeper: Option<Keeper>) -> Self {
        let Resumed { mut file, account, done } = resumed;
        let mut problems = InputProblems::default();
        let resumed = done.len();
        for Done { input, digest } in done.into_values() {
            if let Some(shard) = file.shards.iter().find(|shard| shard.digest == digest.0)
                && let Some(InputAccount { ends_whole, odd_words }) = account.inputs.get(&digest)
            {
                let rescued = shard.anomalies.rescued_games;
                let end = InputEnding { broken: shard.broken.clone(), ends_whole: *ends_whole, rescued };
                problems.note_odd_words(&input, odd_words);
                problems.note_end(&input, end, shard.tally.games());
            }
        }
        let contents = Contents::of(&file);
        let seen = mem::take(&mut file.seen).into_iter().collect();
        let current = Counts::new(file.counts.scheme());
        let repeats = GamesAgain::default();
        let collected = Collected { file, problems, resumed, repeats: repeats.clone() };
        Assembly { dedupe, keeper, seen, repeats, current, touched: Vec::new(), account, collected, contents }
    }

    /// Takes what was read next.
    pub fn add(&mut self, step: Step<'_, Tally, Batch>) -> Result<(), KeptError> {
        match step {
            Step::Chunk { found, account, input, .. } => {
                self.add_games(&found, account, !input.is_of_positions());
                Ok(())
            }
            Step::End(read) => self.end_input(read),
        }
    }

    pub fn finish(mut self) -> Collected {
        self.collected.file.sort_shards();
        Collected { repeats: self.account.repeats, ..self.collected }
    }

    fn add_games(&mut self, batch: &Batch, tally: &mut Tally, are_games: bool) {
        let scheme = self.current.scheme();
        for game in &batch.games {
            if game.identity.is_copy(self.dedupe, &mut self.seen) {
                tally.withdraw(SkipReason::Duplicate, 1);
                tally.positions -= game.positions.len() as u64;
                continue;
            }
            if are_games {
                self.repeats.add(game.identity, self.dedupe);
            }
            for &pawns in &batch.positions[game.positions.clone()] {
                let cell = scheme.index(pawns);
                let wdl = self.current.get_mut(cell);
                if wdl.total() == 0 {
                    self.touched.push(cell);
                }
                wdl.count(game.outcome);
            }
        }
    }

    fn end_input(&mut self, read: ReadInput<Tally>) -> Result<(), KeptError> {
        let (Collected { file, problems, .. }, account) = (&mut self.collected, &mut self.account);
        let repeats_within = mem::take(&mut self.repeats);
        let shard = Shard {
            name: read.input.name(),
            digest: read.digest.0,
            unpacked_digest: read.unpacked.map(|digest| digest.0),
            file_bytes: read.bytes,
            broken: read.broken.clone(),
            tally: read.account,
            anomalies: read.anomalies,
        };
        let may_be_copy = self.contents.may_hold(&shard);
        let original = may_be_copy.then(|| file.shard_like(&shard)).flatten().map(|shard| shard.name.clone());
        for cell in self.touched.drain(..) {
            let wdl = mem::take(self.current.get_mut(cell));
            if original.is_none() {
                *file.counts.get_mut(cell) += wdl;
            }
        }
        if let Some(original) = original {
            problems.repeated.push((read.input, original));
            return Ok(());
        }
        problems.note(&read);
        file.add_games(Some(repeats_within.games.clone().sample(SAMPLE)));
        account.repeats.merge(repeats_within);
        let of_input = InputAccount { ends_whole: read.ends_whole, odd_words: *read.odd_words };
        account.inputs.insert(read.digest, of_input);
        self.contents.add(&shard);
        file.shards.push(shard);
        // After the last input the counts themselves are written.
        match &mut self.keeper {
            Some(keeper) if !read.is_last => keeper.keep(|| {
                file.sort_shards();
                state(file, &self.seen, account)
            }),
            _ => Ok(()),
        }
    }
}

/// The bytes of the counts so far, with the games that were seen.
fn state(file: &CountsFile, seen: &HashSet<u64>, account: &Account) -> Vec<u8> {
    if seen.is_empty() {
        return account.to_bytes(file);
    }
    let mut with_seen = file.clone();
    with_seen.seen = seen.iter().copied().collect();
    with_seen.seen.sort_unstable();
    account.to_bytes(&with_seen)
}
