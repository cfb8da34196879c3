//! What one row says about its two scores: the negative log-likelihood with its derivatives.
//!
//! Each kernel takes w, the win/loss score on the logit scale, and v, the linear score of the even terms, and gives
//! natural logarithms. Second derivatives are the expected ones (Fisher information), which are never negative.

use drawish_core::Outcome;
use drawish_heads::heads::Head;

use drawish_stats::model::draw::{WinDrawLoss, ln_2_cosh};
use drawish_stats::numeric::{neg_ln_sigmoid, sigmoid};

/// How the scores make probabilities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kernel {
    /// Draw or not: D = sigmoid(v). w is not looked at.
    Draw,
    /// Win, draw and loss of the evaluation draw model: D = sigmoid(v - kappa ln(2 cosh(w/2))), Wp = sigmoid(w). kappa is
    /// given, or a weight of its own, the last.
    WinDrawLoss {
        /// The given kappa; `None` to fit it.
        kappa: Option<f64>,
    },
    /// Win, draw and loss by Rao and Kupper, as in the Stockfish WDL model: W = sigmoid(w - e^v), L = sigmoid(-w - e^v).
    RaoKupper,
    /// The expected score alone: P = sigmoid(e^v w). A positive gain e^v never changes who is better.
    Gain,
}

/// The loss of a row, its derivatives by (w, v, kappa), and the expected second derivatives in the order ww, wv, vv, wk,
/// vk, kk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slopes {
    pub loss: f64,
    pub first: [f64; 3],
    pub second: [f64; 6],
}

/// What a model says of a row: probabilities from 0 to 1, White's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Prediction {
    /// The probability of a draw, and nothing of who wins.
    Draw(f64),
    /// The expected score, and nothing of draws.
    Score(f64),
    /// All three results.
    Results {
        /// Probability of a win of White.
        win: f64,
        /// Probability of a draw.
        draw: f64,
        /// The expected score.
        score: f64,
    },
}

impl Prediction {
    /// The probability of a draw, if the model knows it.
    #[must_use]
    pub fn draw(self) -> Option<f64> {
        match self {
            Prediction::Draw(draw) | Prediction::Results { draw, .. } => Some(draw),
            Prediction::Score(_) => None,
        }
    }

    /// The expected score, if the model knows it.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        match self {
            Prediction::Score(score) | Prediction::Results { score, .. } => Some(score),
            Prediction::Draw(_) => None,
        }
    }

    /// The probabilities of the three results, if the model knows them.
    #[must_use]
    pub fn win_draw_loss(self) -> Option<WinDrawLoss> {
        match self {
            Prediction::Results { win, draw, .. } => Some(WinDrawLoss { win, draw, loss: 1.0 - win - draw }),
            Prediction::Draw(_) | Prediction::Score(_) => None,
        }
    }
}

/// No gain is larger than e^12 or smaller than its inverse: far beyond what games show, so that only overflow is cut.
const LARGEST_GAIN: f64 = 12.0;

impl Kernel {
    /// The kernel of a draw head, with its kappa.
    #[must_use]
    pub fn of_draw_head(head: &Head) -> Kernel {
        Kernel::WinDrawLoss { kappa: Some(head.kappa.unwrap_or(0.0)) }
    }

    /// Whether the last weight is kappa.
    #[must_use]
    pub fn fits_kappa(self) -> bool {
        self == Kernel::WinDrawLoss { kappa: None }
    }

    /// The loss of a row and its derivatives.
    pub(super) fn slopes(self, w: f64, v: f64, fitted_kappa: f64, outcome: Outcome) -> Slopes {
        match self {
            Kernel::Draw => draw(v, outcome),
            Kernel::WinDrawLoss { kappa } => win_draw_loss(w, v, kappa.unwrap_or(fitted_kappa), outcome),
            Kernel::RaoKupper => rao_kupper(w, v, outcome),
            Kernel::Gain => gain(w, v, outcome),
        }
    }

    /// The draw score u of a row on the logit scale, D = sigmoid(u): v less what the kernel takes off where w is not 0.
    pub(super) fn draw_score(self, w: f64, v: f64, fitted_kappa: f64) -> f64 {
        match self {
            Kernel::WinDrawLoss { kappa } => v - kappa.unwrap_or(fitted_kappa) * ln_2_cosh(w / 2.0),
            Kernel::Draw | Kernel::RaoKupper | Kernel::Gain => v,
        }
    }

