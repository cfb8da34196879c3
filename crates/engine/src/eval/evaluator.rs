//! The classical evaluation with an arm: what the search calls.

use std::sync::Arc;

use drawish_core::DrawScore;
use drawish_core::expect::{DrawModel, WdlPermille, Wilo};
use drawish_core::score::Centipawns;
use shakmaty::{Color, Position};

use super::arm::{Arm, Config, ConfigError};
use super::cells::Cells;
use super::gain::{Gain, ONE, tapered};
use super::head_cache::HeadCache;
use super::heads::{HeadTerms, Heads};
use super::knowledge::Knowledge;
use super::{Appraisal, Classical, Evaluate, LIMIT, Score, State, normalisation};
use crate::form::Form;

/// The classical evaluation with an arm.
#[derive(Debug)]
pub struct Evaluator {
    classical: Classical,
    map: Map,
    drawishness: Drawishness,
    model: DrawModel,
    contempt: i32,
    /// Contempt from White's point of view, for the side that searches now.
    shift: i32,
    /// Whether the number for the search depends on the fifty-move clock.
    reads_clock: bool,
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
    /// Both parts of the score by the numbers of a form, which read more of the position than its win/loss score.
    Form(Knowledge),
}

/// kappa = 1, the model under which the weights were fitted.
const MODEL: DrawModel = DrawModel::DAVIDSON;
/// kappa ln 2 in 1/256 logit: what u at w = 0 lies below v.
const LEVEL: i32 = 177;
/// The mean slope is measured between win/loss scores so far to both sides of each position's, in centipawns.
const STEP: i32 = 50;

/// The drawScore of a position.
#[derive(Debug)]
enum Drawishness {
    Base(DrawScore),
    Table { cells: Arc<Cells>, taper: bool },
    Head { head: Box<HeadCache>, shift: u32 },
}

impl Drawishness {
    fn reads_clock(&self) -> bool {
        match self {
            Drawishness::Base(_) | Drawishness::Table { .. } => false,
            Drawishness::Head { head, .. } => head.reads_clock(),
        }
    }

    fn at(&mut self, state: &State) -> DrawScore {
        let v = match self {
            Drawishness::Base(base) => i32::from(base.0) + LEVEL,
            Drawishness::Table { cells, taper } => {
                let cell = i32::from(cells.draw(state.position().board()).0);
                i32::from(cells.base().0) + LEVEL + tapered(cell, *taper, state)
            }
            // From 2^-shift logit, which is at most 1/256.
            Drawishness::Head { head, shift } => head.score(state) >> (*shift - 8),
        };
        DrawScore(v.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
    }
}

impl Evaluator {
    /// An evaluation as configured. It is normalised here, which takes some milliseconds.
    ///
    /// # Errors
    ///
    /// When the arm lacks the heads that it needs.
    pub fn new(config: &Config) -> Result<Evaluator, ConfigError> {
        config.check()?;
        let Config { arm, table, heads, form, taper, contempt } = config;
        let taper = *taper;
        let head = |of: fn(&Heads) -> &HeadTerms, with_residual: bool| {
            let heads = heads.as_ref().expect("the check has found heads");
            let residual = heads.residual.as_ref().filter(|_| with_residual);
            (Box::new(HeadCache::new(of(heads).clone(), residual.cloned())), of(heads).shift)
        };
        let map = match arm {
            Arm::None => Map::Identity,
            Arm::Constant => normalised(Gain::Constant),
            Arm::ScaleTable => normalised(Gain::Table { cells: Arc::clone(table), taper }),
            Arm::Shuffled => normalised(Gain::Table { cells: Arc::new(table.shuffled()), taper }),
            Arm::GainHead | Arm::GainHeadTable => {
                let (work, shift) = head(|heads| &heads.gain, *arm == Arm::GainHeadTable);
                normalised(Gain::of_head(work, shift, normalisation::states()))
            }
            Arm::DrawTable | Arm::DrawHead => Map::Model { scale: ONE as u16 },
            Arm::Form => form.as_deref().map_or(Map::Identity, Map::of_form),
        };
        let drawishness = match arm {
            Arm::DrawTable => Drawishness::Table { cells: Arc::clone(table), taper },
            Arm::DrawHead => {
                let (head, shift) = head(|heads| &heads.draw, false);
                Drawishness::Head { head, shift }
            }
            Arm::None
            | Arm::Constant
            | Arm::ScaleTable
            | Arm::Shuffled
            | Arm::GainHead
            | Arm::GainHeadTable
            | Arm::Form => Drawishness::Base(table.base()),
        };
        let model = match (&drawishness, heads) {
            (Drawishness::Head { .. }, Some(heads)) => DrawModel::new(heads.kappa),
            (Drawishness::Base(_) | Drawishness::Table { .. } | Drawishness::Head { .. }, _) => MODEL,
        };
        let (classical, contempt) = (Classical::new(), *contempt);
        let reads_clock = match &map {
            Map::Identity => false,
            Map::Gain { gain, .. } => gain.reads_clock(),
            Map::Model { .. } => drawishness.reads_clock(),
            Map::Form(knowledge) => knowledge.reads_clock(),
        };
        let mut evaluator = Evaluator { classical, map, drawishness, model, contempt, shift: 0, reads_clock };
        if let Map::Model { .. } = evaluator.map {
            evaluator.map = Map::Model { scale: evaluator.scale_to_mean_slope() };
        }
        Ok(evaluator)
    }

