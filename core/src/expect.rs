//! The evaluation draw model in integers: from a win/loss score and a drawScore to what a search compares and shows.
//!
//! An engine sums two scores of a position. The wiloScore w says who wins if somebody does; the drawScore u how
//! likely it is that nobody does. With the logistic function s(x) = 1 / (1 + e^-x)
//!
//! ```text
//! Wp = s(w)   D = s(u)   W = (1 - D) Wp   L = (1 - D)(1 - Wp)   P = W + D/2   score = 4 log10(P / (1 - P)) pawns
//! ```
//!
//! Source: M. van Kervinck, "Evaluation draw model", sections 2.1 to 2.4, 3.1 and 4; there u does not depend on w, and
//! [`DrawModel`] has the term that lets it: u = v - kappa ln(2 cosh(w/2)), which is Davidson's model at kappa = 1.
//!
//! # Precision
//!
//! Scores of any size are valid, nothing panics or overflows. The expected score is within 0.00001 of the formula for
//! all w and u and any kappa up to 4, within 0.00003 up to 16. Up to 2,000 the centipawns are within 0.53 of the formula's, so that rounding is
//! nearly all of their error. Both are exactly odd in w and never fall where w rises, so
//! that neither can change the order of moves. Everything is a `const fn`; the tables take 8 kB.
//!
//! # Example
//!
//! ```
//! use drawish_core::expect::{DrawModel, Packed, Wilo};
//! use drawish_core::score::Centipawns;
//!
//! // Coefficients from a fit: centipawns and 1/256 logits of drawScore in one word.
//! const MODEL: DrawModel = DrawModel::new(384); // kappa = 1.5
//! const BASE: Packed = Packed::new(15, 180); // the move, and the draw rate of the games fitted
//! const PAWN: Packed = Packed::new(120, -25); // each pawn is worth winning, and fewer games are drawn
//! const UNLIKE_BISHOPS: Packed = Packed::new(0, 380);
//!
//! // White has five pawns and Black three, with bishops on squares of different colours.
//! // Black's terms come in with their wiloScore reversed: both sides' pawns make a draw less likely.
//! let sum = BASE + PAWN * 5 + (PAWN * 3).flip_colors() + UNLIKE_BISHOPS;
//! let w = Wilo::from_centipawns(Centipawns(sum.wilo().into()));
//!
//! // What the search compares: a number that rises with the expected score, 0 where it is 1/2.
//! let score = MODEL.centipawns(w, sum.draw());
//! assert!(score.0 > 50 && score.0 < 255 / 2);
//!
//! // What `UCI_ShowWDL` asks for.
//! let wdl = MODEL.win_draw_loss(w, sum.draw());
//! assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
//! assert!(wdl.draw > wdl.win && wdl.win > wdl.loss);
//!
//! // Against a weaker opponent: the drawish position is worth more than it was, a draw still 0.
//! let ambitious = MODEL.centipawns(w.with_contempt(100, 420), sum.draw());
//! assert!(ambitious > score);
//! ```

mod packed;
mod tables;

pub use packed::Packed;
pub(crate) use tables::exp_of_minus_one_by;

use crate::score::{Centipawns, DrawScore, Probability};

/// ln(10)/400 logits in a centipawn, in units of 2^-16 logit with 24 more bits.
const UNITS_PER_CENTIPAWN: u64 = 6_329_297_709;
/// Centipawns in a binary logarithm, 400 log10(2), with 20 more bits.
const CENTIPAWNS_PER_LOG2: u64 = 126_261_131;
/// 1/256 logits in a binary logarithm, 256 ln(2), with 20 more bits.
const DRAW_UNITS_PER_LOG2: u64 = 186_065_279;

/// wiloScore on the logit scale in units of 1/65,536 logit, positive for the side whose view it is.
///
/// ln(10)/4 logits are a pawn: four pawns ahead are ten wins for a loss. The unit is finer than that of a
/// [`DrawScore`] because 1/256 logit would already move P by 0.001.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wilo(pub i32);

