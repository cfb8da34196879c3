//! Brownian motion with drift between two barriers: what the log-likelihood ratio of a long match does.

use std::f64::consts::PI;

use super::normal::ln_cdf;

/// A motion that begins at 0 and ends at the first barrier that it reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Brownian {
    /// The lower barrier, below 0.
    pub lower: f64,
    /// The upper barrier, above 0.
    pub upper: f64,
    /// Expected change in a unit of time.
    pub drift: f64,
    /// Variance of the change in a unit of time, above 0.
    pub variance: f64,
}

/// Images of the source on each side. Each next one weighs e^(-2 k^2) of the first where they are used.
const IMAGES: i32 = 5;

impl Brownian {
    /// 2 drift / variance, by which e^(-...) weighs the barriers.
    fn pull(&self) -> f64 {
        2.0 * self.drift / self.variance
    }

    /// The probability that the upper barrier is reached before the lower one:
    /// (1 - e^(-h a)) / (e^(-h b) - e^(-h a)) turned so that nothing overflows, h = 2 drift / variance (Wald).
    #[must_use]
    pub fn upper_probability(&self) -> f64 {
        let h = self.pull();
        let (down, width) = (-self.lower, self.upper - self.lower);
        if h.abs() * width < 1e-9 {
            down / width
        } else if h > 0.0 {
            (-h * down).exp_m1() / (-h * width).exp_m1()
        } else {
            (h * self.upper).exp() * (h * down).exp_m1() / (h * width).exp_m1()
        }
    }

    /// The expected time until a barrier is reached, in units of time: (b P + a (1 - P)) / drift, and -a b / variance without
    /// drift.
    #[must_use]
    pub fn expected_time(&self) -> f64 {
        if (self.pull() * (self.upper - self.lower)).abs() < 1e-6 {
            return -self.lower * self.upper / self.variance;
        }
        let passed = self.upper_probability();
        (self.upper * passed + self.lower * (1.0 - passed)) / self.drift
    }

    /// The probability that the motion does worse than to be at `y` at `time`: that it has reached the lower barrier by
    /// then, or is still on its way and not above `y`. With y at the upper barrier, everything but having reached it by then
    /// is worse; with y at the lower one, only having reached it earlier.
    ///
    /// This orders the ends of a sequential test from the quickest loss to the quickest win.
    #[must_use]
    pub fn worse(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let probability = if self.variance * time <= width * width {
            self.lower_by(time) + self.on_the_way(time, y)
        } else {
            self.worse_by_waves(time, y)
        };
        probability.clamp(0.0, 1.0)
    }

    /// The probability that the lower barrier is reached first, and by this time: the source is mirrored at the barriers, and
    /// each image adds what an inverse Gaussian distribution says of its distance.
    fn lower_by(&self, time: f64) -> f64 {
        let deviation = (self.variance * time).sqrt();
        let (gamma, offset) = (self.drift / self.variance, self.drift * time);
        (-IMAGES..=IMAGES)
            .map(|k| {
                let signed = 2.0 * f64::from(k) * (self.upper - self.lower) - self.lower;
                let distance = signed.abs();
                let reached = |side: f64| {
                    (gamma * self.lower - side * gamma * distance + ln_cdf((side * offset - distance) / deviation))
                        .exp()
                };
                signed.signum() * (reached(1.0) + reached(-1.0))
            })
            .sum()
    }

    /// The probability to be between the lower barrier and `y` at this time without having met a barrier, by images.
    fn on_the_way(&self, time: f64, y: f64) -> f64 {
        let deviation = (self.variance * time).sqrt();
        let (gamma, offset) = (self.drift / self.variance, self.drift * time);
        // The mass of an image that has drifted into the interval, from the tail in which it is small.
        let mass = |source: f64| {
            let z = |to: f64| (to - source - offset) / deviation;
            let (low, high) = (z(self.lower), z(y));
            let (near, far) = if low > 0.0 { (-low, -high) } else { (high, low) };
            (gamma * source + ln_cdf(near)).exp() - (gamma * source + ln_cdf(far)).exp()
        };
        (-IMAGES..=IMAGES)
            .map(|k| {
                let shift = 2.0 * f64::from(k) * (self.upper - self.lower);
                mass(shift) - mass(2.0 * self.lower + shift)
            })
            .sum()
    }

