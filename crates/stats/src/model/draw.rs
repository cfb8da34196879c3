//! The evaluation draw model of M. van Kervinck: two scores of a position, and what they say about its result.
//!
//! The wiloScore w ("win or loss") says who wins if somebody does, the drawScore u how likely it is that nobody
//! does. Both live on the logit scale: w is C times the score in pawns ([`wilo`]), u is the log of the odds of a draw.
//!
//! ```text
//! Wp = s(w)   D = s(u)   W = (1 - D) Wp   L = (1 - D)(1 - Wp)   P = D/2 + Wp - Wp D   score = logit(P) / C
//! ```
//!
//! Sections of the source, "Evaluation draw model", stand at each item: 2.1 [`wilo`] and
//! [`pseudo_winning_expectation`], 2.2 [`WinDrawLoss`], 2.3 [`draw_probability`], 2.4 [`expected_score`] and
//! [`score_pawns`], 3.1 [`Contempt`], 3.2 and 3.3 [`base_shift`], 3.2 also [`expected_score_per_draw_score`] (unequal
//! clocks), 4 [`fsigmoid`]. [`Family`], [`davidson`] and [`RaoKupper`] are the neighbours in which u depends on w.
//!
//! Scores are White's or the mover's, as long as all of a position have the same view. Any finite number is a valid
//! score; NaN goes in and comes out.
//!
//! ```
//! use drawish_stats::model::draw::{WinDrawLoss, score_pawns, wilo};
//!
//! let w = wilo(1.5); // a pawn and a half ahead
//! let u = 1.0; // in a position that is drawn more often than not
//! let wdl = WinDrawLoss::new(w, u);
//! assert!(wdl.draw > 0.73 && wdl.win > 2.0 * wdl.loss);
//! assert!(score_pawns(w, u) < 0.4); // what is left of the advantage
//! ```

mod contempt;
mod family;
mod fast;

use std::f64::consts::LN_10;

pub use contempt::{Contempt, LOGIT_PER_ELO, base_shift, expected_score_per_draw_score, logit_per_expected_elo};
pub use family::{Family, RaoKupper, davidson, ln_2_cosh};
pub use fast::{fast_expected_score, fast_probability, fsigmoid};

pub use super::WinDrawLoss;
pub use crate::numeric::{logit, sigmoid};

/// Logits in a pawn, ln(10)/4 = 0.5756: four pawns are odds of ten to one (section 2.1).
///
/// It is not fundamental: it aligns the score with the usual scale of piece values. Coefficients of w can be fitted
/// without it; the way back from P keeps it, as programs show pawns (section 4).
pub const C: f64 = LN_10 / 4.0;

/// The largest logit that [`logit_expected_score`] tells from larger ones: e^700 is still a number.
pub const MAX_LOGIT: f64 = 700.0;

/// wiloScore on the logit scale, w = C x, of a score in pawns that ignores draws (section 2.1).
#[must_use]
pub fn wilo(pawns: f64) -> f64 {
    C * pawns
}

/// Wp = s(w), the pseudo winning expectation: the probability of a win if drawn games are played again until there is a
/// decision (section 2.1). The pseudo loss expectation Lp is that of -w.
#[must_use]
pub fn pseudo_winning_expectation(w: f64) -> f64 {
    sigmoid(w)
}

/// D = s(u), the draw rate from the drawScore: 50 % at 0, positive is more drawish, negative sharper (section 2.3).
#[must_use]
pub fn draw_probability(u: f64) -> f64 {
    sigmoid(u)
}

/// P = D/2 + Wp - Wp D, the expected score from 0 to 1, for w and u on the logit scale (sections 1 and 2.4).
///
/// The same as P - 1/2 = (1 - D)/2 tanh(w/2): the draw rate pulls towards equality and never beyond it. In Wp its slope
/// is 1 - D > 0 and (Wp - 1/2)(P - 1/2) >= 0, so no value of D that all positions share changes the order of moves
/// or the comparison with a certain draw (section 3.2).
#[must_use]
pub fn expected_score(w: f64, u: f64) -> f64 {
    WinDrawLoss::new(w, u).expected_score()
}

/// logit(P) of [`expected_score`], without the rounding of P to 1: exact also where P is not a number apart from 0 and 1.
///
/// Odd in w, increasing in w, between -[`MAX_LOGIT`] and [`MAX_LOGIT`]; scores beyond are taken as these.
#[must_use]
pub fn logit_expected_score(w: f64, u: f64) -> f64 {
    // With t = e^-|w| and a = e^u: P / (1 - P) = 1 + (1 - t) / (t + a/2 (1 + t)), and no difference cancels.
    let size = w.abs().clamp(0.0, MAX_LOGIT);
    let (t, a) = ((-size).exp(), u.clamp(-MAX_LOGIT, MAX_LOGIT).exp());
    (-(-size).exp_m1() / (t + a / 2.0 * (1.0 + t))).ln_1p().copysign(w)
}

/// The score on the scale that programs show, logit(P)/C in pawns (section 2.4). See [`logit_expected_score`].
#[must_use]
pub fn score_pawns(w: f64, u: f64) -> f64 {
    logit_expected_score(w, u) / C
}

/// [`score_pawns`] times 100.
#[must_use]
pub fn score_centipawns(w: f64, u: f64) -> f64 {
    100.0 * score_pawns(w, u)
}

