//! The sigmoid without an exponential (section 4).

/// x / (1 + |x|), from -1 to 1: shaped like tanh(x/2), with heavier tails. Coefficients have to be tuned for it anew.
#[must_use]
pub fn fsigmoid(x: f64) -> f64 {
    // Divided by |x| where 1 + |x| would be infinite over infinite.
    if x.is_infinite() { x.signum() } else { x / (1.0 + x.abs()) }
}

/// (1 + f(x))/2, from 0 to 1: the affine step that makes [`fsigmoid`] the probability that the formulas of the source
/// need in the place of their sigmoid.
#[must_use]
pub fn fast_probability(x: f64) -> f64 {
    (1.0 + fsigmoid(x)) / 2.0
}

/// The expected score with [`fast_probability`] in the place of both sigmoids, P = 1/2 + f(w)(1 - f(u))/4.
#[must_use]
pub fn fast_expected_score(w: f64, u: f64) -> f64 {
    0.5 + fsigmoid(w) * (1.0 - fsigmoid(u)) / 4.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ends_are_reached() {
        assert_eq!((fsigmoid(f64::NEG_INFINITY), fsigmoid(0.0), fsigmoid(f64::INFINITY)), (-1.0, 0.0, 1.0));
        assert_eq!((fast_probability(-3.0), fast_probability(1.0)), (0.125, 0.75));
        assert!(fsigmoid(f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn the_short_form_is_the_formula_of_section_2_4(w in -1e6..1e6, u in -1e6..1e6) {
            let (wp, d) = (fast_probability(w), fast_probability(u));
            prop_assert!((fast_expected_score(w, u) - (d / 2.0 + wp - wp * d)).abs() < 1e-15);
            prop_assert!((fast_expected_score(-w, u) + fast_expected_score(w, u) - 1.0).abs() < 1e-15);
        }

        #[test]
        fn it_is_a_sigmoid(x in -1e6..1e6, more in 1e-3..1e3) {
            prop_assert!(fsigmoid(x + more) > fsigmoid(x));
            prop_assert_eq!(fsigmoid(-x), -fsigmoid(x));
            prop_assert!(fsigmoid(x).abs() < 1.0);
        }
    }
}
