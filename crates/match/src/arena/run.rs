//! A match: pairs handed out to workers, taken back in their order.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use drawish_stats::numbers::counted;
use thiserror::Error;

use super::figures::Figures;
use super::game::{play, seat};
use super::limits::Limits;
use super::opening::Opening;
use super::player::{Player, PlayerLost};
use super::record::{Kept, PairRecord};
use super::rules::{End, Rules};
use super::tablebase::Tablebases;
use super::tally::Tally;
use super::workers::in_order;
use drawish_stats::{Decision, Results, Sprt, SprtError};

/// What is played.
pub struct Match<'a> {
    /// In the order in which they are played; used again from the first if there are fewer than pairs.
    pub openings: &'a [Opening],
    /// Pairs of the match at most.
    pub pairs: u64,
    /// So many pairs at the beginning are not played, because others play them.
    pub passed: u64,
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
    /// What records have of each search that differs from run to run.
    pub figures: Figures,
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
    /// The results that the test has judged: those up to its decision, without pairs that are the same games as an earlier one. Pairs of
    /// a log that stand behind it are in the tally only.
    pub judged: Option<Results>,
    /// Pairs up to that.
    pub judged_pairs: u64,
}

impl Finished {
    /// Pairs after the one that decided the test.
    #[must_use]
    pub fn later(&self) -> u64 {
        if self.decision == Decision::Continue { 0 } else { self.tally.pairs_played() - self.judged_pairs }
    }
}

/// Why a match cannot go on. What was played before is safe with whoever has received it.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MatchError<E> {
    #[error(transparent)]
    Player(#[from] PlayerLost),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error("lost {} by crashing or stalling; mend it and play again", counted(*faults, "game"))]
    Faults { side: usize, faults: u64 },
    #[error(transparent)]
    Receiver(E),
}

impl Match<'_> {
    /// Plays the pairs that are not among the `finished` ones, which are the first behind those that are passed.
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
        let mut scoring = Scoring::new(self.sprt, self.fault_limit);
        for record in finished {
            scoring.count(record)?;
        }
        if scoring.is_decided() {
            return Ok(scoring.finished);
        }
        let players = || Ok([player(0)?, player(1)?]);
        let left = (self.passed + finished.len() as u64).min(self.pairs)..self.pairs;
        in_order(
            self.concurrency,
            left,
            players,
            |[first, second]: &mut [Box<dyn Player>; 2], number, stop| {
                self.pair(number, first.as_mut(), second.as_mut(), stop)
            },
            |record| scoring.receive(&record, receive),
        )?;
        Ok(scoring.finished)
    }

    fn pair(
        &self,
        number: u64,
        first: &mut dyn Player,
        second: &mut dyn Player,
        stop: &AtomicBool,
    ) -> Result<Option<PairRecord>, PlayerLost> {
        let opening = super::in_turn(self.openings, number);
        let playing =
            Playing { limits: self.limits, rules: &self.rules, tablebases: self.tablebases, figures: self.figures };
        let record = play_pair(number + 1, opening, [first, second], &playing, stop)?;
        let is_whole = number % self.moves_of_every == 0;
        Ok(record.map(|record| if is_whole { record } else { record.abridged() }))
    }
}

/// How a pair is played, and what is kept of it.
pub(crate) struct Playing<'a> {
    pub(crate) limits: [Limits; 2],
    pub(crate) rules: &'a Rules,
    pub(crate) tablebases: Option<&'a dyn Tablebases>,
    pub(crate) figures: Figures,
}

/// Plays an opening with both colours; nothing comes of it when it is stopped.
pub(crate) fn play_pair(
    pair: u64,
    opening: &Opening,
    [first, second]: [&mut dyn Player; 2],
    playing: &Playing<'_>,
    stop: &AtomicBool,
) -> Result<Option<PairRecord>, PlayerLost> {
    let Playing { limits, rules, tablebases, figures } = *playing;
    let [one, two] = &limits;
    seat([&mut *first, &mut *second], pair, 1);
    let Some(game) = play(opening, [&mut *first, &mut *second], [one, two], rules, tablebases, stop)? else {
        return Ok(None);
    };
    seat([&mut *second, &mut *first], pair, 2);
    let Some(reversed) = play(opening, [second, first], [two, one], rules, tablebases, stop)? else {
        return Ok(None);
    };
    let kept = Kept { times: limits.iter().any(Limits::by_time), figures };
    Ok(Some(PairRecord::new(pair, opening, [&game, &reversed], kept)))
}

/// The score of pairs that are finished one after the other, and what ends the match.
#[derive(Clone, Debug)]
pub(crate) struct Scoring {
    pub(crate) finished: Finished,
    sprt: Option<Sprt>,
    fault_limit: u64,
}

impl Scoring {
    /// The score of no pairs.
    pub(crate) fn new(sprt: Option<Sprt>, fault_limit: u64) -> Scoring {
        let tally = Tally::default();
        let finished = Finished { tally, decision: Decision::Continue, llr: None, judged: None, judged_pairs: 0 };
        Scoring { finished, sprt, fault_limit }
    }

    /// Whether the test is decided.
    pub(crate) fn is_decided(&self) -> bool {
        self.finished.decision != Decision::Continue
    }

    /// Adds the next pair. Once the test is decided it looks at no more.
    pub(crate) fn count(&mut self, record: &PairRecord) -> Result<(), SprtError> {
        self.finished.tally.add(record);
        if let Some(sprt) = &self.sprt
            && !self.is_decided()
        {
            let results = self.finished.tally.results_for(sprt.model());
            let llr = sprt.llr(&results)?;
            (self.finished.llr, self.finished.decision) = (Some(llr), sprt.decide(llr));
            self.finished.judged = Some(results);
            self.finished.judged_pairs = self.finished.tally.pairs_played();
        }
        Ok(())
    }

    /// Adds the next pair, which the receiver writes down; breaks at the end of the match.
    pub(crate) fn receive<E>(
        &mut self,
        record: &PairRecord,
        receive: &mut Receiver<'_, E>,
    ) -> Result<ControlFlow<()>, MatchError<E>> {
        self.count(record)?;
        let wish = receive(record, &self.finished.tally, self.finished.llr).map_err(MatchError::Receiver)?;
        for (side, faults) in self.finished.tally.faults.iter().enumerate() {
            let faults = faults.iter().filter(|(end, _)| matches!(end, End::Crash | End::Stall));
            let faults = faults.map(|(_, games)| games).sum();
            if faults > self.fault_limit {
                return Err(MatchError::Faults { side, faults });
            }
        }
        Ok(if self.is_decided() { ControlFlow::Break(()) } else { wish })
    }
}
