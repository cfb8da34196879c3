//! The comparisons that a set of rows allows, each with its table of models.

use std::borrow::Cow;
use std::collections::HashSet;
use std::num::NonZero;
use std::thread::available_parallelism;

use drawish_artefact::provenance::InputRecord;
use drawish_core::Scheme;
use drawish_heads::heads::{HeadError, HeadsFile, Input, Spec};
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::evaluate::{Contender, How, Plan, evaluate};
use super::remark::{Remark, Unlearnable, check_results, games_of_fit, lines, of_lacking, of_rows};
use super::{Data, Evaluation, Kernel, Priors, Shift, contenders};
use crate::rows::{Events, RowSet, RowSetError, RowSource, Rows, Wanted};

/// Compares models on rows that no fit has seen: the baselines, the heads and the models of the evaluation, or given heads as
/// they are.
#[derive(Clone)]
pub struct Compare<'a, S> {
    rows: &'a RowSet<S>,
    heads: Option<&'a HeadsFile>,
    folds: usize,
    priors: Priors,
    threads: NonZero<usize>,
    progress: &'a FitProgress<'a>,
}

/// How far a run has come: called with what is being done, how many parts of it are done, and how many there are.
pub type FitProgress<'a> = dyn Fn(&str, u64, u64) + Sync + 'a;

/// What a comparison is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// What the board alone says, without evaluations.
    Board,
    /// What is left to say where an engine has looked, on the rows with an evaluation only.
    Evaluations,
    /// Given heads, which are not fitted.
    Heads,
}

impl Subject {
    /// The name in files, as in `board`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Subject::Board => "board",
            Subject::Evaluations => "evaluations",
            Subject::Heads => "heads",
        }
    }
}

/// The comparisons of some rows.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// At least one.
    pub tables: Vec<(Subject, Evaluation)>,
    /// What to know before trusting them.
    pub remarks: Vec<Remark>,
}

