//! Estimating heads from rows: which features make draws, and which make a lead count.
//!
//! A model is a list of terms for each of two scores ([`Spec`]) and a [`Kernel`] that makes probabilities of them. It is
//! fitted by maximum likelihood with weak normal priors, by Newton's method or, with thousands of weights, by L-BFGS.
//! Sums are taken over fixed parts of the rows, so the number of threads changes no digit.
//!
//! [`Tune`] makes heads of rows, [`Compare`] holds models against each other; the rest is what they are made of.
//!
//! ```
//! use drawish_games::fit::Tune;
//! use drawish_games::pgn::expand_inputs;
//! use drawish_games::rows::{Gather, MemoryRows, RowSet};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
//! // The position at move 50 of games of at least 60 moves.
//! let (rows, gathered) = MemoryRows::gather(Gather::new(expand_inputs(&[games.into()])?));
//! assert!(gathered.problems.broken.is_empty());
//! let tuned = Tune::new(&RowSet::new([rows])?).kappa(1.0).run()?;
//! assert_eq!(tuned.heads.draw.kappa, Some(1.0));
//! // What should be known before the heads are believed: here, that all games are of one event.
//! assert!(!tuned.remarks.is_empty());
//! # Ok(())
//! # }
//! ```

mod compare;
pub mod contenders;
mod data;
mod errors;
mod evaluate;
pub mod export;
mod kernel;
mod moments;
mod objective;
mod remark;
mod residual;
pub mod specs;
mod tune;
mod verdict;
pub mod wdl_head;

use std::num::NonZero;

use drawish_heads::heads::{Head, Spec, Term, Weighted, error_or_none, shift_for};

use drawish_stats::numeric::{Cholesky, LBFGS_PRECISION, Minimum, lbfgs, newton_by_value};
use moments::Moments;
use objective::Objective;
use residual::residual;

pub use compare::{Compare, CompareError, Compared, FitProgress, Subject};
pub use data::Data;
pub use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};
pub use errors::standard_errors;
pub use evaluate::{Contender, How, Plan, evaluate};
pub use kernel::{Kernel, Prediction};
pub use objective::Rows;
pub use remark::{EACH_LINE_ONCE, Remark, Unlearnable};
pub use residual::Shift;
pub use tune::{Tune, TuneError, Tuned};
pub use verdict::{Evaluation, Gain, Quality, Target, Verdict};

/// How strongly weights are held back: standard deviations of normal priors around 0, on the logit scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Priors {
    /// Of what one standard deviation of a feature does.
    pub linear: f64,
    /// Of what the largest value of a feature does: it holds back what is rare.
    pub largest: f64,
    /// Of the weights of bands.
    pub bands: f64,
    /// Of the weights of pairs of bands.
    pub pairs: f64,
}

impl Priors {
    /// The same, all as many times as wide, with this [`linear`](Self::linear): to widen one alone changes little.
    ///
    /// ```
    /// use drawish_games::fit::Priors;
    ///
    /// assert_eq!(Priors::default().with_linear(1.0).largest, 4.0);
    /// ```
    #[must_use]
    pub fn with_linear(self, linear: f64) -> Priors {
        let wider = |deviation| deviation * (linear / self.linear);
        Priors { linear, largest: wider(self.largest), bands: wider(self.bands), pairs: wider(self.pairs) }
    }
}

impl Default for Priors {
    fn default() -> Self {
        Priors { linear: 0.5, largest: 2.0, bands: 0.3, pairs: 0.15 }
    }
}

/// From this many weights on, L-BFGS takes the place of Newton's method.
const LARGE: usize = 1500;
/// A step of Newton's method that promises less than this share of the loss is not made.
const PRECISION: f64 = 1e-11;
/// Logits by which a feature of typical size moves a score when it leaves nothing open.
const SEPARATING: f64 = 12.0;
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
    /// Whether kappa was to be fitted and would be below 0, where it is held.
    pub is_kappa_held: bool,
}

