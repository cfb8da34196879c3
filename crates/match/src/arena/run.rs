//! A match: pairs handed out to workers, taken back in their order.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::game::play;
use super::limits::Limits;
use super::opening::Opening;
use super::player::{Player, PlayerLost};
use super::record::PairRecord;
use super::rules::{End, Rules};
use super::tablebase::Tablebases;
use super::tally::Tally;
use super::workers::in_order;
use drawish_stats::{Decision, Sprt, SprtError};

/// What is played.
pub struct Match<'a> {
    /// In the order in which they are played; used again from the first if there are fewer than pairs.
    pub openings: &'a [Opening],
    /// Pairs to play at most.
    pub pairs: u64,
    /// Of both sides.
    pub limits: [Limits; 2],
    /// What ends games early.
    pub rules: Rules,
    /// What knows how games end that are not over.
    pub tablebases: Option<&'a dyn Tablebases>,
    /// What ends the match early.
    pub sprt: Option<Sprt>,
    /// Workers, each with a player of either side.
    pub concurrency: NonZeroUsize,
    /// So many games may be lost by a side's crashes and stalls before the match is given up.
    pub fault_limit: u64,
    /// Records of every so many pairs, beginning with the first, have their moves; the others are [abridged](PairRecord::abridged).
    pub moves_of_every: NonZeroU64,
}

/// Makes a player of side 0 or 1 for a worker.
pub type PlayerMaker<'a> = dyn Fn(usize) -> Result<Box<dyn Player>, PlayerLost> + Sync + 'a;

/// Is given each finished pair, the score after it and the log-likelihood ratio of the test; a break ends the match.
pub type Receiver<'a, E> = dyn FnMut(&PairRecord, &Tally, Option<f64>) -> Result<ControlFlow<()>, E> + Send + 'a;

/// How a match has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// How it stands.
    pub tally: Tally,
    /// What the test says; `Continue` without one.
    pub decision: Decision,
    /// The log-likelihood ratio of the test.
    pub llr: Option<f64>,
}

/// Why a match cannot go on. What was played before is safe with whoever has received it.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MatchError<E> {
    #[error(transparent)]
    Player(#[from] PlayerLost),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error("lost {faults} games by crashing or stalling; mend it and play again")]
    Faults { side: usize, faults: u64 },
    #[error(transparent)]
    Receiver(E),
}

impl Match<'_> {
    /// Plays the pairs that are not among the `finished` ones, which are the first of the match.
    /// Each pair is given to `receive` in the order of their numbers, with the score after it. With a
    /// test the match ends at the first pair after which it is decided, however many workers there are.
    ///
    /// # Errors
    ///
    /// If a player cannot be had, one fails too often, or the receiver does.
    pub fn run<E: Send>(
        &self,
        player: &PlayerMaker<'_>,
        finished: &[PairRecord],
        receive: &mut Receiver<'_, E>,
    ) -> Result<Finished, MatchError<E>> {
        let mut score = Finished { tally: Tally::default(), decision: Decision::Continue, llr: None };
        for record in finished {
            self.count(&mut score, record)?;
            if score.decision != Decision::Continue {
                return Ok(score);
            }
        }
        let players = || Ok([player(0)?, player(1)?]);
        let left = (finished.len() as u64).min(self.pairs)..self.pairs;
        in_order(
            self.concurrency,
            left,
            players,
            |[first, second]: &mut [Box<dyn Player>; 2], number, stop| {
                self.pair(number, first.as_mut(), second.as_mut(), stop)
            },
            |record| self.receive(&record, &mut score, receive),
        )?;
        Ok(score)
    }

    fn pair(
        &self,
        number: u64,
        first: &mut dyn Player,
        second: &mut dyn Player,
        stop: &AtomicBool,
    ) -> Result<Option<PairRecord>, PlayerLost> {
        let opening = &self.openings[(number % self.openings.len() as u64) as usize];
        let [one, two] = [&self.limits[0], &self.limits[1]];
        let Some(game) = play(opening, [&mut *first, &mut *second], [one, two], &self.rules, self.tablebases, stop)?
        else {
            return Ok(None);
        };
        let Some(reversed) = play(opening, [second, first], [two, one], &self.rules, self.tablebases, stop)? else {
            return Ok(None);
        };
        let with_times = self.limits.iter().any(Limits::by_time);
        let record = PairRecord::new(number + 1, opening, [&game, &reversed], with_times);
        Ok(Some(if number % self.moves_of_every == 0 { record } else { record.abridged() }))
    }

    fn receive<E>(
        &self,
        record: &PairRecord,
        score: &mut Finished,
        receive: &mut Receiver<'_, E>,
    ) -> Result<ControlFlow<()>, MatchError<E>> {
        self.count(score, record)?;
        let wish = receive(record, &score.tally, score.llr).map_err(MatchError::Receiver)?;
        for (side, faults) in score.tally.faults.iter().enumerate() {
            let faults = faults.iter().filter(|(end, _)| matches!(end, End::Crash | End::Stall));
            let faults = faults.map(|(_, games)| games).sum();
            if faults > self.fault_limit {
                return Err(MatchError::Faults { side, faults });
            }
        }
        let decided = score.decision != Decision::Continue;
        Ok(if decided { ControlFlow::Break(()) } else { wish })
    }

    fn count(&self, score: &mut Finished, record: &PairRecord) -> Result<(), SprtError> {
        score.tally.add(record);
        if let Some(sprt) = &self.sprt {
            let results = score.tally.results_for(sprt.model());
            let llr = sprt.llr(&results)?;
            (score.llr, score.decision) = (Some(llr), sprt.decide(llr));
        }
        Ok(())
    }
}
