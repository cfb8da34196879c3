//! Held-out comparison of models: what predicts a draw, and what predicts the result.
//!
//! Rows are cut by opening skeleton and by event at once: with k folds of each, the rows of one cell of the k x k square
//! are predicted by models fitted to all rows that share neither an opening nor an event with any row of the cell.
//! Engine archives repeat openings, and a split by anything less finds gains that are memories.

use std::collections::HashSet;
use std::num::NonZero;

use drawish_core::{Outcome, Scheme, Wdl};

use super::verdict::{Evaluation, Target, Verdict, losses, quality};
use super::{Data, Kernel, Near, Objective, Prediction, Priors, Shift, fit, residual};
use crate::counts::Counts;
use crate::rows::Rows;
use crate::smooth::{Estimator, estimate};
use drawish_heads::heads::Spec;
use drawish_stats::Clusters;
use drawish_stats::numeric::in_order;

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
    /// A given model, by its place, with a given shift (logit) for each cell of a scheme.
    GivenResidual(usize, Shift, Scheme, Vec<f64>),
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

/// A table's forecast is kept this far from 0 and 1.
const CLIP: f64 = 0.01;

/// Compares contenders on rows that hold the columns which they read. The first contender must be the constant. `progress` is called
/// after each fold with the folds so far, and how many there are.
#[must_use]
pub fn evaluate(rows: &Rows, contenders: &[Contender], plan: Plan, progress: &(dyn Fn(u64, u64) + Sync)) -> Evaluation {
    let data: Vec<Data> = contenders
        .iter()
        .map(|contender| match &contender.how {
            How::Model(spec, _) | How::Given(spec, ..) => Data::of([rows], spec, Some(Scheme::BgSym)),
            How::Residual(..) => Data::default(),
            How::GivenResidual(_, _, scheme, _) => Data::of([rows], &Spec::default(), Some(*scheme)),
            How::Constant | How::Table(_) => Data::of([rows], &Spec::default(), Some(Scheme::Bg)),
        })
        .collect();
    let outcomes: Vec<Outcome> = data[0].outcomes().collect();
    let clusters: Vec<u32> = data[0].clusters().collect();
    let lines: Vec<u32> = data[0].lines().collect();
    let dependence = Clusters::from(&clusters).crossed_by(&lines);
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
    let predictions = contest.predict(progress);
    let mut verdicts: Vec<Verdict> = Vec::new();
    let losses: Vec<[Option<Vec<f64>>; 3]> = predictions.iter().map(|p| losses(p, &outcomes)).collect();
    for (place, contender) in contenders.iter().enumerate() {
        let qualities = [Target::Draw, Target::WinDrawLoss, Target::Score]
            .into_iter()
            .filter_map(|target| {
                let own = losses[place][target as usize].as_ref()?;
                let over = contender.over.and_then(|over| losses[over][target as usize].as_ref());
                let constant = losses[0][target as usize].as_ref()?;
                Some(quality(target, own, constant, over, &predictions[place], &outcomes, dependence))
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
        games: Some(rows.games.iter().collect::<HashSet<_>>().len()),
        boards: 0,
        warnings: Vec::new(),
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
        How::GivenResidual(base, _, _, shifts) => weights_of(contenders, *base) + shifts.len(),
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
    /// The held-out predictions of each contender, row by row; `None` where it says nothing.
    fn predict(&self, progress: &(dyn Fn(u64, u64) + Sync)) -> Vec<Vec<Option<Prediction>>> {
        let mut predictions = vec![vec![None; self.outcomes.len()]; self.contenders.len()];
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
        let mut done = 0;
        progress(done, cells.len() as u64);
        in_order(
            &cells,
            self.plan.threads,
            |_, &cell| self.cell(cell, &near),
            |(rows, found)| {
                for (of_all, of_cell) in predictions.iter_mut().zip(found) {
                    for (&row, prediction) in rows.iter().zip(of_cell) {
                        of_all[row] = Some(prediction);
                    }
                }
                done += 1;
                progress(done, cells.len() as u64);
            },
        );
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
                How::Given(_, kernel, given) => {
                    weights = Some((given.clone(), *kernel));
                    self.objective(place, *kernel, &test).predict(given)
                }
                How::Residual(base, shift) => match &fitted[*base] {
                    Some((weights, kernel)) => self.with_residual(*base, *shift, weights, *kernel, &train, &test),
                    None => Vec::new(),
                },
                How::GivenResidual(base, shift, _, shifts) => match &fitted[*base] {
                    Some((weights, kernel)) => {
                        let scores = self.scores(*base, *shift, weights, *kernel, &test);
                        shifted(*shift, scores, self.cells(place, &test), shifts)
                    }
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

    /// The shares of wins of White, draws and losses among some rows.
    fn shares(&self, train: &[bool]) -> Wdl<f64> {
        // One game of each result more, so that no rate is 0.
        let mut counts = Wdl { wins: 1.0, draws: 1.0, losses: 1.0 };
        self.outcomes
            .iter()
            .zip(train)
            .filter(|&(_, &train)| train)
            .for_each(|(&outcome, _)| *counts.of_mut(outcome) += 1.0);
        let total = counts.total();
        counts.map(|count| count / total)
    }

    fn rates(&self, train: &[bool]) -> Prediction {
        let Wdl { wins: win, draws: draw, .. } = self.shares(train);
        Prediction::Results { draw, win, score: win + draw / 2.0 }
    }

    fn table(&self, place: usize, estimator: Estimator, train: &[bool], rows: &[usize]) -> Vec<Prediction> {
        let cells: Vec<u32> = self.data[place].cells().collect();
        let mut counts = Counts::new(Scheme::Bg);
        for ((&cell, &outcome), _) in cells.iter().zip(self.outcomes).zip(train).filter(|&(_, &train)| train) {
            counts.get_mut(drawish_core::StructureIndex(cell)).count(outcome);
        }
        let estimates = estimate(&counts, estimator).ok();
        let constant = self.shares(train).draws;
        let draw = |cell: u32| match &estimates {
            Some(estimates) => estimates.cells[cell as usize].probability,
            None => constant,
        };
        rows.iter().map(|&row| Prediction::Draw(draw(cells[row]).clamp(CLIP, 1.0 - CLIP))).collect()
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
        let scores = |rows: &[bool]| self.scores(base, shift, weights, kernel, rows);
        let outcomes: Vec<_> =
            self.outcomes.iter().zip(train).filter(|&(_, &row)| row).map(|(&outcome, _)| outcome).collect();
        let found = residual(shift, &scores(train), &outcomes, &self.cells(base, train), Scheme::BgSym.cells());
        shifted(shift, scores(test), self.cells(base, test), &found.shifts)
    }

    /// The scores of some rows that shifts are added to.
    fn scores(&self, place: usize, shift: Shift, weights: &[f64], kernel: Kernel, rows: &[bool]) -> Vec<f64> {
        let objective = self.objective(place, kernel, rows);
        let kappa = objective.kappa(weights);
        objective.scores(weights).into_iter().map(|(w, v)| shift.score_of(kernel, w, v, kappa)).collect()
    }

    /// The cells of some rows.
    fn cells(&self, place: usize, rows: &[bool]) -> Vec<u32> {
        self.data[place].cells().zip(rows).filter(|&(_, &row)| row).map(|(cell, _)| cell).collect()
    }
}

/// What scores say with the shifts of their cells.
fn shifted(shift: Shift, scores: Vec<f64>, cells: Vec<u32>, shifts: &[f64]) -> Vec<Prediction> {
    scores.into_iter().zip(cells).map(|(score, cell)| shift.predict(score, shifts[cell as usize])).collect()
}
