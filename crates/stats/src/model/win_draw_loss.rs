//! The probabilities of a win, a draw and a loss, which all models give.

use drawish_core::Wdl;

use crate::numeric::sigmoid;

/// The probabilities of the three results of a game, for White or for the mover. From [`WinDrawLoss::new`] they are in 0..=1 and
/// sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinDrawLoss {
    /// W, of a win.
    pub win: f64,
    /// D, of a draw.
    pub draw: f64,
    /// L, of a loss.
    pub loss: f64,
}

impl WinDrawLoss {
    /// Of the evaluation draw model (section 2.2): W = (1 - D) Wp, D = s(u), L = (1 - D)(1 - Wp), for w and u on the logit
    /// scale.
    #[must_use]
    pub fn new(w: f64, u: f64) -> WinDrawLoss {
        let decisive = sigmoid(-u);
        WinDrawLoss { win: decisive * sigmoid(w), draw: sigmoid(u), loss: decisive * sigmoid(-w) }
    }

    /// The same by the other side.
    #[must_use]
    pub fn flip(self) -> WinDrawLoss {
        WinDrawLoss { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// P = W + D/2, from 0 to 1 (section 2.4).
    #[must_use]
    pub fn expected_score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// (Wp, Lp) by the rematch: W + D W + D² W + ... = W / (1 - D), and the same for L (section 2.2).
    ///
    /// `None` if nobody ever wins, W + L = 0: the rematches then have no end.
    #[must_use]
    pub fn rematch(self) -> Option<(f64, f64)> {
        let decisive = self.win + self.loss;
        (decisive > 0.0).then(|| (self.win / decisive, self.loss / decisive))
    }

    /// (w, u) on the logit scale, the inverse of [`new`](Self::new): w = ln(W / L), u = ln(D / (W + L)).
    ///
    /// `None` unless all three are positive.
    #[must_use]
    pub fn scores(self) -> Option<(f64, f64)> {
        let WinDrawLoss { win, draw, loss } = self;
        (win > 0.0 && draw > 0.0 && loss > 0.0).then(|| (win.ln() - loss.ln(), draw.ln() - (win + loss).ln()))
    }

    /// Thousandths as UCI shows them: wins and losses rounded by themselves, the draw what is left.
    #[must_use]
    pub fn permille(self) -> Wdl<i32> {
        let rounded = |rate: f64| (0.5 + 1000.0 * rate) as i32;
        let (wins, losses) = (rounded(self.win), rounded(self.loss));
        Wdl { wins, draws: 1000 - wins - losses, losses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the games drawn, and three of four others won.
    #[test]
    fn probabilities_by_hand() {
        let of = WinDrawLoss::new(3.0_f64.ln(), 0.0);
        for (found, wanted) in [(of.win, 0.375), (of.draw, 0.5), (of.loss, 0.125), (of.expected_score(), 0.625)] {
            assert!((found - wanted).abs() < 1e-12, "{of:?}");
        }
        let (w, u) = of.scores().expect("all are positive");
        assert!((w - 3.0_f64.ln()).abs() < 1e-12 && u.abs() < 1e-12);
        let (win, loss) = of.rematch().expect("somebody wins");
        assert!((win - 0.75).abs() < 1e-12 && (loss - 0.25).abs() < 1e-12);
        assert_eq!(of.permille(), Wdl { wins: 375, draws: 500, losses: 125 });
        assert_eq!(of.flip().flip(), of);
        for (win, draw, loss) in [(0.0, 0.5, 0.5), (0.5, 0.0, 0.5), (0.5, 0.5, 0.0)] {
            assert_eq!(WinDrawLoss { win, draw, loss }.scores(), None);
        }
        assert_eq!(WinDrawLoss { win: 0.0, draw: 1.0, loss: 0.0 }.rematch(), None);
    }
}
