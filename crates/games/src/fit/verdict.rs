//! What an evaluation says of its contenders: losses, gains, calibration.

use drawish_core::{Outcome, Wdl};
use serde::{Deserialize, Serialize};

use super::Prediction;
use drawish_stats::model::draw::WinDrawLoss;
use drawish_stats::{Calibration, Clusters, Mean, calibration, clustered_mean, log_loss, score_loss};

/// What was predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Draw or not.
    Draw,
    /// Win, draw or loss.
    WinDrawLoss,
    /// The expected score.
    Score,
}

/// A gain in millibits with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// Thousandths of a bit for each game or position; positive is better.
    pub millibits: f64,
    /// Standard error, robust to dependence within events and among games that begin alike; none from [too few](Mean::is_enough) of them.
    pub error: Option<f64>,
    /// Half the width of the 95 % interval, by Student's distribution for as many events; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

impl Gain {
    /// The mean of gains in millibits.
    pub(super) fn of(mean: Option<Mean>) -> Gain {
        let enough = mean.filter(Mean::is_enough);
        let half_width = enough.and_then(|mean| mean.half_width());
        Gain { millibits: mean.map_or(0.0, |mean| mean.mean), error: enough.and_then(|mean| mean.error), half_width }
    }
}

/// How well a contender predicts one target.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Quality {
    /// Which target.
    pub target: Target,
    /// Mean loss in bits.
    pub loss: f64,
    /// Over the constant.
    pub gain: Gain,
    /// Over the contender that it builds on.
    pub over: Option<Gain>,
    /// Mean squared error; of win, draw and loss the sum over the three.
    pub brier: f64,
    /// Expected calibration error with its 95 % interval, which [too few](Mean::is_enough) events do not give; not of win, draw and loss,
    /// which the other two cover.
    pub ece: Option<[Option<f64>; 3]>,
    /// The reliability diagram; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// A contender's figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Its name.
    pub name: String,
    /// Weights or cells.
    pub weights: usize,
    /// The contender that it builds on.
    pub over: Option<String>,
    /// For each target that it predicts.
    pub qualities: Vec<Quality>,
}

/// The comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// Rows, each a position.
    pub rows: usize,
    /// Different games that the rows are of; `None` where these are not known, as in files of earlier builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// So many rows are positions without their games, which count as independent and stand on both sides of folds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub boards: usize,
    /// What to know before trusting the figures, a line each; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Events among them.
    pub events: usize,
    /// Opening skeletons among them.
    pub skeletons: usize,
    /// Folds of each.
    pub folds: usize,
    /// Results of the rows, White's; in files an array of White wins, draws, Black wins.
    #[serde(with = "drawish_heads::heads::wdl_array")]
    pub results: Wdl,
    /// The contenders in their order.
    pub verdicts: Vec<Verdict>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

const BINS: usize = 10;

/// The loss of each row in bits for each target; `None` for targets of which the predictions of some row say nothing.
pub(super) fn losses(predictions: &[Option<Prediction>], outcomes: &[Outcome]) -> [Option<Vec<f64>>; 3] {
    let of = |loss: &dyn Fn(Prediction, Outcome) -> Option<f64>| {
        predictions.iter().zip(outcomes).map(|(p, &outcome)| loss((*p)?, outcome)).collect::<Option<Vec<f64>>>()
    };
    [
        of(&|p, outcome| Some(log_loss(p.draw()?, outcome == Outcome::Draw))),
        of(&|p, outcome| {
            let p = p.win_draw_loss()?;
            Some(log_loss(by_outcome(p, outcome), true))
        }),
        of(&|p, outcome| Some(score_loss(p.score()?, points(outcome)))),
    ]
}

/// The probability of an outcome.
fn by_outcome(p: WinDrawLoss, outcome: Outcome) -> f64 {
    match outcome {
        Outcome::WhiteWin => p.win,
        Outcome::Draw => p.draw,
        Outcome::BlackWin => p.loss,
    }
}

fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::WhiteWin => 1.0,
        Outcome::Draw => 0.5,
        Outcome::BlackWin => 0.0,
    }
}

pub(super) fn quality(
    target: Target,
    own: &[f64],
    constant: &[f64],
    over: Option<&Vec<f64>>,
    predictions: &[Option<Prediction>],
    outcomes: &[Outcome],
    clusters: Clusters<'_>,
) -> Quality {
    let gain = |than: &[f64]| {
        let differences: Vec<f64> = than.iter().zip(own).map(|(other, own)| 1000.0 * (other - own)).collect();
        Gain::of(clustered_mean(&differences, clusters))
    };
    let rows = own.len().max(1) as f64;
    let rows_of = || predictions.iter().flatten().zip(outcomes);
    let drawn = |outcome: Outcome| f64::from(u8::from(outcome == Outcome::Draw));
    let (forecasts, happened): (Vec<f64>, Vec<f64>) = match target {
        Target::Draw => rows_of().filter_map(|(p, &outcome)| Some((p.draw()?, drawn(outcome)))).unzip(),
        Target::Score => rows_of().filter_map(|(p, &outcome)| Some((p.score()?, points(outcome)))).unzip(),
        Target::WinDrawLoss => (Vec::new(), Vec::new()),
    };
    let brier = match target {
        Target::WinDrawLoss => {
            let of = |(p, &outcome): (&Prediction, &Outcome)| {
                let hit = |other| f64::from(u8::from(outcome == other));
                let p = p.win_draw_loss()?;
                Some(
                    (p.win - hit(Outcome::WhiteWin)).powi(2)
                        + (p.draw - hit(Outcome::Draw)).powi(2)
                        + (p.loss - hit(Outcome::BlackWin)).powi(2),
                )
            };
            rows_of().filter_map(of).sum::<f64>() / rows
        }
        _ => forecasts.iter().zip(&happened).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / rows,
    };
    let calibration = calibration(&forecasts, &happened, clusters, BINS);
    Quality {
        target,
        loss: own.iter().sum::<f64>() / rows,
        gain: gain(constant),
        over: over.map(|over| gain(over)),
        brier,
        ece: calibration.as_ref().map(|calibration| [Some(calibration.ece), calibration.low, calibration.high]),
        calibration,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_stats::FEWEST_EVENTS;

    #[test]
    fn few_events_do_not_tell_how_much_events_differ() {
        let gain = |events: u32| {
            let clusters: Vec<u32> = (0..200).map(|row| row % events).collect();
            let gains: Vec<f64> = clusters.iter().map(|&event| f64::from(event % 3)).collect();
            Gain::of(clustered_mean(&gains, &clusters))
        };
        let fewest = FEWEST_EVENTS as u32;
        assert!([1, 2, fewest - 1].map(gain).iter().all(|gain| gain.error.is_none() && gain.millibits >= 0.0));
        assert!([fewest, 50].map(gain).iter().all(|gain| gain.error.is_some_and(|error| error > 0.0)));
    }
}