    /// Plays by the numbers of another form from now on: for tuning, where a new evaluator for each game would cost too much.
    /// Scores given before no longer hold.
    pub fn set_form(&mut self, form: &Form) {
        self.map = Map::of_form(form);
        self.reads_clock = matches!(&self.map, Map::Form(knowledge) if knowledge.reads_clock());
    }

    /// The scale that brings the mean slope of the model's score by the win/loss score to 1.
    fn scale_to_mean_slope(&mut self) -> u16 {
        let rises: Vec<i32> = normalisation::states()
            .iter()
            .map(|state| {
                let (known, win_loss) = (self.look_up(state), self.classical.win_loss(state));
                self.map(known, win_loss + STEP) - self.map(known, win_loss - STEP)
            })
            .collect();
        let wanted = 2 * STEP * rises.len() as i32;
        (ONE * wanted / rises.iter().sum::<i32>().max(1)).clamp(1, 4 * ONE) as u16
    }

    /// How much the number for the search rises in a position when the win/loss score rises by one, taken half a pawn to
    /// either side. Arms have the same mean over the positions by which they are normalised: see [`Arm`].
    pub fn slope(&mut self, state: &State) -> f64 {
        let (known, win_loss) = (self.look_up(state), self.classical.win_loss(state));
        f64::from(self.map(known, win_loss + STEP) - self.map(known, win_loss - STEP)) / f64::from(2 * STEP)
    }

    /// What the arm knows of a position besides its win/loss score: its gain, or its drawScore.
    fn look_up(&mut self, state: &State) -> i32 {
        match &mut self.map {
            Map::Identity | Map::Form(_) => 0,
            Map::Gain { gain, .. } => gain.at(state),
            Map::Model { .. } => self.drawishness.at(state).0.into(),
        }
    }

    /// The number for the search from what the arm knows and a win/loss score.
    fn map(&self, known: i32, win_loss: i32) -> i32 {
        let score = match &self.map {
            Map::Identity | Map::Form(_) => win_loss,
            Map::Gain { mean, .. } => divide(win_loss * known, *mean),
            Map::Model { scale } => {
                let w = Wilo::from_centipawns(Centipawns(win_loss));
                self.model.expected_score(w, DrawScore(known as i16)).to_scaled_centipawns(*scale).0
            }
        };
        score.clamp(-LIMIT, LIMIT)
    }
}

impl Default for Evaluator {
    /// The arm `none`.
    fn default() -> Evaluator {
        Evaluator::new(&Config::default()).expect("the arm none needs nothing")
    }
}

impl Map {
    fn of_form(form: &Form) -> Map {
        form.fixed().map_or(Map::Identity, |(numbers, control)| Map::Form(Knowledge::new(numbers, control)))
    }
}

/// A gain, divided by its mean over the reference positions.
fn normalised(mut gain: Gain) -> Map {
    let gains: Vec<i32> = normalisation::states().iter().map(|state| gain.at(state)).collect();
    Map::Gain { mean: (gains.iter().sum::<i32>() / gains.len() as i32).max(1), gain }
}

/// a / b for positive b, rounded to the nearest and halves away from 0: odd, so that neither side is favoured.
fn divide(a: i32, b: i32) -> i32 {
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
        if let Map::Form(knowledge) = &self.map {
            return knowledge.with_clock(state, knowledge.lasting(state, self.classical.parts(state), self.shift));
        }
        // In this order, because the processor adds up the terms of the score while the memories of a head are on their way.
        let known = self.look_up(state);
        let win_loss = self.classical.win_loss(state) + self.shift;
        self.map(known, win_loss)
    }

    fn appraise(&mut self, state: &State) -> Appraisal {
        if !self.reads_clock {
            let centipawns = self.centipawns(state);
            return Appraisal { centipawns, lasting: centipawns };
        }
        if let Map::Form(knowledge) = &self.map {
            let lasting = knowledge.lasting(state, self.classical.parts(state), self.shift);
            return Appraisal { centipawns: knowledge.with_clock(state, lasting), lasting };
        }
        let known = self.look_up(state);
        let win_loss = self.classical.win_loss(state) + self.shift;
        Appraisal { centipawns: self.map(known, win_loss), lasting: win_loss }
    }

    fn appraise_again(&mut self, state: &State, lasting: i32) -> i32 {
        match &self.map {
            _ if !self.reads_clock => lasting,
            Map::Form(knowledge) => knowledge.with_clock(state, lasting),
            _ => {
                let known = self.look_up(state);
                self.map(known, lasting)
            }
        }
    }

