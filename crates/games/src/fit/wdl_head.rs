//! Fitting the WDL head: win, draw and loss from an engine's evaluation and the features of the position.
//!
//! [`WdlHead`] has the form. [`TuneWdl`] fits it to positions with evaluations, [`CompareWdl`] holds it against the model of
//! Stockfish on games that no fit has seen.

mod beginning;
mod compared;
mod cubic;
mod design;
mod held_out;
mod likelihood;
mod line;
mod objective;
mod positions;
mod prior;
mod rescale;
mod terms;

use std::num::NonZero;
use std::thread::available_parallelism;

use drawish_artefact::provenance::made_by;
use drawish_heads::heads::{GameSketch, HeadError, WDL_HEAD_VERSION, WdlHead, WeightedSum};
use drawish_stats::numeric::{Cholesky, lbfgs, newton_by_value};
use thiserror::Error;

use super::remark::{Remark, Unlearnable, lines};
use super::specs::TermsError;
use super::{PRECISION, Priors};
use crate::rows::{Gathered, RowSetError};
use design::Design;
use objective::{Objective, Prepared};
use prior::{PRIORS, Prior};

pub use compared::{ComparedWdl, WdlVerdict};
pub use held_out::CompareWdl;
pub use positions::{Choice, Left, Positions, Weighting};
pub use rescale::{Rescaled, RescaledHead, rescale};
pub use terms::{WdlTerms, threshold_terms};

/// Positions whose information stands for that of all: the last steps are made with all positions and without it.
const SAMPLE: usize = 12_000;
/// Positions that the last steps take at most: of more, every second one, third one and so on, so that every game gives its share.
const MOST: usize = 1 << 21;
/// A step that gains less than this share of the loss, twice in a row, is the last: about a millionth of a bit a position.
const LAST_GAIN: f64 = 1e-6;
/// So many times more are weights held back towards those of another head than towards 0.
const TOWARDS: f64 = 4.0;

/// Fits a WDL head to positions. Threads change nothing in the result.
#[derive(Clone, Debug)]
pub struct TuneWdl<'a> {
    positions: &'a Positions,
    terms: WdlTerms,
    priors: Priors,
    towards: Option<WdlHead>,
    threads: NonZero<usize>,
}

/// A fitted WDL head.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TunedWdl {
    /// The head with its provenance.
    pub head: WdlHead,
    /// What to know before trusting it.
    pub remarks: Vec<Remark>,
}

