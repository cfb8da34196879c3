//! Statistics of chess matches: Elo with honest intervals, SPRT, equivalence, planning, proper scores, and the formulas of
//! draw models.
//!
//! No engine, no files: counts go in, figures come out. Every figure is finite for any counts, also
//! for none and for 100 %; what is not defined is an [`Option`], and [`NoFigure`] says why. Formulas and sources stand at each item. They agree with
//! fishtest to 1e-6 where both compute the same.
//!
//! # How strong is my engine?
//!
//! Give wins, draws and losses if games are independent, or a [`Pentanomial`] if each opening was played with both colours.
//! Pairs are the better measure: unbalanced openings then cancel out instead of adding noise.
//!
//! ```
//! use drawish_stats::{Pentanomial, Results, Strength, Trinomial};
//!
//! let games = Results::Games(Trinomial { wins: 780, draws: 1400, losses: 634 });
//! let strength = Strength::of(&games);
//! let error = strength.elo_error.expect("games enough");
//! assert_eq!(format!("{:.1} +- {error:.1} Elo", strength.elo), "18.0 +- 9.1 Elo");
//! assert!(strength.los.is_some_and(|los| los > 0.999)); // likelihood of superiority
//!
//! // The same match by pairs: lost both, lost one and drew one, ... won both.
//! let pairs = Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 });
//! let strength = Strength::of(&pairs);
//! let error = strength.elo_error.expect("pairs enough");
//! assert_eq!(format!("{:.1} +- {error:.1} Elo", strength.elo), "18.0 +- 8.2 Elo");
//!
//! // One pair says nothing of its error, and does not prove anything.
//! let strength = Strength::of(&Results::Pairs(Pentanomial { ww: 1, ..Pentanomial::default() }));
//! assert_eq!((strength.elo_error, strength.los), (None, Some(0.75)));
//! assert_eq!(strength.not_yet.expect("a reason").to_string(), "one pair does not say how much pairs vary");
//! ```
//!
//! # May I stop testing? (SPRT)
//!
//! ```
//! use drawish_stats::{Decision, Model, Pentanomial, Results, Sprt};
//!
//! // H0: 0 nElo, H1: 5 nElo, errors of 5 % each.
//! let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?;
//! let pairs = Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 });
//! let llr = sprt.llr(&pairs)?;
//! assert_eq!((format!("{llr:.2}"), sprt.decide(llr)), ("2.97".to_owned(), Decision::H1));
//!
//! // A match is stopped when it looks best, so its Elo is too good. The estimate that knows of the stop:
//! let estimate = sprt.estimate(&pairs)?.expect("the test stopped here");
//! assert!(0.0 < estimate.low && estimate.elo < 18.0 && 18.0 < estimate.high);
//! # Ok::<(), drawish_stats::SprtError>(())
//! ```
//!
//! # Is there no difference?
//!
//! A difference that is not significant may still be there. [`Equivalence`] shows that it is smaller than a margin.
//!
//! ```
//! use drawish_stats::{Equivalence, Pentanomial, Results};
//!
//! let pairs = Results::Pairs(Pentanomial { ll: 375, ld: 1500, wl_dd: 3825, wd: 1500, ww: 375 });
//! assert!(Equivalence::of(&pairs, 3.0).p() < 0.05); // within 3 Elo
//! assert!(Equivalence::of(&pairs, 2.0).p() > 0.05); // not shown to be within 2
//! ```
//!
//! # How many games will it take?
//!
//! ```
//! use drawish_stats::{Model, Spread, Sprt};
//!
//! // 60 % draws, openings that give a colour 80 Elo.
//! let spread = Spread::of_draws(0.6, 80.0)?;
//! let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?;
//! let prospect = sprt.prospect(spread, 2.0)?; // if the truth is 2 Elo
//! assert!(prospect.pass > 0.5 && (10_000.0..60_000.0).contains(&prospect.games));
//! assert!(spread.games_for_error(2.0) > 20_000.0); // for +- 2 Elo from a fixed number of games
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How good are my probabilities?
//!
//! ```
//! use drawish_stats::{calibration, clustered_mean, log_loss};
//!
//! let forecasts = [0.2, 0.8, 0.6, 0.3, 0.9, 0.4];
//! let drawn = [false, true, true, false, true, true];
//! let games = [0, 0, 1, 1, 2, 2]; // positions of one game share its result
//! let losses: Vec<f64> = forecasts.iter().zip(drawn).map(|(&p, drawn)| log_loss(p, drawn)).collect();
//! let mean = clustered_mean(&losses, &games).expect("forecasts");
//! assert!((mean.mean - 0.56).abs() < 0.01 && mean.error.is_some()); // bits for each forecast
//! let happened = drawn.map(|drawn| f64::from(u8::from(drawn)));
//! assert_eq!(calibration(&forecasts, &happened, &games, 2).expect("forecasts").bins.len(), 2);
//! ```
//!
//! # Where things are
//!
//! | for | there is |
//! |---|---|
//! | what was counted | [`Results`] of [`Pentanomial`] or [`Trinomial`], [`Pool`] for several runs |
//! | what a runner has printed | [`read_printed`], [`Counted`] |
//! | a fixed number of games | [`Strength`], [`difference_p`], [`Equivalence`], [`PairedDifference`] for two arms and the same opponents |
//! | several engines | [`Ratings`] by [`Encounter`]s: Elo of all of them, with errors |
//! | looking at any time | [`difference_p_at_any_time`], [`Equivalence::at_any_time`] |
//! | a sequential test | [`Sprt`], [`SequentialEstimate`], [`Prospect`] |
//! | shares and means | [`Proportion`] (Wilson), [`clustered_mean`], [`jackknife_errors`] |
//! | forecasts | [`log_loss`], [`score_loss`], [`calibration`] |
//! | what stands below | [`Distribution`], [`Brownian`], [`normal`], [`numeric`] |
//! | evaluations as probabilities | [`model`]: van Kervinck's draw model, Stockfish's WDL model, evaluation relevance |

