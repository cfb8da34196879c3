//! Powers of e in integers.

use crate::expect::exp_of_minus_one_by;

/// 1 with 62 bits behind the point.
const ONE: u128 = 1 << 62;

/// 2^(i/64) in 1/65,536.
static POWERS: [u32; 65] = {
    // The 64th root of 2, by six square roots.
    let (mut step, mut halvings) = (2 * ONE, 0);
    while halvings < 6 {
        step = (step << 62).isqrt();
        halvings += 1;
    }
    let mut powers = [0; 65];
    let (mut i, mut power) = (0, ONE);
    while i < 65 {
        powers[i] = ((power + (1 << 45)) >> 46) as u32;
        power = (power * step) >> 62;
        i += 1;
    }
    powers
};

/// e^x in 1/65,536 for x in 1/65,536 from -16 to 16 logits, beyond which it stays. Relative error below 0.0001 where the
/// result is at least 1.
#[inline]
pub(super) const fn exp(x: i64) -> u64 {
    const LIMIT: i64 = 16 << 16;
    let x = if x > LIMIT {
        LIMIT
    } else if x < -LIMIT {
        -LIMIT
    } else {
        x
    };
    // 94,548 is log2(e) in 1/65,536.
    let t = (x * 94_548) >> 16;
    let (n, fraction) = (t >> 16, (t & 0xffff) as usize);
    let (i, rest) = (fraction >> 10, (fraction & 1023) as u64);
    let (low, high) = (POWERS[i] as u64, POWERS[i + 1] as u64);
    let power = low + (((high - low) * rest + 512) >> 10);
    if n >= 0 { power << (n & 63) } else { (power + (1 << ((-n - 1) & 63))) >> (-n & 63) }
}

/// e^4 is far beyond the limits of a gain.
pub(super) const RANGE: i64 = 4 * 256;

/// e^(k/256), rounded in 1/1,024, for k from -RANGE to RANGE.
static GAINS: [u16; 2 * RANGE as usize + 1] = {
    const MIDDLE: usize = RANGE as usize;
    // 60 bits behind the point: e^4 has 6 before it, and a product fits.
    let down = exp_of_minus_one_by(256) >> 2;
    let up = (1 << 120) / down;
    let mut gains = [0; 2 * MIDDLE + 1];
    let (mut k, mut growing, mut falling) = (0, 1_u128 << 60, 1_u128 << 60);
    while k <= MIDDLE {
        gains[MIDDLE + k] = ((growing + (1 << 49)) >> 50) as u16;
        gains[MIDDLE - k] = ((falling + (1 << 49)) >> 50) as u16;
        growing = (growing * up + (1 << 59)) >> 60;
        falling = (falling * down + (1 << 59)) >> 60;
        k += 1;
    }
    gains
};

/// e^x in 1/1,024 for x in 1/256 logit; beyond ±4 logits it stays.
#[inline]
pub(super) fn gain(x: i64) -> i64 {
    let place = (x.clamp(-RANGE, RANGE) + RANGE) as usize;
    GAINS.get(place).copied().unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_close_and_never_fall() {
        let mut last = 0;
        for x in (-17 << 16..17 << 16).step_by(37) {
            let found = exp(x);
            let exact = (x.clamp(-16 << 16, 16 << 16) as f64 / 65_536.0).exp() * 65_536.0;
            assert!((found as f64 - exact).abs() <= 0.51 + exact * 1e-4, "{x}: {found} {exact}");
            assert!(found >= last, "{x}");
            last = found;
        }
    }

    #[test]
    fn gains_are_rounded_to_the_nearest() {
        for x in -RANGE..=RANGE {
            let exact = 1024.0 * (x as f64 / 256.0).exp();
            assert!((gain(x) as f64 - exact).abs() <= 0.500_001, "{x}: {} {exact}", gain(x));
        }
        assert_eq!((gain(i64::MIN), gain(i64::MAX)), (gain(-RANGE), gain(RANGE)));
    }
}