    /// The probabilities of a row.
    #[must_use]
    pub fn predict(self, w: f64, v: f64, fitted_kappa: f64) -> Prediction {
        match self {
            Kernel::Draw => Prediction::Draw(sigmoid(v)),
            Kernel::WinDrawLoss { .. } => {
                let draw = sigmoid(self.draw_score(w, v, fitted_kappa));
                let win = (1.0 - draw) * sigmoid(w);
                Prediction::Results { draw, win, score: win + draw / 2.0 }
            }
            Kernel::RaoKupper => {
                let a = v.min(20.0).exp();
                let (win, loss) = (sigmoid(w - a), sigmoid(-w - a));
                Prediction::Results { draw: sigmoid(w + a) - win, win, score: (1.0 + win - loss) / 2.0 }
            }
            Kernel::Gain => Prediction::Score(sigmoid(gained(w, v))),
        }
    }
}

/// The win/loss score with its gain, e^v w.
pub(super) fn gained(w: f64, v: f64) -> f64 {
    v.clamp(-LARGEST_GAIN, LARGEST_GAIN).exp() * w
}

fn draw(v: f64, outcome: Outcome) -> Slopes {
    let drawn = outcome == Outcome::Draw;
    let d = sigmoid(v);
    Slopes {
        loss: neg_ln_sigmoid(if drawn { v } else { -v }),
        first: [0.0, d - f64::from(u8::from(drawn)), 0.0],
        second: [0.0, 0.0, d * (1.0 - d), 0.0, 0.0, 0.0],
    }
}

fn win_draw_loss(w: f64, v: f64, kappa: f64, outcome: Outcome) -> Slopes {
    let l = ln_2_cosh(w / 2.0);
    let t = (w / 2.0).tanh() / 2.0;
    let u = v - kappa * l;
    let (d, wp) = (sigmoid(u), sigmoid(w));
    let drawn = f64::from(u8::from(outcome == Outcome::Draw));
    let by_u = d - drawn;
    let (loss, by_w) = match outcome {
        Outcome::Draw => (neg_ln_sigmoid(u), 0.0),
        Outcome::WhiteWin => (neg_ln_sigmoid(-u) + neg_ln_sigmoid(w), wp - 1.0),
        Outcome::BlackWin => (neg_ln_sigmoid(-u) + neg_ln_sigmoid(-w), wp),
    };
    let (a, b) = (d * (1.0 - d), (1.0 - d) * wp * (1.0 - wp));
    Slopes {
        loss,
        first: [by_w - kappa * t * by_u, by_u, -l * by_u],
        second: [b + kappa * kappa * t * t * a, -kappa * t * a, a, kappa * t * l * a, -l * a, l * l * a],
    }
}

fn rao_kupper(w: f64, v: f64, outcome: Outcome) -> Slopes {
    // Beyond this every game is drawn, to the last digit.
    let a = v.min(20.0).exp();
    let (win, loss) = (sigmoid(w - a), sigmoid(-w - a));
    let (above, below) = (sigmoid(w + a), win);
    let (ramp_above, ramp_below) = (above * (1.0 - above), below * (1.0 - below));
    let draw = (above - below).max(1e-300);
    // Derivatives of the logarithms of the three probabilities by w and by a.
    let of_win = (1.0 - win, -(1.0 - win));
    let of_loss = (-(1.0 - loss), -(1.0 - loss));
    let of_draw = ((ramp_above - ramp_below) / draw, (ramp_above + ramp_below) / draw);
    let (nll, (by_w, by_a)) = match outcome {
        Outcome::WhiteWin => (neg_ln_sigmoid(w - a), of_win),
        Outcome::Draw => (-draw.ln(), of_draw),
        Outcome::BlackWin => (neg_ln_sigmoid(-w - a), of_loss),
    };
    let mut second = [0.0; 6];
    for (p, (by_w, by_a)) in [(win, of_win), (draw, of_draw), (loss, of_loss)] {
        second[0] += p * by_w * by_w;
        second[1] += p * by_w * by_a * a;
        second[2] += p * by_a * by_a * a * a;
    }
    Slopes { loss: nll, first: [-by_w, -by_a * a, 0.0], second }
}

