//! Why tuning cannot begin or go on.

use drawish_stats::numbers::counted;
use thiserror::Error;

use super::log::SpsaLogError;
use super::parameter::{Kind, Objection, Parameter, ParameterError};
use crate::arena::{EngineFailure, PlayerLost};
use crate::contest::ContestError;

/// Why numbers are not tuned, or not to the end. What was played before stands in the log.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum SpsaError {
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    #[error("the parameter {name}: {what}")]
    Parameter { name: String, what: Objection },
    #[error("the option {name} is set for the engine and tuned as well; leave out the one or the other")]
    SetToo { name: String },
    #[error("{lost}; {name} is a float in its parameters: write int in its line")]
    WholeNumbers { name: String, lost: Box<PlayerLost> },
    #[error(transparent)]
    Contest(#[from] ContestError),
    #[error("{} asked for, and a step has {}; play more pairs, or fewer a step", counted(*pairs, "pair"), counted(*per_step, "pair"))]
    NoStep { pairs: u64, per_step: u64 },
    #[error(transparent)]
    Log(#[from] SpsaLogError),
    #[error(
        "{name}: {} ended by a crash, a stall, an illegal move or lost time, and the pairs were played again; mend the engine and resume",
        counted(*faults, "game")
    )]
    Faults { name: String, faults: u64 },
}

impl SpsaError {
    /// Why the bounds of parameters are not taken: an engine may want whole numbers where a parameter is a float.
    pub(super) fn of_bounds(lost: PlayerLost, parameters: &[Parameter]) -> SpsaError {
        if let PlayerLost::Engine { cause: EngineFailure::Value { option, value, .. }, .. } = &lost {
            let is_float = |own: &&Parameter| own.kind == Kind::Float && own.name.eq_ignore_ascii_case(option);
            let is_broken = value.parse().is_ok_and(|value: f64| value.fract() != 0.0);
            if let Some(own) = parameters.iter().find(is_float).filter(|_| is_broken) {
                return SpsaError::WholeNumbers { name: own.name.clone(), lost: Box::new(lost) };
            }
        }
        lost.into()
    }
}

impl From<PlayerLost> for SpsaError {
    fn from(lost: PlayerLost) -> SpsaError {
        SpsaError::Contest(ContestError::Player(lost))
    }
}
