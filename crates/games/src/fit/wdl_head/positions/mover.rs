//! Whether evaluations are of one side.

use drawish_core::Outcome;
use drawish_heads::features;

use super::super::super::remark::{Remark, of_events};
use super::{Block, Positions, odd_places};

impl Positions {
    /// What to know of them before trusting what is made of them.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        of_events(self.numbered_events()).chain(self.remark_of_mover()).collect()
    }

    /// That the side to move scored so much in them that it is no chance: near one half where positions of both sides are taken.
    pub(in super::super) fn remark_of_mover(&self) -> Option<Remark> {
        let chance = 1.0 / (self.games as f64).sqrt();
        let score = self.mover_score().filter(|score| (score - 0.5).abs() > f64::max(0.04, chance))?;
        Some(Remark::Mover { permille: (1000.0 * score).round() as u32 })
    }

    /// The expected score of the side to move, each position with its weight; `None` without positions.
    pub(in super::super) fn mover_score(&self) -> Option<f64> {
        let tempo = features::place("tempo_mg")?;
        let column = odd_places().iter().position(|places| places[0] == tempo)?;
        let of = |block: &Block, row: usize| {
            let points = match block.outcomes[row] {
                Outcome::WhiteWin => 1.0,
                Outcome::Draw => 0.5,
                Outcome::BlackWin => 0.0,
            };
            let is_white = block.odd(row)[column] > 0;
            (f64::from(block.weights[row]), if is_white { points } else { 1.0 - points })
        };
        let (points, weights) = self
            .each(of)
            .fold((0.0, 0.0), |(points, weights), (weight, score)| (points + weight * score, weights + weight));
        (weights > 0.0).then(|| points / weights)
    }
}
