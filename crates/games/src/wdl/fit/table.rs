//! Counts as the fit sees them: cells by material or move and internal evaluation, within the limits asked for.

use drawish_core::Wdl;
use serde::{Deserialize, Serialize};

use super::{FitError, Options};
use crate::wdl::{Cell, EVAL_LIMIT, MATE, MoverResult, Speed, WdlCounts};
use drawish_stats::model::wdl::Mom;

/// Positions that were left out, by the first limit that they did not pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Left {
    /// Outside of the limits on moves.
    #[serde(rename = "move")]
    pub by_move: u64,
    /// Outside of the limits on material.
    #[serde(rename = "material")]
    pub by_material: u64,
    /// Beyond the largest evaluation, or at ±[`EVAL_LIMIT`] centipawns, where counts put all that is beyond it.
    #[serde(rename = "eval")]
    pub by_eval: u64,
    /// Mates.
    pub mates: u64,
    /// Without a time control, where it is a covariate.
    #[serde(rename = "time_control")]
    pub by_speed: u64,
}

/// All positions with the same material (or move) and, where it matters, time control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) mom: f64,
    /// Base-2 logarithm of the time over four minutes; 0 where it does not matter.
    pub(super) speed: f64,
}

/// Wins, draws and losses for the mover at each evaluation from -`eval_max` to `eval_max`, row after row.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    pub(super) eval_max: i32,
    pub(super) counts: Vec<Wdl<f64>>,
    /// The share of each block: place in `counts`, result, positions.
    pub(super) blocks: Vec<Vec<(u32, MoverResult, f64)>>,
    pub(super) left: Left,
}

/// The positions of a row with an evaluation of x or -x, of which the model says the same: a loss at -x is a win at x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded {
    pub(super) x: f64,
    pub(super) outcomes: Wdl<f64>,
}

/// A table folded, row after row; what the objectives need.
#[derive(Clone, Debug)]
pub(super) struct FoldedTable {
    pub(super) rows: Vec<Vec<Folded>>,
    pub(super) total: f64,
}

impl Table {
    pub(super) fn new(counts: &WdlCounts, options: &Options) -> Result<Table, FitError> {
        let pawn = options.normalization.pawn_value();
        let eval_max = (options.eval_max * pawn / 100.0).round_ties_even();
        // An evaluation of the counts is at most 1000 centipawns of an engine's own.
        if !(1.0..=1e5).contains(&eval_max) {
            return Err(FitError::EvalMax { eval_max: options.eval_max, pawn });
        }
        let eval_max = eval_max as i32;
        let (least, most) = options.mom_limits();
        let speeds: u8 = if options.by_speed { Speed::CLASSES - 1 } else { 1 };
        let rows = (least..=most)
            .flat_map(|mom| {
                (1..=speeds)
                    .map(move |class| Row { mom: f64::from(mom), speed: if speeds == 1 { 0.0 } else { log2(class) } })
            })
            .collect::<Vec<_>>();
        let width = 2 * eval_max as usize + 1;
        let mut table = Table {
            counts: vec![Wdl::default(); rows.len() * width],
            rows,
            eval_max,
            blocks: Vec::new(),
            left: Left::default(),
        };
        for block in &counts.blocks {
            let mut share = Vec::new();
            for (word, count) in block.iter() {
                let Some(cell) = Cell::unpack(word) else { continue };
                let Some(place) = table.place(cell, count, options, speeds) else { continue };
                *of_result(&mut table.counts[place], cell.result) += count as f64;
                share.push((place as u32, cell.result, count as f64));
            }
            if counts.has_blocks() && !share.is_empty() {
                table.blocks.push(share);
            }
        }
        if table.total() == 0.0 { Err(FitError::NoData { left: table.left }) } else { Ok(table) }
    }

    /// Where a cell is counted; if nowhere, the reason is.
    fn place(&mut self, cell: Cell, count: u64, options: &Options, speeds: u8) -> Option<usize> {
        let move_number = u32::from(cell.move_number);
        let material = u32::from(cell.material);
        if !(options.move_min..=options.move_max).contains(&move_number) {
            self.left.by_move += count;
            return None;
        }
        if !(options.material_min..=options.material_max).contains(&material) {
            self.left.by_material += count;
            return None;
        }
        let size = cell.eval.abs();
        if size == MATE {
            self.left.mates += count;
            return None;
        }
        let internal = options.normalization.internal(f64::from(cell.eval), cell.move_number, cell.material);
        // At the limit of the counts stands all that is beyond it.
        if size >= EVAL_LIMIT || internal.abs() > f64::from(self.eval_max) {
            self.left.by_eval += count;
            return None;
        }
        let class = if speeds == 1 { 1 } else { cell.speed.class() };
        if class == 0 {
            self.left.by_speed += count;
            return None;
        }
        let mom = match options.mom {
            Mom::Move => move_number - options.move_min,
            Mom::Material => material - options.material_min,
        };
        let row = mom as usize * usize::from(speeds) + usize::from(class - 1);
        Some(row * self.width() + (internal as i32 + self.eval_max) as usize)
    }

