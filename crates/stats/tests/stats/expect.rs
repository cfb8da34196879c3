//! The draw model of the core, in integers, against the formulas of `model::draw`; packed scores against pairs of numbers.

use drawish_core::expect::{self, DrawModel, ExpectedScore, Packed, Wilo};
use drawish_core::{Centipawns, DrawScore, Probability};
use drawish_stats::model::draw::{
    Contempt, Family, WinDrawLoss, fast_expected_score, logit_expected_score, score_centipawns, wilo,
};
use proptest::prelude::*;

/// u by the reference, from the numbers that the core is given.
fn draw_score(kappa: u16, w: f64, v: DrawScore) -> f64 {
    Family { kappa: f64::from(kappa) / 256.0 }.draw_score(v.to_logit(), w)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_core_agrees_with_the_reference(
        cp in prop_oneof![-2000..2000, any::<i32>()],
        v in prop_oneof![-2000..2000i16, any::<i16>()],
        kappa in 0..=1024u16,
    ) {
        let (w, v) = (Wilo::from_centipawns(Centipawns(cp)), DrawScore(v));
        let model = DrawModel::new(kappa);
        // Beyond 32,768 logits the input saturates, where P is 1/2, 0 or 1 in every digit as well.
        let real_w = wilo(f64::from(cp) / 100.0).clamp(-32_768.0, 32_768.0);
        let u = draw_score(kappa, real_w, v);
        let real = WinDrawLoss::new(real_w, u);
        prop_assert!((model.expected_score(w, v).to_f64() - real.expected_score()).abs() < 1e-5);
        prop_assert!((model.draw_probability(w, v).to_f64() - real.draw).abs() < 6e-5);
        let wdl = model.win_draw_loss(w, v);
        prop_assert!((f64::from(wdl.win) - 1000.0 * real.win).abs() < 0.55);
        prop_assert!((f64::from(wdl.loss) - 1000.0 * real.loss).abs() < 0.55);
        let score = score_centipawns(real_w, u);
        let shown = model.centipawns(w, v);
        if score.abs() < 2000.0 {
            prop_assert!((f64::from(shown.0) - score).abs() < 0.53, "{:?} for {}", shown, score);
        }
        prop_assert_eq!(model.centipawns(Wilo(-w.0), v).0, -shown.0);
    }

    /// The order of any two positions with the same features is that of their wiloScores.
    #[test]
    fn order_is_kept(a in any::<i32>(), by in 0..1_000_000, v in any::<i16>(), kappa in any::<u16>()) {
        let model = DrawModel::new(kappa);
        let (low, high) = (Wilo(a), Wilo(a.saturating_add(by)));
        prop_assert!(model.expected_score(low, DrawScore(v)) <= model.expected_score(high, DrawScore(v)));
        prop_assert!(model.centipawns(low, DrawScore(v)) <= model.centipawns(high, DrawScore(v)));
        let equal = model.expected_score(Wilo(0), DrawScore(v));
        prop_assert_eq!(equal, ExpectedScore::EQUAL);
    }

    #[test]
    fn contempt_agrees(cp in -3000..3000, elo in any::<i32>(), limit in 0..1000u16) {
        let contempt = Contempt { limit: limit.into(), ..Contempt::pseudo_elo(elo.into()) };
        let w = Wilo::from_centipawns(Centipawns(cp)).with_contempt(elo, limit).to_logit();
        prop_assert!((w - wilo(f64::from(cp) / 100.0) - contempt.shift()).abs() <= 1.01 / 65_536.0);
    }

    #[test]
    fn the_fast_sigmoid_agrees(w in any::<i32>(), u in any::<i16>()) {
        let (w, u) = (Wilo(w), DrawScore(u));
        let real = fast_expected_score(w.to_logit(), u.to_logit());
        prop_assert!((expect::fast_expected_score(w, u).to_f64() - real).abs() < 1e-9);
    }

    #[test]
    fn a_probability_goes_to_its_logit(raw in 1..u16::MAX) {
        let p = Probability(raw).to_f64();
        let real = 256.0 * drawish_stats::model::draw::logit(p);
        prop_assert!((f64::from(expect::logit(Probability(raw)).0) - real).abs() < 0.51);
        // The same curve that the score is shown on.
        prop_assert!((logit_expected_score(real / 256.0, -700.0) - real / 256.0).abs() < 1e-9);
    }

    /// Sums, differences, negations and multiples in one word are those of the two numbers, as long as these fit.
    #[test]
    fn packed_scores_are_pairs(terms in prop::collection::vec((any::<i16>(), any::<i16>(), -12..=12i32, 0..4), 0..40)) {
        let (mut packed, mut wilo, mut draw) = (Packed::ZERO, 0i32, 0i32);
        for (w, d, times, operation) in terms {
            let (dw, dd) = (i32::from(w) / 64 * times, i32::from(d) / 64 * times);
            let term = Packed::new(w / 64, d / 64) * times;
            let before = (packed, wilo, draw);
            match operation {
                0 => { packed += term; wilo += dw; draw += dd; }
                1 => { packed -= term; wilo -= dw; draw -= dd; }
                2 => { packed = -packed + term; wilo = dw - wilo; draw = dd - draw; }
                _ => { packed = packed.flip_colors() + term; wilo = dw - wilo; draw += dd; }
            }
            if i16::try_from(wilo).is_err() || i16::try_from(draw).is_err() {
                (packed, wilo, draw) = before;
            }
            prop_assert_eq!((i32::from(packed.wilo()), i32::from(packed.draw().0)), (wilo, draw));
        }
    }
}
