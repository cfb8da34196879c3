//! Fitting the model to counts: the true optimum of the stated objective, and how sure it is.

mod global;
mod jackknife;
mod local;
mod newton;
mod objective;
mod powell;
mod shape;
mod table;

use thiserror::Error;

use super::WdlCounts;
use crate::model::wdl::{Cubic, Curve, Mom, SMALLEST_B};
use global::Problem;
pub use jackknife::reach_of_95_percent;
pub use local::Local;
pub use objective::Objective;
use shape::Curves;
pub use shape::Shape;
pub use table::Left;
use table::{FoldedTable, Table};

/// How an engine's centipawns become internal units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Normalization {
    /// 100 centipawns are always this many.
    Static(f64),
    /// 100 centipawns are p_a(mom / target), mom within limits.
    Dynamic {
        /// What the conversion depends on.
        mom: Mom,
        /// Smaller values count as this one.
        min: f64,
        /// Larger values count as this one.
        max: f64,
        /// The anchor.
        target: f64,
        /// Coefficients of p_a from the highest.
        a: [f64; 4],
    },
}

impl Normalization {
    /// The conversion that scoreWDL.py takes when it is told nothing: Stockfish's of 2025.
    pub const DEFAULT: Normalization = Normalization::Dynamic {
        mom: Mom::Material,
        min: 17.0,
        max: 78.0,
        target: 58.0,
        a: [-72.325_658_36, 185.938_320_38, -144.588_621_93, 416.449_504_46],
    };
}

/// How the parameters are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Curves through each row's a and b, which are fitted to shares of wins without weights.
    FitDensity,
    /// The minimum of an objective over all positions.
    Optimize(Objective),
    /// No fit: the figures of the estimate are not numbers.
    Nothing,
}

/// What to fit, and to which positions. Limits include their ends.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are the options of scoreWDL.py")]
pub struct Options {
    pub normalization: Normalization,
    pub move_min: u32,
    pub move_max: u32,
    pub material_min: u32,
    pub material_max: u32,
    /// Largest evaluation in centipawns at the anchor.
    pub eval_max: f64,
    pub mom: Mom,
    pub mom_target: f64,
    pub method: Method,
    /// Fewest wins of a row that is fitted by itself.
    pub win_min: f64,
    pub shape: Shape,
    /// Let a and b depend on the time control, too: + c · log2(time / 4 min), time per player of a game of 40 moves.
    pub by_speed: bool,
    /// Go the way of scoreWDL.py, which ends short of the optimum: for comparing figures. Only for cubics.
    pub parity: bool,
    /// Estimate errors, held-out loss and calibration, where the counts have blocks.
    pub errors: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            normalization: Normalization::DEFAULT,
            move_min: 1,
            move_max: 120,
            material_min: 17,
            material_max: 78,
            eval_max: 400.0,
            mom: Mom::Material,
            mom_target: 58.0,
            method: Method::Optimize(Objective::Probability),
            win_min: 10.0,
            shape: Shape::Cubic,
            by_speed: false,
            parity: false,
            errors: true,
        }
    }
}

impl Options {
    /// The limits of what the curves depend on.
    #[must_use]
    pub fn mom_limits(&self) -> (u32, u32) {
        match self.mom {
            Mom::Move => (self.move_min, self.move_max),
            Mom::Material => (self.material_min, self.material_max),
        }
    }

