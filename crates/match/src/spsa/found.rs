//! What a run has found for a parameter.

use super::{Best, Parameter};

/// What was found for a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found<'a> {
    /// The parameter with its first value.
    pub parameter: &'a Parameter,
    /// The value after the last step.
    pub value: f64,
    /// The average over the second half of the steps.
    pub average: f64,
    /// How far it would be from the first value by chance alone, in 95 of 100 runs, if the parameter did not matter; `None` of few steps.
    pub by_chance: Option<f64>,
    /// Where the results of all steps say that it is best, if they say it clearly.
    pub best: Option<Best>,
}

impl Found<'_> {
    /// Whether the average is farther from the first value than by chance alone. Of parameters that do not matter one in twenty is. `None`
    /// of few steps.
    #[must_use]
    pub fn has_moved(&self) -> Option<bool> {
        self.by_chance.map(|by_chance| (self.average - self.parameter.value).abs() > by_chance)
    }

    /// Whether nothing says that the first value was not the best: the average has not moved farther than by chance alone, and the interval
    /// of the best value, if there is one, holds the first.
    #[must_use]
    pub fn is_within_noise(&self) -> bool {
        let first = self.parameter.value;
        self.has_moved() == Some(false) && self.best.is_none_or(|best| (best.low..=best.high).contains(&first))
    }
}