/// Why models cannot be compared.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum CompareError {
    #[error(transparent)]
    Rows(#[from] RowSetError),
    #[error(transparent)]
    Unlearnable(#[from] Unlearnable),
    #[error(transparent)]
    Heads(#[from] HeadError),
    #[error("{0} folds, expected 2 to 20")]
    Folds(usize),
}

/// Rows with evaluations that make a table of their own.
const ENOUGH_EVALS: usize = 200;

/// From this many weights on, a model is a table: it needs no ten rows for each of them.
const TABLE: usize = 4000;

impl<'a, S: RowSource> Compare<'a, S> {
    /// Compares the built-in models in five folds on all cores.
    #[must_use]
    pub fn new(rows: &'a RowSet<S>) -> Compare<'a, S> {
        let threads = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Compare { rows, heads: None, folds: 5, priors: Priors::default(), threads, progress: &|_, _, _| {} }
    }

    /// Judges these heads as they are instead; the rows should not be those of their fit.
    #[must_use]
    pub fn heads(mut self, heads: &'a HeadsFile) -> Self {
        self.heads = Some(heads);
        self
    }

    /// Folds of openings and folds of events, 2 to 20.
    #[must_use]
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// Threads that fit.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Called after each fold of each comparison.
    #[must_use]
    pub fn progress(mut self, progress: &'a FitProgress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Compares.
    ///
    /// # Errors
    ///
    /// See [`CompareError`].
    pub fn run(&self) -> Result<Compared, CompareError> {
        if !(2..=20).contains(&self.folds) {
            return Err(CompareError::Folds(self.folds));
        }
        let mut cells = vec![Scheme::Bg, Scheme::BgSym];
        // What given heads add to each structure may be for any scheme.
        for residual in
            self.heads.iter().flat_map(|heads| [&heads.draw, &heads.gain]).filter_map(|head| head.residual.as_ref())
        {
            let (scheme, _) = residual.logits()?;
            if !cells.contains(&scheme) {
                cells.push(scheme);
            }
        }
        let wanted = Wanted { cells, ..Wanted::all() };
        let (mut rows, mut loose) = (Rows::new(), HashSet::<u64>::new());
        self.rows.read_sources(&wanted, |source, some| {
            let boards = some.are_boards(&source.provenance().rule);
            loose.extend(some.games.iter().zip(boards).filter(|(_, is_board)| *is_board).map(|(game, _)| game));
            rows.append(&mut some.into_owned());
        })?;
        let boards = |rows: &Rows| rows.games.iter().filter(|game| loose.contains(game)).count();
        let mut remarks = Vec::new();
        if let Some(heads) = self.heads {
            let mut covariates = heads.draw.model()?.0.covariates();
            covariates.extend(heads.gain.model()?.0.covariates());
            remarks.extend(leave_out_lacking(&mut rows, &covariates)?);
        }
        let mut keys = Data::of([&rows], &Spec::default(), None);
        keys.add_loose(boards(&rows));
        check_results(keys.results())?;
        let plan = Plan { folds: self.folds, priors: self.priors, threads: self.threads };
        let evaluate = |rows: &Rows, contenders: &[Contender], plan, progress: &(dyn Fn(u64, u64) + Sync)| {
            let boards = boards(rows);
            let evaluation = evaluate(rows, contenders, plan, progress);
            // Each board has a key of its own, as if it were a game.
            Evaluation { boards, games: evaluation.games.filter(|_| boards == 0), ..evaluation }
        };
        let mut tables = match self.heads {
            Some(heads) => {
                remarks.extend(self.known_games(heads, keys.numbered_events()));
                vec![(Subject::Heads, evaluate(&rows, &given(heads)?, Plan { folds: 1, ..plan }, &|_, _| {}))]
            }
            None => fitted(&rows, plan, self.progress, &mut remarks, evaluate)?,
        };
        let weights = tables.first().into_iter().flat_map(|(_, first)| &first.verdicts).map(|verdict| verdict.weights);
        let weights = weights.filter(|&weights| weights < TABLE).max().unwrap_or(0);
        remarks.extend(of_rows(&keys, weights, self.heads.is_none()));
        // Files and pages are read without what stood on a terminal.
        let warnings = lines(&remarks);
        tables.iter_mut().for_each(|(_, table)| table.warnings.clone_from(&warnings));
        Ok(Compared { tables, remarks })
    }

    fn known_games(&self, heads: &HeadsFile, events: &Events) -> Vec<Remark> {
        let known = |input: &InputRecord| heads.inputs.iter().any(|other| other.shares_games_with(input));
        let shares = move |source: &&S| source.provenance().inputs.iter().any(known);
        let files = self.rows.sources().iter().filter(shares);
        let files: Vec<Remark> = files.map(|source| Remark::KnownGames { rows: source.name() }).collect();
        if files.is_empty() { games_of_fit(&heads.sketch, events).into_iter().collect() } else { files }
    }
}

/// Leaves out the rows that a model cannot judge, for a missing value is no measured 0.
fn leave_out_lacking(rows: &mut Rows, covariates: &[Input]) -> Result<Option<Remark>, Unlearnable> {
    let lacking = rows.leave_out_lacking(covariates);
    of_lacking(lacking, rows.len(), covariates)
}

/// The built-in models, fitted to all rows but those that they are judged on.
fn fitted(
    rows: &Rows,
    plan: Plan,
    progress: &FitProgress<'_>,
    remarks: &mut Vec<Remark>,
    evaluate: impl Fn(&Rows, &[Contender], Plan, &(dyn Fn(u64, u64) + Sync)) -> Evaluation,
) -> Result<Vec<(Subject, Evaluation)>, Unlearnable> {
    let unrated = (0..rows.len()).filter(|&row| rows.lacks(Input::MeanElo, row)).count();
    let ratings = unrated * 10 <= rows.len();
    let compare = |subject: Subject, rows: &Rows, contenders: &[Contender]| {
        (subject, evaluate(rows, contenders, plan, &|done, of| progress(subject.name(), done, of)))
    };
    let mut board = Cow::Borrowed(rows);
    if ratings && unrated > 0 {
        remarks.extend(leave_out_lacking(board.to_mut(), &[Input::MeanElo])?);
    }
    let mut tables = vec![compare(Subject::Board, &board, &contenders::of_board(ratings))];
    let with_eval: Vec<bool> = rows.evals.iter().map(Option::is_some).collect();
    if with_eval.iter().filter(|&&has| has).count() >= ENOUGH_EVALS {
        let mut some = rows.clone();
        some.retain(&with_eval);
        tables.push(compare(Subject::Evaluations, &some, &contenders::of_evals()));
    }
    Ok(tables)
}

/// The heads as contenders, beside the constant of the rows.
fn given(heads: &HeadsFile) -> Result<Vec<Contender>, HeadError> {
    let contender = |name: &str, how, over| Contender { name: name.to_owned(), how, over };
    let mut list = vec![contender("constant", How::Constant, None)];
    for (name, head, kernel, shift) in [
        ("draw head", &heads.draw, Kernel::of_draw_head(&heads.draw), Shift::DrawScore),
        ("gain head", &heads.gain, Kernel::Gain, Shift::Slope),
    ] {
        let base = list.len();
        let (spec, weights) = head.model()?;
        list.push(contender(name, How::Given(spec, kernel, weights), None));
        let (spec, weights) = head.quantised().model()?;
        list.push(contender(&format!("{name}, quantised"), How::Given(spec, kernel, weights), Some(base)));
        if let Some(cells) = &head.residual {
            let (scheme, shifts) = cells.logits()?;
            let how = How::GivenResidual(base, shift, scheme, shifts);
            list.push(contender(&format!("{name}, with its residual"), how, Some(base)));
        }
    }
    Ok(list)
}

impl Compared {
    /// The tables by the name of their subject, as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let value: Map<_, _> =
            self.tables.iter().map(|(subject, table)| (subject.name().to_owned(), json!(table))).collect();
        format!("{:#}\n", Value::Object(value))
    }
}