    pub(super) fn width(&self) -> usize {
        2 * self.eval_max as usize + 1
    }

    pub(super) fn total(&self) -> f64 {
        self.outcomes().total()
    }

    /// Wins, draws and losses.
    pub(super) fn outcomes(&self) -> Wdl<f64> {
        self.counts.iter().fold(Wdl::default(), |sum, &more| sum + more)
    }

    /// The cells of a row that hold positions: evaluation, wins, draws and losses.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (f64, Wdl<f64>)> {
        let first = -self.eval_max;
        let cells = &self.counts[row * self.width()..(row + 1) * self.width()];
        (first..).zip(cells).filter(|(_, counts)| counts.total() > 0.0).map(|(x, counts)| (f64::from(x), *counts))
    }

    /// The table with one row for each mom, whatever the time control.
    pub(super) fn merged(&self, moms: &[f64]) -> Table {
        let width = self.width();
        let rows: Vec<Row> = moms.iter().map(|&mom| Row { mom, speed: 0.0 }).collect();
        let mut counts = vec![Wdl::default(); rows.len() * width];
        for (row, cells) in self.rows.iter().zip(self.counts.chunks(width)) {
            let place = moms.iter().position(|mom| *mom == row.mom).unwrap_or_default();
            for (sum, more) in counts[place * width..(place + 1) * width].iter_mut().zip(cells) {
                *sum += *more;
            }
        }
        Table { rows, counts, eval_max: self.eval_max, blocks: Vec::new(), left: self.left }
    }

    /// The table without some of its blocks.
    pub(super) fn without(&self, left_out: impl Iterator<Item = usize>) -> Table {
        let mut rest = self.with_counts(self.counts.clone());
        for &(place, result, count) in left_out.flat_map(|block| &self.blocks[block]) {
            *of_result(&mut rest.counts[place as usize], result) -= count;
        }
        rest
    }

    /// So many blocks of equal size are worth as much as these.
    pub(super) fn worth_of_blocks(&self) -> f64 {
        drawish_stats::worth(self.blocks.iter().map(|block| block.iter().map(|(.., count)| count).sum()))
    }

    /// Only one of the blocks.
    pub(super) fn only(&self, block: usize) -> Table {
        let mut one = self.with_counts(vec![Wdl::default(); self.counts.len()]);
        for &(place, result, count) in &self.blocks[block] {
            *of_result(&mut one.counts[place as usize], result) += count;
        }
        one
    }

    fn with_counts(&self, counts: Vec<Wdl<f64>>) -> Table {
        Table { rows: self.rows.clone(), eval_max: self.eval_max, counts, blocks: Vec::new(), left: self.left }
    }

    pub(super) fn folded(&self) -> FoldedTable {
        let centre = self.eval_max as usize;
        let rows = (0..self.rows.len())
            .map(|row| {
                let cells = &self.counts[row * self.width()..(row + 1) * self.width()];
                (0..=centre)
                    .map(|x| {
                        let above = cells[centre + x];
                        let below = if x == 0 { Wdl::default() } else { cells[centre - x] };
                        Folded { x: x as f64, outcomes: above + below.flip() }
                    })
                    .filter(|cell| cell.outcomes.total() > 0.0)
                    .collect()
            })
            .collect();
        FoldedTable { rows, total: self.total() }
    }
}

fn of_result(counts: &mut Wdl<f64>, result: MoverResult) -> &mut f64 {
    match result {
        MoverResult::Win => &mut counts.wins,
        MoverResult::Draw => &mut counts.draws,
        MoverResult::Loss => &mut counts.losses,
    }
}

fn log2(class: u8) -> f64 {
    Speed::new(class).and_then(Speed::log2_of_four_minutes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::Block;
    use crate::wdl::fit::Normalization;

    /// Neither a mate nor an evaluation that counts have cut off is a number, however large the limit.
    #[test]
    fn what_counts_have_cut_off_is_left_out() {
        let mut block = Block::default();
        let cell = |eval| Cell { result: MoverResult::Win, move_number: 40, material: 50, eval, speed: Speed::UNKNOWN };
        let mut words = [0, 995, EVAL_LIMIT, MATE, -EVAL_LIMIT, -MATE].map(|eval| cell(eval).pack());
        words.sort_unstable();
        for word in words {
            assert!(block.push(word, 1));
        }
        let counts = WdlCounts::without_blocks(block);
        for eval_max in [400.0, 999.0, 1000.0, 1500.0] {
            let options = Options { normalization: Normalization::Static(100.0), eval_max, ..Options::default() };
            let table = Table::new(&counts, &options).expect("a table");
            let by_eval = if eval_max < 995.0 { 3 } else { 2 };
            assert_eq!((table.left.mates, table.left.by_eval), (2, by_eval), "{eval_max}");
        }
    }
}
