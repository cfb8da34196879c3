//! Held-out comparison of models: what predicts a draw, and what predicts the result.
//!
//! Rows are cut by opening skeleton and by event at once: with k folds of each, the rows of one cell of the k x k square
//! are predicted by models fitted to all rows that share neither an opening nor an event with any row of the cell.
//! Engine archives repeat openings, and a split by anything less finds gains that are memories.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use drawish_core::{Outcome, Scheme};
use serde::Serialize;

use super::{Data, Kernel, Near, Objective, Prediction, Priors, Shift, Spec, fit, residual};
use crate::counts::Counts;
use crate::rows::Rows;
use crate::smooth::{Estimator, estimate};
use crate::stats::{Calibration, calibration, clustered_mean, log_loss, score_loss};

/// A model that takes part.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in tables.
    pub name: String,
    /// What it is.
    pub how: How,
    /// The contender that it builds on, by its place: the gain over it is given too.
    pub over: Option<usize>,
}

/// What a contender is.
#[derive(Clone, Debug)]
pub enum How {
    /// The rates of the rows that it was fitted to.
    Constant,
    /// A table over the 4,096 structures of files b to g.
    Table(Estimator),
    /// A fitted model.
    Model(Spec, Kernel),
    /// A model with given weights, which is not fitted.
    Given(Spec, Kernel, Vec<f64>),
    /// A fitted contender, by its place, with a residual for each structure under both symmetries.
    Residual(usize, Shift),
}

/// How rows are held out.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Folds of openings and of events; 1 for no folds, which only suits given models.
    pub folds: usize,
    /// Of the fits.
    pub priors: Priors,
    /// Threads that fit.
    pub threads: NonZero<usize>,
}

/// What was predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Draw or not.
    Draw,
    /// Win, draw or loss.
    WinDrawLoss,
    /// The expected score.
    Score,
}

/// A gain in millibits with its cluster standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// Thousandths of a bit for each game; positive is better.
    pub millibits: f64,
    /// Standard error, robust to dependence within events; none with one event.
    pub error: Option<f64>,
}

/// How well a contender predicts one target.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Quality {
    /// Which target.
    pub target: Target,
    /// Mean loss in bits.
    pub loss: f64,
    /// Over the constant.
    pub gain: Gain,
    /// Over the contender that it builds on.
    pub over: Option<Gain>,
    /// Mean squared error; of win, draw and loss the sum over the three.
    pub brier: f64,
    /// Expected calibration error with its 95 % interval; not of win, draw and loss, which the other two cover.
    pub ece: Option<[f64; 3]>,
    /// The reliability diagram.
    #[serde(skip)]
    pub calibration: Option<Calibration>,
}

/// A contender's figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// Its name.
    pub name: String,
    /// Weights or cells.
    pub weights: usize,
    /// The contender that it builds on.
    pub over: Option<String>,
    /// For each target that it predicts.
    pub qualities: Vec<Quality>,
}

/// The comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evaluation {
    /// Rows.
    pub rows: usize,
    /// Events among them.
    pub events: usize,
    /// Opening skeletons among them.
    pub skeletons: usize,
    /// Folds of each.
    pub folds: usize,
    /// White wins, draws, Black wins.
    pub results: [u64; 3],
    /// The contenders in their order.
    pub verdicts: Vec<Verdict>,
}

const BINS: usize = 10;
/// A table's forecast is kept this far from 0 and 1.
const CLIP: f64 = 0.01;

