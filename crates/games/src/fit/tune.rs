//! From rows to heads.

use std::num::NonZero;
use std::thread::available_parallelism;

use drawish_artefact::provenance::made_by;
use drawish_core::Scheme;
use drawish_heads::heads::{CellShifts, GameSketch, Head, HeadError, HeadsFile, Input, Spec, Term, VERSION};
use drawish_stats::are_enough;
use thiserror::Error;

use super::remark::{Remark, Unlearnable, check_results, lines, of_fit, of_lacking, of_rows};
use super::specs::{self, TermsError, check_even};
use super::{
    Data, FitProgress, Fitted, Kernel, Objective, Priors, Shift, contenders, fit, head, mean_loss, residual,
    standard_errors,
};
use crate::rows::{RowSet, RowSetError, RowSource};

/// Fits the draw head and the gain head to rows.
///
/// The draw head is fitted to win, draw and loss together with a win/loss score of its own, the gain head to the expected
/// score; [`HeadsFile`] has the formulas. Standard errors are robust to dependence within events and among games that begin alike. Threads change nothing in the
/// result.
#[derive(Clone)]
pub struct Tune<'a, S> {
    rows: &'a RowSet<S>,
    gain_rows: Option<&'a RowSet<S>>,
    draw_terms: Option<Vec<Term>>,
    gain_terms: Option<Vec<Term>>,
    kappa: Option<f64>,
    ratings: bool,
    residual: bool,
    priors: Priors,
    threads: NonZero<usize>,
    progress: &'a FitProgress<'a>,
}

/// What is done for each head: rows, fit, errors, weights as engines have them; for the gain head the residual besides.
const PARTS: u64 = 4;

/// Fitted heads.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// The heads with their provenance.
    pub heads: HeadsFile,
    /// What to know before trusting them, in alphabetical order.
    pub remarks: Vec<Remark>,
}

