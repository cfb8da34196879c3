//! The classical evaluation with an arm: what the search calls.

use std::sync::Arc;

use drawish_core::DrawScore;
use drawish_core::expect::{DrawModel, WdlPermille, Wilo};
use drawish_core::score::Centipawns;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Color, Position};

use super::arm::{Arm, Config};
use super::cells::Cells;
use super::{Classical, Evaluate, FULL_PHASE, LIMIT, REFERENCE, Score, State};

/// The classical evaluation with an arm.
#[derive(Debug)]
pub struct Evaluator {
    classical: Classical,
    map: Map,
    drawishness: Drawishness,
    contempt: i32,
    /// Contempt from White's point of view, for the side that searches now.
    shift: i32,
}

/// From the win/loss score to the number that the search compares.
#[derive(Debug)]
enum Map {
    /// As it is.
    Identity,
    /// Times a gain that depends on the position, divided by the mean gain.
    Gain { gain: Gain, mean: i32 },
    /// The expected score of the draw model. `scale`, in units of 1/1024, brings the mean slope to 1.
    Model { scale: u16 },
}

/// A gain of 1. Gains are in units of 1/1024.
const ONE: i32 = 1024;
/// What [`Arm::Constant`] multiplies by: any number but [`ONE`] would do.
const CONSTANT: i32 = 777;
/// kappa = 1, the model under which the weights were fitted.
const MODEL: DrawModel = DrawModel::DAVIDSON;
/// kappa ln 2 in 1/256 logit: what u at w = 0 lies below v.
const LEVEL: i32 = 177;
/// The mean slope is measured between win/loss scores so far to both sides of each position's, in centipawns.
const STEP: i32 = 50;

/// By what the win/loss score is multiplied in a position.
#[derive(Debug)]
enum Gain {
    Constant,
    Table { cells: Arc<Cells>, taper: bool },
}

impl Gain {
    fn at(&self, state: &State) -> i32 {
        match self {
            Gain::Constant => CONSTANT,
            Gain::Table { cells, taper } => {
                let full = i32::from(cells.scale(state.position().board()).0) * (ONE / 128);
                ONE + tapered(full - ONE, *taper, state)
            }
        }
    }
}

/// The drawScore of a position.
#[derive(Debug)]
struct Drawishness {
    base: DrawScore,
    cells: Option<Arc<Cells>>,
    taper: bool,
}

impl Drawishness {
    fn at(&self, state: &State) -> DrawScore {
        let cell = self
            .cells
            .as_ref()
            .map_or(0, |cells| tapered(i32::from(cells.draw(state.position().board()).0), self.taper, state));
        DrawScore((i32::from(self.base.0) + LEVEL + cell) as i16)
    }
}

/// What counts the more the fewer officers there are, if it is tapered at all.
fn tapered(full: i32, taper: bool, state: &State) -> i32 {
    if taper { full * (FULL_PHASE - state.phase()) / FULL_PHASE } else { full }
}

impl Evaluator {
    /// An evaluation as configured. It is normalised here, which takes a fraction of a millisecond.
    #[must_use]
    pub fn new(config: &Config) -> Evaluator {
        let Config { arm, table, taper, contempt } = config;
        let gain = |gain: Gain| {
            let gains: Vec<i32> = reference_states().map(|state| gain.at(&state)).collect();
            Map::Gain { mean: (gains.iter().sum::<i32>() / gains.len() as i32).max(1), gain }
        };
        let map = match arm {
            Arm::None => Map::Identity,
            Arm::Constant => gain(Gain::Constant),
            Arm::ScaleTable => gain(Gain::Table { cells: Arc::clone(table), taper: *taper }),
            Arm::Shuffled => gain(Gain::Table { cells: Arc::new(table.shuffled()), taper: *taper }),
            Arm::DrawTable => Map::Model { scale: ONE as u16 },
        };
        let cells = matches!(arm, Arm::DrawTable).then(|| Arc::clone(table));
        let drawishness = Drawishness { base: table.base(), cells, taper: *taper };
        let mut evaluator = Evaluator { classical: Classical::new(), map, drawishness, contempt: *contempt, shift: 0 };
        if let Map::Model { .. } = evaluator.map {
            evaluator.map = Map::Model { scale: evaluator.scale_to_mean_slope() };
        }
        evaluator
    }

    /// The scale that brings the mean slope of the model's score by the win/loss score to 1.
    fn scale_to_mean_slope(&mut self) -> u16 {
        let rises: Vec<i32> = reference_states()
            .map(|state| {
                let win_loss = self.classical.win_loss(&state);
                let at = |win_loss: i32| self.map(&state, win_loss);
                at(win_loss + STEP) - at(win_loss - STEP)
            })
            .collect();
        let wanted = 2 * STEP * rises.len() as i32;
        (ONE * wanted / rises.iter().sum::<i32>().max(1)).clamp(1, 4 * ONE) as u16
    }

    /// The number for the search from a win/loss score of the position.
    fn map(&self, state: &State, win_loss: i32) -> i32 {
        let score = match &self.map {
            Map::Identity => win_loss,
            Map::Gain { gain, mean } => {
                divide(i64::from(win_loss) * i64::from(gain.at(state)), i64::from(*mean)) as i32
            }
            Map::Model { scale } => {
                let w = Wilo::from_centipawns(Centipawns(win_loss));
                MODEL.expected_score(w, self.drawishness.at(state)).to_scaled_centipawns(*scale).0
            }
        };
        score.clamp(-LIMIT, LIMIT)
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
        Score { win_loss: self.classical.win_loss(state) + self.shift, draw: self.drawishness.at(state) }
    }

    fn centipawns(&mut self, state: &State) -> i32 {
        let win_loss = self.classical.win_loss(state) + self.shift;
        self.map(state, win_loss)
    }

    fn win_draw_loss(&mut self, state: &State, centipawns: i32) -> WdlPermille {
        // The least win/loss score that the search would have seen as this: the map never falls.
        let (mut low, mut high) = (-LIMIT, LIMIT);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.map(state, middle) < centipawns { low = middle + 1 } else { high = middle }
        }
        MODEL.win_draw_loss(Wilo::from_centipawns(Centipawns(low)), self.drawishness.at(state))
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

    /// What the weights' scale stands for: the mean slope of every arm is that of the win/loss score.
    #[test]
    fn every_arm_has_the_same_mean_slope() {
        for arm in Arm::ALL {
            let mut armed = evaluator(*arm);
            let rises: i32 = reference_states()
                .map(|state| {
                    let win_loss = armed.classical.win_loss(&state);
                    armed.map(&state, win_loss + STEP) - armed.map(&state, win_loss - STEP)
                })
                .sum();
            let slope = f64::from(rises) / f64::from(2 * STEP * REFERENCE.len() as i32);
            assert!((slope - 1.0).abs() < 0.01, "{arm:?}: {slope}");
        }
    }

    #[test]
    fn chances_follow_the_score() {
        for arm in Arm::ALL {
            let mut armed = evaluator(*arm);
            for state in reference_states() {
                let level = armed.win_draw_loss(&state, 0);
                assert!(level.win.abs_diff(level.loss) <= 4, "{arm:?}: {level:?}");
                let ahead = armed.win_draw_loss(&state, 150);
                assert!(ahead.win > level.win && ahead.loss < level.loss && ahead.draw < level.draw);
                assert_eq!(armed.win_draw_loss(&state, LIMIT).loss, 0);
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
