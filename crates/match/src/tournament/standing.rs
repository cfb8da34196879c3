//! How a tournament stands.

use std::collections::HashMap;
use std::sync::Arc;

use drawish_stats::{EloZero, FEWEST_DIFFERING, Ratings, RatingsError, RoundPair, Trinomial};

use super::Schedule;
use crate::arena::{End, PairRecord, Tally};

/// The results of a tournament so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    names: Vec<String>,
    meetings: Vec<Meeting>,
    /// How many there are before they come again; at least 1.
    openings: u32,
    pairs: u64,
    /// The numbers of the pairs, from 0, and half points of the first engine: pairs of a round have their opening in common. Without
    /// those that are the same games as an earlier pair of the same engines. In parts, which copies share.
    halves: Vec<Arc<Vec<(u32, u8)>>>,
    /// The place of the meeting of two engines, whose numbers ascend.
    places: Arc<HashMap<[usize; 2], usize>>,
    /// The pairing that has played each pair of games first, whoever had which side.
    seen: HashMap<u64, usize>,
    /// Pairs that another pairing had played before.
    shared: u64,
}

/// So many pairs are in a part.
const PART: usize = 1024;

/// The results of a pairing.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// Who plays, by number from 0.
    pub engines: [usize; 2],
    /// The results, seen by the first of both.
    pub tally: Tally,
}

/// The results of an engine against all others.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EngineResults {
    /// Won, drawn and lost games.
    pub games: Trinomial,
    /// Games that it has lost by a fault.
    pub faults: u64,
    /// Searches that went far beyond their limits.
    pub overran: u64,
}

impl EngineResults {
    /// Games.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games.wins + self.games.draws + self.games.losses
    }

    /// Points: half of one for each draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.games.wins as f64 + self.games.draws as f64 / 2.0
    }

    fn add(&mut self, meeting: &Meeting, side: usize) {
        let Trinomial { wins, draws, losses } = meeting.tally.games;
        let (wins, losses) = if side == 0 { (wins, losses) } else { (losses, wins) };
        self.games.wins += wins;
        self.games.draws += draws;
        self.games.losses += losses;
        self.faults += meeting.tally.faults[side].values().sum::<u64>();
        self.overran += meeting.tally.overran[side];
    }
}

impl Standing {
    /// Before the first game of a tournament from so many openings, which come again if there are more rounds.
    #[must_use]
    pub fn new(names: Vec<String>, schedule: Schedule, openings: u64) -> Standing {
        let pairings = schedule.pairings(names.len());
        let places = pairings.iter().enumerate().map(|(place, &engines)| (engines, place)).collect();
        let meetings = pairings.into_iter().map(|engines| Meeting { engines, tally: Tally::default() }).collect();
        Standing {
            names,
            meetings,
            openings: u32::try_from(openings.max(1)).unwrap_or(u32::MAX),
            places: Arc::new(places),
            pairs: 0,
            halves: Vec::new(),
            seen: HashMap::new(),
            shared: 0,
        }
    }

    /// A copy to be shown, to which no pairs are added: it is much smaller than a clone, which keeps the fingerprint of each pair.
    #[must_use]
    pub fn to_be_shown(&self) -> Standing {
        let shown = |meeting: &Meeting| Meeting { engines: meeting.engines, tally: meeting.tally.to_be_shown() };
        let meetings = self.meetings.iter().map(shown).collect();
        Standing {
            names: self.names.clone(),
            meetings,
            openings: self.openings,
            places: self.places.clone(),
            pairs: self.pairs,
            halves: self.halves.clone(),
            seen: HashMap::new(),
            shared: self.shared,
        }
    }