impl Wilo {
    /// w = ln(10)/400 x of a score in centipawns that ignores draws (section 2.1). Saturates at ±32,768 logits.
    #[must_use]
    #[inline]
    pub const fn from_centipawns(score: Centipawns) -> Wilo {
        let size = (score.0.unsigned_abs() as u64 * UNITS_PER_CENTIPAWN + (1 << 23)) >> 24;
        let size = if size > i32::MAX as u64 { i32::MAX } else { size as i32 };
        Wilo(if score.0 < 0 { -size } else { size })
    }

    /// From units of 1/256 logit, those of a [`DrawScore`]. Saturates at ±32,768 logits.
    #[must_use]
    #[inline]
    pub const fn from_logits_256(score: i32) -> Wilo {
        Wilo(score.saturating_mul(256))
    }

    /// Adds a difference in strength in pseudo-Elo, one of which is one centipawn; no more than `limit` of it is
    /// believed, in either direction (section 3.1).
    ///
    /// `elo` is positive where the side whose view the score has is the stronger one. Where it comes from rating
    /// lists, divide it by the share of decisive games first: draws hide that part of a difference.
    #[must_use]
    #[inline]
    pub const fn with_contempt(self, elo: i32, limit: u16) -> Wilo {
        let limit = limit as i32;
        let believed = if elo > limit {
            limit
        } else if elo < -limit {
            -limit
        } else {
            elo
        };
        Wilo(self.0.saturating_add(Wilo::from_centipawns(Centipawns(believed)).0))
    }

    /// As a number on the logit scale.
    #[must_use]
    pub fn to_logit(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }
}

/// Expected score P = W + D/2 in units of 2^-32, above 0 and below 1.
///
/// Its order is that of the scores [`to_centipawns`](Self::to_centipawns) makes of it, and finer: a search can compare
/// these and leave the logarithm until something is shown (section 4). 1/2 is exactly [`EQUAL`](Self::EQUAL).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExpectedScore(u32);

impl ExpectedScore {
    /// 1/2, also that of a certain draw.
    pub const EQUAL: ExpectedScore = ExpectedScore(1 << 31);

    /// 1/2 + `excess` or 1/2 - `excess`, in units of 2^-32, `excess` < 1/2.
    #[inline]
    const fn from_excess(ahead: bool, excess: u64) -> ExpectedScore {
        let excess = excess as u32;
        ExpectedScore(if ahead { (1 << 31) + excess } else { (1 << 31) - excess })
    }

    /// In units of 2^-32, never 0.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// 1 - P, that of the other side.
    #[must_use]
    #[inline]
    pub const fn flip(self) -> ExpectedScore {
        ExpectedScore(self.0.wrapping_neg())
    }

    /// To the nearest 1/65,535.
    #[must_use]
    #[inline]
    pub const fn to_probability(self) -> Probability {
        to_probability(self.0)
    }

    /// As a number from 0 to 1.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 4_294_967_296.0
    }

    /// logit(P)/C, the score that programs show, rounded to centipawns with halves away from 0 (section 2.4).
    #[must_use]
    #[inline]
    pub const fn to_centipawns(self) -> Centipawns {
        self.to_scaled_centipawns(1024)
    }

    /// The same score times `scale`/1024, with `scale` up to 4,096, rounded once: for an engine whose margins want
    /// another slope than the model gives.
    #[must_use]
    #[inline]
    pub const fn to_scaled_centipawns(self, scale: u16) -> Centipawns {
        Centipawns(from_log_odds(self.0, self.0.wrapping_neg(), (CENTIPAWNS_PER_LOG2 * scale as u64) >> 10))
    }
}

/// Probabilities of the three results in permille, as the UCI protocol's `wdl` has them. They sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WdlPermille {
    /// W, of a win.
    pub win: u16,
    /// D, of a draw.
    pub draw: u16,
    /// L, of a loss.
    pub loss: u16,
}

/// The draw model with its one constant, kappa, in units of 1/256.
///
/// u = v - kappa ln(2 cosh(w/2)), where v is the drawScore that the features of a position give, an absolute one:
/// the relative drawScore of a table's cell is added to the [`logit`] of the table's base. At kappa = 0 u is v; in
/// games a side that is far ahead draws less often, which a kappa above 0 says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawModel {
    kappa: u16,
}