fn gain(w: f64, v: f64, outcome: Outcome) -> Slopes {
    let clamped = v.clamp(-LARGEST_GAIN, LARGEST_GAIN);
    let g = clamped.exp();
    let x = g * w;
    let p = sigmoid(x);
    let y = match outcome {
        Outcome::WhiteWin => 1.0,
        Outcome::Draw => 0.5,
        Outcome::BlackWin => 0.0,
    };
    let residual = p - y;
    let by_v = if clamped == v { x } else { 0.0 };
    let information = p * (1.0 - p);
    Slopes {
        loss: y * neg_ln_sigmoid(x) + (1.0 - y) * neg_ln_sigmoid(-x),
        first: [residual * g, residual * by_v, 0.0],
        second: [information * g * g, information * g * by_v, information * by_v * by_v, 0.0, 0.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OUTCOMES: [Outcome; 3] = [Outcome::WhiteWin, Outcome::Draw, Outcome::BlackWin];

    fn kernels() -> [Kernel; 5] {
        [
            Kernel::Draw,
            Kernel::WinDrawLoss { kappa: None },
            Kernel::WinDrawLoss { kappa: Some(0.0) },
            Kernel::RaoKupper,
            Kernel::Gain,
        ]
    }

    proptest! {
        #[test]
        fn first_derivatives_are_those_of_the_loss(w in -6.0..6.0f64, v in -2.5..2.5f64, kappa in 0.0..3.0f64) {
            let step = 1e-6;
            for kernel in kernels() {
                for outcome in OUTCOMES {
                    let loss = |w, v, kappa| kernel.slopes(w, v, kappa, outcome).loss;
                    let slopes = kernel.slopes(w, v, kappa, outcome);
                    let numeric = [
                        (loss(w + step, v, kappa) - loss(w - step, v, kappa)) / (2.0 * step),
                        (loss(w, v + step, kappa) - loss(w, v - step, kappa)) / (2.0 * step),
                        (loss(w, v, kappa + step) - loss(w, v, kappa - step)) / (2.0 * step),
                    ];
                    let free = if kernel.fits_kappa() { 3 } else { 2 };
                    for (given, numeric) in slopes.first.iter().zip(numeric).take(free) {
                        prop_assert!((given - numeric).abs() < 1e-5, "{kernel:?} {outcome:?}: {given} {numeric}");
                    }
                }
            }
        }

        #[test]
        fn losses_are_those_of_the_predictions(w in -6.0..6.0f64, v in -2.5..2.5f64, kappa in 0.0..3.0f64) {
            for kernel in kernels() {
                let p = kernel.predict(w, v, kappa);
                // Nearer to certainty the differences below have no digits left.
                let known = [p.draw(), p.score(), p.win_draw_loss().map(|p| p.win), p.win_draw_loss().map(|p| p.loss)];
                if known.into_iter().flatten().any(|p| p < 1e-6 || 1.0 - p < 1e-6) {
                    continue;
                }
                for outcome in OUTCOMES {
                    let of_outcome = match (p, outcome) {
                        (Prediction::Draw(draw), Outcome::Draw) => -draw.ln(),
                        (Prediction::Draw(draw), _) => -(1.0 - draw).ln(),
                        (Prediction::Score(score), Outcome::Draw) => -(score.ln() + (1.0 - score).ln()) / 2.0,
                        (Prediction::Score(score), Outcome::WhiteWin) => -score.ln(),
                        (Prediction::Score(score), Outcome::BlackWin) => -(1.0 - score).ln(),
                        (Prediction::Results { win, .. }, Outcome::WhiteWin) => -win.ln(),
                        (Prediction::Results { draw, .. }, Outcome::Draw) => -draw.ln(),
                        (Prediction::Results { win, draw, .. }, Outcome::BlackWin) => -(1.0 - win - draw).ln(),
                    };
                    let loss = kernel.slopes(w, v, kappa, outcome).loss;
                    prop_assert!((loss - of_outcome).abs() < 1e-6 * (1.0 + loss), "{kernel:?} {outcome:?}: {loss} {of_outcome}");
                }
            }
        }

        /// The information is the mean of the squared slopes over the outcomes, weighted by their probabilities. The gain kernel
        /// has no probability of a draw, so there it is that of a win or loss with the same expected score.
        #[test]
        fn second_derivatives_are_the_information(w in -6.0..6.0f64, v in -2.5..2.5f64, kappa in 0.0..3.0f64) {
            for kernel in kernels() {
                let p = kernel.predict(w, v, kappa);
                let weights = match p {
                    Prediction::Draw(draw) => [0.0, draw, 1.0 - draw],
                    Prediction::Score(score) => [score, 0.0, 1.0 - score],
                    Prediction::Results { win, draw, .. } => [win, draw, 1.0 - win - draw],
                };
                let mut mean = [0.0; 6];
                for (outcome, weight) in OUTCOMES.into_iter().zip(weights) {
                    let [w, v, k] = kernel.slopes(w, v, kappa, outcome).first;
                    for (sum, product) in mean.iter_mut().zip([w * w, w * v, v * v, w * k, v * k, k * k]) {
                        *sum += weight * product;
                    }
                }
                let given = kernel.slopes(w, v, kappa, Outcome::Draw).second;
                for (given, mean) in given.iter().zip(mean) {
                    prop_assert!((given - mean).abs() < 1e-6 * (1.0 + mean.abs()), "{kernel:?}: {given} {mean}");
                }
            }
        }
    }
}