/// Compares contenders on rows that hold the columns which they read. The first contender must be the constant.
#[must_use]
pub fn evaluate(rows: &Rows, contenders: &[Contender], plan: Plan) -> Evaluation {
    let data: Vec<Data> = contenders
        .iter()
        .map(|contender| {
            let mut data = Data::default();
            match &contender.how {
                How::Model(spec, _) | How::Given(spec, ..) => data.extend(rows, spec, Some(Scheme::BgSym), |_, _| true),
                How::Residual(..) => {}
                How::Constant | How::Table(_) => data.extend(rows, &Spec::default(), Some(Scheme::Bg), |_, _| true),
            }
            data
        })
        .collect();
    let outcomes: Vec<Outcome> = data[0].outcomes().collect();
    let clusters: Vec<u32> = data[0].clusters().collect();
    let one_event = data[0].events() < 2;
    let folds = data[0].folds(plan.folds);
    // With one event only, the opening alone holds rows apart.
    let folds: Vec<(u8, u8)> =
        folds.into_iter().map(|(skeleton, event)| (skeleton, if one_event { 0 } else { event })).collect();
    let skeletons: Vec<u32> = data[0].skeleton_keys().collect();
    let contest = Contest {
        contenders,
        data: &data,
        outcomes: &outcomes,
        clusters: &clusters,
        skeletons: &skeletons,
        folds: &folds,
        plan,
        one_event,
    };
    let predictions = contest.predict();
    let mut verdicts: Vec<Verdict> = Vec::new();
    let losses: Vec<[Option<Vec<f64>>; 3]> = predictions.iter().map(|p| losses(p, &outcomes)).collect();
    for (place, contender) in contenders.iter().enumerate() {
        let qualities = [Target::Draw, Target::WinDrawLoss, Target::Score]
            .into_iter()
            .filter_map(|target| {
                let own = losses[place][target as usize].as_ref()?;
                let over = contender.over.and_then(|over| losses[over][target as usize].as_ref());
                let constant = losses[0][target as usize].as_ref()?;
                Some(quality(target, own, constant, over, &predictions[place], &outcomes, &clusters))
            })
            .collect();
        verdicts.push(Verdict {
            name: contender.name.clone(),
            weights: weights_of(contenders, place),
            over: contender.over.map(|over| contenders[over].name.clone()),
            qualities,
        });
    }
    Evaluation {
        rows: outcomes.len(),
        events: data[0].events(),
        skeletons: data[0].skeletons(),
        folds: plan.folds,
        results: data[0].results(),
        verdicts,
    }
}

fn weights_of(contenders: &[Contender], place: usize) -> usize {
    match &contenders[place].how {
        How::Constant => 1,
        How::Table(_) => Scheme::Bg.cells() as usize,
        How::Model(spec, kernel) | How::Given(spec, kernel, _) => {
            spec.win_weights() + spec.draw_weights() + usize::from(kernel.fits_kappa())
        }
        How::Residual(base, _) => weights_of(contenders, *base) + Scheme::BgSym.cells() as usize,
    }
}

/// All that the fits of one fold need.
struct Contest<'a> {
    contenders: &'a [Contender],
    data: &'a [Data],
    outcomes: &'a [Outcome],
    clusters: &'a [u32],
    skeletons: &'a [u32],
    folds: &'a [(u8, u8)],
    plan: Plan,
    one_event: bool,
}

