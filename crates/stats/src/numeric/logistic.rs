//! The logistic function and its relatives.

/// The logistic function 1 / (1 + e^-x), a probability from a number on the logit scale.
///
/// 0 and 1 are reached only where the result is no longer a number between them; `sigmoid(-x)` keeps its relative
/// precision as 1 - `sigmoid(x)` does not. Where e^-x overflows, from x = -709.8 down, the result is 0.
#[must_use]
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of [`sigmoid`], ln(p / (1 - p)).
///
/// Finite for 0 < p < 1, minus infinity at 0, infinity at 1, NaN outside.
#[must_use]
#[inline]
pub fn logit(p: f64) -> f64 {
    p.ln() - (-p).ln_1p()
}

/// ln(1 + e^x) without overflow, at least 0: the integral of [`sigmoid`].
#[must_use]
#[inline]
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// -ln(sigmoid(x)) without overflow: the loss in nats of a forecast `sigmoid(x)` when the event happens.
#[must_use]
#[inline]
pub fn neg_ln_sigmoid(x: f64) -> f64 {
    softplus(-x)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ends_are_finite() {
        assert_eq!((sigmoid(1e9), sigmoid(-1e9), sigmoid(0.0)), (1.0, 0.0, 0.5));
        assert_eq!((softplus(1e300), softplus(-1e300)), (1e300, 0.0));
        assert_eq!((neg_ln_sigmoid(-1e300), neg_ln_sigmoid(1e300)), (1e300, 0.0));
    }

    proptest! {
        #[test]
        fn logit_undoes_sigmoid(x in -700.0..30.0f64) {
            // Near 1 a probability is a multiple of 2^-53, and dx = dp / (1 - p).
            let tolerance = 1e-15 * (1.0 + x.abs() + x.exp());
            prop_assert!((logit(sigmoid(x)) - x).abs() < tolerance);
        }

        #[test]
        fn logarithms_are_those_of_the_sigmoid(x in -30.0..30.0f64) {
            prop_assert!((neg_ln_sigmoid(x) + sigmoid(x).ln()).abs() < 1e-12 * (1.0 + x.abs()));
            prop_assert!((softplus(x) - x - softplus(-x)).abs() < 1e-14 * (1.0 + x.abs()));
        }
    }
}
