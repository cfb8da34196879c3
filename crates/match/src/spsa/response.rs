//! Where a parameter is best, as the results of all steps say: a second opinion on the average.
//!
//! Near the best value x* the strength falls with the square of the distance, so that a step from x is won by the side towards x* the
//! more clearly the farther away x is: the games won less games lost by the greater value, divided by c, have the mean -b (x - x*). The
//! line through them is fitted by weighted least squares; where it crosses 0 is x*. Unlike the spread of the values themselves, this
//! knows how flat the summit is.
//!
//! In simulations with a known optimum (`tests/spsa.rs`) its intervals hold what they promise, while those by the means of parts of the
//! path are too narrow as long as the values are on their way.

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
    /// Half of the 95 % interval.
    pub error: f64,
}

/// A slope of fewer standard errors is not told from 0, and a line that hardly falls crosses 0 anywhere.
const CLEAR: f64 = 3.0;
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
        let offset = x + z / fall;
        // Two numbers are estimated, so that two degrees of freedom are gone.
        let reach = reach_of_95_percent(self.steps as usize - 1);
        let error = reach * (variance / (fall * fall) * (1.0 / self.weights + (offset - x).powi(2) / xx)).sqrt();
        Some(Best { value: first + offset, error })
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
        assert!((best.value - 115.0).abs() < best.error && best.error < 1.0, "{best:?}");
        assert_eq!(Response::default().best(1.0), None);
        let mut rising = Response::default();
        (0..100).for_each(|step| rising.add(f64::from(step), f64::from(step), 1.0));
        assert_eq!(rising.best(1.0), None);
    }
}