impl Contest<'_> {
    /// The held-out predictions of each contender, row by row.
    fn predict(&self) -> Vec<Vec<Prediction>> {
        let unknown = Prediction { draw: f64::NAN, win: f64::NAN, score: f64::NAN };
        let mut predictions = vec![vec![unknown; self.outcomes.len()]; self.contenders.len()];
        let near: Vec<Option<Near>> = self
            .contenders
            .iter()
            .zip(self.data)
            .map(|(contender, data)| match &contender.how {
                How::Model(spec, kernel) => Near::new(data, spec, *kernel, self.plan.priors, self.plan.threads),
                _ => None,
            })
            .collect();
        let events = if self.one_event { 1 } else { self.plan.folds };
        let cells: Vec<(u8, u8)> = (0..self.plan.folds as u8)
            .flat_map(|skeleton| (0..events as u8).map(move |event| (skeleton, event)))
            .collect();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = self.cell(cell, &near);
                if let Ok(mut done) = done.lock() {
                    done.push(found);
                }
            }
        };
        thread::scope(|scope| {
            (1..self.plan.threads.get()).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        for (rows, found) in done.into_inner().unwrap_or_default() {
            for (of_all, of_cell) in predictions.iter_mut().zip(found) {
                for (&row, prediction) in rows.iter().zip(of_cell) {
                    of_all[row] = prediction;
                }
            }
        }
        predictions
    }

    /// The rows of one cell of the square with their predictions by each contender.
    fn cell(&self, (skeleton, event): (u8, u8), near: &[Option<Near>]) -> (Vec<usize>, Vec<Vec<Prediction>>) {
        let test: Vec<bool> = self.folds.iter().map(|&fold| fold == (skeleton, event)).collect();
        let train = self.strangers(&test);
        let rows: Vec<usize> = (0..test.len()).filter(|&row| test[row]).collect();
        let mut fitted: Vec<Option<(Vec<f64>, Kernel)>> = Vec::new();
        let mut predictions = Vec::new();
        for (place, contender) in self.contenders.iter().enumerate() {
            let mut weights = None;
            predictions.push(match &contender.how {
                How::Constant => vec![self.rates(&train); rows.len()],
                How::Table(estimator) => self.table(place, *estimator, &train, &rows),
                How::Model(spec, kernel) => {
                    let near = near[place].as_ref();
                    let model = fit(
                        &self.data[place],
                        Some(&train),
                        spec,
                        *kernel,
                        self.plan.priors,
                        near,
                        NonZero::<usize>::MIN,
                    );
                    let found = self.objective(place, model.kernel, &test).predict(&model.weights);
                    weights = Some((model.weights, model.kernel));
                    found
                }
                How::Given(_, kernel, given) => self.objective(place, *kernel, &test).predict(given),
                How::Residual(base, shift) => match &fitted[*base] {
                    Some((weights, kernel)) => self.with_residual(*base, *shift, weights, *kernel, &train, &test),
                    None => Vec::new(),
                },
            });
            fitted.push(weights);
        }
        (rows, predictions)
    }

    /// The rows that share neither opening nor event with a row of `test`; all rows where nothing is held out.
    fn strangers(&self, test: &[bool]) -> Vec<bool> {
        if self.plan.folds == 1 {
            return vec![true; test.len()];
        }
        let of_test = |keys: &[u32]| {
            keys.iter().zip(test).filter(|&(_, &test)| test).map(|(&key, _)| key).collect::<HashSet<u32>>()
        };
        let (skeletons, events) = (of_test(self.skeletons), of_test(self.clusters));
        let stranger = |(skeleton, event)| !skeletons.contains(skeleton) && (self.one_event || !events.contains(event));
        self.skeletons.iter().zip(self.clusters).map(stranger).collect()
    }

    fn objective<'b>(&'b self, place: usize, kernel: Kernel, rows: &'b [bool]) -> Objective<'b> {
        Objective {
            data: &self.data[place],
            rows: Some(rows),
            kernel,
            precision: Vec::new(),
            threads: NonZero::<usize>::MIN,
        }
    }

    fn rates(&self, train: &[bool]) -> Prediction {
        // One game of each result more, so that no rate is 0.
        let mut counts = [1.0; 3];
        self.outcomes
            .iter()
            .zip(train)
            .filter(|&(_, &train)| train)
            .for_each(|(&outcome, _)| counts[outcome as usize] += 1.0);
        let total: f64 = counts.iter().sum();
        let [win, draw, _] = counts.map(|count| count / total);
        Prediction { draw, win, score: win + draw / 2.0 }
    }

    fn table(&self, place: usize, estimator: Estimator, train: &[bool], rows: &[usize]) -> Vec<Prediction> {
        let cells: Vec<u32> = self.data[place].cells().collect();
        let mut counts = Counts::new(Scheme::Bg);
        for ((&cell, &outcome), _) in cells.iter().zip(self.outcomes).zip(train).filter(|&(_, &train)| train) {
            counts.get_mut(drawish_core::StructureIndex(cell)).add(outcome);
        }
        let constant = self.rates(train);
        let estimates = estimate(&counts, estimator).ok();
        let draw = |cell: u32| match &estimates {
            Some(estimates) => estimates.cells[cell as usize].probability,
            None => constant.draw,
        };
        rows.iter()
            .map(|&row| Prediction { draw: draw(cells[row]).clamp(CLIP, 1.0 - CLIP), win: f64::NAN, score: f64::NAN })
            .collect()
    }

    fn with_residual(
        &self,
        base: usize,
        shift: Shift,
        weights: &[f64],
        kernel: Kernel,
        train: &[bool],
        test: &[bool],
    ) -> Vec<Prediction> {
        let scores = |rows: &[bool]| {
            let objective = self.objective(base, kernel, rows);
            let kappa = objective.kappa(weights);
            objective.scores(weights).into_iter().map(|(w, v)| kernel.shifted(shift, w, v, kappa)).collect::<Vec<_>>()
        };
        let chosen = |rows: &[bool]| {
            let cells = self.data[base].cells().zip(rows).filter(|&(_, &row)| row);
            cells.map(|(cell, _)| cell).collect::<Vec<u32>>()
        };
        let outcomes: Vec<_> =
            self.outcomes.iter().zip(train).filter(|&(_, &row)| row).map(|(&outcome, _)| outcome).collect();
        let found = residual(shift, &scores(train), &outcomes, &chosen(train), Scheme::BgSym.cells());
        let with = |(score, cell): (f64, u32)| shift.predict(score, found.shifts[cell as usize]);
        scores(test).into_iter().zip(chosen(test)).map(with).collect()
    }
}

