//! The three curves as tables, made by the compiler in integers, and straight lines between their entries.

/// Beyond so many logits the tail of the sigmoid, 2.1e-9, is not followed any further.
const SIGMOID_LOGITS: usize = 20;
/// Entries in a logit.
const SIGMOID_STEPS: usize = 64;
/// Beyond so many logits ln(2 cosh(w/2)) is w/2.
const COSH_LOGITS: usize = 16;
/// Entries in a logit.
const COSH_STEPS: usize = 32;

/// 1 with the 62 bits behind the point that the tables are made with.
const ONE: u128 = 1 << 62;
/// ln(2) with 62 bits.
const LN_2: u128 = 3_196_577_161_300_663_915;

/// s(-k/64) in units of 2^-32: the half of the sigmoid that is precise in its tail. The other half is 1 - it.
static SIGMOID: [u32; SIGMOID_LOGITS * SIGMOID_STEPS + 1] = {
    let mut table = [0; SIGMOID_LOGITS * SIGMOID_STEPS + 1];
    let step = exp_of_minus_one_by(SIGMOID_STEPS as i128);
    let (mut k, mut power) = (0, ONE);
    while k < table.len() {
        let sum = ONE + power;
        table[k] = (((power << 32) + sum / 2) / sum) as u32;
        power = (power * step + ONE / 2) >> 62;
        k += 1;
    }
    table
};

/// ln(2 cosh(w/2)) = w/2 + ln(1 + e^-w) at w = k/32, in units of 2^-24.
static LN_2_COSH_HALF: [u32; COSH_LOGITS * COSH_STEPS + 1] = {
    let mut table = [0; COSH_LOGITS * COSH_STEPS + 1];
    let step = exp_of_minus_one_by(COSH_STEPS as i128);
    let (mut k, mut power) = (0, ONE);
    while k < table.len() {
        let half = (k as u128 * ONE) / (2 * COSH_STEPS as u128);
        let log = (binary_log(ONE + power) * LN_2) >> 40;
        table[k] = ((half + log + (1 << 37)) >> 38) as u32;
        power = (power * step + ONE / 2) >> 62;
        k += 1;
    }
    table
};

/// log2(1 + k/256) in units of 2^-30.
static LOG2: [u32; 257] = {
    let mut table = [0; 257];
    let mut k = 0;
    while k < table.len() {
        let log = binary_log(ONE + ((k as u128) << 54));
        table[k] = ((log + (1 << 9)) >> 10) as u32;
        k += 1;
    }
    table
};

/// e^(-1/n) with 62 bits, by its series with 100.
pub(crate) const fn exp_of_minus_one_by(n: i128) -> u128 {
    let (mut sum, mut term, mut i) = (0i128, 1i128 << 100, 1);
    while term != 0 {
        sum += term;
        term /= -n * i;
        i += 1;
    }
    (sum >> 38) as u128
}

/// log2(x) with 40 bits, for x with 62 bits and 1 <= x < 4: squaring doubles the logarithm, so that each square tells
/// one more of its bits.
const fn binary_log(mut x: u128) -> u128 {
    let (mut log, mut bit) = (0, 0);
    while bit <= 40 {
        log <<= 1;
        if x >= 2 * ONE {
            x >>= 1;
            log += 1;
        }
        x = (x * x) >> 62;
        bit += 1;
    }
    log
}

/// s(-x) in units of 2^-32 for x >= 0 in units of 2^-16; from 20 on it is that of 20. From 2^31 down to 9.
#[inline]
pub(super) const fn sigmoid_of_minus(x: u64) -> u32 {
    const BITS: u32 = 16 - SIGMOID_STEPS.trailing_zeros();
    const END: u64 = (SIGMOID_LOGITS as u64) << 16;
    if x >= END {
        return SIGMOID[SIGMOID_LOGITS * SIGMOID_STEPS];
    }
    let (k, rest) = ((x >> BITS) as usize, x & ((1 << BITS) - 1));
    let fall = (SIGMOID[k] - SIGMOID[k + 1]) as u64;
    SIGMOID[k] - ((fall * rest) >> BITS) as u32
}