/// Why no WDL head can be fitted or judged.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum WdlHeadError {
    #[error(transparent)]
    Rows(#[from] RowSetError),
    #[error(
        "none of the positions has an evaluation of at most {0} centipawns; take games with evaluations in the comments behind the moves"
    )]
    NoEvaluations(i32),
    #[error("no player has the name of the engine asked for; names found: {found}")]
    NoEngine { found: String },
    #[error("{cause}")]
    OfGames { cause: Box<WdlHeadError>, gathered: Box<Gathered> },
    #[error(transparent)]
    Unlearnable(#[from] Unlearnable),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error("the largest evaluation is {0}, expected 50 to 2000 centipawns")]
    LargestEval(i32),
    #[error("{0} folds, expected 2 to 20")]
    Folds(usize),
    #[error("the standard deviation of a prior is {0}, expected a number above 0")]
    Prior(f64),
    #[error("the fit has no finite end; take a narrower prior")]
    NoFiniteEnd,
    #[error(transparent)]
    Head(#[from] HeadError),
    #[error("the head that weights are held towards has seen {0}; take one of other games")]
    Seen(String),
}

impl<'a> TuneWdl<'a> {
    /// Fits the built-in terms on all cores.
    #[must_use]
    pub fn new(positions: &'a Positions) -> TuneWdl<'a> {
        TuneWdl {
            positions,
            terms: WdlTerms::built_in(),
            priors: PRIORS,
            towards: None,
            threads: available_parallelism().unwrap_or(NonZero::<usize>::MIN),
        }
    }

    /// The terms.
    #[must_use]
    pub fn terms(mut self, terms: WdlTerms) -> Self {
        self.terms = terms;
        self
    }

    /// How strongly weights are held back.
    #[must_use]
    pub fn priors(mut self, priors: Priors) -> Self {
        self.priors = priors;
        self
    }

    /// Holds weights back towards those of another head instead of towards 0: what the games do not say is taken from it. For few
    /// games. Scale and draw rate are free.
    #[must_use]
    pub fn towards(mut self, head: Option<WdlHead>) -> Self {
        self.towards = head;
        self
    }

    /// Threads that fit.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Fits the head.
    ///
    /// # Errors
    ///
    /// See [`WdlHeadError`].
    pub fn run(&self) -> Result<TunedWdl, WdlHeadError> {
        self.terms.check()?;
        check_priors(self.priors)?;
        let positions = self.positions;
        let model =
            Model::new(positions, &self.terms, self.priors).towards(self.towards.as_ref(), positions, &self.terms)?;
        let (fitted, converged) = model.fit(positions, self.threads);
        if !fitted.iter().all(|unknown| unknown.is_finite()) {
            return Err(WdlHeadError::NoFiniteEnd);
        }
        let mut head = self.head(&model.design, &fitted);
        let loss = |head: &WdlHead| rescale::mean_loss(positions, head, self.threads);
        (head.loss, head.quantised_loss) = (loss(&head)?, loss(&head.quantised())?);
        let mut remarks = positions.remarks();
        if positions.events() < 2 {
            remarks.push(Remark::OneEventOfHead);
        }
        if positions.games() < 10 * head.weights() {
            let (count, weights) = (positions.games(), head.free_weights());
            // Each position without its game counts as a game.
            remarks.push(match positions.numbered_events().boards() {
                Some(_) => Remark::FewRows { rows: positions.len(), weights },
                None => Remark::FewGames { games: count, weights },
            });
        }
        if let Err(steps) = converged {
            remarks.push(Remark::NotConverged { steps });
        }
        head.warnings = lines(&remarks);
        Ok(TunedWdl { head, remarks })
    }

    fn head(&self, design: &Design, unknowns: &[f64]) -> WdlHead {
        let positions = self.positions;
        let (knots, line) = line::knots(&unknowns[design.first_line..]);
        let [threshold, slope] = [(0, &self.terms.threshold), (1, &self.terms.slope)].map(|(sum, terms)| {
            let first = design.sums[sum].first;
            let count = terms.iter().map(drawish_heads::heads::Term::weights).sum::<usize>();
            WeightedSum::new(unknowns[first], terms, &unknowns[first + 1..first + 1 + count])
        });
        // What another head has seen, this one has.
        let towards = &self.towards;
        let shift = &unknowns[design.first_line - self.terms.shift.len()..design.first_line];
        WdlHead {
            format: "wdl-head".to_owned(),
            version: WDL_HEAD_VERSION,
            made_by: made_by(),
            games: positions.games(),
            rows: positions.len(),
            events: positions.events(),
            weighting: positions.choice().weighting.name().to_owned(),
            largest_eval: positions.choice().largest_eval,
            results: positions.results(),
            loss: 0.0,
            quantised_loss: 0.0,
            knots,
            line,
            rules: positions.rules().iter().chain(towards.iter().flat_map(|head| &head.rules)).cloned().collect(),
            warnings: Vec::new(),
            sketch: GameSketch::of(
                positions.numbered_events().games().chain(towards.iter().flat_map(|head| head.sketch.keys()).copied()),
            ),
            inputs: positions.inputs().iter().chain(towards.iter().flat_map(|head| &head.inputs)).cloned().collect(),
            threshold,
            slope,
            shift: WeightedSum::new(0.0, &self.terms.shift, shift),
        }
    }
}

fn check_priors(Priors { linear, largest, bands, pairs }: Priors) -> Result<(), WdlHeadError> {
    let wrong = |prior: &&f64| !prior.is_finite() || **prior <= 0.0;
    [linear, largest, bands, pairs].iter().find(wrong).map_or(Ok(()), |&wrong| Err(WdlHeadError::Prior(wrong)))
}

/// Terms with their priors, ready to be fitted to positions or some of them.
struct Model {
    design: Design,
    prior: Prior,
    /// Where a fit begins.
    start: Vec<f64>,
}

/// A fit to all positions, from which fits to some of them begin.
struct Near {
    unknowns: Vec<f64>,
    factor: Cholesky,
    weight: f64,
}

impl Model {
    fn new(positions: &Positions, terms: &WdlTerms, priors: Priors) -> Model {
        let design = Design::new(terms);
        let prior = Prior::new(positions, &design, terms, priors);
        let mut start = vec![0.0; design.first_line];
        start.extend(line::start());
        Model { design, prior, start }
    }

    /// The same with weights near those of a head, if one is given: the fit begins there.
    fn towards(self, head: Option<&WdlHead>, positions: &Positions, terms: &WdlTerms) -> Result<Model, WdlHeadError> {
        let Some(head) = head else { return Ok(self) };
        if let Some(seen) = positions.known_to(head).next() {
            return Err(WdlHeadError::Seen(seen.name.clone()));
        }
        let prior = self.prior.towards(head, &self.design, terms, TOWARDS)?;
        Ok(Model { start: prior.mean.clone(), prior, ..self })
    }

    fn objective<'a>(
        &'a self,
        positions: &'a Positions,
        some: Option<&'a [bool]>,
        every: usize,
        threads: NonZero<usize>,
    ) -> Objective<'a> {
        Objective { positions, some, every, design: &self.design, prior: &self.prior, threads }
    }

    /// The fit to all positions; the steps instead of `Ok` if it did not converge.
    fn fit(&self, positions: &Positions, threads: NonZero<usize>) -> (Vec<f64>, Result<(), usize>) {
        let (near, steps, converged) = self.near(positions, threads);
        (near.unknowns, if converged { Ok(()) } else { Err(steps) })
    }

    fn near(&self, positions: &Positions, threads: NonZero<usize>) -> (Near, usize, bool) {
        let every = positions.len().div_ceil(SAMPLE).max(1);
        let sample = self.objective(positions, None, every, threads);
        // Of the sample only the way is wanted, and its information at the end.
        let precision = if every > 1 { 1e-5 } else { PRECISION };
        let minimum =
            newton_by_value(self.start.clone(), precision, |at| sample.slopes(at).0, |at| sample.derivatives(at));
        let factor = sample.derivatives(&minimum.at).hessian.cholesky();
        let weight = positions.games() as f64;
        let identity = || {
            let mut identity = drawish_stats::numeric::Symmetric::zero(self.design.unknowns());
            (0..self.design.unknowns()).for_each(|place| identity.add_to_diagonal(place, weight));
            // A diagonal matrix above 0 has a factor.
            identity.cholesky().unwrap_or_else(|| unreachable!("a positive diagonal"))
        };
        let mut near = Near { unknowns: minimum.at, factor: factor.unwrap_or_else(identity), weight };
        let (mut steps, mut converged) = (minimum.steps, minimum.converged);
        if every > 1 {
            let all = self.objective(positions, None, positions.len().div_ceil(MOST), threads);
            let inverse = |right: &[f64]| near.factor.solve(right);
            let last = lbfgs(near.unknowns.clone(), LAST_GAIN, &inverse, |at| all.slopes(at));
            (steps, converged) = (steps + last.steps, last.converged);
            near.unknowns = last.at;
        }
        (near, steps, converged)
    }

    /// The fit to some positions, from the fit to all.
    fn fit_some(&self, positions: &Positions, some: &[bool], near: &Near) -> Vec<f64> {
        let threads = NonZero::<usize>::MIN;
        let weights = positions.each(|block, row| f64::from(block.weights[row]));
        let weight: f64 = weights.zip(some).filter(|&(_, &some)| some).map(|(weight, _)| weight).sum();
        let share = near.weight / weight.max(1.0);
        let inverse = |right: &[f64]| near.factor.solve(right).into_iter().map(|x| x * share).collect();
        let objective = self.objective(positions, Some(some), 1, threads);
        lbfgs(near.unknowns.clone(), LAST_GAIN, &inverse, |at| objective.slopes(at)).at
    }
}