    /// The same as a sum of waves between the barriers, which die out the sooner the shorter they are.
    fn worse_by_waves(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        let (start, end) = (-self.lower, y - self.lower);
        let mut waves = 0.0;
        for n in 1..=20 {
            let k = f64::from(n) * PI / width;
            let decay = -0.5 * self.variance * time * (k * k + gamma * gamma);
            let slope = gamma * (k * end).sin() - k * (k * end).cos();
            waves += (decay + gamma * (end - start)).exp() * (k * start).sin() * slope * 2.0
                / (width * (gamma * gamma + k * k));
        }
        1.0 - self.upper_probability() + waves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [(f64, f64); 7] =
        [(0.0, 1.0), (0.3, 1.0), (-0.3, 1.0), (2.0, 0.5), (-2.0, 0.5), (40.0, 1.0), (-40.0, 1.0)];

    fn motion(drift: f64, variance: f64) -> Brownian {
        Brownian { lower: -2.0, upper: 3.0, drift, variance }
    }

    /// Two different series for the same probability, where both hold.
    #[test]
    fn images_and_waves_agree() {
        for (drift, variance) in CASES {
            let motion = motion(drift, variance);
            for time in [0.7, 1.0, 1.3].map(|part| part * 25.0 / variance) {
                for y in [-2.0, -1.0, 0.0, 2.5, 3.0] {
                    let (images, waves) =
                        (motion.lower_by(time) + motion.on_the_way(time, y), motion.worse_by_waves(time, y));
                    assert!((images - waves).abs() < 1e-9, "{drift} {time} {y}: {images} {waves}");
                }
            }
        }
    }

    #[test]
    fn it_ends_where_it_must() {
        for (drift, variance) in CASES {
            let motion = motion(drift, variance);
            let lower = 1.0 - motion.upper_probability();
            assert!((motion.worse(1e4, -2.0) - lower).abs() < 1e-9, "{drift}");
            // In no time it has gone nowhere.
            assert!(motion.worse(1e-6, -2.0) < 1e-9 && motion.worse(1e-6, 3.0) > 1.0 - 1e-9, "{drift}");
            let mut last = 0.0;
            for step in 0..=50 {
                let worse = motion.worse(5.0, -2.0 + 0.1 * f64::from(step));
                assert!(worse >= last - 1e-12, "{drift} {step}");
                last = worse;
            }
        }
        // Without drift: by the distances, and their product.
        assert!((motion(0.0, 1.0).upper_probability() - 0.4).abs() < 1e-12);
        assert!((motion(0.0, 2.0).expected_time() - 3.0).abs() < 1e-12);
        assert!((motion(1e-9, 2.0).expected_time() - 3.0).abs() < 1e-6);
        // So strong a drift that nothing else matters.
        assert!((motion(40.0, 1.0).expected_time() - 3.0 / 40.0).abs() < 1e-12);
        assert!((motion(-40.0, 1.0).expected_time() - 2.0 / 40.0).abs() < 1e-12);
    }

    /// Wald's identity of the walk: the place where it ends is on average drift times time. Between barriers that lie as far in both
    /// directions the time is (a / drift) tanh(a drift / variance).
    #[test]
    fn the_time_is_that_of_wald() {
        for (drift, variance) in [(0.3, 1.0), (-0.3, 1.0), (1e-3, 0.25), (2.0, 3.0)] {
            let even = Brownian { lower: -2.0, upper: 2.0, drift, variance };
            let wanted = 2.0 / drift * (2.0 * drift / variance).tanh();
            assert!((even.expected_time() - wanted).abs() < 1e-6 * wanted, "{drift} {}", even.expected_time());
        }
    }

    /// A random walk of small steps, its probability computed exactly from step to step.
    #[test]
    fn as_a_walk_of_small_steps() {
        // 20 steps of 0.1 to the lower barrier, 30 to the upper; up with 0.51: drift 0.002, variance 0.01 - 0.000004 a step.
        let motion = motion(0.002, 0.01 - 4e-6);
        let mut at = vec![0.0_f64; 51];
        at[20] = 1.0;
        let mut lost = 0.0;
        for _ in 0..600 {
            let mut next = vec![0.0; 51];
            for place in 1..50 {
                next[place + 1] += 0.51 * at[place];
                next[place - 1] += 0.49 * at[place];
            }
            lost += next[0];
            (next[0], next[50]) = (0.0, 0.0);
            at = next;
        }
        let worse = lost + at[..25].iter().sum::<f64>() + 0.5 * at[25];
        assert!((motion.worse(600.0, 0.5) - worse).abs() < 0.005, "{} {worse}", motion.worse(600.0, 0.5));
        assert!((motion.worse(600.0, -2.0) - lost).abs() < 0.005);
    }
}
