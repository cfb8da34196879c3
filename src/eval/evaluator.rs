//! The classical evaluation with an arm: what the search calls.

use std::sync::Arc;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Color, Position};

use super::arm::{Arm, Config};
use super::cells::Cells;
use super::{Classical, Evaluate, FULL_PHASE, LIMIT, REFERENCE, Score, State};

/// The classical evaluation with an arm.
#[derive(Debug)]
pub struct Evaluator {
    classical: Classical,
    gain: Gain,
    /// The mean gain over the reference positions.
    mean: i32,
    contempt: i32,
    /// Contempt from White's point of view, for the side that searches now.
    shift: i32,
}

/// A gain of 1. Gains are in units of 1/1024.
const ONE: i32 = 1024;
/// What [`Arm::Constant`] multiplies by: any number but [`ONE`] would do.
const CONSTANT: i32 = 777;

/// By what the win/loss score is multiplied in a position.
#[derive(Debug)]
enum Gain {
    One,
    Constant,
    Table { cells: Arc<Cells>, taper: bool },
}

impl Gain {
    fn at(&self, state: &State) -> i32 {
        match self {
            Gain::One => ONE,
            Gain::Constant => CONSTANT,
            Gain::Table { cells, taper } => {
                let full = i32::from(cells.scale(state.position().board()).0) * (ONE / 128);
                if *taper { ONE + (full - ONE) * (FULL_PHASE - state.phase()) / FULL_PHASE } else { full }
            }
        }
    }
}

impl Evaluator {
    /// An evaluation as configured. It is normalised here, which takes a fraction of a millisecond.
    #[must_use]
    pub fn new(config: &Config) -> Evaluator {
        let gain = match config.arm {
            Arm::None => Gain::One,
            Arm::Constant => Gain::Constant,
            Arm::ScaleTable => Gain::Table { cells: Arc::clone(&config.table), taper: config.taper },
            Arm::Shuffled => Gain::Table { cells: Arc::new(config.table.shuffled()), taper: config.taper },
        };
        let gains: Vec<i32> = reference_states().map(|state| gain.at(&state)).collect();
        let mean = (gains.iter().sum::<i32>() / gains.len() as i32).max(1);
        Evaluator { classical: Classical::new(), gain, mean, contempt: config.contempt, shift: 0 }
    }
}

/// The positions over which arms are normalised.
fn reference_states() -> impl Iterator<Item = State> {
    REFERENCE.iter().map(|text| {
        let fen: Fen = text.parse().expect("a FEN");
        State::new(fen.into_position(CastlingMode::Standard).expect("a legal position"))
    })
}

/// a / b for positive b, rounded to the nearest and halves away from 0: odd, so that neither side is favoured.
fn divide(a: i64, b: i64) -> i64 {
    (2 * a + if a < 0 { -b } else { b }) / (2 * b)
}

impl Evaluate for Evaluator {
    fn begin(&mut self, side: Color) -> bool {
        let shift = if side.is_white() { self.contempt } else { -self.contempt };
        let changed = shift != self.shift;
        self.shift = shift;
        changed
    }

    fn evaluate(&mut self, state: &State) -> Score {
        Score { win_loss: self.classical.win_loss(state) + self.shift, draw: 0 }
    }

    fn centipawns(&mut self, state: &State) -> i32 {
        let win_loss = self.classical.win_loss(state) + self.shift;
        let score = match &self.gain {
            Gain::One => win_loss,
            gain => divide(i64::from(win_loss) * i64::from(gain.at(state)), i64::from(self.mean)) as i32,
        };
        score.clamp(-LIMIT, LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluator(arm: Arm) -> Evaluator {
        Evaluator::new(&Config { arm, ..Config::default() })
    }

    #[test]
    fn a_constant_gain_changes_nothing() {
        let (mut none, mut constant) = (evaluator(Arm::None), evaluator(Arm::Constant));
        for state in reference_states() {
            assert_eq!(none.centipawns(&state), constant.centipawns(&state));
        }
    }

    #[test]
    fn every_arm_is_odd_and_keeps_the_sign() {
        for arm in Arm::ALL {
            let (mut none, mut armed) = (evaluator(Arm::None), evaluator(*arm));
            for state in reference_states() {
                let mut setup = state.position().to_setup(shakmaty::EnPassantMode::Legal);
                setup.mirror();
                let mirrored = State::new(setup.position(CastlingMode::Standard).expect("legal as before"));
                let score = armed.centipawns(&state);
                assert_eq!(armed.centipawns(&mirrored), -score, "{arm:?}");
                assert!(score.signum() * none.centipawns(&state).signum() >= 0);
            }
        }
    }

    #[test]
    fn contempt_shifts_towards_the_side_that_searches() {
        let mut evaluator = Evaluator::new(&Config { contempt: 50, ..Config::default() });
        let state = reference_states().next().expect("a position");
        let level = evaluator.centipawns(&state);
        assert!(evaluator.begin(Color::White) && !evaluator.begin(Color::White));
        assert_eq!(evaluator.centipawns(&state), level + 50);
        assert!(evaluator.begin(Color::Black));
        assert_eq!(evaluator.centipawns(&state), level - 50);
    }
}
