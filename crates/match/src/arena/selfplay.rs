//! A player against itself: games for counting, one from each opening.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::figures::Figures;
use super::game::{play, seat};
use super::limits::Limits;
use super::opening::Opening;
use super::player::{Player, PlayerLost};
use super::record::{Kept, PairRecord};
use super::rules::Rules;
use super::tablebase::Tablebases;
use super::workers::in_order;

/// Games of a player against itself.
pub(crate) struct Series<'a> {
    /// One game from each, in this order.
    pub openings: &'a [Opening],
    /// Of both colours.
    pub limits: Limits,
    /// What ends games early.
    pub rules: Rules,
    /// What knows how games end that are not over.
    pub tablebases: Option<&'a dyn Tablebases>,
    /// Workers, each with a player of its own for either colour.
    pub concurrency: NonZeroUsize,
    /// What records have of each search that differs from run to run.
    pub figures: Figures,
}

impl Series<'_> {
    /// Plays the games and gives each to `receive`, in the order of the openings, as a pair of which only the first game was
    /// played.
    ///
    /// # Errors
    ///
    /// If a player cannot be had or the receiver fails.
    pub(crate) fn run<E: From<PlayerLost> + Send>(
        &self,
        player: impl Fn() -> Result<Box<dyn Player>, PlayerLost> + Sync,
        mut receive: impl FnMut(&PairRecord) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        in_order(
            self.concurrency,
            0..self.openings.len() as u64,
            || Ok::<_, PlayerLost>([player()?, player()?]),
            |[white, black], number, stop| {
                let opening = super::in_turn(self.openings, number);
                let limits = [&self.limits, &self.limits];
                seat([white.as_mut(), black.as_mut()], number + 1, 1);
                let game = play(opening, [white.as_mut(), black.as_mut()], limits, &self.rules, self.tablebases, stop)?;
                let kept = Kept { times: self.limits.by_time(), figures: self.figures };
                Ok(game.map(|game| PairRecord::new(number + 1, opening, [&game, &game], kept)))
            },
            |record| receive(&record),
        )
    }
}