    /// The objective that is told, also where it is not minimised.
    #[must_use]
    pub fn objective(&self) -> Objective {
        match self.method {
            Method::FitDensity | Method::Nothing => Objective::Probability,
            Method::Optimize(objective) => objective,
        }
    }
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum FitError {
    #[error(
        "no position is left within the limits: {by_move} left out by move, {by_material} by material, {by_eval} by evaluation, {mates} mates, {by_speed} without a time control; check the files and the limits",
        by_move = left.by_move, by_material = left.by_material, by_eval = left.by_eval, mates = left.mates, by_speed = left.by_speed
    )]
    NoData { left: Left },
    #[error(
        "{found} different values of {mom} hold positions, expected at least {needed} to fit this shape; collect more games or widen the limits"
    )]
    TooFewRows { mom: Mom, found: usize, needed: usize },
    #[error("no value of {mom} has {win_min} wins, which the density fit needs; collect more games or lower --win-min")]
    TooFewWins { mom: Mom, win_min: f64 },
    #[error(
        "evaluations up to {eval_max} centipawns with {pawn} internal units to the pawn: expected a limit of 1 to 100,000 internal units"
    )]
    EvalMax { eval_max: f64, pawn: f64 },
    #[error(
        "--parity is the way of scoreWDL.py, which knows only cubics of {0}; leave out --shape and --by-time-control"
    )]
    Parity(Mom),
    #[error("the limits {least} to {most} for {mom} leave nothing between them")]
    Limits { mom: Mom, least: u32, most: u32 },
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What was asked for.
    pub options: Options,
    /// Wins, draws and losses of the positions used.
    pub retained: [f64; 3],
    /// Positions not used.
    pub left: Left,
    /// The values of mom, from the least to the most.
    pub moms: Vec<f64>,
    /// a and b of each row by itself.
    pub local: Vec<Local>,
    /// Rows with too few wins to be fitted by themselves.
    pub thin: Vec<f64>,
    /// Everything that was estimated from all positions.
    pub estimate: Estimate,
    /// Objective at the first start, before the search.
    pub initial_objective: f64,
    /// The objective that the search ended with from each of its starts.
    pub ends: Vec<f64>,
    /// Whether the best search ended where a Newton step gains nothing.
    pub converged: bool,
    /// Standard errors of the estimate, where there are blocks.
    pub errors: Option<Estimate>,
    /// Number of blocks that the errors stand on.
    pub blocks: usize,
    /// Mean log loss on blocks that were left out, each predicted from the others.
    pub held_out_loss: Option<f64>,
    /// Predicted and observed rates.
    pub calibration: Vec<CalibrationBin>,
    /// Whether the calibration was held out.
    pub calibration_held_out: bool,
    /// The weight of the penalty of splines.
    pub smoothing: Option<f64>,
    /// What a user should know.
    pub warnings: Vec<String>,
    /// Wins, draws and losses by mom and evaluation, for pictures.
    pub density: Density,
}

/// The figures of a fit; in [`Fit::errors`] their standard errors.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// a at the anchor.
    pub pawn_value: f64,
    /// b at the anchor.
    pub spread: f64,
    /// The objective.
    pub objective: f64,
    /// Parameters of a: for cubics from the highest power, then that of the time control.
    pub a: Vec<f64>,
    /// Parameters of b.
    pub b: Vec<f64>,
    /// a at each mom, at 4 minutes where the time control matters.
    pub a_at: Vec<f64>,
    /// b at each mom.
    pub b_at: Vec<f64>,
}

/// Positions whose win was predicted with about the same probability, each position seen from both sides.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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

/// What was observed, by mom and evaluation.
#[derive(Clone, Debug)]
pub struct Density {
    /// Largest evaluation, internal units.
    pub eval_max: i32,
    /// For each mom its cells: evaluation, wins, draws and losses.
    pub rows: Vec<Vec<(f64, [f64; 3])>>,
}

/// Fits the model.
///
/// # Errors
///
/// If too few positions are left to fit anything.
pub fn fit(counts: &WdlCounts, options: &Options) -> Result<Fit, FitError> {
    let (least, most) = options.mom_limits();
    if least > most {
        return Err(FitError::Limits { mom: options.mom, least, most });
    }
    if options.parity && (options.shape != Shape::Cubic || options.by_speed) {
        return Err(FitError::Parity(options.mom));
    }
    let table = Table::new(counts, options)?;
    let task = Task::new(&table, options)?;
    task.fit(&table)
}

