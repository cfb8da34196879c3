//! Estimating heads from rows: which features make draws, and which make a lead count.
//!
//! A model is a list of terms for each of two scores ([`Spec`]) and a [`Kernel`] that makes probabilities of them. It is
//! fitted by maximum likelihood with weak normal priors, by Newton's method or, with thousands of weights, by L-BFGS.
//! Sums are taken over fixed parts of the rows, so the number of threads changes no digit.

pub mod contenders;
mod data;
mod evaluate;
pub mod export;
mod head;
mod kernel;
mod lbfgs;
mod linear;
mod newton;
mod objective;
mod residual;
pub mod specs;
mod terms;

use std::num::NonZero;

pub use data::{BLOCK, Data, Spec};
pub use evaluate::{Contender, Evaluation, Gain, How, Plan, Quality, Target, Verdict, evaluate};
pub use head::{CellShifts, Head, HeadError, HeadsFile, VERSION, Weighted};
pub use kernel::{Kernel, Prediction};
pub use lbfgs::lbfgs;
pub use newton::{Minimum, newton};
pub use objective::{Objective, Rows};
pub use residual::{Residual, Shift, VARIANCES, residual};
pub use terms::{Bands, Input, Term, TermError};

/// How strongly weights are held back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Priors {
    /// Of the weight of a feature: times rows times the mean square of the feature is the precision of its prior.
    pub ridge: f64,
    /// Standard deviation of the weights of bands, on the logit scale.
    pub bands: f64,
    /// Standard deviation of the weights of pairs of bands.
    pub pairs: f64,
}

impl Default for Priors {
    fn default() -> Self {
        Priors { ridge: 1e-5, bands: 0.5, pairs: 0.25 }
    }
}

/// From this many weights on, L-BFGS takes the place of Newton's method.
const LARGE: usize = 1500;
/// Logits by which a feature of typical size moves a score when it leaves nothing open.
const SEPARATING: f64 = 12.0;
/// Clusters that standard errors are computed from, at most.
const CLUSTERS: usize = 2048;

/// A model with its weights.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Which terms.
    pub spec: Spec,
    /// How they make probabilities; kappa, if fitted, is the last weight.
    pub kernel: Kernel,
    /// The weights, as [`Spec::names`] names them, then kappa if it was fitted.
    pub weights: Vec<f64>,
    /// How the search ended.
    pub steps: usize,
    /// Whether nothing was left to gain.
    pub converged: bool,
    /// The mean loss of a row in bits, without the prior.
    pub loss: f64,
    /// Rows that it was fitted to.
    pub rows: usize,
    /// Features that are the same in all rows and have weight 0 therefore.
    pub idle: Vec<String>,
}

impl Fitted {
    /// Features whose weight moves the score so far, by more than [`SEPARATING`] for a typical value, that only a complete
    /// separation of the results explains it.
    #[must_use]
    pub fn separating(&self, data: &Data) -> Vec<String> {
        let scales = Moments::of(data, None, &self.spec).scales();
        let names = self.spec.names();
        let far = |place: &usize| self.weights[*place].abs() > SEPARATING * scales[*place];
        (0..names.len()).filter(far).map(|place| names[place].clone()).collect()
    }

    /// Weights to begin another fit of the same model with.
    fn weights_to_start(mut self) -> Vec<f64> {
        // kappa may have been held at 0.
        if self.weights.len() < self.spec.win_weights() + self.spec.draw_weights() + 1
            && self.kernel == (Kernel::WinDrawLoss { kappa: Some(0.0) })
        {
            self.weights.push(0.0);
        }
        self.weights
    }

    /// kappa, where the kernel has one.
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        match self.kernel {
            Kernel::WinDrawLoss { kappa: None } => self.weights.last().copied(),
            Kernel::WinDrawLoss { kappa } => kappa,
            _ => None,
        }
    }
}

/// Fits a model to some rows of `data`, beginning with the weights of an earlier fit if there is one.
///
/// A fitted kappa below 0, which would make lopsided positions more drawish than level ones, is set to 0.
#[must_use]
pub fn fit(
    data: &Data,
    rows: Rows<'_>,
    spec: &Spec,
    kernel: Kernel,
    priors: Priors,
    start: Option<&[f64]>,
    threads: NonZero<usize>,
) -> Fitted {
    let moments = Moments::of(data, rows, spec);
    let mut precision = moments.precisions(spec, priors);
    if kernel.fits_kappa() {
        precision.push(1e-3);
    }
    let start = start.map_or_else(|| first_guess(spec, kernel, data, rows), <[f64]>::to_vec);
    let objective = Objective { data, rows, kernel, precision, threads };
    let minimum = if objective.weights() < LARGE {
        newton(&objective, start)
    } else {
        lbfgs(&objective, start, &moments.scales())
    };
    let mut weights = minimum.weights;
    if kernel.fits_kappa() && weights.last().is_some_and(|&kappa| kappa < 0.0) {
        weights.pop();
        let kernel = Kernel::WinDrawLoss { kappa: Some(0.0) };
        return fit(data, rows, spec, kernel, priors, Some(&weights), threads);
    }
    let loss = mean_loss(data, rows, kernel, &weights, threads);
    let names = spec.names();
    let idle = moments.constant(spec).into_iter().map(|place| names[place].clone()).collect();
    Fitted {
        spec: spec.clone(),
        kernel,
        weights,
        steps: minimum.steps,
        converged: minimum.converged,
        loss,
        rows: moments.rows,
        idle,
    }
}