    fn win_draw_loss(&mut self, state: &State, centipawns: i32) -> WdlPermille {
        // The least win/loss score that the search would have seen as this: the map never falls.
        let known = self.look_up(state);
        let (mut low, mut high) = (-LIMIT, LIMIT);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.map(known, middle) < centipawns { low = middle + 1 } else { high = middle }
        }
        self.model.win_draw_loss(Wilo::from_centipawns(Centipawns(low)), self.drawishness.at(state))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::eval::heads::some_heads;

    fn evaluator(arm: Arm) -> Evaluator {
        let (heads, form) = (Some(Arc::new(some_heads())), Some(Arc::new(Form::default())));
        Evaluator::new(&Config { arm, heads, form, ..Config::default() }).expect("all that an arm needs")
    }

    #[test]
    fn arms_of_heads_need_heads() {
        let config = |arm| Config { arm, ..Config::default() };
        for arm in [Arm::DrawHead, Arm::GainHead, Arm::GainHeadTable] {
            let error = Evaluator::new(&config(arm)).expect_err("no heads");
            assert!(error.to_string().contains("needs heads, and none are given"), "{error}");
        }
    }

    #[test]
    fn a_constant_gain_changes_nothing() {
        let (mut none, mut constant) = (evaluator(Arm::None), evaluator(Arm::Constant));
        for state in normalisation::states() {
            assert_eq!(none.centipawns(state), constant.centipawns(state));
        }
    }

    #[test]
    fn every_arm_is_odd_and_keeps_the_sign() {
        for arm in Arm::ALL {
            let (mut none, mut armed) = (evaluator(Arm::None), evaluator(*arm));
            for state in normalisation::states() {
                let mut setup = state.position().to_setup(shakmaty::EnPassantMode::Legal);
                setup.mirror();
                let mirrored = State::new(setup.position(CastlingMode::Standard).expect("legal as before"));
                let score = armed.centipawns(state);
                assert_eq!(armed.centipawns(&mirrored), -score, "{arm:?}");
                assert!(*arm == Arm::Form || score.signum() * none.centipawns(state).signum() >= 0);
            }
        }
    }

    /// What the weights' scale stands for: the mean slope of every arm is that of the win/loss score.
    #[test]
    fn every_arm_has_the_same_mean_slope() {
        for arm in Arm::ALL {
            let mut armed = evaluator(*arm);
            let slopes: f64 = normalisation::states().iter().map(|state| armed.slope(state)).sum();
            let slope = slopes / normalisation::states().len() as f64;
            assert!((slope - 1.0).abs() < 0.01, "{arm:?}: {slope}");
        }
    }

    /// What a search keeps of a position serves it with every state of the clock.
    #[test]
    fn what_lasts_does_not_depend_on_the_clock() {
        let mut clocks_matter = Vec::new();
        for arm in Arm::ALL {
            let mut armed = evaluator(*arm);
            let mut differ = 0;
            for state in normalisation::states().iter().step_by(7) {
                let [early, late] = [0, 60].map(|halfmoves| {
                    let mut setup = state.position().to_setup(shakmaty::EnPassantMode::Legal);
                    setup.halfmoves = halfmoves;
                    State::new(setup.position(CastlingMode::Standard).expect("legal as before"))
                });
                assert_eq!(early.key(), late.key());
                let kept = armed.appraise(&early);
                assert_eq!(kept.lasting, armed.appraise(&late).lasting, "{arm:?}");
                assert_eq!(kept.centipawns, armed.centipawns(&early), "{arm:?}");
                assert_eq!(armed.appraise_again(&late, kept.lasting), armed.centipawns(&late), "{arm:?}");
                differ += usize::from(armed.centipawns(&late) != kept.centipawns);
            }
            if differ > 0 {
                clocks_matter.push(*arm);
            }
        }
        assert!(clocks_matter.contains(&Arm::DrawHead), "{clocks_matter:?}: some head must read the clock");
    }

    #[test]
    fn chances_follow_the_score() {
        for arm in Arm::ALL {
            let mut armed = evaluator(*arm);
            for state in normalisation::states() {
                let level = armed.win_draw_loss(state, 0);
                assert!(level.win.abs_diff(level.loss) <= 4, "{arm:?}: {level:?}");
                let ahead = armed.win_draw_loss(state, 150);
                // Where nearly all games are drawn, thousandths may not tell the difference.
                assert!(ahead.win >= level.win && ahead.loss <= level.loss && ahead.draw <= level.draw, "{arm:?}");
                assert!(level.draw >= 990 || ahead.win > level.win, "{arm:?}: {level:?}, {ahead:?}");
                assert_eq!(armed.win_draw_loss(state, LIMIT).loss, 0);
            }
        }
    }

    #[test]
    fn contempt_shifts_towards_the_side_that_searches() {
        let mut evaluator = Evaluator::new(&Config { contempt: 50, ..Config::default() }).expect("no heads needed");
        let state = &normalisation::states()[0];
        let level = evaluator.centipawns(state);
        assert!(evaluator.begin(Color::White) && !evaluator.begin(Color::White));
        assert_eq!(evaluator.centipawns(state), level + 50);
        assert!(evaluator.begin(Color::Black));
        assert_eq!(evaluator.centipawns(state), level - 50);
    }
}
