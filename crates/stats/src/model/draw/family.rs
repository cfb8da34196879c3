//! Models in which the draw rate falls as one side gets ahead: u = v - kappa ln(2 cosh(w/2)).
//!
//! In the source u does not depend on w. In games it does: of two positions with the same features, the one in which a
//! side is further ahead is drawn less often. The term ln(2 cosh(w/2)) is the one that Davidson's model has.

use std::f64::consts::LN_2;

use crate::numeric::{sigmoid, softplus};

/// ln(2 cosh(y)) without overflow: |y| + ln(1 + e^(-2|y|)), at least ln 2.
#[must_use]
pub fn ln_2_cosh(y: f64) -> f64 {
    y.abs() + (-2.0 * y.abs()).exp().ln_1p()
}

/// ln(e^a + e^b) without overflow.
fn ln_add_exp(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}

/// How much the drawScore falls with the distance of w from 0: u = v - kappa ln(2 cosh(w/2)).
///
/// v is what the features of a position say, w the wiloScore on the logit scale. For kappa >= 0 the expected
/// score stays increasing in w, so this term alone changes no order of moves; it makes D true at w other than 0.
/// As ln(2 cosh 0) = ln 2, u at w = 0 is v - kappa ln 2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Family {
    /// 0 in the source, 1 in Davidson's model, or fitted.
    pub kappa: f64,
}

impl Family {
    /// kappa = 0, the model as its source has it (section 2.3): u = v.
    pub const SEED: Family = Family { kappa: 0.0 };
    /// kappa = 1, see [`davidson`](super::davidson).
    pub const DAVIDSON: Family = Family { kappa: 1.0 };

    /// u of a position with wiloScore w.
    #[must_use]
    pub fn draw_score(self, v: f64, w: f64) -> f64 {
        v - self.kappa * ln_2_cosh(w / 2.0)
    }

    /// v of a position with wiloScore w: the inverse of [`draw_score`](Self::draw_score).
    #[must_use]
    pub fn feature_score(self, u: f64, w: f64) -> f64 {
        u + self.kappa * ln_2_cosh(w / 2.0)
    }
}

/// Davidson's model (1970), D = nu sqrt(W L): W, D, L are e^(w/2), nu, e^(-w/2) divided by their sum.
///
/// nu > 0. The same as [`Family::DAVIDSON`] with v = ln nu.
#[must_use]
pub fn davidson(w: f64, nu: f64) -> super::WinDrawLoss {
    // Divided by the larger of the two strengths, so that nothing overflows.
    let (ahead, behind) = ((w / 2.0 - w.abs() / 2.0).exp(), (-w / 2.0 - w.abs() / 2.0).exp());
    let draw = nu * (-w.abs() / 2.0).exp();
    let sum = ahead + draw + behind;
    super::WinDrawLoss { win: ahead / sum, draw: draw / sum, loss: behind / sum }
}

/// The model of Rao and Kupper (1967): W = s(x - a), L = s(-x - a), and draws between the two thresholds.
///
/// It is that of BayesElo and of the Stockfish and Lc0 win rate models. The map to (w, u) is exact both ways.
/// Near 0 w grows 2 theta / (1 + theta) times as fast as x, theta = e^a: nearly twice when most games are drawn,
/// which is why coefficients of a wiloScore are larger than those of the usual score (section 4). Far out both grow alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaoKupper {
    /// The advantage on the logit scale.
    pub x: f64,
    /// Half the width of the band of draws on the logit scale, above 0.
    pub a: f64,
}

impl RaoKupper {
    /// W, D and L.
    #[must_use]
    pub fn win_draw_loss(self) -> super::WinDrawLoss {
        let RaoKupper { x, a } = self;
        let (win, loss) = (sigmoid(x - a), sigmoid(-x - a));
        // 1 - W - L = (theta² - 1) W L, which does not cancel.
        let draw = -(-2.0 * a).exp_m1() * sigmoid(a - x) * sigmoid(a + x);
        super::WinDrawLoss { win, draw, loss }
    }

    /// (w, u): w = ln((1 + theta e^x) / (1 + theta e^-x)), u = ln((theta² - 1)/2) - ln(1 + theta cosh x), theta = e^a.
    #[must_use]
    pub fn scores(self) -> (f64, f64) {
        let RaoKupper { x, a } = self;
        let w = softplus(a + x) - softplus(a - x);
        let ln_theta_squared_less_one = 2.0 * a + (-(-2.0 * a).exp_m1()).ln();
        (w, ln_theta_squared_less_one - LN_2 - ln_add_exp(0.0, a + ln_2_cosh(x) - LN_2))
    }

