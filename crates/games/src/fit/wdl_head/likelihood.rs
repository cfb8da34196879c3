//! What one position says to the logits of its win and its loss.

use drawish_core::{Outcome, Wdl};
use drawish_stats::numeric::{neg_ln_sigmoid, sigmoid};

/// No draw is less likely than this in a fit, so that one freak draw moves nothing.
const LEAST: f64 = 1e-12;

/// The loss in nats, its slopes by the logits of win and loss, and the expected second derivatives: win twice, both, loss
/// twice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likelihood {
    pub loss: f64,
    pub first: [f64; 2],
    pub second: [f64; 3],
}

/// The probabilities of the logits of win and loss, whose sum is below 0.
pub(super) fn probabilities(win: f64, loss: f64) -> Wdl<f64> {
    // 1 - sigmoid(win) - sigmoid(loss), without cancellation.
    let draws = -(win + loss).exp_m1() * sigmoid(-win) * sigmoid(-loss);
    Wdl { wins: sigmoid(win), draws: draws.max(LEAST), losses: sigmoid(loss) }
}

/// What a position says that ended so.
pub(super) fn likelihood(win: f64, loss: f64, outcome: Outcome) -> Likelihood {
    let p = probabilities(win, loss);
    let (rise, fall) = (p.wins * (1.0 - p.wins), p.losses * (1.0 - p.losses));
    let (nll, first) = match outcome {
        Outcome::WhiteWin => (neg_ln_sigmoid(win), [p.wins - 1.0, 0.0]),
        Outcome::Draw => (-p.draws.ln(), [rise / p.draws, fall / p.draws]),
        Outcome::BlackWin => (neg_ln_sigmoid(loss), [0.0, p.losses - 1.0]),
    };
    let second = [
        p.wins * (1.0 - p.wins).powi(2) + rise * rise / p.draws,
        rise * fall / p.draws,
        p.losses * (1.0 - p.losses).powi(2) + fall * fall / p.draws,
    ];
    Likelihood { loss: nll, first, second }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OUTCOMES: [Outcome; 3] = [Outcome::WhiteWin, Outcome::Draw, Outcome::BlackWin];

    proptest! {
        #[test]
        fn slopes_and_information(middle in -4.0..4.0f64, width in 0.05..4.0f64) {
            let (win, loss) = (middle - width, -middle - width);
            let p = probabilities(win, loss);
            prop_assert!((p.total() - 1.0).abs() < 1e-12);
            let mut mean = [0.0; 3];
            for outcome in OUTCOMES {
                let of = |win, loss| likelihood(win, loss, outcome).loss;
                let found = likelihood(win, loss, outcome);
                prop_assert!((found.loss + p.of(outcome).ln()).abs() < 1e-9);
                let step = 1e-6;
                let numeric = [
                    (of(win + step, loss) - of(win - step, loss)) / (2.0 * step),
                    (of(win, loss + step) - of(win, loss - step)) / (2.0 * step),
                ];
                for (given, numeric) in found.first.iter().zip(numeric) {
                    prop_assert!((given - numeric).abs() < 1e-4 * (1.0 + given.abs()), "{given} {numeric}");
                }
                let [x, y] = found.first;
                mean.iter_mut().zip([x * x, x * y, y * y]).for_each(|(sum, square)| *sum += p.of(outcome) * square);
            }
            for (given, mean) in likelihood(win, loss, Outcome::Draw).second.iter().zip(mean) {
                prop_assert!((given - mean).abs() < 1e-9 * (1.0 + mean), "{given} {mean}");
            }
        }
    }
}
