//! How a form did on games on which it was not fitted.

use super::super::forms::{Cells, Form, Kind, POINTS};
use drawish_stats::{are_enough, reach_of_90_percent_of_worth};

/// How the forms did.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Games with a result and an evaluation within the limit.
    pub games: usize,
    /// Evaluations.
    pub positions: usize,
    /// Evaluations that were left out: mates, and those beyond the limit.
    pub left_out: u64,
    /// Groups of games.
    pub groups: usize,
    /// In the order of [`Kind::ALL`].
    pub forms: Vec<Judged>,
}

/// How a form did on games on which it was not fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Which form.
    pub kind: Kind,
    /// Its parameters on all games.
    pub form: Form,
    /// Mean of -(s log2 P + (1 - s) log2(1 - P)) in bits, s being the points of a side and P its expected score.
    pub log_loss: f64,
    /// Mean of (s - P)², the Brier score of the expected score.
    pub brier: f64,
    /// By how much the log-loss is above that of the first form, in bits; below 0 if it is better.
    pub excess: f64,
    /// Standard error of that, groups of games taken as clusters, by which fits of as many other games differ, too.
    pub error: f64,
    /// How many groups these are.
    pub groups: usize,
    /// So many groups with as many positions each are [worth](drawish_stats::worth) as much.
    pub worth: f64,
    /// The same error with single games as clusters.
    pub error_by_game: f64,
    /// Positions by the expected score of the side ahead, in [`BINS`] equal steps from 0.5 to 1.
    pub bins: [Bin; BINS],
}

/// Steps of the expected score in a table of calibration.
pub const BINS: usize = 10;

/// The positions with about the same expected score for the side ahead.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bin {
    /// How many.
    pub positions: u64,
    /// Sum of the expected scores.
    pub expected: f64,
    /// Sum of the points.
    pub points: f64,
}

impl Judged {
    /// The 90 % interval of [`excess`](Self::excess), from its lower end to its upper one, groups of games taken as clusters. `None` if
    /// these are not [enough](are_enough).
    #[must_use]
    pub fn interval(&self) -> Option<[f64; 2]> {
        let reach = reach_of_90_percent_of_worth(self.worth) * self.error;
        are_enough(self.groups, self.worth).then_some([self.excess - reach, self.excess + reach])
    }

    /// The mean distance between expected and actual score over the bins, weighed by their positions.
    #[must_use]
    pub fn calibration_error(&self) -> f64 {
        let distance: f64 = self.bins.iter().map(|bin| (bin.expected - bin.points).abs()).sum();
        distance / self.bins.iter().map(|bin| bin.positions).sum::<u64>() as f64
    }
}

/// The summed squares of points less expected score, and the table of calibration, of a form in each fold.
pub(super) fn calibrate(forms: &[Form], cells_of_fold: &[Cells]) -> (f64, [Bin; BINS]) {
    let (mut brier, mut bins) = (0.0, [Bin::default(); BINS]);
    for (form, cells) in forms.iter().zip(cells_of_fold) {
        for (centipawns, results) in cells.iter().enumerate() {
            let expected = form.expected(centipawns as f64 / 100.0);
            let bin = &mut bins[(((expected - 0.5) * 2.0 * BINS as f64) as usize).min(BINS - 1)];
            for (count, points) in <[f64; 3]>::from(*results).into_iter().zip(<[f64; 3]>::from(POINTS)) {
                brier += count * (points - expected).powi(2);
                bin.positions += count as u64;
                bin.expected += count * expected;
                bin.points += count * points;
            }
        }
    }
    (brier, bins)
}

/// How many times as large an error is as that of judging by `folds` alone, since other games would have given other fits, and the fits of
/// the folds share most of theirs: the square root of 1 + J n / N of C. Nadeau and Y. Bengio (2003), n of the games being judged by each of
/// J fits to the N others.
pub(super) fn of_fits(folds: usize) -> f64 {
    let folds = folds as f64;
    (1.0 + folds / (folds - 1.0)).sqrt()
}

/// The standard error of a ratio of sums over clusters, sum of `values` over sum of `sizes`: the jackknife, as of
/// [`clustered_mean`](drawish_stats::clustered_mean), since a large cluster draws the ratio towards itself.
pub(super) fn cluster_error(values: &[f64], sizes: &[f64]) -> f64 {
    let (count, size) = (values.len() as f64, sizes.iter().sum::<f64>());
    let mean = values.iter().sum::<f64>() / size;
    let change = |(value, part): (&f64, &f64)| (value - mean * part) / (1.0 - part / size);
    let squares: f64 = values.iter().zip(sizes).map(change).map(|change| change * change).sum();
    (squares * (count - 1.0) / count).sqrt() / size
}