mod analysis;
mod betting;
mod brownian;
mod clusters;
mod counted;
mod design;
mod distribution;
mod elo;
mod enough;
mod equivalence;
mod jackknife;
pub mod model;
pub mod normal;
pub mod numbers;
pub mod numeric;
mod paired;
mod plan;
mod pool;
mod printed;
mod proportion;
mod ratings;
mod results;
mod scores;
mod sequential;
mod signs;
mod sprt;

pub use analysis::{Analysis, AnalysisError, Forecast, Tested};
pub use betting::difference_p_at_any_time;
pub use brownian::Brownian;
pub use clusters::Clusters;
pub use counted::{Counted, CountedWordsError};
pub use design::{Clustered, design_effect, stratified_mean};
pub use distribution::Distribution;
pub use elo::{LARGEST_ELO, NELO_PER_T, Strength, elo_of_score, score_of_elo};
pub use enough::{FEWEST_DIFFERING, FEWEST_EVENTS, LEAST_WORTH, NoFigure, are_enough, differing, worth};
pub use equivalence::Equivalence;
pub use jackknife::{
    jackknife_errors, reach_of_90_percent, reach_of_90_percent_of_worth, reach_of_95_percent,
    reach_of_95_percent_of_worth,
};
pub use normal::{Z90, Z95};
pub use paired::{PairedDifference, PairedScore};
pub use plan::{PlanError, Prospect, Spread};
pub use pool::Pool;
pub use printed::{
    MOST_RESULTS, Printed, PrintedError, PrintedTest, plain_text, ratio_of_unnamed_test, read_printed, says_stopped,
};
pub use proportion::{Proportion, independent_tries};
pub use ratings::{EloZero, Encounter, RatedElo, Ratings, RatingsError, RoundPair};
pub use results::{MixedResults, Pentanomial, Results, Trinomial};
pub use scores::{Bin, Calibration, Mean, calibration, clustered_mean, log_loss, score_loss};
pub use sequential::SequentialEstimate;
pub use signs::difference_p;
pub use sprt::{Decision, Model, Sprt, SprtError, SprtWordsError};
