//! Where a parameter is best, as the results of all steps say: a second opinion on the average.
//!
//! Near the best value x* the strength falls with the square of the distance, so that a step from x is won by the side towards x* the
//! more clearly the farther away x is: the games won less games lost by the greater value, divided by c, have the mean -b (x - x*). The
//! line through them is fitted by weighted least squares; where it crosses 0 is x*. Unlike the spread of the values themselves, this
//! knows how flat the summit is.
//!
//! In simulations with a known optimum (`tests/spsa.rs`) its intervals hold what they promise, while those by the means of parts of the
//! path are too narrow as long as the values are on their way.
//!
//! The values are the sum of the results before them. Where a parameter does not matter they walk at random, and a walk seems to be drawn
//! back to its middle: the ratio of the slope to its error has the law of Dickey and Fuller (1979), not Student's, and is beyond 3 in one of
//! thirty such parameters. So the line must fall more clearly than that. The interval is Fieller's (1954): all values at which the line is
//! not told from 0.

use drawish_stats::reach_of_95_percent;

/// The results of all steps for one parameter, as sums.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Response {
    steps: f64,
    weights: f64,
    x: f64,
    z: f64,
    xx: f64,
    xz: f64,
    zz: f64,
}

/// Where a parameter is best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The value; it may be beyond its bounds.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end, which need not be as far away.
    pub high: f64,
}

/// A slope of fewer standard errors is not told from 0, and a line that hardly falls crosses 0 anywhere. Of parameters that do not
/// matter one in a thousand falls so clearly (`tests/spsa.rs`).
const CLEAR: f64 = 4.1;
/// Of fewer steps the line says nothing.
const LEAST_STEPS: f64 = 30.0;

impl Response {
    /// Adds a step in which the greater of two values won `balance` games more than it lost. `offset` is the middle of the values as
    /// they were played, after bounds and rounding, less the first value of the parameter; `c` is half of their difference. Without a
    /// difference a step says nothing.
    pub fn add(&mut self, offset: f64, balance: f64, c: f64) {
        if c <= 0.0 {
            return;
        }
        // The variance of the result over c is that of the result over c squared.
        let (weight, z) = (c * c, balance / c);
        self.steps += 1.0;
        self.weights += weight;
        self.x += weight * offset;
        self.z += weight * z;
        self.xx += weight * offset * offset;
        self.xz += weight * offset * z;
        self.zz += weight * z * z;
    }

    /// The best value of a parameter that began at `first`; `None` while results do not clearly fall with the value.
    #[must_use]
    pub fn best(&self, first: f64) -> Option<Best> {
        let (x, z) = (self.x / self.weights, self.z / self.weights);
        let (xx, xz, zz) =
            (self.xx - self.weights * x * x, self.xz - self.weights * x * z, self.zz - self.weights * z * z);
        let fall = -xz / xx;
        let variance = (zz - fall * fall * xx) / (self.steps - 2.0);
        let is_clear = self.steps >= LEAST_STEPS && xx > 0.0 && fall > CLEAR * (variance / xx).sqrt();
        if !is_clear {
            return None;
        }
        // Two numbers are estimated, so that two degrees of freedom are gone. The slope is clear, so the set is an interval.
        let square = reach_of_95_percent(self.steps as usize - 1).powi(2) * variance;
        let steep = fall * fall - square / xx;
        let half = (square * (steep / self.weights + z * z / xx)).sqrt();
        let at = |end: f64| first + x + end / steep;
        Some(Best { value: first + x + z / fall, low: at(z * fall - half), high: at(z * fall + half) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_crosses_zero_where_the_value_is_best() {
        let mut response = Response::default();
        for step in 0..1000 {
            let offset = f64::from(step) / 50.0;
            // The best is 15 above the first value, with noise that cancels.
            let noise = if step % 2 == 0 { 0.5 } else { -0.5 };
            response.add(offset, 2.0 * (-0.1 * (offset - 15.0) + noise), 2.0);
        }
        let best = response.best(100.0).expect("a clear line");
        assert!(best.low < 115.0 && 115.0 < best.high && best.high - best.low < 2.0, "{best:?}");
        assert_eq!(Response::default().best(1.0), None);
        let mut rising = Response::default();
        (0..100).for_each(|step| rising.add(f64::from(step), f64::from(step), 1.0));
        assert_eq!(rising.best(1.0), None);
    }

    /// At the ends of the interval the line is just told from 0; it reaches farther where fewer results are.
    #[test]
    fn the_interval_is_where_the_line_is_not_told_from_zero() {
        let mut response = Response::default();
        for step in 0..100 {
            let (offset, noise) = (f64::from(step) / 10.0, if step % 2 == 0 { 2.0 } else { -2.0 });
            response.add(offset, -0.35 * (offset - 14.0) + noise, 1.0);
        }
        let best = response.best(0.0).expect("a clear line");
        let n = 100.0;
        let (x, z) = (response.x / n, response.z / n);
        let (xx, xz, zz) = (response.xx - n * x * x, response.xz - n * x * z, response.zz - n * z * z);
        let (fall, freedom) = (-xz / xx, n - 2.0);
        let variance = (zz - fall * fall * xx) / freedom;
        for end in [best.low, best.high] {
            let (line, error) = (z - fall * (end - x), (variance * (1.0 / n + (end - x).powi(2) / xx)).sqrt());
            assert!((line.abs() / error - reach_of_95_percent(99)).abs() < 1e-9, "{end}: {best:?}");
        }
        assert!(best.high - best.value > 1.2 * (best.value - best.low), "{best:?}");
    }
}