impl DrawModel {
    /// kappa = 0: the draw rate does not depend on who is ahead, as in the source.
    pub const SEED: DrawModel = DrawModel::new(0);
    /// kappa = 1: Davidson's model, D = nu sqrt(W L) with v = ln(nu).
    pub const DAVIDSON: DrawModel = DrawModel::new(256);

    /// With kappa in units of 1/256.
    #[must_use]
    pub const fn new(kappa: u16) -> DrawModel {
        DrawModel { kappa }
    }

    /// D = s(v - kappa ln(2 cosh(w/2))) in units of 2^-32 (section 2.3).
    #[inline]
    const fn draw_rate(self, w: Wilo, v: DrawScore) -> u32 {
        let mut u = (v.0 as i64) << 8;
        if self.kappa != 0 {
            u -= (self.kappa as i64 * tables::ln_2_cosh_half(w.0.unsigned_abs()) as i64) >> 16;
        }
        let tail = tables::sigmoid_of_minus(u.unsigned_abs());
        if u < 0 { tail } else { tail.wrapping_neg() }
    }

    /// D, to the nearest 1/65,535.
    #[must_use]
    #[inline]
    pub const fn draw_probability(self, w: Wilo, v: DrawScore) -> Probability {
        to_probability(self.draw_rate(w, v))
    }

    /// P = D/2 + Wp - Wp D (section 2.4).
    #[must_use]
    #[inline]
    pub const fn expected_score(self, w: Wilo, v: DrawScore) -> ExpectedScore {
        // P - 1/2 = (1 - D)(Wp - 1/2): the sign is that of w, and a larger |w| never makes the product smaller.
        let decisive = (1 << 32) - self.draw_rate(w, v) as u64;
        let pseudo_excess = (1 << 31) - tables::sigmoid_of_minus(w.0.unsigned_abs() as u64) as u64;
        ExpectedScore::from_excess(w.0 >= 0, (decisive * pseudo_excess) >> 32)
    }

    /// The score that a search can compare and a program can show: [`ExpectedScore::to_centipawns`].
    ///
    /// At most 3,480 in size, as w counts up to 20 logits where D does not fall any more.
    #[must_use]
    #[inline]
    pub const fn centipawns(self, w: Wilo, v: DrawScore) -> Centipawns {
        self.expected_score(w, v).to_centipawns()
    }

    /// W, D and L (section 2.2). W and L are rounded to the nearest permille and swapped by the sign of w; D is the rest,
    /// so that it can be one off.
    #[must_use]
    pub const fn win_draw_loss(self, w: Wilo, v: DrawScore) -> WdlPermille {
        let decisive = (1 << 32) - self.draw_rate(w, v) as u64;
        let behind = tables::sigmoid_of_minus(w.0.unsigned_abs() as u64) as u64;
        let less = permille((decisive * behind) >> 32);
        let more = permille((decisive * ((1 << 32) - behind)) >> 32);
        // A draw rate of one unit at least keeps both from being rounded up; this holds whatever the tables are.
        let more = if less + more > 1000 { 1000 - less } else { more };
        let draw = 1000 - less - more;
        if w.0 < 0 { WdlPermille { win: less, draw, loss: more } } else { WdlPermille { win: more, draw, loss: less } }
    }
}

/// The expected score with f(x) = x / (1 + |x|) in the place of the logistic function: two divisions and no table
/// (section 4).
///
/// f reaches from -1 to 1, so that the probability is (1 + f)/2 and P - 1/2 = f(w)(1 - f(u))/4. Its tails are
/// heavier than the logistic ones, so coefficients have to be tuned for it anew. Within 2^-30 of the formula.
#[must_use]
#[inline]
pub const fn fast_expected_score(w: Wilo, u: DrawScore) -> ExpectedScore {
    let (w_size, u_size) = (w.0.unsigned_abs() as u64, u.0.unsigned_abs() as u64);
    let f = (w_size << 32) / ((1 << 16) + w_size);
    // 1 - f(u) is 1/(1 + u) above 0 and (1 + 2|u|)/(1 + |u|) below, here with 31 bits.
    let numerator = if u.0 < 0 { 256 + 2 * u_size } else { 256 };
    let decisive_twice = (numerator << 31) / (256 + u_size);
    ExpectedScore::from_excess(w.0 >= 0, (f * decisive_twice) >> 33)
}

