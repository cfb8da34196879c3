//! From games with evaluations to the parameters of evaluation relevance, by the article's way of counting, with
//! bootstrap intervals.
//!
//! A player who has won n games looks at the games that were not won, and in each at the best evaluation that the
//! player ever had. The n-th highest of these is e(=0.75): as many games were won as were not won although that
//! evaluation was reached, so draws make it 0.75 points on average. Losses among them make it less; the article corrects
//! for that along the first sector of the curve.

mod bootstrap;
mod counting;
mod games;

pub use bootstrap::{Interval, Intervals, bootstrap};
pub use counting::{Count, Pair, Peak, Record, Score, count};
pub use games::{Broken, Evaluation, Game, Reading, read_evaluated};
