//! From games to heads.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::ControlFlow;

use drawish_artefact::provenance::{Digest, InputRecord, made_by};
use drawish_core::Wdl;
use drawish_engine::eval::Evaluator;
use drawish_engine::search::{Searcher, bench};
use drawish_games::fan_out::in_order;
use drawish_games::fit::{Remark, specs};
use drawish_heads::heads::{GameSketch, Head, HeadsFile, Input, Term, VERSION, Weighted, error_or_none, shift_for};
use drawish_stats::numeric::{logit, sigmoid, softplus};
use drawish_stats::reach_of_95_percent;
use shakmaty::Chess;

use super::held_out::{Estimate, HeldOut};
use super::label::{Labelled, Labeller, MoveCounts, RootSkip};
use super::log::{LabelsError, LabelsFile, Setup};
use super::ridge::{Columns, Moves};
use super::roots::{Root, Roots};
use super::siblings::{Child, Family, Target, uses};
use super::{Compared, FEWEST_GAMES, FitFigures, RootCounts, Standing, Within, WithinError, WithinFit};
use crate::arena::{Syzygy, Tablebases};

/// Memory of the search for the checksum of the engine, in MiB: that of the searches that label.
const HASH: usize = 1;
/// The line of the first root in a file of labels.
const FIRST_LINE: usize = 2;
/// Fewer games for a weight are remarked upon.
const GAMES_PER_WEIGHT: usize = 10;

/// Labelled roots, and what they come from.
pub(super) struct Labels {
    labels: Vec<Labelled>,
    /// Of each of them what games that depend on each other have in common.
    beginnings: Vec<u64>,
    pub compared: Compared,
    rule: String,
    inputs: Vec<InputRecord>,
}

/// Reads, draws and searches, or takes what is searched already.
pub(super) fn label(within: &Within<'_>, observe: impl FnMut(Standing) + Send) -> Result<Labels, WithinError> {
    check(within)?;
    let Within { inputs, rule, per_game, threads, progress, .. } = within;
    let tables = if within.syzygy.is_empty() { None } else { Some(Syzygy::open(&within.syzygy)?) };
    let men = tables.as_ref().map(|tables| tables.tables().men);
    let gathered = Roots::gather(inputs.clone(), rule, (*per_game, men), within.roots, *threads, progress);
    if gathered.drawn.is_empty() {
        let (tally, problems) = (Box::new(gathered.tally), Box::new(gathered.problems));
        return Err(WithinError::NoPositions { tally, problems });
    }
    let setup = setup(within, tables.as_ref(), &gathered);
    let labels = labels(within, tables.as_ref(), &setup, &gathered.drawn, observe)?;
    let (roots, moves, moves_left_out) = count(&gathered, &labels);
    let beginnings: Vec<u64> = gathered.drawn.iter().map(|root| root.beginning).collect();
    let compared = labels.iter().zip(&beginnings).filter(|(labelled, _)| labelled.skip.is_none());
    let games = compared.map(|(_, beginning)| beginning).collect::<HashSet<_>>().len();
    if games < FEWEST_GAMES {
        return Err(WithinError::TooFewGames { roots: roots.compared, games });
    }
    let Roots { results, tally, anomalies, problems, inputs, .. } = gathered;
    let (nodes, syzygy) = (within.nodes, setup.syzygy);
    let compared = Compared { roots, moves, moves_left_out, games, results, nodes, syzygy, tally, anomalies, problems };
    Ok(Labels { labels, beginnings, compared, rule: setup.in_words(within.roots), inputs })
}

impl Labels {
    /// The moves of the roots that are compared, sorted by game; see [`Family::with`].
    pub fn families(
        &self,
        within: &Within<'_>,
        mut look: impl FnMut(&Chess, f64) -> (f64, Vec<(usize, f64)>),
    ) -> Result<Vec<Family>, WithinError> {
        let all = self.labels.iter().zip(&self.beginnings).zip(FIRST_LINE..);
        let compared = all.filter(|((labelled, _), _)| labelled.skip.is_none());
        let family = |((labelled, &beginning), line)| {
            let family = Family::with(labelled, self.compared.syzygy.is_some(), &mut look);
            let family = family.map_err(|what| damaged(within, line, what))?;
            Ok(Family { game: beginning, ..family })
        };
        let mut families = compared.map(family).collect::<Result<Vec<_>, WithinError>>()?;
        families.sort_by_key(|family| family.game);
        Ok(families)
    }
}

/// What to say where there are few games for so many weights.
pub(super) fn few_games(compared: &Compared, weights: usize) -> Vec<Remark> {
    let games = compared.games;
    if games < GAMES_PER_WEIGHT * weights { vec![Remark::FewGames { games, weights }] } else { Vec::new() }
}