    /// Adds a pair, which belongs to the pairing that its number says.
    pub fn add(&mut self, record: &PairRecord) {
        if let Some(pairing) = self.pairing(record)
            && let Some(meeting) = self.meetings.get_mut(pairing)
        {
            let repeated = meeting.tally.repeated();
            meeting.tally.add(record);
            // Neither who has played a game nor which of the two it was is in this.
            let first = record
                .fingerprint([""; 2])
                .and_then(|prints| prints.map(|print| *self.seen.entry(print).or_insert(pairing)).into_iter().min());
            let is_new_to_these = meeting.tally.repeated() == repeated;
            self.shared += u64::from(is_new_to_these && first.is_some_and(|first| first != pairing));
            self.pairs += 1;
            if !is_new_to_these {
                return;
            }
            if self.halves.last().is_none_or(|part| part.len() >= PART) {
                self.halves.push(Arc::default());
            }
            #[cfg_attr(
                not(test),
                expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 4 halves of a point")
            )]
            let halves = (4.0 * record.score()) as u8;
            let last = self.halves.last_mut().map(Arc::make_mut);
            last.into_iter()
                .for_each(|part| part.push((u32::try_from(record.pair.saturating_sub(1)).unwrap_or(u32::MAX), halves)));
        }
    }

    /// The place among the pairings of the one that a pair belongs to, by its number; `None` without pairings.
    pub(crate) fn pairing(&self, record: &PairRecord) -> Option<usize> {
        usize::try_from(record.pair.saturating_sub(1).checked_rem(self.meetings.len() as u64)?).ok()
    }

    /// Pairs that are the same games as a pair that two others have played before: these engines play alike, and their games are no
    /// evidence of their own. Not those that are the same games as an earlier pair of their own engines, see [`Tally::repeated`].
    #[must_use]
    pub fn shared(&self) -> u64 {
        self.shared
    }

    /// The engines, in the order in which they are numbered.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The pairings in their order.
    #[must_use]
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// Finished pairs of all pairings.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The results of an engine.
    #[must_use]
    pub fn of_engine(&self, engine: usize) -> EngineResults {
        let mut results = EngineResults::default();
        for meeting in &self.meetings {
            for side in [0, 1] {
                if meeting.engines[side] == engine {
                    results.add(meeting, side);
                }
            }
        }
        results
    }

    /// The results of an engine against another one; `None` if these two do not play each other.
    #[must_use]
    pub fn between(&self, engine: usize, other: usize) -> Option<EngineResults> {
        let mut results = EngineResults::default();
        let place = *self.places.get(&[engine.min(other), engine.max(other)])?;
        results.add(&self.meetings[place], usize::from(engine > other));
        Some(results)
    }

    /// The openings that come again, if they do and are too few for errors by openings: errors by rounds are for just these openings.
    #[must_use]
    pub fn too_few_openings(&self) -> Option<u32> {
        let pairings = self.meetings.len().max(1) as u64;
        (u64::from(self.openings) <= FEWEST_DIFFERING && self.pairs > u64::from(self.openings) * pairings)
            .then_some(self.openings)
    }

    /// Elo of all engines, with errors by openings: all pairings of a round play the same one, and more rounds do if there are fewer
    /// openings than rounds. Where [these are too few](Self::too_few_openings) errors are by rounds. Pairs that are the same games as an
    /// earlier pair of the same engines are left out.
    ///
    /// # Errors
    ///
    /// If not all engines are connected by games yet, or the one that should have Elo 0 is not there or has none.
    pub fn ratings(&self, zero: EloZero) -> Result<Ratings, RatingsError> {
        let pairings = u32::try_from(self.meetings.len().max(1)).unwrap_or(u32::MAX);
        let openings = if self.too_few_openings().is_some() { u32::MAX } else { self.openings };
        let pair = |&(number, halves): &(u32, u8)| {
            let engines = self.meetings[(number % pairings) as usize].engines;
            RoundPair { engines, halves, round: number / pairings % openings }
        };
        Ratings::of_rounds(
            self.names.len(),
            &self.halves.iter().flat_map(|part| part.iter()).map(pair).collect::<Vec<_>>(),
            zero,
        )
    }

    /// An engine that has lost more games than that by crashing or stalling.
    pub(super) fn too_faulty(&self, limit: u64) -> Option<(&str, u64)> {
        let failed = |engine: usize| -> u64 {
            let sides = self.meetings.iter().flat_map(|meeting| meeting.engines.iter().zip(&meeting.tally.faults));
            let own = sides.filter(|(own, _)| **own == engine).flat_map(|(_, faults)| faults);
            own.filter(|(end, _)| matches!(end, End::Crash | End::Stall)).map(|(_, games)| games).sum()
        };
        let counted = self.names.iter().enumerate().map(|(engine, name)| (name.as_str(), failed(engine)));
        counted.into_iter().find(|(_, faults)| *faults > limit)
    }
}
