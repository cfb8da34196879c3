//! All that can be said of the results of a match, and all that can be planned before it.

use thiserror::Error;

use super::enough::NoFigure;
use super::equivalence::Equivalence;
use super::plan::{PlanError, Prospect, Spread};
use super::pool::Pool;
use super::results::{MixedResults, Results};
use super::sequential::SequentialEstimate;
use super::sprt::{Decision, Model, Sprt, SprtError};
use crate::Strength;

/// What the results of a match mean: Elo, and with a test also its decision and Elo corrected for the stop.
///
/// ```
/// use drawish_stats::{Analysis, Decision, Model, Pentanomial, Results, Sprt};
///
/// let runs = [Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 })];
/// let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?;
/// let found = Analysis::of(&runs, Some(sprt), Some(3.0))?;
/// assert!(found.test.is_some_and(|test| test.decision == Decision::H1));
/// assert!(found.equivalence.is_some_and(|test| test.p() > 0.05), "the difference is larger than 3 Elo");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// Runs that were added.
    pub runs: usize,
    /// Their sum. Who knows of results in it that are the same games twice judges by fewer, see [`pool`](Self::pool).
    pub results: Results,
    /// The sum by which all is judged, and whether the runs fit together.
    pub pool: Pool,
    /// Elo and its relatives, had the number of games been fixed.
    pub strength: Strength,
    /// The test, if there is one.
    pub test: Option<Tested>,
    /// Whether the difference is smaller than a margin, if that was asked.
    pub equivalence: Option<Equivalence>,
}

/// What a sequential test says of results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tested {
    /// The test.
    pub sprt: Sprt,
    /// Its log-likelihood ratio.
    pub llr: f64,
    /// What it decides.
    pub decision: Decision,
    /// Elo corrected for the stop, or why there is none.
    pub estimate: Result<SequentialEstimate, NoFigure>,
    /// Pairs that were played after the one that decided the test, where their order is known; the test does not look at them.
    pub later: u64,
}

/// Of one pair in so many a match may be at work when its test is decided.
const AFTER_STOP: u64 = 4;
/// So many times the pairs that decided a test, played behind them, leave little of the decision in Elo.
const BEHIND_DECISION: u64 = 3;

impl Tested {
    /// Whether it is decided at the end of a match of so many pairs, which it may thus have stopped: one that went on was stopped by something
    /// else, and so was one whose results are far beyond a bound.
    #[must_use]
    pub fn is_at_end(&self, pairs: u64) -> bool {
        self.may_have_stopped() && AFTER_STOP * self.later <= pairs
    }

    /// Whether it is decided so near the end of a match of so many pairs that the Elo of all of them, as if their number had been fixed, is too far
    /// from 0. Where as many to twice as many pairs stood behind the decision, intervals of 95 % held in 90 to 95 %.
    #[must_use]
    pub fn is_near_end(&self, pairs: u64) -> bool {
        self.may_have_stopped() && self.later <= BEHIND_DECISION * pairs.saturating_sub(self.later)
    }

    fn may_have_stopped(&self) -> bool {
        self.decision != Decision::Continue && self.estimate != Err(NoFigure::FarBeyond)
    }
}

