//! What the results of a match mean: Elo, normalized Elo and the likelihood of superiority with their errors, the
//! sequential probability ratio test and an estimate without its bias, equivalence, pooling, planning.
//!
//! There is no chess in this room: results are counts. Zeros among them are made regular ([`Law::from_counts`]), so every
//! figure is finite for any counts.
//!
//! ```
//! use drawish_stats::{Decision, Model, Pentanomial, Results, Sprt, Strength};
//!
//! let results = Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 });
//! let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?;
//! assert_eq!(sprt.decide(sprt.llr(&results)?), Decision::H1);
//!
//! let strength = Strength::of(&results); // what a runner prints
//! let estimate = sprt.estimate(&results)?.expect("the test stopped here"); // what is left of it when one knows why the match stopped
//! assert!(0.0 < estimate.low && estimate.elo < strength.elo);
//! # Ok::<(), drawish_stats::SprtError>(())
//! ```

mod brownian;
mod elo;
mod equivalence;
mod jackknife;
mod law;
pub mod model;
pub mod normal;
pub mod numeric;
mod paired;
mod plan;
mod pool;
mod proportion;
mod results;
mod scores;
mod sequential;
mod sprt;

pub use brownian::Brownian;
pub use elo::{LARGEST_ELO, NELO_PER_T, Strength, elo_of_score, score_of_elo};
pub use equivalence::Equivalence;
pub use jackknife::{jackknife_errors, reach_of_95_percent};
pub use law::Law;
pub use paired::{Both, PairedDifference};
pub use plan::{PlanError, Prospect, Spread};
pub use pool::Pool;
pub use proportion::Proportion;
pub use results::{KindsDiffer, Pentanomial, Results, Trinomial};
pub use scores::{Bin, Calibration, Mean, calibration, clustered_mean, log_loss, score_loss};
pub use sequential::SequentialEstimate;
pub use sprt::{Decision, Model, Sprt, SprtError};