/// Standard errors from the middle of a 95 % interval to its end, where games are the clusters.
pub(super) fn reach(families: &[Family]) -> f64 {
    reach_of_95_percent(families.chunk_by(|one, other| one.game == other.game).count())
}

/// Fits both heads.
pub(super) fn heads(within: &Within<'_>, observe: impl FnMut(Standing) + Send) -> Result<WithinFit, WithinError> {
    let labels = label(within, observe)?;
    let compared = &labels.compared;
    let weights = |terms: &[Term]| terms.iter().map(Term::weights).sum::<usize>();
    let mut remarks = few_games(compared, weights(&within.gain_terms).max(weights(&within.draw_terms)));
    let mut fit = |target, terms: &[Term]| {
        let families = labels.families(within, |position, eval| (eval, uses(position, terms)))?;
        head(within, &families, target, terms, &mut remarks)
    };
    let (gain, gain_figures) = fit(Target::Gain, &within.gain_terms)?;
    let (draw, draw_figures) = fit(Target::Draw { level: level(compared.results) }, &within.draw_terms)?;
    remarks.sort_by_key(ToString::to_string);
    remarks.dedup();
    let heads = HeadsFile {
        format: "heads".to_owned(),
        version: VERSION,
        made_by: made_by(),
        rows: compared.moves.labelled as usize,
        events: compared.games,
        results: compared.results,
        rules: vec![labels.rule],
        warnings: remarks.iter().map(ToString::to_string).collect(),
        sketch: GameSketch::default(),
        inputs: labels.inputs,
        draw,
        gain,
    };
    Ok(WithinFit { heads, gain: gain_figures, draw: draw_figures, compared: labels.compared, remarks })
}

fn check(within: &Within<'_>) -> Result<(), WithinError> {
    if within.nodes == 0 {
        return Err(WithinError::NoNodes);
    }
    if within.window < 1 {
        return Err(WithinError::Window(within.window));
    }
    let priors = within.priors;
    let all = [priors.linear, priors.largest, priors.bands, priors.pairs];
    if let Some(&wrong) = all.iter().find(|prior| !prior.is_finite() || **prior <= 0.0) {
        return Err(WithinError::Prior(wrong));
    }
    for terms in [&within.draw_terms, &within.gain_terms] {
        specs::check_even(terms)?;
        let reads_the_game = |term: &&Term| term.inputs().any(|input| !matches!(input, Input::Feature(_)));
        if let Some(term) = terms.iter().find(reads_the_game) {
            return Err(WithinError::NotOnTheBoard(term.to_string()));
        }
    }
    Ok(())
}

fn setup(within: &Within<'_>, tables: Option<&Syzygy>, gathered: &Roots) -> Setup {
    let mut inputs: Vec<Digest> = gathered.inputs.iter().map(|input| input.xxh3_128).collect();
    inputs.sort_unstable();
    Setup {
        engine: format!("{:032x}", bench::checksum(&mut Searcher::new(Evaluator::default(), HASH))),
        nodes: within.nodes,
        window: within.window,
        rule: within.rule.to_string(),
        per_game: within.per_game.get(),
        syzygy: tables.map(Syzygy::tables),
        inputs,
    }
}

/// The labels of all roots, in their order: those of the file, and what is missing there.
fn labels(
    within: &Within<'_>,
    tables: Option<&Syzygy>,
    setup: &Setup,
    roots: &[Root],
    mut observe: impl FnMut(Standing) + Send,
) -> Result<Vec<Labelled>, WithinError> {
    let (mut file, mut labels) = match &within.labels {
        None => (None, Vec::new()),
        Some(path) => {
            let (file, labels) = LabelsFile::open(path, setup)?;
            (Some(file), labels)
        }
    };
    labels.truncate(roots.len());
    let is_other = |(label, root): &(&Labelled, &Root)| !label.is_of(&root.position, root.game);
    if let Some(at) = labels.iter().zip(roots).position(|pair| is_other(&pair)) {
        return Err(damaged(within, at + FIRST_LINE, "it is of another root".to_owned()).into());
    }
    let found = labels.len();
    let mut missing = roots[found..].iter();
    observe(Standing { roots: found, of: roots.len(), found });
    let failed = in_order(
        within.threads,
        || Labeller::new(within.nodes, within.window, tables.map(|tables| tables as &dyn Tablebases)),
        |_| missing.next(),
        |labeller, root, _| labeller.label(&root.position, root.game),
        |labelled| {
            let labelled = match labelled {
                Ok(labelled) => labelled,
                Err(error) => return ControlFlow::Break(WithinError::from(error)),
            };
            if let Some(Err(error)) = file.as_mut().map(|file| file.append(&labelled)) {
                return ControlFlow::Break(error.into());
            }
            labels.push(labelled);
            observe(Standing { roots: labels.len(), of: roots.len(), found });
            ControlFlow::Continue(())
        },
    );
    failed.map_or(Ok(labels), Err)
}