/// The mean loss of a row in bits, without any prior.
#[must_use]
pub fn mean_loss(data: &Data, rows: Rows<'_>, kernel: Kernel, weights: &[f64], threads: NonZero<usize>) -> f64 {
    let count = rows.map_or(data.len(), |rows| rows.iter().filter(|&&row| row).count());
    let objective = Objective { data, rows, kernel, precision: vec![0.0; weights.len()], threads };
    objective.sums(weights, false).loss / count.max(1) as f64 / std::f64::consts::LN_2
}

/// Standard errors of the weights, robust to dependence within events: the sandwich H^-1 (sum of g g') H^-1 over the
/// gradients g of the events (Liang and Zeger 1986). `None` with fewer than two events, or where the information has no
/// inverse.
#[must_use]
pub fn standard_errors(
    data: &Data,
    rows: Rows<'_>,
    fitted: &Fitted,
    priors: Priors,
    threads: NonZero<usize>,
) -> Option<Vec<f64>> {
    let mut precision = Moments::of(data, rows, &fitted.spec).precisions(&fitted.spec, priors);
    if fitted.kernel.fits_kappa() {
        precision.push(1e-3);
    }
    let objective = Objective { data, rows, kernel: fitted.kernel, precision, threads };
    let factor = objective.sums(&fitted.weights, true).information?.cholesky()?;
    let gradients = objective.cluster_gradients(&fitted.weights, CLUSTERS);
    let clusters = gradients.len() as f64;
    if clusters < 2.0 {
        return None;
    }
    let mut squares = vec![0.0; objective.weights()];
    for gradient in &gradients {
        let solved = factor.solve(gradient);
        squares.iter_mut().zip(&solved).for_each(|(sum, value)| *sum += value * value);
    }
    Some(squares.into_iter().map(|sum| (sum * clusters / (clusters - 1.0)).sqrt()).collect())
}

/// All weights 0 but the constant, which gives the draw rate of the rows, and kappa, which is 1.
fn first_guess(spec: &Spec, kernel: Kernel, data: &Data, rows: Rows<'_>) -> Vec<f64> {
    let mut weights = vec![0.0; spec.win_weights() + spec.draw_weights()];
    if spec.constant {
        let taking_part = |row: usize| rows.is_none_or(|rows| rows[row]);
        let mut counts = [1.0, 1.0];
        for (row, outcome) in data.outcomes().enumerate().filter(|&(row, _)| taking_part(row)) {
            let _ = row;
            counts[usize::from(outcome == drawish_core::Outcome::Draw)] += 1.0;
        }
        weights[spec.win_weights()] = if kernel == Kernel::RaoKupper { 0.0 } else { f64::ln(counts[1] / counts[0]) };
    }
    if kernel.fits_kappa() {
        weights.push(1.0);
    }
    weights
}

/// Sums and sums of squares of what each weight is multiplied with.
struct Moments {
    rows: usize,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    fn of(data: &Data, rows: Rows<'_>, spec: &Spec) -> Moments {
        let size = spec.win_weights() + spec.draw_weights();
        let mut moments = Moments { rows: 0, sums: vec![0.0; size], squares: vec![0.0; size] };
        let mut number = 0;
        for block in &data.blocks {
            for row in 0..block.len() {
                number += 1;
                if rows.is_some_and(|rows| !rows[number - 1]) {
                    continue;
                }
                moments.rows += 1;
                let entries = block.entries(row);
                for (places, counts) in [entries.win, entries.draw] {
                    for (&place, &count) in places.iter().zip(counts) {
                        moments.sums[usize::from(place)] += f64::from(count);
                        moments.squares[usize::from(place)] += f64::from(count) * f64::from(count);
                    }
                }
            }
        }
        moments
    }

    /// The precision of the prior of each weight; never 0, so that the information has an inverse whatever the rows.
    fn precisions(&self, spec: &Spec, priors: Priors) -> Vec<f64> {
        let mut precisions = Vec::with_capacity(self.sums.len());
        let of_term = |precisions: &mut Vec<f64>, term: &Term| {
            for _ in 0..term.weights() {
                let place = precisions.len();
                precisions.push(match term {
                    Term::Linear(_) => (priors.ridge * self.squares[place]).max(1e-6),
                    Term::Bands(_) => 1.0 / (priors.bands * priors.bands),
                    Term::Pair(..) => 1.0 / (priors.pairs * priors.pairs),
                });
            }
        };
        spec.win.iter().for_each(|term| of_term(&mut precisions, term));
        if spec.constant {
            precisions.push(1e-6);
        }
        spec.draw.iter().for_each(|term| of_term(&mut precisions, term));
        // A feature that never changes is told from the constant by nothing.
        for place in self.constant(spec) {
            precisions[place] = 1e12;
        }
        precisions
    }

    /// The weights of features that are the same in all rows.
    fn constant(&self, spec: &Spec) -> Vec<usize> {
        let mut first = 0;
        let mut found = Vec::new();
        let rows = self.rows as f64;
        let mut look = |term: &Term| {
            if matches!(term, Term::Linear(_)) && self.squares[first] * rows <= self.sums[first] * self.sums[first] {
                found.push(first);
            }
            first += term.weights();
        };
        spec.win.iter().for_each(&mut look);
        let before = found.len();
        first = spec.win_weights() + usize::from(spec.constant);
        let mut later = Vec::new();
        for term in &spec.draw {
            if matches!(term, Term::Linear(_)) && self.squares[first] * rows <= self.sums[first] * self.sums[first] {
                later.push(first);
            }
            first += term.weights();
        }
        debug_assert!(before == found.len());
        found.extend(later);
        found
    }

    /// About how far each weight is going to move: one over the root mean square.
    fn scales(&self) -> Vec<f64> {
        let rows = self.rows.max(1) as f64;
        let mut scales: Vec<f64> = self.squares.iter().map(|square| 1.0 / (square / rows).sqrt().max(1e-3)).collect();
        scales.push(1.0);
        scales
    }
}
