//! Playing steps on several threads, so that their number changes nothing.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shakmaty::Color;

use super::error::SpsaError;
use super::log::{SpsaSetup, StepRecord};
use super::parameter::Parameter;
use super::path::Path;
use super::players::TunedPlayer;
use super::sameness::is_same;
use super::schedule::Perturbation;
use crate::arena::{Game, Limits, Opening, Rules, Tablebases, in_order, play, seat};
use crate::contest::Players;

/// So often a thread that waits for the steps before its own looks whether the run has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The steps of a run that are not in its log.
pub(super) struct Steps<'a> {
    pub(super) setup: &'a SpsaSetup,
    pub(super) parameters: Arc<[Parameter]>,
    pub(super) players: &'a Players,
    pub(super) openings: &'a [Opening],
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    pub(super) tablebases: Option<&'a dyn Tablebases>,
    pub(super) workers: NonZeroUsize,
    pub(super) fault_limit: u64,
    pub(super) seed: u64,
}

/// A step that has been played.
struct Step {
    perturbation: Perturbation,
    record: StepRecord,
    /// Of each pair, whether both games are the same.
    same: Vec<bool>,
}

/// What all threads see.
struct Shared {
    path: Mutex<Path>,
    moved: Condvar,
    faults: AtomicU64,
}

impl Shared {
    fn path(&self) -> MutexGuard<'_, Path> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values after so many steps, once these are over; `None` if the run ends before.
    fn values_after(&self, steps: u64, stop: &AtomicBool) -> Option<Vec<f64>> {
        let mut path = self.path();
        while path.steps() < steps {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            path = self.moved.wait_timeout(path, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(path.after(steps).to_vec())
    }
}

impl Steps<'_> {
    /// Plays on from where a path ends, and gives every step to `receive`, until it breaks off: with whether both games of each of
    /// its pairs are the same, and with the path after it.
    pub(super) fn run(
        &self,
        path: Path,
        faults: u64,
        mut receive: impl FnMut(&StepRecord, &[bool], &Path) -> Result<ControlFlow<()>, SpsaError> + Send,
    ) -> Result<Path, SpsaError> {
        let left = path.steps().min(self.setup.steps)..self.setup.steps;
        let shared = Shared { path: Mutex::new(path), moved: Condvar::new(), faults: AtomicU64::new(faults) };
        let player = || TunedPlayer::new(self.players, &self.parameters).map_err(SpsaError::from);
        in_order(
            self.workers,
            left,
            || Ok::<_, SpsaError>([player()?, player()?]),
            |players, before, stop| self.step(players, before + 1, &shared, stop),
            |Step { perturbation, mut record, same }| {
                let mut path = shared.path();
                let mut values = path.after(record.step - 1).to_vec();
                perturbation.apply(&self.parameters, &mut values, record.balance(), record.step, self.setup.steps);
                path.push(&values);
                record.values = values;
                shared.moved.notify_all();
                receive(&record, &same, &path)
            },
        )?;
        Ok(shared.path.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn step(
        &self,
        [one, other]: &mut [TunedPlayer; 2],
        step: u64,
        shared: &Shared,
        stop: &AtomicBool,
    ) -> Result<Option<Step>, SpsaError> {
        let Some(values) = shared.values_after(step.saturating_sub(self.setup.lag), stop) else { return Ok(None) };
        let perturbation = Perturbation::at(&self.parameters, &values, self.seed, step, self.setup.steps);
        one.set(&perturbation.plus)?;
        other.set(&perturbation.minus)?;
        let (plus, minus) = (perturbation.plus.clone(), perturbation.minus.clone());
        let (games, values) = (String::new(), Vec::new());
        let mut record = StepRecord { step, plus, minus, games, faults: 0, identical: None, values };
        let mut same = Vec::new();
        let first = (step - 1) * self.setup.pairs_per_step;
        for pair in first..first + self.setup.pairs_per_step {
            let opening = crate::arena::in_turn(self.openings, pair);
            loop {
                let Some(games) = self.pair(pair + 1, opening, one, other, stop)? else { return Ok(None) };
                let faults = games.iter().filter(|game| game.end.is_fault()).count() as u64;
                if faults == 0 {
                    let letters = games.iter().zip([Color::White, Color::Black]);
                    same.push(is_same(&games));
                    record.games.extend(letters.map(|(game, own)| letter(game.winner, own)));
                    break;
                }
                record.faults += faults;
                let all = shared.faults.fetch_add(faults, Ordering::Relaxed) + faults;
                if all > self.fault_limit {
                    return Err(SpsaError::Faults { name: self.players.name().to_owned(), faults: all });
                }
            }
        }
        record.identical = Some(same.iter().filter(|&&same| same).count() as u64);
        Ok(Some(Step { perturbation, record, same }))
    }

    fn pair(
        &self,
        pair: u64,
        opening: &Opening,
        one: &mut TunedPlayer,
        other: &mut TunedPlayer,
        stop: &AtomicBool,
    ) -> Result<Option<[Game; 2]>, SpsaError> {
        let game = |number: u8, white: &mut TunedPlayer, black: &mut TunedPlayer| {
            let limits = [&self.limits; 2];
            seat([white.player(), black.player()], pair, number);
            play(opening, [white.player(), black.player()], limits, &self.rules, self.tablebases, stop)
        };
        let Some(first) = game(1, one, other)? else { return Ok(None) };
        Ok(game(2, other, one)?.map(|reversed| [first, reversed]))
    }
}

fn letter(winner: Option<Color>, own: Color) -> char {
    match winner {
        None => 'D',
        Some(winner) if winner == own => 'W',
        Some(_) => 'L',
    }
}

impl StepRecord {
    /// Games won less games lost by the side `plus`.
    #[must_use]
    pub fn balance(&self) -> i64 {
        self.games.chars().map(|game| i64::from(game == 'W') - i64::from(game == 'L')).sum()
    }

    /// The share of the points that this side won, from 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        0.5 + self.balance() as f64 / (2 * self.games.len()) as f64
    }
}