/// logit(P)/C in pawns of an expected score that is only known as a number (section 2.4).
///
/// Odd about 1/2 and finite: 0 and 1 count as 2^-53 from the end, which is 63.8 pawns. `None` for a number outside 0..=1.
#[must_use]
pub fn pawns_of_expected_score(p: f64) -> Option<f64> {
    const END: f64 = f64::EPSILON / 2.0;
    (0.0..=1.0).contains(&p).then(|| logit(p.clamp(END, 1.0 - END)) / C)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_pseudo_code_of_section_1_and_figures_by_hand() {
        // A pawn ahead and a neutral drawScore: Wp = 1 / (1 + 10^-1/4), P = 1/4 + Wp/2.
        let wp = 1.0 / (1.0 + 10f64.powf(-0.25));
        let wdl = WinDrawLoss::new(wilo(1.0), 0.0);
        assert!((wdl.win - wp / 2.0).abs() < 1e-15 && wdl.draw == 0.5);
        assert!((expected_score(wilo(1.0), 0.0) - (0.25 + wp / 2.0)).abs() < 1e-15);
        assert!((C - 0.5756).abs() < 5e-5);
        // Four pawns without draws are ten to one, on the way back too.
        assert!((expected_score(wilo(4.0), -MAX_LOGIT) - 10.0 / 11.0).abs() < 1e-15);
        assert!((score_centipawns(wilo(4.0), -MAX_LOGIT) - 400.0).abs() < 1e-10);
    }

    #[test]
    fn the_ends_are_finite_and_odd() {
        for u in [f64::NEG_INFINITY, -1e9, -40.0, 0.0, 40.0, 1e9, f64::INFINITY] {
            assert_eq!(score_pawns(0.0, u), 0.0);
            for w in [1e-300, 1.0, 40.0, 1e4, f64::INFINITY] {
                let score = score_pawns(w, u);
                assert!(score.is_finite() && score >= 0.0, "{w} {u}: {score}");
                assert_eq!(score_pawns(-w, u), -score);
            }
        }
        // 1 - P = e^-700 + e^-700/2.
        let end = (MAX_LOGIT - 1.5f64.ln()) / C;
        assert!((score_pawns(f64::INFINITY, f64::NEG_INFINITY) - end).abs() < 1e-9);
        let end = pawns_of_expected_score(1.0).expect("a score");
        assert_eq!(pawns_of_expected_score(0.0), Some(-end));
        assert!((end - 63.8).abs() < 0.05);
        assert_eq!((pawns_of_expected_score(1.1), pawns_of_expected_score(f64::NAN)), (None, None));
        assert!(score_pawns(f64::NAN, 0.0).is_nan() && score_pawns(0.0, f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_flip(w in -50.0..50.0, u in -50.0..50.0) {
            let wdl = WinDrawLoss::new(w, u);
            prop_assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-15);
            prop_assert_eq!(wdl.flip(), WinDrawLoss::new(-w, u));
            let (d, wp) = (draw_probability(u), pseudo_winning_expectation(w));
            prop_assert!((wdl.expected_score() - (d / 2.0 + wp - wp * d)).abs() < 1e-15);
            prop_assert!((wdl.expected_score() - 0.5 - (1.0 - d) / 2.0 * (w / 2.0).tanh()).abs() < 1e-15);
        }

        /// Section 2.2: playing drawn games again ends with Wp and Lp, and leaves their ratio as it was.
        #[test]
        fn the_rematch_restores_the_pseudo_expectations(w in -20.0..20.0, u in -20.0..3.0) {
            let wdl = WinDrawLoss::new(w, u);
            let (wp, lp) = wdl.rematch().unwrap();
            prop_assert!((wp - sigmoid(w)).abs() < 1e-14 && (lp - sigmoid(-w)).abs() < 1e-14);
            prop_assert!((wp / lp / (wdl.win / wdl.loss) - 1.0).abs() < 1e-12);
            // The series itself; D <= 0.953, so that 1000 games leave nothing.
            let (mut series, mut reached) = (0.0, 1.0);
            for _ in 0..1000 {
                series += reached * wdl.win;
                reached *= wdl.draw;
            }
            prop_assert!((series - wp).abs() < 1e-12, "{} {}", series, wp);
        }

        #[test]
        fn scores_come_back(w in -30.0..30.0, u in -30.0..30.0) {
            let (w_back, u_back) = WinDrawLoss::new(w, u).scores().unwrap();
            prop_assert!((w - w_back).abs() < 1e-12 && (u - u_back).abs() < 1e-12);
        }

        /// Section 3.2, both proofs: dP/dWp = 1 - D > 0, and P is on the same side of 1/2 as Wp.
        #[test]
        fn no_shared_draw_rate_changes_an_order(a in -8.0..8.0, b in -8.0..8.0, u in -8.0..8.0) {
            let slope = (expected_score(a, u) - expected_score(b, u)) / (sigmoid(a) - sigmoid(b));
            if (a - b).abs() > 1e-3 {
                prop_assert!((slope - (1.0 - draw_probability(u))).abs() < 1e-9);
            }
            prop_assert!((sigmoid(a) - 0.5) * (expected_score(a, u) - 0.5) >= 0.0);
            prop_assert_eq!(a < b, score_pawns(a, u) < score_pawns(b, u));
        }

        #[test]
        fn the_shown_score_is_the_logit_of_p(w in -30.0..30.0, u in -30.0..30.0) {
            let wdl = WinDrawLoss::new(w, u);
            let naive = (wdl.expected_score() / wdl.flip().expected_score()).ln() / C;
            prop_assert!((score_pawns(w, u) - naive).abs() < 1e-12 * (1.0 + naive.abs()));
            prop_assert!(score_pawns(w, u).abs() <= (w / C).abs() * (1.0 + 1e-15));
            if w.abs() < 10.0 {
                let back = pawns_of_expected_score(wdl.expected_score()).expect("a score");
                prop_assert!((back - naive).abs() < 1e-9);
            }
        }
    }
}