/// The drawScore of a draw probability, ln(p / (1 - p)), rounded. 0 and 65,535 count as half a unit from the end.
#[must_use]
pub const fn logit(p: Probability) -> DrawScore {
    let odds_for = if p.0 == 0 { 1 } else { 2 * p.0 as u32 };
    let odds_against = if p.0 == u16::MAX { 1 } else { 2 * (u16::MAX - p.0) as u32 };
    DrawScore(from_log_odds(odds_for, odds_against, DRAW_UNITS_PER_LOG2) as i16)
}

/// log2(a / b) times a factor with 20 more bits, rounded with halves away from 0. Neither is 0.
#[inline]
const fn from_log_odds(a: u32, b: u32, factor: u64) -> i32 {
    let logs = tables::log2(a) - tables::log2(b); // with 30 more bits, at most 32 in size
    let size = ((logs.unsigned_abs() as u128 * factor as u128 + (1 << 49)) >> 50) as i32;
    if logs < 0 { -size } else { size }
}

/// From units of 2^-32.
#[inline]
const fn to_probability(p: u32) -> Probability {
    Probability(((p as u64 * 65_535 + (1 << 31)) >> 32) as u16)
}

/// s(x) in units of 2^-32 for x in units of 2^-16 logit; beyond 20 logits it stays.
#[inline]
pub(crate) const fn sigmoid(x: i64) -> u64 {
    let tail = tables::sigmoid_of_minus(x.unsigned_abs()) as u64;
    if x < 0 { tail } else { (1 << 32) - tail }
}

