//! How far each step of tuning looks and goes: the gains of SPSA, as OpenBench and fishtest have them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::parameter::{Kind, Parameter};

/// How the learning rate falls with the steps (Spall 1998, "Implementation of the simultaneous perturbation algorithm").
pub const ALPHA: f64 = 0.602;
/// How the perturbation falls with the steps.
pub const GAMMA: f64 = 0.101;
/// A as a share of all steps: so long the learning rate is kept low.
pub const STABILITY: f64 = 0.1;
/// Less does not change a whole number to either side.
const LEAST_INT: f64 = 0.5;

/// So much of c is played even at a bound, or games there would say nothing.
pub const LEAST_SHARE: f64 = 0.25;

/// The least perturbation that changes what is played.
fn least(parameter: &Parameter) -> f64 {
    match parameter.kind {
        Kind::Int => LEAST_INT,
        Kind::Float => 0.0,
    }
}

/// The gains of one parameter in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The perturbation to either side: `c_k = c_end N^gamma / k^gamma`, at least 1/2 for a whole number.
    pub c: f64,
    /// The learning rate: `r_k = a_k / c_k^2` with `a_k = r_end c_end^2 (A + N)^alpha / (A + k)^alpha`. A game won by one side moves
    /// the value by `r_k c_k` towards it.
    pub r: f64,
}

impl Gains {
    /// The gains of a parameter in step `k` of `n`, both from 1.
    #[must_use]
    pub fn at(parameter: &Parameter, k: u64, n: u64) -> Gains {
        let (k, n) = (k as f64, n as f64);
        let stability = STABILITY * n;
        let c = (parameter.c_end * (n / k).powf(GAMMA)).max(least(parameter));
        let a = parameter.r_end * parameter.c_end.powi(2) * ((stability + n) / (stability + k)).powf(ALPHA);
        Gains { c, r: a / c.powi(2) }
    }
}

/// What is played in a step: the values to either side.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// 1 or -1 for each parameter, at random.
    pub signs: Vec<f64>,
    /// The values plus sign times c, less near a bound.
    pub plus: Vec<f64>,
    /// The values minus sign times c, less near a bound.
    pub minus: Vec<f64>,
}

impl Perturbation {
    /// The values of both sides in step `k` of `n`. They depend on nothing but the arguments: signs and the rounding of whole numbers
    /// come from a ChaCha generator of the seed whose stream is the number of the step.
    ///
    /// Where a bound is nearer than c, both sides step only that far, but at least `LEAST_SHARE` of c: a side that were cut off at its
    /// bound alone would shift the middle of what is played away from the value, and the games would then lead it past the best.
    ///
    /// A whole number is rounded down after the same number from 0 to 1 was added to both sides, so that it is right in the mean.
    #[must_use]
    pub fn at(parameters: &[Parameter], values: &[f64], seed: u64, k: u64, n: u64) -> Perturbation {
        let mut lots = ChaCha8Rng::seed_from_u64(seed);
        lots.set_stream(k);
        let mut found = Perturbation { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (parameter, value) in parameters.iter().zip(values) {
            let sign = if lots.random::<bool>() { 1.0 } else { -1.0 };
            // Drawn for every parameter, so that the kind of one changes nothing for those after it.
            let lot: f64 = lots.random();
            let c = Gains::at(parameter, k, n).c;
            let reach = (value - parameter.min).min(parameter.max - value);
            let c = c.min(reach.max(LEAST_SHARE * c).max(least(parameter)));
            let of = |side: f64| {
                let exact = value + side * sign * c;
                let played = if parameter.kind == Kind::Int { (exact + lot).floor() } else { exact };
                played.clamp(parameter.min, parameter.max)
            };
            found.signs.push(sign);
            found.plus.push(of(1.0));
            found.minus.push(of(-1.0));
        }
        found
    }

    /// Moves the values by the result of the games of step `k` of `n`: games won less games lost by the side `plus`. They stay within
    /// their bounds.
    ///
    /// A step cut short by a bound moves them by the nominal `r_k c_k` too: its games are the less decided the shorter it is, so
    /// the values move more slowly there, to the same place.
    pub fn apply(&self, parameters: &[Parameter], values: &mut [f64], balance: i64, k: u64, n: u64) {
        for ((parameter, value), sign) in parameters.iter().zip(values).zip(&self.signs) {
            let Gains { c, r } = Gains::at(parameter, k, n);
            *value = (*value + r * c * sign * balance as f64).clamp(parameter.min, parameter.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        Parameter::read("a, int, 10, 0, 20, 2, 0.002\nb, float, 0.5, 0, 1, 0.05, 0.01\n").expect("two parameters")
    }

    #[test]
    fn gains_are_those_of_openbench() {
        let [a, b] = &parameters()[..] else { panic!("two") };
        // The last step has the gains of the file.
        let last = Gains::at(b, 1000, 1000);
        assert!((last.c - 0.05).abs() < 1e-15 && (last.r - 0.01).abs() < 1e-15, "{last:?}");
        // By OpenBench: c = c_end * N**0.101 / k**0.101, a = r_end * c_end**2 * (A + N)**0.602, r = a / (A + k)**0.602 / c**2.
        let c = 2.0 * 1000_f64.powf(0.101) / 10_f64.powf(0.101);
        let r = 0.002 * 4.0 * 1100_f64.powf(0.602) / 110_f64.powf(0.602) / (c * c);
        let found = Gains::at(a, 10, 1000);
        assert!((found.c - c).abs() < 1e-12 && (found.r - r).abs() < 1e-12, "{found:?} {c} {r}");
        let small = Parameter { c_end: 0.1, ..a.clone() };
        assert_eq!(Gains::at(&small, 1000, 1000).c, 0.5);
    }

    #[test]
    fn whole_numbers_are_right_in_the_mean_and_depend_on_the_seed_alone() {
        let parameters = parameters();
        let at = |seed, k| Perturbation::at(&parameters, &[10.3, 0.99], seed, k, 4000);
        assert_eq!(at(1, 5), at(1, 5));
        assert_ne!(at(1, 5), at(2, 5));
        let (mut plus, mut signs) = (0.0, 0.0);
        for k in 1..=4000 {
            let found = at(7, k);
            assert!(found.plus[0].fract() == 0.0 && found.minus[0].fract() == 0.0);
            assert!(found.plus[1] <= 1.0 && found.minus[1] <= 1.0);
            let c = Gains::at(&parameters[0], k, 4000).c;
            plus += found.plus[0] - 10.3 - found.signs[0] * c;
            signs += found.signs[0];
        }
        // The error of the mean of 4,000 numbers from 0 to 1 is 0.005, that of 4,000 signs 0.016.
        assert!((plus / 4000.0).abs() < 0.025, "{plus}");
        assert!((signs / 4000.0).abs() < 0.08, "{signs}");
    }

    #[test]
    fn values_move_towards_the_side_that_won_and_stay_within_their_bounds() {
        let parameters = parameters();
        let step = Perturbation { signs: vec![1.0, -1.0], plus: vec![12.0, 0.45], minus: vec![8.0, 0.55] };
        let mut values = [10.0, 0.5];
        step.apply(&parameters, &mut values, 2, 100, 100);
        assert!((values[0] - 10.008).abs() < 1e-12 && (values[1] - 0.499).abs() < 1e-12, "{values:?}");
        step.apply(&parameters, &mut values, -1_000_000, 100, 100);
        assert_eq!(values, [0.0, 1.0]);
    }
}
