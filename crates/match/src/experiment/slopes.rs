//! Whether an arm has the same mean slope as the baseline in the positions of its own games.

use drawish_engine::eval::{ConfigError, State};
use drawish_stats::{Decision, FEWEST_EVENTS};
use shakmaty::{Chess, Position};

use super::error::RunError;
use super::layout::{ArmStatus, Layout};
use super::{ArmResult, Role};
use crate::arena::{Course, GameRecord, Logged, PairRecord, distinct};
use crate::contest::LoadedArm;

/// What an arm has played, as [`judge`](super::judge) takes it.
#[derive(Debug)]
pub struct ArmFound<'a> {
    /// How far it is.
    pub status: ArmStatus<'a>,
    /// Its results.
    pub result: ArmResult,
    /// Why its slope is not known, if it should be.
    pub no_slope: Option<String>,
    /// Of a question: an earlier one whose games are the same in all pairs that both have played, and how many these are, from
    /// [`FEWEST_EVENTS`] on. Such questions are one, which is asked twice.
    pub same_games: Option<(&'a str, usize)>,
}

impl Layout {
    /// What all arms have played, with their slopes.
    ///
    /// # Errors
    ///
    /// If the settings of an arm are not known; a file that is missing only leaves a slope unknown.
    pub fn found(&self) -> Result<Vec<ArmFound<'_>>, RunError> {
        let baseline = self.load(&self.experiment().baseline);
        let mut found: Vec<ArmFound<'_>> =
            self.status().into_iter().map(|status| self.found_of(status, &baseline)).collect::<Result<_, _>>()?;
        for at in 1..found.len() {
            found[at].same_games = found[..at].iter().find_map(|other| same_games(&other.status, &found[at].status));
        }
        Ok(found)
    }

    fn found_of<'a>(
        &self,
        status: ArmStatus<'a>,
        baseline: &Result<LoadedArm, RunError>,
    ) -> Result<ArmFound<'a>, RunError> {
        // Settings that nobody can read are a fault of the experiment, not of its games.
        self.engine(status.plan)?;
        let slope = match (baseline, self.load(status.plan), &status.logged) {
            (Err(error), _, _) => Err(error.to_string()),
            (_, Err(error), _) => Err(error.to_string()),
            (Ok(baseline), Ok(arm), Some(Ok(logged))) => {
                relative_slope(&arm, baseline, &logged.pairs).map_err(|error| error.to_string())
            }
            _ => Ok(None),
        };
        let (slope, no_slope) = match slope {
            Ok(slope) => (slope, None),
            Err(why) => (None, Some(why)),
        };
        let tally = &status.tally;
        let (identical, drawn) = (tally.identical, tally.games.draws);
        let accepted = status.logged.as_ref().and_then(|logged| self.accepted(logged.as_ref().ok()?));
        let result = ArmResult {
            results: tally.results(),
            distinct: tally.distinct(),
            repeated: tally.repeated(),
            identical,
            drawn,
            slope,
            accepted,
        };
        Ok(ArmFound { status, result, no_slope, same_games: None })
    }

    /// What the test of the plan would have accepted, and after how many pairs, had it been asked after each.
    fn accepted(&self, logged: &Logged) -> Option<(Decision, u64)> {
        let tested = Course::of(&logged.pairs).judge(self.experiment().sprt().ok()?).ok()?;
        let pairs = logged.pairs.len() as u64 - tested.later;
        (tested.decision != Decision::Continue).then_some((tested.decision, pairs))
    }
}

/// The name of a question and the number of pairs that it and another have played, if these are the same games.
fn same_games<'a>(one: &ArmStatus<'a>, other: &ArmStatus<'_>) -> Option<(&'a str, usize)> {
    let are_questions = [one.plan, other.plan].iter().all(|plan| plan.role == Role::Question);
    let (Some(Ok(first)), Some(Ok(second))) = (&one.logged, &other.logged) else { return None };
    let mut both = first.pairs.iter().zip(&second.pairs);
    let pairs = both.len();
    let moves = |pair: &PairRecord| pair.games.each_ref().map(GameRecord::moves_print);
    (are_questions && pairs >= FEWEST_EVENTS && both.all(|(one, other)| moves(one) == moves(other)))
        .then_some((one.plan.name.as_str(), pairs))
}

/// Mean slope of the arm in units of the baseline's, with its standard error where positions are enough for one: over one position of
/// each pair, so that no game counts twice.
fn relative_slope(
    arm: &LoadedArm,
    baseline: &LoadedArm,
    pairs: &[PairRecord],
) -> Result<Option<(f64, Option<f64>)>, ConfigError> {
    let (mut arm, mut baseline) = (arm.evaluator()?, baseline.evaluator()?);
    let mut both = |position| {
        let state = State::new(position);
        (arm.slope(&state), baseline.slope(&state))
    };
    let slopes: Vec<(f64, f64)> = distinct(pairs).filter_map(position).map(&mut both).collect();
    Ok(ratio_of_means(&slopes))
}

/// The mean of the first numbers in that of the second, with its standard error where there are [`FEWEST_EVENTS`].
fn ratio_of_means(slopes: &[(f64, f64)]) -> Option<(f64, Option<f64>)> {
    let n = slopes.len() as f64;
    let (of_arm, of_baseline) = slopes.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if of_baseline == 0.0 {
        return None;
    }
    let ratio = of_arm / of_baseline;
    // The error of a ratio of means, by its linear part.
    let squares: f64 = slopes.iter().map(|(arm, baseline)| (arm - ratio * baseline).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt() / (of_baseline / n).abs();
    Some((ratio, (slopes.len() >= FEWEST_EVENTS).then_some(error)))
}

/// A position of the first game of a pair, spread over its moves by the number of the pair.
fn position(pair: &PairRecord) -> Option<Chess> {
    let game = &pair.games[0];
    let plies = |moves: &str| moves.split_whitespace().count();
    // Steps of the golden ratio fill the interval evenly.
    let share = (pair.pair as f64 * 0.618_033_988_749_895).fract();
    #[cfg_attr(
        not(test),
        expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the number of plies")
    )]
    let after = plies(&pair.book) + (share * plies(&game.moves) as f64) as usize;
    pair.position_after(game, after).filter(|position| !position.is_check())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_positions_have_no_standard_error() {
        let of = |count: usize| {
            let slopes: Vec<(f64, f64)> = (0..count).map(|at| ([0.9, 1.3][at % 2], 1.0)).collect();
            ratio_of_means(&slopes)
        };
        assert_eq!(of(0), None);
        for few in [2, FEWEST_EVENTS - 2] {
            assert!(matches!(of(few), Some((ratio, None)) if (ratio - 1.1).abs() < 1e-12), "{few}");
        }
        let (ratio, error) = of(FEWEST_EVENTS).expect("a slope");
        let n = FEWEST_EVENTS as f64;
        let by_hand = 0.2 * (n / (n - 1.0)).sqrt() / n.sqrt();
        assert!((ratio - 1.1).abs() < 1e-12 && error.is_some_and(|error| (error - by_hand).abs() < 1e-12));
        assert_eq!(ratio_of_means(&[(1.0, 0.0); 20]), None);
    }
}
