//! Whether an arm has the same mean slope as the baseline in the positions of its own games.

use anyhow::Result;
use shakmaty::{Chess, Position};

use crate::cli::arms::ReadArm;
use drawish::arena::PairRecord;
use drawish::eval::{Evaluator, State};

/// Mean slope of the arm in units of the baseline's, with its standard error: over one position of each pair, so that no game
/// counts twice.
pub(super) fn relative_slope(arm: &ReadArm, baseline: &ReadArm, pairs: &[PairRecord]) -> Result<Option<(f64, f64)>> {
    let (mut arm, mut baseline) = (arm.evaluator()?, baseline.evaluator()?);
    let slopes: Vec<(f64, f64)> =
        pairs.iter().filter_map(position).map(|state| both(&mut arm, &mut baseline, &State::new(state))).collect();
    let n = slopes.len() as f64;
    if slopes.len() < 2 {
        return Ok(None);
    }
    let (of_arm, of_baseline) = slopes.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let ratio = of_arm / of_baseline;
    // The error of a ratio of means, by its linear part.
    let squares: f64 = slopes.iter().map(|(arm, baseline)| (arm - ratio * baseline).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt() / (of_baseline / n);
    Ok(Some((ratio, error)))
}

fn both(arm: &mut Evaluator, baseline: &mut Evaluator, state: &State) -> (f64, f64) {
    (arm.slope(state), baseline.slope(state))
}

/// A position of the first game of a pair, spread over its moves by the number of the pair.
fn position(pair: &PairRecord) -> Option<Chess> {
    let game = &pair.games[0];
    let plies = |moves: &str| moves.split_whitespace().count();
    // Steps of the golden ratio fill the interval evenly.
    let share = (pair.pair as f64 * 0.618_033_988_749_895).fract();
    let after = plies(&pair.book) + (share * plies(&game.moves) as f64) as usize;
    pair.position_after(game, after).filter(|position| !position.is_check())
}
