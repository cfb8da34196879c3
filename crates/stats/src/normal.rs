//! The normal distribution, also far out in its tails.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::{erfc, erfc_inv};

/// The 97.5 % quantile: half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;
/// The 95 % quantile: half the width of a 90 % interval in standard errors.
pub const Z90: f64 = 1.644_853_626_951_472_2;

/// The probability that a standard normal variable is below `z`.
#[must_use]
pub fn cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// Its logarithm, also where the probability itself is too small to be written.
#[must_use]
pub fn ln_cdf(z: f64) -> f64 {
    if z > -30.0 {
        return cdf(z).ln();
    }
    // The first terms of the asymptotic series; the next is 15 / z^6 < 1e-7 of the last written.
    let z2 = z * z;
    -0.5 * z2 - (-z).ln() - 0.5 * (2.0 * PI).ln() + (-1.0 / z2 + 3.0 / (z2 * z2)).ln_1p()
}

/// The value below which a standard normal variable lies with probability `p`, 0 < p < 1.
#[must_use]
pub fn quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_a_seamless_tail() {
        assert!((cdf(Z95) - 0.975).abs() < 1e-10);
        assert!((quantile(0.975) - Z95).abs() < 1e-9);
        assert!((quantile(0.05) + 1.644_853_626_951_473).abs() < 1e-9);
        // Phi(-40) = 3.655893540915029e-350.
        assert!((ln_cdf(-40.0) - (3.655_893_540_915_029_f64.ln() - 350.0 * std::f64::consts::LN_10)).abs() < 1e-6);
        assert!((ln_cdf(-30.0 - 1e-9) - ln_cdf(-30.0 + 1e-9)).abs() < 1e-6);
    }
}