/// Why no heads can be fitted.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum TuneError {
    #[error(transparent)]
    Rows(#[from] RowSetError),
    #[error(transparent)]
    Unlearnable(#[from] Unlearnable),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error("the standard deviation of a prior is {0}, expected a number above 0")]
    Prior(f64),
    #[error("kappa is {0}, expected a number from 0 to 16")]
    Kappa(f64),
    #[error("the fit has no finite end; take a narrower prior")]
    NoFiniteEnd,
    #[error(transparent)]
    Head(#[from] HeadError),
}

impl<'a, S: RowSource> Tune<'a, S> {
    /// Fits the built-in terms on all cores, with kappa fitted, without ratings and without a residual.
    #[must_use]
    pub fn new(rows: &'a RowSet<S>) -> Tune<'a, S> {
        Tune {
            rows,
            gain_rows: None,
            draw_terms: None,
            gain_terms: None,
            kappa: None,
            ratings: false,
            residual: false,
            priors: Priors::default(),
            threads: available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            progress: &|_, _, _| {},
        }
    }

    /// Fits the gain head to these rows, and to the evaluations in them instead of a win/loss score of its own: for an engine with
    /// that evaluation.
    #[must_use]
    pub fn gain_on(mut self, rows: &'a RowSet<S>) -> Self {
        self.gain_rows = Some(rows);
        self
    }

    /// Terms of the draw head, which must be even; `None` for the built-in ones.
    #[must_use]
    pub fn draw_terms(mut self, terms: impl Into<Option<Vec<Term>>>) -> Self {
        self.draw_terms = terms.into();
        self
    }

    /// Terms of the gain head, which must be even; `None` for the built-in ones.
    #[must_use]
    pub fn gain_terms(mut self, terms: impl Into<Option<Vec<Term>>>) -> Self {
        self.gain_terms = terms.into();
        self
    }

    /// Holds kappa of the draw head at a value from 0 to 16: 0 is van Kervinck's model, 1 Davidson's.
    #[must_use]
    pub fn kappa(mut self, kappa: f64) -> Self {
        self.kappa = Some(kappa);
        self
    }

    /// Whether to take the players' ratings as covariates: the mean in the draw score, the difference in the win/loss score.
    #[must_use]
    pub fn ratings(mut self, ratings: bool) -> Self {
        self.ratings = ratings;
        self
    }

    /// Whether to add what each structure adds to the gain head (scheme `bg-sym`).
    #[must_use]
    pub fn residual(mut self, residual: bool) -> Self {
        self.residual = residual;
        self
    }

    /// How strongly weights are held back.
    #[must_use]
    pub fn priors(mut self, priors: Priors) -> Self {
        self.priors = priors;
        self
    }

    /// Threads that fit.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Called before each part of each head.
    #[must_use]
    pub fn progress(mut self, progress: &'a FitProgress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Fits the heads.
    ///
    /// # Errors
    ///
    /// See [`TuneError`].
    pub fn run(&self) -> Result<Tuned, TuneError> {
        self.check()?;
        let (draw_spec, gain_spec) = self.specs();
        let mut remarks = Vec::new();
        let draw_kernel = Kernel::WinDrawLoss { kappa: self.kappa };
        let (draw, data) = self.head(self.rows, &draw_spec, draw_kernel, &mut remarks)?;
        let (rows, events, results) = (data.len(), data.events(), data.results());
        let of_draw = GameSketch::of(data.numbered_events().games());
        drop(data);
        let gain_rows = self.gain_rows.unwrap_or(self.rows);
        let (gain, data) = self.head(gain_rows, &gain_spec, Kernel::Gain, &mut remarks)?;
        remarks.sort_by_key(ToString::to_string);
        remarks.dedup();
        let sources = || self.rows.sources().iter().chain(self.gain_rows.into_iter().flat_map(RowSet::sources));
        let heads = HeadsFile {
            format: "heads".to_owned(),
            version: VERSION,
            made_by: made_by(),
            rows,
            events,
            results,
            rules: sources().map(|source| source.provenance().rule.clone()).collect(),
            warnings: lines(&remarks),
            sketch: GameSketch::of(data.numbered_events().games().chain(of_draw.keys().iter().copied())),
            inputs: sources().flat_map(|source| source.provenance().inputs.clone()).collect(),
            draw,
            gain,
        };
        Ok(Tuned { heads, remarks })
    }

    fn check(&self) -> Result<(), TuneError> {
        let Priors { linear, largest, bands, pairs } = self.priors;
        if let Some(&wrong) = [linear, largest, bands, pairs].iter().find(|prior| !prior.is_finite() || **prior <= 0.0)
        {
            return Err(TuneError::Prior(wrong));
        }
        if let Some(kappa) = self.kappa.filter(|kappa| !(0.0..=16.0).contains(kappa)) {
            return Err(TuneError::Kappa(kappa));
        }
        Ok([&self.draw_terms, &self.gain_terms].into_iter().flatten().try_for_each(|terms| check_even(terms))?)
    }

    /// The terms of the draw head and those of the gain head.
    fn specs(&self) -> (Spec, Spec) {
        let draw_terms = self.draw_terms.clone().unwrap_or_else(specs::tables);
        let (mut draw, _) = specs::joint(specs::win(), draw_terms);
        let on_evaluations = self.gain_rows.is_some();
        let built_in = || if on_evaluations { specs::play() } else { contenders::gain_terms() };
        let win = if on_evaluations { vec![Term::Linear(Input::Eval)] } else { specs::win() };
        let (mut gain, _) = specs::gain(win, self.gain_terms.clone().unwrap_or_else(built_in));
        if self.ratings {
            draw.win.push(Term::Linear(Input::EloDifference));
            draw.draw.push(Term::Linear(Input::MeanElo));
            gain.win.push(Term::Linear(Input::EloDifference));
        }
        (draw, gain)
    }

    /// One head, with the rows that it was fitted to.
    fn head(
        &self,
        rows: &RowSet<S>,
        spec: &Spec,
        kernel: Kernel,
        remarks: &mut Vec<Remark>,
    ) -> Result<(Head, Data), TuneError> {
        let (name, done) = if kernel == Kernel::Gain { ("gain head", PARTS) } else { ("draw head", 0) };
        let part = |what: &str, at: u64| (self.progress)(&format!("{name}: {what}"), done + at, 2 * PARTS + 1);
        part("rows", 0);
        let data = Data::load(rows, spec)?;
        remarks.extend(of_lacking(data.unmeasured(), data.len(), &spec.covariates())?);
        check_results(data.results())?;
        part("fit", 1);
        let fitted = fit(&data, None, spec, kernel, self.priors, None, self.threads);
        if !fitted.weights.iter().all(|weight| weight.is_finite()) {
            return Err(TuneError::NoFiniteEnd);
        }
        remarks.extend(of_rows(&data, fitted.weights.len(), false));
        remarks.extend(of_fit(&fitted, &data));
        part("standard errors", 2);
        let errors = standard_errors(&data, None, &fitted, self.priors, self.threads);
        if errors.is_none() && are_enough(data.events(), data.worth(None)) {
            remarks.push(Remark::FewEventsForWeights { events: data.events(), weights: fitted.weights.len() });
        }
        part("rounded weights", 3);
        let mut head = head(&fitted, errors.as_deref());
        let (_, rounded) = head.quantised().model()?;
        let rounded_kernel = if kernel == Kernel::Gain { kernel } else { Kernel::of_draw_head(&head) };
        head.quantised_loss = mean_loss(&data, None, rounded_kernel, &rounded, self.threads);
        // Neither a `.heads` file nor an engine has a place for one of the draw head.
        if self.residual && kernel == Kernel::Gain {
            part("residual", PARTS);
            head.residual = Some(residual_of(&Data::load_one_a_game(rows, spec)?, &fitted));
        }
        Ok((head, data))
    }
}

/// What each structure adds to a fitted model.
fn residual_of(data: &Data, fitted: &Fitted) -> CellShifts {
    let threads = NonZero::<usize>::MIN;
    let objective = Objective { data, rows: None, kernel: fitted.kernel, precision: Vec::new(), threads };
    let kappa = fitted.kappa().unwrap_or(0.0);
    let scores: Vec<f64> = objective
        .scores(&fitted.weights)
        .into_iter()
        .map(|(w, v)| Shift::Slope.score_of(fitted.kernel, w, v, kappa))
        .collect();
    let (outcomes, cells): (Vec<_>, Vec<_>) = (data.outcomes().collect(), data.cells().collect());
    let found = residual(Shift::Slope, &scores, &outcomes, &cells, Scheme::BgSym.cells());
    CellShifts::new(Scheme::BgSym, found.variance, &found.shifts)
}