/// ln(2 cosh(w/2)) in units of 2^-24 for w >= 0 in units of 2^-16; from 16 on it is w/2.
#[inline]
pub(super) const fn ln_2_cosh_half(w: u32) -> u64 {
    const BITS: u32 = 16 - COSH_STEPS.trailing_zeros();
    const END: u32 = (COSH_LOGITS as u32) << 16;
    if w >= END {
        return (w as u64) << 7;
    }
    let (k, rest) = ((w >> BITS) as usize, (w & ((1 << BITS) - 1)) as u64);
    let rise = (LN_2_COSH_HALF[k + 1] - LN_2_COSH_HALF[k]) as u64;
    LN_2_COSH_HALF[k] as u64 + ((rise * rest) >> BITS)
}

/// log2(x) in units of 2^-30 for x > 0.
#[inline]
pub(super) const fn log2(x: u32) -> i64 {
    let zeros = x.leading_zeros();
    let mantissa = x << zeros;
    let (k, rest) = ((mantissa >> 23) as usize & 255, (mantissa & ((1 << 23) - 1)) as u64);
    let rise = (LOG2[k + 1] - LOG2[k]) as u64;
    ((31 - zeros as i64) << 30) + LOG2[k] as i64 + ((rise * rest) >> 23) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every entry is the real value rounded to the unit; f64 has digits to spare for all of them.
    #[test]
    fn the_compiler_made_the_curves() {
        let close = |entry: u32, real: f64| (f64::from(entry) - real).abs() < 0.5001;
        for (k, &entry) in SIGMOID.iter().enumerate() {
            let x = k as f64 / 64.0;
            assert!(close(entry, 2f64.powi(32) / (1.0 + x.exp())), "s(-{x}): {entry}");
        }
        for (k, &entry) in LN_2_COSH_HALF.iter().enumerate() {
            let w = k as f64 / 32.0;
            assert!(close(entry, 2f64.powi(24) * (2.0 * (w / 2.0).cosh()).ln()), "ln 2cosh({w}/2): {entry}");
        }
        for (k, &entry) in LOG2.iter().enumerate() {
            let x = 1.0 + k as f64 / 256.0;
            assert!(close(entry, 2f64.powi(30) * x.log2()), "log2 {x}: {entry}");
        }
    }

    #[test]
    fn lines_between_the_entries_are_close_and_never_turn() {
        let mut before = (u32::MAX, 0);
        for x in 0..24 << 16 {
            let real = f64::from(x) / 65_536.0;
            let (tail, cosh) = (sigmoid_of_minus(x.into()), ln_2_cosh_half(x));
            assert!((f64::from(tail) / 2f64.powi(32) - 1.0 / (1.0 + real.exp())).abs() < 3.1e-6, "{real}");
            assert!((cosh as f64 / 2f64.powi(24) - (2.0 * (real / 2.0).cosh()).ln()).abs() < 3.2e-5, "{real}");
            assert!(tail <= before.0 && cosh >= before.1, "{real}");
            before = (tail, cosh);
        }
        assert_eq!(ln_2_cosh_half(u32::MAX), u64::from(u32::MAX) << 7);
        assert_eq!((sigmoid_of_minus(u64::MAX), sigmoid_of_minus(20 << 16)), (9, 9));
    }

    #[test]
    fn logarithms_rise_and_are_close() {
        let mut before = i64::MIN;
        for x in (1..1 << 16).chain((1 << 16..u32::MAX).step_by(999)).chain([u32::MAX]) {
            let log = log2(x);
            assert!((log as f64 / 2f64.powi(30) - f64::from(x).log2()).abs() < 3e-6, "{x}");
            assert!(log >= before, "{x}");
            before = log;
        }
    }
}
