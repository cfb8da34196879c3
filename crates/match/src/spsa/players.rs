//! The engine that is tuned, with values that change from step to step.

use std::sync::Arc;

use super::parameter::{Kind, Parameter};
use crate::arena::{Player, PlayerLost, UciPlayer};
use crate::contest::{Players, Tunable, TunableArm};

/// A value between the bounds that is no whole number where others may be played: both bounds may be whole, and the engine take
/// nothing else.
fn between(parameter: &Parameter) -> f64 {
    match parameter.kind {
        Kind::Int => parameter.value,
        Kind::Float => parameter.min + (parameter.max - parameter.min) / std::f64::consts::PI,
    }
}

/// One side of a step.
pub(super) struct TunedPlayer {
    parameters: Arc<[Parameter]>,
    plays: Plays,
}

enum Plays {
    Program(Box<UciPlayer>),
    Arm(Box<TunableArm>),
}

impl TunedPlayer {
    pub(super) fn new(players: &Players, parameters: &Arc<[Parameter]>) -> Result<TunedPlayer, PlayerLost> {
        let plays = match players.tunable()? {
            Tunable::Program(player) => Plays::Program(player),
            Tunable::Arm(arm) => Plays::Arm(arm),
        };
        Ok(TunedPlayer { parameters: Arc::clone(parameters), plays })
    }

    /// Makes sure that the engine has the parameters and takes their bounds, and what lies between.
    pub(super) fn check(&mut self) -> Result<(), PlayerLost> {
        let parameters = Arc::clone(&self.parameters);
        for value in [|parameter: &Parameter| parameter.min, |parameter: &Parameter| parameter.max, between] {
            self.set(&parameters.iter().map(value).collect::<Vec<_>>())?;
            if let Plays::Program(player) = &mut self.plays {
                player.end_process();
            }
            self.player().new_game()?;
        }
        Ok(())
    }

    /// Plays with these values from the next game on.
    pub(super) fn set(&mut self, values: &[f64]) -> Result<(), PlayerLost> {
        let numbers = self.parameters.iter().zip(values);
        match &mut self.plays {
            Plays::Program(player) => player.set_options(
                numbers.map(|(parameter, value)| (parameter.name.clone(), parameter.in_words(*value))).collect(),
            ),
            Plays::Arm(arm) => {
                let numbers = numbers.map(|(parameter, value)| (parameter.name.as_str(), *value));
                arm.set(numbers).map_err(|error| PlayerLost::Other(Box::new(error)))?;
            }
        }
        Ok(())
    }

    /// What plays.
    pub(super) fn player(&mut self) -> &mut dyn Player {
        match &mut self.plays {
            Plays::Program(player) => player.as_mut(),
            Plays::Arm(arm) => arm.player(),
        }
    }
}