/// The loss of each row in bits for each target that the predictions know.
fn losses(predictions: &[Prediction], outcomes: &[Outcome]) -> [Option<Vec<f64>>; 3] {
    let of = |loss: &dyn Fn(&Prediction, Outcome) -> f64| {
        let losses: Vec<f64> = predictions.iter().zip(outcomes).map(|(p, &outcome)| loss(p, outcome)).collect();
        losses.iter().all(|loss| !loss.is_nan()).then_some(losses)
    };
    [
        of(&|p, outcome| log_loss_or_nan(p.draw, outcome == Outcome::Draw)),
        of(&|p, outcome| match outcome {
            Outcome::WhiteWin => log_loss_or_nan(p.win, true),
            Outcome::Draw => log_loss_or_nan(p.draw + 0.0 * p.win, true),
            Outcome::BlackWin => log_loss_or_nan(1.0 - p.win - p.draw, true),
        }),
        of(&|p, outcome| if p.score.is_nan() { f64::NAN } else { score_loss(p.score, points(outcome)) }),
    ]
}

fn log_loss_or_nan(p: f64, happened: bool) -> f64 {
    if p.is_nan() { f64::NAN } else { log_loss(p, happened) }
}

fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::WhiteWin => 1.0,
        Outcome::Draw => 0.5,
        Outcome::BlackWin => 0.0,
    }
}

fn quality(
    target: Target,
    own: &[f64],
    constant: &[f64],
    over: Option<&Vec<f64>>,
    predictions: &[Prediction],
    outcomes: &[Outcome],
    clusters: &[u32],
) -> Quality {
    let gain = |than: &[f64]| {
        let differences: Vec<f64> = than.iter().zip(own).map(|(other, own)| 1000.0 * (other - own)).collect();
        let mean = clustered_mean(&differences, clusters);
        Gain { millibits: mean.map_or(0.0, |mean| mean.mean), error: mean.and_then(|mean| mean.error) }
    };
    let rows = own.len().max(1) as f64;
    let (forecasts, happened): (Vec<f64>, Vec<f64>) = match target {
        Target::Draw => predictions
            .iter()
            .zip(outcomes)
            .map(|(p, &outcome)| (p.draw, f64::from(u8::from(outcome == Outcome::Draw))))
            .unzip(),
        Target::Score => predictions.iter().zip(outcomes).map(|(p, &outcome)| (p.score, points(outcome))).unzip(),
        Target::WinDrawLoss => (Vec::new(), Vec::new()),
    };
    let brier = match target {
        Target::WinDrawLoss => {
            let of = |(p, &outcome): (&Prediction, &Outcome)| {
                let hit = |other| f64::from(u8::from(outcome == other));
                (p.win - hit(Outcome::WhiteWin)).powi(2)
                    + (p.draw - hit(Outcome::Draw)).powi(2)
                    + (1.0 - p.win - p.draw - hit(Outcome::BlackWin)).powi(2)
            };
            predictions.iter().zip(outcomes).map(of).sum::<f64>() / rows
        }
        _ => forecasts.iter().zip(&happened).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / rows,
    };
    let calibration = calibration(&forecasts, &happened, clusters, BINS);
    Quality {
        target,
        loss: own.iter().sum::<f64>() / rows,
        gain: gain(constant),
        over: over.map(|over| gain(over)),
        brier,
        ece: calibration.as_ref().map(|calibration| [calibration.ece, calibration.low, calibration.high]),
        calibration,
    }
}