/// Why results cannot be analysed, or a match not planned.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum AnalysisError {
    #[error("there are no results")]
    NoResults,
    #[error("{0} is not a margin: expected a number of Elo above 0 and below 1000")]
    Margin(f64),
    #[error("{0} Elo is beyond what can be planned for: expected a difference between -1000 and 1000")]
    Difference(f64),
    #[error(
        "a sequential test is of two engines: pairs against several opponents share their openings and are not independent; choose \
         one opponent, or leave out the test"
    )]
    Dependent,
    #[error(transparent)]
    Kinds(#[from] MixedResults),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Elo that no difference reaches.
const BEYOND: f64 = 1000.0;

fn checked(margin: Option<f64>) -> Result<Option<f64>, AnalysisError> {
    match margin {
        Some(margin) if !(margin > 0.0 && margin < BEYOND) => Err(AnalysisError::Margin(margin)),
        margin => Ok(margin),
    }
}

impl Analysis {
    /// Adds the runs and judges their sum, by a test if there is one; with a margin in Elo, also whether the difference is smaller
    /// than it. Where a test stopped several runs is not known, so their sum has no Elo corrected for the stop.
    ///
    /// # Errors
    ///
    /// If there are no runs, if some count pairs and others games, if the test is not made for them, or if the margin is not above
    /// 0 and below 1000.
    pub fn of(runs: &[Results], sprt: Option<Sprt>, margin: Option<f64>) -> Result<Analysis, AnalysisError> {
        Analysis::of_dependent(runs, 1.0, sprt, margin)
    }

    /// The same from results of which so many, above 0, are worth an independent one, see
    /// [`design_effect`](super::design_effect()). Whether runs fit together is known of independent results only.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of), or if results that depend on each other are to be judged by a sequential test.
    pub fn of_dependent(
        runs: &[Results],
        design_effect: f64,
        sprt: Option<Sprt>,
        margin: Option<f64>,
    ) -> Result<Analysis, AnalysisError> {
        let mut pool = Pool::of(runs)?.ok_or(AnalysisError::NoResults)?;
        let margin = checked(margin)?;
        if design_effect != 1.0 {
            (pool.same_match, pool.too_short) = (None, 0);
            if sprt.is_some() {
                return Err(AnalysisError::Dependent);
            }
        }
        let results = &pool.results;
        let mut test = sprt.map(|sprt| Tested::of(results, sprt)).transpose()?;
        // Runs that have not begun stopped nothing.
        if runs.iter().filter(|run| run.games() > 0).count() > 1
            && let Some(test) = &mut test
        {
            test.estimate = test.estimate.and(Err(NoFigure::OrderUnknown));
        }
        Ok(Analysis {
            runs: runs.len(),
            results: *results,
            strength: Strength::of_dependent(results, design_effect),
            test,
            equivalence: margin.map(|margin| Equivalence::of_dependent(results, design_effect, margin)),
            pool,
        })
    }
}

impl Tested {
    /// What a test says of results whose order is not known: of all of them.
    ///
    /// # Errors
    ///
    /// If the test is not made for such results.
    pub fn of(results: &Results, sprt: Sprt) -> Result<Tested, SprtError> {
        Tested::ended(results, sprt, sprt.decide(sprt.llr(results)?))
    }

    /// The same if their runner has ended the test with this decision, whatever their ratio.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn ended(results: &Results, sprt: Sprt, decision: Decision) -> Result<Tested, SprtError> {
        let (llr, estimate) = (sprt.llr(results)?, sprt.estimate_of_stop(results, decision)?);
        Ok(Tested { sprt, llr, decision, estimate, later: 0 })
    }
}

/// What a match will take: how likely a test is to accept H1, and after how many games, for some true differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// The test.
    pub sprt: Sprt,
    /// The hypotheses in logistic Elo.
    pub logistic: [f64; 2],
    /// The hypotheses in normalized Elo.
    pub normalized: [f64; 2],
    /// How much the score of a game varies.
    pub spread: Spread,
    /// What is to be expected for each true difference.
    pub prospects: Vec<Prospect>,
    /// Half the width of the test in Elo, and the games after which a 95 % interval is as narrow as the test is wide.
    pub fixed: (f64, f64),
    /// A margin in Elo, and the games that show equivalence within it with probability [`POWER`](Self::POWER), if there is no
    /// difference.
    pub equivalence: Option<(f64, f64)>,
}

impl Forecast {
    /// Chance to show equivalence for which its number of games is planned.
    pub const POWER: f64 = 0.9;
    /// Level at which equivalence is to be shown.
    const LEVEL: f64 = 0.05;