fn damaged(within: &Within<'_>, line: usize, what: String) -> LabelsError {
    LabelsError::Damaged { path: within.labels.clone().unwrap_or_default(), line, what }
}

/// Every position, every move of the roots that are compared, and the moves of the others.
fn count(gathered: &Roots, labels: &[Labelled]) -> (RootCounts, MoveCounts, u64) {
    let mut roots = RootCounts {
        repeated: gathered.repeated,
        not_drawn: gathered.sampled - gathered.repeated - labels.len() as u64,
        ..RootCounts::default()
    };
    let (mut moves, mut left_out) = (MoveCounts::default(), 0);
    for labelled in labels {
        match labelled.skip {
            None => {
                roots.compared += 1;
                moves.add(&labelled.moves);
            }
            Some(skip) => {
                let at = RootSkip::ALL.iter().position(|reason| *reason == skip).unwrap_or(0);
                roots.skipped[at] += 1;
                left_out += labelled.moves.total();
            }
        }
    }
    (roots, moves, left_out)
}

/// The draw score of level positions, by how many of the games were drawn.
fn level(results: Wdl) -> f64 {
    let share = results.draws as f64 / results.total().max(1) as f64;
    logit(share.clamp(0.02, 0.98)) + std::f64::consts::LN_2
}

/// Fits one head, with what is said of it.
fn head(
    within: &Within<'_>,
    families: &[Family],
    target: Target,
    terms: &[Term],
    remarks: &mut Vec<Remark>,
) -> Result<(Head, FitFigures), WithinError> {
    let threads: NonZero<usize> = within.threads;
    let moves = Moves::new(families, target, &Columns::of_terms(terms, within.priors), threads);
    let (fitted, without) = moves.fit().ok_or(WithinError::NothingToLearn)?;
    let errors = moves.errors(&fitted).map(|(slope, errors)| {
        let errors: Vec<f64> = errors.into_iter().map(error_or_none).collect();
        (slope, errors)
    });
    let held_out = HeldOut::of(families, target, &without);
    let (slope_error, errors) =
        errors.map_or((None, None), |(slope, errors)| (Some(reach(families) * slope), Some(errors)));
    let (mut at, mut score) = (0, Vec::new());
    for term in terms {
        let all = at..at + term.weights();
        score.push(Weighted {
            term: term.to_string(),
            weights: fitted.head[all.clone()].to_vec(),
            errors: errors.as_ref().map_or_else(Vec::new, |errors| errors[all.clone()].to_vec()),
        });
        at = all.end;
    }
    let idle = terms.iter().scan(0, |at, term| {
        let first = *at;
        *at += term.weights();
        Some((term, moves.idle[first..*at].iter().all(|idle| *idle)))
    });
    let idle: Vec<String> = idle.filter(|(_, is_idle)| *is_idle).map(|(term, _)| term.to_string()).collect();
    if !idle.is_empty() {
        remarks.push(Remark::Idle(idle));
    }
    let mean = moves.mean(&fitted.head);
    let (kappa, constant) = match target {
        Target::Gain | Target::Form => (None, None),
        Target::Draw { level } => (Some(1.0), Some(level - mean)),
    };
    let mut shifted = fitted.head.clone();
    shifted.extend(constant);
    let mut head = Head {
        kappa,
        kappa_error: None,
        constant,
        constant_error: None,
        loss: loss(families, target, &fitted.head, mean),
        quantised_loss: 0.0,
        shift: shift_for(&shifted),
        win: Vec::new(),
        score,
        residual: None,
    };
    let quantised: Vec<f64> = head.quantised().score.into_iter().flat_map(|term| term.weights).collect();
    head.quantised_loss = loss(families, target, &quantised, mean);
    head.model()?;
    Ok((head, FitFigures { slope: Estimate { value: fitted.slope, error: slope_error }, held_out }))
}

/// Mean loss of a move in bits: of its expected score, or probability of a draw, by the search, under what the head says.
fn loss(families: &[Family], target: Target, head: &[f64], mean: f64) -> f64 {
    let children = || families.iter().flat_map(|family| &family.children);
    let of = |child: &Child| {
        let (said, found) = target.logits(child, child.sum(head) - mean);
        let p = sigmoid(found);
        // -ln sigmoid(x) is softplus(-x).
        p * softplus(-said) + (1.0 - p) * softplus(said)
    };
    children().map(of).sum::<f64>() / children().count().max(1) as f64 / std::f64::consts::LN_2
}