/// From units of 2^-32, to the nearest.
#[inline]
pub(crate) const fn permille(p: u64) -> u16 {
    ((p * 1000 + (1 << 31)) >> 32) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model in floating point, as its formulas are written.
    fn real(kappa: u16, w: f64, v: f64) -> (f64, f64, f64) {
        let s = |x: f64| 1.0 / (1.0 + (-x).exp());
        let ln_2_cosh_half = w.abs() / 2.0 + (-w.abs()).exp().ln_1p();
        let d = s(v - f64::from(kappa) / 256.0 * ln_2_cosh_half);
        ((1.0 - d) * s(w), d, (1.0 - d) * s(-w))
    }

    const KAPPAS: [u16; 5] = [0, 256, 384, 845, 1024];

    /// Over the tables and far beyond them, on a grid that meets entries as well as what lies between.
    fn grid() -> impl Iterator<Item = (Wilo, DrawScore)> {
        let far = [30 << 16, 60 << 16, 100 << 16, i32::MAX];
        (0..22 << 16).step_by(1021).chain(far).flat_map(|w| {
            let far = [i16::MIN, -20_000, 9_000, 20_000, i16::MAX];
            (-4500..4500).step_by(37).chain(far).map(move |v| (Wilo(w), DrawScore(v)))
        })
    }

    #[test]
    fn the_expected_score_is_close_over_the_whole_range_and_odd() {
        let mut worst = 0f64;
        for kappa in KAPPAS {
            let model = DrawModel::new(kappa);
            for (w, v) in grid() {
                let (win, draw, _) = real(kappa, w.to_logit(), v.to_logit());
                let p = model.expected_score(w, v);
                worst = worst.max((p.to_f64() - win - draw / 2.0).abs());
                assert_eq!(model.expected_score(Wilo(-w.0), v), p.flip());
                assert_eq!(model.centipawns(Wilo(-w.0), v).0, -model.centipawns(w, v).0);
            }
        }
        assert!(worst < 1e-5, "{worst}");
        let model = DrawModel::new(16 * 256);
        let worst = grid().fold(0f64, |worst, (w, v)| {
            let (win, draw, _) = real(16 * 256, w.to_logit(), v.to_logit());
            worst.max((model.expected_score(w, v).to_f64() - win - draw / 2.0).abs())
        });
        assert!(worst < 3e-5, "{worst}");
    }

    /// Without draws W and L together are 1,000 permille, however they are rounded.
    #[test]
    fn permille_add_up_where_there_is_no_draw() {
        let model = DrawModel::new(0);
        for w in (-(12 << 16)..12 << 16).step_by(11) {
            let WdlPermille { win, draw, loss } = model.win_draw_loss(Wilo(w), DrawScore(i16::MIN));
            assert!(win + draw + loss == 1000 && draw <= 1, "{w}: {win} {draw} {loss}");
        }
        assert_eq!(tables::sigmoid_of_minus(0), 1 << 31, "one half");
    }

    /// From centipawns to P, where the rounding of the input to units counts too.
    #[test]
    fn centipawns_reach_p_without_loss() {
        for score in (-30_000..=30_000).chain([i32::MIN, i32::MIN + 1, i32::MAX]) {
            let w = Wilo::from_centipawns(Centipawns(score));
            let exact = f64::from(score) * core::f64::consts::LN_10 / 400.0;
            if exact.abs() < 32_767.0 {
                assert!((w.to_logit() - exact).abs() * 65_536.0 < 0.501, "{score}");
            }
            for v in [-1500, -300, 0, 300] {
                let (win, draw, _) = real(384, exact, f64::from(v) / 256.0);
                let p = DrawModel::new(384).expected_score(w, DrawScore(v));
                assert!((p.to_f64() - win - draw / 2.0).abs() < 1e-5, "{score} {v}");
            }
        }
    }

    #[test]
    fn scores_never_fall_where_w_rises() {
        for kappa in KAPPAS {
            let model = DrawModel::new(kappa);
            for v in [i16::MIN, -900, 0, 700, 3000, i16::MAX] {
                let (mut p_before, mut score_before) = (ExpectedScore::EQUAL, Centipawns(0));
                for w in (0..22 << 16).step_by(7) {
                    let p = model.expected_score(Wilo(w), DrawScore(v));
                    let score = p.to_centipawns();
                    assert!(p >= p_before && score >= score_before, "kappa {kappa}, w {w}, v {v}");
                    (p_before, score_before) = (p, score);
                }
            }
        }
    }

    #[test]
    fn shown_scores_are_those_of_the_formula_rounded_once() {
        for kappa in KAPPAS {
            let model = DrawModel::new(kappa);
            for (w, v) in grid() {
                let (win, draw, loss) = real(kappa, w.to_logit(), v.to_logit());
                let exact = 400.0 * ((win + draw / 2.0) / (loss + draw / 2.0)).log10();
                let shown = f64::from(model.centipawns(w, v).0);
                if exact.abs() < 2000.0 {
                    assert!((shown - exact).abs() < 0.53, "kappa {kappa}, {w:?}, {v:?}: {shown} for {exact}");
                }
            }
        }
        for scale in [512, 1024, 1700, 4096] {
            let score = DrawModel::DAVIDSON.expected_score(Wilo(80_000), DrawScore(70));
            let exact = 400.0 * (score.to_f64() / (1.0 - score.to_f64())).log10() * f64::from(scale) / 1024.0;
            assert!((f64::from(score.to_scaled_centipawns(scale).0) - exact).abs() < 0.53, "{scale}");
        }
        // The ends, and P as it is: without draws a score comes back as it went in.
        assert!((3390..=3480).contains(&DrawModel::SEED.centipawns(Wilo(i32::MAX), DrawScore(i16::MIN)).0));
        for score in -2000..=2000 {
            let back = DrawModel::SEED.centipawns(Wilo::from_centipawns(Centipawns(score)), DrawScore(i16::MIN));
            assert_eq!(back.0, score);
        }
    }

    #[test]
    fn permille_sum_to_a_thousand_and_swap() {
        for kappa in KAPPAS {
            let model = DrawModel::new(kappa);
            for (w, v) in grid() {
                let wdl = model.win_draw_loss(w, v);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                let (win, draw, loss) = real(kappa, w.to_logit(), v.to_logit());
                for (permille, real, allowed) in [(wdl.win, win, 0.52), (wdl.draw, draw, 1.02), (wdl.loss, loss, 0.52)]
                {
                    assert!((f64::from(permille) - 1000.0 * real).abs() < allowed, "{kappa} {w:?} {v:?} {wdl:?}");
                }
                let flipped = model.win_draw_loss(Wilo(-w.0), v);
                if w.0 != 0 {
                    assert_eq!((flipped.win, flipped.draw, flipped.loss), (wdl.loss, wdl.draw, wdl.win));
                }
            }
            let equal = model.win_draw_loss(Wilo(0), DrawScore(0));
            assert_eq!(equal.win, equal.loss);
        }
    }

    #[test]
    fn the_fast_sigmoid_is_exact_and_odd() {
        for (w, v) in grid() {
            let f = |x: f64| x / (1.0 + x.abs());
            let p = 0.5 + f(w.to_logit()) * (1.0 - f(v.to_logit())) / 4.0;
            let fast = fast_expected_score(w, v);
            assert!((fast.to_f64() - p).abs() < 2f64.powi(-30));
            assert_eq!(fast_expected_score(Wilo(-w.0), v), fast.flip());
        }
        // Nothing wraps at the corners.
        for v in [i16::MIN, i16::MAX] {
            assert!(fast_expected_score(Wilo(i32::MAX), DrawScore(v)) >= ExpectedScore::EQUAL);
            assert!(fast_expected_score(Wilo(i32::MIN), DrawScore(v)) <= ExpectedScore::EQUAL);
        }
    }

    #[test]
    fn contempt_is_in_centipawns_and_limited() {
        let shift = |elo| Wilo::default().with_contempt(elo, 420);
        assert_eq!(shift(100), Wilo::from_centipawns(Centipawns(100)));
        assert_eq!(shift(-100), Wilo(-shift(100).0));
        assert_eq!((shift(421), shift(i32::MIN)), (shift(420), Wilo(-shift(420).0)));
        assert_eq!(Wilo(i32::MAX).with_contempt(1, 420), Wilo(i32::MAX));
        assert_eq!(Wilo::from_logits_256(-3), Wilo(-768));
        assert_eq!(Wilo::from_logits_256(i32::MAX), Wilo(i32::MAX));
    }

    #[test]
    fn draw_probabilities_and_their_logits() {
        for raw in 0..=u16::MAX {
            let p = f64::from(raw).clamp(0.5, 65_534.5) / 65_535.0;
            let score = logit(Probability(raw));
            let exact = 256.0 * (p / (1.0 - p)).ln();
            assert!((f64::from(score.0) - exact).abs() < 0.51 || raw == 0 || raw == u16::MAX, "{raw}: {score:?}");
            let back = DrawModel::SEED.draw_probability(Wilo(0), score).to_f64();
            assert!((back - p).abs() < 0.25 / 500.0, "{raw}: {back}");
        }
        assert_eq!(logit(Probability(0)).0, -logit(Probability(u16::MAX)).0);
        // kappa takes ln 2 off at w = 0.
        let u = f64::from(DrawModel::DAVIDSON.draw_probability(Wilo(0), DrawScore(0)).0) / 65_535.0;
        assert!((u - 1.0 / 3.0).abs() < 2e-5);
    }

    /// An engine can make its tables with these.
    const _: () = {
        let w = Wilo::from_centipawns(Centipawns(130)).with_contempt(20, 420);
        let score = DrawModel::DAVIDSON.centipawns(w, DrawScore(40)).0;
        assert!(score > 0 && score < 150);
        assert!(fast_expected_score(w, DrawScore(40)).raw() > ExpectedScore::EQUAL.raw());
        assert!(Packed::new(3, -4).wilo() == 3 && Packed::new(3, -4).flip_colors().wilo() == -3);
    };
}
