//! What moves the two scores from outside the position: the players, their skill and their clocks.

use std::f64::consts::LN_10;

use super::{logit, sigmoid};

/// Logits in a pseudo-Elo, ln(10)/400: a hundred are [`C`](super::C), so one pseudo-Elo is one centipawn (section 3.1).
pub const LOGIT_PER_ELO: f64 = LN_10 / 400.0;

/// Logits of w in one Elo of *expected score* where a share `draw_rate` of the games is drawn: (ln(10)/400) / (1 - D).
///
/// Ratings are made from expected scores, in which draws hide a part of the difference: around equality
/// dP/dw = (1 - D)/4, so that w has to move 1 / (1 - D) times as far. First order in the difference; `None` unless
/// 0 <= D < 1.
#[must_use]
pub fn logit_per_expected_elo(draw_rate: f64) -> Option<f64> {
    (0.0..1.0).contains(&draw_rate).then(|| LOGIT_PER_ELO / (1.0 - draw_rate))
}

/// Contempt as a difference in strength that is added to the wiloScore (section 3.1).
///
/// The stronger side then finds drawish positions worse and sharp ones better than they are, by as much as its strength
/// and the drawScore of each position say. A certain draw stays at P = 1/2 while w is shifted: that is
/// what makes it unattractive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contempt {
    /// By how much the side whose view the scores have is stronger, in Elo.
    pub elo: f64,
    /// No more than this is believed, in Elo, in either direction; infinity for no limit. Not negative.
    pub limit: f64,
    /// Logits in an Elo: [`LOGIT_PER_ELO`] for pseudo-Elo, [`logit_per_expected_elo`] for rating lists.
    pub logit_per_elo: f64,
}

impl Contempt {
    /// A difference in pseudo-Elo, one centipawn each, of at most 420 (the limit that Lc0 has).
    #[must_use]
    pub fn pseudo_elo(elo: f64) -> Contempt {
        Contempt { elo, limit: 420.0, logit_per_elo: LOGIT_PER_ELO }
    }

    /// What is added to w.
    #[must_use]
    pub fn shift(self) -> f64 {
        let believed = if self.elo.abs() > self.limit { self.limit.copysign(self.elo) } else { self.elo };
        believed * self.logit_per_elo
    }
}

/// The shift of the base of the drawScore that a time control and a skill level call for: logit(D) - logit(nominal),
/// with their draw rates between equal players from the opening (sections 3.2 and 3.3).
///
/// Slow games and strong players have a positive one. It belongs into fits, where games of many kinds come together: u
/// of a row is its features' score plus the shift of its kind of games. In a search it is the same for all leaves and
/// changes no move (see [`expected_score`](super::expected_score)). The source's nominal rate is 1/2.
/// `None` unless both are between 0 and 1.
#[must_use]
pub fn base_shift(draw_rate: f64, nominal: f64) -> Option<f64> {
    let shift = logit(draw_rate) - logit(nominal);
    shift.is_finite().then_some(shift)
}

/// dP/du = -D (1 - D)(Wp - 1/2), what a higher base of the drawScore is worth, in expected score per logit.
///
/// This is the remark of section 3.2 on unequal clocks. The player with more time decides by his pace how slow the
/// rest of the game is in effect, and slow games have a higher draw rate; W/L stays as it is as long as he does not
/// play faster than his opponent. So the sign says how to play: positive, he is behind, move slower; negative, he is
/// ahead, move faster. It says nothing about moves, as the shift is the same for all of them.
#[must_use]
pub fn expected_score_per_draw_score(w: f64, u: f64) -> f64 {
    -sigmoid(u) * sigmoid(-u) * (w / 2.0).tanh() / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::draw::{expected_score, wilo};

    #[test]
    fn a_pseudo_elo_is_a_centipawn_and_too_many_are_not_believed() {
        assert!((Contempt::pseudo_elo(1.0).shift() - wilo(0.01)).abs() < 1e-17);
        assert_eq!(Contempt::pseudo_elo(-9000.0).shift(), -420.0 * LOGIT_PER_ELO);
        let free = Contempt { limit: f64::INFINITY, ..Contempt::pseudo_elo(9000.0) };
        assert_eq!(free.shift(), 9000.0 * LOGIT_PER_ELO);
        assert!(Contempt::pseudo_elo(f64::NAN).shift().is_nan());
    }

    #[test]
    fn draws_hide_a_part_of_a_rating() {
        // The figure of human games: D = .305 predicts .0083 logits per Elo.
        assert!((logit_per_expected_elo(0.305).unwrap() - 0.0083).abs() < 5e-5);
        assert_eq!(logit_per_expected_elo(1.0), None);
        assert_eq!(logit_per_expected_elo(-0.1), None);
        assert_eq!(logit_per_expected_elo(f64::NAN), None);
    }

    #[test]
    fn a_contemptuous_side_avoids_draws() {
        let w = Contempt::pseudo_elo(100.0).shift();
        assert!(expected_score(w, 2.0) < expected_score(w, -2.0));
        assert!(expected_score(w, 2.0) > 0.5, "a certain draw is worth less than a drawish position");
        assert_eq!(expected_score(0.0, 2.0), expected_score(0.0, -2.0));
    }

    #[test]
    fn the_base_follows_the_draw_rate() {
        assert_eq!(base_shift(0.5, 0.5), Some(0.0));
        assert!(base_shift(0.86, 0.5).unwrap() > 1.8 && base_shift(0.2, 0.5).unwrap() < -1.3);
        assert_eq!(base_shift(0.0, 0.5), None);
        assert_eq!(base_shift(0.4, 1.0), None);
        assert_eq!(base_shift(1.4, 0.5), None);
    }

    proptest! {
        #[test]
        fn the_expected_score_elo_matches_to_first_order(elo in -10.0..10.0f64, draw_rate in 0.0..0.95f64) {
            let w = elo * logit_per_expected_elo(draw_rate).unwrap();
            let expected = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            // Both curves are odd about 1/2: what is left is of third order in w.
            prop_assert!((expected_score(w, logit(draw_rate)) - expected).abs() <= w.abs().powi(3) / 20.0 + 1e-15);
        }

        #[test]
        fn a_shifted_base_gives_the_draw_rate_asked_for(nominal in 0.01..0.99, rate in 0.01..0.99) {
            let u = logit(nominal) + base_shift(rate, nominal).unwrap();
            prop_assert!((sigmoid(u) - rate).abs() < 1e-12);
        }

        #[test]
        fn behind_moves_slower_and_ahead_faster(w in -10.0..10.0, u in -10.0..10.0) {
            let slope = expected_score_per_draw_score(w, u);
            let h = 1e-5;
            let measured = (expected_score(w, u + h) - expected_score(w, u - h)) / (2.0 * h);
            prop_assert!((slope - measured).abs() < 1e-9);
            prop_assert_eq!(slope > 0.0, w < 0.0);
        }
    }
}
