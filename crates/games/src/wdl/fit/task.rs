//! The stages of a fit, on all positions and on parts of them.

use super::calibration::Calibration;
use super::global::Problem;
use super::shape::Curves;
use super::table::{FoldedTable, Row, Table};
use super::{Density, Estimate, Fit, FitError, Local, Method, Objective, Options, Shape, Warning, local, powell};
use drawish_stats::{are_enough, jackknife_errors};

/// One of many blocks of games has about 1/blocks of the squared error, and hardly ever more than this share.
const MOST_OF_ONE_BLOCK: f64 = 0.8;
/// Of fewer blocks one may well have most of it.
const FEWEST_BLOCKS: usize = 8;

/// The largest share that one estimate has in the sum of squared distances from their mean.
fn share_of_one(estimates: &[f64]) -> Option<f64> {
    let mean = estimates.iter().sum::<f64>() / estimates.len() as f64;
    let squares = || estimates.iter().map(|estimate| (estimate - mean).powi(2));
    let (sum, most) = (squares().sum::<f64>(), squares().fold(0.0, f64::max));
    (estimates.len() >= FEWEST_BLOCKS && sum > 0.0 && sum.is_finite()).then(|| most / sum)
}

/// What stays the same when parts of the data are left out.
pub(super) struct Task<'a> {
    options: &'a Options,
    curves: Curves,
    pawn: f64,
    /// Place of the anchor: a row beyond the others that holds no positions.
    anchor: usize,
    /// For each mom its row at four minutes.
    mom_rows: Vec<usize>,
    moms: Vec<f64>,
    held_out_smoothing: Option<f64>,
}