/// What the fitted unknowns say of each position: its scores.
fn prepared<'a>(model: &'a Model, unknowns: &'a [f64]) -> Prepared<'a> {
    Prepared::new(&model.design, unknowns)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::fit::specs::linear;
    use crate::pgn::expand_inputs;
    use crate::rows::Gather;
    use crate::sample::Rule;
    use drawish_heads::features::Family;
    use drawish_stats::numeric::LBFGS_PRECISION;

    fn positions(every: u16, largest_eval: i32) -> Result<Positions, WdlHeadError> {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
        let rule = Rule::of_wdl_head();
        let run = Gather::new(expand_inputs(&[games.into()]).expect("the sample")).rule(rule);
        let choice = Choice { largest_eval, every, weighting: Weighting::Game };
        Positions::of_games(run, choice).map(|(positions, _)| positions)
    }

    /// Fewer than the information is taken from, and more.
    static FEW: LazyLock<Positions> = LazyLock::new(|| positions(60, 1000).expect("positions"));
    static MANY: LazyLock<Positions> = LazyLock::new(|| positions(16, 1000).expect("positions"));

    #[test]
    fn positions_of_one_side_are_noticed() {
        assert_eq!(MANY.remark_of_mover(), None, "{:?}", MANY.mover_score());
        // Only those in which White is to move, and White has won.
        let mut won = positions(60, 1000).expect("positions");
        let tempo = odd_tempo();
        for block in &mut won.blocks {
            let columns = block.odd.len() / block.len();
            block.odd.iter_mut().skip(tempo).step_by(columns).for_each(|value| *value = 1);
            block.outcomes.iter_mut().for_each(|outcome| *outcome = drawish_core::Outcome::WhiteWin);
        }
        assert_eq!((won.mover_score(), won.remark_of_mover()), (Some(1.0), Some(Remark::Mover { permille: 1000 })));
    }

    fn odd_tempo() -> usize {
        let tempo = drawish_heads::features::place("tempo_mg").expect("a feature");
        super::positions::odd_places().iter().position(|places| places[0] == tempo).expect("an odd feature")
    }

    fn terms() -> WdlTerms {
        let bands = "rams @ 1,3 * passers @ 1".parse().expect("a term");
        WdlTerms {
            threshold: linear(&[Family::Kings]).into_iter().chain([bands]).collect(),
            slope: linear(&[Family::Clock]),
            shift: ["tempo_mg", "tempo_eg", "passer_eg"].map(|text| text.parse().expect("a term")).into(),
        }
    }

    #[test]
    fn slopes_and_information_are_those_of_the_loss() {
        let model = Model::new(&FEW, &terms(), PRIORS);
        let objective = model.objective(&FEW, None, 3, NonZero::<usize>::MIN);
        let mut at: Vec<f64> = (0..model.design.first_line).map(|place| 0.01 * (place as f64).sin()).collect();
        at.extend(line::start());
        let found = objective.derivatives(&at);
        for unknown in 0..at.len() {
            let moved = |by: f64| {
                let mut moved = at.clone();
                moved[unknown] += by;
                objective.slopes(&moved)
            };
            let step = 1e-5;
            let (low, high) = (moved(-step), moved(step));
            let numeric = (high.0 - low.0) / (2.0 * step);
            let given = found.gradient[unknown];
            assert!((numeric - given).abs() < 1e-4 * (1.0 + given.abs()), "{unknown}: {given} {numeric}");
        }
    }

    #[test]
    fn threads_change_no_digit_and_the_head_says_what_the_fit_says() {
        for positions in [&*FEW, &*MANY] {
            let tuned = |threads| {
                let tune = TuneWdl::new(positions).terms(terms()).threads(NonZero::new(threads).expect("not 0"));
                tune.run().expect("a head").head
            };
            let head = tuned(1);
            assert_eq!(head, tuned(3));
            // What the rescaling reads off the file is the loss that the fit reached.
            let model = Model::new(positions, &terms(), PRIORS);
            let (unknowns, converged) = model.fit(positions, NonZero::<usize>::MIN);
            assert_eq!(converged, Ok(()));
            let objective = model.objective(positions, None, 1, NonZero::<usize>::MIN);
            let prepared = Prepared::new(&model.design, &unknowns);
            let mut sums = (0.0, 0.0);
            for block in &positions.blocks {
                for row in 0..block.len() {
                    let (weight, scored) = (f64::from(block.weights[row]), prepared.score(block, row));
                    let found = likelihood::likelihood(scored.win, scored.loss, block.outcomes[row]);
                    sums = (sums.0 + weight * found.loss, sums.1 + weight);
                }
            }
            let bits = sums.0 / sums.1 / std::f64::consts::LN_2;
            assert!((head.loss - bits).abs() < 1e-9, "{} {bits}", head.loss);
            assert!((head.quantised_loss - bits).abs() < 1e-4);
            // What a fit without end would gain is a few millionths of a bit a position.
            let (near, ..) = model.near(positions, NonZero::<usize>::MIN);
            let inverse = |right: &[f64]| near.factor.solve(right);
            let end = lbfgs(unknowns.clone(), LBFGS_PRECISION, &inverse, |at| objective.slopes(at));
            let left = (objective.slopes(&unknowns).0 - end.value) / sums.1 / std::f64::consts::LN_2;
            assert!((0.0..5e-5).contains(&left), "{left}");
            assert!((sums.1 - positions.games() as f64).abs() < 0.01);
        }
    }

    /// Beside bounds of the line full steps went too far for ever: 39 steps, of Rival's games 200 without an end.
    #[test]
    fn few_steps_lead_to_the_end() {
        for positions in [&*FEW, &*MANY] {
            let model = Model::new(positions, &WdlTerms::built_in(), PRIORS);
            let (_, steps, converged) = model.near(positions, NonZero::<usize>::MIN);
            assert!(converged && steps < 34, "{steps} {converged}");
        }
    }

    #[test]
    fn a_head_with_features_predicts_games_that_it_has_not_seen() {
        let contenders = vec![("bent".to_owned(), WdlTerms::default()), ("terms".to_owned(), terms())];
        let compared = CompareWdl::new(&MANY).contenders(contenders).folds(2).run().expect("figures");
        let [cubic, _, terms] = &compared.verdicts[..] else { panic!("three models") };
        assert!((cubic.gain.millibits, cubic.weights) == (0.0, 8));
        assert!(terms.over_last.millibits > 0.0 && terms.bits < 1.585, "{terms:?}");
    }

    /// Figures must not state evaluations that no position has.
    #[test]
    fn the_range_judged_ends_where_the_positions_end() {
        let largest =
            |of: &Positions| CompareWdl::new(of).contenders(Vec::new()).folds(2).run().expect("figures").largest_eval;
        assert_eq!([largest(&MANY), largest(&positions(16, 200).expect("positions"))], [600, 200]);
    }

    #[test]
    fn folds_by_game_part_no_game_and_leave_one_event() {
        let folds = MANY.folds_by_game(3);
        let of_game: std::collections::HashMap<u32, u8> =
            MANY.each(|block, row| block.games[row]).zip(folds.iter().map(|&(fold, _)| fold)).collect();
        let games = MANY.each(|block, row| block.games[row]);
        assert!(games.zip(&folds).all(|(game, &fold)| fold == (of_game[&game], 0) && fold.0 < 3));
        let sizes: Vec<_> = (0..3).map(|fold| folds.iter().filter(|&&(own, _)| own == fold).count()).collect();
        assert!(sizes.iter().all(|&size| size.abs_diff(MANY.len() / 3) < MANY.len() / 10), "{sizes:?}");
        let compare = CompareWdl::new(&MANY).contenders(Vec::new()).folds(2);
        let bits = |by_game| compare.clone().by_game(by_game).run().expect("figures").verdicts[0].bits;
        assert!(bits(true) != bits(false));
    }

    #[test]
    fn two_numbers_bring_a_foreign_head_home() {
        let head = TuneWdl::new(&FEW).terms(WdlTerms::default()).run().expect("a head").head;
        let threads = NonZero::<usize>::MIN;
        let found = rescale(&FEW, &head.rescaled(0.5, 2.0), threads).expect("a head");
        let home = found.numbers;
        assert!((home.scale - 2.0).abs() < 0.05 && (home.width - 0.5).abs() < 0.05, "{home:?}");
        let [low, high] = found.interval_95.expect("errors");
        assert!(low.scale < home.scale && home.scale < high.scale && low.width < home.width && home.width < high.width);
        // As wide on the scale of logarithms wherever the head begins, and the same with more threads.
        let two = NonZero::new(2).expect("two");
        let [other_low, other_high] = rescale(&FEW, &head, two).expect("a head").interval_95.expect("errors");
        assert!((high.scale / low.scale / (other_high.scale / other_low.scale) - 1.0).abs() < 0.05);
        let doubtful = |numbers: Rescaled, ends: Option<[f64; 2]>| {
            let interval_95 = ends.map(|ends| ends.map(|end| Rescaled { scale: end, width: end }));
            rescale::RescaledHead { numbers, interval_95, ..found.clone() }.remarks().join("\n")
        };
        let one = Rescaled { scale: 1.0, width: 1.0 };
        assert_eq!(doubtful(one, Some([0.9, 1.1])), "");
        assert!(
            doubtful(one, Some([0.5, 2.0])).contains("scale of evaluations: 95 % CI 0.500 to 2.000; take more games")
        );
        assert!(doubtful(one, None).contains("too few games for standard errors"));
        assert!(doubtful(Rescaled { scale: 0.03, ..one }, Some([0.029, 0.031])).contains("next to nothing"));
    }

    /// On the scale of logarithms, and of games without a draw too, those of the width held 82 % at ten games, and those of the scale 87 to
    /// 92 % of games of TCEC.
    #[test]
    fn intervals_of_few_games_hold_the_numbers_of_many() {
        let head = TuneWdl::new(&FEW).terms(WdlTerms::default()).run().expect("a head").head;
        let of = |positions: &Positions| rescale(positions, &head, NonZero::<usize>::MIN).expect("a head");
        let truth = of(&FEW).numbers;
        let mut state = 2013_u64;
        let mut random = move |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for games in [10, 20] {
            let (trials, mut given, mut held) = (40, 0, [0; 2]);
            for _ in 0..trials {
                let mut chosen = std::collections::BTreeSet::new();
                while chosen.len() < games {
                    chosen.insert(random(FEW.games()) as u32);
                }
                let Some([low, high]) = of(&FEW.of_some(&chosen.into_iter().collect::<Vec<_>>())).interval_95 else {
                    continue;
                };
                given += 1;
                held[0] += u32::from(low.scale <= truth.scale && truth.scale <= high.scale);
                held[1] += u32::from(low.width <= truth.width && truth.width <= high.width);
            }
            let said = format!("{games} games: {given} of {trials} with intervals, held {held:?}");
            assert!(
                given >= trials / 4 && held.iter().all(|&held| f64::from(held) >= 0.92 * f64::from(given)),
                "{said}"
            );
        }
    }

    #[test]
    fn few_games_are_held_towards_a_head_of_many_whose_scale_is_free() {
        let own = |towards: Option<WdlHead>| TuneWdl::new(&FEW).terms(terms()).towards(towards).run();
        let seen = TuneWdl::new(&MANY).terms(terms()).run().expect("a head").head;
        let error = own(Some(seen.clone())).expect_err("its own games").to_string();
        assert!(error.contains("has seen sample.pgn.zst"), "{error}");
        let foreign = WdlHead { inputs: Vec::new(), ..seen };
        let [alone, towards, rescaled] = [None, Some(foreign.clone()), Some(foreign.rescaled(0.5, 2.0))]
            .map(|towards| own(towards).expect("a head").head);
        assert!((towards.loss - rescaled.loss).abs() < 1e-3, "{} {}", towards.loss, rescaled.loss);
        // What the few games do not say it has from the head of the many.
        let heads = [("alone", alone), ("towards", towards)].map(|(name, head)| (name.to_owned(), head));
        let compared =
            CompareWdl::new(&MANY).contenders(Vec::new()).folds(2).given(heads.into()).run().expect("figures");
        // The two numbers of a given head are fitted to games that they are judged on, which is said.
        let in_sample: Vec<bool> = compared.verdicts.iter().map(|verdict| verdict.in_sample).collect();
        assert_eq!(in_sample, [false, false, true, false, true]);
        let said = compared.in_sample().expect("a line");
        assert!(said.starts_with("the rows with a scale and a width: in-sample, not by folds"), "{said}");
        let [_, alone, _, towards, _] = &compared.verdicts[..] else { panic!("five models") };
        assert!(towards.bits < alone.bits, "{towards:?} {alone:?}");
    }

    #[test]
    fn the_side_to_move_is_the_first_odd_feature() {
        let [opening, _] = positions::odd_places()[0];
        assert_eq!(drawish_heads::features::all()[opening].name, "tempo_mg");
    }

    #[test]
    fn what_cannot_be_fitted_is_said() {
        assert!(positions(16, 10).is_err_and(|error| error.to_string().contains("50 to 2000")));
        let odd = WdlTerms { threshold: vec!["tempo_mg".parse().expect("a term")], ..WdlTerms::default() };
        let error = TuneWdl::new(&FEW).terms(odd).run().expect_err("an odd threshold").to_string();
        assert!(error.contains("tempo_mg"), "{error}");
        let even = WdlTerms { shift: vec!["rams".parse().expect("a term")], ..WdlTerms::default() };
        let error = TuneWdl::new(&FEW).terms(even).run().expect_err("an even shift").to_string();
        assert!(error.contains("odd features"), "{error}");
        let priors = Priors { pairs: 0.0, ..Priors::default() };
        assert!(TuneWdl::new(&FEW).priors(priors).run().is_err());
    }
}