/// What stays the same when parts of the data are left out.
struct Task<'a> {
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
    fn new(table: &Table, options: &'a Options) -> Result<Task<'a>, FitError> {
        let weights: Vec<f64> = (0..table.rows.len()).map(|row| table.row(row).flat_map(|cell| cell.1).sum()).collect();
        let mut with_data: Vec<f64> =
            table.rows.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0).map(|(row, _)| row.mom).collect();
        with_data.dedup();
        let needed = options.shape.len().min(4);
        if with_data.len() < needed && options.method != Method::Nothing {
            return Err(FitError::TooFewRows { mom: options.mom, found: with_data.len(), needed });
        }
        // The values at the anchor and at four minutes are asked for, too.
        let mut rows = table.rows.clone();
        let anchor = rows.len();
        rows.push(table::Row { mom: options.mom_target, speed: 0.0 });
        let mut moms: Vec<f64> = table.rows.iter().map(|row| row.mom).collect();
        moms.dedup();
        let mom_rows = (rows.len()..rows.len() + moms.len()).collect();
        rows.extend(moms.iter().map(|&mom| table::Row { mom, speed: 0.0 }));
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
                    mine.iter_mut().zip(others).for_each(|(mine, other)| *mine -= other);
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

    fn fit(&self, table: &Table) -> Result<Fit, FitError> {
        let folded = table.folded();
        let problem = self.problem(&folded);
        let objective = self.options.objective();
        let told = |sum: f64| objective.told(sum, folded.total);
        let (by_density, density_local, density_thin) = self.by_density(table);
        let mut initial_objective = told(problem.sum(&by_density));
        let (parameters, ends, converged, local, thin) = match self.options.method {
            Method::Nothing => (vec![f64::NAN; 2 * self.curves.len], Vec::new(), true, density_local, density_thin),
            Method::FitDensity => {
                if density_local.is_empty() {
                    return Err(FitError::TooFewWins { mom: self.options.mom, win_min: self.options.win_min });
                }
                (by_density, Vec::new(), true, density_local, density_thin)
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
                ([self.curves.searched(a), self.curves.searched(b)].concat(), vec![value], true, local, thin)
            }
            Method::Optimize(_) => {
                let (local, thin) = self.local(table, Some(objective));
                let starts = [by_density, self.flat_start(2.0), self.start(&local)];
                let ends = starts.map(|start| problem.minimize(&start));
                let best =
                    ends.iter().min_by(|one, other| one.value.total_cmp(&other.value)).unwrap_or(&ends[0]).clone();
                let values = ends.iter().map(|end| told(problem.sum(&end.at))).collect();
                (best.at, values, best.converged, local, thin)
            }
        };
        let mut fit = Fit {
            options: self.options.clone(),
            retained: table.outcomes(),
            left: table.left,
            moms: self.moms.clone(),
            local,
            thin,
            estimate: self.estimate(&parameters, told(problem.sum(&parameters))),
            initial_objective,
            ends,
            converged,
            errors: None,
            blocks: table.blocks.len(),
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
        if self.options.method == Method::Nothing {
            return Ok(fit);
        }
        if self.options.errors && !self.options.parity && table.blocks.len() > 1 {
            self.leave_out_each(table, &parameters, &mut fit, &mut calibration);
        } else {
            calibration.add(self, &folded, &parameters);
        }
        fit.calibration = calibration.bins();
        fit.warnings = warnings(&fit);
        Ok(fit)
    }

    /// Fits the rest without each block, for errors and for what the rest says about the block.
    fn leave_out_each(&self, table: &Table, parameters: &[f64], fit: &mut Fit, calibration: &mut Calibration) {
        let mut estimates = Vec::new();
        let mut loss = 0.0;
        for block in 0..table.blocks.len() {
            let rest = table.without(std::iter::once(block));
            let folded = rest.folded();
            let without = match self.options.method {
                Method::FitDensity => self.by_density(&rest).0,
                Method::Optimize(_) | Method::Nothing => self.problem(&folded).minimize(parameters).at,
            };
            let objective = self.options.objective().told(self.problem(&folded).sum(&without), folded.total);
            estimates.push(self.estimate(&without, objective).values());
            let held = table.only(block).folded();
            let by_probability = Problem { objective: Objective::Probability, ..self.problem(&held) };
            loss += by_probability.sum(&without);
            calibration.add(self, &held, &without);
        }
        fit.errors = jackknife::standard_errors(&estimates).map(|errors| fit.estimate.with_values(&errors));
        fit.held_out_loss = Some(loss / table.total());
        fit.calibration_held_out = true;
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

impl Estimate {
    /// All figures, one after another.
    fn values(&self) -> Vec<f64> {
        let Estimate { pawn_value, spread, objective, a, b, a_at, b_at } = self;
        [&[*pawn_value, *spread, *objective][..], a, b, a_at, b_at].concat()
    }

    /// Other figures in the same places.
    fn with_values(&self, values: &[f64]) -> Estimate {
        let mut rest = values.iter().copied();
        let mut next = || rest.next().unwrap_or(f64::NAN);
        let [pawn_value, spread, objective] = [next(), next(), next()];
        let mut list = |len: usize| (0..len).map(|_| next()).collect();
        Estimate {
            pawn_value,
            spread,
            objective,
            a: list(self.a.len()),
            b: list(self.b.len()),
            a_at: list(self.a_at.len()),
            b_at: list(self.b_at.len()),
        }
    }

    /// p_a and p_b, of a cubic fit without the time control.
    #[must_use]
    pub fn cubics(&self) -> Option<[Cubic; 2]> {
        let cubic = |list: &[f64]| <[f64; 4]>::try_from(list).ok().map(Cubic);
        Some([cubic(&self.a)?, cubic(&self.b)?])
    }
}

impl Fit {
    /// Whether the parameters are those of cubics in mom / target.
    #[must_use]
    pub fn is_cubic(&self) -> bool {
        self.options.shape == Shape::Cubic
    }
}

/// Sums for the bins of predicted wins, tenth by tenth.
#[derive(Default)]
struct Calibration([CalibrationBin; 10]);

impl Calibration {
    fn add(&mut self, task: &Task<'_>, table: &FoldedTable, parameters: &[f64]) {
        let (for_a, for_b) = parameters.split_at(task.curves.len);
        for (row, cells) in table.rows.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            let curve = Curve::new(task.curves.value(row, for_a), task.curves.value(row, for_b));
            for cell in cells {
                let [wins, draws, losses] = cell.outcomes;
                let rates = curve.rates(cell.x);
                for (win, wins) in [(rates.win, wins), (rates.loss, losses)] {
                    let bin = &mut self.0[((10.0 * win) as usize).min(9)];
                    let sides = cell.outcomes.iter().sum::<f64>();
                    bin.sides += sides;
                    bin.predicted_win += sides * win;
                    bin.observed_win += wins;
                    bin.predicted_draw += sides * rates.draw;
                    bin.observed_draw += draws;
                }
            }
        }
    }

    fn bins(self) -> Vec<CalibrationBin> {
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

/// What a user should know before using the figures.
fn warnings(fit: &Fit) -> Vec<String> {
    let mut warnings = Vec::new();
    let mom = fit.options.mom;
    if !fit.thin.is_empty() {
        let list: Vec<_> = fit.thin.iter().map(ToString::to_string).collect();
        warnings.push(format!(
            "thin data: fewer than {} wins at {mom} {}: no a and b of their own there (see --win-min)",
            fit.options.win_min,
            list.join(" ")
        ));
    }
    if let Some(errors) = &fit.errors {
        let share = errors.pawn_value / fit.estimate.pawn_value.abs();
        if !(share <= 0.05) {
            warnings.push(format!(
                "thin data: the standard error of the pawn value is {:.0} % of it; collect more games",
                100.0 * share
            ));
        }
    } else if fit.options.errors && !fit.options.parity {
        warnings.push(
            "no errors: these counts are not kept in blocks of games; collect to a .wdl file to have them".to_owned(),
        );
    }
    let lowest = |values: &[f64]| {
        fit.moms.iter().copied().zip(values.iter().copied()).min_by(|one, other| one.1.total_cmp(&other.1))
    };
    if let Some((at, b)) = lowest(&fit.estimate.b_at)
        && b < 0.1 * fit.estimate.spread.abs().max(SMALLEST_B)
    {
        warnings.push(format!("b nears zero: {b:.2} at {mom} {at}: the model has no meaning there"));
    }
    if let Some((at, a)) = lowest(&fit.estimate.a_at)
        && a <= 0.0
    {
        warnings.push(format!("a is {a:.2} at {mom} {at}: draws have no probability there"));
    }
    if !fit.converged {
        warnings.push("the search has not ended in a minimum: the data do not determine the parameters".to_owned());
    }
    let span = fit
        .ends
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), end| (least.min(*end), most.max(*end)));
    if !fit.ends.is_empty() && !(span.1 - span.0 <= 1e-9) {
        warnings.push(format!(
            "the searches from {} starts ended {:.2e} apart; the best one is told",
            fit.ends.len(),
            span.1 - span.0
        ));
    }
    warnings
}