impl<'a> Task<'a> {
    pub(super) fn new(table: &Table, options: &'a Options) -> Result<Task<'a>, FitError> {
        let weights: Vec<f64> =
            (0..table.rows.len()).map(|row| table.row(row).map(|cell| cell.1.total()).sum()).collect();
        let mut with_data: Vec<f64> =
            table.rows.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0).map(|(row, _)| row.mom).collect();
        with_data.dedup();
        let needed = options.shape.len().min(4);
        if with_data.len() < needed && options.method != Method::Nothing {
            return Err(FitError::TooFewRows { mom: options.mom, found: with_data.len(), needed });
        }
        let mut speeds = table.rows.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0).map(|(row, _)| row.speed);
        let first = speeds.next();
        if options.by_speed && options.method != Method::Nothing && speeds.all(|speed| Some(speed) == first) {
            return Err(FitError::OneSpeed);
        }
        // The values at the anchor and at four minutes are asked for, too.
        let mut rows = table.rows.clone();
        let anchor = rows.len();
        rows.push(Row { mom: options.mom_target, speed: 0.0 });
        let mut moms: Vec<f64> = table.rows.iter().map(|row| row.mom).collect();
        moms.dedup();
        let mom_rows = (rows.len()..rows.len() + moms.len()).collect();
        rows.extend(moms.iter().map(|&mom| Row { mom, speed: 0.0 }));
        let mut padded = weights;
        padded.resize(rows.len(), 0.0);
        let curves = Curves::new(options.shape, &rows, &padded, options.mom_target, options.by_speed);
        let pawn = options.normalization.pawn_value();
        let mut task = Task { options, curves, pawn, anchor, mom_rows, moms, held_out_smoothing: None };
        task.prepare_spline(table);
        Ok(task)
    }

    /// Learns in which direction splines go and, if it is not given, how smooth they are.
    fn prepare_spline(&mut self, table: &Table) {
        let Shape::Spline { smoothing, .. } = self.options.shape else { return };
        let (local, _) = self.local(table, Some(self.options.objective()));
        let direction = |value: fn(&Local) -> f64| {
            let weight: f64 = local.iter().map(|row| row.positions).sum();
            let mean =
                |of: &dyn Fn(&Local) -> f64| local.iter().map(|row| row.positions * of(row)).sum::<f64>() / weight;
            let (mom, level) = (mean(&|row| row.mom), mean(&|row| value(row)));
            mean(&|row| (row.mom - mom) * (value(row) - level)).signum()
        };
        if let Some(penalty) = &mut self.curves.penalty {
            penalty.directions =
                if local.is_empty() { [0.0; 2] } else { [direction(|row| row.a), direction(|row| row.b)] };
            penalty.smoothing = smoothing.unwrap_or(1e-4);
        }
        if smoothing.is_some() || table.blocks.len() < 4 {
            return;
        }
        let folds: Vec<(FoldedTable, FoldedTable)> = (0..4)
            .map(|fold| {
                let inside = || (0..table.blocks.len()).filter(move |block| block % 4 == fold);
                let rest = table.without(inside());
                let mut held = table.clone();
                held.counts.iter_mut().zip(&rest.counts).for_each(|(mine, others)| {
                    *mine += others.map(|count| -count);
                });
                (rest.folded(), held.folded())
            })
            .collect();
        let start = self.start(&local);
        let loss = |task: &Task<'_>| -> f64 {
            folds.iter().map(|(rest, held)| task.problem(held).sum(&task.problem(rest).minimize(&start).at)).sum()
        };
        let tried = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2].map(|smoothing| {
            if let Some(penalty) = &mut self.curves.penalty {
                penalty.smoothing = smoothing;
            }
            (loss(self), smoothing)
        });
        let best = tried.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).map(|best| best.1);
        self.held_out_smoothing = best;
        if let (Some(penalty), Some(best)) = (&mut self.curves.penalty, best) {
            penalty.smoothing = best;
        }
    }

    /// a and b of each mom by itself, and the moms with too few wins for that.
    fn local(&self, table: &Table, objective: Option<Objective>) -> (Vec<Local>, Vec<f64>) {
        let (mut local, thin) = if self.options.by_speed {
            local::fit_rows(&table.merged(&self.moms), self.options.win_min, objective, self.pawn)
        } else {
            local::fit_rows(table, self.options.win_min, objective, self.pawn)
        };
        local.iter_mut().for_each(|row| row.row = self.mom_rows[row.row]);
        (local, thin)
    }

    fn problem<'t>(&'t self, table: &'t FoldedTable) -> Problem<'t> {
        Problem { table, curves: &self.curves, objective: self.options.objective(), pawn: self.pawn }
    }

    /// Parameters near the rows' own a and b, each row weighing as many positions as it has.
    fn start(&self, local: &[Local]) -> Vec<f64> {
        let near = |value: fn(&Local) -> f64| {
            self.curves.near(&local.iter().map(|row| (row.row, value(row), row.positions)).collect::<Vec<_>>())
        };
        if local.is_empty() { self.flat_start(2.0) } else { [near(|row| row.a), near(|row| row.b)].concat() }
    }

    /// Parameters of constant curves: a is the pawn, b some part of it.
    fn flat_start(&self, part: f64) -> Vec<f64> {
        [self.curves.constant(self.pawn), self.curves.constant(self.pawn / part)].concat()
    }

    /// The parameters by the density fit: curves through the rows without weights.
    fn by_density(&self, table: &Table) -> (Vec<f64>, Vec<Local>, Vec<f64>) {
        let (local, thin) = self.local(table, None);
        (self.through(&local), local, thin)
    }

    /// scoreWDL.py's start: curves through the rows' own a and b without weights, each row refined by Powell's method.
    fn as_the_original(
        &self,
        table: &Table,
        folded: &FoldedTable,
        objective: Objective,
    ) -> (Vec<f64>, Vec<Local>, Vec<f64>) {
        let (mut local, thin) = self.local(table, None);
        for row in &mut local {
            let cells = &folded.rows[row.row - self.mom_rows[0]];
            let told = |at: &[f64]| objective.told(objective.value(cells, at[0], at[1]), row.positions);
            let (end, _) = powell::minimize(told, &[row.a, row.b]);
            (row.a, row.b) = (end[0], end[1]);
        }
        (self.through(&local), local, thin)
    }

    /// Curves through the rows' own a and b without weights.
    fn through(&self, local: &[Local]) -> Vec<f64> {
        let through = |value: fn(&Local) -> f64| {
            self.curves.near(&local.iter().map(|row| (row.row, value(row), 1.0)).collect::<Vec<_>>())
        };
        if local.is_empty() { self.flat_start(6.0) } else { [through(|row| row.a), through(|row| row.b)].concat() }
    }

    pub(super) fn fit(&self, table: &Table) -> Result<Fit, FitError> {
        let folded = table.folded();
        let problem = self.problem(&folded);
        let objective = self.options.objective();
        let told = |sum: f64| objective.told(sum, folded.total);
        let (by_density, density_local, density_thin) = self.by_density(table);
        let mut initial_objective = told(problem.sum(&by_density));
        let (parameters, ends, converged, local, thin) = match self.options.method {
            Method::Nothing => (None, Vec::new(), true, density_local, density_thin),
            Method::FitDensity => {
                if density_local.is_empty() {
                    return Err(FitError::TooFewWins { mom: self.options.mom, win_min: self.options.win_min });
                }
                (Some(by_density), Vec::new(), true, density_local, density_thin)
            }
            Method::Optimize(_) if self.options.parity => {
                let (start, local, thin) = self.as_the_original(table, &folded, objective);
                initial_objective = told(problem.sum(&start));
                let value = |told_parameters: &[f64]| {
                    let (a, b) = told_parameters.split_at(self.curves.len);
                    told(problem.sum(&[self.curves.searched(a), self.curves.searched(b)].concat()))
                };
                let (a, b) = start.split_at(self.curves.len);
                let (end, value) = powell::minimize(value, &[self.curves.told(a), self.curves.told(b)].concat());
                let (a, b) = end.split_at(self.curves.len);
                (Some([self.curves.searched(a), self.curves.searched(b)].concat()), vec![value], true, local, thin)
            }
            Method::Optimize(_) => {
                let (local, thin) = self.local(table, Some(objective));
                let starts = [by_density, self.flat_start(2.0), self.start(&local)];
                let ends = starts.map(|start| problem.minimize(&start));
                let best =
                    ends.iter().min_by(|one, other| one.value.total_cmp(&other.value)).unwrap_or(&ends[0]).clone();
                let values = ends.iter().map(|end| told(problem.sum(&end.at))).collect();
                (Some(best.at), values, best.converged, local, thin)
            }
        };
        let mut fit = Fit {
            options: self.options.clone(),
            retained: table.outcomes(),
            left: table.left,
            moms: self.moms.clone(),
            local,
            thin,
            estimate: parameters.as_ref().map(|parameters| self.estimate(parameters, told(problem.sum(parameters)))),
            initial_objective,
            ends,
            converged,
            errors: None,
            blocks: table.blocks.len(),
            worth: table.worth_of_blocks(),
            held_out_loss: None,
            calibration: Vec::new(),
            calibration_held_out: false,
            smoothing: self.held_out_smoothing.or(self.curves.penalty.map(|penalty| penalty.smoothing)),
            warnings: Vec::new(),
            density: Density {
                eval_max: table.eval_max,
                rows: {
                    let merged = table.merged(&self.moms);
                    (0..self.moms.len()).map(|row| merged.row(row).collect()).collect()
                },
            },
        };
        let mut calibration = Calibration::default();
        let Some(parameters) = parameters else { return Ok(fit) };
        let mut of_one_block = None;
        if self.options.errors && !self.options.parity && table.blocks.len() > 1 {
            of_one_block = self.leave_out_each(table, &parameters, &mut fit, &mut calibration);
        } else {
            calibration.add(&self.curves, &folded, &parameters);
        }
        fit.calibration = calibration.bins();
        fit.warnings = Warning::all(&fit);
        fit.warnings.extend(of_one_block.map(Warning::OneBlock));
        Ok(fit)
    }

    /// Fits the rest without each block, for errors and for what the rest says about the block. Returns the share of the squared
    /// error of the pawn value that comes from one block, where it is too large for an error to mean anything.
    fn leave_out_each(
        &self,
        table: &Table,
        parameters: &[f64],
        fit: &mut Fit,
        calibration: &mut Calibration,
    ) -> Option<f64> {
        let (mut estimates, mut pawns) = (Vec::new(), Vec::new());
        let mut loss = 0.0;
        for block in 0..table.blocks.len() {
            let rest = table.without(std::iter::once(block));
            let folded = rest.folded();
            let without = match self.options.method {
                Method::FitDensity => self.by_density(&rest).0,
                Method::Optimize(_) | Method::Nothing => self.problem(&folded).minimize(parameters).at,
            };
            let objective = self.options.objective().told(self.problem(&folded).sum(&without), folded.total);
            let estimate = self.estimate(&without, objective);
            pawns.push(estimate.pawn_value);
            estimates.push(estimate.values());
            let held = table.only(block).folded();
            let by_probability = Problem { objective: Objective::Probability, ..self.problem(&held) };
            loss += by_probability.sum(&without);
            calibration.add(&self.curves, &held, &without);
        }
        // Of fewer blocks they are themselves too uncertain to be read as errors.
        let is_enough = are_enough(table.blocks.len(), table.worth_of_blocks());
        let estimates = if is_enough { estimates } else { Vec::new() };
        fit.errors =
            jackknife_errors(&estimates).zip(fit.estimate.as_ref()).map(|(errors, of)| of.with_values(&errors));
        fit.held_out_loss = Some(loss / table.total());
        fit.calibration_held_out = true;
        share_of_one(&pawns).filter(|&share| is_enough && share > MOST_OF_ONE_BLOCK)
    }

    fn estimate(&self, parameters: &[f64], objective: f64) -> Estimate {
        let (for_a, for_b) = parameters.split_at(self.curves.len);
        let along = |curve: &[f64]| self.mom_rows.iter().map(|&row| self.curves.value(row, curve)).collect();
        Estimate {
            pawn_value: self.curves.value(self.anchor, for_a),
            spread: self.curves.value(self.anchor, for_b),
            objective,
            a: self.curves.told(for_a),
            b: self.curves.told(for_b),
            a_at: along(for_a),
            b_at: along(for_b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_rests_on_one_block_is_noticed() {
        let mut estimates: Vec<f64> = (0..32).map(|at| 100.0 + f64::from(at * 7 % 32) / 32.0).collect();
        assert!(share_of_one(&estimates).is_some_and(|share| share < 0.2));
        estimates[5] = 140.0;
        assert!(share_of_one(&estimates).is_some_and(|share| share > MOST_OF_ONE_BLOCK));
        assert_eq!((share_of_one(&estimates[..7]), share_of_one(&[1.0; 32])), (None, None));
    }

    /// Numbers from 0 to 1, always the same.
    fn numbers(mut state: u64) -> impl FnMut() -> f64 {
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// So many simulated games, spread over blocks: the result is that of a strength of which evaluations tell.
    fn games(count: usize, random: &mut impl FnMut() -> f64) -> crate::wdl::WdlCounts {
        use crate::wdl::{Block, Cell, MoverResult, Speed, WdlCounts};
        let mut blocks = vec![std::collections::BTreeMap::<u32, u64>::new(); crate::wdl::BLOCKS];
        for _ in 0..count {
            let mut normal = || (0..12).map(|_| random()).sum::<f64>() - 6.0;
            let (strength, luck) = (120.0 * normal(), 60.0 * normal());
            let result = match strength + luck {
                end if end > 100.0 => MoverResult::Win,
                end if end < -100.0 => MoverResult::Loss,
                _ => MoverResult::Draw,
            };
            let cells = (0..40_u8).map(|at| {
                let eval = ((strength + 40.0 * normal()).clamp(-390.0, 390.0) / 5.0).round() as i16 * 5;
                Cell { result, move_number: 30, material: 62 - at / 4, eval, speed: Speed::UNKNOWN }.pack()
            });
            let cells: Vec<u32> = cells.collect();
            let block = (random() * 32.0) as usize;
            cells.into_iter().for_each(|word| *blocks[block].entry(word).or_default() += 1);
        }
        let block = |cells: std::collections::BTreeMap<u32, u64>| {
            let mut block = Block::default();
            cells.into_iter().for_each(|(word, count)| assert!(block.push(word, count)));
            block
        };
        WdlCounts { blocks: blocks.into_iter().map(block).collect() }
    }

    /// What the time control changes is found again where there are several, and refused where there is one.
    #[test]
    fn one_time_control_tells_nothing_of_others() {
        use crate::wdl::fit::{Normalization, Options, fit};
        use crate::wdl::{Block, Cell, MoverResult, Speed, WdlCounts};
        use drawish_stats::model::wdl::Curve;
        let counts = |classes: &[u8]| {
            let mut cells = std::collections::BTreeMap::new();
            for speed in classes.iter().map(|&class| Speed::new(class).expect("a class")) {
                let doublings = speed.log2_of_four_minutes().expect("a known time");
                let curve = Curve::new(150.0 + 12.0 * doublings, 60.0 - 5.0 * doublings);
                for (material, eval) in
                    (20..=78).step_by(6).flat_map(|material| (-400..=400).step_by(20).map(move |eval| (material, eval)))
                {
                    let rates = curve.rates(f64::from(eval));
                    for (result, rate) in [
                        (MoverResult::Win, rates.win),
                        (MoverResult::Draw, rates.draw),
                        (MoverResult::Loss, rates.loss),
                    ] {
                        let cell = Cell { result, move_number: 30, material, eval, speed };
                        cells.insert(cell.pack(), (1e7 * rate).round() as u64);
                    }
                }
            }
            let mut block = Block::default();
            cells
                .into_iter()
                .filter(|&(_, count)| count > 0)
                .for_each(|(word, count)| assert!(block.push(word, count)));
            WdlCounts::without_blocks(block)
        };
        let options = Options { normalization: Normalization::Static(100.0), by_speed: true, ..Options::default() };
        let found = fit(&counts(&[2, 3, 5]), &options).expect("a fit");
        assert!(found.warnings.contains(&Warning::TimeClasses));
        let found = found.estimate.expect("an estimate");
        let slopes = [found.a[4], found.b[4]];
        assert!((found.pawn_value - 150.0).abs() < 0.01 && (found.spread - 60.0).abs() < 0.01, "{found:?}");
        assert!((slopes[0] - 12.0).abs() < 0.01 && (slopes[1] + 5.0).abs() < 0.01, "{slopes:?}");
        for class in 1..Speed::CLASSES {
            let error = fit(&counts(&[class]), &options).expect_err("one time control");
            assert!(matches!(error, FitError::OneSpeed), "{error}");
        }
    }

    /// Where one of the blocks has half of the games, intervals are those of as few blocks as all are worth; and that of the spread, which
    /// is above 0, reaches further up than down.
    #[test]
    fn intervals_are_by_what_blocks_are_worth() {
        use crate::wdl::fit::{Normalization, Options, fit};
        use crate::wdl::{Model, Provenance};
        let mut random = numbers(0x2545_f491_4f6c_dd1d);
        let mut counts = games(200, &mut random);
        let large = crate::wdl::WdlCounts { blocks: counts.blocks.drain(..12).collect() };
        counts.blocks.push(large.total());
        let options = Options { normalization: Normalization::Static(100.0), ..Options::default() };
        let fit = fit(&counts, &options).expect("a fit");
        let model = Model::new(&fit, &Provenance::default()).expect("a model");
        let sizes = || counts.blocks.iter().map(|block| block.iter().map(|(_, count)| count as f64).sum::<f64>());
        assert_eq!((fit.left, fit.blocks), (crate::wdl::fit::Left::default(), 21));
        let worth = sizes().sum::<f64>().powi(2) / sizes().map(|size| size * size).sum::<f64>();
        assert!((5.0..9.0).contains(&worth), "{worth}");
        let reach = drawish_stats::reach_of_95_percent_of_worth(worth);
        let (errors, found) = (model.errors.expect("errors"), model.intervals_95.expect("intervals"));
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        let [low, high] = found.pawn_value;
        assert!(near((high - low) / 2.0, reach * errors.pawn_value), "{low} {high} {worth}");
        let [low, high] = found.spread;
        assert!(near(low * high, model.spread * model.spread), "{low} {high}");
        assert!(near((high / low).ln() / 2.0, reach * errors.spread / model.spread), "{low} {high}");
    }

    /// Intervals of few games hold the truth of many, where there are any.
    #[test]
    fn intervals_of_few_games_hold_the_truth() {
        use crate::wdl::fit::{Options, fit};
        let mut random = numbers(0x9e37_79b9_7f4a_7c15);
        const TRIALS: u32 = 60;
        let truth = fit(&games(6000, &mut random), &Options { errors: false, ..Options::default() }).expect("a fit");
        let truth = truth.estimate.expect("an estimate");
        for count in [2, 5, 10, 20, 30] {
            let (mut given, mut held) = (0, [0; 2]);
            for _ in 0..TRIALS {
                let Ok(found) = fit(&games(count, &mut random), &Options::default()) else { continue };
                if found.errors.is_none() {
                    continue;
                }
                assert!(found.blocks >= drawish_stats::FEWEST_EVENTS, "{count} games in {} blocks", found.blocks);
                let model = crate::wdl::Model::new(&found, &crate::wdl::Provenance::default()).expect("a model");
                let holds = |[low, high]: [f64; 2], value: f64| u32::from(low <= value && value <= high);
                let intervals = model.intervals_95.expect("intervals");
                given += 1;
                held[0] += holds(intervals.pawn_value, truth.pawn_value);
                held[1] += holds(intervals.spread, truth.spread);
            }
            // Few games seldom have intervals at all, and of few intervals any number may hold.
            let is_few = |held: u32| given >= 40 && f64::from(held) < 0.9 * f64::from(given);
            let said = format!("{count} games: {given} of {TRIALS} with intervals, held {held:?}");
            assert!(!held.into_iter().any(is_few) && (given >= 40 || count < 20), "{said}");
        }
    }
}