    /// Plans a test for true differences in logistic Elo; without any, for some from half a width below its bounds to a width
    /// above them. With a margin in Elo, also a test of equivalence.
    ///
    /// # Errors
    ///
    /// If the model of the test is bayesian, or a difference or the margin is not possible.
    pub fn of(sprt: Sprt, spread: Spread, truths: &[f64], margin: Option<f64>) -> Result<Forecast, AnalysisError> {
        let [elo0, elo1] = sprt.logistic_bounds(spread)?;
        let around = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0].map(|part| elo0 + part * (elo1 - elo0));
        let truths = if truths.is_empty() { &around[..] } else { truths };
        if let Some(&elo) = truths.iter().find(|elo| elo.is_nan() || elo.abs() >= BEYOND) {
            return Err(AnalysisError::Difference(elo));
        }
        let half = (elo1 - elo0) / 2.0;
        let shown = |margin| (margin, spread.games_for_equivalence(margin, Self::LEVEL, Self::POWER));
        Ok(Forecast {
            sprt,
            logistic: [elo0, elo1],
            normalized: match sprt.model() {
                Model::Normalized => sprt.bounds(),
                Model::Logistic | Model::Bayesian => [elo0, elo1].map(|elo| spread.nelo_of_elo(elo)),
            },
            spread,
            prospects: truths.iter().map(|&elo| sprt.prospect(spread, elo)).collect::<Result<_, _>>()?,
            fixed: (half, spread.games_for_error(half)),
            equivalence: checked(margin)?.map(shown),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Pentanomial, Trinomial};

    /// Each of them may have been stopped by itself, so that the stop of their sum is not known.
    #[test]
    fn the_sum_of_runs_has_no_elo_corrected_for_the_stop() {
        let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let run = |[ll, ld, wl_dd, wd, ww]: [u64; 5]| Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww });
        let tested = |runs: &[Results]| {
            let found = Analysis::of(runs, Some(sprt), None).expect("an analysis");
            found.test.expect("a test")
        };
        let (one, none) = (run([50, 287, 610, 387, 73]), run([0; 5]));
        assert!(tested(&[one]).estimate.is_ok());
        assert_eq!(tested(&[one, none]), tested(&[one]));
        let halves = [run([25, 140, 305, 200, 36]), run([25, 147, 305, 187, 37])];
        let both = tested(&halves);
        assert_eq!((both.llr, both.decision), (tested(&[one]).llr, Decision::H1));
        assert_eq!(both.estimate, Err(NoFigure::OrderUnknown));
    }

    fn games(losses: u64, draws: u64, wins: u64) -> Results {
        Results::Games(Trinomial { losses, draws, wins })
    }

    #[test]
    fn margins_lie_between_nothing_and_a_thousand_elo() {
        let results = [games(10, 80, 10)];
        for margin in [0.0, -1.0, 1000.0, 2000.0] {
            assert_eq!(Analysis::of(&results, None, Some(margin)), Err(AnalysisError::Margin(margin)));
        }
        assert!(matches!(Analysis::of(&results, None, Some(f64::NAN)), Err(AnalysisError::Margin(_))));
        for margin in [0.1, 999.0] {
            let found =
                Analysis::of(&results, None, Some(margin)).expect("a margin").equivalence.expect("it was asked");
            assert_eq!(found.margin, margin);
        }
        assert_eq!(Analysis::of(&results, None, None).map(|found| found.equivalence), Ok(None));
        assert_eq!(Analysis::of(&[], None, None), Err(AnalysisError::NoResults));
    }

    /// Results that depend on each other are judged by no sequential test, and nobody says whether they are of one match.
    #[test]
    fn dependent_results_have_fewer_figures() {
        let runs = [games(10, 80, 12), games(12, 70, 9)];
        let sprt = Sprt::new(Model::Logistic, 0.0, 4.0, 0.05, 0.05).expect("bounds");
        let alone = Analysis::of_dependent(&runs, 1.0, Some(sprt), None).expect("independent results");
        assert!(alone.runs == 2 && alone.pool.same_match.is_some() && alone.test.is_some_and(|test| test.later == 0));
        assert_eq!(Analysis::of_dependent(&runs, 1.5, Some(sprt), None), Err(AnalysisError::Dependent));
        let found = Analysis::of_dependent(&runs, 1.5, None, None).expect("no test");
        assert_eq!(found.pool.same_match, None);
        assert!(found.strength.elo_error > alone.strength.elo_error);
    }

    /// Games without draws have the variance 1/4, so that all figures can be had by hand.
    #[test]
    fn a_forecast_by_hand() {
        let sprt = Sprt::new(Model::Logistic, 0.0, 4.0, 0.05, 0.05).expect("bounds");
        let spread = Spread::of_draws(0.0, 0.0).expect("a variance");
        let found = Forecast::of(sprt, spread, &[], Some(10.0)).expect("a plan");
        let elos: Vec<f64> = found.prospects.iter().map(|prospect| prospect.elo).collect();
        let wanted = [-2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0];
        assert!(
            elos.len() == 8 && elos.iter().zip(wanted).all(|(elo, wanted)| (elo - wanted).abs() < 1e-9),
            "{elos:?}"
        );
        // Bounds that do not begin at 0: each end is a bound.
        let off = Sprt::new(Model::Logistic, 2.0, 6.0, 0.05, 0.05).expect("bounds");
        let of = Forecast::of(off, spread, &[], None).expect("a plan");
        assert!(
            (of.prospects[1].elo - 2.0).abs() < 1e-9
                && (of.prospects[5].elo - 6.0).abs() < 1e-9
                && of.equivalence.is_none()
        );
        assert!((of.fixed.0 - 2.0).abs() < 1e-9);
        // (1.96 * 1/2 / (L(2) - 1/2))^2 and (2 * 1.645 * 1/2 / (L(10) - 1/2))^2, L(x) = 1 / (1 + 10^(-x / 400)).
        assert!((found.fixed.1 - 115_929.6).abs() < 1.0, "{:?}", found.fixed);
        let (margin, games) = found.equivalence.expect("it was asked");
        // What was not seen takes up to 1 % more.
        assert!(margin == 10.0 && (13_070.8..1.01 * 13_070.8).contains(&games), "{games}");
        assert!((found.normalized[1] - 4.0).abs() < 0.01 && found.logistic.map(f64::round) == [0.0, 4.0]);
        for elo in [1000.0, -1000.0, f64::NAN] {
            assert!(matches!(Forecast::of(sprt, spread, &[elo], None), Err(AnalysisError::Difference(_))), "{elo}");
        }
        assert_eq!(Forecast::of(sprt, spread, &[1.0], Some(0.0)), Err(AnalysisError::Margin(0.0)));
    }
}
