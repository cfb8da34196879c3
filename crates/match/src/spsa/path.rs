//! The way of the values: where they stood after each step, their averages, and how sure these are.

use super::parameter::Parameter;

/// Parts of the second half whose means say how much the average wobbles.
const PARTS: u64 = 10;
/// The 97.5th percentile of Student's t with one degree of freedom less than parts.
const STUDENT: f64 = 2.262;

/// The values after every step.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    parameters: usize,
    /// Before the first step and after each, one set after the other.
    values: Vec<f64>,
    /// Sums of the values after the steps so far, less the first values: so a value that never moves has itself as its average.
    sums: Vec<f64>,
}

/// An average of a value over the second half of the steps, with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Average {
    /// The mean (Polyak and Ruppert).
    pub mean: f64,
    /// Half of the 95 % interval by the means of ten consecutive parts; `None` with fewer than 20 steps in the second half. Steps
    /// depend on those before, so it is rather too narrow while the value is still on its way.
    pub error: Option<f64>,
}

impl Path {
    /// A path that begins at the values of the parameters.
    #[must_use]
    pub fn new(parameters: &[Parameter]) -> Path {
        let values = parameters.iter().map(|parameter| parameter.value).collect();
        Path { parameters: parameters.len(), values, sums: vec![0.0; parameters.len()] }
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        (self.values.len() / self.parameters) as u64 - 1
    }

    /// The values after so many steps.
    ///
    /// # Panics
    ///
    /// If there were fewer.
    #[must_use]
    pub fn after(&self, steps: u64) -> &[f64] {
        let at = steps as usize * self.parameters;
        &self.values[at..at + self.parameters]
    }

    /// Adds the values after the next step.
    pub fn push(&mut self, values: &[f64]) {
        let last = self.sums.len() - self.parameters;
        for (at, value) in values.iter().enumerate() {
            self.values.push(*value);
            self.sums.push(self.sums[last + at] + (value - self.values[at]));
        }
    }

    /// The mean of a value after the steps of a range, the first of which is not counted; the value itself for none.
    fn mean(&self, parameter: usize, after: u64, to: u64) -> f64 {
        if to <= after {
            return self.after(to)[parameter];
        }
        let sum = |steps: u64| self.sums[steps as usize * self.parameters + parameter];
        self.after(0)[parameter] + (sum(to) - sum(after)) / (to - after) as f64
    }

    /// The average of a value over the second half of the first so many steps.
    #[must_use]
    pub fn average(&self, parameter: usize, steps: u64) -> Average {
        let half = steps / 2;
        let mean = self.mean(parameter, half, steps);
        let length = steps - half;
        if length < 2 * PARTS {
            return Average { mean, error: None };
        }
        let end = |part: u64| half + part * length / PARTS;
        let means = (0..PARTS).map(|part| self.mean(parameter, end(part), end(part + 1)));
        let variance = means.map(|part| (part - mean).powi(2)).sum::<f64>() / (PARTS - 1) as f64;
        Average { mean, error: Some(STUDENT * (variance / PARTS as f64).sqrt()) }
    }

    /// Whether every average has moved by less than `share` of its `c_end` during the last quarter of the steps so far.
    #[must_use]
    pub fn is_at_rest(&self, parameters: &[Parameter], share: f64) -> bool {
        let (now, before) = (self.steps(), self.steps() * 3 / 4);
        before > 0
            && parameters.iter().enumerate().all(|(at, parameter)| {
                let moved = self.average(at, now).mean - self.average(at, before).mean;
                moved.abs() < share * parameter.c_end
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(values: impl IntoIterator<Item = f64>) -> (Vec<Parameter>, Path) {
        let parameters = Parameter::read("a, float, 0, -100, 100, 1, 0.01").expect("a parameter");
        let mut path = Path::new(&parameters);
        values.into_iter().for_each(|value| path.push(&[value]));
        (parameters, path)
    }

    #[test]
    fn averages_are_of_the_second_half() {
        let (_, path) = path([4.0, 4.0, 1.0, 3.0]);
        assert_eq!((path.steps(), path.after(0)[0], path.after(3)[0]), (4, 0.0, 1.0));
        assert_eq!(path.average(0, 4), Average { mean: 2.0, error: None });
        assert_eq!(path.average(0, 2).mean, 4.0);
        assert_eq!(path.average(0, 0).mean, 0.0);
    }

    #[test]
    fn the_interval_is_that_of_the_parts() {
        // The second half of 40 steps has ten parts of two, whose means are 1 and 3 in turns.
        let (_, path) = path((0..40).map(|step| if step % 4 < 2 { 1.0 } else { 3.0 }));
        let found = path.average(0, 40);
        let error = 2.262 * (10.0 / 9.0 / 10.0_f64).sqrt();
        assert!((found.mean - 2.0).abs() < 1e-12 && (found.error.expect("20 steps") - error).abs() < 1e-9, "{found:?}");
        assert_eq!(path.average(0, 38).error, None);
    }

    #[test]
    fn a_value_that_stays_is_its_own_average() {
        let parameters = Parameter::read("a, float, 20.3, -100, 100, 1, 0.01").expect("a parameter");
        let mut path = Path::new(&parameters);
        (0..60).for_each(|_| path.push(&[20.3]));
        assert_eq!(path.average(0, 60), Average { mean: 20.3, error: Some(0.0) });
    }

    #[test]
    fn rest_is_measured_in_perturbations() {
        let (parameters, moving) = path((0..40).map(f64::from));
        assert!(!moving.is_at_rest(&parameters, 0.5));
        let (parameters, still) = path([1.0; 40]);
        assert!(still.is_at_rest(&parameters, 0.1));
        assert!(!path([]).1.is_at_rest(&parameters, 0.1));
    }
}
