//! The arms: what is done with the win/loss score before the search sees it.

use super::{Classical, Evaluate, Score, State};

/// An evaluator in a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arm {
    /// The win/loss score as it is.
    #[default]
    None,
}

impl Arm {
    /// All arms.
    pub const ALL: &'static [Arm] = &[Arm::None];

    /// The name in options and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Arm::None => "none",
        }
    }

    /// The arm of this name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Arm> {
        Arm::ALL.iter().copied().find(|arm| arm.name().eq_ignore_ascii_case(name))
    }
}

/// How an evaluator is made.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What is done with the win/loss score.
    pub arm: Arm,
}

/// The classical evaluation with an arm.
#[derive(Debug)]
pub struct Evaluator {
    classical: Classical,
    arm: Arm,
}

impl Evaluator {
    /// An evaluation with this arm.
    #[must_use]
    pub fn new(config: &Config) -> Evaluator {
        Evaluator { classical: Classical::new(), arm: config.arm }
    }
}

impl Evaluate for Evaluator {
    fn evaluate(&mut self, state: &State) -> Score {
        Score { win_loss: self.classical.win_loss(state), draw: 0 }
    }

    fn centipawns(&mut self, state: &State) -> i32 {
        match self.arm {
            Arm::None => self.classical.win_loss(state),
        }
    }
}