    /// The inverse of [`scores`](Self::scores): x = (logit W - logit L)/2, a = -(logit W + logit L)/2.
    #[must_use]
    pub fn from_scores(w: f64, u: f64) -> RaoKupper {
        // W / (1 - W) = Wp / (e^u + Lp), since D / (1 - D) = e^u.
        let logit_win = |w: f64| -softplus(-w) - ln_add_exp(u, -softplus(w));
        RaoKupper { x: (logit_win(w) - logit_win(-w)) / 2.0, a: -(logit_win(w) + logit_win(-w)) / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::draw::{WinDrawLoss, score_pawns};

    fn close(a: WinDrawLoss, b: WinDrawLoss) -> bool {
        (a.win - b.win).abs() < 1e-12 && (a.draw - b.draw).abs() < 1e-12 && (a.loss - b.loss).abs() < 1e-12
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(ln_2_cosh(0.0), LN_2);
        assert_eq!(ln_2_cosh(-1e300), 1e300);
        assert_eq!(softplus(1e300), 1e300);
        assert_eq!(ln_add_exp(-1e300, 5.0), 5.0);
        assert_eq!(davidson(5000.0, 2.0), WinDrawLoss { win: 1.0, draw: 0.0, loss: 0.0 });
        assert_eq!(davidson(0.0, 2.0), WinDrawLoss { win: 0.25, draw: 0.5, loss: 0.25 });
        let (w, u) = RaoKupper { x: 900.0, a: 800.0 }.scores();
        // Ahead by more than the band is wide: W is nearly 1, and a draw is as unlikely as e^-100.
        assert!(w.is_finite() && (u + 100.0).abs() < 1e-9, "{w} {u}");
    }

    #[test]
    fn the_slope_of_w_is_two_theta_by_one_plus_theta_at_equality_and_one_far_out() {
        for theta in [1.01f64, 2.0, 20.0] {
            let slope = |x: f64| {
                let w = |x| RaoKupper { x, a: theta.ln() }.scores().0;
                (w(x + 1e-5) - w(x - 1e-5)) / 2e-5
            };
            assert!((slope(0.0) - 2.0 * theta / (1.0 + theta)).abs() < 1e-8);
            assert!((slope(40.0) - 1.0).abs() < 1e-8);
        }
    }

    proptest! {
        #[test]
        fn ln_2_cosh_is_what_it_says(y in -300.0..300.0) {
            prop_assert!((ln_2_cosh(y) - (2.0 * f64::cosh(y)).ln()).abs() < 1e-12);
        }

        #[test]
        fn davidson_is_kappa_one(w in -30.0..30.0, v in -6.0..6.0f64) {
            let wdl = davidson(w, v.exp());
            prop_assert!(close(wdl, WinDrawLoss::new(w, Family::DAVIDSON.draw_score(v, w))));
            prop_assert!((wdl.draw - v.exp() * (wdl.win * wdl.loss).sqrt()).abs() < 1e-12);
        }

        #[test]
        fn kappa_comes_off_again_and_keeps_the_order(v in -8.0..8.0, w in 0.0..20.0, more in 0.01..5.0, kappa in 0.0..4.0) {
            let family = Family { kappa };
            prop_assert!((family.feature_score(family.draw_score(v, w), w) - v).abs() < 1e-12);
            prop_assert_eq!(Family::SEED.draw_score(v, w), v);
            let score = |w| score_pawns(w, family.draw_score(v, w));
            prop_assert!(score(w + more) > score(w));
            prop_assert_eq!(score(-w), -score(w));
        }

        #[test]
        fn rao_kupper_maps_both_ways(x in -15.0..15.0, a in 0.01..15.0) {
            let model = RaoKupper { x, a };
            let (w, u) = model.scores();
            let naive_draw = 1.0 - sigmoid(x - a) - sigmoid(-x - a);
            prop_assert!((model.win_draw_loss().draw - naive_draw).abs() < 1e-14);
            prop_assert!(close(model.win_draw_loss(), WinDrawLoss::new(w, u)));
            let back = RaoKupper::from_scores(w, u);
            prop_assert!((back.x - x).abs() < 1e-9 && (back.a - a).abs() < 1e-9, "{:?} {:?}", model, back);
            // The formula with theta, term by term.
            let theta = a.exp();
            prop_assert!((u - ((theta * theta - 1.0) / 2.0).ln() + (1.0 + theta * x.cosh()).ln()).abs() < 1e-9);
            prop_assert!((w - x - ((theta * x.exp() + 1.0) / (x.exp() + theta)).ln()).abs() < 1e-9);
        }

        #[test]
        fn every_pair_of_scores_is_a_rao_kupper_model(w in -15.0..15.0, u in -15.0..15.0) {
            let model = RaoKupper::from_scores(w, u);
            prop_assert!(model.a > 0.0);
            prop_assert!(close(model.win_draw_loss(), WinDrawLoss::new(w, u)));
        }
    }
}
