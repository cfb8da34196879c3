//! From games with evaluations to the parameters of evaluation relevance, by the article's way of counting, with
//! bootstrap intervals.
//!
//! A player who has won n games looks at the games that were not won, and in each at the best evaluation that the
//! player ever had. The n-th highest of these is e(=0.75): as many games were won as were not won although that
//! evaluation was reached, so draws make it 0.75 points on average. Losses among them make it less; the article corrects
//! for that along the first sector of the curve.
//!
//! Whether such a curve tells more than others do is asked of games on which it was not estimated ([`Contest`]).

mod bootstrap;
mod compare;
mod counting;
mod doubt;
mod forms;
mod games;
mod players;

pub use bootstrap::{Interval, Intervals, bootstrap};
pub use compare::{BINS, Bin, CompareError, Comparison, Contest, Group, Judged, Trial};
pub use counting::{Count, Pair, Peak, Record, Score, TooFew, count};
pub use doubt::Doubt;
pub use forms::{Form, Kind};
pub use games::{Evaluation, Game, LINE_PLIES, LeftOut, OPENING_PLIES, Reading, read_evaluated};
pub use players::{Draws, Estimate, EstimateError, Estimated, Players, Wanted};
