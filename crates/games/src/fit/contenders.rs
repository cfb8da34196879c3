//! The models of an evaluation: baselines first, each with the one that it builds on.

use super::evaluate::{Contender, How};
use super::specs::{even, gain, joint, linear, of_draws, tables, win};
use super::{Kernel, Shift};
use crate::smooth::Estimator;
use drawish_heads::features::{self, Family};
use drawish_heads::heads::{Bands, Input, Spec, Term};

/// A list of contenders in the making.
struct List(Vec<Contender>);

impl List {
    fn begin() -> List {
        List(vec![Contender { name: "constant".to_owned(), how: How::Constant, over: None }])
    }

    fn add(&mut self, name: &str, how: How, over: Option<usize>) -> usize {
        self.0.push(Contender { name: name.to_owned(), how, over });
        self.0.len() - 1
    }

    fn model(&mut self, name: &str, (spec, kernel): (Spec, Kernel), over: Option<usize>) -> usize {
        self.add(name, How::Model(spec, kernel), over)
    }

    fn residual(&mut self, over: usize, shift: Shift) {
        let what = if shift == Shift::Slope { "slope" } else { "table" };
        let name = format!("{} + {what} residual", self.0[over].name);
        self.add(&name, How::Residual(over, shift), Some(over));
    }
}

/// What the board alone says, without evaluations: tables, logistic models of growing lists of features, the draw head and
/// the gain head; with the ratings as covariates if `ratings`.
#[must_use]
pub fn of_board(ratings: bool) -> Vec<Contender> {
    let mut list = List::begin();
    for (name, estimator) in [
        ("table, raw", Estimator::Raw),
        ("table, Laplace", Estimator::Laplace),
        ("table, empirical Bayes", Estimator::EmpiricalBayes),
        ("table, empirical Bayes + symmetry", Estimator::EmpiricalBayesSymmetric),
    ] {
        list.add(name, How::Table(estimator), None);
    }
    let pawns = features::place("pawns").map(|place| Term::Linear(Input::Feature(place)));
    let with_pawns = |families: &[Family]| pawns.iter().cloned().chain(linear(families)).collect::<Vec<_>>();
    let files = list.model("files", of_draws(with_pawns(&[Family::Files])), None);
    list.residual(files, Shift::DrawScore);
    list.model("files + ranks", of_draws(with_pawns(&[Family::Files, Family::Ranks])), Some(files));
    let pieces = list.model("material", of_draws(linear(&[Family::Material])), None);
    let endings = list.model("material + endings", of_draws(with_endings()), Some(pieces));
    list.residual(endings, Shift::DrawScore);
    let all = list.model("all features", of_draws(even()), Some(endings));
    list.residual(all, Shift::DrawScore);
    let bands = list.model("bands and pairs", of_draws(tables()), Some(all));
    list.residual(bands, Shift::DrawScore);
    list.model("seed: all features with win/loss, kappa 0", seed(), Some(all));
    let head = list.model("draw head, all features", joint(win(), even()), Some(all));
    list.model("draw head, bands and pairs", joint(win(), tables()), Some(bands));
    if ratings {
        let (mut spec, kernel) = joint(win(), tables());
        spec.win.push(Term::Linear(Input::EloDifference));
        spec.draw.push(Term::Linear(Input::MeanElo));
        list.model("draw head with ratings", (spec, kernel), Some(head));
    }
    let plain = list.model("evaluator", gain(win(), Vec::new()), None);
    list.residual(plain, Shift::Slope);
    let with_gain = list.model("evaluator with gain head", gain(win(), gain_terms()), Some(plain));
    list.residual(with_gain, Shift::Slope);
    list.0
}

fn with_endings() -> Vec<Term> {
    linear(&[Family::Material, Family::Endings])
}

/// The terms of the gain head.
#[must_use]
pub fn gain_terms() -> Vec<Term> {
    even()
}

/// The model of the seed as it stands: the draw score does not know the win/loss score.
fn seed() -> (Spec, Kernel) {
    (Spec { win: win(), draw: even(), constant: true }, Kernel::WinDrawLoss { kappa: Some(0.0) })
}

/// What is left to say where an engine has looked: models on the evaluation, for rows that have one.
#[must_use]
pub fn of_evals() -> Vec<Contender> {
    let mut list = List::begin();
    let eval = || vec![Term::Linear(Input::Eval)];
    let named = |names: &[&str]| {
        names
            .iter()
            .filter_map(|name| features::place(name))
            .map(|place| Term::Linear(Input::Feature(place)))
            .collect::<Vec<_>>()
    };
    let wdl = |draw: Vec<Term>| (Spec { win: eval(), draw, constant: true }, Kernel::RaoKupper);
    let plain = list.model("WDL model of the evaluation", wdl(Vec::new()), None);
    list.model("WDL model, with pieces and pawns", wdl(named(&["npm", "pawns"])), Some(plain));
    let with = |others: Vec<Term>| {
        let mut draw = vec![Term::Linear(Input::EvalSize), sizes()];
        draw.extend(others);
        of_draws(draw)
    };
    let alone = list.model("size of the evaluation", with(Vec::new()), None);
    list.residual(alone, Shift::DrawScore);
    let endings = list.model("size, material, endings", with(with_endings()), Some(alone));
    list.residual(endings, Shift::DrawScore);
    list.model("size, all features", with(even()), Some(endings));
    let (mut spec, kernel) = joint(eval(), even());
    spec.win.extend(win());
    list.model("draw head with the evaluation", (spec, kernel), Some(endings));
    list.0
}

/// The size of the evaluation in bands.
fn sizes() -> Term {
    let starts = vec![5, 10, 20, 30, 45, 60, 80, 100, 125, 150, 180, 220, 270, 330, 400, 500, 700, 1000];
    Term::Bands(Bands { input: Input::EvalSize, starts })
}
