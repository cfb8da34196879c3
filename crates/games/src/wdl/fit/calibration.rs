//! Whether what is predicted to happen often happens as often.

use serde::{Deserialize, Serialize};

use super::shape::Curves;
use super::table::FoldedTable;
use drawish_core::Wdl;
use drawish_stats::model::wdl::Curve;

/// Positions whose win was predicted with about the same probability, each position seen from both sides.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Sides of positions.
    pub sides: f64,
    /// Mean probability to win.
    pub predicted_win: f64,
    /// Share of wins.
    pub observed_win: f64,
    /// Mean probability of a draw.
    pub predicted_draw: f64,
    /// Share of draws.
    pub observed_draw: f64,
}

/// Sums for the bins of predicted wins, tenth by tenth.
#[derive(Default)]
pub(super) struct Calibration([CalibrationBin; 10]);

impl Calibration {
    /// Adds positions and what the parameters say about them.
    pub(super) fn add(&mut self, curves: &Curves, table: &FoldedTable, parameters: &[f64]) {
        let (for_a, for_b) = parameters.split_at(curves.len);
        for (row, cells) in table.rows.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            let curve = Curve::new(curves.value(row, for_a), curves.value(row, for_b));
            for cell in cells {
                let Wdl { wins, draws, losses } = cell.outcomes;
                let rates = curve.rates(cell.x);
                for (win, wins) in [(rates.win, wins), (rates.loss, losses)] {
                    let bin = &mut self.0[((10.0 * win) as usize).min(9)];
                    let sides = cell.outcomes.total();
                    bin.sides += sides;
                    bin.predicted_win += sides * win;
                    bin.observed_win += wins;
                    bin.predicted_draw += sides * rates.draw;
                    bin.observed_draw += draws;
                }
            }
        }
    }

    /// The bins that hold positions.
    pub(super) fn bins(self) -> Vec<CalibrationBin> {
        let used = self.0.into_iter().filter(|bin| bin.sides > 0.0);
        used.map(|bin| CalibrationBin {
            sides: bin.sides,
            predicted_win: bin.predicted_win / bin.sides,
            observed_win: bin.observed_win / bin.sides,
            predicted_draw: bin.predicted_draw / bin.sides,
            observed_draw: bin.observed_draw / bin.sides,
        })
        .collect()
    }
}