impl Fitted {
    /// Features whose weight moves the score so far, by more than 12 logits for a typical value, that only a complete
    /// separation of the results explains it.
    #[must_use]
    pub fn separating(&self, data: &Data) -> Vec<String> {
        let scales = Moments::of(data, None, &self.spec).scales();
        let names = self.spec.names();
        let far = |place: &usize| self.weights[*place].abs() > SEPARATING * scales[*place];
        (0..names.len()).filter(far).map(|place| names[place].clone()).collect()
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

/// The head of a fit; `errors` as [`standard_errors`] gives them.
#[must_use]
pub fn head(fitted: &Fitted, errors: Option<&[f64]>) -> Head {
    let errors: Option<Vec<f64>> = errors.map(|errors| errors.iter().map(|&error| error_or_none(error)).collect());
    let errors = errors.as_deref();
    let mut place = 0;
    let mut take = |count: usize| {
        let weights = fitted.weights[place..place + count].to_vec();
        let errors = errors.map_or_else(Vec::new, |errors| errors[place..place + count].to_vec());
        place += count;
        (weights, errors)
    };
    let weighted = |terms: &[Term], take: &mut dyn FnMut(usize) -> (Vec<f64>, Vec<f64>)| {
        terms
            .iter()
            .map(|term| {
                let (weights, errors) = take(term.weights());
                Weighted { term: term.to_string(), weights, errors }
            })
            .collect()
    };
    let win = weighted(&fitted.spec.win, &mut take);
    let constant = fitted.spec.constant.then(|| take(1));
    let score = weighted(&fitted.spec.draw, &mut take);
    let kappa_error = errors.filter(|_| fitted.kernel.fits_kappa()).and_then(|errors| errors.last().copied());
    Head {
        kappa: fitted.kappa(),
        kappa_error,
        constant: constant.as_ref().map(|(weights, _)| weights[0]),
        constant_error: constant.and_then(|(_, errors)| errors.first().copied()),
        loss: fitted.loss,
        quantised_loss: fitted.loss,
        shift: shift_for(&fitted.weights[fitted.spec.win_weights()..]),
        win,
        score,
        residual: None,
    }
}

/// The fit of a model to more rows, from which fits to some of them begin.
#[derive(Debug)]
pub struct Near {
    weights: Vec<f64>,
    factor: Cholesky,
    rows: usize,
}

impl Near {
    /// Fits a model to all rows; `None` if there is nothing near about it: too many weights, or no information.
    #[must_use]
    pub fn new(data: &Data, spec: &Spec, kernel: Kernel, priors: Priors, threads: NonZero<usize>) -> Option<Near> {
        let fitted = fit(data, None, spec, kernel, priors, None, threads);
        if fitted.kernel != kernel || fitted.weights.len() >= LARGE {
            return None;
        }
        let precision = Moments::of(data, None, spec).precisions(spec, kernel, priors);
        let objective = Objective { data, rows: None, kernel, precision, threads };
        let factor = objective.sums(&fitted.weights, true).information?.cholesky()?;
        Some(Near { weights: fitted.weights, factor, rows: data.len() })
    }

    /// The information of `rows` rows is about that share of the whole.
    fn solve(&self, right: &[f64], rows: usize) -> Vec<f64> {
        let share = self.rows as f64 / rows.max(1) as f64;
        self.factor.solve(right).into_iter().map(|x| x * share).collect()
    }
}

/// Fits a model to some rows of `data`, beginning near another fit if there is one. That saves time and changes nothing where the minimum is
/// one: that of the gain head may be another where a few hundred rows leave most of its weights open.
///
/// A fitted kappa below 0, which would make lopsided positions more drawish than level ones, is set to 0.
#[must_use]
pub fn fit(
    data: &Data,
    rows: Rows<'_>,
    spec: &Spec,
    kernel: Kernel,
    priors: Priors,
    near: Option<&Near>,
    threads: NonZero<usize>,
) -> Fitted {
    let moments = Moments::of(data, rows, spec);
    let precision = moments.precisions(spec, kernel, priors);
    let start = near.map_or_else(|| first_guess(spec, kernel, data, rows), |near| near.weights.clone());
    let objective = Objective { data, rows, kernel, precision, threads };
    let minimum = match near {
        Some(near) => {
            lbfgs(start, LBFGS_PRECISION, &|right| near.solve(right, moments.rows), |at| objective.slopes(at))
        }
        None if objective.weights() < LARGE => {
            let reached =
                newton_by_value(start, PRECISION, |at| objective.slopes(at).0, |at| objective.derivatives(at));
            if reached.converged { reached } else { finish(&objective, reached) }
        }
        None => {
            let scales = moments.scales();
            let rows = moments.rows.max(1) as f64;
            let inverse =
                |right: &[f64]| right.iter().zip(&scales).map(|(r, scale)| 4.0 * r * scale * scale / rows).collect();
            lbfgs(start, LBFGS_PRECISION, &inverse, |at| objective.slopes(at))
        }
    };
    let weights = minimum.at;
    if kernel.fits_kappa() && weights.last().is_some_and(|&kappa| kappa < 0.0) {
        let held = fit(data, rows, spec, Kernel::WinDrawLoss { kappa: Some(0.0) }, priors, None, threads);
        return Fitted { is_kappa_held: true, ..held };
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
        is_kappa_held: false,
    }
}

/// Goes on where Newton's method has crept: it takes the expected information for the second derivatives, which is too much or
/// too little where few rows tell two weights apart, as kappa and the size of the win/loss score. L-BFGS learns the difference.
fn finish(objective: &Objective<'_>, reached: Minimum) -> Minimum {
    let Some(factor) = objective.sums(&reached.at, true).information.and_then(|information| information.cholesky())
    else {
        return reached;
    };
    let found = lbfgs(reached.at, LBFGS_PRECISION, &|right| factor.solve(right), |at| objective.slopes(at));
    Minimum { steps: reached.steps + found.steps, ..found }
}

/// The mean loss of a row in bits, without any prior.
#[must_use]
pub fn mean_loss(data: &Data, rows: Rows<'_>, kernel: Kernel, weights: &[f64], threads: NonZero<usize>) -> f64 {
    let count = rows.map_or(data.len(), |rows| rows.iter().filter(|&&row| row).count());
    let objective = Objective { data, rows, kernel, precision: vec![0.0; weights.len()], threads };
    objective.sums(weights, false).loss / count.max(1) as f64 / std::f64::consts::LN_2
}

/// All weights 0 but the constant, which gives the draw rate of the rows, and kappa, which is 1.
fn first_guess(spec: &Spec, kernel: Kernel, data: &Data, rows: Rows<'_>) -> Vec<f64> {
    let mut weights = vec![0.0; spec.win_weights() + spec.draw_weights()];
    if spec.constant {
        let taking_part = |row: usize| rows.is_none_or(|rows| rows[row]);
        let mut counts = [1.0, 1.0];
        for (_, outcome) in data.outcomes().enumerate().filter(|&(row, _)| taking_part(row)) {
            counts[usize::from(outcome == drawish_core::Outcome::Draw)] += 1.0;
        }
        weights[spec.win_weights()] = if kernel == Kernel::RaoKupper { 0.0 } else { f64::ln(counts[1] / counts[0]) };
    }
    if kernel.fits_kappa() {
        weights.push(1.0);
    }
    weights
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use drawish_core::Outcome;
    use drawish_stats::numeric::newton;

    use super::*;
    use crate::rows::{RowSet, RowSource, Rows as Sampled, RowsProvenance, Wanted};
    use drawish_heads::features;

    const ONE: NonZero<usize> = NonZero::<usize>::MIN;

    fn spec(win: &[&str], draw: &[&str]) -> Spec {
        let terms = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a term")).collect();
        Spec { win: terms(win), draw: terms(draw), constant: true }
    }

    /// Games whose results follow the draw model: w = 0.05 pawn_mg, v = 0.4 - 0.3 rams + bands of npm, kappa = 1.5; thirty
    /// games in each of many events.
    fn games(count: usize) -> Sampled {
        let mut state = 2024_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut rows = Sampled::new();
        let place = |name: &str| features::place(name).expect("a feature");
        for row in 0..count {
            let (pawn, rams, npm) =
                ((uniform() * 81.0) as i16 - 40, (uniform() * 5.0) as i16, (uniform() * 40.0) as i16);
            let w = 0.05 * f64::from(pawn);
            let v = 0.4 - 0.3 * f64::from(rams) + if npm >= 20 { 0.5 } else { -0.5 };
            let p = Kernel::WinDrawLoss { kappa: Some(1.5) }.predict(w, v, 0.0).win_draw_loss().expect("all three");
            let drawn = uniform();
            rows.outcomes.push(match drawn {
                x if x < p.draw => Outcome::Draw,
                x if x < p.draw + p.win => Outcome::WhiteWin,
                _ => Outcome::BlackWin,
            });
            for column in &mut rows.features {
                column.push(0);
            }
            rows.features[place("pawn_mg")][row] = pawn;
            rows.features[place("rams")][row] = rams;
            rows.features[place("npm")][row] = npm;
            rows.games.push(row as u64);
            rows.skeletons.push(row as u64 / 3);
            rows.events.push(format!("event {}", row / 30).into());
            rows.evals.push(None);
            rows.white_elos.push(None);
            rows.black_elos.push(None);
            rows.plies.push(98);
            rows.cells.iter_mut().for_each(|cells| cells.push(row as u32 % 7));
        }
        rows
    }

    fn data(rows: &Sampled, spec: &Spec) -> Data {
        Data::of([rows], spec, Some(drawish_core::Scheme::BgSym))
    }

    /// Games that stand in two events, but for their last moves, say no more than once: what one of the two is wrong by, so is the other.
    #[test]
    fn games_that_begin_alike_in_two_events_say_no_more_than_once() {
        let spec = spec(&["pawn_mg"], &["rams", "npm @ 20"]);
        let kernel = Kernel::WinDrawLoss { kappa: Some(1.5) };
        let rows = games(6_000);
        let mut copies = games(6_000);
        copies.games.iter_mut().for_each(|game| *game += 6_000);
        copies.events.iter_mut().for_each(|event| *event = format!("{event}, again").into());
        copies.lines = (0..6_000).collect();
        let errors = |all: &[&Sampled]| {
            let data = Data::of(all.iter().copied(), &spec, Some(drawish_core::Scheme::BgSym));
            let fitted = fit(&data, None, &spec, kernel, Priors::default(), None, ONE);
            (data.events(), standard_errors(&data, None, &fitted, Priors::default(), ONE).expect("events"))
        };
        let (once, twice) = (errors(&[&rows]), errors(&[&rows, &copies]));
        let mut reversed = errors(&[&copies, &rows]);
        assert_eq!((once.0, twice.0, reversed.0), (200, 400, 400));
        for ((once, twice), reversed) in once.1.iter().zip(&twice.1).zip(&mut reversed.1) {
            assert!((0.9..1.2).contains(&(twice / once)), "{once} {twice}");
            assert!((*reversed / twice - 1.0).abs() < 1e-6, "{reversed} {twice}");
        }
        // Copies whose lines are not known are others.
        copies.lines = (6_000..12_000).collect();
        let others = errors(&[&rows, &copies]);
        assert!(once.1.iter().zip(&others.1).all(|(once, others)| *others < 0.85 * once), "{once:?} {others:?}");
    }

    #[test]
    fn known_weights_are_found_within_their_errors() {
        let spec = spec(&["pawn_mg"], &["rams", "npm @ 20"]);
        let data = data(&games(30_000), &spec);
        let kernel = Kernel::WinDrawLoss { kappa: None };
        let fitted = fit(&data, None, &spec, kernel, Priors::default(), None, ONE);
        let errors = standard_errors(&data, None, &fitted, Priors::default(), ONE).expect("events");
        assert!(fitted.converged && fitted.idle.is_empty());
        let [pawn, constant, rams, low, high, kappa] = fitted.weights[..] else { panic!("{:?}", fitted.weights) };
        // The constant and the two bands are known by their sums only; the prior shares them out.
        for (found, truth, error) in [
            (pawn, 0.05, errors[0]),
            (rams, -0.3, errors[2]),
            (high - low, 1.0, 2.0 * errors[3]),
            (constant + low, -0.1, 2.0 * errors[1]),
            (kappa, 1.5, errors[5]),
        ] {
            assert!(error > 0.0 && (found - truth).abs() < 3.5 * error, "{found} {truth} {error}");
        }
        assert!(errors[0] < 0.002 && errors[5] < 0.2, "{errors:?}");
    }

    /// Fits that follow the results of few events have no errors: those by the formula would be several times too small.
    #[test]
    fn no_errors_where_the_rows_decide_too_many_weights() {
        let kernel = Kernel::WinDrawLoss { kappa: None };
        let spec = spec(&["pawn_mg"], &["rams", "npm @ 5,10,15,20,25,30,35", "npm @ 8,16,24,32 * rams @ 1,2,3"]);
        let loose = Priors { bands: 3.0, pairs: 3.0, ..Priors::default() };
        let of = |count: usize, priors| {
            let data = data(&games(count), &spec);
            let fitted = fit(&data, None, &spec, kernel, priors, None, ONE);
            standard_errors(&data, None, &fitted, priors, ONE)
        };
        // 12 events and 200.
        assert_eq!(of(360, loose), None);
        assert!(of(6_000, loose).is_some_and(|errors| errors.iter().all(|&error| error > 0.0)));
        // Priors that hold the weights back leave few for the rows to decide.
        let strict = Priors { linear: 0.01, largest: 0.01, bands: 0.01, pairs: 0.01 };
        assert!(of(360, strict).is_some());
    }

    /// Where one event has most rows, the others say too little of how much events differ; and errors are no smaller for an event that is
    /// cut into many than they would be by leaving out one after the other.
    #[test]
    fn errors_know_of_large_events() {
        let kernel = Kernel::WinDrawLoss { kappa: None };
        let spec = spec(&["pawn_mg"], &["rams"]);
        let with = |large: usize| {
            let mut rows = games(3_000);
            let first = rows.events[0].clone();
            rows.events[..large].fill(first);
            let data = data(&rows, &spec);
            let fitted = fit(&data, None, &spec, kernel, Priors::default(), None, ONE);
            (standard_errors(&data, None, &fitted, Priors::default(), ONE), data, fitted)
        };
        let (none, data, _) = with(1_500);
        assert_eq!(none, None);
        let said: Vec<String> = remark::of_rows(&data, 3, false).iter().map(ToString::to_string).collect();
        assert!(
            said[0].starts_with("51 events, of which the largest have most of the rows, so that they are worth 3.9"),
            "{said:?}"
        );
        let (errors, data, fitted) = with(900);
        let errors = errors.expect("worth more than five");
        // By leaving out each event.
        let without: Vec<Vec<f64>> = (0..data.events() as u32)
            .map(|event| {
                let rows: Vec<bool> = data.clusters().map(|of| of != event).collect();
                fit(&data, Some(&rows), &spec, kernel, Priors::default(), None, ONE).weights
            })
            .collect();
        let count = without.len() as f64;
        for (place, error) in errors.into_iter().enumerate() {
            let squares: f64 = without.iter().map(|of| (of[place] - fitted.weights[place]).powi(2)).sum();
            let jackknife = ((count - 1.0) / count * squares).sqrt();
            assert!((error / jackknife - 1.0).abs() < 0.1, "{place}: {error} {jackknife}");
        }
    }

    /// What is left of errors where all events agree is rounding, which the reader of heads takes for no error.
    #[test]
    fn errors_that_are_rounding_are_none() {
        let spec = spec(&["pawn_mg"], &["rams"]);
        let data = data(&games(600), &spec);
        let fitted = fit(&data, None, &spec, Kernel::WinDrawLoss { kappa: None }, Priors::default(), None, ONE);
        let head = |error| head(&fitted, Some(&vec![error; fitted.weights.len()]));
        let errors = |head: &Head| [head.win[0].errors[0], head.score[0].errors[0]];
        assert_eq!((errors(&head(1.5e-10)), errors(&head(0.01))), ([0.0; 2], [0.01; 2]));
        assert_eq!([head(f64::NAN).constant_error, head(0.02).constant_error], [Some(0.0), Some(0.02)]);
    }

    /// A kappa that is held at 0 is not known to be that: what was found with it has the error that it has beside a free one.
    #[test]
    fn a_held_kappa_leaves_errors_as_they_are() {
        let spec = spec(&["pawn_mg"], &["rams"]);
        let mut rows = games(3_000);
        // More draws where somebody is ahead.
        let place = features::place("pawn_mg").expect("a feature");
        for row in 0..3_000 {
            if rows.features[place][row].abs() > 30 && row % 2 == 0 {
                rows.outcomes[row] = Outcome::Draw;
            }
        }
        let data = data(&rows, &spec);
        let of = |kappa| {
            let kernel = Kernel::WinDrawLoss { kappa };
            let fitted = fit(&data, None, &spec, kernel, Priors::default(), None, ONE);
            let errors = standard_errors(&data, None, &fitted, Priors::default(), ONE).expect("events");
            (fitted, errors)
        };
        let (held, errors) = of(None);
        let (given, of_given) = of(Some(0.0));
        assert!(held.is_kappa_held && !given.is_kappa_held && held.weights == given.weights);
        assert_eq!(errors.len(), 3);
        assert!(errors[1] > 1.2 * of_given[1], "{errors:?} {of_given:?}");
    }

    /// A weight of nine events has no error, whatever the others have.
    #[test]
    fn what_few_events_have_is_without_an_error() {
        let spec = spec(&["pawn_mg"], &["rams", "pawns"]);
        let place = features::place("pawns").expect("a feature");
        for (rare, is_known) in [(FEWEST_EVENTS - 1, false), (FEWEST_EVENTS, true)] {
            let mut rows = games(6_000);
            (0..rare).for_each(|event| rows.features[place][30 * event + 3] = 5);
            let data = data(&rows, &spec);
            let fitted = fit(&data, None, &spec, Kernel::WinDrawLoss { kappa: None }, Priors::default(), None, ONE);
            let errors = standard_errors(&data, None, &fitted, Priors::default(), ONE).expect("events");
            let known: Vec<bool> = errors.iter().map(|&error| error > 0.0).collect();
            assert_eq!(known, [true, true, true, is_known, true], "{rare}: {errors:?}");
        }
    }

    #[test]
    fn methods_and_threads_agree() {
        let spec = spec(&["pawn_mg"], &["rams", "npm @ 10,20,30"]);
        let data = data(&games(20_000), &spec);
        for kernel in [Kernel::WinDrawLoss { kappa: None }, Kernel::Draw, Kernel::Gain] {
            let by_newton = fit(&data, None, &spec, kernel, Priors::default(), None, ONE);
            let two = NonZero::new(2).expect("two");
            assert_eq!(fit(&data, None, &spec, kernel, Priors::default(), None, two).weights, by_newton.weights);
            let precision = Moments::of(&data, None, &spec).precisions(&spec, kernel, Priors::default());
            let objective = Objective { data: &data, rows: None, kernel, precision, threads: ONE };
            let scales = Moments::of(&data, None, &spec).scales();
            let inverse = |right: &[f64]| right.iter().zip(&scales).map(|(r, s)| 4.0 * r * s * s / 20_000.0).collect();
            let start = first_guess(&spec, kernel, &data, None);
            let by_lbfgs = lbfgs(start, LBFGS_PRECISION, &inverse, |at| objective.slopes(at));
            let there = objective.sums(&by_newton.weights, false).loss;
            assert!((by_lbfgs.value - there).abs() < 1e-6 * there, "{kernel:?}: {} {there}", by_lbfgs.value);
            // From near by, on half of the rows, as from far.
            let half: Vec<bool> = (0..data.len()).map(|row| row % 2 == 0).collect();
            let near = Near::new(&data, &spec, kernel, Priors::default(), ONE).expect("near");
            let from_near = fit(&data, Some(&half), &spec, kernel, Priors::default(), Some(&near), ONE);
            let from_far = fit(&data, Some(&half), &spec, kernel, Priors::default(), None, ONE);
            assert!((from_near.loss - from_far.loss).abs() < 1e-7, "{kernel:?}: {} {}", from_near.loss, from_far.loss);
        }
    }

    /// Newton's method alone creeps on some of these.
    #[test]
    fn fits_of_few_rows_converge() {
        let spec = spec(&["pawn_mg", "npm_diff"], &["rams", "pawns", "npm @ 10,20,30", "npm @ 5,15 * rams @ 1,3"]);
        let mut crept = 0;
        for count in [30, 60, 100, 200, 400] {
            let data = data(&games(count), &spec);
            for kernel in [Kernel::WinDrawLoss { kappa: None }, Kernel::Gain] {
                for linear in [0.02, 0.5, 10.0] {
                    let priors = Priors { linear, ..Priors::default() };
                    let fitted = fit(&data, None, &spec, kernel, priors, None, ONE);
                    assert!(fitted.converged, "{count} {kernel:?} {linear}");
                    crept += usize::from(fitted.steps > 200);
                }
            }
        }
        assert!(crept > 0);
    }

    /// Few rows, and weights that are held back, do not tell kappa from the constant; many rows are not moved by its prior.
    #[test]
    fn the_prior_of_kappa_speaks_where_rows_do_not() {
        let kernel = Kernel::WinDrawLoss { kappa: None };
        let spec = spec(&["pawn_mg", "npm_diff"], &["rams", "pawns"]);
        for count in [30, 60, 100, 200, 400] {
            let data = data(&games(count), &spec);
            for linear in [0.001, 0.02, 0.1, 0.5] {
                let priors = Priors { linear, ..Priors::default() };
                let fitted = fit(&data, None, &spec, kernel, priors, None, ONE);
                let kappa = fitted.kappa().expect("a kappa");
                assert!(fitted.converged && (0.0..5.0).contains(&kappa), "{count} rows, prior {linear}: {kappa}");
            }
        }
        let data = data(&games(20_000), &spec);
        let priors = Priors::default();
        let fitted = fit(&data, None, &spec, kernel, priors, None, ONE);
        let mut precision = Moments::of(&data, None, &spec).precisions(&spec, kernel, priors);
        *precision.last_mut().expect("kappa") = 1e-9;
        let objective = Objective { data: &data, rows: None, kernel, precision, threads: ONE };
        let free = newton(fitted.weights.clone(), PRECISION, |at| objective.derivatives(at)).at;
        let errors = standard_errors(&data, None, &fitted, priors, ONE).expect("events");
        let (last, error) = (free.len() - 1, errors[errors.len() - 1]);
        assert!((free[last] - fitted.weights[last]).abs() < 0.05 * error, "{} {}", free[last], fitted.weights[last]);
        assert!((mean_loss(&data, None, kernel, &free, ONE) - fitted.loss).abs() < 1e-6);
    }

    #[test]
    fn held_out_rows_share_nothing_with_those_of_the_fit() {
        let rows = games(3000);
        let spec = spec(&["pawn_mg"], &["rams"]);
        let contenders = [
            Contender { name: "constant".into(), how: How::Constant, over: None },
            Contender {
                name: "model".into(),
                how: How::Model(spec.clone(), Kernel::WinDrawLoss { kappa: None }),
                over: None,
            },
            // What knows nothing but the number of the row gains nothing.
            Contender { name: "noise".into(), how: How::Residual(1, Shift::DrawScore), over: Some(1) },
        ];
        let plan = Plan { folds: 3, priors: Priors::default(), threads: ONE };
        let heard = std::sync::Mutex::new(Vec::new());
        let evaluation = evaluate(&rows, &contenders, plan, &|done, of| heard.lock().expect("a list").push((done, of)));
        let all = 9;
        assert_eq!(heard.into_inner().expect("a list"), (0..=all).map(|done| (done, all)).collect::<Vec<_>>());
        let gain = |place: usize| evaluation.verdicts[place].qualities[0].gain.millibits;
        assert!(gain(0) == 0.0 && gain(1) > 10.0, "{}", gain(1));
        let noise = evaluation.verdicts[2].qualities[0].over.expect("a gain").millibits;
        assert!(noise < 1.0, "{noise}");
    }

    /// Rows that are read as a file of them is.
    struct InMemory(Sampled, RowsProvenance);

    impl RowSource for InMemory {
        type Error = std::convert::Infallible;

        fn name(&self) -> String {
            "rows".to_owned()
        }

        fn provenance(&self) -> &RowsProvenance {
            &self.1
        }

        fn read(&self, _: &Wanted, take: &mut dyn FnMut(Cow<'_, Sampled>)) -> Result<(), Self::Error> {
            take(Cow::Borrowed(&self.0));
            Ok(())
        }
    }

    fn set(rows: Sampled) -> RowSet<InMemory> {
        let provenance = RowsProvenance {
            version: crate::rows::VERSION,
            made_by: String::new(),
            rule: String::new(),
            inputs: Vec::new(),
        };
        RowSet::new([InMemory(rows, provenance)]).expect("one source")
    }

    /// What was not measured is no measured 0: rows without an evaluation or a rating change nothing in what reads these.
    #[test]
    fn rows_without_what_a_term_reads_are_left_out() {
        let mut all = games(600);
        for row in (0..600).step_by(2) {
            all.evals[row] = Some(row as i32 % 300 - 150);
            all.white_elos[row] = Some(2000 + row as u16);
            all.black_elos[row] = Some(2300);
        }
        let half = {
            let measured: Vec<bool> = (0..600).map(|row| row % 2 == 0).collect();
            let mut half = all.clone();
            half.retain(&measured);
            set(half)
        };
        let mut none = all.clone();
        none.evals.fill(None);
        let (all, none) = (set(all), set(none));
        let terms = |text: &str| vec![text.parse().expect("a term")];
        let tune = |rows, draw: &str, ratings| {
            let gain = terms("rams");
            Tune::new(rows).draw_terms(terms(draw)).gain_terms(gain).ratings(ratings).threads(ONE).run()
        };
        for (draw, ratings) in [("eval_size", false), ("rams", true), ("eval_size", true)] {
            let (found, expected) =
                (tune(&all, draw, ratings).expect("heads"), tune(&half, draw, ratings).expect("heads"));
            assert_eq!((&found.heads.draw, found.heads.rows), (&expected.heads.draw, 300), "{draw}, {ratings}");
            let said: Vec<_> = found.remarks.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|line| line.starts_with("300 of 600 rows left out: without ")), "{said:?}");
            assert!(expected.remarks.iter().all(|remark| !matches!(remark, Remark::Unmeasured { .. })));
        }
        let refused = tune(&none, "eval_size", false).expect_err("no evaluation").to_string();
        assert!(refused.starts_with("none of 600 rows has an evaluation, which a term reads"), "{refused}");
        // Given heads judge what they can.
        let heads = tune(&half, "eval_size", false).expect("heads").heads;
        let judged = |rows| Compare::new(rows).heads(&heads).threads(ONE).run();
        let found = judged(&all).expect("a table");
        // All but what is said of the rows that were left out.
        let figures = |of: &Compared| Evaluation { warnings: Vec::new(), ..of.tables[0].1.clone() };
        assert_eq!(figures(&found), figures(&judged(&half).expect("a table")));
        assert!(
            found.tables[0].1.warnings[0].starts_with("300 of 600 rows left out: without "),
            "{:?}",
            found.tables[0].1
        );
        assert_eq!(
            (
                found.tables[0].1.rows,
                found
                    .remarks
                    .iter()
                    .filter(|remark| matches!(remark, Remark::Unmeasured { rows: 300, of: 600, .. }))
                    .count()
            ),
            (300, 1)
        );
        assert!(judged(&none).is_err());
    }

    /// Where nearly all rows are rated, a model with ratings takes part, and the others are left out for all models.
    #[test]
    fn the_few_unrated_rows_are_left_out() {
        let mut rows = games(300);
        for row in (0..300).filter(|row| row % 20 > 0) {
            (rows.white_elos[row], rows.black_elos[row]) = (Some(2000), Some(2300));
        }
        let found = Compare::new(&set(rows)).folds(2).threads(ONE).run().expect("a table");
        assert_eq!(found.tables[0].1.rows, 285);
        assert!(found.remarks.iter().any(|remark| matches!(remark, Remark::Unmeasured { rows: 15, of: 300, .. })));
    }
}
